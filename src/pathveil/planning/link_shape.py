"""What the unused links of a network betray of its used ones.

A link that no walk uses is shown off in every file. Once an outsider has found these links, they
tell him what the network is like: where its hubs are, whether it has two sides, whether links close
triangles and squares. Then the links used are easier to find than among pairs at random. Here is
how long it takes to tell them to someone who has all the others. What the others have not yet lost
of what it takes to find them is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log, pi

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import BoolArray, IndexArray
from pathveil.model.graph_index import connected_parts
from pathveil.planning.path_counts import log_choose

FloatArray = npt.NDArray[np.float64]

MOST_HUBS = 128
"""Hubs that are looked at."""
MOST_ALIKE, MOST_LEARNT = 400, 4_000
"""Vertices up to which pairs are compared by the short ways between their ends, and from how many
pairs an outsider learns."""


@dataclass(frozen=True, slots=True)
class Told:
    """What links are like, learnt from the unused ones.

    Attributes
    ----------
    chances, used
        The chance that each open pair is a link used, and the places of those that are.
    ways
        For each vertex the sum of these chances over its pairs.
    found
        For each unused link how long it takes to find it, the others known.
    """

    chances: FloatArray
    used: IndexArray
    ways: FloatArray
    found: FloatArray


@dataclass(frozen=True, eq=False)
class UnusedLinks:
    """The links that no walk uses, and how long it takes to say which are used beside them.

    Parameters
    ----------
    size, pairs
        How many vertices, and how many pairs may be links.
    ends, is_used
        ``(m, 2)`` ends of all links, and which of them are used.
    lost
        What each unused link has lost.

    Examples
    --------
    >>> star = np.array([[0, k] for k in range(1, 30)])
    >>> round(UnusedLinks(30, 435, star, np.arange(29) < 10, lost=5.0).log_used(), 2)
    3.78
    """

    size: int
    pairs: int
    ends: IndexArray
    is_used: BoolArray
    lost: float

    @cached_property
    def missing(self) -> FloatArray:
        """How far each of them is from being found, in nats; below zero if it is."""
        if self.told is not None:
            return self.told.found - self.lost
        count = int((~self.is_used).sum())
        return np.full(count, 1 + log(self.pairs / max(count, 1)) - self.lost)

    @cached_property
    def unknown(self) -> float:
        """What is missing of all of them."""
        return max(float(self.missing.sum()), 0.0)

    def log_used(self) -> float:
        """Return how long it takes to say which links are used.

        Hubs are known by their unused links, or named: it is to be said how many hubs count, how
        many links used are theirs, and which of their other pairs. Or all links lie between two
        sides: then every piece of what is left must be told its sides, or every vertex. Or links
        are like one another.
        """
        size, count, unknown = self.size, int(self.is_used.sum()), self.unknown
        left = self.pairs - (len(self.ends) - count)
        _, free, used = self._joins
        lengths = [
            log_choose(among, theirs)
            + log_choose(max(left - among, count - theirs), count - theirs)
            + min(2 * log(hubs + 1) + unknown, log_choose(size, hubs))
            for hubs, among, theirs in zip(range(1, len(free) + 1), free, used, strict=True)
        ]
        best = min(lengths) + log(count + 1)
        side = _sides(size, self.ends)
        if side is not None:
            pieces, _ = connected_parts(size, self.ends[~self.is_used])
            across = float(side.sum() * (~side).sum()) - (len(self.ends) - count)
            sides = min((pieces - 1) * log(2) + unknown, (size - 1) * log(2))
            best = min(best, log_choose(max(across, count), count) + sides)
        if self.told is None:
            return best
        return min(best, _log_told_by(self.told.chances, self.told.used) + unknown)

    def log_walk(self, links: Sequence[int]) -> float:
        """Return how long it takes to find some links used of one walk, step by step.

        From a vertex the walk takes one of its likely pairs, as far as the unused links beside it
        are found.
        """
        if self.told is None:
            return inf
        chance, ends = self.told.chances[self.told.used[links]], self.ends[links]
        on_walk = np.zeros(self.size, dtype=bool)
        on_walk[ends] = True
        beside = on_walk[self.ends[~self.is_used]].any(axis=1)
        taken = np.bincount(ends.ravel(), np.repeat(chance, 2), self.size)
        others = np.maximum((self.told.ways - taken)[ends].min(axis=1), 0.0)
        steps = float(np.log1p(others / chance).sum())
        return log(self.size / 2) + steps + max(float(self.missing[beside].sum()), 0.0)

    def at_hubs(
        self, losses: FloatArray, walks: Iterable[Sequence[int]]
    ) -> tuple[float, list[int]]:
        """Return the excess of the links used at the largest hubs, and these links.

        A link used there is one of the hub's other pairs, and of each walk it is to be said which
        of them it takes.
        """
        reached, free, _ = self._joins
        reached, rows = reached[self.is_used], [list(dict.fromkeys(walk)) for walk in walks]
        answers: list[tuple[float, list[int]]] = [(-inf, [])]
        for hubs in np.unique(reached[reached <= len(free)]).tolist():
            theirs = reached <= hubs
            part = np.flatnonzero(theirs).tolist()
            length = log_choose(free[hubs - 1], len(part))
            length += min(log(self.size) + self.unknown, log_choose(self.size, hubs))
            length += sum(log_choose(len(part), int(theirs[row].sum())) for row in rows)
            answers.append((float(losses[part].sum()) - length, part))
        return max(answers, key=lambda answer: answer[0])

    @cached_property
    def _joins(self) -> tuple[IndexArray, list[float], list[int]]:
        """What hubs join, in the order of their unused links.

        For each link the number of hubs from which on it is one of theirs; for each number of hubs
        the pairs of theirs that are no unused link, and the links used among these.
        """
        size = self.size
        degrees = np.bincount(self.ends[~self.is_used].ravel(), minlength=size)
        rank = np.empty(size, dtype=np.int64)
        rank[np.argsort(-degrees, kind="stable")] = np.arange(size)
        reached = rank[self.ends].min(axis=1) + 1
        hubs = np.arange(1, min(size, MOST_HUBS) + 1)
        used, unused = (
            np.bincount(reached[mask], minlength=size + 1)[hubs].cumsum()
            for mask in (self.is_used, ~self.is_used)
        )
        touched = (hubs * size - hubs * (hubs + 1) / 2) * (2 * self.pairs / (size * (size - 1)))
        return reached, np.maximum(touched - unused, used).tolist(), used.tolist()

    @cached_property
    def told(self) -> Told | None:
        """What links are like.

        In cliques, blocks, grids and rings of neighbours a link closes triangles and squares of
        other links. An outsider learns this by logistic regression on the ways of two and of three
        links between the ends of a pair and on their degrees, each link without itself. None in
        networks that are too large for this.
        """
        size, count = self.size, int(self.is_used.sum())
        if size > MOST_ALIKE or count == len(self.ends):
            return None
        rest = np.zeros((size, size))
        u, v = self.ends[~self.is_used].T
        rest[u, v] = rest[v, u] = 1
        degrees = rest.sum(axis=0)
        two = rest @ rest
        three = two @ rest - rest * (degrees[:, None] + degrees[None, :] - 1)
        pairs = np.stack(np.triu_indices(size, 1))
        is_link = rest[pairs[0], pairs[1]] > 0
        short, longer = two[pairs[0], pairs[1]], three[pairs[0], pairs[1]]
        both = np.log1p(degrees[pairs] - is_link).sum(axis=0)
        looks = np.stack(
            [np.ones(len(short)), np.log1p(short), short / (1 + both), np.log1p(longer), both]
        )
        step = max(1, len(short) // MOST_LEARNT)  # a part of the pairs without a link is enough
        seen = is_link | (np.arange(len(short)) % step == 0)
        odds = _learnt_weights(looks[:, seen], is_link[seen]) @ looks
        low, high = np.sort(self.ends, axis=1).T
        number = low * size - low * (low + 1) // 2 + high - low - 1
        chances, ways = _chances(odds[~is_link], count), np.zeros(size)
        for end in pairs[:, ~is_link]:
            ways += np.bincount(end, chances, size)
        like = 1 / (1 + step * np.exp(np.clip(-odds[number[~self.is_used]], -30, 30)))
        found = -np.log(like) - (1 - like) / like * np.log1p(-like)
        place = np.cumsum(~is_link) - 1
        return Told(chances, place[number[self.is_used]], ways, found)


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
    for _ in range(24):
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
