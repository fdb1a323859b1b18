from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from pathveil.errors import BadBudget
from pathveil.lab.baselines.baseline_release import BaselineRelease, Instance, KnownLaw
from pathveil.lab.baselines.naive_noise import CNoise, GNoise, PNoise

Floats = npt.NDArray[np.float64]
Judge = Callable[[Floats, Callable[[Floats], Floats]], bool]


def noises(mechanism: CNoise | PNoise | GNoise, instance: Instance, runs: int) -> Floats:
    return np.array(
        [
            mechanism.publish(instance, np.random.default_rng(seed)).points - instance.points
            for seed in range(runs)
        ]
    )


def test_coordinates_get_laplace_noise(instance: Instance, same_law: Judge) -> None:
    noise = noises(CNoise(3.0), instance, 2500)
    assert not noise[:, [0, -1]].any()
    scale = 2 * np.sqrt(2) * instance.scene.reach / 3.0
    sample = noise[:, 1:-1].ravel()
    assert same_law(sample, stats.laplace(scale=scale).cdf)
    assert not same_law(sample, stats.laplace(scale=scale / np.sqrt(2)).cdf)  # the twin


def test_points_get_an_exponential_radius(instance: Instance, same_law: Judge) -> None:
    noise = noises(PNoise(3.0, delta=0.1, exact_ends=False), instance, 2500)
    scale = 2 * instance.scene.reach / 3.0 * (1 + 1 / -np.log(0.9))
    radius = np.hypot(noise[..., 0], noise[..., 1]).ravel()
    angle = np.arctan2(noise[..., 1], noise[..., 0]).ravel()
    assert same_law(radius, stats.expon(scale=scale).cdf)
    assert same_law(angle, stats.uniform(-np.pi, 2 * np.pi).cdf)
    assert not same_law(radius, stats.gamma(2, scale=scale).cdf)  # the twin: planar Laplace


def test_the_whole_vector_gets_one_radius(instance: Instance, same_law: Judge) -> None:
    noise = noises(GNoise(3.0, delta=0.1), instance, 4000)[:, 1:-1]
    scale = 2 * instance.scene.reach / 3.0 * (1 + 7 / -np.log(0.9))
    radius = np.sqrt((noise**2).sum(axis=(1, 2)))
    assert same_law(radius, stats.expon(scale=scale).cdf)
    # a coordinate of a uniform direction in 8 dimensions: its square is Beta(1/2, 7/2)
    share = noise[:, 0, 0] ** 2 / radius**2
    assert same_law(share, stats.beta(0.5, 3.5).cdf)
    assert not same_law(share, stats.beta(0.5, 2.5).cdf)  # the twin


def test_cnoise_spends_epsilon_on_one_location(instance: Instance) -> None:
    mechanism = CNoise(2.0, exact_ends=False)
    release = mechanism.publish(instance, np.random.default_rng(0))
    walks = np.array([[0, 1, 2, 3, 4, 5], [0, 1, 5, 3, 4, 5]])
    one, two = mechanism.log_likelihood(release, instance.scene, walks)
    assert abs(one - two) <= 2.0 / np.sqrt(2)  # no two vertices are 2 M apart


@pytest.mark.parametrize("mechanism", [CNoise(2.0), PNoise(2.0), GNoise(2.0)])
def test_wrong_ends_are_impossible_and_densities_are_the_stated_ones(
    mechanism: CNoise | PNoise | GNoise, instance: Instance
) -> None:
    assert isinstance(mechanism, KnownLaw)
    release: BaselineRelease = mechanism.publish(instance, np.random.default_rng(0))
    walks = np.array([[0, 1, 2, 3, 4, 5], [0, 3, 2, 1, 4, 5], [5, 1, 2, 3, 4, 0]])
    logs = mechanism.log_likelihood(release, instance.scene, walks)
    assert np.isneginf(logs[2])
    noise = (release.points - instance.scene.positions[walks[:2]])[:, 1:-1]
    radius = np.hypot(noise[..., 0], noise[..., 1])
    whole = np.sqrt((noise**2).sum(axis=(1, 2)))
    if isinstance(mechanism, CNoise):
        want = stats.laplace(scale=mechanism.scale(instance.scene.reach)).logpdf(noise).sum((1, 2))
    elif isinstance(mechanism, PNoise):
        law = stats.expon(scale=mechanism.scale(instance.scene.reach))
        want = (law.logpdf(radius) - np.log(2 * np.pi * radius)).sum(axis=1)
    else:
        law = stats.expon(scale=mechanism.scale(instance.scene.reach, 4))
        want = law.logpdf(whole) - 7 * np.log(whole)
    assert logs[0] - logs[1] == pytest.approx(float(want[0] - want[1]))


def test_two_visits_leave_nothing_to_perturb(instance: Instance) -> None:
    from pathveil.model.walk import Walk

    short = Instance.of(instance.network, Walk("ab"))
    for mechanism in (CNoise(1.0), PNoise(1.0), GNoise(1.0)):
        release = mechanism.publish(short, np.random.default_rng(0))
        assert np.array_equal(release.points, short.points)
        logs = mechanism.log_likelihood(release, short.scene, np.array([[0, 1], [1, 0]]))
        assert logs.tolist() == [0.0, -np.inf]


def test_delta_must_be_a_probability(instance: Instance) -> None:
    with pytest.raises(BadBudget, match="delta"):
        PNoise(1.0, delta=0.0).publish(instance, np.random.default_rng(0))
