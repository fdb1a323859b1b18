"""Thresholds that remember: in a series of sketches a pair's threshold follows its past.

How many values of a pair mean *on the walk* in release t + 1 is public for each pair: it depends on
how many of the t releases before showed the pair, and anybody who has their files reads that off
them. So a file of such a series holds a short table, threshold by count, and is read together with
the files before it; until they are brought it answers nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pathveil.errors import DoesNotFit
from pathveil.model.bits import IndexArray
from pathveil.model.sketch import SketchedBits, ValueArray


@dataclass(frozen=True)
class Remembered:
    """The thresholds of one release of a series of sketches.

    Parameters
    ----------
    each
        By how many earlier releases showed a pair: the number of values that each on-walk state
        has. One entry more than there are earlier releases.
    states
        How many on-walk states there are.
    earlier
        The sketches of the earlier releases, the first first; None: nobody has brought them. The
        thresholds are the same with them and without.

    Examples
    --------
    >>> first = Remembered((1,))
    >>> first.of(("a", "b"), np.array([[0, 1]])).tolist()
    [1]
    """

    each: tuple[int, ...]
    states: int = 1
    earlier: tuple[SketchedBits, ...] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.each or min(self.each) < 1:
            raise ValueError(f"thresholds {self.each}: every state needs a value of its own")
        if self.earlier is not None and len(self.earlier) != len(self.each) - 1:
            raise ValueError(f"{len(self.earlier)} earlier releases, {len(self.each)} thresholds")

    def following(self, earlier: Sequence[SketchedBits]) -> Remembered:
        """Return the same thresholds with the earlier releases at hand."""
        return replace(self, earlier=tuple(earlier))

    def of(self, names: tuple[str, ...], ends: IndexArray) -> ValueArray:
        """Return for each pair of names how many values each of its on-walk states has.

        *Cost*: one look at each pair in every earlier release.
        """
        if len(self.each) == 1:
            return np.full(len(ends), self.each[0], dtype=np.uint32)
        if self.earlier is None:
            raise DoesNotFit(
                f"this is release {len(self.each)} of a series of sketches: what it shows of a "
                f"pair is read with the {len(self.each) - 1} before it; bring them: "
                "publication.following(earlier) in Python, --after FILE (or a folder) on the "
                "command line, --with for attack"
            )
        return np.array(self.each, dtype=np.uint32)[shown_before(self.earlier, names, ends)]


def shown_before(
    releases: Sequence[SketchedBits], names: tuple[str, ...], ends: IndexArray
) -> IndexArray:
    """Return how many releases of a series, given from the first on, showed each pair of names."""
    counts = np.zeros(len(ends), dtype=np.int64)
    for bits in releases:
        rule = bits.threshold
        if not isinstance(rule, Remembered):
            raise DoesNotFit("a sketch whose chaff does not remember is part of no series")
        # Released as number t it showed a pair by what the t - 1 before had shown of it.
        limit = np.array(rule.each, dtype=np.uint64)[counts] * np.uint64(rule.states)
        counts += bits.pair_values(names, ends) < limit
    return counts
