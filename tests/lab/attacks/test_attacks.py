"""Each attack breaks what it was made to break, and its placebo does not."""

from __future__ import annotations

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.chance.copies import draw_copies
from pathveil.model.positions import Positions
from tests.attacks.known_answers import (
    Case,
    fragment_ends,
)
from tests.attacks.maps import cases


def test_fragment_ends_succeed_where_chaff_is_rare() -> None:
    outcome = fragment_ends(
        cases(150, Policy.paper(vertex=None, link=8), "exact"), source=Seeded(1)
    )
    assert outcome.beats_control
    assert outcome.sound
    assert outcome.found.value > 0.9


def test_fragment_ends_gain_nothing_from_a_sealed_release() -> None:
    outcome = fragment_ends(cases(150, Policy.sealed(), "exact"), source=Seeded(1))
    assert not outcome.beats_control
    assert outcome.found.low <= outcome.control.value <= outcome.found.high


def test_a_case_without_joins_is_passed_over() -> None:
    """An edge off the walk misses: there is no join to guess."""
    network = Network.parse("ab bc cd ad")
    release = publish(network, Walk("abcd"), source=Seeded(1))
    odd = Case(release, Knowledge(network.without(("a", "d"))), ("a", "d"))
    usual = Case(release, Knowledge(network.without(("b", "c"))), ("b", "c"))
    assert fragment_ends([odd, usual], source=Seeded(1)).trials == 1


def revisiting(policy: Policy) -> list[tuple[Positions, int]]:
    """Walks round a star: the hub is visited two to four times."""
    network = Network.from_links([("h", name) for name in "abcde"])
    drawn = []
    for number in range(60):
        walk = Walk("h".join("abcde"[: 3 + number % 3]))
        lifted = draw_copies(network, walk, policy, Seeded(f"star {number}"))
        drawn.append((lifted.positions, walk.visits["h"]))
    return drawn


def test_the_papers_copies_tell_the_most_visits() -> None:
    """Copies are drawn up to the most visits: a maximum above two is that number."""
    drawn = revisiting(Policy.paper(vertex=1, link=1))
    assert all(max(positions.counts) == most for positions, most in drawn)


def test_a_public_number_of_copies_tells_nothing() -> None:
    drawn = revisiting(Policy.balanced(copies=4))
    assert {positions.counts for positions, _ in drawn} == {(4,) * 6}
    assert len({most for _, most in drawn}) == 3
