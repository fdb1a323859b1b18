from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from pathveil import Grouping, Network, Policy, Seeded, Walk
from pathveil.chance.copies import copy_mechanism, draw_copies, vertex_quality
from pathveil.errors import Incompatible, NeedsMoreCopies, NotAWalk

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


def test_a_copy_more_is_rarer_by_half_the_budget() -> None:
    """The exponential mechanism of a quality of sensitivity one."""
    law = [float(p) for p in copy_mechanism(1, 3, 2, largest_degree=9, budget=Fraction(3)).law()]
    assert [law[0] / law[1], law[1] / law[2]] == pytest.approx([exp(1.5)] * 2)


def test_a_walk_that_needs_more_is_told_how_many() -> None:
    with pytest.raises(NeedsMoreCopies) as one:
        draw_copies(NETWORK, Walk("abca"), Policy.balanced(), Seeded(1))
    assert one.value.needed == 2
    with pytest.raises(NeedsMoreCopies, match="link_uses=3 or more") as other:
        draw_copies(NETWORK, Walk("abab"), Policy.balanced(copies=2, link_uses=1), Seeded(1))
    assert other.value.needed == 3
    draw_copies(NETWORK, Walk("abab"), Policy.balanced(copies=2, link_uses=3), Seeded(1))


@pytest.mark.regression("a walk of 65 visits was told to take 65 copies, which no policy has")
def test_a_walk_that_no_copies_suffice_for_is_told_so() -> None:
    with pytest.raises(NeedsMoreCopies, match="at most 64 visits of one vertex"):
        draw_copies(NETWORK, Walk("ab" * 65), Policy.balanced(), Seeded(1))


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


GROUPING = Grouping.of(["aw", "bx", "cy", "dz"])


def test_over_classes_turning_round_changes_the_direction_alone() -> None:
    policy = Policy.balanced()
    there = draw_copies(NETWORK, Walk("abcd"), policy, Seeded(5), grouping=GROUPING)
    back = draw_copies(NETWORK, Walk("dcba"), policy, Seeded(5), grouping=GROUPING)
    assert there.visits == back.visits[::-1] == (0, 1, 2, 3)
    assert (there.direction, back.direction) == (True, False)


@pytest.mark.parametrize(
    ("walk", "said"), [("abca", "without its last link, or seal it"), ("abac", "one by one")]
)
def test_over_classes_no_vertex_is_visited_twice(walk: str, said: str) -> None:
    with pytest.raises(Incompatible, match=said):
        draw_copies(NETWORK, Walk(walk), Policy.balanced(), Seeded(1), grouping=GROUPING)


def test_a_walk_that_is_its_own_reverse_between_classes_gets_a_coin() -> None:
    grouping = Grouping.of(["ac", "bd"])
    drawn = {
        draw_copies(Network.parse("ab bc"), Walk("abc"), Policy.balanced(), Seeded(seed),
                    grouping=grouping).direction
        for seed in range(20)
    }  # fmt: skip
    assert drawn == {False, True}
