"""Sketched bits: the question of a publication, answered from about one bit for each *link*.

Theory of operation. A sketch is the solution z of one linear equation over GF(2) for each link: the
row of the link (:mod:`pathveil.model.sketch_rows`) times z is the link's value. Every other pair
has a row too, independent of those of the links, so it reads a coin. Nothing else is stored: no
list of vertices, no number of them, no name. Who knows two names can ask for their pair; who knows
the network knows which answers are not coins.

A value has ``planes`` bits. With independent coins a pair is shown on the walk where its value is
below a threshold; with joint coins the values are shared out among states, one of them *off* and
the others a walk of the release and a set of copy pairs.

This module reads. Where z comes from is a matter of chance: :mod:`pathveil.chance.sketching`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import lt
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pathveil.errors import NoVertexList
from pathveil.model.bits import BoolArray, IndexArray, PackedBits
from pathveil.model.byte_words import WordArray
from pathveil.model.forms import Form
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.sketch_rows import SEED_BYTES, WIDTH, RowHash

ValueArray = npt.NDArray[np.uint32]

MOST_PLANES = 32
MOST_KEYS = 1 << 31
"""Equations a sketch may have; starts are scaled by products of 32 bits."""

MOST_BYTES = 511 << 20
"""Bytes the values of a sketch may have: a file of 512 MiB, the most that is read back, holds them
and its header."""


@dataclass(frozen=True)
class SketchShape:
    """The public numbers that fix the size of a sketch.

    Parameters
    ----------
    starts
        Columns at which a row may start.
    planes
        Bits of a value.
    width
        Coefficients of a row. Smaller ones than the usual are for tests on tiny systems.

    Examples
    --------
    >>> shape = SketchShape.holding(1_000_000)
    >>> shape.starts, shape.columns, shape.bytes
    (1080001, 1080256, 135032)
    """

    starts: int
    planes: int = 1
    width: int = WIDTH

    def __post_init__(self) -> None:
        if not (1 <= self.planes <= MOST_PLANES and 1 <= self.width <= WIDTH and self.starts >= 1):
            raise ValueError(f"no sketch has the shape {self}")

    @classmethod
    def holding(cls, keys: int, *, planes: int = 1) -> SketchShape:
        """Return the shape for so many equations at most: 1.08 columns for each, and a row more."""
        if not 1 <= keys <= MOST_KEYS:
            raise ValueError(f"a sketch holds 1 to {MOST_KEYS} equations, not {keys}")
        return cls(-(-27 * keys // 25) + 1, planes)

    @staticmethod
    def most_keys(*, planes: int) -> int:
        """Return for how many equations at most the values of so many bits fit a file.

        >>> SketchShape.most_keys(planes=1), SketchShape.most_keys(planes=8)
        (2147483648, 496131555)
        """
        starts = 8 * (MOST_BYTES // planes) - WIDTH + 1
        return min(MOST_KEYS, (starts - 1) * 25 // 27)

    @property
    def columns(self) -> int:
        """Bits of a plane."""
        return self.starts + self.width - 1

    @property
    def words(self) -> int:
        """Words of a plane."""
        return (self.columns + 63) // 64

    @property
    def bytes(self) -> int:
        """Bytes of all planes together, whole bytes each."""
        return self.planes * ((self.columns + 7) // 8)

    @property
    def spare(self) -> int:
        """Bits of a plane's last word that belong to no column."""
        return 64 * self.words - self.columns

    def masked(self, rows: WordArray) -> WordArray:
        """Return rows without the coefficients beyond the width."""
        if self.width == WIDTH:
            return rows
        whole = (1 << self.width) - 1
        mask = [(whole >> shift) & 0xFFFFFFFFFFFFFFFF for shift in range(0, WIDTH, 64)]
        return rows & np.array(mask, dtype=np.uint64)


class Thresholds(Protocol):
    """A public rule that gives each pair a threshold of its own."""

    def of(self, names: tuple[str, ...], ends: IndexArray) -> ValueArray:
        """Return for each pair of names how many values each on-walk state has."""
        ...


