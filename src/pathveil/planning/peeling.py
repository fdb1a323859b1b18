"""The most conspicuous part of the links that walks use, by peeling.

Theory of operation. For a part A of the s links used, LOSS(A) says how far its patterns stand out,
D(A) how long they take to describe, and ln C(s, a) how many parts of this size there are. By
Markov's inequality pure chaff shows a part with LOSS - D - ln C(s, a) above zero with a chance of
about one at most, and above lambda with a chance of e^-lambda. Looking at all parts is out of
reach, so links are taken away one by one, each time the one whose going leaves the largest value.
That bounds the excess from below.

Two descriptions of a part compete, as for the whole: *prior* (its links among all pairs, and walks
of the network that show them) and *set* (which pairs, and how walks run among them). Peeling is
done by each of them, and at each step the shorter counts. A walk of l links shows c links of the
part in r runs; taking a link away changes c by one and r by at most one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import BoolArray, IndexArray
from pathveil.planning.path_counts import log_choices, log_choose, log_factorial, log_falling

FloatArray = npt.NDArray[np.float64]

STEPS = 1200
"""Steps of one peeling; of more links several go at a time."""


@dataclass(frozen=True, slots=True, repr=False)
class ShownWalks:
    """Walks as sequences of the links that they use, each link once, in order.

    Parameters
    ----------
    rows
        For each walk its links, by number.
    growths
        For each walk ln b, by what paths of its network grow with each link.
    ends
        The two ends of each link.
    size, links, pairs
        Vertices and links of the network, and pairs that may be links.
    """

    rows: list[list[int]]
    growths: list[float]
    ends: IndexArray
    size: int
    links: int
    pairs: int


def most_conspicuous(walks: ShownWalks, losses: FloatArray, once: float) -> tuple[float, list[int]]:
    """Return the largest excess met in peeling, and the links of that part.

    Parameters
    ----------
    losses
        What each link lost.
    once
        What the files cost in addition; it counts for every part.
    """
    answers = []
    for by_set in (False, True):
        peeling = _Peeling(walks, losses, once)
        best, part = -inf, peeling.left
        while True:
            value = peeling.value()
            if value > best:
                best, part = value, peeling.left.copy()
            if peeling.count <= 1:
                break
            peeling.take(by_set=by_set)
        answers.append((best, np.flatnonzero(part).tolist()))
    return max(answers, key=lambda answer: answer[0])


def part_length(walks: ShownWalks, losses: FloatArray, part: BoolArray) -> float:
    """Return the length of the shorter description of one part: its links, and walks that show it.

    Parameters
    ----------
    losses
        What each link lost.
    part
        Which links belong to it.
    """
    peeling = _Peeling(walks, losses, 0.0)
    peeling.restrict(part)
    return peeling.length()


class _Peeling:
    """The links that are left, and how the walks show them."""

    def __init__(self, walks: ShownWalks, losses: FloatArray, once: float) -> None:
        self.walks, self.losses, self.once = walks, losses, once
        self.lengths = np.array([len(row) for row in walks.rows], dtype=np.int64)
        self.growths = np.array(walks.growths)
        self.entry_link = np.array([link for row in walks.rows for link in row], dtype=np.int64)
        self.entry_walk = np.repeat(np.arange(len(self.lengths)), self.lengths)
        # One place before and after each walk that shows nothing, so that runs end there.
        self.at = np.arange(len(self.entry_link)) + 2 * self.entry_walk + 1
        self.each = max(1, len(losses) // STEPS)
        longest = int(self.lengths.max()) + 3
        self.log_factorial = np.array([log_factorial(k) for k in range(2 * longest + 2)])
        self.restrict(np.ones(len(losses), dtype=bool))

    def restrict(self, left: BoolArray) -> None:
        """Leave these links."""
        self.left, self.count = left, int(left.sum())
        walks, shown = len(self.lengths), left[self.entry_link]
        self.shown = np.zeros(len(self.entry_link) + 2 * walks, dtype=np.int64)
        self.shown[self.at] = shown
        begins = shown & (self.shown[self.at - 1] == 0)
        # c: links of the part that each walk shows; r: in how many runs.
        self.seen = np.bincount(self.entry_walk[shown], minlength=walks)
        self.runs = np.bincount(self.entry_walk[begins], minlength=walks)
        self.degrees = np.bincount(
            self.walks.ends[left].ravel(), minlength=int(self.walks.ends.max()) + 1
        )

    # -- descriptions of what is left -------------------------------------------------------------

    def length(self) -> float:
        """Return D of what is left."""
        return min(self._prior(), self._set())

    def value(self) -> float:
        """Return LOSS - D - ln C(s, a) of what is left."""
        lost = float(self.losses[self.left].sum()) + self.once
        return lost - self.length() - log_choose(len(self.losses), self.count)

    def _prior(self) -> float:
        pairs, links, count = self.walks.pairs, self.walks.links, self.count
        which = log_falling(pairs, count) - log_falling(links, count)
        shown = self._prior_of_walks(self.seen, self.runs, slice(None))
        return which + float((shown + self._avoiding(self.seen, slice(None), count)).sum())

    def _prior_of_walks(self, seen: IndexArray, runs: IndexArray, walks: _Rows) -> FloatArray:
        """Return what walks of the network cost that show ``seen`` links in ``runs`` runs."""
        table, rest = self.log_factorial, self.lengths[walks] - seen
        ways = table[rest + runs] - table[rest]  # ln(r! C(l - c + r, r))
        cost: FloatArray = runs * log(self.walks.size / 2) + seen * self.growths[walks] - ways
        return cost

    def _avoiding(self, seen: IndexArray, walks: _Rows, count: int) -> FloatArray:
        """Return what it costs that the other links of a walk are none of the part."""
        other: FloatArray = -np.log1p(-(count - seen) / (self.walks.links + 1))
        return other * (self.lengths[walks] - seen)

    def _set(self) -> float:
        walks = int((self.seen > 0).sum())
        touched = int(np.count_nonzero(self.degrees))
        which = log_choices(self.walks.size, touched, self.walks.pairs, self.count)
        which += log_choose(len(self.lengths), walks)
        return which + float(self._set_of_walks(self.seen, self.runs, slice(None)).sum())

    def _set_of_walks(self, seen: IndexArray, runs: IndexArray, walks: _Rows) -> FloatArray:
        """Return what walks among the links left cost that show these in ``runs`` runs."""
        degrees, table = self.degrees, self.log_factorial
        touched = max(int(np.count_nonzero(degrees)), 2)
        growth = log(max(float((degrees * (degrees - 1)).sum()) / (2 * self.count), 1.0))
        lengths = self.lengths[walks]
        cost = seen * growth + runs * log(touched / 2)
        split = table[np.maximum(seen - 1, 0)] - table[np.maximum(runs - 1, 0)]
        split -= table[np.maximum(seen - runs, 0)] + table[runs]
        cost += np.where(seen < lengths, np.log(lengths + 1) + split, 0.0)
        return np.where(seen > 0, cost, 0.0)

    # -- taking links away ------------------------------------------------------------------------

    def take(self, *, by_set: bool) -> None:
        """Take away the link whose going leaves the largest value, or the best few."""
        walks, seen, runs = self.entry_walk, self.seen[self.entry_walk], self.runs[self.entry_walk]
        neighbours = self.shown[self.at - 1] + self.shown[self.at + 1]
        fewer, parted = np.maximum(seen - 1, 0), np.maximum(runs + neighbours - 1, 0)
        if by_set:
            change = self._set_of_walks(fewer, parted, walks) - self._set_of_walks(
                seen, runs, walks
            )
        else:
            change = self._prior_of_walks(fewer, parted, walks)
            change -= self._prior_of_walks(seen, runs, walks)
            change += self._avoiding(fewer, walks, self.count - 1)
            change -= self._avoiding(seen, walks, self.count - 1)
        change = np.where(self.shown[self.at] > 0, change, 0.0)
        price = self.losses + np.bincount(self.entry_link, change, len(self.losses))
        price[~self.left] = inf
        each = min(self.each, self.count - 1)
        taken = [int(price.argmin())] if each == 1 else np.argsort(price)[:each].tolist()
        for link in taken:
            self._remove(link)

    def _remove(self, link: int) -> None:
        for entry in np.flatnonzero(self.entry_link == link).tolist():
            place, walk = self.at[entry], self.entry_walk[entry]
            self.shown[place] = 0
            self.seen[walk] -= 1
            self.runs[walk] += self.shown[place - 1] + self.shown[place + 1] - 1
        self.degrees[self.walks.ends[link]] -= 1
        self.left[link] = False
        self.count -= 1


_Rows = IndexArray | slice
