from __future__ import annotations

import numpy as np
import pytest

from pathveil.errors import BadBudget
from pathveil.lab.baselines.baseline_release import Instance, Release, distance_kernel
from pathveil.lab.baselines.events import Event, Worlds
from pathveil.lab.baselines.priste import PriSTE, Watch, central_presence, edge_events
from studies.objections import told
from tests.lab.baselines.conftest import Floats
from tests.lab.baselines.test_event_checks import worst_excess


def excess(prior: Floats, a: Floats, b: Floats, c: Floats, epsilon: float) -> Floats:
    """Both conditions for given beliefs, as the scan scales them."""
    top = c.max()
    probability, both, seen = prior @ a, prior @ b / top, prior @ c / top
    e = np.exp(epsilon)
    one = both + (e - 1) * probability * both - e * probability * seen
    two = probability * seen - e * both + (e - 1) * probability * both
    return np.asarray(np.maximum(one, two) / e)


def test_the_pair_scan_is_never_beaten() -> None:
    """Sixty problems, 4000 beliefs each, many of them on few states; corners alone are beaten."""
    rng = np.random.default_rng(4)
    beaten = 0
    for _ in range(60):
        size, epsilon = int(rng.integers(2, 7)), float(rng.uniform(0.1, 3))
        a, c = rng.random(size), rng.random(size)
        b = c * np.clip(a + rng.normal(0, 0.2, size), 0, 1)
        scan = float(worst_excess(a, b, c, epsilon))
        beliefs = rng.dirichlet(np.full(size, 0.3), size=4000)
        found = float(excess(beliefs, a, b, c, epsilon).max())
        assert found <= scan + 1e-12
        corners = float(excess(np.eye(size), a, b, c, epsilon).max())
        assert scan >= corners - 1e-12
        beaten += found > corners + 1e-9  # the broken twin: known starts only
    assert beaten > 10


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 5.0, 20.0])
def test_a_uniform_location_is_always_accepted(epsilon: float, instance: Instance) -> None:
    scene = instance.scene
    events: list[Event] = [*edge_events(6, 6), *central_presence(scene, 6)]
    watch = Watch(Worlds.of(events, distance_kernel(scene), 6), epsilon)
    uniform = np.full(6, 1 / 6)
    rng = np.random.default_rng(0)
    for _ in range(6):
        told = rng.dirichlet(np.full(6, 0.5))
        refused = watch.refused(np.column_stack([uniform, told]))
        assert not refused[0]
        watch.advance(uniform if refused[1] else told)
    telling = Watch(Worlds.of(events, distance_kernel(scene), 6), 0.01)
    for state in (0, 1):  # the broken twin: exact locations
        refused = telling.refused(np.eye(6)[:, [state]])
        telling.advance(np.eye(6)[state])
    assert refused.all()


@pytest.mark.parametrize("event", ["presence", "edge"])
def test_the_event_is_hidden_by_the_nominal_law_and_not_by_the_true_one(
    event: str, instance: Instance
) -> None:
    """The claim holds as stated; counting the draws that were refused, it does not."""
    epsilon, scene = 0.4, instance.scene
    mechanism = PriSTE(epsilon, event="edge" if event == "edge" else "presence")
    beliefs = np.random.default_rng(0).dirichlet(np.ones(6), size=5)
    worlds = mechanism.worlds(scene, 6)
    true = []
    for seed in range(10):
        release = mechanism.publish(instance, np.random.default_rng(seed))
        assert release.exact is None
        nominal = []
        places = scene.nearest(release.points)
        for place, alpha in zip(places, release.meta["alpha"], strict=True):
            weights = np.exp(-alpha * scene.distances / (2 * scene.diameter))
            table = weights / weights.sum(axis=1, keepdims=True)
            nominal.append(table[:, place])
        assert told(worlds, nominal, beliefs) <= epsilon + 1e-9
        true.append(told(worlds, mechanism.law(release, scene), beliefs))
    assert max(true) > 1.2 * epsilon


def test_a_budget_that_cannot_be_kept_ends_in_uniform_locations(instance: Instance) -> None:
    mechanism = PriSTE(1e-6, event="edge", halvings=2)
    release = mechanism.publish(instance, np.random.default_rng(0))
    assert set(release.meta["alpha"][1:-1].tolist()) == {0.0}
    loose = PriSTE(30.0, event="edge").publish(instance, np.random.default_rng(0))
    assert set(loose.meta["alpha"].tolist()) == {20.0}


def test_the_inner_budget_is_above_nought(instance: Instance) -> None:
    with pytest.raises(BadBudget, match="alpha"):
        PriSTE(1.0, alpha=0.0).publish(instance, np.random.default_rng(0))


def test_the_law_of_the_loop_adds_up_to_one(instance: Instance) -> None:
    """Over all locations and budgets that may be published at the first visit."""
    scene, epsilon = instance.scene, 0.5
    mechanism = PriSTE(epsilon, event="edge", halvings=3)
    watch = Watch(mechanism.worlds(scene, 6), epsilon)
    total, refused = np.zeros(6), 0
    for used in (20.0, 10.0, 5.0, 2.5, 0.0):
        weights = np.exp(-used * scene.distances / (2 * scene.diameter))
        table = weights / weights.sum(axis=1, keepdims=True)
        never = watch.refused(table)
        refused += int(never.sum())
        for choice in range(len(scene.vertices)):
            if never[choice]:  # never published at this budget
                continue
            release = Release(
                scene.positions[[choice] * 6], None, meta={"alpha": np.array([used] + [0.0] * 5)}
            )
            total += next(mechanism.law(release, scene))
    assert np.allclose(total, 1)
    assert refused > 5
