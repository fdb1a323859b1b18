"""The prior systems and any other contestant, on the same maps, missing edges and random streams.

A trial is a map, a walk on it, one of the walk's edges taken uniformly as the missing one, and a
seed. Every contestant plays every trial: it publishes, is attacked by an adversary who lacks that
edge, and does the same once more on a placebo. All chance of a trial comes from its own number, so
trials can be run anywhere, in any order and in any chunks, and put together afterwards.

To add a contestant write a class with the four members of :class:`Contestant`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import numpy as np

from pathveil.baselines import controls
from pathveil.baselines.dpt import DPT
from pathveil.baselines.figure1 import ATTACKS
from pathveil.baselines.location_sets import LocationSets
from pathveil.baselines.naive_noise import CNoise, GNoise, PNoise
from pathveil.baselines.priste import PriSTE
from pathveil.baselines.ptcs import PTCS
from pathveil.baselines.release import FloatArray, Instance, Mechanism, Release
from pathveil.baselines.scoring import Credit, credit
from pathveil.baselines.sdd import SDD
from pathveil.baselines.view import Pair, View, observe, sorted_pair
from pathveil.maps import random_map
from pathveil.model.network import Network
from pathveil.model.walk import Walk

MapMaker = Callable[[np.random.Generator], tuple[Network, Walk]]
Row = dict[str, str | float | int]


@dataclass(frozen=True, eq=False)
class Trial:
    """One game: the secret, the edge the adversary lacks, what he holds, and the placebo.

    The placebo is an instance in the same scene whose walk has nothing to do with the secret.
    """

    number: int
    instance: Instance
    missing: tuple[str, str]
    truth: Pair
    view: View
    placebo: Instance


@dataclass(frozen=True, eq=False)
class GameOutcome:
    """What one contestant did in one trial.

    Parameters
    ----------
    credits_
        By attack; attacks that do not apply are left out.
    placebo
        The same on the placebo.
    distance
        Mean distance between published and true points, nan where nothing has a place.
    recovered
        Whether a participant, who knows the network, reads back the exact walk (1 or 0, or a
        chance of it).
    claimed, exact
        Loss claimed and proved for the contestant's unit; nan where unknown.
    """

    credits_: Mapping[str, Credit]
    placebo: Mapping[str, Credit]
    distance: float
    recovered: float
    claimed: float
    exact: float = float("nan")


class Contestant(Protocol):
    """Whoever publishes walks and lets himself be attacked.

    It must be picklable, to run in a pool or on a cluster, and draw from ``rng`` only. It names
    its attacks as it likes, save for the other columns of :func:`run_trials`.
    """

    @property
    def name(self) -> str:
        """Return the row label."""
        ...

    @property
    def unit(self) -> str:
        """Return what its budget is about."""
        ...

    @property
    def budget(self) -> float:
        """Return the budget, the abscissa of the figures."""
        ...

    def play(self, trial: Trial, rng: np.random.Generator) -> GameOutcome:
        """Return what its publication of the trial's walk gives away and is good for."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    """What all trials share.

    Parameters
    ----------
    seed
        Of the whole comparison.
    make_map
        A picklable callable from a generator to a network with positions and a walk on it.
    """

    seed: int = 0
    make_map: MapMaker = field(default=partial(random_map, 10, 15))

    def stream(self, *key: int) -> np.random.Generator:
        """Return the generator of one purpose in one trial."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))


def make_trial(number: int, settings: Settings) -> Trial:
    """Return a trial by its number: a pure function of that and the seed."""
    network, walk = settings.make_map(settings.stream(number, 0))
    edges = sorted(walk.edges)
    missing = edges[int(settings.stream(number, 1).integers(len(edges)))]
    instance = Instance.of(network, walk, known=network.without(missing))
    return Trial(
        number,
        instance,
        missing,
        sorted_pair(network.index(missing[0]), network.index(missing[1])),
        observe(instance, missing),
        controls.placebo(instance, settings.stream(number, 2)),
    )


def run_trials(
    contestants: Sequence[Contestant], trials: Iterable[int], settings: Settings
) -> list[Row]:
    """Return one row for each trial and contestant; rows of other chunks can simply be appended.

    Contestants get the same random stream in a trial, whatever their place in the list. Column
    ``A`` is the credit of attack A, ``A/fallback`` the same with a random candidate instead of an
    abstention, ``A/abstained`` and ``A/placebo`` what they say; columns of attacks that do not
    apply are absent.
    """
    rows = []
    for number in trials:
        trial = make_trial(number, settings)
        shared: Row = {
            "trial": number,
            "candidates": len(trial.view.candidates),
            "segment": min(len(piece) for piece in trial.view.pieces),
            "g0": controls.pair_guess(trial.view),
            "g1": controls.candidate_guess(trial.view),
        }
        for contestant in contestants:
            outcome = contestant.play(trial, settings.stream(number, 3))
            row: Row = {
                "system": contestant.name,
                "unit": contestant.unit,
                "budget": contestant.budget,
                **shared,
                "claimed": outcome.claimed,
                "exact": outcome.exact,
                "distance": outcome.distance,
                "recovered": outcome.recovered,
            }
            for attack, earned in outcome.credits_.items():
                row[attack] = earned.success
                row[f"{attack}/fallback"] = earned.fallback
                row[f"{attack}/abstained"] = float(earned.abstained)
                if attack in outcome.placebo:
                    row[f"{attack}/placebo"] = outcome.placebo[attack].success
            rows.append(row)
    return rows


