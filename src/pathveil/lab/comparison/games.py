"""The prior systems and any other contestant, on the same maps, missing edges and random streams.

A trial is a map, a walk on it, one of the walk's edges taken uniformly as the missing one, and a
seed. Every contestant plays every trial: it publishes, is attacked by an adversary who lacks that
edge, is read by a participant who lacks none, and is attacked once more on a placebo. All chance
of a trial comes from its own number, so trials can be run anywhere, in any order and in any chunks,
and put together afterwards.

To add a contestant write a class with the members of :class:`Contestant`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

import numpy as np

from pathveil.lab.baselines import controls
from pathveil.lab.baselines.baseline_release import FloatArray, Instance, Mechanism, Release
from pathveil.lab.baselines.figure1 import ATTACKS
from pathveil.lab.baselines.reading import reading_chance, reading_guess
from pathveil.lab.baselines.scoring import credit
from pathveil.lab.baselines.view import Pair, View, observe, sorted_pair
from pathveil.lab.maps import random_map
from pathveil.model.network import Network
from pathveil.model.walk import Walk

MapMaker = Callable[[np.random.Generator], tuple[Network, Walk]]
Row = dict[str, str | float | int]

LESSONS = 400
"""Other maps of the same kind from which adversaries learn what lengths tell."""
FIRST_LESSON = 10**9
"""Their numbers begin here: no trial of a comparison is among them."""


@dataclass(frozen=True, eq=False)
class Trial:
    """One game: the secret, the edge the adversary lacks, what he holds, and the placebo.

    The placebo is an instance in the same scene whose missing edge is a uniform candidate, drawn
    without regard to the true one.
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
    earned, placebo
        Credits by attack, and the same on the placebo; attacks that do not apply are left out.
    distance
        Mean distance between published and true points, nan where nothing has a place.
    recovered
        Chance that a participant, who knows the network, reads back the exact walk at his best;
        nan where there is no way to read it.
    exact
        Loss proved for the contestant's unit; nan where unknown.
    alpha_asked, alpha_used
        For a system that calibrates another one: the other one's budget as it was set, and as it
        was used on average over the visits; nan for all others.
    """

    earned: Mapping[str, float]
    placebo: Mapping[str, float]
    distance: float
    recovered: float
    exact: float = float("nan")
    alpha_asked: float = float("nan")
    alpha_used: float = float("nan")


class Contestant(Protocol):
    """Whoever publishes walks and lets himself be attacked.

    It must be picklable, to run in a pool or on a cluster, and draw from ``rng`` only.
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

    @property
    def parameters(self) -> str:
        """Return what else was chosen, in words."""
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
    reach
        Public bound on the length of a link, in the map's units; None: any two vertices may be
        linked. It is the step bound of the systems that need one, and known to every adversary.
    length_weights
        What every adversary knows about lengths of links on such maps; :meth:`studied` learns it.
    """

    seed: int = 0
    make_map: MapMaker = field(default=partial(random_map, 10, 15))
    reach: float | None = None
    length_weights: tuple[float, float] = (0.0, 0.0)

    def stream(self, *key: int) -> np.random.Generator:
        """Return the generator of one purpose in one trial."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))

    def studied(self, lessons: int = LESSONS) -> Settings:
        """Return the same with what ``lessons`` other maps of the kind teach about lengths."""
        blank = replace(self, length_weights=(0.0, 0.0))
        others = (make_trial(FIRST_LESSON + i, blank) for i in range(lessons))
        weights = controls.learn_length_weights([(t.view, t.truth) for t in others])
        return replace(self, length_weights=weights)


def make_trial(number: int, settings: Settings) -> Trial:
    """Return a trial by its number: a pure function of that and the seed."""
    network, walk = settings.make_map(settings.stream(number, 0))
    links = sorted(walk.links)
    missing = links[int(settings.stream(number, 1).integers(len(links)))]
    instance = Instance.of(network, walk, known=network.without(missing), reach=settings.reach)
    view = observe(instance, missing, length_weights=settings.length_weights)
    return Trial(
        number,
        instance,
        missing,
        sorted_pair(network.index(missing[0]), network.index(missing[1])),
        view,
        controls.placebo(instance, view, settings.stream(number, 2)),
    )


def run_trials(
    contestants: Sequence[Contestant], trials: Iterable[int], settings: Settings
) -> list[Row]:
    """Return one row for each trial and contestant; rows of other chunks can simply be appended.

    Contestants get the same random stream in a trial, whatever their place in the list. Column
    ``attack/A`` is the credit of attack A, ``placebo/A`` the same on the placebo, ``control/C`` the
    credit of control C, which needs no release. Columns of attacks that do not apply are absent.
    """
    rows = []
    for number in trials:
        trial = make_trial(number, settings)
        shared = _shared(trial)
        for contestant in contestants:
            outcome = contestant.play(trial, settings.stream(number, 3))
            row: Row = {
                "system": contestant.name,
                "unit": contestant.unit,
                "parameters": contestant.parameters,
                "budget": contestant.budget,
                **shared,
                "exact": outcome.exact,
                "distance": outcome.distance,
                "recovered": outcome.recovered,
                "alpha_asked": outcome.alpha_asked,
                "alpha_used": outcome.alpha_used,
                **{f"attack/{attack}": earned for attack, earned in outcome.earned.items()},
                **{f"placebo/{attack}": earned for attack, earned in outcome.placebo.items()},
            }
            rows.append(row)
    return rows


def _shared(trial: Trial) -> Row:
    """Return what all contestants' rows of a trial have in common: its size and the controls."""
    return {
        "trial": trial.number,
        "g0": controls.pair_guess(trial.view),
        "g1": controls.candidate_guess(trial.view),
        "read_without": reading_guess(trial.instance.network),
        **{
            f"control/{name}": credit(answer(trial.view), trial.truth)
            for name, answer in controls.CONTROLS.items()
        },
    }


@dataclass(frozen=True, eq=False)
class Baseline:
    """A prior system as a contestant: published, attacked, read, published on the placebo."""

    name: str
    mechanism: Mechanism
    budget: float
    unit: str
    parameters: str = ""

    def play(self, trial: Trial, rng: np.random.Generator) -> GameOutcome:
        """Return the outcome of all attacks of Figure 1 and the utility of the release."""
        instance = trial.instance
        release = self.mechanism.publish(instance, rng)
        blank = self.mechanism.publish(trial.placebo, rng)
        exact, used = release.exact, release.meta.get("alpha")
        return GameOutcome(
            self._attacked(trial, release),
            self._attacked(trial, blank),
            mean_distance(release, instance.points),
            reading_chance(
                release, self.mechanism, instance.scene, instance.network, instance.indices
            ),
            float("nan") if exact is None else exact,
            float(getattr(self.mechanism, "alpha", np.nan)),
            float("nan") if used is None else float(used.mean()),
        )

    def _attacked(self, trial: Trial, release: Release) -> dict[str, float]:
        answers = {
            attack: answer(trial.view, release, self.mechanism)
            for attack, answer in ATTACKS.items()
        }
        return {
            attack: credit(answer, trial.truth)
            for attack, answer in answers.items()
            if answer is not None
        }


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
