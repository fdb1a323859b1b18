"""Chaff between far places is seen through, unless chaff comes from a plausible universe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import dist

import numpy as np
import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.lab.attacks.known_answers import Case, plausibility
from tests.attacks.maps import plane_map


def plane_cases(count: int) -> Iterator[Case]:
    random = np.random.default_rng(3)
    for number in range(count):
        network, walk = plane_map(random, 9, 1.4)
        truth = walk.steps[1 + int(random.integers(6))]
        release = publish(network, walk, policy=Policy.sealed(), source=Seeded(number))
        yield Case(release, Knowledge(network.without(truth)), truth)


def test_the_nearest_join_is_the_edge() -> None:
    outcome = plausibility(plane_cases(80), source=Seeded(1))
    assert outcome.found.value > 0.95
    assert outcome.beats_control
    assert outcome.sound


def test_coordinates_are_needed() -> None:
    network = Network.parse("ab bc cd")
    release = publish(network, Walk("abcd"), source=Seeded(1))
    case = Case(release, Knowledge(network.without(("b", "c"))), ("b", "c"))
    with pytest.raises(ValueError, match="no coordinates"):
        plausibility([case], source=Seeded(1))


def seen_through(
    places: Mapping[str, tuple[float, float]],
    known: Iterable[tuple[str, str]],
    claimed: Iterable[tuple[str, str]],
) -> list[tuple[str, str]]:
    """Return the pairs that are longer than every known edge: chaff, to anyone with a map."""
    longest = max(dist(places[u], places[v]) for u, v in known)
    return [(u, v) for u, v in claimed if dist(places[u], places[v]) > longest]


def test_a_universe_leaves_no_chaff_to_see_through() -> None:
    random = np.random.default_rng(3)
    network, _ = plane_map(random, 9, 1.4)
    places = network.coordinates
    assert places is not None
    every = [(a, b) for a in places for b in places if a < b and not network.has_edge(a, b)]
    far = seen_through(places, network.links, every)
    assert len(far) > len(every) / 2
    universe = [pair for pair in every if pair not in far]
    assert seen_through(places, network.links, universe) == []
