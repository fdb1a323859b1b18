"""The same-branch graph in the form the layering kernels read: neighbour lists.

Neighbour lists are kept as two flat arrays (compressed sparse rows): the neighbours of ``v`` are
``indices[indptr[v] : indptr[v + 1]]``, ascending. Both arrays are read-only, so that one graph can
be handed to every kernel without a copy.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel, run
from pathveil.model.bits import PairBits

if TYPE_CHECKING:
    from typing import Self

Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]

_PAIRS_UP_TO = 2_000  # vertices: larger graphs are read bit by bit, in compiled code
_SPARSE_SHARE = 32  # below one pair in 32, a list of pairs is smaller than a matrix


@dataclass(frozen=True, eq=False, repr=False)
class Adjacency:
    """A simple undirected graph on ``0 .. size-1`` as ascending neighbour lists.

    *Cost*: 8 bytes a vertex and 8 bytes an edge.

    Examples
    --------
    >>> graph = Adjacency.from_pairs(4, [(2, 1), (0, 1)])
    >>> graph.size, graph.edge_count, graph.neighbours(1).tolist()
    (4, 2, [0, 2])
    """

    indptr: Int64Array
    indices: Int32Array

    def __post_init__(self) -> None:
        if self.indptr.dtype != np.int64 or self.indices.dtype != np.int32:
            raise TypeError(
                f"neighbour lists must be int64 starts and int32 vertices, found "
                f"{self.indptr.dtype} and {self.indices.dtype}"
            )
        if len(self.indptr) == 0 or self.indptr[-1] != len(self.indices):
            raise ValueError(f"the starts must end with the {len(self.indices)} list entries")
        self.indptr.setflags(write=False)
        self.indices.setflags(write=False)

    @classmethod
    def from_bits(cls, bits: PairBits) -> Self:
        """Return the graph whose edges are the pairs in the same branch.

        *Cost*: two passes over the packed bits. The lists take four bytes an entry, at 10,000
        positions and half the pairs 200 MB; a large graph is never written out as a matrix.
        """
        if bits.size <= _PAIRS_UP_TO or bits.count() * _SPARSE_SHARE < bits.size * bits.size:
            return cls._from_sorted_pairs(bits.size, bits.pairs())
        return cls(*run(lists_of_bits, 2 * bits.size * bits.size, bits.packed, bits.size))

    @classmethod
    def from_pairs(cls, size: int, pairs: Iterable[tuple[int, int]] | Int64Array) -> Self:
        """Return the graph with these edges; their order, direction and repeats do not matter."""
        given = pairs if isinstance(pairs, np.ndarray) else np.array(list(pairs), dtype=np.int64)
        edges = given.reshape(-1, 2).astype(np.int64, copy=False)
        low, high = edges.min(axis=1), edges.max(axis=1)
        if len(edges) and (low.min() < 0 or high.max() >= size):
            raise ValueError(f"a pair leaves the {size} vertices: {low.min()} or {high.max()}")
        if np.any(low == high):
            raise ValueError(f"vertex {low[low == high][0]} is paired with itself")
        flat = np.sort(low * size + high)
        flat = flat[np.diff(flat, prepend=-1) > 0]  # np.unique would take many times as long
        return cls._from_sorted_pairs(size, np.stack(np.divmod(flat, size), axis=1))

    @classmethod
    def _from_sorted_pairs(cls, size: int, pairs: Int64Array) -> Self:
        """Build from distinct pairs (low, high), rows in ascending order."""
        low, high = pairs[:, 0], pairs[:, 1]
        above = np.bincount(low, minlength=size)
        below = np.bincount(high, minlength=size)
        indptr = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(above + below, out=indptr[1:])
        indices = np.empty(2 * len(pairs), dtype=np.int32)
        # Every list is its smaller neighbours, then its larger ones; a stable sort keeps each run
        # ascending, and the k-th entry of a run goes k places after the run's start.
        ranks = np.arange(len(pairs), dtype=np.int64)
        indices[ranks + (indptr[:-1] + below - _starts(above))[low]] = high
        by_high = np.argsort(high, kind="stable")
        indices[ranks + (indptr[:-1] - _starts(below))[high[by_high]]] = low[by_high]
        return cls(indptr, indices)

    @property
    def size(self) -> int:
        """The number of vertices."""
        return len(self.indptr) - 1

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return len(self.indices) // 2

    def neighbours(self, vertex: int) -> Int32Array:
        """Return the neighbours of one vertex, ascending."""
        return self.indices[self.indptr[vertex] : self.indptr[vertex + 1]]

    def pairs(self) -> Int64Array:
        """Return the edges as ``(count, 2)`` rows (low, high), ascending."""
        tails = np.repeat(np.arange(self.size, dtype=np.int64), np.diff(self.indptr))
        upward = tails < self.indices
        return np.stack([tails[upward], self.indices[upward].astype(np.int64)], axis=1)

    def induced(self, vertices: Int32Array) -> Self:
        """Return the graph on some vertices, given ascending, renumbered in that order."""
        work = self.size + int(np.diff(self.indptr)[vertices].sum())
        return type(self)(*run(lists_within, work, self.indptr, self.indices, vertices))

    @cached_property
    def key(self) -> int:
        """A 31-bit number that depends on the graph alone: it keys every pseudo-random choice.

        No secret hangs on it; it only has to be the same on every machine.
        """
        degrees = np.diff(self.indptr).astype("<i4")
        lists = self.indices.astype("<i4", copy=False)
        return zlib.crc32(lists.data, zlib.crc32(degrees.data)) >> 1

    def __repr__(self) -> str:
        return f"<Adjacency: {self.size} vertices, {self.edge_count} edges>"


def _starts(counts: Int64Array) -> Int64Array:
    """Return where each run begins when runs of these lengths are laid end to end."""
    starts = np.zeros(len(counts), dtype=np.int64)
    np.cumsum(counts[:-1], out=starts[1:])
    return starts


@kernel
def lists_of_bits(packed: npt.NDArray[np.uint8], size: int) -> tuple[Int64Array, Int32Array]:
    """Return the starts and entries of the neighbour lists of a packed upper triangle.

    Bits are read twice, to count and to fill. Rows come in ascending order and columns within a
    row, so every list is filled in ascending order: first its smaller neighbours, whose rows are
    earlier, then its own row.
    """
    starts = np.zeros(size + 1, np.int64)
    place = 0
    for i in range(size):
        for j in range(i + 1, size):
            if (packed[place >> 3] >> (7 - (place & 7))) & 1:
                starts[i + 1] += 1
                starts[j + 1] += 1
            place += 1
    # Counts to starts; the counts stood one place further on for this.
    for v in range(size):
        starts[v + 1] += starts[v]
    cursor = starts.copy()
    entries = np.empty(starts[size], np.int32)
    # The bits are read again: pairs kept from the first time would take 64 times their room.
    place = 0
    for i in range(size):
        for j in range(i + 1, size):
            if (packed[place >> 3] >> (7 - (place & 7))) & 1:
                entries[cursor[i]] = j
                cursor[i] += 1
                entries[cursor[j]] = i
                cursor[j] += 1
            place += 1
    return starts, entries


@kernel
def lists_within(
    indptr: Int64Array, indices: Int32Array, vertices: Int32Array
) -> tuple[Int64Array, Int32Array]:
    """Return the starts and entries of the neighbour lists of some vertices among themselves."""
    place = np.full(len(indptr) - 1, -1, np.int32)
    most = 0
    for i in range(len(vertices)):
        place[vertices[i]] = i
        most += indptr[vertices[i] + 1] - indptr[vertices[i]]
    starts = np.zeros(len(vertices) + 1, np.int64)
    entries = np.empty(most, np.int32)
    end = 0
    for i in range(len(vertices)):
        for k in range(indptr[vertices[i]], indptr[vertices[i] + 1]):
            if place[indices[k]] >= 0:
                entries[end] = place[indices[k]]
                end += 1
        starts[i + 1] = end
    return starts, entries[:end].copy()
