"""History: how often each pair was shown on a walk before. Read off the publications alone.

Everything here is public: anybody who has the files computes the same counts and so the same rates.
:meth:`History.rates` is the one question other forms of publication have to ask: the exact rate of
a pair, by its history.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from pathveil.chance.urn import Urn
from pathveil.model.bits import BoolArray, IndexArray, pair_count, pair_places, unflatten
from pathveil.model.positions import Positions, copy_pairs
from pathveil.model.publication import Publication
from pathveil.model.remembered import shown_before
from pathveil.model.series import Release, order_series, sketches_of
from pathveil.model.sketch import SketchedBits

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

    releases: tuple[Release, ...] = ()
    tally: IndexArray | None = None

    @classmethod
    def of(cls, publications: Iterable[Publication]) -> History:
        """Return the history of a series, its publications listed in any order."""
        history = cls()
        for release in order_series(publications):
            history = history.then(release)
        return history

    def then(self, release: Sequence[Publication]) -> History:
        """Return the history with one more release, the next of the series.

        *Cost*: one look at each pair up to :data:`LARGEST_TALLY`, whatever came before.
        """
        grown = replace(self, releases=(*self.releases, tuple(release)))
        if not release[0].lists_vertices:
            return grown
        size = len(release[0].positions.vertices)
        if pair_count(size) > LARGEST_TALLY or (self.releases and self.tally is None):
            return grown
        pairs = unflatten(np.arange(pair_count(size), dtype=np.int64), size)
        seen = shown_in(release, release[0].positions, pairs)
        before = np.zeros(len(pairs), dtype=np.int64) if self.tally is None else self.tally
        return replace(grown, tally=before + seen)

    def __len__(self) -> int:
        return len(self.releases)

    @property
    def last(self) -> str | None:
        """The digest of the last release."""
        if not self.releases:
            return None
        place = self.releases[-1][0].series
        assert place is not None, "releases of a series know their place"
        return place.release

    @cached_property
    def positions(self) -> Positions | None:
        """The public copies; None before the first release."""
        return self.releases[0][0].positions if self.releases else None

    @cached_property
    def sketches(self) -> tuple[SketchedBits, ...]:
        """One sketch for each release; none if the series is packed."""
        return sketches_of(self.releases)

    def shown(self, pairs: IndexArray, names: tuple[str, ...] = ()) -> IndexArray:
        """Return how many releases showed each vertex pair, given by index, on a walk.

        ``names`` are those of the vertices, for sketches: they list none.
        """
        if self.sketches:
            return shown_before(self.sketches, names, pairs)
        if self.positions is None:
            return np.zeros(len(pairs), dtype=np.int64)
        if self.tally is not None:
            size = len(self.positions.vertices)
            return self.tally[pair_places(pairs[:, 0], pairs[:, 1], size)]
        counts = np.zeros(len(pairs), dtype=np.int64)
        for release in self.releases:
            counts += shown_in(release, self.positions, pairs)
        return counts

    def rates(self, urn: Urn, pairs: IndexArray) -> list[Fraction]:
        """Return the exact rate of each vertex pair in the next release."""
        by_count = [urn.rate(shown, len(self)) for shown in range(len(self) + 1)]
        return [by_count[shown] for shown in self.shown(pairs).tolist()]

    def __repr__(self) -> str:
        return f"<History: {len(self)} releases>"


def shown_in(release: Sequence[Publication], asked: Positions, pairs: IndexArray) -> BoolArray:
    """Return for each vertex pair whether a release shows it on one of its walks."""
    counts = np.asarray(asked.counts, dtype=np.int64)
    u, v = pairs[:, 0], pairs[:, 1]
    lifted = copy_pairs(asked.starts[u], counts[u], asked.starts[v], counts[v])
    owner = np.repeat(np.arange(len(pairs)), counts[u] * counts[v])
    shown = np.zeros(len(pairs), dtype=bool)
    for publication in release:
        bits = publication.packed
        on = ~bits.same_branch(bits.positions, lifted)
        shown[owner[on]] = True
    return shown
