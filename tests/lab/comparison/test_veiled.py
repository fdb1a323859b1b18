from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest

from pathveil import Knowledge, Seeded, attack, publish
from pathveil.lab.comparison.games import Settings, make_trial, run_trials
from pathveil.lab.comparison.result_tables import comparison_table
from pathveil.lab.comparison.veiled import (
    BALANCED,
    ENTRANTS,
    PAPER,
    SEALED,
    TWO_SIDED,
    Entrant,
    Veiled,
    likeliest,
    near_pairs,
    own_systems,
)
from pathveil.lab.maps import local_route, random_map


@pytest.mark.parametrize(
    "entrant", [BALANCED, SEALED, PAPER], ids=lambda entrant: entrant.policy.__name__
)
def test_the_counterpart_attack_is_the_exact_posterior(entrant: Entrant) -> None:
    """Candidates left are those to which the whole Bayesian inference gives weight, all alike."""
    for number in range(12):
        trial = make_trial(number, Settings())
        network, walk = trial.instance.network, trial.instance.walk
        contestant = Veiled(entrant, 1)
        release = publish(network, walk, policy=contestant.policy, source=Seeded(number))
        known = Knowledge(network.without(trial.missing))
        believed = {
            c.links[0]: c.posterior
            for c in attack(release, known, spanning=True).candidates
            if c.posterior > 0 and c.links
        }
        left = likeliest(trial.view.candidates, contestant._evidence(trial.view, release))
        names = network.vertices
        assert set(believed) == {(names[u], names[v]) for u, v in left}
        assert max(believed.values()) == pytest.approx(1 / len(left))


def test_sealed_publications_give_nothing_away_and_are_read_exactly() -> None:
    rows = run_trials([Veiled(SEALED, 1.0)], range(40), Settings())
    for record in comparison_table(rows):
        assert record["recovered"] == 1
        if record["attack"] == "likelihood":
            assert record["success"] == pytest.approx(record["g1"])


@pytest.mark.parametrize(
    ("entrant", "budget", "loss"),
    [
        (BALANCED, 1, np.log(2)),
        (SEALED, 1, 0),
        (PAPER, 1, np.log1p(np.exp(0.5))),
        (TWO_SIDED, 3, 3),
    ],
)
def test_the_proved_loss_is_the_certificate_s(entrant: Entrant, budget: float, loss: float) -> None:
    outcome = Veiled(entrant, budget).play(make_trial(0, Settings()), np.random.default_rng(0))
    assert outcome.exact == pytest.approx(loss, abs=1e-4)  # rounded against us
    assert outcome.claimed == outcome.exact


def test_two_sided_bits_are_weighed_by_their_error() -> None:
    """At a tiny budget a bit says nothing; at a large one it excludes."""
    trial = make_trial(0, Settings())
    for budget, spread in ((0.001, 0.01), (20.0, 15.0)):
        contestant = Veiled(TWO_SIDED, budget)
        release = contestant._publish(trial.instance, np.random.default_rng(0))
        logs = contestant._evidence(trial.view, release)
        assert np.isfinite(logs).all()
        assert (
            np.ptp(logs) < spread
            if budget < 1
            else np.ptp(logs) in (0.0, pytest.approx(20.7, abs=0.1))
        )


def test_a_universe_names_near_pairs_and_excludes_the_others() -> None:
    network, _ = random_map(40, 60, np.random.default_rng(0))
    settings = Settings(make_map=partial(local_route, network, 8), reach=1.3)
    contestant = Veiled(BALANCED, 1.0, universe=True)
    for number in range(8):
        trial = make_trial(number, settings)
        scene = trial.instance.scene
        pairs = near_pairs(scene)
        assert set(trial.instance.network.links) <= set(pairs)
        outcome = contestant.play(trial, np.random.default_rng(number))
        assert outcome.recovered == 1
        release = contestant._publish(trial.instance, np.random.default_rng(0))
        logs = contestant._evidence(trial.view, release)
        far = np.array([scene.distances[p] > scene.reach for p in trial.view.candidates])
        assert (logs[far] == -np.inf).all()
        assert logs[trial.view.candidates.index(trial.truth)] == 0


def test_a_placebo_outside_the_universe_is_left_out() -> None:
    network, _ = random_map(40, 60, np.random.default_rng(0))
    longest = max(
        float(np.hypot(*np.subtract(network.coordinates[u], network.coordinates[v])))  # type: ignore[index]
        for u, v in network.links
    )
    settings = Settings(make_map=partial(local_route, network, 8), reach=longest)
    contestant = Veiled(BALANCED, 1.0, universe=True)
    blanks = [
        contestant.play(make_trial(i, settings), np.random.default_rng(i)).placebo
        for i in range(40)
    ]
    assert any(blanks)
    assert all(set(blank) in ({"likelihood", "plausible"}, set()) for blank in blanks)


def test_contestants_travel_and_repeat() -> None:
    for contestant in own_systems([1.0], universe=True):
        again = pickle.loads(pickle.dumps(contestant))  # noqa: S301
        first = contestant.play(make_trial(3, Settings()), np.random.default_rng(1))
        second = again.play(make_trial(3, Settings()), np.random.default_rng(1))
        assert first.credits_ == second.credits_
    assert {c.name for c in own_systems([1.0])} == {
        f"pathveil {name}" for name in ("balanced", "sealed", "paper", "two-sided")
    }
    assert len(own_systems([1.0, 2.0])) == 2 * len(ENTRANTS)
