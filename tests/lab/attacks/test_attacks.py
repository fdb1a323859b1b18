"""Each attack breaks what it was made to break, and its placebo does not."""

from __future__ import annotations

import numpy as np
import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.chance.copies import draw_copies
from pathveil.lab.attacks.known_answers import (
    Case,
    copy_counting,
    fragment_ends,
    repetition,
    steady_pairs,
)
from pathveil.model.positions import Positions
from tests.attacks.maps import bits_of, cases, random_map


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
    assert outcome.found.holds(outcome.control.value)


def test_a_case_without_joins_is_passed_over() -> None:
    """An edge off the walk misses: there is no join to guess."""
    network = Network.parse("ab bc cd ad")
    release = publish(network, Walk("abcd"), source=Seeded(1))
    odd = Case(release, Knowledge(network.without(("a", "d"))), ("a", "d"))
    usual = Case(release, Knowledge(network.without(("b", "c"))), ("b", "c"))
    assert fragment_ends([odd, usual], source=Seeded(1)).found.trials == 1


@pytest.mark.parametrize(("releases", "least", "most"), [(2, 0.0, 0.1), (10, 0.8, 1.0)])
def test_repetition_needs_about_ten_releases(releases: int, least: float, most: float) -> None:
    random = np.random.default_rng(1)
    batches = []
    for number in range(60):
        network, walk = random_map(random, 10, 13)
        drawn = [
            bits_of(network, walk, Policy.balanced(), Seeded(f"{number} {again}"))
            for again in range(releases)
        ]
        batches.append((network, drawn))
    outcome = repetition(batches, source=Seeded(2))
    assert least <= outcome.found.value <= most
    assert outcome.control.successes == outcome.placebo.successes == 0


def test_memoised_coins_tell_nothing_again() -> None:
    network, walk = random_map(np.random.default_rng(1), 8, 13)
    same = [bits_of(network, walk, Policy.balanced(), Seeded("memoised")) for _ in range(10)]
    assert len(steady_pairs(same)) == 28


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
    outcome = copy_counting(revisiting(Policy.paper(vertex=1, link=1)), source=Seeded(1))
    assert outcome.found.value == 1.0
    assert outcome.beats_control
    assert outcome.sound


def test_a_public_number_of_copies_tells_nothing() -> None:
    outcome = copy_counting(revisiting(Policy.balanced(copies=4)), source=Seeded(1))
    assert not outcome.beats_control
