"""Many walks over one network: a batch against as many single releases.

The gate is left out of the race: it has a section of its own.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.rows import Row, best_of, faster, sized
from benchmarks.throughput_sections import run_batch
from pathveil.lab.maps import random_map, random_route
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.publishing.release import publish


def _series(vertices: int, links: int, walks: int) -> tuple[Network, list[Walk]]:
    random = np.random.default_rng(11)
    network, _ = random_map(vertices, links, random)
    return network, [random_route(network, 8, random)[1] for _ in range(walks)]


def per_walk() -> list[Row]:
    """A walk of a batch beside a plain single release that is written to a file."""
    rows = []
    cases = sized(((10, 20, 30), (100, 200, 6), (200, 400, 3)), ((10, 20, 3),))
    for vertices, links, many in cases:
        network, walks = _series(vertices, links, many)
        with TemporaryDirectory() as name:
            folder, names = Path(name), count()

            def single() -> None:
                for number, walk in enumerate(walks):
                    made = publish(network, walk)
                    made.save(folder / f"{number}.veil.json", overwrite=True)

            def together() -> None:
                # A new name each time: a batch refuses what an earlier one left under its own.
                run_batch(network, walks, folder / f"{next(names)}.jsonl")

            together()  # layers and coins are compiled once on a machine
            ours, peer = best_of(together, times=2) / many, best_of(single, times=2) / many
        title = f"a walk of a batch of {many} over {vertices} vertices, vs a plain release"
        rows.append(faster(title, ours, peer, at_least=0.8))
    return rows


SECTIONS = (("Many walks: a batch beside single releases", per_walk),)
