"""The prior systems and their variants by name: how each is set up, and what else was chosen.

A budget means something else to each: its release says what (the unit). Everything besides the
budget that moves a result stands in ``parameters``, which goes into every table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from pathveil.lab.baselines.baseline_release import Instance, Mechanism
from pathveil.lab.baselines.dpt import DPT
from pathveil.lab.baselines.location_sets import LocationSets
from pathveil.lab.baselines.naive_noise import CNoise, GNoise, PNoise
from pathveil.lab.baselines.priste import PriSTE
from pathveil.lab.baselines.ptcs import PTCS, PTCSTree
from pathveil.lab.baselines.sdd import SDD
from pathveil.lab.comparison.games import Baseline
from pathveil.model.network import Network
from pathveil.model.walk import Walk

ALPHAS = (1, 5, 20)
"""Budgets of the location mechanism inside PriSTE, which decide what it gives away."""


@dataclass(frozen=True)
class PriorSystem:
    """One way to set up a prior system.

    Parameters
    ----------
    make
        From a budget to the mechanism.
    family
        Which of the paper's five it is a form of; empty for plain noise.
    parameters
        What was chosen besides the budget.
    """

    make: Callable[[float], Mechanism]
    family: str
    parameters: str


def _priste(event: str, alpha: int) -> PriorSystem:
    return PriorSystem(
        partial(PriSTE, event=event, alpha=float(alpha)),  # type: ignore[arg-type]
        "PriSTE",
        f"alpha {alpha}, 8 halvings, kernel 0.3",
    )


_ENDS = "step bound M: the public reach; ends exact"
_DPT = "height 3, grids 8/4/2"
_PTCS = "8 x 8 cells, history of 20 simulated walks"

SYSTEMS: Mapping[str, PriorSystem] = {
    "SDD": PriorSystem(SDD, "SDD", _ENDS),
    "SDD tight": PriorSystem(partial(SDD, variant="tight"), "SDD", f"{_ENDS}; largest rates"),
    "CNoise": PriorSystem(CNoise, "", _ENDS),
    "PNoise": PriorSystem(PNoise, "", f"{_ENDS}; delta 0.01"),
    "GNoise": PriorSystem(GNoise, "", f"{_ENDS}; delta 0.01"),
    "CNoise, noisy ends": PriorSystem(
        partial(CNoise, exact_ends=False), "", "step bound M: the public reach"
    ),
    "PIM": PriorSystem(LocationSets, "PIM", "delta 0.01, kernel 0.3"),
    **{f"PriSTE presence, alpha {a}": _priste("presence", a) for a in ALPHAS},
    **{f"PriSTE edge, alpha {a}": _priste("edge", a) for a in ALPHAS},
    "DPT": PriorSystem(DPT, "DPT", f"corpus of 1, {_DPT}"),
    "DPT, corpus of 31": PriorSystem(partial(DPT, companions=30), "DPT", f"corpus of 31, {_DPT}"),
    "PTCS, 2016 form": PriorSystem(PTCS, "PTCS", f"{_PTCS}, repeats collapsed"),
    "PTCS, expmech": PriorSystem(
        partial(PTCS, calibration="expmech", dedupe=False), "PTCS", f"{_PTCS}, half for the walk"
    ),
    "PTCS, 2017 tree": PriorSystem(
        PTCSTree, "PTCS", f"{_PTCS}, half for a tree of height 3, corpus of 1"
    ),
}

FIVE = (
    "SDD",
    "PIM",
    *(f"PriSTE presence, alpha {a}" for a in ALPHAS),
    "DPT",
    "PTCS, 2016 form",
)
"""The five systems as the paper names them; PriSTE at each alpha."""

USUAL = (
    *FIVE,
    *(f"PriSTE edge, alpha {a}" for a in ALPHAS),
    "DPT, corpus of 31",
    "PTCS, expmech",
    "PTCS, 2017 tree",
    "CNoise, noisy ends",
)
"""The five, fairer forms of them, and plain noise for scale."""


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
        Baseline(name, system.make(budget), budget, unit, system.parameters)
        for name, system, unit in ((n, SYSTEMS[n], _unit(SYSTEMS[n].make)) for n in names)
        for budget in listed
    ]


def _unit(make: Callable[[float], Mechanism]) -> str:
    """Return what the budget of a system is about, as its own release says."""
    places: dict[Hashable, tuple[float, float]] = {"a": (0, 0), "b": (1, 0), "c": (1, 1)}
    network = Network.from_links([("a", "b"), ("b", "c")], coordinates=places)
    instance = Instance.of(network, Walk("abc"), known=network.without(("a", "b")))
    return str(make(1.0).publish(instance, np.random.default_rng(0)).budget.unit)
