"""The prior systems by name: each family once as the paper has it, all of them at each budget."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from pathveil.lab.comparison.systems import ALPHAS, FIVE, SYSTEMS, USUAL, prior_systems


def test_the_five_are_the_paper_s_and_the_usual_ones_begin_with_them() -> None:
    families = Counter(SYSTEMS[name].family for name in FIVE)
    assert families == {"SDD": 1, "PIM": 1, "PriSTE": len(ALPHAS), "DPT": 1, "PTCS": 1}
    assert USUAL[: len(FIVE)] == FIVE
    assert set(USUAL) <= set(SYSTEMS)
    assert len(set(USUAL)) == len(USUAL)


def test_every_system_stands_at_every_budget_with_what_was_chosen() -> None:
    made = prior_systems([0.5, 2.0], ["SDD", "CNoise, noisy ends"])
    assert [(one.name, one.budget) for one in made] == [
        ("SDD", 0.5),
        ("SDD", 2.0),
        ("CNoise, noisy ends", 0.5),
        ("CNoise, noisy ends", 2.0),
    ]
    assert "ends exact" in made[0].parameters
    assert "ends exact" not in made[-1].parameters, "its ends are noisy"


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_budget_says_what_it_is_about_and_a_contestant_travels(name: str) -> None:
    (contestant,) = prior_systems([1.0], [name])
    assert contestant.unit
    assert pickle.loads(pickle.dumps(contestant)).name == name  # noqa: S301
