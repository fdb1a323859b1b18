"""The same-branch graph in the form the layering kernels read: neighbour lists.

Neighbour lists are kept as two flat arrays (compressed sparse rows): the neighbours of ``v`` are
``indices[indptr[v] : indptr[v + 1]]``, ascending. Both arrays are read-only, so that one graph can
be handed to every kernel without a copy.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import PairBits

if TYPE_CHECKING:
    from typing import Self

Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]

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

        *Cost*: the lists take four bytes an entry, at 10,000 positions and half the pairs 200 MB;
        the bits of a dense graph are written out as a matrix meanwhile, a byte each.
        """
        if bits.count() * _SPARSE_SHARE <= bits.size * bits.size:
            return cls.from_pairs(bits.size, bits.pairs())
        return cls._of_lists([np.flatnonzero(row).astype(np.int32) for row in bits.matrix()])

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
        keys = np.sort(np.concatenate([low * size + high, high * size + low]))
        keys = keys[np.diff(keys, prepend=-1) > 0]  # np.unique would take many times as long
        starts = np.searchsorted(keys, np.arange(size + 1, dtype=np.int64) * size)
        return cls(starts, (keys % max(size, 1)).astype(np.int32))

    @classmethod
    def _of_lists(cls, lists: Sequence[Int32Array]) -> Self:
        """Build from the neighbours of each vertex, ascending; there is at least one vertex."""
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return cls(starts, np.concatenate(lists))

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
        place = np.full(self.size, -1, dtype=np.int32)
        place[vertices] = np.arange(len(vertices), dtype=np.int32)
        begins, ends = self.indptr[vertices].tolist(), self.indptr[vertices + 1].tolist()
        lists = [self.indices[begin:end] for begin, end in zip(begins, ends, strict=True)]
        places = place[np.concatenate(lists)]
        kept = np.flatnonzero(places >= 0)
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return type(self)(np.searchsorted(kept, starts), places[kept])

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
