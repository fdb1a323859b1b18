"""A few walks by plain ``batch``, ten networks a size: what the gate reads at its full effort.

    python studies/gated_batches.py -o studies/results

Networks of 20 vertices and 32 links, and of 60 and 120 links; four walks of up to eight visits,
published as ``batch`` publishes them if nothing is said: chaff that remembers, prior 1/2, 1/2. The
gate's outsiders are told the number of links and try as hard as they do before every batch. Nothing
is timed; seeds are fixed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from pathveil.planning.gate_report import GateReport

from pathveil.batching.batch_run import batch
from pathveil.errors import GateClosed
from pathveil.lab.maps import random_map
from pathveil.model.walk import Walk
from studies.many_walks import random_walk, write_rows

SIZES = ((20, 32), (60, 120))
NETWORKS, WALKS = 10, 4


def run(vertices: int, links: int, number: int) -> dict[str, object]:
    """Return what the gate found of one batch."""
    random = np.random.default_rng(list(f"gated batch {vertices} {number}".encode()))
    network, _ = random_map(vertices, links, random)
    walks = [
        Walk(network.vertices[place] for place in random_walk(network, random))
        for _ in range(WALKS)
    ]
    released = True
    report: object = None
    with TemporaryDirectory() as folder:
        try:
            report = batch(network, walks, f"{folder}/out", workers=1, seed=number).gate
        except GateClosed as refused:
            released, report = False, refused.report
    assert isinstance(report, GateReport)
    assert report.counting is not None
    assert report.structural is not None
    return {
        "vertices": vertices,
        "links": links,
        "network": number,
        "walks": WALKS,
        "uses_per_link": round(float(report.uses_per_link), 3),
        "moves": report.effort.steps * report.effort.restarts,
        "counting_links": report.counting.links_found,
        "counting_walks": report.counting.walks_read,
        "structure_links": report.structural.links_found,
        "structure_walks": report.structural.walks_read,
        "luck": round(report.structural.luck, 2),
        "released": released,
    }


def main() -> None:
    """Run every batch and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    rows = [run(*size, number) for size in SIZES for number in range(NETWORKS)]
    write_rows(given.output / "gated_batches.csv", rows)


if __name__ == "__main__":
    main()
