from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.lab.baselines.baseline_release import Instance, Mechanism, Release, log_likelihood
from pathveil.lab.baselines.dpt import DPT
from pathveil.lab.baselines.location_sets import LocationSets
from pathveil.lab.baselines.priste import PriSTE
from pathveil.lab.baselines.ptcs import PTCS
from pathveil.lab.baselines.reading import reading_chance, spanning_paths
from pathveil.lab.baselines.sdd import SDD
from pathveil.lab.maps import random_map
from pathveil.model.network import Network

LAWS: dict[str, Mechanism] = {
    "SDD": SDD(5.0),
    "SDD noisy ends": SDD(5.0, ends="noisy"),
    "PIM": LocationSets(3.0),
    "PIM with drift": LocationSets(3.0, delta=0.4),
    "PriSTE presence": PriSTE(0.5),
    "PriSTE edge": PriSTE(0.5, event="edge", alpha=5.0),
    "PTCS": PTCS(5.0),
    "PTCS expmech": PTCS(5.0, calibration="expmech", dedupe=False),
    "PTCS expmech, repeats collapsed": PTCS(5.0, calibration="expmech"),
}


def brute_force(
    release: Release, law: Mechanism, instance: Instance, walks: list[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """The walks of largest log-likelihood."""
    found = log_likelihood(law, release, instance.scene, np.array(walks))
    assert found is not None
    logs = found.tolist()
    top = max(logs)
    return [w for w, log in zip(walks, logs, strict=True) if log >= top - 1e-9 * max(1, abs(top))]


def steps_exist(network: Network, walk: tuple[int, ...]) -> bool:
    names = network.vertices
    return all(
        u != v and network.has_edge(names[u], names[v])
        for u, v in zip(walk, walk[1:], strict=False)  # noqa: RUF007
    )


@pytest.mark.parametrize("name", LAWS)
def test_the_likeliest_path_is_that_of_full_enumeration(name: str) -> None:
    """Every order of six vertices is tried; the truth's share of the ties agrees."""
    mechanism = LAWS[name]
    for seed in range(4):
        network, walk = random_map(6, 9 + seed, np.random.default_rng(seed))
        missing = min(walk.links)
        instance = Instance.of(network, walk, known=network.without(missing))
        release = mechanism.publish(instance, np.random.default_rng(seed))
        paths = [p for p in permutations(range(6)) if steps_exist(network, p)]
        winners = brute_force(release, mechanism, instance, paths)
        true = tuple(instance.indices.tolist())
        share = sum(w in {true, true[::-1]} for w in winners) / len(winners)
        chance = reading_chance(release, mechanism, instance.scene, network, instance.indices)
        assert chance == pytest.approx(share)


def test_what_has_no_law_is_not_read_rather_than_read_wrongly() -> None:
    network, walk = random_map(6, 9, np.random.default_rng(0))
    instance = Instance.of(network, walk, known=network.without(min(walk.links)))
    synthetic = DPT(1.0).publish(instance, np.random.default_rng(0))
    chance = reading_chance(synthetic, DPT(1.0), instance.scene, network, instance.indices)
    assert np.isnan(chance)


def test_too_many_paths_to_list_are_not_read() -> None:
    network, _ = random_map(7, 21, np.random.default_rng(0))
    assert spanning_paths(network, 5039) is None
    every = spanning_paths(network, 5040)
    assert every is not None
    assert len(np.unique(every, axis=0)) == 5040


@settings(deadline=None, max_examples=40)
@given(st.integers(3, 7), st.integers(0, 10**6))
def test_listed_paths_are_all_there_are(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = int(rng.integers(size - 1, size * (size - 1) // 2 + 1))
    network, _ = random_map(size, edges, rng)
    listed = spanning_paths(network)
    assert listed is not None
    want = {p for p in permutations(range(size)) if steps_exist(network, p)}
    assert {tuple(row) for row in listed.tolist()} == want
    assert len(listed) == len(want)