@dataclass(frozen=True, eq=False)
class Baseline:
    """A prior system as a contestant: published, attacked, published again on the placebo."""

    name: str
    mechanism: Mechanism
    budget: float
    unit: str

    def play(self, trial: Trial, rng: np.random.Generator) -> GameOutcome:
        """Return the outcome of all attacks of Figure 1 and the utility of the release."""
        release = self.mechanism.publish(trial.instance, rng)
        blank = self.mechanism.publish(trial.placebo, rng)
        exact = release.budget.exact
        return GameOutcome(
            self._attacked(trial, release),
            self._attacked(trial, blank),
            mean_distance(release, trial.instance.points),
            float(is_recovered(release, trial.instance)),
            release.budget.claimed,
            float("nan") if exact is None else exact,
        )

    def _attacked(self, trial: Trial, release: Release) -> dict[str, Credit]:
        guess = controls.candidate_guess(trial.view)
        earned = {
            attack: credit(answer(trial.view, release, self.mechanism), trial.truth, guess=guess)
            for attack, answer in ATTACKS.items()
        }
        return {attack: value for attack, value in earned.items() if value is not None}


def mean_distance(release: Release, true: FloatArray) -> float:
    """Return the mean distance between the release and the true points, visit by visit.

    A release with another number of points is stretched to the walk's, evenly by index; of
    several released sequences the mean is taken.
    """
    ends = (*release.starts[1:], len(release.points))
    means = []
    for start, end in zip(release.starts, ends, strict=True):
        points = release.points[start:end]
        at = np.linspace(0, len(points) - 1, len(true))
        index = np.arange(len(points))
        stretched = np.column_stack([np.interp(at, index, points[:, axis]) for axis in (0, 1)])
        means.append(float(np.hypot(*(stretched - true).T).mean()))
    return float(np.mean(means))


def is_recovered(release: Release, instance: Instance) -> bool:
    """Return whether a participant who knows the network reads the exact walk from the release.

    He takes, among all walks of the network with as many visits, the one nearest to the published
    points in total; either direction counts. Releases that are not aligned are never exact.
    """
    if not release.aligned or len(release.points) != len(instance.walk):
        return False
    scene, network = instance.scene, instance.network
    costs = np.hypot(*(release.points[:, None] - scene.positions[None]).transpose(2, 0, 1))
    closed = np.full((len(network), len(network)), np.inf)
    first, second = network.pairs.T
    closed[first, second] = closed[second, first] = 0.0
    best, back = costs[0], []
    for cost in costs[1:]:
        total = best[:, None] + closed
        back.append(total.argmin(axis=0))
        best = total.min(axis=0) + cost
    path = [int(best.argmin())]
    for previous in reversed(back):
        path.append(int(previous[path[-1]]))
    true = instance.indices.tolist()
    return true in (path, path[::-1])


SYSTEMS: Mapping[str, Callable[[float], Mechanism]] = {
    "SDD": SDD,
    "SDD tight": partial(SDD, variant="tight"),
    "CNoise": CNoise,
    "PNoise": PNoise,
    "GNoise": GNoise,
    "CNoise, noisy ends": partial(CNoise, exact_ends=False),
    "PIM": LocationSets,
    "PriSTE presence": partial(PriSTE, event="presence"),
    "PriSTE edge": partial(PriSTE, event="edge"),
    "DPT": DPT,
    "DPT, corpus of 31": partial(DPT, companions=30),
    "PTCS": PTCS,
    "PTCS expmech": partial(PTCS, calibration="expmech", dedupe=False),
}
FIVE = ("SDD", "PIM", "PriSTE presence", "DPT", "PTCS")


def prior_systems(
    budgets: Iterable[float], names: Iterable[str] = tuple(SYSTEMS)
) -> list[Baseline]:
    """Return the prior systems, and fairer or simpler forms of them, at each budget.

    One budget means something else to each: ``unit`` says what.

    Parameters
    ----------
    names
        Some of :data:`SYSTEMS`; :data:`FIVE` are the ones the paper names.
    """
    units = {name: _unit(SYSTEMS[name]) for name in names}
    return [
        Baseline(name, SYSTEMS[name](budget), budget, unit)
        for name, unit in units.items()
        for budget in budgets
    ]


def _unit(make: Callable[[float], Mechanism]) -> str:
    """Return what the budget of a system is about, as its own release says."""
    places: dict[Hashable, tuple[float, float]] = {"a": (0, 0), "b": (1, 0), "c": (1, 1)}
    network = Network.from_edges([("a", "b"), ("b", "c")], coordinates=places)
    instance = Instance.of(network, Walk("abc"), known=network.without(("a", "b")))
    return str(make(1.0).publish(instance, np.random.default_rng(0)).budget.unit)
