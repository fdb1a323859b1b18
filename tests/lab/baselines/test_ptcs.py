from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from pathveil.lab.baselines.baseline_release import Instance, log_likelihood
from pathveil.lab.baselines.ptcs import PTCS, _collapsed, _runs, private_anchors
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from tests.lab.baselines.conftest import audit


def swapped(instance: Instance) -> Instance:
    """The neighbour whose third visit is elsewhere."""
    vertices = instance.network.vertices
    first, second = np.triu_indices(len(vertices), k=1)
    complete = Network(vertices, np.column_stack([first, second]), instance.network.coordinates)
    return Instance(complete, Walk("abfdef"), instance.scene)


def test_anchors_lie_in_the_box_and_near_the_places(instance: Instance) -> None:
    history = np.repeat(instance.points, 40, axis=0)
    rng = np.random.default_rng(0)
    anchors = private_anchors(history, instance.scene, epsilon=50.0, rng=rng)
    low, side = instance.scene.box
    assert (anchors >= low).all()
    assert (anchors <= low + side).all()
    assert len(anchors) == 6
    gaps = np.hypot(*(anchors[:, None] - instance.points[None]).transpose(2, 0, 1))
    assert gaps.min(axis=1).max() < side / 8


def test_anchors_pass_an_audit(instance: Instance) -> None:
    """One point of the history more: the event is that its cell becomes the only cluster."""
    corner = instance.points[:1]
    histories = (np.repeat(corner, 22, axis=0), np.repeat(corner, 21, axis=0))

    def heavy(place: int, spent: float) -> Callable[[int], bool]:
        def run(seed: int) -> bool:
            rng = np.random.default_rng(seed)
            anchors = private_anchors(
                histories[place], instance.scene, epsilon=spent, rng=rng, cells=2, dense=22.0
            )
            low, side = instance.scene.box
            return bool((np.abs(anchors - low - side / 2) > 1e-9).all())

        return run

    assert audit(heavy(0, 1.0), heavy(1, 1.0), 3000) <= 1.0
    assert audit(heavy(0, 12.0), heavy(1, 12.0), 3000) > 1.0  # the broken twin


def test_calibration_is_not_private(instance: Instance) -> None:
    """Two walks that differ in one place: one release has probability 1, then 0."""
    other, mechanism = swapped(instance), PTCS(20.0)
    here = mechanism.publish(instance, np.random.default_rng(3))
    there = mechanism.publish(other, np.random.default_rng(3))
    assert np.array_equal(here.meta["anchors"], there.meta["anchors"])
    assert not np.array_equal(here.points, there.points)
    logs = log_likelihood(
        mechanism, here, instance.scene, np.array([instance.indices, other.indices])
    )
    assert logs is not None
    assert logs.tolist() == [0.0, -np.inf]
    assert here.exact == np.inf


def test_the_repaired_calibration_loses_half_epsilon(instance: Instance) -> None:
    """The exact loss of one location, over all anchors that may come out."""
    mechanism = PTCS(6.0, calibration="expmech", dedupe=False)
    for seed in range(20):
        anchors = mechanism.publish(instance, np.random.default_rng(seed)).meta["anchors"]
        logs = np.log(mechanism._table(instance.scene, anchors))
        assert float(np.ptp(logs, axis=0).max()) <= 3.0


def test_repeats_collapse(instance: Instance) -> None:
    assert _runs(np.array([1, 1, 2, 2, 1])).tolist() == [1, 2, 1]
    plain = PTCS(1.0, dedupe=False).publish(instance, np.random.default_rng(0))
    assert plain.aligned
    assert len(plain.points) == 6
    short = PTCS(1.0).publish(instance, np.random.default_rng(0))
    assert not short.aligned
    assert (np.diff(short.points, axis=0) != 0).any(axis=1).all()


def test_collapsed_likelihood_equals_enumeration() -> None:
    """Three visits, three anchors, every published sequence."""
    rng = np.random.default_rng(0)
    table = rng.dirichlet(np.ones(3), size=4)
    seen: dict[tuple[int, ...], float] = {}
    for draws in product(range(3), repeat=4):
        chance = float(np.prod([table[i, a] for i, a in enumerate(draws)]))
        short = tuple(_runs(np.array(draws)).tolist())
        seen[short] = seen.get(short, 0.0) + chance
    assert sum(seen.values()) == pytest.approx(1)
    for published, chance in seen.items():
        assert np.exp(_collapsed(table[None, :, list(published)])[0]) == pytest.approx(chance)
    assert _collapsed(np.array([[[1.0, 0.0], [0.0, 0.0]]]))[0] == -np.inf
