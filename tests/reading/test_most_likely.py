from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish, reconstruct
from pathveil.errors import SearchExhausted
from pathveil.lab.maps import random_map
from pathveil.reading import most_likely as likelihood
from pathveil.reading import most_likely as path_program
from pathveil.reading.most_likely import (
    LikelyPath,
    PathTask,
    most_likely_path,
    path_by_program,
    path_by_table,
)
from tests.reading.path_makers import best_by_trying, random_task


def noisy(network: Network, walk: Walk, seed: int, **terms: float | bool) -> Publication:
    policy = Policy.two_sided(epsilon=1, **terms)  # type: ignore[arg-type]
    return publish(network, walk, policy=policy, source=Seeded(seed))


def likeliest(publication: Publication, network: Network) -> LikelyPath:
    positions = publication.positions
    pairs = positions.lifted(network.pairs)
    shown = ~publication.bits.same_branch(positions, pairs)
    return most_likely_path(positions, pairs, shown, publication.policy)


def agreeing(publication: Publication, network: Network, visits: tuple[int, ...]) -> int:
    """Count again, link by link: how many show what the walk would make them show."""
    positions = publication.positions
    used = {frozenset(step) for step in pairwise(visits)}
    count = 0
    for u, v in network.links:
        block = [(i, j) for i in positions.copies_of(u) for j in positions.copies_of(v)]
        shown = {frozenset(p) for p in block if not publication.packed.pairs.same_branch(*p)}
        count += shown == used & {frozenset(p) for p in block}
    return count


@pytest.mark.parametrize("spanning", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_the_program_agrees_with_the_table(
    seed: int,
    spanning: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network, walk = random_map(10, 16, np.random.default_rng(seed))
    publication = noisy(network, walk, seed, spanning=spanning)
    table = likeliest(publication, network)
    monkeypatch.setattr(likelihood, "LARGEST_TABLE", 0)
    program = likeliest(publication, network)
    best = agreeing(publication, network, table.visits)
    assert (agreeing(publication, network, program.visits), program.gap) == (best, 0)


def test_a_search_cut_short_states_its_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    network, walk = random_map(60, 150, np.random.default_rng(1))
    publication = noisy(network, walk, 1)
    best = likeliest(publication, network)
    assert best.gap == 0
    monkeypatch.setattr(path_program, "ROUNDS", 1)
    hasty = likeliest(publication, network)
    assert hasty.gap > 0
    few, most = (agreeing(publication, network, path.visits) for path in (hasty, best))
    assert few <= most <= few + hasty.gap


@pytest.mark.parametrize("table", [0, 18])
def test_no_path_through_all_is_said(table: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood, "LARGEST_TABLE", table)
    publication = publish(
        Network.parse("ab bc cd"),
        Walk("abcd"),
        policy=Policy.two_sided(epsilon=1, spanning=True),
        source=Seeded(1),
    )
    with pytest.raises(SearchExhausted, match="no path through all"):
        likeliest(publication, Network.parse("ab ac ad"))


@pytest.mark.parametrize(
    ("epsilon", "expected"), [(1, 0.48), (2, 0.78), (3, 0.92), (4, 0.975)], ids=str
)
def test_exact_recovery_is_as_theory_says(epsilon: int, expected: float) -> None:
    """n = 12, |E| = 18, 300 maps here and 1000 in the report; far above the raw bits."""
    rng, runs, hits, raw = np.random.default_rng(epsilon), 300, 0, 0
    policy = Policy.two_sided(epsilon=epsilon, spanning=True)
    for seed in range(runs):
        network, walk = random_map(12, 18, rng)
        publication = publish(network, walk, policy=policy, source=Seeded(f"{epsilon} {seed}"))
        found = reconstruct(publication, network)
        hits += found.walk == walk
        truth = tuple(network.index(v) for v in walk)
        raw += agreeing(publication, network, truth) == len(network.links)
    assert abs(hits / runs - expected) < 0.09  # 0.05, and three standard errors of 300 runs
    assert hits / runs > raw / runs + 0.08


def test_the_direction_bit_tells_the_order() -> None:
    network, walk = random_map(8, 10, np.random.default_rng(3))
    policy = Policy.two_sided(epsilon=30, spanning=True)
    for way in (walk, walk.reversed()):
        found = reconstruct(publish(network, way, policy=policy, source=Seeded(2)), network)
        assert (found.walk, found.order, found.certain) == (way, "known", True)


def test_a_large_map_is_read_with_proof() -> None:
    network, walk = random_map(300, 600, np.random.default_rng(9))
    policy = Policy.two_sided(epsilon=8)
    found = reconstruct(publish(network, walk, policy=policy, source=Seeded(2)), network)
    assert found.walk == walk
    assert (found.gap, found.rivals, found.certain) == (0, None, False)


def score(task: PathTask, found: LikelyPath) -> int:
    return int(task.score[task.pairs_along(found.visits)].sum())


@pytest.mark.parametrize("spanning", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_it_finds_the_best_and_counts_who_is_as_good(seed: int, spanning: bool) -> None:  # noqa: FBT001
    task = random_task(seed, spanning=spanning)
    found = path_by_table(task)
    best, ways = best_by_trying(task)
    assert (score(task, found), found.gap, found.rivals) == (best, 0, ways - 1)
    assert found.visits[0] <= found.visits[-1]


@pytest.mark.parametrize("spanning", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_it_finds_the_best_and_proves_it(seed: int, spanning: bool) -> None:  # noqa: FBT001
    task = random_task(seed, spanning=spanning)
    found = path_by_program(task)
    assert (score(task, found), found.gap, found.rivals) == (best_by_trying(task)[0], 0, None)
    assert len(set(found.visits)) == len(found.visits)


def two_rings() -> PathTask:
    """Two rings of good pairs and a poor bridge: degrees alone would choose both rings."""
    rings = [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [2, 3]]
    return replace(
        random_task(0), pairs=np.array(rings), score=np.array([1, 1, 1, 1, 1, 1, -1], dtype=np.int8)
    )


def test_rings_are_cut_off() -> None:
    task = two_rings()
    found = path_by_program(task)
    assert (score(task, found), found.gap) == (best_by_trying(task)[0], 0)
    assert set(found.visits) == set(range(6))
