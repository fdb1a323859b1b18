from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import partial

import numpy as np

from pathveil.lab.baselines.location_sets import LocationSets
from pathveil.lab.baselines.sdd import SDD
from pathveil.lab.comparison.games import (
    Baseline,
    Contestant,
    GameOutcome,
    Row,
    Settings,
    Trial,
    make_trial,
    run_trials,
)
from pathveil.lab.comparison.systems import FIVE, prior_systems
from pathveil.lab.maps import random_map

SMALL = Settings(seed=3, make_map=partial(random_map, 7, 10))


@dataclass(frozen=True)
class Oracle:
    """A contestant from outside: it publishes everything."""

    name: str = "oracle"
    unit: str = "nothing"
    budget: float = 1.0
    parameters: str = ""

    def play(self, trial: Trial, rng: np.random.Generator) -> GameOutcome:
        return GameOutcome({"all": 1.0}, {}, 0.0, 1.0, float(rng.integers(1, 2)))


def column(rows: list[Row], name: str) -> list[float]:
    return [float(row[name]) for row in rows if name in row]


def test_a_trial_is_a_function_of_its_number() -> None:
    one, two = make_trial(4, SMALL), make_trial(4, SMALL)
    assert one.instance.walk == two.instance.walk
    assert one.missing == two.missing
    assert one.placebo.walk == two.placebo.walk != one.instance.walk
    assert one.truth in one.view.candidates
    assert not one.view.known.has_edge(*one.missing)
    assert make_trial(5, SMALL).instance.walk != one.instance.walk


def test_missing_edges_are_uniform_on_the_path() -> None:
    places = np.zeros(6)
    for number in range(600):
        trial = make_trial(number, SMALL)
        steps = [tuple(sorted(step)) for step in trial.instance.walk.steps]
        places[steps.index(trial.missing)] += 1
    assert abs(places - 100).max() < 5.5 * np.sqrt(100 * 5 / 6)


def test_chunks_and_order_do_not_matter() -> None:
    contestants: list[Contestant] = [*prior_systems([1.0], ["SDD", "PIM", "DPT"]), Oracle()]
    whole = run_trials(contestants, range(4), SMALL)
    chunks = run_trials(contestants[::-1], range(2, 4), SMALL)
    chunks += run_trials(contestants, range(2), SMALL)

    def key(row: Row) -> tuple[int, str]:
        return int(row["trial"]), str(row["system"])

    assert pickle.dumps(sorted(whole, key=key)) == pickle.dumps(sorted(chunks, key=key))
    assert len(whole) == 16


def test_every_system_plays_every_attack_that_applies() -> None:
    rows = run_trials(prior_systems([2.0]), range(2), SMALL)
    by_system = {str(row["system"]): row for row in rows}
    assert set(FIVE) <= set(by_system)
    assert all("attack/nearest" in row and "attack/closeness" in row for row in rows)
    assert {name for name, row in by_system.items() if "attack/endpoints" in row} == {"SDD"}
    assert "attack/completion" not in by_system["DPT"]
    assert "attack/likelihood" in by_system["PTCS, 2016 form"]
    assert "attack/likelihood" not in by_system["PTCS, 2017 tree"]  # its law is not known
    assert len({row["unit"] for row in rows}) == 5


def test_placebos_stay_within_the_guess_and_releases_do_not() -> None:
    """200 trials; a gap beyond 5 standard errors at most is a false alarm below 1e-6."""
    contestants = [
        Baseline("PIM", LocationSets(20.0), 20.0, ""),
        Baseline("SDD", SDD(200.0, ends="noisy"), 20.0, ""),
    ]
    rows = run_trials(contestants, range(200), Settings(seed=9))
    limit = 5 * 0.5 / np.sqrt(200)
    for name in ("PIM", "SDD"):
        mine = [row for row in rows if row["system"] == name]
        guess = np.mean(column(mine, "g1"))
        for attack in ("joins", "closeness", "completion", "interior", "likelihood"):
            assert abs(np.mean(column(mine, f"placebo/{attack}")) - guess) < limit
        assert np.mean(column(mine, "placebo/nearest")) < guess
        assert (
            np.mean(column(mine, "attack/completion")) - guess > limit
        )  # the twin reads the secret


def test_reading_is_set_against_guessing_the_walk() -> None:
    rows = run_trials(prior_systems([20.0], ["PIM", "DPT"]), range(6), SMALL)
    pim = [row for row in rows if row["system"] == "PIM"]
    assert np.mean(column(pim, "recovered")) > np.mean(column(pim, "read_without")) > 0
    assert all(np.isnan(v) for v in column(rows[1::2], "recovered"))  # DPT: not read, not "never"


def test_lessons_are_no_trials_and_the_same_every_time() -> None:
    one, two = SMALL.studied(20), SMALL.studied(20)
    assert one == two != SMALL
    assert one.studied(20) == one  # what was known before teaches nothing new
    assert make_trial(0, one).instance.walk == make_trial(0, SMALL).instance.walk
