from __future__ import annotations

import numpy as np
import pytest

from pathveil.errors import BadBudget
from pathveil.lab.baselines.mobility import distance_kernel, network_kernel, simulated_walks
from pathveil.lab.baselines.release import Instance
from pathveil.model.network import Network


def test_kernels_are_markov_and_never_stay(instance: Instance) -> None:
    for matrix in (distance_kernel(instance.scene), network_kernel(instance.network)):
        assert np.allclose(matrix.sum(axis=1), 1)
        assert not matrix.diagonal().any()


def test_a_vertex_without_public_edges_goes_anywhere() -> None:
    torn = Network.parse("ab bc").without(("a", "b"))
    assert network_kernel(torn)[0].tolist() == [0.0, 0.5, 0.5]


def test_simulated_walks_use_public_edges_only() -> None:
    network = Network.parse("ab bc cd")
    walk = simulated_walks(network_kernel(network), 200, 1, np.random.default_rng(0))[0]
    steps = {(min(u, v), max(u, v)) for u, v in zip(walk[1:], walk[:-1], strict=True)}
    assert steps == {(0, 1), (1, 2), (2, 3)}


def test_width_must_be_positive(instance: Instance) -> None:
    with pytest.raises(BadBudget, match="width"):
        distance_kernel(instance.scene, width=0.0)
