"""How often a two-sided release is read back exactly: 12 vertices, 18 links, 1000 maps.

    python studies/two_sided_recovery.py --maps 1000 -o studies/results/two_sided_recovery.csv

By likelihood with the promise that the walk spans, without it, and by the raw bits alone. Shares
with 95 % intervals.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from pathveil import Network, Policy, Publication, Seeded, Walk, publish, reconstruct
from pathveil.chance.intervals import proportion
from pathveil.lab.maps import random_map
from pathveil.lab.reproduction.sweep_store import write_csv_file
from pathveil.model.bits import pair_places

BUDGETS = ("1", "2", "3", "4")


def raw_bits_are_right(publication: Publication, network: Network, walk: Walk) -> bool:
    """Return whether every link's own bit tells truly whether the walk uses it."""
    bits = publication.packed.pairs
    pairs = network.pairs
    shown = bits.at(pair_places(pairs[:, 0], pairs[:, 1], bits.size))
    return all(
        (link in walk.links) != same for link, same in zip(network.links, shown, strict=True)
    )


def main() -> None:
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", type=int, default=1000)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    rng = np.random.default_rng(12)
    maps = [random_map(12, 18, rng) for _ in range(options.maps)]
    rows: list[tuple[str, ...]] = []
    for epsilon in BUDGETS:
        right = {"likelihood, spanning": 0, "likelihood": 0, "raw bits": 0}
        for number, (network, walk) in enumerate(maps):
            for spanning in (True, False):
                policy = Policy.two_sided(epsilon=epsilon, spanning=spanning)
                source = Seeded(f"two-sided {epsilon} {number}")
                publication = publish(network, walk, policy=policy, source=source)
                reading = "likelihood, spanning" if spanning else "likelihood"
                right[reading] += reconstruct(publication, network).walk == walk
            right["raw bits"] += raw_bits_are_right(publication, network, walk)
        for reading, hits in right.items():
            share = proportion(hits, len(maps))
            print(f"epsilon {epsilon}, {reading}: {share}")
            figures = (f"{share.value:.3f}", f"{share.low:.3f}", f"{share.high:.3f}")
            rows.append((epsilon, reading, str(hits), str(len(maps)), *figures))
    if options.output is not None:
        heads = ("epsilon", "reading", "right", "maps", "share", "low", "high")
        write_csv_file(options.output, heads, rows)


if __name__ == "__main__":
    main()
