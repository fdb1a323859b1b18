"""Polya's urn: chaff that remembers what was published before.

Theory of operation. An unlinked pair must look like a link in every release at once. What a
link looks like over T releases is a *pattern*: on which of the T walks it lies. If chaff drew its
patterns from a public law Q, a link with pattern x would cost -ln Q(x), and no scheme that is read
back exactly can do better for all patterns at once (docs/explanation/how-many-walks-fit.md). The
law used here is the one of Polya's urn. It begins with ``on`` balls for *on the walk* and ``off``
balls for *off the walk*; each release draws a ball and adds one of its kind. If k of t releases
showed the pair on a walk, the rate of the next is

    (k + on) / (t + on + off),

a ratio of whole numbers for rational ``on`` and ``off``. So a coin is one uniform whole number
below a public bound, compared with a public threshold: no digit of a logarithm, no float. Nothing
needs to be remembered in secret: k and t are read off the earlier publications, and so can anybody
else. The urn is exchangeable: the chance of a pattern depends on k and T alone.

*Privacy*: how many bytes are read depends on the random bytes and on public facts only. A coin is
drawn for every pair, link or not; links then overwrite theirs.

:class:`History` counts how often each pair was shown before. It is read off the publications alone:
anybody who has the files computes the same counts and so the same rates.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, lcm, prod

import numpy as np

from pathveil.chance.source import Source, below_many
from pathveil.errors import BadArgument, BadBudget
from pathveil.model.bits import BoolArray, IndexArray, pair_count, pair_places, unflatten
from pathveil.model.publication import Publication
from pathveil.model.series import order_series

CHUNK = 1 << 18
"""Coins drawn at a time: memory follows this and not the network."""

LARGEST_BOUND = 1 << 62
"""Whole numbers are drawn below bounds of at most this size."""


@dataclass(frozen=True)
class Urn:
    """An urn with ``on`` and ``off`` balls at first: the public law of an unlinked pair.

    Parameters
    ----------
    on, off
        Positive rationals. With 1/2 and 1/2 the first release is drawn with fair coins.

    Examples
    --------
    >>> urn = Urn(Fraction(1, 2), Fraction(1, 2))
    >>> urn.rate(0, 0), urn.rate(0, 1), urn.rate(3, 4)
    (Fraction(1, 2), Fraction(1, 4), Fraction(7, 10))
    >>> urn.chance(0, 2)                       # off in two releases: 1/2 times 3/4
    Fraction(3, 8)
    """

    on: Fraction = Fraction(1, 2)
    off: Fraction = Fraction(1, 2)

    def __post_init__(self) -> None:
        if self.on <= 0 or self.off <= 0:
            raise BadBudget(
                f"an urn of {self.on} and {self.off} balls would never show one of the two; give "
                "two positive numbers, 1/2 and 1/2 for instance"
            )

    def rate(self, shown: int, releases: int) -> Fraction:
        """Return the chance to be shown next, after ``shown`` of ``releases`` releases."""
        _require_count(shown, releases)
        return (shown + self.on) / (releases + self.on + self.off)

    def after(self, shown: int, releases: int) -> Urn:
        """Return the urn after ``shown`` of ``releases`` releases."""
        _require_count(shown, releases)
        return Urn(self.on + shown, self.off + releases - shown)

    def chance(self, shown: int, releases: int) -> Fraction:
        """Return the chance of one given pattern that shows ``shown`` of ``releases`` releases.

        It is B(shown + on, releases - shown + off) / B(on, off), as a ratio of whole numbers.
        """
        _require_count(shown, releases)
        unit = self._unit
        # Rising factorials in steps of one ball: with balls cut into units all factors are whole,
        # and the fraction is reduced once and not at each of thousands of steps.
        on, off = int(self.on * unit), int(self.off * unit)
        return Fraction(
            prod(range(on, on + shown * unit, unit))
            * prod(range(off, off + (releases - shown) * unit, unit)),
            prod(range(on + off, on + off + releases * unit, unit)),
        )

    def coins(self, source: Source, shown: IndexArray, releases: int) -> BoolArray:
        """Return a coin for each pair: True, shown on the walk, with exactly its rate.

        Parameters
        ----------
        shown
            How many of the earlier releases showed each pair on a walk.
        releases
            How many earlier releases there are.

        *Cost*: one uniform whole number a coin, all below the same bound.

        >>> from pathveil.chance.source import Seeded
        >>> urn = Urn(Fraction(1, 2), Fraction(1, 2))
        >>> urn.coins(Seeded(1), np.array([0, 9]), 9).tolist()
        [False, True]
        """
        unit, bound = self._unit, self.require_drawable(releases)
        if len(shown) and not 0 <= int(shown.min()) <= int(shown.max()) <= releases:
            raise ValueError(f"counts outside 0 .. {releases}")
        # One bound for all pairs, and only thresholds differ: how many bytes are read, and when a
        # number is thrown away, says nothing of any pair.
        thresholds = shown.astype(np.int64) * unit + int(self.on * unit)
        drawn = np.empty(len(shown), dtype=bool)
        for start in range(0, len(shown), CHUNK):
            part = thresholds[start : start + CHUNK]
            drawn[start : start + CHUNK] = below_many(source, bound, len(part)) < part
        return drawn

    @property
    def _unit(self) -> int:
        return lcm(self.on.denominator, self.off.denominator)

    def require_drawable(self, releases: int) -> int:
        """Return the bound below which coins are drawn, or raise if it is too large."""
        bound = int((releases + self.on + self.off) * self._unit)
        if bound > LARGEST_BOUND:
            raise BadBudget(
                f"rates of an urn of {self.on} and {self.off} balls after {releases} releases are "
                f"multiples of 1/{bound}, finer than 2^-62; give numbers with small denominators"
            )
        return bound

    def costliest(self, releases: int, *, states: int = 1) -> int:
        """Return the number of uses that has the least likely pattern: the costliest for a link.

        Going from k to k + 1 uses divides the chance by S (off + T - k - 1) / (on + k), S being the
        number of states that mean *on*. That falls in k: the chance falls as long as it is above
        one, and rises from then on.

        >>> [Urn(Fraction(a), Fraction(b)).costliest(10) for a, b in ((1, 1), (4, 16))]
        [5, 10]
        """
        turning = (states * (self.off + releases - 1) - self.on) / (1 + states)
        return min(releases, max(0, ceil(turning)))


def _require_count(shown: int, releases: int) -> None:
    if not 0 <= shown <= releases:
        raise ValueError(f"shown in {shown} of {releases} releases cannot be")


LARGEST_TALLY = 1 << 22
"""Pairs whose counts are kept from release to release; beyond, they are counted when asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """The releases of a series so far, in order.

    Examples
    --------
    >>> History.of([])
    <History: 0 releases>
    """

    releases: tuple[Publication, ...] = ()
    tally: IndexArray | None = None

    @classmethod
    def of(cls, publications: Iterable[Publication] | History) -> History:
        """Return the history of a series, its publications listed in any order."""
        if isinstance(publications, History):
            return publications
        if not isinstance(publications, Iterable):
            raise BadArgument.of("after", publications, "write a list: after=[publication, ...]")
        history = cls()
        for release in order_series(map(Publication.of, publications)):
            history = history.then(release)
        return history

    def then(self, release: Publication) -> History:
        """Return the history with one more release, the next of the series.

        *Cost*: one look at each pair up to :data:`LARGEST_TALLY`, whatever came before.
        """
        grown = replace(self, releases=(*self.releases, release))
        size = len(release.vertices)
        if pair_count(size) > LARGEST_TALLY or (self.releases and self.tally is None):
            return grown
        pairs = unflatten(np.arange(pair_count(size), dtype=np.int64), size)
        seen = _shown_in(release, pairs)
        before = np.zeros(len(pairs), dtype=np.int64) if self.tally is None else self.tally
        return replace(grown, tally=before + seen)

    def __len__(self) -> int:
        return len(self.releases)

    @property
    def last(self) -> str | None:
        """The digest of the last release."""
        if not self.releases:
            return None
        place = self.releases[-1].series
        assert place is not None, "releases of a series know their place"
        return place.release

    def shown(self, pairs: IndexArray) -> IndexArray:
        """Return how many releases showed each vertex pair, given by index, on a walk."""
        if self.tally is not None:
            size = len(self.releases[0].vertices)
            return self.tally[pair_places(pairs[:, 0], pairs[:, 1], size)]
        counts = np.zeros(len(pairs), dtype=np.int64)
        for release in self.releases:
            counts += _shown_in(release, pairs)
        return counts

    def __repr__(self) -> str:
        return f"<History: {len(self)} releases>"


def _shown_in(release: Publication, pairs: IndexArray) -> BoolArray:
    """Return for each vertex pair whether a release shows it on its walk."""
    bits = release.packed
    apart = ~bits.same_branch(bits.positions, bits.positions.lifted(pairs))
    copies = np.asarray(bits.positions.counts)[pairs].prod(axis=1)
    shown = np.zeros(len(pairs), dtype=bool)
    shown[np.repeat(np.arange(len(pairs)), copies)[apart]] = True
    return shown
