"""What the unused links of a network betray of its used ones.

A link that no walk uses is shown off in every file. Once an outsider has found these links, they
tell him what the network is like: where its hubs are, whether it has two sides, whether links close
triangles and squares. Then the links used are easier to find than among pairs at random. Here is
how long it takes to tell them to someone who has all the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import BoolArray, IndexArray
from pathveil.model.graph_index import connected_parts
from pathveil.planning.path_counts import log_choose

FloatArray = npt.NDArray[np.float64]

MOST_HUBS = 128
"""Hubs that are looked at."""


@dataclass(frozen=True, slots=True)
class Joins:
    """What hubs join, in the order of their unused links.

    Attributes
    ----------
    reached
        For each link the number of hubs from which on it is a link of one of them.
    open, used
        For each number of hubs the pairs of theirs that are no unused link, and the links used
        among these.
    """

    reached: IndexArray
    open: FloatArray
    used: IndexArray


def hub_joins(size: int, pairs: int, ends: IndexArray, is_used: BoolArray) -> Joins:
    """Return what hubs join in a network some of whose links are used."""
    degrees = np.bincount(ends[~is_used].ravel(), minlength=size)
    rank = np.empty(size, dtype=np.int64)
    rank[np.argsort(-degrees, kind="stable")] = np.arange(size)
    reached = rank[ends].min(axis=1) + 1
    hubs = np.arange(1, min(size, MOST_HUBS) + 1)
    used, unused = (
        np.bincount(reached[mask], minlength=size + 1)[hubs].cumsum()
        for mask in (is_used, ~is_used)
    )
    touched = (hubs * size - hubs * (hubs + 1) / 2) * (2 * pairs / (size * (size - 1)))
    return Joins(reached, np.maximum(touched - unused, used), used)


Told = tuple[FloatArray, IndexArray]
"""The chance that each open pair is a link used, and the places of those that are."""


def log_by_shape(
    size: int, pairs: int, ends: IndexArray, is_used: BoolArray, told: Told | None = None
) -> float:
    """Return how long it takes to say which links are used to someone who has the others.

    Hubs are known by their unused links: it is to be said how many hubs count, how many links used
    are theirs, and which of their other pairs. Or all links lie between two sides: then every piece
    of what is left must be told its sides. Or links are like one another (:func:`odds_by_shape`).

    Parameters
    ----------
    size, pairs
        How many vertices, and how many pairs may be links.
    ends, is_used
        ``(m, 2)`` ends of all links, and which of them are used.
    told
        :func:`odds_by_shape`, if it is to be counted.

    Examples
    --------
    >>> star = np.array([[0, k] for k in range(1, 30)])
    >>> round(log_by_shape(30, 435, star, np.arange(29) < 10), 2)
    3.78
    """
    joins, count = hub_joins(size, pairs, ends, is_used), int(is_used.sum())
    left = pairs - (len(ends) - count)
    lengths = [
        log_choose(among, theirs)
        + log_choose(max(left - among, count - theirs), count - theirs)
        + 2 * log(hubs + 1)
        for hubs, (among, theirs) in enumerate(
            zip(joins.open.tolist(), joins.used.tolist(), strict=True), 1
        )
    ]
    best = min(lengths) + log(count + 1)
    side = _sides(size, ends)
    if side is not None:
        pieces, _ = connected_parts(size, ends[~is_used])
        across = float(side.sum() * (~side).sum()) - (len(ends) - count)
        best = min(best, log_choose(max(across, count), count) + (pieces - 1) * log(2))
    return best if told is None else min(best, _log_told_by(*told))


MOST_ALIKE, MOST_LEARNT = 400, 4_000
"""Vertices up to which pairs are compared by the short ways between their ends, and from how many
pairs an outsider learns."""


def odds_by_shape(size: int, ends: IndexArray, is_used: BoolArray) -> Told | None:
    """Return the chance that each open pair is a link used, and the places of those that are.

    In cliques, blocks, grids and rings of neighbours a link closes triangles and squares of other
    links. From the unused links an outsider learns what links are like: by logistic regression on
    the ways of two and of three links between the ends of a pair and on their degrees, each link
    without itself. None in networks that are too large for this.
    """
    count = int(is_used.sum())
    if size > MOST_ALIKE or count == len(ends):
        return None
    rest = np.zeros((size, size))
    u, v = ends[~is_used].T
    rest[u, v] = rest[v, u] = 1
    degrees = rest.sum(axis=0)
    two = rest @ rest
    three = two @ rest - rest * (degrees[:, None] + degrees[None, :] - 1)
    pairs = np.stack(np.triu_indices(size, 1))
    is_link = rest[pairs[0], pairs[1]] > 0
    ways, longer = two[pairs[0], pairs[1]], three[pairs[0], pairs[1]]
    both = np.log1p(degrees[pairs] - is_link).sum(axis=0)
    looks = np.stack(
        [np.ones(len(ways)), np.log1p(ways), ways / (1 + both), np.log1p(longer), both]
    )
    step = max(1, len(ways) // MOST_LEARNT)  # of the pairs that are not linked a part is enough
    seen = is_link | (np.arange(len(ways)) % step == 0)
    odds = _learnt_weights(looks[:, seen], is_link[seen]) @ looks[:, ~is_link]
    place = np.cumsum(~is_link) - 1
    low, high = np.sort(ends[is_used], axis=1).T
    number = low * size - low * (low + 1) // 2 + high - low - 1
    return _chances(odds, count), place[number]


def _learnt_weights(looks: FloatArray, is_link: BoolArray) -> FloatArray:
    """Return the weights of a logistic regression, by Newton's steps with a small ridge."""
    scale = looks.std(axis=1, keepdims=True) + 1e-9
    scale[0] = 1
    scaled, weights = looks / scale, np.zeros(len(looks))
    for _ in range(10):
        chance = 1 / (1 + np.exp(-np.clip(weights @ scaled, -30, 30)))
        slope = scaled @ (is_link - chance) - weights
        bend = (scaled * (chance * (1 - chance))) @ scaled.T + np.eye(len(weights))
        weights = weights + np.clip(np.linalg.solve(bend, slope), -3, 3)
    learnt: FloatArray = weights / scale[:, 0]
    return learnt


def _chances(odds: FloatArray, count: int) -> FloatArray:
    """Return odds as chances that add up to a number."""
    low, high = -60.0, 60.0
    for _ in range(40):
        middle = (low + high) / 2
        chance = 1 / (1 + np.exp(-np.clip(odds + middle, -500, 500)))
        low, high = (middle, high) if chance.sum() < count else (low, middle)
    return np.clip(chance, 1e-12, 1 - 1e-12)


def _log_told_by(chances: FloatArray, used: IndexArray) -> float:
    """Return how long it takes to say which pairs are used, their number known."""
    told = float(np.log1p(-chances).sum() - np.log1p(-chances[used]).sum())
    told += float(np.log(chances[used]).sum())
    spread = float((chances * (1 - chances)).sum())
    return max(-told - max(log(2 * pi * spread) / 2, 0.0), 0.0)


def _sides(size: int, ends: IndexArray) -> BoolArray | None:
    """Return which vertices are on one of two sides, if a network hangs together and has sides.

    Take each vertex twice and link each only to the other kind: with sides that falls in two.
    """
    other = np.array([0, size])
    crossed = np.concatenate([ends + other, ends + other[::-1]])
    parts, part = connected_parts(2 * size, crossed)
    return part[:size] == part[0] if parts == 2 else None
