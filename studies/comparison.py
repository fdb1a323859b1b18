"""Compare the prior systems with ours on random maps and on a real one; table, figures, page.

Usage: python studies/comparison.py --data FOLDER [--trials 1000] [--real-trials 1000] [--workers 2]
       python studies/comparison.py --redraw

The first form plays the trials (stopped and started again it goes on where it was) and writes
``comparison.csv``; both draw the figures and write the page's sections from that table alone.
FOLDER holds the real map, which is not part of this project:

- ``denver/osmnx_drive_graph.graphml``: streets of Denver, (c) OpenStreetMap contributors, ODbL
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pathveil.files.atomic_write import write_aside
from pathveil.files.networks.network_reader import read_network
from pathveil.lab.comparison.comparison_run import compare
from pathveil.lab.comparison.comparison_tables import read_csv, write_csv
from pathveil.lab.comparison.picture import draw_appendix, draw_glance
from pathveil.lab.comparison.report import rewrite_sections
from pathveil.lab.comparison.systems import SYSTEMS

HERE = Path(__file__).parent
PAGE = HERE / "results" / "comparison.md"


@dataclass(frozen=True)
class Board:
    """A real map: where it lies below the data folder, and a public bound on its links, metres.

    The bounds are round numbers above the longest link of the whole map, as somebody might know
    them who knows no single link.
    """

    name: str
    file: str
    reach: float


RANDOM_ONLY = (
    "DPT, corpus of 31",
    "PriSTE link, alpha 1",
    "PriSTE link, alpha 5",
)
"""Left out on the real map, to spend the time on trials: the random maps show what they do."""

BOARDS = (Board("streets of Denver", "denver/osmnx_drive_graph.graphml", 1_000.0),)


def play(
    data: Path, out: Path, *, trials: int, real_trials: int, workers: int
) -> list[dict[str, Any]]:
    """Return the table of all maps."""
    journals = out / "journals"
    table = list(
        compare(trials=trials, workers=workers, journal=journals / "random.journal")[0].records
    )
    for board in BOARDS:
        network = read_network(data / board.file, names="id", simplify=True, largest_component=True)
        found, _ = compare(
            network=network,
            name=board.name,
            coordinates="degrees",
            reach=board.reach,
            systems=tuple(name for name in SYSTEMS if name not in RANDOM_ONLY),
            trials=real_trials,
            workers=workers,
            journal=journals / f"{Path(board.file).stem}.journal",
        )
        table += found.records
    return table


def main() -> None:
    """Play or redraw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--real-trials", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--redraw", action="store_true")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results")
    given = parser.parse_args()
    table = given.output / "comparison.csv"
    if not given.redraw:
        if given.data is None:
            parser.error("--data FOLDER is needed, or --redraw")
        found = play(
            given.data,
            given.output,
            trials=given.trials,
            real_trials=given.real_trials,
            workers=given.workers,
        )
        write_aside(table, write_csv(found))
    records = read_csv(table)
    (given.output / "figures").mkdir(parents=True, exist_ok=True)
    draw_glance(records, given.output / "figures" / "comparison.svg")
    draw_appendix(records, given.output / "figures" / "comparison-appendix.svg")
    if given.output == HERE / "results":
        rewrite_sections(PAGE, records)


if __name__ == "__main__":
    main()
