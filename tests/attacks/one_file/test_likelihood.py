"""Weighing worlds: sums over links off the walk, against all sets listed."""

from __future__ import annotations

from itertools import combinations
from math import prod

import networkx as nx
import numpy as np
import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, attack, publish
from pathveil.attacks.one_file.likelihood import (
    Parts,
    _without_each,
    connecting_sum,
    likeliest_set,
    merge,
    partitions,
    parts_of,
)

BELL = [1, 1, 2, 5, 15, 52]


def weights_of_all(odds: dict[tuple[int, int], float], parts: Parts, order: int) -> list[float]:
    """The product of the odds of every set of so many pairs that leaves one piece."""
    found = []
    for chosen in combinations(odds, order):
        graph: nx.Graph[int] = nx.Graph((parts[u], parts[v]) for u, v in chosen)
        graph.add_nodes_from(parts)
        if nx.is_connected(graph):
            found.append(prod(odds[pair] for pair in chosen))
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("parts", [(0, 0, 1, 1, 0), (0, 1, 2, 2, 0), (0, 1, 2, 3, 3), (0,) * 5])
def test_sums_and_the_likeliest_are_those_of_all_sets(parts: Parts, seed: int) -> None:
    random = np.random.default_rng(seed)
    pairs = [pair for pair in combinations(range(5), 2) if random.random() < 0.8]
    odds = {pair: float(random.integers(1, 9)) for pair in pairs}
    for order in range(5):
        found = weights_of_all(odds, parts, order)
        assert connecting_sum(odds, parts, order) == pytest.approx(sum(found))
        assert likeliest_set(odds, parts, order) == pytest.approx(max(found, default=0.0))


def test_partitions_are_all_and_each_once() -> None:
    for count, expected in enumerate(BELL):
        found = partitions(count)
        sets = {frozenset(map(frozenset, sorted(parts))) for parts in found}
        assert len(found) == len(sets) == expected
        assert all(sorted(sum(parts, ())) == list(range(count)) for parts in found)


def test_pieces_are_numbered_as_they_appear_and_joined_by_links() -> None:
    pieces = parts_of(Network.parse("ab bc cd de").without(("a", "b"), ("c", "d")))
    assert pieces == (0, 1, 1, 2, 2)
    assert merge(pieces, [(0, 4)]) == (0, 1, 1, 0, 0)
    assert merge(pieces, [(1, 2)]) == pieces
    assert merge(pieces, [(0, 1), (2, 3)]) == (0,) * 5


NETWORK = Network.parse("ab bc cd de ac bd ce")


@pytest.mark.parametrize(
    "weights",
    [[1.0, 2.0, 3.0, 4.0, 5.0], [1e12, 1.0, 1e-12, 2.0, 3.0], [1e15, 1e15, 1.0, 1.0, 1.0]],
    ids=["plain", "far apart", "two that drown the others"],
)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_sums_without_one_pair_lose_no_digits(weights: list[float], order: int) -> None:
    """Taken from the sum of all by subtraction they would, where one weight drowns the others."""
    odds = {(0, place): weight for place, weight in enumerate(weights, start=1)}
    found = _without_each(odds, order)
    for pair in odds:
        others = [weight for other, weight in odds.items() if other != pair]
        exact = sum(map(prod, combinations(others, order - 1)))
        assert found[pair] == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("missing", [("ac", "bd"), ("ac", "bc"), ("bc", "cd")])
@pytest.mark.parametrize("policy", [Policy.balanced(), Policy.sealed()], ids=repr)
def test_beliefs_add_up_to_the_links_that_miss(missing: tuple[str, str], policy: Policy) -> None:
    """Whatever was released: two links miss, so two are expected over all pairs."""
    for seed in range(4):
        released = publish(NETWORK, Walk("abcde"), policy=policy, source=Seeded(seed))
        links = [(link[0], link[1]) for link in missing]
        found = attack(released, Knowledge(NETWORK.without(*links), missing=2))
        assert found.method == "exact"
        assert sum(belief.prior for belief in found.beliefs) == pytest.approx(2)
        assert sum(belief.posterior for belief in found.beliefs) == pytest.approx(2)
        assert sum(candidate.posterior for candidate in found.candidates) == pytest.approx(1)
        true = [b.posterior for b in found.beliefs if b.link in links]
        assert len(true) == 2
        assert min(true) > 0, "the truth is never ruled out"


def test_a_network_in_pieces_must_be_joined_by_what_misses() -> None:
    """d - e alone holds e: every world has a link at e."""
    line = Network.parse("ab bc cd de bd")
    released = publish(line, Walk("abcde"), source=Seeded(3))
    found = attack(released, Knowledge(line.without(("d", "e"))))
    assert all(
        "e" in belief.link for belief in found.beliefs if belief.prior > 0 or belief.posterior > 0
    )