@dataclass(frozen=True, eq=False)
class JointStates:
    """How the values of a vertex pair are shared out among its states, and what each shows.

    Parameters
    ----------
    shown
        A row for each pattern: which copy pairs are on the walk. Column ``copies * i + j`` is copy
        i of the end whose name sorts first and copy j of the other.
    walks
        How many walks share the release: every pattern is one state for each.
    walk
        The one that is read.
    each
        How many values each of these states has; all others mean *off*. Where pairs have thresholds
        of their own it says nothing.
    """

    shown: BoolArray
    walks: int
    walk: int
    each: int = 1

    @property
    def states(self) -> int:
        """How many states are on some walk."""
        return self.walks * len(self.shown)

    def different(
        self, values: ValueArray, columns: IndexArray, each: ValueArray | int | None = None
    ) -> BoolArray:
        """Return whether the copy pair in some column is on the walk that is read.

        ``each`` is how many values a state has, pair by pair, where that is not the same for all.
        """
        wide = np.asarray(self.each if each is None else each, dtype=np.int64)
        pattern = values.astype(np.int64) // wide - self.walk * len(self.shown)
        mine = (pattern >= 0) & (pattern < len(self.shown))
        found: BoolArray = mine & self.shown[np.where(mine, pattern, 0), columns]
        return found


