"""How often does a fiftieth of the runs give the verdict of all? Twenty seeds, every claim.

    python studies/verdict_power.py -o studies/results/verdict_power.csv

Each seed runs the paper's engine, mostly 20 times a cell, on maps, copies and coins of its own; its
verdicts are counted beside the one of the committed tables. "Opposite" is agrees against disagrees.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pathveil.batching.worker_pool import Crew
from pathveil.lab.reproduction.claims import judge_claims
from pathveil.lab.reproduction.evaluation import read_results
from pathveil.lab.reproduction.figures import FIGURES
from pathveil.lab.reproduction.sweep_store import run_sweeps, write_csv_file

RESULTS = Path(__file__).parent / "results"
COUNTED = ("agrees", "in part", "disagrees", "undecided")
OPPOSITE = {"agrees": "disagrees", "disagrees": "agrees"}


def verdicts(seeds: int, *, runs: int, workers: int) -> list[dict[str, str]]:
    """Return, for each seed, the verdict on each claim from its runs."""
    with TemporaryDirectory() as folder:
        sweeps = []
        for seed in range(seeds):
            for figure in FIGURES:
                sweep = figure.sweep("backtracking", runs=runs)
                named = replace(sweep, name=f"{figure.name}, seed {seed}")
                sweeps.append((named, Path(folder) / f"{seed}.{figure.name}"))
        results = run_sweeps(sweeps, Crew(workers))
    found: list[dict[str, str]] = []
    for seed in range(seeds):
        mine = results[seed * len(FIGURES) : (seed + 1) * len(FIGURES)]
        tables = {figure.name: rows for figure, rows in zip(FIGURES, mine, strict=True)}
        found.append({f"{f.figure}: {f.claim}": f.verdict for f in judge_claims(tables)})
    return found


def main() -> None:
    """Run the seeds and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "verdict_power.csv")
    given = parser.parse_args()
    full = {f"{f.figure}: {f.claim}": f.verdict for f in judge_claims(read_results(RESULTS))}
    counts: dict[str, Counter[str]] = {claim: Counter() for claim in full}
    for one in verdicts(given.seeds, runs=given.runs, workers=given.workers):
        for claim, verdict in one.items():
            counts[claim][verdict] += 1
    rows = []
    for claim, verdict in full.items():
        if verdict in COUNTED:
            row = counts[claim]
            shown = [row[name] for name in COUNTED]
            rows.append((claim, verdict, *shown, row[OPPOSITE.get(verdict, "")]))
    write_csv_file(given.output, ("claim", "at 1000 runs", *COUNTED, "opposite"), rows)


if __name__ == "__main__":
    main()
