"""How many walks of one length fit a network: the gate's rule on the series one expects.

Walks are uniform simple paths of the network. A link lies on such a path with a chance that is
counted once; after T walks the mean loss of the links used, and the means of what the four
descriptions are made of, follow by formulas. Where few walks fit, means are too coarse: there the
gate itself is asked, on some series of paths drawn for the purpose, and the median counts.

*Privacy*: the pseudo-random paths are examples. Nothing here sees or makes a release.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, log

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import IndexArray
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.cover import (
    LEAST_GROWTH,
    SPARE,
    SPARE_SHARE,
    Coins,
    CountedRelease,
    Life,
    Urns,
    cover,
    urn_loss,
)
from pathveil.planning.path_counts import PathCounts
from pathveil.planning.peeling import log_choices

FloatArray = npt.NDArray[np.float64]

MOST = 1_000_000
"""Walks beyond which nobody counts."""
FEW = 12
"""Walks up to which the gate itself is asked."""
LONGEST = 128
"""Walks of the longest series that it is asked about."""
DRAWS = 5
"""Series that it is asked about."""


@dataclass(frozen=True, eq=False)
class ExpectedSeries:
    """Uniform simple paths of one length over a network, and the cover that T of them use.

    Parameters
    ----------
    alike
        How many routes the walks repeat; None: every walk is a new path.
    """

    network: Network
    length: int
    alike: int | None = None

    @cached_property
    def paths(self) -> PathCounts:
        """The paths of the network."""
        return PathCounts(len(self.network), self.network.pairs)

    @cached_property
    def sample(self) -> IndexArray:
        """Example paths, one a row."""
        return self.paths.sample(self.length)

    @cached_property
    def _rows(self) -> IndexArray:
        """Example paths, each as the numbers of its links."""
        sample = self.sample
        steps = np.stack([sample[:, :-1], sample[:, 1:]], axis=2).reshape(-1, 2)
        return self.network.link_places(steps).reshape(len(sample), self.length)

    @cached_property
    def _share(self) -> FloatArray:
        """The share of paths that each link lies on."""
        return np.bincount(self._rows.ravel(), minlength=len(self.network.pairs)) / len(self._rows)

    def expected(self, law: Coins | Urns, walks: int) -> tuple[float, float]:
        """Return the mean loss of the links used by this many walks, and their cover, in nats."""
        if walks not in self._covers:
            self._covers[walks] = self._cover(walks)
        return self._mean_losses(law, walks), self._covers[walks]

    @cached_property
    def _covers(self) -> dict[int, float]:
        """The cover by number of walks: no law enters it, so all laws share it."""
        return {}

    def _cover(self, count: int) -> float:
        """Return the length of the shortest description of this many walks, in nats."""
        used = -np.expm1(count * np.log1p(-np.minimum(self._share, 1 - 1e-12)))
        many = float(used.sum())
        size, links = len(self.network), len(self.network.pairs)
        pairs = size * (size - 1) / 2
        degrees = _sum_at(self.network.pairs, used, size)
        missed = np.exp(_sum_at(self.network.pairs, np.log1p(-np.minimum(used, 1 - 1e-12)), size))
        touched = max(float((1 - missed).sum()), 2.0)
        within = np.exp(np.log(np.maximum(used, 1e-300))[self._rows].sum(axis=1)).mean()
        paths = self.paths.log_paths(self.length)
        among = log(count + float(within) * np.exp(paths))
        chosen = log_choices(size, min(touched, size), int(pairs), many)
        growth = log(max(2 * many / touched - 1, LEAST_GROWTH))
        lengths = (
            _falling(pairs, many) - _falling(links, many) + count * paths,
            chosen + count * among,
            chosen + count * (log(touched / 2) + self.length * growth),
            _degree_graphs(degrees, many) + count * among,
        )
        return min(lengths)

    def _mean_losses(self, law: Coins | Urns, walks: int) -> float:
        """Return the sum over links of the mean loss, counted where a link is used."""
        share, many = np.unique(np.round(self._share, 6), return_counts=True)
        share = np.clip(share, 1e-12, 1 - 1e-12)
        # Beyond its mean by ten standard deviations a binomial has no weight.
        top = int(min(walks, max(walks * share.max() + 10 * (walks * share.max()) ** 0.5, 20)))
        k = np.arange(1, top + 1)
        choose = np.array([_choose(walks, int(count)) for count in k])
        chance = np.exp(
            choose[:, None] + k[:, None] * np.log(share) + (walks - k)[:, None] * np.log1p(-share)
        )
        if isinstance(law, Urns):
            loss = np.array([urn_loss(law, int(count), walks) for count in k])
        else:
            loss = k * law.on + (walks - k) * law.off
        return float((loss @ chance) @ many) + (law.once * walks if isinstance(law, Coins) else 0)

    def is_open(self, law: Coins | Urns, walks: int) -> bool:
        """Return whether the gate is open for this many walks, by the means."""
        loss, length = self.expected(law, walks)
        return length - loss >= max(SPARE, SPARE_SHARE * length)

    def most_walks(self, law: Coins | Urns, *, roughly: bool = False) -> int:
        """Return how many such walks fit under a law; at least the first. Roughly: by the means."""
        if self.alike is None:
            about = _last(lambda walks: self.is_open(law, walks), MOST)
            if about > FEW or roughly:
                return about
        closing = sorted(self._drawn(law, draw) for draw in range(DRAWS))
        return closing[len(closing) // 2]

    def more_walks(self, life: Life, law: Coins | Urns) -> int:
        """Return how many such walks the gate would let out after a life."""
        new = self._life(law, 0, LONGEST).releases
        return _last(lambda walks: not cover(life.and_then(*new[:walks])).closed, LONGEST, low=0)

    def drawn_share(self, law: Coins | Urns, walks: int) -> float:
        """Return the share of the cover that this many walks of one drawn series use."""
        return round(cover(self._life(law, 0, walks)).share, 4)

    def _drawn(self, law: Coins | Urns, draw: int) -> int:
        """Return how many walks of one series the gate lets out."""
        life = self._life(law, draw, LONGEST)
        return _last(
            lambda walks: not cover(Life(life.releases[:walks], counts=life.counts)).closed, LONGEST
        )

    def _life(self, law: Coins | Urns, draw: int, walks: int) -> Life:
        """Return a series of drawn paths."""
        random = np.random.default_rng([draw, self.length, len(self.network)])
        sample = self.sample
        if self.alike is not None:
            sample = sample[random.integers(0, len(sample), self.alike)]
        rows = sample[random.integers(0, len(sample), walks)].tolist()
        counts = {id(self.network): self.paths}
        walked = (Walk([self.network.vertices[k] for k in row]) for row in rows)
        return Life(
            tuple(CountedRelease(self.network, (walk,), law) for walk in walked), counts=counts
        )


def _last(is_open: Callable[[int], bool], most: int, *, low: int = 1) -> int:
    """Return the largest number of walks that is open: by doubling, then by halving."""
    high = low + 1
    while high <= most and is_open(high):
        low, high = high, 2 * high
    if high > most:
        return low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_open(middle) else (low, middle)
    return low


def _sum_at(pairs: IndexArray, values: FloatArray, size: int) -> FloatArray:
    total: FloatArray = np.bincount(pairs.ravel(), np.repeat(values, 2), size).astype(float)
    return total


def _falling(number: float, count: float) -> float:
    return lgamma(number + 1) - lgamma(number - count + 1)


def _choose(number: float, count: float) -> float:
    return lgamma(number + 1) - lgamma(count + 1) - lgamma(number - count + 1)


def _degree_graphs(degrees: FloatArray, links: float) -> float:
    """Return the length of the degrees and of a graph with them, degrees taken as Poisson."""
    top = int(degrees.max() + 6 * degrees.max() ** 0.5 + 3)
    k = np.arange(top + 1)
    factorials = np.array([lgamma(degree + 1) for degree in k])
    means, alike = np.unique(np.round(degrees, 3), return_counts=True)
    chances = np.exp(k[:, None] * np.log(np.maximum(means, 1e-9)) - means - factorials[:, None])
    many = chances @ alike
    length = lgamma(len(degrees) + 1) - sum(lgamma(count + 1) for count in many.tolist())
    length += 2 * float(np.log(k[many > 0.5] + 1).sum())
    length += lgamma(2 * links + 1) - links * log(2) - lgamma(links + 1)
    length -= float(many @ factorials)
    pull = float((many * k * (k - 1)).sum()) / (4 * links)
    return length - pull - pull**2
