"""Which way a supposed walk runs, and what of it an adversary may use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.direction_likelihood import Course

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
