"""The attack of the paper's Figure 1 on a released trajectory, and its stronger forms.

The figure groups each published point with the real vertex near it; two consecutive points then
link two groups, and a link that is no known edge "must" be the missing one. That is A1, the literal
attack; it guesses among all absent pairs though the adversary knows better, so it is also given
restricted to the joins he holds (``joins``). A2 to A4 use more of what he holds; the likelihood
attack uses all of it and the law of the mechanism too, so where all candidates are equally likely
beforehand no other attack guesses right more often on average. Where lengths tell candidates apart
beforehand, as on real maps, ``plausible`` adds that.

Each attack takes the adversary's :class:`~pathveil.lab.baselines.view.View`, a release and the
mechanism, and answers with the edges it holds likeliest, ties together; an empty answer is an
abstention, None means that the attack does not apply. No attack sees the truth;
:func:`pathveil.lab.baselines.scoring.credit` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
from scipy.spatial.distance import cdist

from pathveil.lab.baselines.baseline_release import FloatArray, Mechanism, Release, log_likelihood
from pathveil.lab.baselines.controls import length_logits
from pathveil.lab.baselines.view import Pair, View, sorted_pair

Answer = tuple[Pair, ...] | None
Attack = Callable[[View, Release, Mechanism | None], Answer]


def nearest(view: View, release: Release, _: Mechanism | None = None) -> Answer:
    """Return the links between nearest vertices that are no known edge (A1, the literal figure)."""
    near, first = view.scene.nearest(release.points), release.links
    links = {
        sorted_pair(u, v)
        for u, v in zip(near[first].tolist(), near[first + 1].tolist(), strict=True)
        if u != v
    }
    return tuple(sorted(links.intersection(view.absent)))


def joins(view: View, release: Release, _: Mechanism | None = None) -> Answer:
    """Return what A1 finds among the candidates, or all of them if it finds none there."""
    found = nearest(view, release) or ()
    return tuple(pair for pair in found if pair in view.candidates) or view.candidates


def closeness(view: View, release: Release, _: Mechanism | None = None) -> Answer:
    """Return the candidate nearest to some pair of consecutive points (A2).

    It needs no alignment. Where an end is published exactly its zero distance attracts the
    candidates at that end, which are wrong: it can fall below chance there.
    """
    if not len(release.links):
        return ()
    near = cdist(release.points, view.scene.positions)
    here, there = near[release.links], near[release.links + 1]
    scores = np.array(
        [
            min((here[:, u] + there[:, v]).min(), (here[:, v] + there[:, u]).min())
            for u, v in view.candidates
        ]
    )
    return view.least(scores)


def completion(view: View, release: Release, _: Mechanism | None = None) -> Answer:
    """Return the candidate whose completed walk lies nearest to the release by visit (A3)."""
    return _completion(view, release, skip=())


def interior(view: View, release: Release, _: Mechanism | None = None) -> Answer:
    """Return the same as A3 with exactly published points left out: closeness alone."""
    return _completion(view, release, skip=release.exact_indices)


def _completion(view: View, release: Release, *, skip: tuple[int, ...]) -> Answer:
    if not _fits(view, release):
        return None
    distances = cdist(release.points, view.scene.positions)
    distances[list(skip)] = 0.0
    visits = np.arange(len(distances))
    scores = np.array(
        [distances[visits, view.completions[p]].sum(axis=1).min() for p in view.candidates]
    )
    return view.least(scores)


def likelihood(view: View, release: Release, mechanism: Mechanism | None = None) -> Answer:
    """Return the candidate of highest posterior, given the law of the mechanism (A3, Bayes).

    All candidates are equally likely beforehand, and so are the completions of each.
    """
    return _posterior(view, release, mechanism, np.zeros(len(view.candidates)))


def plausible(view: View, release: Release, mechanism: Mechanism | None = None) -> Answer:
    """Return the same with candidates weighed by their lengths beforehand."""
    return _posterior(view, release, mechanism, length_logits(view))


def _posterior(
    view: View, release: Release, mechanism: Mechanism | None, prior: FloatArray
) -> Answer:
    assert mechanism is not None
    scores = _evidence(view, release, mechanism)
    if scores is None:
        return None
    scores = scores + prior
    if not np.isfinite(scores).any():
        return ()
    return view.least(-scores)


@lru_cache(maxsize=2)
def _evidence(view: View, release: Release, law: Mechanism) -> FloatArray | None:
    """Return the log of the mean likelihood of each candidate's completions; None if unknown."""
    if release.aligned and not _fits(view, release):
        return None
    rows = [view.completions[pair] for pair in view.candidates]
    logs = log_likelihood(law, release, view.scene, np.concatenate(rows))
    if logs is None:
        return None
    bounds = np.cumsum([len(row) for row in rows])[:-1]
    return np.array([_log_mean(part) for part in np.split(logs, bounds)])


def _log_mean(logs: FloatArray) -> float:
    """Return the log of the mean of numbers given by their logs."""
    top = float(logs.max())
    return top if top == -np.inf else top + float(np.log(np.exp(logs - top).mean()))


def endpoints(view: View, release: Release, _: Mechanism | None = None) -> Answer:
    """Return the candidates that leave exactly the published ends as ends of the walk (A4).

    It applies where both ends are published exactly, and needs no closeness: for a simple path one
    candidate is left.
    """
    if not len(release.points):
        return None
    last = len(release.points) - 1
    if not {0, last} <= set(release.exact_indices):
        return None
    at = cdist(release.points[[0, last]], view.scene.positions) == 0
    first, second = (frozenset(np.flatnonzero(row).tolist()) for row in at)
    return tuple(
        pair
        for pair in view.candidates
        if any(view.ends_with(pair) == {u, v} for u in first for v in second)
    )


ATTACKS: Mapping[str, Attack] = {
    "nearest": nearest,
    "joins": joins,
    "closeness": closeness,
    "completion": completion,
    "interior": interior,
    "likelihood": likelihood,
    "plausible": plausible,
    "endpoints": endpoints,
}


def _fits(view: View, release: Release) -> bool:
    """Return whether point j of the release can be read as visit j of a completion."""
    return release.aligned and len(release.points) == len(view.scene.vertices)
