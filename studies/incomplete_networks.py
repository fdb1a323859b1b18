"""What one reads with a network that is not quite the right one: right, wrong, or refused.

A participant may miss a link of the network, or believe in one that is not there. Maps of 8
vertices and 13 links; walks of 5 visits; ``balanced``; any link may be missing or too many.

    python studies/incomplete_networks.py --maps 1000 -o studies/results/incomplete_networks.csv
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import numpy as np

from pathveil import Network, Seeded, Walk, publish, reconstruct
from pathveil.errors import DoesNotFit
from pathveil.lab.maps import random_map
from pathveil.lab.reproduction.sweep_store import write_csv_file

VERTICES, LINKS, VISITS = 8, 13, 5


def outcomes(maps: int) -> dict[str, dict[str, int]]:
    """Return how often a reading was right, wrong unnoticed or refused, for both mistakes."""
    kinds = ("one link too few", "one link too many")
    found = {kind: {"right": 0, "wrong": 0, "refused": 0} for kind in kinds}
    for number in range(maps):
        random = np.random.default_rng(number)
        network, whole = random_map(VERTICES, LINKS, random)
        walk = Walk(whole.vertices[:VISITS])
        publication = publish(network, walk, source=Seeded(number))
        gone = network.links[int(random.integers(len(network.links)))]
        absent = [p for p in combinations(network.vertices, 2) if not network.has_edge(*p)]
        extra = absent[int(random.integers(len(absent)))]
        believed = (network.without(gone), Network.from_links([*network.links, extra]))
        for kind, other in zip(kinds, believed, strict=True):
            try:
                right = reconstruct(publication, other).walk == walk
            except DoesNotFit:
                found[kind]["refused"] += 1
            else:
                found[kind]["right" if right else "wrong"] += 1
    return found


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--maps", type=int, default=1000)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    rows = [(kind, *counts.values()) for kind, counts in outcomes(given.maps).items()]
    write_csv_file(given.output, ("mistake", "right", "wrong", "refused"), rows)


if __name__ == "__main__":
    main()
