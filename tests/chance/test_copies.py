from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from pathveil import Grouping, Network, Policy, Seeded, Walk
from pathveil.chance.copies import copy_mechanism, draw_copies, vertex_quality
from pathveil.errors import BadGrouping, NeedsMoreCopies, NotAWalk

NETWORK = Network.parse("ab bc ca cd")


def test_the_paper_draws_from_the_visits_upwards() -> None:
    policy = Policy.paper(vertex="0.5", link=1)
    seen = set()
    for seed in range(60):
        lifted = draw_copies(NETWORK, Walk("abcab"), policy, Seeded(seed))
        counts = dict(zip(lifted.positions.vertices, lifted.positions.counts, strict=True))
        assert counts["a"] == counts["b"] == 2
        seen.add((counts["c"], counts["d"]))
        assert [lifted.positions.label(p)[1] for p in lifted.visits] == [0, 0, 0, 1, 1]
    assert seen == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_without_a_budget_there_are_no_fakes() -> None:
    lifted = draw_copies(NETWORK, Walk("abca"), Policy.paper(vertex=None, link=1), Seeded(1))
    assert lifted.positions.counts == (2, 1, 1, 1)
    assert repr(lifted) == "<LiftedWalk: 4 visits>"


def test_degree_cancels() -> None:
    laws = {
        copy_mechanism(1, 3, degree, largest_degree=9, budget=Fraction(1)).law()[0].digits(60)
        for degree in (1, 4, 9)
    }
    assert len(laws) == 1


def test_a_copy_more_is_rarer_by_half_the_budget() -> None:
    """The exponential mechanism of a quality of sensitivity one."""
    law = [float(p) for p in copy_mechanism(1, 3, 2, largest_degree=9, budget=Fraction(3)).law()]
    assert [law[0] / law[1], law[1] / law[2]] == pytest.approx([exp(1.5)] * 2)


def test_a_walk_that_needs_more_is_told_how_many() -> None:
    with pytest.raises(NeedsMoreCopies, match="copies=2 or more") as one:
        draw_copies(NETWORK, Walk("abca"), Policy.balanced(), Seeded(1))
    assert one.value.needed == 2
    with pytest.raises(NeedsMoreCopies, match="link_uses=3 or more") as other:
        draw_copies(NETWORK, Walk("abab"), Policy.balanced(copies=2, link_uses=1), Seeded(1))
    assert other.value.needed == 3
    with pytest.raises(NeedsMoreCopies, match="other than two-sided"):
        draw_copies(NETWORK, Walk("aba"), Policy.two_sided(epsilon=1, copies=2), Seeded(1))
    draw_copies(NETWORK, Walk("abab"), Policy.balanced(copies=2, link_uses=3), Seeded(1))


def test_a_promise_to_span_is_kept() -> None:
    policy = Policy.two_sided(epsilon=1, spanning=True)
    draw_copies(NETWORK, Walk("abcd"), policy, Seeded(1))
    with pytest.raises(NotAWalk, match="3 visits to 3 of 4 vertices"):
        draw_copies(NETWORK, Walk("abc"), policy, Seeded(1))


def test_turning_the_walk_round_hands_out_the_same_copies() -> None:
    for copies in (2, 3):
        policy = Policy.balanced(copies=copies)
        there = draw_copies(NETWORK, Walk("abca"), policy, Seeded(5))
        back = draw_copies(NETWORK, Walk("acba"), policy, Seeded(5))
        assert there.visits == back.visits[::-1]
        assert there.direction is not back.direction
        names = [there.positions.label(place)[0] for place in there.visits]
        assert names == ["a", "b", "c", "a"]


def test_the_papers_quality_falls_with_copies_and_degree() -> None:
    """Equation 1: max n - n + max d - d."""
    assert vertex_quality(1, 3, most=4, largest_degree=5) == (4 - 1) + (5 - 3)
    assert vertex_quality(4, 5, most=4, largest_degree=5) == 0


GROUPING = Grouping.of([["a"], ["b"], ["c"], ["d"]])


@pytest.mark.parametrize("copies", [1, 3])
def test_over_classes_too_turning_round_hands_out_the_same_copies(copies: int) -> None:
    policy = Policy.balanced(copies=copies)
    there = draw_copies(NETWORK, Walk("abcd"), policy, Seeded(5), grouping=GROUPING)
    back = draw_copies(NETWORK, Walk("dcba"), policy, Seeded(5), grouping=GROUPING)
    assert [visit // copies for visit in there.visits] == [0, 1, 2, 3]
    assert there.visits == back.visits[::-1]
    assert there.direction is True
    assert back.direction is False


def test_a_walk_that_is_its_own_reverse_gets_a_coin_for_its_direction() -> None:
    policy = Policy.balanced(copies=2)
    drawn = [
        draw_copies(NETWORK, Walk("cbabc"), policy, Seeded(seed), grouping=GROUPING)
        for seed in range(40)
    ]
    assert {lifted.direction for lifted in drawn} == {True, False}
    for lifted in drawn:
        assert [visit // 2 for visit in lifted.visits] == [2, 1, 0, 1, 2]
        assert len(set(lifted.visits)) == 5, "each visit has a copy of its own"
    assert len({lifted.visits for lifted in drawn}) == 8, "any copy first, of each of three"


def test_the_papers_copies_tell_members_of_a_class_apart() -> None:
    with pytest.raises(BadGrouping, match="tells the members of a class apart"):
        draw_copies(
            NETWORK, Walk("ab"), Policy.paper(vertex=1, link=1), Seeded(1), grouping=GROUPING
        )


def test_over_a_grouping_too_a_vertex_has_so_many_copies_and_no_more() -> None:
    with pytest.raises(NeedsMoreCopies, match="copies=2 or more"):
        draw_copies(NETWORK, Walk("abca"), Policy.balanced(), Seeded(1), grouping=GROUPING)
