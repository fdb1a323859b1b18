"""How long it takes to describe what released walks hide: all of it, or a part that stands out.

D is the shortest of six descriptions, each a model of what an outsider may expect:

- *prior*: m of the P pairs are links, and each walk is any simple path of the network;
- *set*: which pairs are used, and for each walk which path among these;
- *pairs*: which pairs are used, and walks that are drawn together with them; in both, pairs may be
  told by the vertices that they touch first, which is shorter where walks keep to a corner;
- *degrees*: how many links used each vertex has, a graph with these degrees, and its paths;
- *rest*: the unused links are handed to the outsider, so what is used is among the other pairs. In
  a dense network, where nearly every pair is a link, little is left to hide among;
- *shape*: the unused links betray which vertices have most links, on which of two sides each vertex
  is, or that links lie in triangles and squares. What is used is then among the other pairs of
  hubs, across the sides, or among pairs that close as many triangles or squares. Stars, cliques,
  blocks and grids have little cover. What the unused links have not yet lost of what it takes to
  find them is added: at a low usage nobody knows them for long.

*Privacy*: every number here is a function of the secret: for the custodian's eyes alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import BoolArray, IndexArray
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.path_counts import (
    PathCounts,
    log_choices,
    log_choose,
    log_factorial,
    log_falling,
)

FloatArray = npt.NDArray[np.float64]

LEAST_GROWTH = 1.25
"""Ways to go on from a vertex that an outsider assumes at least, however sparse the links."""

Shape = tuple[bool, int, int]
"""How a walk is counted: whether it is a simple cycle, its links, and further steps."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How large a network is: vertices, links, and pairs that may be links."""

    size: int
    links: int
    pairs: int

    @classmethod
    def of(cls, networks: Sequence[Network], pairs: int | None) -> Extent:
        """Return how large several versions of a network are in all."""
        size, links = len(networks[0]), len(networks[0].pairs)
        if len(networks) > 1:
            size = len({name for network in networks for name in network.vertices})
            links = len({link for network in networks for link in network.links})
        return cls(size, links, size * (size - 1) // 2 if pairs is None else pairs)

    def lengths(
        self,
        within: PathCounts,
        walks: Mapping[tuple[PathCounts, Shape], int],
        beside: float,
        more: float = 0.0,
    ) -> dict[str, float]:
        """Return the lengths of the six descriptions of some links and of walks along them.

        Parameters
        ----------
        within
            The links used and the vertices that they touch, as a network of its own.
        beside
            How long it takes to say which links are used to someone who has the others.
        walks
            How many walks there are of each shape, with the paths of the network of each.
        more
            What handing out copies adds to every description.
        """
        count, touched = len(within.pairs), within.size
        growth = log(max(2 * count / touched - 1, LEAST_GROWTH))
        chosen = log_choices(self.size, touched, self.pairs, count)
        total = np.zeros(4)
        for (paths, (closed, length, further)), many in walks.items():
            if closed:
                together = max(length * growth - log(2 * length), 0.0)
                one = [paths.log_cycles(length), within.log_cycles(length), together, inf]
            else:
                one = [
                    each.log_paths(length) + further * max(each.log_growth(length), 0.0)
                    for each in (paths, within)
                ]
                one.append(log(touched / 2) + (length + further) * growth)
                one.append(self.log_open_paths(length + further, count))
            total += many * np.array(one)
        by_prior, by_set, by_pairs, by_paths = (total + more).tolist()
        left = log_choose(self._left(count), count)
        return {
            "prior": log_falling(self.pairs, count) - log_falling(self.links, count) + by_prior,
            "set": chosen + by_set,
            "pairs": chosen + by_pairs,
            "degrees": _log_degree_graphs(self.size, within.pairs) + by_set,
            "rest": min(left + min(by_set, by_pairs), by_paths),
            "shape": beside + min(by_set, by_pairs),
        }

    def log_open_paths(self, length: int, used: int) -> float:
        """Return the logarithm of the number of paths over pairs that are no unused link."""
        growth = log(max(2 * self._left(used) / self.size - 1, LEAST_GROWTH))
        return log(self.size / 2) + length * growth

    def _left(self, used: int) -> int:
        """Return how many pairs are left to somebody who has the unused links."""
        return self.pairs - self.links + used


def shape(walk: Walk) -> Shape:
    """Return how a walk is counted: whether it is a simple cycle, its links, and further steps.

    Of a walk that visits vertices again it is the longest simple piece, and the other steps.

    >>> shape(Walk("abcd")), shape(Walk("abca")), shape(Walk("abcbd"))
    ((False, 3, 0), (True, 3, 0), (False, 2, 2))
    """
    names = walk.vertices
    if walk.is_closed and len(set(names)) == len(names) - 1 and len(names) > 3:
        return True, len(names) - 1, 0
    longest, start = 1, 0
    seen: dict[str, int] = {}
    for place, name in enumerate(names):
        start = max(start, seen.get(name, -1) + 1)
        seen[name] = place
        longest = max(longest, place - start)
    return False, longest, len(names) - 1 - longest


def log_hand_outs(walk: Walk, copies: int) -> float:
    """Return the logarithm of the number of ways to hand copies to the visits of a walk."""
    if copies == 1:
        return 0.0
    # A walk that visits a vertex more often is refused when it is drawn.
    return sum(log_falling(copies, min(visits, copies)) for visits in walk.visits.values())


def _log_degree_graphs(size: int, ends: IndexArray) -> float:
    """Return the length of: which vertex has which degree, and one of the graphs with them."""
    degrees = np.bincount(ends.ravel(), minlength=size)
    count = len(ends)
    kinds = Counter(degrees.tolist())
    length = log_factorial(size) - sum(log_factorial(many) for many in kinds.values())
    length += sum(2 * log(degree + 1) for degree in kinds)
    length += log_factorial(2 * count) - count * log(2) - log_factorial(count)
    length -= sum(many * log_factorial(degree) for degree, many in kinds.items())
    pull = float((degrees * (degrees - 1)).sum()) / (4 * count)
    return length - pull - pull**2


# -- the most conspicuous part of these links -----------------------------------------------------

STEPS = 1200
"""Steps of one peeling; of more links several go at a time."""


_Rows = IndexArray | slice


class Peeling:
    """The links that are left, and how the walks show them.

    Theory of operation. For a part A of the s links used, LOSS(A) says how far its patterns stand
    out, D(A) how long they take to describe, and ln C(s, a) how many parts of this size there are.
    By Markov's inequality pure chaff shows a part with LOSS - D - ln C(s, a) above zero with a
    chance of about one at most, and above lambda with a chance of e^-lambda. Looking at all parts
    is out of reach, so links are taken away one by one, each time the one whose going leaves the
    largest value. That bounds the excess from below.

    Two descriptions of a part compete, as for the whole: *prior* (its links among all pairs, and
    walks of the network that show them) and *set* (which pairs, and how walks run among them).
    Peeling is done by each of them, and at each step the shorter counts. A walk of l links shows c
    links of the part in r runs; taking a link away changes c by one and r by at most one.
    """

    def __init__(  # noqa: PLR0917 - a part is all of these
        self,
        extent: Extent,
        ends: IndexArray,
        rows: Sequence[Sequence[int]],
        growths: FloatArray,
        losses: FloatArray,
        once: float,
    ) -> None:
        self.losses, self.once, self.ends, self.extent = losses, once, ends, extent
        self.lengths = np.array([len(row) for row in rows], dtype=np.int64)
        self.growths = growths
        self.entry_link = np.array([link for row in rows for link in row], dtype=np.int64)
        self.entry_walk = np.repeat(np.arange(len(self.lengths)), self.lengths)
        # One place before and after each walk that shows nothing, so that runs end there.
        self.at = np.arange(len(self.entry_link)) + 2 * self.entry_walk + 1
        self.before, self.after = self.at - 1, self.at + 1
        self.log_places = np.log(self.lengths + 1)
        self.entries: list[list[int]] = [[] for _ in losses]
        for entry, link in enumerate(self.entry_link.tolist()):
            self.entries[link].append(entry)
        self.each = max(1, len(losses) // STEPS)
        longest = int(self.lengths.max()) + 3
        self.log_factorial = np.array([log_factorial(k) for k in range(2 * longest + 2)])
        self.log_below = np.append(0.0, self.log_factorial)  # ln (k - 1)!, and 0 for k = 0
        self.restrict(np.ones(len(losses), dtype=bool))

    def most_conspicuous(self) -> tuple[float, list[int]]:
        """Return the largest excess met in peeling, and the links of that part."""
        answers = []
        for by_set in (False, True):
            self.restrict(np.ones(len(self.losses), dtype=bool))
            best, part = -inf, self.left
            while True:
                value = self.value()
                if value > best:
                    best, part = value, self.left.copy()
                if self.count <= 1:
                    break
                self.take(by_set=by_set)
            answers.append((best, np.flatnonzero(part).tolist()))
        return max(answers, key=lambda answer: answer[0])

    def restrict(self, left: BoolArray) -> None:
        """Leave these links."""
        self.left, self.count = left, int(left.sum())
        walks, shown = len(self.lengths), left[self.entry_link]
        self.shown = np.zeros(len(self.entry_link) + 2 * walks, dtype=np.int64)
        self.shown[self.at] = shown
        begins = shown & (self.shown[self.before] == 0)
        # c: links of the part that each walk shows; r: in how many runs.
        self.seen = np.bincount(self.entry_walk[shown], minlength=walks)
        self.runs = np.bincount(self.entry_walk[begins], minlength=walks)
        self.degrees = np.bincount(self.ends[left].ravel(), minlength=int(self.ends.max()) + 1)

    # -- descriptions of what is left -------------------------------------------------------------

    def length(self) -> float:
        """Return D of what is left."""
        return min(self._prior(), self._set())

    def value(self) -> float:
        """Return LOSS - D - ln C(s, a) of what is left."""
        lost = float(self.losses[self.left].sum()) + self.once
        return lost - self.length() - log_choose(len(self.losses), self.count)

    def _prior(self) -> float:
        pairs, links, count = self.extent.pairs, self.extent.links, self.count
        which = log_falling(pairs, count) - log_falling(links, count)
        self.each_prior = self._prior_of_walks(self.seen, self.runs, slice(None))
        avoiding = self._avoiding(self.seen, slice(None), count)
        return which + float((self.each_prior + avoiding).sum())

    def _prior_of_walks(self, seen: IndexArray, runs: IndexArray, walks: _Rows) -> FloatArray:
        """Return what walks of the network cost that show ``seen`` links in ``runs`` runs."""
        table, rest = self.log_factorial, self.lengths[walks] - seen
        ways = table[rest + runs] - table[rest]  # ln(r! C(l - c + r, r))
        cost: FloatArray = runs * log(self.extent.size / 2) + seen * self.growths[walks] - ways
        return cost

    def _avoiding(self, seen: IndexArray, walks: _Rows, count: int) -> FloatArray:
        """Return what it costs that the other links of a walk are none of the part."""
        other: FloatArray = -np.log1p(-(count - seen) / (self.extent.links + 1))
        return other * (self.lengths[walks] - seen)

    def _set(self) -> float:
        walks, degrees = int((self.seen > 0).sum()), self.degrees
        self.touched = int(np.count_nonzero(degrees))
        self.growth = log(max(float((degrees * (degrees - 1)).sum()) / (2 * self.count), 1.0))
        which = log_choices(self.extent.size, self.touched, self.extent.pairs, self.count)
        which += log_choose(len(self.lengths), walks)
        self.each_set = self._set_of_walks(self.seen, self.runs, slice(None))
        return which + float(self.each_set.sum())

    def _set_of_walks(self, seen: IndexArray, runs: IndexArray, walks: _Rows) -> FloatArray:
        """Return what walks among the links left cost that show these in ``runs`` runs."""
        table, lengths = self.log_factorial, self.lengths[walks]
        cost = seen * self.growth + runs * log(max(self.touched, 2) / 2)
        split = self.log_below[seen] - self.log_below[runs]
        split -= table[seen - runs] + table[runs]
        cost += np.where(seen < lengths, self.log_places[walks] + split, 0.0)
        return np.where(seen > 0, cost, 0.0)

    # -- taking links away ------------------------------------------------------------------------

    def take(self, *, by_set: bool) -> None:
        """Take away the link whose going leaves the largest value, or the best few.

        What is left has been described: each walk's share in that is known.
        """
        walks = self.entry_walk
        neighbours = self.shown[self.before] + self.shown[self.after]
        fewer = np.maximum(self.seen - 1, 0)[walks]
        parted = np.maximum(self.runs[walks] + neighbours - 1, 0)
        if by_set:
            change = self._set_of_walks(fewer, parted, walks) - self.each_set[walks]
        else:
            change = self._prior_of_walks(fewer, parted, walks) - self.each_prior[walks]
            change += self._avoiding(fewer, walks, self.count - 1)
            change -= self._avoiding(self.seen, slice(None), self.count - 1)[walks]
        change = np.where(self.shown[self.at] > 0, change, 0.0)
        price = self.losses + np.bincount(self.entry_link, change, len(self.losses))
        price[~self.left] = inf
        each = min(self.each, self.count - 1)
        taken = [int(price.argmin())] if each == 1 else np.argsort(price)[:each].tolist()
        for link in taken:
            self._remove(link)

    def _remove(self, link: int) -> None:
        for entry in self.entries[link]:
            place, walk = self.at[entry], self.entry_walk[entry]
            self.shown[place] = 0
            self.seen[walk] -= 1
            self.runs[walk] += self.shown[place - 1] + self.shown[place + 1] - 1
        self.degrees[self.ends[link]] -= 1
        self.left[link] = False
        self.count -= 1
