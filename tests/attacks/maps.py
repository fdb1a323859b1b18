"""Random maps for the attacks: made like the paper's, or on a plane."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.chance.coins import draw_bits
from pathveil.chance.source import Source
from pathveil.lab.maps import cyclic_order, map_around
from pathveil.model.bits import PairBits, Relation
from pathveil.model.layered import Layering
from pathveil.model.positions import Positions
from tests.attacks.known_answers import Case


def random_map(random: np.random.Generator, vertices: int, links: int) -> tuple[Network, Walk]:
    """A spanning walk and further links, all at random."""
    names = [f"v{i:03}" for i in range(vertices)]
    walk = Walk(names[i] for i in random.permutation(vertices))
    steps = walk.links
    rest = [pair for pair in combinations(names, 2) if pair not in steps]
    chosen = random.permutation(len(rest))[: links - len(steps)]
    return Network.from_links([*steps, *(rest[i] for i in chosen)]), walk


def cyclic_walk(
    vertices: int, links: int, random: np.random.Generator, *, visits: int
) -> tuple[Network, Walk]:
    """A walk that sees every vertex and revisits, and a map round it."""
    order = cyclic_order(vertices, links, random, visits=visits)
    return map_around(order, vertices, links, random)


def bits_of(network: Network, walk: Walk, policy: Policy, source: Source) -> PairBits:
    """The bits of a release with one copy of each vertex, without a picture."""
    positions = Positions.uniform(network.vertices, 1)
    visits = [network.index(name) for name in walk]
    return draw_bits(Relation.of(positions, network, visits), policy, source)


def cases(
    count: int, policy: Policy, layering: Layering, *, vertices: int = 8, links: int = 13
) -> Iterator[Case]:
    """Releases of random maps with one inner link of the walk missing."""
    random = np.random.default_rng(7)
    for number in range(count):
        network, walk = random_map(random, vertices, links)
        truth = walk.steps[1 + int(random.integers(len(walk.steps) - 2))]
        source = Seeded(f"case {number}")
        release = publish(network, walk, policy=policy, layering=layering, source=source)
        yield Case(release, Knowledge(network.without(truth)), truth)
