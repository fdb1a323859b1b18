"""Drawing a sketch: the links' values laid into equations, everything else left to chance.

For each link a value is drawn among those that say the truth about it; a public seed is drawn until
the rows of the links are independent; then z is uniform among *all* solutions. With m links each of
them is one of 2^(M - m) equally likely solutions, without one of the links one of 2^(M - m + 1), so
that a missing link costs exactly what its value cost: the price of a coin (see
:mod:`pathveil.chance.law`). What is added is the seed's: one that suits m links is a little rarer
than one that suits m - 1.

Three things would break this and each looks harmless: to leave free variables at zero, to keep a
seed whose rows depend on each other where the walk happens to agree with them, and to choose the
size by counting the links.

What is read from the source follows from public numbers: a value for each key the capacity has room
for, a bit for each column; only a redrawn seed, or a rejected word (once in 2^32 and more), adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import numpy as np
import numpy.typing as npt

from pathveil.chance.source import Source
from pathveil.errors import NameClash
from pathveil.layering.kernels.running import chosen
from pathveil.model.bits import IndexArray
from pathveil.model.sketch import CHUNK, SEED_BYTES, RowHash, SketchShape, WordArray, spelled
from pathveil.sketching.elimination_kernels import ValueArray, add_rows, solve_backwards

FAILURE_EXPONENT = 42
"""A seed fails with a chance of at most ``starts / 2^42``; see :func:`seed_failure`."""


@dataclass(frozen=True, repr=False)
class Equations:
    """What the links shall read: secret, hence the silent repr.

    Parameters
    ----------
    names
        Of the vertices, distinct.
    ends
        ``(k, 2)`` places in ``names``: one row for each key, all distinct.
    low, size
        The value of each key is uniform in ``low .. low + size - 1``: everything that reads as the
        truth.
    """

    names: Sequence[str]
    ends: IndexArray
    low: ValueArray
    size: ValueArray

    def __repr__(self) -> str:
        return "<Equations: for the custodian>"


def seed_failure(shape: SketchShape) -> Fraction:
    r"""Return an upper bound of the chance that a fresh seed makes the links' rows dependent.

    *Privacy*: seeds are redrawn until rows are independent, so a release with a link has a seed
    that suits m links, and without it one that suits m - 1: presence costs at most
    -ln(1 - this), once for a release, whatever number of links is missed.

    Proof, for rows with uniform starts and coefficients and m <= starts / 1.08. If rows are
    dependent, so is a set T of them whose windows cover one unbroken stretch of columns, starting
    at some column p and with its last start at p + G. Every column of the stretch is in a window
    of T, so T adds up to zero with chance 2^-(256 + G). Given that N rows start in p .. p + G the
    chance that some such T does is at most min(1, 2^(N - 256 - G)) <= e^(t (N - 256 - G)) for
    0 <= t <= ln 2. N is binomial with mean at most (G + 1)/1.08, so the mean of that is at most
    e^(-256 t + (G + 1)(e^t - 1)/1.08 - G t). Take t = 0.15: the sum over G is below
    2^-42, and there are ``starts`` columns p. The bound is rounded up to a power of two.

    >>> seed_failure(SketchShape.holding(3_000_000))
    Fraction(1, 1048576)
    """
    return Fraction(1 << (shape.starts - 1).bit_length(), 1 << FAILURE_EXPONENT)


def draw_solution(
    equations: Equations, shape: SketchShape, capacity: int, source: Source
) -> tuple[bytes, WordArray]:
    """Return a seed and the words of a uniform solution.

    Parameters
    ----------
    capacity
        The public number of keys: so many values are drawn, whatever the number of links.

    Raises
    ------
    NameClash
        If two names are one after normalisation: their pairs could not be told apart.

    *Cost*: O(keys); three million links take about 1.5 s and 200 MB.
    """
    require_distinct(equations.names)
    values = _draw_values(equations, shape, capacity, source)
    while True:
        seed = source.take(SEED_BYTES)
        reduced = eliminate(equations, values, shape, seed)
        if reduced is not None:
            return seed, draw_words(reduced, source)


def require_distinct(names: Sequence[str]) -> None:
    """Raise :class:`NameClash` if two names are spelled alike once normalised."""
    if all(map(str.isascii, names)):
        return
    seen: dict[bytes, str] = {}
    for name in names:
        other = seen.setdefault(spelled(name), name)
        if other is not name:
            raise NameClash(
                f"vertices {other!r} and {name!r} are the same name in two Unicode spellings; "
                "a sketch is asked by name and could not tell them apart: rename one"
            )


def _draw_values(
    equations: Equations, shape: SketchShape, capacity: int, source: Source
) -> ValueArray:
    """Return a uniform value for each key, reading as many words as the capacity says."""
    if shape.planes == 1:
        return equations.low  # one bit leaves nothing to choose, whatever the link shows
    many, bounds = len(equations.size), np.ones(capacity, dtype=np.uint32)
    bounds[:many] = equations.size
    values: ValueArray = equations.low + below_each(source, bounds)[:many]
    return values


def below_each(source: Source, bounds: ValueArray) -> ValueArray:
    """Return an independent uniform number below each bound, exactly, by rejection.

    A word of 64 bits is split into ``bound`` equal parts and a rest; the rest, met once in 2^32
    times or less, is drawn again.

    >>> from pathveil.chance.source import Seeded
    >>> below_each(Seeded(1), np.array([1, 1], dtype=np.uint32)).tolist()
    [0, 0]
    """
    wide = bounds.astype(np.uint64)
    # 2^64 mod bound, computed within 64 bits.
    rest = (np.uint64(0) - wide) % wide
    drawn = np.zeros(len(bounds), dtype=np.uint32)
    waiting: npt.NDArray[np.int64] = np.arange(len(bounds))
    while len(waiting):
        word = np.frombuffer(source.take(8 * len(waiting)), dtype="<u8").astype(np.uint64)
        drawn[waiting] = word % wide[waiting]
        waiting = waiting[word < rest[waiting]]
    return drawn


@dataclass(frozen=True, repr=False)
class Reduced:
    """Equations in echelon form: by leading column, the row and what it shall equal."""

    shape: SketchShape
    band: WordArray
    right: ValueArray


def eliminate(
    equations: Equations, values: ValueArray, shape: SketchShape, seed: bytes
) -> Reduced | None:
    """Return the equations in echelon form, or None where the seed makes rows dependent."""
    row_hash = RowHash(seed)
    keys = row_hash.keys(equations.names)
    add = chosen(add_rows, _ROW_STEPS * len(equations.ends))
    band = np.zeros((shape.columns, 4), dtype=np.uint64)
    right = np.zeros(shape.columns, dtype=np.uint32)
    chunks = row_hash.rows(keys, equations.ends, shape.starts)
    for starts, rows, part in _ordered(chunks, values, shape.columns):
        if add(starts, shape.masked(rows), part, band, right) >= 0:
            return None
    return Reduced(shape, band, right)


SORTED, SWEEPS = 1 << 19, 4
"""Rows are sorted by their start before they are added, so many at a time or a quarter of all: the
band is then met in order, which is what memory is fast at, and a few times only, however long it
is. Whether rows are independent does not depend on their order."""

_NEAR, _BUCKETS = 6, 16
"""Rows that start in the same 64 columns need no order among themselves: so much of the band is
near. Buckets are numbered by 16 bits, which are sorted in a few passes without a comparison."""


def _ordered(
    chunks: Iterator[tuple[slice, IndexArray, WordArray]], values: ValueArray, columns: int
) -> Iterator[tuple[IndexArray, WordArray, ValueArray]]:
    """Yield starts, rows and values, a chunk at a time, in the order of where they start.

    What is held is one quarter of the rows, or half a million.
    """
    count = max(SORTED, len(values) // SWEEPS) // CHUNK
    size = min(count * CHUNK, len(values))
    starts, rows = np.empty(size, dtype=np.int64), np.empty((size, 4), dtype=np.uint64)
    shift = max(_NEAR, columns.bit_length() - _BUCKETS)
    done = 0
    while done < len(values):
        end = done
        for part, some_starts, some_rows in islice(chunks, count):
            place = slice(part.start - done, part.stop - done)
            starts[place], rows[place] = some_starts, some_rows
            end = part.stop
        order = np.argsort((starts[: end - done] >> shift).astype(np.uint16), kind="stable")
        for first in range(0, len(order), CHUNK):
            here = order[first : first + CHUNK]
            yield starts.take(here), rows.take(here, axis=0), values.take(here + done)
        done = end


_ROW_STEPS, _COLUMN_STEPS = 25, 5
"""What a row and a column take in plain Python, in steps of half a microsecond."""


def draw_words(reduced: Reduced, source: Source) -> WordArray:
    """Return a uniform solution of equations in echelon form, as planes of words.

    A bit is drawn for every column; where an equation leads it is overwritten.
    """
    shape = reduced.shape
    solve = chosen(solve_backwards, _COLUMN_STEPS * shape.planes * shape.columns)
    drawn = source.take(8 * shape.planes * shape.words)
    words = np.frombuffer(drawn, dtype="<u8").astype(np.uint64).reshape(shape.planes, shape.words)
    words[:, -1] &= np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(shape.spare)
    for plane in range(shape.planes):
        solve(reduced.band, reduced.right, plane, words[plane])
    return words
