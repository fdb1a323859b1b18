"""Law: for every small walk, revisits and all, each link costs what the custodian is told.

All connected networks of up to 5 vertices up to isomorphism, all walks of up to 5 visits (4 on five
vertices). Vertex pairs are drawn independently of each other, so the loss of a link is that of its
own copy pairs; their law is written down here again and enumerated over all
patterns. The whole program is enumerated for smaller cases in ``test_certificate_exact``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import exp, inf

import networkx as nx
import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.chance.copies import draw_copies
from pathveil.model.certificate import Loss
from tests.laws.test_certificate_exact import all_walks, connected, largest_ratio, same
from tests.strategies import link_losses

Pattern = frozenset[tuple[int, int]]
Law = dict[Pattern, Fraction | float]


def cases() -> Iterator[tuple[Network, Walk]]:
    for size in (2, 3, 4, 5):
        for network in connected(size):
            for walk in all_walks(network, 4 if size == 5 else 5):
                yield network, walk


def uses(walk: Walk) -> Counter[tuple[str, str]]:
    return Counter((u, v) if u <= v else (v, u) for u, v in walk.steps)


def copy_pairs(copies: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(copies) for j in range(copies)]


@cache
def independent(copies: int, on: Fraction | float) -> Law:
    """Every copy pair has a coin of its own."""
    pairs = copy_pairs(copies)
    law: Law = {}
    for size in range(len(pairs) + 1):
        for chosen in combinations(pairs, size):
            weight = on**size * (1 - on) ** (len(pairs) - size)
            if weight:
                law[frozenset(chosen)] = weight
    return law


@cache
def together(copies: int, most: int, *, with_none: bool) -> Law:
    """One draw for all copy pairs: uniform over what up to ``most`` uses of a link can show."""
    pairs = copy_pairs(copies)
    patterns = [frozenset[tuple[int, int]]()] if with_none else []
    for size in range(1, most + 1):
        for chosen in combinations(pairs, size):
            shown: nx.Graph[tuple[str, int]] = nx.Graph((("u", i), ("v", j)) for i, j in chosen)
            if max(dict(shown.degree).values()) <= 2 and nx.is_forest(shown):
                patterns.append(frozenset(chosen))
    return {pattern: Fraction(1, len(patterns)) for pattern in patterns}


@cache
def absent_law(policy: Policy, copies: int) -> Law:
    if policy.link_uses is not None:
        return together(copies, policy.link_uses, with_none=policy.kind.name == "balanced")
    if policy.kind.name == "sealed":
        return {} if copies > 1 else independent(1, Fraction(1))
    given = dict(policy.terms().parameters)
    if "walk_loss" in given:
        return independent(copies, exp(-Fraction(given["walk_loss"])))
    return independent(copies, Fraction(1, 2))


@cache
def agrees(presence: Loss, absence: Loss, policy: Policy, shown: Pattern) -> bool:
    assert policy.copies is not None
    law = absent_law(policy, policy.copies)
    link: Law = {shown: Fraction(1)}
    there = largest_ratio(link, law)
    return same(there, presence) and (there == inf or same(largest_ratio(law, link), absence))


POLICIES: dict[str, Callable[[int, int], Policy]] = {
    "balanced": lambda need, _: Policy.balanced(copies=need),
    "balanced, joint": lambda need, most: Policy.balanced(copies=max(need, 2), link_uses=most),
    "sealed, joint": lambda need, most: Policy.sealed(copies=max(need, 2), link_uses=most),
    "frontier": lambda need, _: Policy.frontier(walk_loss="1/2", copies=need),
}


@pytest.mark.parametrize("name", POLICIES)
def test_every_small_walk_costs_what_the_custodian_is_told(name: str) -> None:
    walks = revisiting = 0
    policy_of = cache(POLICIES[name])
    for network, walk in cases():
        used = uses(walk)
        need, most = max(walk.visits.values()), max(used.values())
        if need > 3 or (need == 3 and "joint" in name):
            continue  # 16 copy pairs and more have too many patterns to list
        policy = policy_of(need, most)
        lifted = draw_copies(network, walk, policy, Seeded(1))
        steps = {frozenset(step) for step in zip(lifted.visits, lifted.visits[1:], strict=False)}
        told = link_losses(network, walk, policy, lifted.positions)
        for link, count, presence, absence in told:
            first, second = (lifted.positions.copies_of(end) for end in link)
            shown = frozenset(
                (i, j)
                for (i, a), (j, b) in product(enumerate(first), enumerate(second))
                if frozenset((a, b)) in steps
            )
            assert len(shown) == used[link] == count
            if not shown and name == "sealed, joint":
                assert presence.is_infinite  # other links are bare
                continue
            assert agrees(presence, absence, policy, shown), (network.links, walk.vertices)
        walks += 1
        revisiting += not walk.is_simple
    assert walks > 1000
    assert revisiting > 300
