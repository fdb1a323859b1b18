"""How many walks of one length fit a network: the gate's rule on a series drawn as an example.

Walks are uniform simple paths of the network. Of such a series nothing but the number of uses of
each link matters, so that thousands of walks are counted at once. Where few walks fit, the gate
itself is asked, which looks for parts that stand out too, and the median of some series counts.

*Privacy*: the pseudo-random paths are examples. Nothing here sees or makes a release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from statistics import median_low

import numpy as np

from pathveil.model.bits import IndexArray
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.cover import Coins, CountedRelease, Cover, Life, Urns, is_open
from pathveil.planning.description_lengths import Extent
from pathveil.planning.link_shape import UnusedLinks
from pathveil.planning.named_links import named_links
from pathveil.planning.path_counts import SAMPLED, PathCounts, paths_of

MOST = 100_000
"""Walks beyond which nobody counts."""
FEW = 16
"""Walks up to which the gate itself is asked."""
LONGEST = 128
"""Walks of the longest series that it is asked about."""
DRAWS, GATE_DRAWS, SMALL, SMALL_DRAWS = 9, 5, 30, 25
"""Series that are drawn; the median counts. Below 30 vertices they vary most: 25 are drawn."""
LADDER = (10, 15, 20, 30, 50, 70, 100)
"""A usage is rounded up to one of these tenths of its decade."""
FIT = Fraction(7, 5)
"""The usage that fits best, by the share of walks that a link lies on."""


def usage_for(length: int, links: int) -> Fraction:
    """Return the usage to begin a series with: 1.4 l/m, rounded up to a step of the ladder.

    >>> usage_for(6, 61), usage_for(4, 61), usage_for(9, 10)
    (Fraction(3, 20), Fraction(1, 10), Fraction(1, 2))
    """
    wanted, decade = FIT * length / links, Fraction(1)
    while wanted < decade:
        decade /= 10
    step = next(s * decade / 10 for s in LADDER if s * decade / 10 >= wanted)
    return min(step, Fraction(1, 2))


def usages_from(length: int, links: int) -> Iterator[Fraction]:
    """Yield the usage to begin a series with, and the steps of the ladder above it.

    >>> [str(one) for one in usages_from(6, 61)]
    ['3/20', '1/5', '3/10', '1/2']
    """
    first = usage_for(length, links)
    for decade in (Fraction(1, 10**power) for power in range(9, 0, -1)):
        for step in LADDER[:-1]:
            if first <= (usage := step * decade / 10) <= Fraction(1, 2):
                yield usage


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
    _counted: dict[tuple[int, int], dict[tuple[str, int], float]] = field(
        default_factory=dict, repr=False
    )

    @cached_property
    def sample(self) -> IndexArray:
        """Example paths, one a row."""
        return paths_of(self.network).sample(self.length)

    def expected(self, law: Coins | Urns, walks: int, draw: int = 0) -> Cover:
        """Return the cover that this many walks of a drawn series use; parts are not looked at."""
        uses = self._uses(walks, draw)
        many = np.bincount(uses[uses > 0])
        loss = sum(
            int(links) * law.loss(k, walks) for k, links in enumerate(many.tolist()) if links
        )
        touched, ends = np.unique(self.network.pairs[uses > 0], return_inverse=True)
        # Hundreds of such networks are asked about, of each under several laws: a sample of the
        # paths of each is enough, and they are counted once.
        known = self._counted.setdefault((walks, draw), {})
        within = PathCounts(len(touched), ends.reshape(-1, 2), SAMPLED, known)
        size = len(self.network)
        extent = Extent(size, len(self.network.pairs), size * (size - 1) // 2)
        shape = (False, self.length, 0)
        lost = law.loss(0, walks)
        unused = UnusedLinks(size, extent.pairs, self.network.pairs, uses > 0, lost)
        alike = {(paths_of(self.network), shape): walks}
        lengths = extent.lengths(within, alike, unused.log_used())
        by = min(lengths, key=lengths.__getitem__)
        return Cover(walks, walks, loss, lengths[by], by, 0.0)

    def typical(self, law: Coins | Urns, walks: int) -> Cover:
        """Return the cover that the median of the drawn series uses."""
        drawn = [self.expected(law, walks, draw) for draw in range(DRAWS)]
        draw = sorted(range(DRAWS), key=lambda draw: drawn[draw].share)[DRAWS // 2]
        links = np.bincount(self._uses(walks, draw), minlength=walks + 1)
        pairs = len(self.network) * (len(self.network) - 1) // 2
        return replace(drawn[draw], named=named_links(links, law.counts(walks), pairs))

    def most_walks(self, law: Coins | Urns, *, roughly: bool = False) -> int:
        """Return how many such walks fit under a law; at least the first.

        Roughly: parts that stand out are not looked for. Where no example path of this length is
        found, as of a walk through every vertex, nothing is known beyond the first.
        """
        if not len(self.sample):
            return 1
        every = Life(())
        if self.alike is not None:
            return self.more_walks(every, law)
        about = median_low(self._about(law, draw) for draw in range(1 if roughly else DRAWS))
        if roughly:
            return about
        if about <= FEW:
            return self.more_walks(every, law)
        # Where single walks or parts stand out first, they do so in nearly every series.
        most = min(about, LONGEST)
        new = [CountedRelease(self.network, (one,), law) for one in self.walks(most)]
        if all(is_open(every.and_then(*new[:count])) for count in (2, FEW, most)):
            return about
        return min(about, self._let_out(every, law, 0))

    def _about(self, law: Coins | Urns, draw: int) -> int:
        return last_open(lambda walks: not self.expected(law, walks, draw).closed, 1, MOST)

    def more_walks(self, life: Life, law: Coins | Urns) -> int:
        """Return how many such walks the gate would let out after a life; 0 if none is found."""
        if not len(self.sample):
            return 0
        draws = SMALL_DRAWS if len(self.network) < SMALL else GATE_DRAWS
        return median_low(self._let_out(life, law, draw) for draw in range(draws))

    def _let_out(self, life: Life, law: Coins | Urns, draw: int) -> int:
        """Return how many walks of a drawn series the gate lets out after a life."""
        new = [CountedRelease(self.network, (one,), law) for one in self.walks(LONGEST, draw)]
        least = 0 if life.releases else 1  # the first release is never closed
        return last_open(lambda count: is_open(life.and_then(*new[:count])), least, LONGEST)

    def _drawn(self, draw: int, walks: int) -> IndexArray:
        """Return the paths of a series; a longer series begins with the shorter."""
        random = np.random.default_rng([draw, self.length, len(self.network)])
        sample = self.sample
        if self.alike is not None:
            sample = sample[random.integers(0, len(sample), self.alike)]
        return sample[random.integers(0, len(sample), walks)]

    def _uses(self, walks: int, draw: int) -> IndexArray:
        """Return how many walks of a series use each link."""
        rows = self._drawn(draw, walks)
        steps = np.stack([rows[:, :-1], rows[:, 1:]], axis=2).reshape(-1, 2)
        return np.bincount(self.network.link_places(steps), minlength=len(self.network.pairs))

    def walks(self, count: int, draw: int = 0) -> list[Walk]:
        """Return the walks of a drawn series."""
        names = self.network.vertices
        return [Walk([names[k] for k in row]) for row in self._drawn(draw, count).tolist()]


def last_open(is_open: Callable[[int], bool], low: int, most: int) -> int:
    """Return the largest number of walks that is open, ``low`` being so: by leaps, then by halves.

    >>> last_open(lambda walks: walks <= 11, 1, 100), last_open(lambda walks: True, 1, 100)
    (11, 100)
    """
    leap = 1
    while low < most and is_open(min(low + leap, most)):
        low, leap = min(low + leap, most), 2 * leap
    high = min(low + leap, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_open(middle) else (low, middle)
    return low
