"""Named links: what is stated against someone who holds the files and counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import log
from random import Random

import numpy as np
import pytest

from pathveil.attacks.series.observed_pairs import Sightings
from pathveil.chance.source import Seeded
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.planning.capacity import ExpectedSeries
from pathveil.planning.cover import Coins, CountedRelease, Life, Urns, cover
from pathveil.planning.gate import law_of
from pathveil.planning.named_links import chaff_counts, named_links
from pathveil.policies import Policy
from pathveil.publishing.release import publish

FAIR, FRONTIER, SERIES = "balanced", "frontier:walk_loss=1/2", "remembering:usage=0.5"
DRAWS = 40


def network_of(size: int, others: int) -> Network:
    """Return a line, and some links besides."""
    names = [f"v{i:02}" for i in range(size)]
    pairs = [pair for pair in combinations(names, 2) if pair not in {*pairwise(names)}]
    return Network.from_links([*pairwise(names), *Random(size).sample(pairs, others)])


LINE, MESH = network_of(30, 2), network_of(40, 30)


def walks_along(network: Network, length: int, count: int) -> list[Walk]:
    """Return walks along the line, each begun a little later."""
    names, step = sorted(network.vertices), 1 if length > 20 else 3
    return [Walk(names[step * k : step * k + length + 1]) for k in range(count)]


def stated(network: Network, walks: Sequence[Walk], policies: Sequence[str]) -> float:
    """Return how many links outsiders name, as the gate counts it."""
    laws = [law_of(Policy.parse(policy)) for policy in policies]
    releases = zip(walks, laws, strict=True)
    named = cover(Life(tuple(CountedRelease(network, (one,), law) for one, law in releases))).named
    assert named is not None
    return named


def measured(network: Network, walks: Sequence[Walk], policies: Sequence[str]) -> float:
    """Return how many links an outsider names on average, from real files.

    He names as many pairs as there are links. No ranking by counts is better than his: he was told
    which share of the pairs are links that a number of files show on a walk.
    """
    links, rows = len(network.links), []
    is_link = np.zeros(0, dtype=bool)
    for draw in range(DRAWS):
        files: list[Publication] = []
        for day, (walk, text) in enumerate(zip(walks, policies, strict=True)):
            policy = Policy.parse(text)
            after = files if policy.kind.urn is not None else []
            source = Seeded(f"{draw} {day}")
            files.append(publish(network, walk, policy=policy, after=after, source=source))
        seen = Sightings.of(files[0].positions, [file.packed.pairs for file in files])
        # These walks never show a link by two pairs of copies at once.
        rows.append(np.where(np.diff(seen.starts) == seen.shown, seen.shown, len(walks) + 1))
        is_link = np.array(
            [network.has_edge(*(network.vertices[k] for k in p)) for p in seen.pairs]
        )
    every = np.bincount(np.concatenate(rows), minlength=len(walks) + 2)
    share = np.bincount(rows[0][is_link], minlength=len(every)) / np.maximum(every, 1)
    random = np.random.default_rng(0)
    ranked = [np.lexsort((random.random(len(row)), -share[row]))[:links] for row in rows]
    return float(np.mean([is_link[named].sum() for named in ranked]))


@pytest.mark.parametrize(
    ("network", "length", "policies"),
    [
        (MESH, 1, [FAIR]),
        (MESH, 1, [FAIR] * 6),
        (MESH, 5, [FAIR] * 4),
        (MESH, 5, [FRONTIER] * 3),
        (MESH, 5, [FRONTIER, FAIR, FAIR]),
        (MESH, 5, ["remembering:usage=0.15"] * 5),
        (MESH, 5, [SERIES] * 5),
        (MESH, 5, ["balanced:copies=2"]),
        (LINE, 12, [FAIR] * 4),
        (LINE, 27, [FAIR]),
        (LINE, 27, [FAIR] * 3),
        (LINE, 27, [SERIES] * 3),
        (LINE, 27, [FRONTIER] * 3),
    ],
)
def test_it_is_what_someone_names_who_counts(
    network: Network, length: int, policies: list[str]
) -> None:
    walks = walks_along(network, length, len(policies))
    found = measured(network, walks, policies)
    assert stated(network, walks, policies) == pytest.approx(found, rel=0.1)


def test_long_walks_are_told_by_the_pairs_that_most_files_show() -> None:
    network = Network.from_links(pairwise(f"v{i:02}" for i in range(30)))
    every = Walk(sorted(network.vertices))  # one file shows each link, and half of the others
    assert stated(network, [every], [FAIR]) == pytest.approx(29 * 29 / (29 + 406 / 2))


def test_someone_whom_counts_tell_nothing_is_right_by_luck() -> None:
    links = np.array([0, 9, 0])  # each is on one of two walks: he begins at the wrong ends
    assert named_links(links, chaff_counts(2, 1, 1), 45) == pytest.approx(9 * 9 / 45)


def test_sealed_tells_all_links_that_no_walk_uses() -> None:
    used, others = 5, len(MESH.links) - 5
    left = len(MESH) * (len(MESH) - 1) / 2 - others
    expected = others + used * used / left
    assert stated(MESH, walks_along(MESH, 5, 1), ["sealed"]) == pytest.approx(expected)


def test_losses_that_are_bounds_name_no_number() -> None:
    release = CountedRelease(
        LINE, (walks_along(LINE, 5, 1)[0],), law_of(Policy.two_sided(epsilon=3))
    )
    assert cover(Life((release,))).named is None


@pytest.mark.parametrize("law", [Coins(log(2), log(2)), Urns(4.0, 36.0)])
@pytest.mark.parametrize("walks", [1, 8, 100_000])
def test_chances_add_up_however_many_files(law: Coins | Urns, walks: int) -> None:
    counts = law.counts(walks)
    assert counts.sum() == pytest.approx(1)
    rate = 0.5 if isinstance(law, Coins) else 0.1
    assert counts @ np.arange(walks + 1) == pytest.approx(walks * rate, rel=1e-6)


def test_the_plan_and_the_gate_state_the_same() -> None:
    expected = ExpectedSeries(LINE, 27)
    law = law_of(Policy.balanced())
    for walks in (1, 3):
        new = [CountedRelease(LINE, (one,), law) for one in expected.walks(walks)]
        by_gate = cover(Life(tuple(new))).named
        assert expected.typical(law, walks).named == pytest.approx(by_gate, rel=0.1)
