"""The prior systems and their variants by name: how each is set up, and what else was chosen.

A budget means something else to each: its unit says what. Everything besides the
budget that moves a result stands in ``parameters``, which goes into every table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from pathveil.lab.baselines.baseline_release import Mechanism
from pathveil.lab.baselines.dpt import DPT
from pathveil.lab.baselines.location_sets import LocationSets
from pathveil.lab.baselines.priste import PriSTE
from pathveil.lab.baselines.ptcs import PTCS, PTCSTree
from pathveil.lab.baselines.sdd import SDD
from pathveil.lab.comparison.games import Baseline

ALPHAS = (1, 5, 20)
"""Budgets of the location mechanism inside PriSTE, which decide what it gives away."""


@dataclass(frozen=True)
class PriorSystem:
    """One way to set up a prior system.

    Parameters
    ----------
    make
        From a budget to the mechanism.
    unit
        What its budget is about: the thing in which two neighbouring inputs differ.
    parameters
        What was chosen besides the budget.
    """

    make: Callable[[float], Mechanism]
    unit: str
    parameters: str


def _priste(event: str, alpha: int) -> PriorSystem:
    return PriorSystem(
        partial(PriSTE, event=event, alpha=float(alpha)),  # type: ignore[arg-type]
        "event",
        f"alpha {alpha}, 8 halvings, kernel 0.3",
    )


_LOCATION, _DELTA_SET = "one location", "location within delta-set, per time"
_TRAJECTORY = "whole trajectory"
_DPT = "height 3, grids 8/4/2"
_PTCS = "8 x 8 cells, history of 20 simulated walks"
_REACH = "step bound M: the public reach"

SYSTEMS: Mapping[str, PriorSystem] = {
    "SDD": PriorSystem(SDD, _LOCATION, f"{_REACH}; ends exact, as published"),
    "SDD, noisy ends": PriorSystem(partial(SDD, ends="noisy"), _LOCATION, f"{_REACH}; ends noisy"),
    "PIM": PriorSystem(LocationSets, _DELTA_SET, "delta 0.01: the set holds all ten; kernel 0.3"),
    "PIM, delta 0.3": PriorSystem(
        partial(LocationSets, delta=0.3),
        _DELTA_SET,
        "delta 0.3: the set holds about six of ten; kernel 0.3",
    ),
    **{f"PriSTE presence, alpha {a}": _priste("presence", a) for a in ALPHAS},
    **{f"PriSTE link, alpha {a}": _priste("edge", a) for a in ALPHAS},
    "DPT": PriorSystem(DPT, _TRAJECTORY, f"corpus of 1, {_DPT}"),
    "DPT, corpus of 31": PriorSystem(
        partial(DPT, companions=30), _TRAJECTORY, f"corpus of 31, {_DPT}"
    ),
    "PTCS, 2016 form": PriorSystem(PTCS, "anchors only", f"{_PTCS}, repeats collapsed"),
    "PTCS, expmech": PriorSystem(
        partial(PTCS, calibration="expmech", dedupe=False), _LOCATION, f"{_PTCS}, half for the walk"
    ),
    "PTCS, 2017 tree": PriorSystem(
        PTCSTree, _TRAJECTORY, f"{_PTCS}, half for a tree of height 3, corpus of 1"
    ),
}
"""The five as the paper names them, and forms of them that their authors might prefer."""

FIVE = ("SDD", "PIM", *(f"PriSTE presence, alpha {a}" for a in ALPHAS), "DPT", "PTCS, 2016 form")
"""The five systems as the paper names them; PriSTE at each alpha."""


def prior_systems(
    budgets: Iterable[float], names: Iterable[str] = tuple(SYSTEMS)
) -> list[Baseline]:
    """Return the prior systems, and fairer or simpler forms of them, at each budget.

    Parameters
    ----------
    names
        Some of :data:`SYSTEMS`; :data:`FIVE` are the ones the paper names.
    """
    listed = list(budgets)
    return [
        Baseline(name, system.make(budget), budget, system.unit, system.parameters)
        for name, system in ((name, SYSTEMS[name]) for name in names)
        for budget in listed
    ]
