"""Files under different terms, laid side by side: an outsider takes all he finds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, group, publish
from pathveil.attacks.series.observed_pairs import MixedLaw, Stretch, pattern_chances
from pathveil.attacks.series.outsider import counting_outsider, judge, usage_chances
from pathveil.attacks.series.pile_attack import chaff_law
from pathveil.attacks.series.release_pile import Collection, collect
from pathveil.chance.urn import Urn
from tests.attacks.series.test_series_outsider import walk_on
from tests.grouping.test_colouring import random_network

SMALL = random_network(20, 32, 1)
RARE = Policy.frontier(walk_loss=1)


def laid(files: list[Publication], most: int | None = None) -> Collection:
    found = collect(files, most=most)
    assert found is not None
    return found


def released(policies: list[Policy], network: Network = SMALL) -> tuple[list[Walk], Collection]:
    random = np.random.default_rng(3)
    walks = [
        Walk([network.vertices[i] for i in walk_on(network, random)]) for _ in range(len(policies))
    ]
    files = [
        publish(network, walk, policy=policy, source=Seeded(f"mixed {number}"))
        for number, (walk, policy) in enumerate(zip(walks, policies, strict=True))
    ]
    return walks, laid(files)


def test_one_law_needs_no_stretches() -> None:
    _, found = released([Policy.balanced()] * 3)
    assert found.law == Fraction(1, 2)
    assert (found.kept, found.left_out) == ((0, 1, 2), 0)


def test_two_stretches_of_one_rate_say_what_one_law_says() -> None:
    _, found = released([Policy.balanced()] * 6)
    seen = found.sightings
    parts = [[0, 2, 4], [1, 3, 5]]
    halves = MixedLaw(tuple(Stretch(Fraction(1, 2), 3, seen.shown_in(part)) for part in parts))
    assert np.array_equal(sum(part.shown for part in halves.stretches), seen.shown)
    assert np.allclose(seen.chaff(halves), seen.chaff(Fraction(1, 2)))
    assert np.allclose(usage_chances(seen, halves, 32), usage_chances(seen, Fraction(1, 2), 32))


def test_an_outsider_reads_what_was_split_over_two_policies() -> None:
    # Thirty fair releases and thirty rarer ones: neither half alone, but all of them.
    walks, found = released([Policy.balanced(), RARE] * 30)
    assert isinstance(found.law, MixedLaw)
    assert [part.releases for part in found.law.stretches] == [30, 30]
    reading = counting_outsider(found.sightings, found.law, 32)
    numbered = [[SMALL.index(name) for name in walk] for walk in walks]
    judged = judge(reading, found.sightings, SMALL.pairs, numbered)
    assert judged.links_found >= 28
    assert judged.walks_read > 20


def test_a_vertex_that_came_later_is_no_evidence_in_files_before_it() -> None:
    before = Network.parse("ab bc cd")
    after = Network.parse("ab bc cd de")
    files = [
        publish(before, Walk("abc"), source=Seeded(1)),
        publish(after, Walk("cde"), source=Seeded(2)),
    ]
    found = laid(files)
    assert found.sightings.positions.vertices == tuple("abcde")
    assert isinstance(found.law, MixedLaw)
    chances = found.sightings.chaff(found.law)
    index = found.sightings.index
    new, old = chances[index[3, 4]], chances[index[0, 1]]
    assert (new, old) == (pytest.approx(np.log(1 / 2)), pytest.approx(np.log(1 / 4)))


def test_files_over_classes_or_other_copies_are_counted_as_left_out() -> None:
    groups = group(SMALL, classes=12, source=Seeded(1))
    walk = Walk(SMALL.links[0])
    files: list[Publication] = [
        publish(SMALL, walk, grouping=groups, source=Seeded(1)),
        publish(SMALL, walk, policy=Policy.balanced(copies=2), source=Seeded(2)),
        publish(SMALL, walk, source=Seeded(3)),
    ]
    found = laid(files)
    assert (found.kept, found.left_out) == ((2,), 2)


def test_bounded_effort_never_leaves_out_the_newest() -> None:
    files = [publish(SMALL, Walk(SMALL.links[k]), source=Seeded(k)) for k in range(6)]
    found = laid(files, most=3)
    assert (found.kept, found.left_out) == ((0, 1, 5), 3)


def test_the_law_of_chaff_is_that_of_the_policy() -> None:
    assert chaff_law(Policy.sealed()) == 1
    assert isinstance(chaff_law(Policy.remembering()), Urn)
    assert pattern_chances(1, chaff_law(Policy.sealed()))[0] == -np.inf


def test_a_file_that_lists_no_pairs_is_laid_beside_nothing() -> None:
    sketch = publish(SMALL, Walk(SMALL.links[0]), form="sketch", capacity=64, source=Seeded(1))
    assert collect([sketch]) is None
    listed = sketch.among(SMALL.vertices)
    assert laid([listed]).law == Fraction(1, 2)
