from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pathveil.lab.baselines import location_sets
from pathveil.lab.baselines.baseline_release import Instance, distance_kernel
from pathveil.lab.baselines.location_sets import (
    LocationSets,
    Moment,
    SensitivityHull,
    delta_location_set,
)
from tests.lab.baselines.conftest import alike, same_law

POINTS = np.array([[0.0, 0.0], [3.0, 0.2], [2.0, 0.9], [0.4, 0.5], [1.0, -0.6]])


@settings(deadline=None)
@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=8), st.floats(0.001, 0.9))
def test_the_set_is_smallest(weights: list[float], delta: float) -> None:
    prior = np.array(weights) / sum(weights)
    states = delta_location_set(prior, delta)
    assert prior[states].sum() >= 1 - delta - 1e-9
    smaller = np.sort(prior)[::-1][: len(states) - 1].sum()
    assert smaller < 1 - delta + 1e-9


def test_differences_have_norm_at_most_one_and_some_reach_it() -> None:
    hull = SensitivityHull.of(POINTS)
    norms = hull.norm((POINTS[:, None] - POINTS[None]).reshape(-1, 2))
    assert norms.max() == pytest.approx(1.0)
    assert np.allclose(hull.norm(hull.corners), 1.0)
    assert np.allclose(hull.norm(-2.5 * hull.corners), 2.5)


def test_noise_norm_is_gamma() -> None:
    hull, epsilon = SensitivityHull.of(POINTS), 0.7
    rng = np.random.default_rng(3)
    noise = hull.noise(epsilon, rng, size=20_000)
    gamma = stats.gamma(2, scale=1 / epsilon).cdf
    assert same_law(hull.norm(noise), gamma)
    # the twins: from the perimeter instead of the body; and with one Gamma degree too few
    body = noise / hull.norm(noise)[:, None]
    assert not same_law(hull.norm(body * rng.gamma(3, 1 / epsilon, (20_000, 1))), gamma)
    uniform = body * np.sqrt(rng.random((20_000, 1)))
    assert not same_law(hull.norm(uniform * rng.gamma(2, 1 / epsilon, (20_000, 1))), gamma)


def test_the_isotropic_transform_cancels() -> None:
    """PIM's detour: a uniform point of T K pulled back by the inverse of T is uniform in K."""
    corners = SensitivityHull.of(POINTS).corners
    draws = [
        SensitivityHull.uniform(c, 20_000, np.random.default_rng(seed))
        for seed, c in enumerate((corners, corners))
    ]
    values, vectors = np.linalg.eigh(draws[0].T @ draws[0] / 20_000)
    transform = vectors @ np.diag(values**-0.5) @ vectors.T
    moved = SensitivityHull.uniform(corners @ transform, 20_000, np.random.default_rng(2))
    assert np.allclose(moved.T @ moved / 20_000, np.eye(2), atol=0.05)
    back = moved @ np.linalg.inv(transform)
    for direction in ([1.0, 0.0], [0.0, 1.0], [0.6, 0.8]):
        assert alike(draws[1] @ direction, back @ direction)
    assert not alike(draws[1] @ [1.0, 0.0], moved @ [1.0, 0.0])  # the twin: never pulled back


def test_density_integrates_to_one_and_loses_epsilon() -> None:
    hull, epsilon = SensitivityHull.of(POINTS), 2.0
    axis = np.linspace(-40, 40, 701)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    total = np.exp(hull.log_density(grid, epsilon)).sum() * (axis[1] - axis[0]) ** 2
    assert total == pytest.approx(1.0, abs=1e-3)
    logs = np.array([hull.log_density(grid - p, epsilon) for p in POINTS])
    worst = float(np.ptp(logs, axis=0).max())
    assert worst == pytest.approx(epsilon, rel=1e-6)


def test_collinear_sets_have_noise_along_the_line() -> None:
    hull = SensitivityHull.of(np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 6.0]]))
    assert hull.dimension == 1
    assert hull.area == pytest.approx(2 * np.hypot(3, 6))
    noise = hull.noise(0.5, np.random.default_rng(0), size=20_000)
    assert np.allclose(noise[:, 1], 2 * noise[:, 0])
    assert same_law(hull.norm(noise), stats.expon(scale=2.0).cdf)
    assert not same_law(hull.norm(noise), stats.gamma(2, scale=2.0).cdf)  # the twin
    t = np.linspace(-60, 60, 200_001)
    along = t[:, None] * np.array([3.0, 6.0]) / np.hypot(3, 6)
    density = np.exp(hull.log_density(along, 0.5))
    assert density.sum() * (t[1] - t[0]) == pytest.approx(1.0, abs=2e-2)
    assert np.isneginf(hull.log_density(np.array([[1.0, 0.0]]), 0.5)).all()


def test_a_vertex_outside_the_set_answers_through_its_surrogate(instance: Instance) -> None:
    scene = instance.scene
    prior = np.array([0.6, 0.399, 0.001, 0.0, 0.0, 0.0])
    moment = Moment.of(scene, prior, 0.01)
    assert moment.states.tolist() == [0, 1]
    assert moment.surrogates.tolist() == [0, 1, 1, 0, 0, 1]
    logs = moment.log_emission(scene, scene.positions[0], 1.0)
    assert logs[3] == logs[0]


def test_the_belief_follows_bayes_and_locks_nobody_out(instance: Instance) -> None:
    scene, mechanism = instance.scene, LocationSets(1.0, delta=0.3)
    moments = mechanism.moments(scene)
    first = next(moments)
    matrix = distance_kernel(scene)
    assert np.allclose(first.prior, np.full(6, 1 / 6) @ matrix)
    z = np.array([0.4, 0.4])
    second = moments.send(z)
    posterior = first.prior * np.exp(first.log_emission(scene, z, 1.0))
    assert np.allclose(second.prior, posterior / posterior.sum() @ matrix)
    assert len(first.states) < 6
    assert (second.prior > 0).all()


def test_a_release_is_noisy_unless_the_model_is_sure(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is sure of the next place leaves nothing to hide, and says so."""
    release = LocationSets(2.0).publish(instance, np.random.default_rng(0))
    assert (release.points.shape, release.exact_indices) == ((6, 2), ())
    monkeypatch.setattr(location_sets, "distance_kernel", lambda _: np.eye(6)[[3] * 6])
    release = LocationSets(1.0).publish(instance, np.random.default_rng(0))
    assert release.exact_indices == tuple(range(6))
    assert (release.points == instance.scene.positions[3]).all()
