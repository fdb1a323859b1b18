"""What every attack is measured against: guesses without a release, releases without the secret.

An attack's success says nothing by itself. What the adversary holds already narrows the missing
edge down to few candidates, and on a real map it tells more: streets and cables are short, and
a walk seldom turns back. Each control here answers from the adversary's view
alone; the best of them on a kind of map is the baseline there
(:func:`pathveil.lab.baselines.scoring.baseline_control`).

On the paper's maps, whose edges are uniform, no control can beat the random guess among the
candidates (G1): all candidates are alike. On a street map the shortest candidate is right nearly
always, and an attack that beats G1 there may have learned nothing from the release.

A *placebo* is a release that tells of another, equally possible missing edge: an attack that finds
the true one in it reads the answer from somewhere it should not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from pathveil.lab.baselines.baseline_release import FloatArray, Instance
from pathveil.lab.baselines.view import Pair, View
from pathveil.model.network import Network
from pathveil.model.walk import Walk

Control = Callable[[View], tuple[Pair, ...]]
SHORTEST = 1e-6  # of the mean edge: two vertices at one place have no logarithm of their distance


def pair_guess(view: View) -> float:
    """Return G0: the success of guessing among all absent pairs."""
    return 1 / len(view.absent)


def candidate_guess(view: View) -> float:
    """Return G1: the success of guessing among the candidates, all alike."""
    return 1 / len(view.candidates)


def length_features(view: View) -> FloatArray:
    """Return ``(candidates, 2)``: each length over the mean known edge, and its logarithm."""
    edges = view.scene.distances[tuple(view.known.pairs.T)]
    scale = float(edges.mean()) if len(edges) and edges.mean() > 0 else view.scene.diameter
    lengths = np.maximum(_lengths(view, view.candidates) / scale, SHORTEST)
    return np.column_stack([lengths, np.log(lengths)])


@lru_cache(maxsize=4)
def length_logits(view: View) -> FloatArray:
    """Return how plausible each candidate is by its length, as a log-weight.

    The weights are what the adversary knows about maps of this kind (``view.length_weights``, see
    :func:`learn_length_weights`); with none, all candidates are alike.
    """
    return np.asarray(length_features(view) @ np.array(view.length_weights), dtype=np.float64)


def learn_length_weights(lessons: Sequence[tuple[View, Pair]]) -> tuple[float, float]:
    """Return how lengths tell missing edges from other candidates, by conditional logit.

    Parameters
    ----------
    lessons
        Other maps of the same kind with their missing edges: what somebody knows who has studied
        such maps, and nothing about the one at hand.
    """
    from scipy.optimize import minimize

    asked = [
        (length_features(view), view.candidates.index(truth))
        for view, truth in lessons
        if len(view.candidates) > 1
    ]
    if not asked:
        return (0.0, 0.0)

    def loss(weights: FloatArray) -> float:
        total = 0.01 * float(weights @ weights)  # keeps weights finite where lengths decide all
        for features, place in asked:
            logits = features @ weights
            top = logits.max()
            total += float(top + np.log(np.exp(logits - top).sum()) - logits[place])
        return total

    found = minimize(loss, np.zeros(2), method="BFGS").x
    return float(found[0]), float(found[1])


def shortest(view: View) -> tuple[Pair, ...]:
    """Return the shortest candidate."""
    return view.least(_lengths(view, view.candidates))


def longest(view: View) -> tuple[Pair, ...]:
    """Return the longest candidate: for maps that join what is far."""
    return view.least(-_lengths(view, view.candidates))


def straightest(view: View) -> tuple[Pair, ...]:
    """Return the candidate whose completed walk turns least."""
    places, rows = view.scene.positions, view.completions
    return view.least(np.array([_turning(places[rows[p]]).min() for p in view.candidates]))


def any_candidate(view: View) -> tuple[Pair, ...]:
    """Return all candidates: G1."""
    return view.candidates


def likely_length(view: View) -> tuple[Pair, ...]:
    """Return the candidate whose length is most like a missing edge's, on maps of this kind."""
    return view.least(-length_logits(view))


CONTROLS: Mapping[str, Control] = {
    "any candidate": any_candidate,
    "likely length": likely_length,
    "shortest": shortest,
    "longest": longest,
    "straightest": straightest,
}
"""Answers without any release; the first, G1, is the baseline unless another is shown better."""


def placebo(instance: Instance, view: View, rng: np.random.Generator) -> Instance:
    """Return an instance in the same scene in which a uniform candidate is the missing edge.

    The adversary's view is the same and the release fits it, so no attack abstains; and it tells of
    a candidate drawn without regard to the truth.
    """
    names = instance.network.vertices
    pair = view.candidates[int(rng.integers(len(view.candidates)))]
    rows = view.completions[pair]
    walk = Walk(names[i] for i in rows[int(rng.integers(len(rows)))].tolist())
    pairs = np.unique(np.vstack([view.known.pairs, [pair]]), axis=0)
    return Instance(Network(names, pairs, instance.network.coordinates), walk, instance.scene)


def _lengths(view: View, pairs: tuple[Pair, ...]) -> FloatArray:
    return np.array([view.scene.distances[pair] for pair in pairs])


def _turning(points: FloatArray) -> FloatArray:
    """Return by how much each walk of a stack turns in all, in radians."""
    steps = np.diff(points, axis=1)
    headings = np.arctan2(steps[..., 1], steps[..., 0])
    turns = np.abs((np.diff(headings, axis=1) + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray(turns.sum(axis=1), dtype=np.float64)
