from __future__ import annotations

import pickle

import numpy as np
import pytest

from pathveil import Knowledge, Seeded, attack, publish
from pathveil.comparison.games import Settings, make_trial, run_trials
from pathveil.comparison.tables import comparison_table
from pathveil.comparison.veiled import KINDS, PolicyKind, Veiled, candidates_left, own_systems


@pytest.mark.parametrize("kind", ["balanced", "sealed", "paper"])
def test_the_counterpart_attack_is_the_exact_posterior(kind: PolicyKind) -> None:
    """Candidates left are those to which the whole Bayesian inference gives weight, all alike."""
    for number in range(12):
        trial = make_trial(number, Settings())
        network, walk = trial.instance.network, trial.instance.walk
        release = publish(network, walk, policy=Veiled(kind, 1).policy, source=Seeded(number))
        known = Knowledge(network.without(trial.missing))
        believed = {
            c.edges[0]: c.posterior
            for c in attack(release, known, spanning=True).candidates
            if c.posterior > 0 and c.edges
        }
        left = candidates_left(trial.view.candidates, release.packed.pairs)
        names = network.vertices
        assert set(believed) == {(names[u], names[v]) for u, v in left}
        assert max(believed.values()) == pytest.approx(1 / len(left))


def test_sealed_publications_give_nothing_away_and_are_read_exactly() -> None:
    rows = run_trials([Veiled("sealed", 1.0)], range(40), Settings())
    (record,) = comparison_table(rows)
    assert record["success"] == pytest.approx(record["g1"])
    assert record["recovered"] == 1
    assert record["verdict"] != "leaks"


def test_contestants_travel_and_repeat() -> None:
    for contestant in own_systems([1.0]):
        again = pickle.loads(pickle.dumps(contestant))  # noqa: S301
        first = contestant.play(make_trial(3, Settings()), np.random.default_rng(1))
        second = again.play(make_trial(3, Settings()), np.random.default_rng(1))
        assert first.credits_ == second.credits_
    assert {c.name for c in own_systems([1.0])} == {f"pathveil {kind}" for kind in KINDS}
