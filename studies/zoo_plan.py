"""Whether 1, 10, 100 walks fit the networks of the Internet Topology Zoo, and by which way.

    python studies/zoo_plan.py --zoo ../data/topology-zoo/graphml

Parallel links are merged and the largest component is kept; a walk is as long as a shortest path is
on average, rounded, and has two links at least. Nothing is drawn at random. Writes
``studies/results/zoo_plan.csv``; some minutes. The Zoo is CC BY 4.0 (S. Knight et al., 2011).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import networkx as nx

import pathveil as pv
from pathveil.errors import PathveilError
from pathveil.lab.reproduction.sweep_store import write_csv_file

RESULTS = Path(__file__).parent / "results"
COUNTS = (1, 10, 100)
WAYS = ("once", "coins", "series", "grouping")
"""The public ways, simplest first. Envelopes always fit."""


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zoo", type=Path, required=True, help="a folder of *.graphml")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "zoo_plan.csv")
    given = parser.parse_args()
    ways = [f"way_{count}" for count in COUNTS]
    heads = ["network", "vertices", "links", "length", *WAYS, *ways]
    write_csv_file(given.output, heads, map(row, sorted(given.zoo.glob("*.graphml"))))


def row(path: Path) -> list[str | int]:
    """Return one network's row: sizes, the most walks by each way, the first way that fits.

    The most walks are empty where any number fits.
    """
    network = pv.read_network(path, names="id", simplify=True, largest_component=True)
    length = max(2, round(nx.average_shortest_path_length(network.to_networkx())))
    cells: list[str | int] = [path.stem, len(network.vertices), len(network.links), length]
    try:
        made = pv.plan(network, walks=max(COUNTS), length=length)
    except PathveilError:  # no simple path of two links
        return [*cells, *[0] * len(WAYS), *["none"] * len(COUNTS)]
    most = {name: made.way(name).most_walks for name in WAYS}
    cells += ["" if many is None else many for many in most.values()]
    # A first release is never refused, but it may use up the cover.
    alone = pv.plan(network, walks=1, length=length).way("once").cover or 0
    for count in COUNTS:
        fitting = (name for name, many in most.items() if many is None or many >= count)
        cells.append("none" if count == 1 and alone >= 1 else next(fitting, "none"))
    return cells


if __name__ == "__main__":
    main()
