from __future__ import annotations

import numpy as np
import pytest

from pathveil.errors import BadBudget, BadNetwork, NotAWalk
from pathveil.lab.baselines.baseline_release import (
    Instance,
    distance_kernel,
    network_kernel,
    require_epsilon,
    scene_of,
)
from pathveil.lab.comparison.systems import SYSTEMS
from pathveil.model.network import Network
from pathveil.model.walk import Walk


def test_an_instance_hides_its_walk(instance: Instance) -> None:
    assert repr(instance) == "<Instance: 6 vertices, 6 visits>"
    assert "cd" not in repr(instance.scene)


@pytest.mark.parametrize("positions", [None, {"a": (0.0, 0.0)}, {"a": (0, 0), "b": (0, np.nan)}])
def test_positions_must_be_there(positions: dict[str, tuple[float, float]] | None) -> None:
    network = Network.parse("ab")
    with pytest.raises(BadNetwork, match="position"):
        scene_of(Network(network.vertices, network.pairs, positions))


def test_bad_numbers_and_walks_are_refused(instance: Instance) -> None:
    with pytest.raises(BadBudget, match="reach"):
        Instance.of(instance.network, instance.walk, reach=0.0)
    with pytest.raises(NotAWalk):
        Instance.of(instance.network, Walk("ac"))
    for epsilon in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(BadBudget, match="epsilon"):
            require_epsilon(epsilon)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_release_depends_on_its_seed_and_on_no_secret_edge(name: str, instance: Instance) -> None:
    """With the same public scene, the map behind it may have any edges at all."""
    vertices = instance.network.vertices
    first, second = np.triu_indices(len(vertices), k=1)
    complete = Network(vertices, np.column_stack([first, second]), instance.network.coordinates)
    other = Instance(complete, instance.walk, instance.scene)
    mechanism = SYSTEMS[name].make(1.5)
    here, again, there, another = (
        repr(mechanism.publish(secret, np.random.default_rng(seed)))
        for secret, seed in ((instance, 3), (instance, 3), (other, 3), (instance, 4))
    )
    assert here == again == there != another


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_walk_of_two_visits_and_a_closed_walk_can_be_published(name: str) -> None:
    network = Network.from_links(
        [("a", "b"), ("b", "c"), ("a", "c")],
        coordinates={"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (0.0, 1.0)},
    )
    for text in ("ab", "abca", "abab"):
        instance = Instance.of(network, Walk(text), known=network.without(("a", "b")))
        release = SYSTEMS[name].make(2.0).publish(instance, np.random.default_rng(1))
        assert np.isfinite(release.points).all()


def test_kernels_are_markov_and_never_stay(instance: Instance) -> None:
    for matrix in (distance_kernel(instance.scene), network_kernel(instance.network)):
        assert np.allclose(matrix.sum(axis=1), 1)
        assert not matrix.diagonal().any()
