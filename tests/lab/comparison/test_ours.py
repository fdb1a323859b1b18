"""The paper's mechanism and our policies as contestants."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from pathveil import Knowledge, Seeded, attack, publish
from pathveil.lab.comparison.games import Settings, make_trial, run_trials
from pathveil.lab.comparison.ours import ROWS, Veiled, likeliest, own_systems
from pathveil.layering.backtracking import order_of_insertion
from studies.objections import printed_order

COPIES, PRINTED, COINS, BALANCED, SEALED, TWO_SIDED = ROWS


@pytest.mark.parametrize("name", [BALANCED, SEALED, COINS, COPIES])
def test_the_counterpart_attack_is_the_exact_posterior(name: str) -> None:
    """Candidates are weighed as the whole Bayesian inference weighs them."""
    for number in range(12):
        trial = make_trial(number, Settings())
        network, walk = trial.instance.network, trial.instance.walk
        contestant = Veiled(name, 1)
        release = publish(network, walk, policy=contestant.policy, source=Seeded(number))
        known = Knowledge(network.without(trial.missing))
        believed = {
            c.links[0]: c.posterior
            for c in attack(release, known, spanning=True).candidates
            if c.posterior > 0 and c.links
        }
        logs = contestant._evidence(trial.view, release)
        names = network.vertices
        weights = {
            (names[u], names[v]): np.exp(log)
            for (u, v), log in zip(trial.view.candidates, logs, strict=True)
            if np.isfinite(log)
        }
        assert set(believed) == set(weights)
        for link, posterior in believed.items():
            assert posterior == pytest.approx(weights[link] / sum(weights.values()))
        left = likeliest(trial.view.candidates, logs)
        assert {(names[u], names[v]) for u, v in left} <= set(believed)


def test_the_papers_drawing_tells_what_its_bits_do_not() -> None:
    """20 maps at link budget 1: the layers settle nearly all, and say nothing on a placebo."""
    rows = run_trials([Veiled(PRINTED, 1.0), Veiled(COINS, 1.0)], range(20), Settings())
    drawn, repaired = rows[::2], rows[1::2]
    assert np.mean([float(r["attack/layout"]) for r in drawn]) > 0.95
    assert [r["attack/likelihood"] for r in drawn] == [r["attack/likelihood"] for r in repaired]
    assert np.mean([float(r["attack/likelihood"]) for r in drawn]) < 0.8
    assert np.mean([float(r["placebo/layout"]) for r in drawn]) < 0.5
    assert all("attack/layout" not in r for r in repaired)
    assert {float(r["recovered"]) for r in drawn} <= {0.0, 0.5, 1.0}
    assert {float(r["recovered"]) for r in repaired} == {1.0}


@pytest.mark.parametrize("name", [COPIES, PRINTED])
def test_in_the_printed_order_the_link_is_named_as_well(name: str) -> None:
    """The order of insertion is the largest repair, and the attack does not hang on it."""
    printed, ours = (
        run_trials([Veiled(name, 1.0, order)], range(20), Settings())
        for order in (printed_order, order_of_insertion)
    )
    assert [r["attack/likelihood"] for r in printed] == [r["attack/likelihood"] for r in ours]
    assert np.mean([float(r["attack/layout"]) for r in printed]) > 0.9
    assert np.mean([float(r["placebo/layout"]) for r in printed]) < 0.5


@pytest.mark.parametrize(
    ("name", "budget", "loss"),
    [
        (BALANCED, 1, np.log(2)),
        (SEALED, 1, 0),
        (COINS, 1, np.log1p(np.exp(0.5))),
        (TWO_SIDED, 3, 3),
    ],
)
def test_the_proved_loss_is_the_certificate_s(name: str, budget: float, loss: float) -> None:
    outcome = Veiled(name, budget).play(make_trial(0, Settings()), np.random.default_rng(0))
    assert outcome.exact == pytest.approx(loss, abs=1e-4)  # rounded against us


def test_two_sided_bits_are_weighed_by_their_error() -> None:
    """At a tiny budget a bit says nothing; at a large one it excludes."""
    trial = make_trial(0, Settings())
    for budget, spread in ((0.001, 0.01), (20.0, 20.8)):
        contestant = Veiled(TWO_SIDED, budget)
        release, _ = contestant._publish(trial.instance, np.random.default_rng(0))
        logs = contestant._evidence(trial.view, release)
        assert np.isfinite(logs).all()
        assert np.ptp(logs) < spread


@pytest.mark.regression("lab compare --budget 800 ended as a fault of pathveil")
def test_an_error_too_small_for_a_float_excludes() -> None:
    trial, contestant = make_trial(0, Settings()), Veiled(TWO_SIDED, 800.0)
    release, _ = contestant._publish(trial.instance, np.random.default_rng(0))
    assert set(contestant._evidence(trial.view, release).tolist()) == {0.0, -np.inf}


def test_contestants_travel_and_repeat() -> None:
    for contestant in own_systems([1.0]):
        again = pickle.loads(pickle.dumps(contestant))  # noqa: S301
        first = contestant.play(make_trial(3, Settings()), np.random.default_rng(1))
        second = again.play(make_trial(3, Settings()), np.random.default_rng(1))
        assert first.earned == second.earned
    assert [c.name for c in own_systems([1.0, 2.0])] == [name for name in ROWS for _ in (1, 2)]
