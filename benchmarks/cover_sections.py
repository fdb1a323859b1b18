"""How fast the gate answers: cover of a network's life, by size and number of walks."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.rows import Row, best_of, sized, within
from pathveil.lab.maps import random_map
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.cover import CountedRelease, Life, Urns, cover
from pathveil.planning.path_counts import PathCounts
from pathveil.planning.plan import plan

LENGTH = 6
SIZES = ((200, 400, 30, 0.05), (1_000, 2_000, 100, 0.3))


def gate() -> list[Row]:
    """Cover of random networks and walks, nothing kept from earlier questions."""
    rows = []
    for vertices, links, walks, limit in sized(full=SIZES, quick=SIZES[:1]):
        network, series = _series(vertices, links, walks)
        law = Urns(4.0, 4.0 * links / LENGTH)
        releases = tuple(CountedRelease(network, (walk,), law) for walk in series)
        seconds = best_of(partial(_ask, releases))
        title = f"cover of {walks} walks over {vertices:,} vertices and {links:,} links"
        rows.append(within(title, seconds, limit))
    return rows


def plan_ahead() -> list[Row]:
    """A plan for walks over a network that is given."""
    network, _ = _series(*sized(full=(1_000, 2_000), quick=(10, 14)), walks=1)
    walks, rows = sized(full=100, quick=3), []
    for length in sized(full=(LENGTH, LENGTH + 2), quick=(LENGTH,)):
        seconds = best_of(partial(plan, network, walks=walks, length=length))
        title = f"plan of {walks} walks over {len(network):,} vertices, {length} links each"
        rows.append(within(title, seconds, 2.0))
    return rows


def _ask(releases: tuple[CountedRelease, ...]) -> None:
    cover(Life(releases))


def _series(vertices: int, links: int, walks: int) -> tuple[Network, list[Walk]]:
    random = np.random.default_rng(11)
    network, _ = random_map(vertices, links, random)
    paths = PathCounts(len(network), network.pairs).sample(LENGTH)
    chosen = paths[random.integers(0, len(paths), walks)].tolist()
    return network, [Walk([network.vertices[k] for k in row]) for row in chosen]


SECTIONS = (
    ("The gate: cover of a network's life", gate),
    ("The plan before the first release", plan_ahead),
)
