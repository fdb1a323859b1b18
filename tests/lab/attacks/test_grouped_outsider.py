from __future__ import annotations

from fractions import Fraction

import numpy as np

from pathveil.chance.source import Seeded
from pathveil.grouping.draw_grouping import group
from pathveil.lab.attacks.grouped_outsider import (
    bundle_ends,
    by_name,
    chance_of_naming,
    count_right,
    in_random_order,
    name_links,
)
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from tests.grouping.test_colouring import random_network


def class_walks(
    network: Network, grouping: Grouping, count: int, length: int, seed: int
) -> list[list[int]]:
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        walk = [str(random.choice(network.vertices))]
        for _ in range(length):
            onward = [v for v in network.neighbours(walk[-1]) if v not in walk]
            if not onward:
                break
            walk.append(str(random.choice(onward)))
        if len(walk) > 1:
            found.append(grouping.classes_of(walk).tolist())
    return found


def test_bundles_are_the_vertices_of_the_network() -> None:
    """With walks enough he has the network up to permutation within classes, and no more."""
    network = random_network(60, 75, 1)
    grouping = group(network, classes=24, source=Seeded(1))
    walks = class_walks(network, grouping, 600, 12, 2)
    bundles = bundle_ends(walks)
    degrees = sorted(len(bundle.ends) for found in bundles.values() for bundle in found)
    assert degrees == sorted(network.degree(name) for name in network)


def test_no_rule_names_links_better_than_chance() -> None:
    """Averaged over all permutations within classes every rule gives exactly the stated chance.

    The permutations are the law of the truth given everything published, so this is the law of the
    attack's success itself; the same with a known link, whose end is then fixed.
    """
    from itertools import permutations, product

    network = Network.parse("ab bc cd de ef fg")
    grouping = Grouping.of(["ae", "bfh", "cx", "dy", "gz"])
    network = Network.from_links([e for e in network.links if e != ("e", "f")], connected=False)
    grouping.require_harmonious(network)
    walk = grouping.classes_of("abcde").tolist()
    for rule in (by_name, in_random_order(Seeded(1))):
        guesses = name_links(grouping, [walk], rule=rule)
        hits = Fraction(0)
        classes = ("ae", "bfh", "cx", "dy", "gz")
        worlds = [
            dict(zip("".join(classes), (name for one in moves for name in one), strict=True))
            for moves in product(*map(permutations, classes))
        ]
        for world in worlds:
            moved = [(world.get(u, u), world.get(v, v)) for u, v in network.links]
            hits += count_right(guesses, moved)
        assert hits / len(worlds) == sum(guess.chance for guess in guesses)


def test_a_known_link_makes_the_next_one_of_a_class() -> None:
    """The limit: who knows a link knows its ends, and walks join."""
    grouping = Grouping.of(["ae", "bfh", "ci", "dz"])
    walk = grouping.classes_of("abc").tolist()
    blind = name_links(grouping, [walk], rule=by_name)
    assert [guess.chance for guess in blind] == [Fraction(1, 6), Fraction(1, 6)]
    (knowing,) = name_links(grouping, [walk], rule=by_name, known=[("a", "b")])
    assert knowing.ends[0] == "b"
    assert knowing.chance == Fraction(1, 2)
    assert chance_of_naming([knowing]) == 0.5


def test_two_known_ends_at_a_class_are_one_vertex() -> None:
    known = {((0, 1), 1): "b", ((1, 2), 1): "b"}
    bundles = bundle_ends([[0, 1], [1, 2], [1, 3]], known=known)
    assert sorted(len(bundle.ends) for bundle in bundles[1]) == [1, 2]
