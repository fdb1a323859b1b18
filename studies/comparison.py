"""Compare the prior systems with ours on random maps and on real ones; table, figures, page.

Usage: python studies/comparison.py --data FOLDER [--trials 1000] [--workers 2]
       python studies/comparison.py --redraw

The first form plays the trials (stopped and started again it goes on where it was) and writes
``comparison.csv``; both draw the figures and write the page from that table alone. FOLDER holds the
real maps, which are not part of this project:

- ``denver/osmnx_drive_graph.graphml``: streets of Denver, (c) OpenStreetMap contributors, ODbL
- ``topology-zoo/graphml/Surfnet.graphml``, ``Geant2010.graphml``: Internet Topology Zoo, CC BY 4.0
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pathveil.batching.worker_pool import Crew
from pathveil.files.networks.network_reader import read_network
from pathveil.lab.comparison.comparison_run import Board, Comparison, compare, write_comparison
from pathveil.lab.comparison.comparison_tables import read_csv
from pathveil.lab.comparison.systems import SYSTEMS

RESULTS = Path(__file__).parent / "results"

RANDOM_ONLY = ("DPT, corpus of 31", "PriSTE link, alpha 1", "PriSTE link, alpha 5")
"""Left out on the real maps, to spend the time on trials: the random maps show what they do."""

REAL = {
    "Surfnet": ("topology-zoo/graphml/Surfnet.graphml", 150_000.0),
    "Geant 2010": ("topology-zoo/graphml/Geant2010.graphml", 4_000_000.0),
    "streets of Denver": ("denver/osmnx_drive_graph.graphml", 1_000.0),
}
"""Real maps: where each is below the data folder, and a public bound on its links in metres.

The bounds are round numbers above the longest link of the whole map, as somebody might know them
who knows no single link.
"""


def play(data: Path, journals: Path, *, trials: int, workers: int) -> Comparison:
    """Return the comparison on all maps."""
    crew = Crew(workers)
    records = compare(Board.random(), trials=trials, journal=journals / "random", crew=crew).records
    for name, (file, reach) in REAL.items():
        network = read_network(data / file, names="id", simplify=True, largest_component=True)
        records += compare(
            Board.real(network, name, reach=reach),
            systems=tuple(name for name in SYSTEMS if name not in RANDOM_ONLY),
            trials=trials,
            journal=journals / name,
            crew=crew,
        ).records
    return Comparison(records)


def main() -> None:
    """Play or redraw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--redraw", action="store_true")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    given = parser.parse_args()
    if given.redraw:
        found = Comparison(tuple(read_csv(given.output / "comparison.csv")))
    elif given.data is None:
        parser.error("--data FOLDER is needed, or --redraw")
    else:
        found = play(
            given.data, given.output / "journals", trials=given.trials, workers=given.workers
        )
    write_comparison(found, given.output)


if __name__ == "__main__":
    main()