@dataclass(frozen=True, eq=False, repr=False)
class SketchedBits:
    """Bits that any pair of names can be asked for.

    Parameters
    ----------
    seed
        Public, of the hash.
    shape
        The public size.
    words
        ``(planes, shape.words)``: column c of a plane is bit ``c % 64`` of word ``c // 64``.
    capacity
        The public number of links there may be at most.
    copies
        The public number of copies of every vertex.
    threshold
        Independent coins: a pair is on the walk where its value is below; a number, or a public
        rule for each pair.
    joint
        Joint coins: the states of a vertex pair.

    Examples
    --------
    >>> shape = SketchShape.holding(10)
    >>> bits = SketchedBits(bytes(16), shape, np.zeros((1, shape.words), dtype=np.uint64))
    >>> asked = bits.positions_of(["b", "a"])
    >>> asked.vertices, bits.same_branch(asked, np.array([[0, 1]])).tolist()
    (('a', 'b'), [False])
    """

    seed: bytes
    shape: SketchShape
    words: WordArray
    capacity: int = 0
    copies: int = 1
    threshold: int | Thresholds = 1
    joint: JointStates | None = None

    def __post_init__(self) -> None:
        expected = (self.shape.planes, self.shape.words)
        if self.words.dtype != np.uint64 or self.words.shape != expected:
            raise ValueError(
                f"a sketch of this shape has {expected} words, found {self.words.shape} "
                f"of {self.words.dtype}"
            )
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"the seed of a sketch has {SEED_BYTES} bytes, not {len(self.seed)}")
        if self.shape.spare and (self.words[:, -1] >> np.uint64(64 - self.shape.spare)).any():
            raise ValueError("the spare bits of a plane's last word must be clear")
        self.words.setflags(write=False)

    @property
    def form(self) -> Form:
        """What the form is called."""
        return "sketch"

    @property
    def names(self) -> None:
        """None: it knows no name."""

    def listed(self) -> PackedBits:
        """Raise :class:`NoVertexList`: there is no list of pairs."""
        raise NoVertexList(
            "this publication lists no vertices, so it cannot be drawn or enumerated as it is; "
            "name the vertices (publication.among(names)), or ask it about the pairs you know"
        )

    def require_over(self, network: Network) -> None:
        """Do nothing: a sketch answers for every network."""

    def positions_of(self, names: Iterable[str]) -> Positions:
        """Return the public copies of some vertices; a sketch knows no name and refuses none."""
        chosen = tuple(names)
        if not all(map(lt, chosen, islice(chosen, 1, None))):
            chosen = tuple(sorted(set(chosen)))
        return Positions.uniform(chosen, self.copies)

    def same_branch(self, asked: Positions, pairs: IndexArray) -> BoolArray:
        """Return for each pair of asked positions whether it is shown in one branch.

        *Cost*: one hash for each asked name and pair and one inner product of 256 bits;
        a million pairs in about 0.2 s.
        """
        if self.joint is None:
            found: BoolArray = self.values(asked, pairs) >= self._each(asked, pairs)
            return found
        return ~self._different(asked, pairs, self.joint)

    def values(self, asked: Positions, pairs: IndexArray) -> ValueArray:
        """Return the value of each pair: of copies with independent coins, else of vertices."""
        ends = pairs if len(asked) == len(asked.vertices) else asked.vertex_of[pairs]
        copies = None
        if self.copies > 1 and not self.joint:
            copies = pairs - asked.starts[ends]
            # Copies of one vertex are a pair like any other; which comes first means nothing.
            own = ends[:, 0] == ends[:, 1]
            copies[own] = np.sort(copies[own], axis=1)
        keys, ends = self._keys(asked.vertices, ends)
        return self._read(keys, ends, copies)

    def pair_values(self, names: tuple[str, ...], ends: IndexArray) -> ValueArray:
        """Return the value of each pair of names, for values that belong to pairs of vertices."""
        keys, places = self._keys(names, ends)
        return self._read(keys, places, None)

    def _each(self, asked: Positions, pairs: IndexArray) -> ValueArray | int:
        """Return how many values mean one on-walk state of each pair."""
        if isinstance(self.threshold, int):
            return self.threshold if self.joint is None else self.joint.each
        return self.threshold.of(asked.vertices, asked.vertex_of[pairs])

    def _different(self, asked: Positions, pairs: IndexArray, joint: JointStates) -> BoolArray:
        ends = asked.vertex_of[pairs]
        copies = pairs - asked.starts[ends]
        values = self.pair_values(asked.vertices, ends)
        copies = np.where((pairs[:, 0] > pairs[:, 1])[:, None], copies[:, ::-1], copies)
        columns = copies[:, 0] * self.copies + copies[:, 1]
        shown = joint.different(values, columns, self._each(asked, pairs))
        # Copies of one vertex are never linked: they are shown in different branches.
        found: BoolArray = shown | (ends[:, 0] == ends[:, 1])
        return found

    @cached_property
    def _hash(self) -> RowHash:
        return RowHash(self.seed)

    def _keys(self, names: tuple[str, ...], ends: IndexArray) -> tuple[WordArray, IndexArray]:
        """Return keys of the names that are asked for, and the ends as places among them."""
        if 2 * len(ends) >= len(names):
            return self._hash.keys(names), ends
        used, places = np.unique(ends, return_inverse=True)
        return self._hash.keys([names[i] for i in used.tolist()]), places.reshape(ends.shape)

    def _read(self, keys: WordArray, ends: IndexArray, copies: IndexArray | None) -> ValueArray:
        values = np.empty(len(ends), dtype=np.uint32)
        for part, starts, rows in self._hash.rows(keys, ends, copies, self.shape.starts):
            values[part] = read_values(self.words, starts, self.shape.masked(rows))
        return values

    def content(self) -> bytes:
        """Return all that it says as bytes, the same for equal bits and for no others.

        Thresholds are left out: they follow from the terms and the place in the series.
        """
        walk = 0 if self.joint is None else self.joint.walk + 1
        shape = (self.shape.starts, self.shape.planes, self.shape.width)
        numbers = (*shape, self.capacity, self.copies, walk)
        head = b"sketch" + b"".join(number.to_bytes(8, "big") for number in numbers)
        return head + self.seed + np.ascontiguousarray(self.words, dtype="<u8").tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SketchedBits):
            return NotImplemented
        return self._facts() == other._facts() and np.array_equal(self.words, other.words)

    def __hash__(self) -> int:
        return hash((self.seed, self.shape, self.copies))

    def _facts(self) -> tuple[object, ...]:
        joint = self.joint
        states = joint and (joint.shown.tobytes(), joint.walks, joint.walk, joint.each)
        return self.seed, self.shape, self.capacity, self.copies, self.threshold, states

    def __repr__(self) -> str:
        return f"<SketchedBits: {self.shape.bytes} bytes>"


def read_values(words: WordArray, starts: IndexArray, rows: WordArray) -> ValueArray:
    """Return the inner products of rows with every plane of a sketch.

    >>> words = np.array([[0b110]], dtype=np.uint64)
    >>> row = np.array([[0b11, 0, 0, 0]], dtype=np.uint64)
    >>> read_values(words, np.array([1]), row).tolist(), read_values(words, np.array([2]), row)
    ([0], array([1], dtype=uint32))
    """
    base, shift = starts >> 6, (starts & 63).astype(np.uint64)
    back = np.uint64(63) - shift
    values = np.zeros(len(starts), dtype=np.uint32)
    for plane, line in enumerate(words):
        mixed = np.zeros(len(starts), dtype=np.uint64)
        # Clipped where a row ends with the plane: what is read twice there has no coefficient.
        upper = line.take(base, mode="clip")
        for place in range(rows.shape[1]):
            lower, upper = upper, line.take(base + (place + 1), mode="clip")
            # Shifted in two steps, because a shift by a whole word is not defined.
            mixed ^= ((lower >> shift) | (upper << np.uint64(1) << back)) & rows[:, place]
        values |= (np.bitwise_count(mixed) & 1).astype(np.uint32) << np.uint32(plane)
    return values
