"""Which way a supposed walk runs, and how likely its copies are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.direction_likelihood import Course, Handout
from pathveil.chance.copies import draw_copies
from pathveil.model.positions import Positions

NETWORK = Network.parse("ab bc cd bd ac")
WAY = (0, 1, 2, 3)


def course(knowledge: Knowledge, *, told: bool | None = None) -> Course:
    released = publish(NETWORK, Walk("abcd"), source=Seeded(1))
    return replace(Course.of(released, knowledge, Policy.balanced()), told=told)


def test_without_a_word_both_directions_weigh_alike() -> None:
    free = course(Knowledge(NETWORK))
    assert free.before(WAY) == free.after(WAY) == free.before(WAY[::-1]) > 0


@pytest.mark.parametrize("told", [True, False])
def test_the_direction_bit_leaves_one_of_two(told: bool) -> None:  # noqa: FBT001
    """It says of any walk which end sorts first, so it halves every weight and favours none."""
    free, bit = course(Knowledge(NETWORK)), course(Knowledge(NETWORK), told=told)
    assert bit.after(WAY) == free.after(WAY) / 2
    assert bit.before(WAY) == free.before(WAY), "what is known before has no bit yet"


def test_a_known_end_excludes_walks_that_lack_it_and_directions_that_contradict_the_bit() -> None:
    ends = course(Knowledge(NETWORK, first="a"), told=True)
    assert ends.known(WAY)
    assert not ends.known(WAY[::-1])
    assert ends.before(WAY) == ends.after(WAY) > 0
    assert ends.before((1, 0, 2)) == 0
    other = course(Knowledge(NETWORK, first="d"), told=True)
    assert other.before(WAY) > 0
    assert other.after(WAY) == 0, "the bit says that a comes before d"


def test_known_steps_have_a_direction() -> None:
    stepped = course(Knowledge(NETWORK, steps=[("c", "b")]))
    assert stepped.known(WAY[::-1])
    assert not stepped.known(WAY)
    assert stepped.before((0, 2, 3)) == 0


def test_between_classes_a_walk_that_reads_alike_both_ways_gets_a_coin() -> None:
    """Over a grouping the sequence of classes is compared, not the names at the ends."""
    same = replace(course(Knowledge(NETWORK), told=True), classes=(0, 1, 1, 0))
    free = course(Knowledge(NETWORK))
    assert same.after(WAY) == free.after(WAY) / 2, "half for each direction"
    apart = replace(same, classes=(0, 1, 2, 3))
    assert apart.after(WAY) == free.after(WAY) / 2, "one direction, in full"
    assert apart._telling(WAY) == 1
    assert apart._telling(WAY[::-1]) == 0
    assert same._telling(WAY) == same._telling(WAY[::-1]) == 0.5


def test_a_drawing_in_walk_order_is_used_only_if_it_may_be() -> None:
    drawn = publish(NETWORK, Walk("abcd"), layering="backtracking", source=Seeded(2))
    policy, knowledge = Policy.balanced(), Knowledge(NETWORK)
    assert Course.of(drawn, knowledge, policy).drawn is not None
    assert Course.of(drawn, knowledge, policy, layout=False).drawn is None
    assert Course.of(drawn, knowledge, policy).after(WAY) > 0, "the true walk draws it"


LINE = Network.parse("ab bc")


def test_public_copies_are_alike() -> None:
    policy, walk = Policy.balanced(copies=2), Walk("aba")
    drawn = Counter(draw_copies(LINE, walk, policy, Seeded(s)).visits for s in range(400))
    positions = Positions.uniform(LINE.vertices, 2)
    handout = Handout.of(policy, positions)
    assert {handout.weight(visits) for visits in drawn} == {1 / 4}
    assert len(drawn) == 4
    assert handout.weight((0, 2)) == 1 / 4
    assert Handout.of(policy, positions).weight((0, 2, 4)) == 1 / 8


def test_single_copies_say_nothing() -> None:
    positions = Positions.uniform(LINE.vertices, 1)
    assert Handout.of(Policy.paper(vertex=1, link=1), positions).weight((0, 1)) == 1.0


def test_the_paper_hands_out_in_order() -> None:
    positions = Positions(LINE.vertices, (2, 1, 1))
    handout = Handout.of(Policy.paper(vertex=None, link=1), positions)
    assert handout.weight((0, 2, 1)) == 1.0
    assert handout.weight((1, 2, 0)) == 0.0  # only backwards it is in order
    assert handout.weight((2, 0)) == 0.0  # two copies, but one visit and no fakes


def test_the_papers_numbers_have_their_law() -> None:
    policy, walk = Policy.paper(vertex=1, link=1), Walk("abc")
    drawn = Counter(
        draw_copies(LINE, walk, policy, Seeded(s)).positions.counts for s in range(3000)
    )
    for counts, times in drawn.items():
        positions = Positions(LINE.vertices, counts)
        visits = [positions.index(name, 0) for name in walk]
        weight = Handout.of(policy, positions).weight(tuple(visits))
        if max(counts) > 1:
            assert times / 3000 == pytest.approx(weight, abs=0.03)
    over = Positions(LINE.vertices, (3, 1, 1))
    assert Handout.of(policy, over).weight((0, 3, 4)) == 0.0
