"""Judging drawn releases: which views of their bits an audit holds against a claim.

Two piles of releases, one from the world with an edge and one from the world without it, each a
table with one row for a release and one column for a pair of copies. Looked at are the edge's own
columns; each of the few other columns that differed most in a first part of the rows, beside them;
and the direction. Rows of the first part choose and are then put away, so that choosing cannot
deceive. Nothing here knows how releases are made or what was promised of them: the claim comes in
as numbers, and the judge is :func:`pathveil.adversary.auditing.audit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pathveil.adversary.auditing import Audit, audit
from pathveil.chance.source import Source
from pathveil.model.bits import BoolArray, IndexArray

OTHERS = 5
"""Other columns that are judged: those that differed most in a first part of the rows."""

VIEWS = OTHERS + 2
"""Views of one audit at most: the edge's own bits, others beside them, the direction."""


def rows_needed(samples: int) -> int:
    """Return how many rows each world needs for so many confirming samples.

    >>> rows_needed(20_000)
    35000
    """
    return samples + 3 * first_part(samples)


def first_part(samples: int) -> int:
    """Return how many rows choose views: as many as rank events, and as many as size them."""
    return max(samples // 4, 1)


@dataclass(frozen=True, eq=False)
class Pile:
    """Releases of one world.

    Attributes
    ----------
    bits
        One row for each release, one column for each pair of copies: True in one branch.
    directions
        The direction bit of each release: 0 or 1, and -1 where none is told.
    own
        The columns of the edge in question.
    """

    bits: BoolArray
    directions: npt.NDArray[np.int8]
    own: IndexArray


def judge_piles(
    piles: Mapping[bool, Pile],
    claimed: tuple[float, float],
    *,
    samples: int,
    confidence: float,
    tests: int,
    source: Source,
) -> list[Audit]:
    """Return one audit for each view of the releases with the edge (True) and without (False).

    ``tests`` is how many audits share the confidence, :data:`VIEWS` of them here at most.

    Examples
    --------
    >>> from pathveil.chance.source import Seeded
    >>> coins = np.random.default_rng(1).random((1750, 1)) < 0.5
    >>> own, told = np.zeros(1, dtype=np.int64), np.zeros(1750, dtype=np.int8)
    >>> piles = {True: Pile(np.ones_like(coins), told, own), False: Pile(coins, told, own)}
    >>> found = judge_piles(
    ...     piles, (0.5, 0.0), samples=1000, confidence=0.999, tests=2, source=Seeded(1)
    ... )
    >>> [one.verdict for one in found]                   # own bits; own bits and the direction
    ['refuted', 'refuted']
    """
    part = first_part(samples)
    own = piles[True].own.tolist()
    columns = [own, *([*own, place] for place in _most_different(piles, part))]
    views = [
        {known: _codes(pile.bits[part:, chosen]) for known, pile in piles.items()}
        for chosen in columns
    ]
    views.append({known: _with_direction(pile, part) for known, pile in piles.items()})
    return [
        audit(
            _Dealt(codes),
            (True, False),
            claimed=claimed,
            samples=samples,
            confidence=confidence,
            tests=tests,
            source=source,
        )
        for codes in views
    ]


def _most_different(piles: Mapping[bool, Pile], part: int) -> list[int]:
    """Return the other columns that differ most between the worlds."""
    here, there = (piles[known].bits[:part] for known in (True, False))
    gap = np.abs(here.mean(axis=0) - there.mean(axis=0))
    gap[piles[True].own] = -1
    order = np.argsort(-gap, kind="stable")
    return [int(place) for place in order[:OTHERS] if gap[place] >= 0]


def _with_direction(pile: Pile, part: int) -> npt.NDArray[np.generic]:
    own, told = pile.bits[part:, pile.own], pile.directions[part:]
    return _codes(np.column_stack([own, told == 1, told < 0]))


def _codes(rows: BoolArray) -> npt.NDArray[np.generic]:
    """Return one value for each row, the same for the same bits."""
    packed = np.packbits(rows, axis=1)
    wide = -packed.shape[1] % 8
    padded = np.ascontiguousarray(np.pad(packed, ((0, 0), (0, wide))))
    if padded.shape[1] == 8:
        return padded.view(np.uint64)[:, 0]
    return padded.view(np.dtype((np.void, padded.shape[1])))[:, 0]


class _Dealt:
    """Rows behind the first part, as one view sees them, handed out in order."""

    def __init__(self, codes: Mapping[bool, npt.NDArray[np.generic]]) -> None:
        self._left = dict(codes)

    def __call__(self, known: bool, source: Source) -> bytes:  # noqa: FBT001
        return next(iter(self.counts(known, 1, source)))

    def counts(self, known: bool, number: int, _source: Source) -> dict[bytes, int]:  # noqa: FBT001
        """Return the next so many rows, counted."""
        now, self._left[known] = self._left[known][:number], self._left[known][number:]
        values, times = np.unique(now, return_counts=True)
        return {value.tobytes(): int(n) for value, n in zip(values, times, strict=True)}


def worst(found: list[Audit], samples: int, confidence: float) -> Audit:
    """Return several audits as one: the largest loss found, each way round."""
    forward, backward = (
        max(losses, key=lambda loss: loss.epsilon)
        for losses in zip(*((one.forward, one.backward) for one in found), strict=True)
    )
    return Audit(forward, backward, "sampling", samples, confidence)
