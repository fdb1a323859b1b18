from __future__ import annotations

import numpy as np
import pytest

from pathveil.lab.baselines import sdd
from pathveil.lab.baselines.baseline_release import Instance
from pathveil.lab.baselines.sdd import SDD, TURN, TruncatedExponential
from tests.lab.baselines.conftest import Floats, alike, same_law


def stated_density(x: Floats, a: float, rate: float, bound: float) -> Floats:
    """The density as the specification writes it, both branches."""
    if a <= bound:
        mass = (2 - np.exp(-rate * a) - np.exp(-rate * (bound - a))) / rate
    else:
        mass = (np.exp(-rate * (a - bound)) - np.exp(-rate * a)) / rate
    return np.asarray(np.exp(-rate * np.abs(x - a)) / mass)


CASES = [(0.0, 40.0), (0.3, 1.0), (0.3, 40.0), (1.0, 200.0), (1.7, 40.0)]


@pytest.mark.parametrize(("a", "epsilon"), CASES)
def test_density_and_distribution_are_the_stated_ones(a: float, epsilon: float) -> None:
    law = TruncatedExponential(epsilon / 8, 1.0)
    x = np.linspace(0, 1, 200_001)
    density = stated_density(x, a, epsilon / 8, 1.0)
    assert np.allclose(np.exp(law.log_density(x, a)), density)
    steps = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2) * (x[1] - x[0])])
    assert np.allclose(law.cdf(x, a), steps, atol=1e-6)
    assert np.isneginf(law.log_density(1.1, a))
    u = np.linspace(0, 1, 1001)
    assert np.allclose(law.cdf(law.quantile(u, a), a), u, atol=1e-9)


@pytest.mark.parametrize(("a", "epsilon"), CASES)
def test_sampler_has_the_stated_law(a: float, epsilon: float) -> None:
    rng = np.random.default_rng(11)
    grid = np.linspace(0, 1, 100_001)
    density = stated_density(grid, a, epsilon / 8, 1.0)
    steps = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1]) / 2 * grid[1]])

    def stated(x: Floats) -> Floats:
        return np.asarray(np.interp(x, grid, steps))

    law = TruncatedExponential(epsilon / 8, 1.0)
    assert same_law(law.quantile(rng.random(20_000), a), stated)
    if epsilon > 1:  # the broken twin: twice the rate
        twin = TruncatedExponential(epsilon / 4, 1.0)
        assert not same_law(twin.quantile(rng.random(20_000), a), stated)


def test_ends_are_bit_equal_and_every_prefix_can_reach_the_end(instance: Instance) -> None:
    for reach in (instance.scene.reach, 0.3, 0.22):  # the last two are nearly too short
        tight = Instance.of(instance.network, instance.walk, reach=reach)
        for seed in range(30):
            for mechanism in (SDD(1.0), SDD(50.0)):
                release = mechanism.publish(tight, np.random.default_rng(seed))
                out = release.points
                assert out[[0, -1]].tobytes() == tight.points[[0, -1]].tobytes()
                left = np.hypot(*(out - out[-1]).T)
                assert (left <= np.arange(5, -1, -1) * reach + 1e-9).all()
    assert release.exact_indices == (0, 5)
    assert release.exact == 25.0


STEP = (np.array([0.0, 0.0]), np.array([0.2, 0.5]), np.array([1.4, 0.0]))  # origin, target, end


