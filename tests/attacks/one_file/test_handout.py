"""Chances of handing copies to visits: frequencies of the real thing."""

from __future__ import annotations

from collections import Counter

import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.attacks.one_file.direction_likelihood import Handout
from pathveil.chance.copies import draw_copies
from pathveil.model.positions import Positions

NETWORK = Network.parse("ab bc")


def test_public_copies_are_alike() -> None:
    policy, walk = Policy.balanced(copies=2), Walk("aba")
    drawn = Counter(draw_copies(NETWORK, walk, policy, Seeded(s)).visits for s in range(400))
    positions = Positions.uniform(NETWORK.vertices, 2)
    handout = Handout.of(policy, positions)
    assert {handout.weight(visits) for visits in drawn} == {1 / 4}
    assert len(drawn) == 4
    assert handout.weight((0, 2)) == 1 / 4
    assert Handout.of(policy, positions).weight((0, 2, 4)) == 1 / 8


def test_single_copies_say_nothing() -> None:
    positions = Positions.uniform(NETWORK.vertices, 1)
    assert Handout.of(Policy.paper(vertex=1, link=1), positions).weight((0, 1)) == 1.0


def test_the_paper_hands_out_in_order() -> None:
    positions = Positions(NETWORK.vertices, (2, 1, 1))
    handout = Handout.of(Policy.paper(vertex=None, link=1), positions)
    assert handout.weight((0, 2, 1)) == 1.0
    assert handout.weight((1, 2, 0)) == 0.0  # only backwards it is in order
    assert handout.weight((2, 0)) == 0.0  # two copies, but one visit and no fakes


def test_the_papers_numbers_have_their_law() -> None:
    policy, walk = Policy.paper(vertex=1, link=1), Walk("abc")
    drawn = Counter(
        draw_copies(NETWORK, walk, policy, Seeded(s)).positions.counts for s in range(3000)
    )
    for counts, times in drawn.items():
        positions = Positions(NETWORK.vertices, counts)
        visits = [positions.index(name, 0) for name in walk]
        weight = Handout.of(policy, positions).weight(tuple(visits))
        if max(counts) > 1:
            assert times / 3000 == pytest.approx(weight, abs=0.03)
    over = Positions(NETWORK.vertices, (3, 1, 1))
    assert Handout.of(policy, over).weight((0, 3, 4)) == 0.0