def test_a_narrow_step_has_the_law_of_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grid must agree with drawing again until the end can be reached."""
    law, (origin, target, end), left = SDD(40.0).law(1.0), STEP, 0.7
    rng = np.random.default_rng(5)
    r, theta = np.array([np.hypot(*target)]), np.array([np.arctan2(target[1], target[0])])
    rho = law.length.quantile(rng.random(200_000), r)
    alpha = law.heading.quantile(rng.random(200_000), theta)
    tried = np.column_stack([rho * np.cos(alpha), rho * np.sin(alpha)])
    kept = tried[np.hypot(*(tried - end).T) <= left]
    assert len(kept) > 1500
    monkeypatch.setattr(sdd, "PROPOSALS", 1)
    drawn = np.array([law.draw(origin, target, end, left, rng) for _ in range(1500)])
    assert (np.hypot(*(drawn - end).T) <= left + 1e-12).all()
    for axis in (0, 1):
        assert alike(drawn[:, axis], kept[:, axis])
    # the broken twin: a feasible length by its own law, then any heading that fits
    feasible = rho[law._arc(rho, 1.4, left) > 0][:4000]
    width = law._arc(feasible, 1.4, left)
    turned = width * rng.uniform(-1, 1, len(width))
    assert not alike(feasible * np.sin(turned), kept[:, 1])


@pytest.mark.parametrize("left", [5.0, 0.8])
def test_step_density_integrates_to_one(left: float) -> None:
    law, (origin, target, end) = SDD(30.0).law(1.0), STEP
    rho = (np.arange(120) + 0.5) / 120
    alpha = (np.arange(120) + 0.5) / 120 * TURN
    total = 0.0
    for r in rho:
        for a in alpha:
            point = r * np.array([np.cos(a), np.sin(a)])
            if np.hypot(*(point - end)) <= left:
                log = law.log_density(point, origin, target[None], end, left)
                total += float(np.exp(log[0])) * r * TURN / 120**2
    assert total == pytest.approx(1.0, abs=0.03)


def test_a_step_spends_what_is_said() -> None:
    """Worst log-ratio over targets: a quarter of epsilon, a half with the restriction."""
    epsilon = 6.0
    law = SDD(epsilon).law(1.0)
    rng = np.random.default_rng(2)
    origin, end = np.zeros(2), np.array([1.3, 0.2])
    angles = np.linspace(0, TURN, 40, endpoint=False) + 1e-9
    targets = np.concatenate(
        [s * np.column_stack([np.cos(angles), np.sin(angles)]) for s in (1e-9, 0.4, 1.0, 2.0)]
    )
    for left, limit in ((9.0, 0.25), (0.7, 0.5)):
        worst = 0.0
        for _ in range(300):
            rho, alpha = rng.choice([1e-6, rng.random(), 1.0]), rng.random() * TURN
            point = rho * np.array([np.cos(alpha), np.sin(alpha)])
            if np.hypot(*(point - end)) > left:
                continue
            logs = law.log_density(point, origin, targets, end, left)
            worst = max(worst, float(np.ptp(logs)))
        assert worst <= limit * epsilon + 1e-6
        if left == 9.0:
            assert worst > 0.9 * limit * epsilon


def test_the_real_reference_protects_nothing(instance: Instance) -> None:
    """Two walks that differ in one place: a release of one is impossible under the other.

    If a step starts at the true predecessor its support is a disc round a secret point; from the
    published one any vertex is possible, and a changed place costs half of epsilon at most.
    """
    scene = Instance.of(instance.network, instance.walk, reach=0.4).scene
    law, left = SDD(1.0).law(scene.reach), 9.0
    here, there, target, end = scene.positions[[1, 4, 2, 5]]
    point = law.draw(here, target, end, left, np.random.default_rng(1))
    assert np.isfinite(law.log_density(point, here, target[None], end, left)).all()
    assert np.isneginf(law.log_density(point, there, target[None], end, left)).all()
    logs = law.log_density(point, here, scene.positions, end, left)
    assert np.isfinite(logs).all()
    assert np.ptp(logs) <= 0.5


def test_noisy_ends_are_published_as_no_end_is(instance: Instance) -> None:
    """No point is exact, every vertex is possible everywhere, and a changed end costs epsilon."""
    mechanism = SDD(2.0, ends="noisy")
    worst = 0.0
    for seed in range(40):
        release = mechanism.publish(instance, np.random.default_rng(seed))
        assert release.exact_indices == ()
        assert not (release.points == instance.points).any()
        logs = mechanism.visit_logs(release, instance.scene)
        assert np.isfinite(logs).all()
        worst = max(worst, float(np.ptp(logs, axis=1).max()))
    assert worst <= 2.0
    assert release.exact == 2.0
