"""A graph as sorted names and sorted index pairs, and everything that is looked up in it.

Vertices are kept sorted by name and links as sorted index pairs, so that two graphs built from the
same facts in another order are the same value, byte for byte. Links live in one integer array: a
network of a million vertices must fit. Look-ups search what is sorted already, so that no table
beside the names and the links is held.

Also here: labels of any kind as distinct names; pairs as single numbers, which sort and search
fast; and which vertices hang together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadNetwork, NameClash, NotConnected, UnknownVertex
from pathveil.wording import did_you_mean

IndexArray = npt.NDArray[np.int64]


class VertexNames:
    """Labels as text and numbers, refusing two labels that would become the same name."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.labels: dict[str, Hashable] = {}  # those that are not texts

    def add(self, label: Hashable) -> int:
        """Return the number of a label, a new one if it is new."""
        text = label if isinstance(label, str) else str(label)
        number = self.number.get(text)
        if number is None:
            if not text:
                raise BadNetwork("a vertex has an empty name; every vertex needs a name")
            number = self.number[text] = len(self.number)
            if not isinstance(label, str):
                self.labels[text] = label
            return number
        known = self.labels.get(text, text)
        if known is not label and (type(known) is not type(label) or known != label):
            raise NameClash(
                f"labels {known!r} and {label!r} are both called {text!r}; "
                "vertex names must stay distinct as text, rename one"
            )
        return number


def sorted_names(names: Sequence[str]) -> tuple[tuple[str, ...], IndexArray]:
    """Return distinct names sorted, and the rank of each.

    >>> sorted_names(["c", "a", "b"])
    (('a', 'b', 'c'), array([2, 0, 1]))
    """
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return _side_by_side([names[i] for i in order.tolist()]), rank


def _side_by_side(names: list[str]) -> tuple[str, ...]:
    """Return the same names, made anew one after the other.

    Names are met in the order of a file and kept in another. Made anew, names that follow each
    other are neighbours in memory, so that going through a million of them is fast.
    """
    between = "\0"
    made = between.join(names).split(between)
    return tuple(made if len(made) == len(names) else names)


def link_keys(
    rank: IndexArray | None, ends: IndexArray, size: int, *, ordered: bool = True
) -> IndexArray:
    """Return each pair as one number, lower end times ``size`` plus higher end.

    Parameters
    ----------
    rank
        What the ends stand for; None if they are vertex places themselves.
    size
        How many vertices there are.
    ordered
        Whether to put the lower end first, or to leave the ends as they are.

    >>> link_keys(None, np.array([[2, 1], [0, 2]]), 3).tolist()
    [5, 2]
    """
    first, second = ends[:, 0], ends[:, 1]
    if rank is not None:
        first, second = rank[first], rank[second]
    if ordered:
        first, second = np.minimum(first, second), np.maximum(first, second)
    keys: IndexArray = first * np.int64(size) + second
    return keys


def pairs_of_keys(keys: IndexArray, size: int) -> IndexArray:
    """Return the pairs of such numbers.

    >>> pairs_of_keys(np.array([5, 2]), 3).tolist()
    [[1, 2], [0, 2]]
    """
    pairs = np.empty((len(keys), 2), dtype=np.int64)
    np.divmod(keys, np.int64(size), out=(pairs[:, 0], pairs[:, 1]))
    return pairs


def connected_parts(size: int, pairs: IndexArray) -> tuple[int, IndexArray]:
    """Return how many connected components there are, and which one each vertex is in.

    Components are numbered in the order of their first vertices.

    *Cost.* Linear in vertices and pairs, times the square of a logarithm at worst; the rounds on
    real networks are about five. Three million pairs take two thirds of a second.

    Examples
    --------
    >>> count, part = connected_parts(5, np.array([[3, 1], [0, 2], [4, 3]]))
    >>> count, part.tolist()
    (2, [0, 1, 0, 1, 1])
    """
    first = np.arange(size, dtype=np.int64)  # for each vertex the first one of its component
    while True:
        a, b = first[pairs[:, 0]], first[pairs[:, 1]]
        apart = a != b
        if not apart.any():
            break
        # Both ends stand at roots here, so the later root is hung below the earlier one; never the
        # other way round, hence no circles, and the root that is left is the first vertex.
        np.minimum.at(first, np.maximum(a, b)[apart], np.minimum(a, b)[apart])
        while True:
            shorter = first[first]
            if np.array_equal(shorter, first):
                break
            first = shorter
    firsts = np.flatnonzero(first == np.arange(size))
    return len(firsts), firsts.searchsorted(first)


@dataclass(frozen=True, eq=False, repr=False)
class IndexedGraph:
    """An undirected simple graph with string names, by its canonical data.

    Parameters
    ----------
    vertices
        Names, sorted, distinct.
    pairs
        ``(m, 2)`` vertex indices, first < second in each row, rows sorted and distinct.

    Examples
    --------
    >>> path = IndexedGraph(("a", "b", "c"), np.array([[0, 1], [1, 2]]))
    >>> path.neighbours("b"), path.has_edge("c", "a")
    (('a', 'c'), False)
    """

    vertices: tuple[str, ...]
    pairs: IndexArray

    @cached_property
    def links(self) -> tuple[tuple[str, str], ...]:
        """Links as pairs of names, sorted."""
        names = self.vertices
        return tuple((names[i], names[j]) for i, j in self.pairs.tolist())

    @cached_property
    def _rows(self) -> tuple[IndexArray, IndexArray]:
        """Neighbour lists in compressed sparse rows: (start of each row, neighbours ascending)."""
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        size = len(self.vertices)
        counts = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        # In each row the lower neighbours come first: pairs sorted by their second end give them.
        both = np.concatenate(
            [
                link_keys(None, self.pairs[:, ::-1], size, ordered=False),
                link_keys(None, self.pairs, size),
            ]
        )
        both.sort()
        both %= size
        return starts, both

    @cached_property
    def _keys(self) -> IndexArray:
        """The links as single numbers, ascending, to search in."""
        return link_keys(None, self.pairs, len(self.vertices))

    @cached_property
    def _table(self) -> dict[str, int] | None:
        """The place of each name, for networks of which it is small: a million take 100 MB."""
        if len(self.vertices) > 50_000:
            return None
        return dict(zip(self.vertices, range(len(self.vertices)), strict=True))

    def _place(self, name: object) -> int | None:
        """Return where a vertex is, called by its name or by a label such as 7; None: nowhere."""
        name = name if isinstance(name, str) else str(name)
        if self._table is not None:
            return self._table.get(name)
        at = bisect_left(self.vertices, name)  # names are sorted
        return at if at < len(self.vertices) and self.vertices[at] == name else None

    def index(self, name: Hashable) -> int:
        """Return the place of a vertex in :attr:`vertices`."""
        place = self._place(name)
        if place is None:
            raise UnknownVertex(
                f"{name!r} is not a vertex of this network of {len(self.vertices)}; check its "
                "spelling (names are compared letter by letter)"
                + did_you_mean(str(name), self.vertices)
            )
        return place

    @cached_property
    def digest(self) -> str:
        """SHA-256 of vertices and links, for those who know them to see that they hold the same.

        *Privacy*: do not publish it. Whoever has it and all links but one finds that one by
        trying: compare it among participants, never beside a file that is handed out.

        >>> from pathveil import Network
        >>> Network.parse("ab bc").digest == Network.parse("bc ab").digest
        True
        """
        hashed = sha256(b"pathveil network 1\n" + len(self.vertices).to_bytes(8, "big"))
        for name in self.vertices:
            data = name.encode("utf-8", "surrogatepass")
            hashed.update(len(data).to_bytes(4, "big") + data)
        hashed.update(np.ascontiguousarray(self.pairs, dtype="<i8").tobytes())
        return hashed.hexdigest()

    def places(self, names: Sequence[str]) -> IndexArray:
        """Return the places of many vertices, -1 for an unknown name.

        >>> graph = IndexedGraph(("a", "b", "c"), np.array([[0, 1], [1, 2]]))
        >>> graph.places(["c", "x", "a"]).tolist()
        [2, -1, 0]
        """
        if 8 * len(names) < len(self.vertices):
            found = (self._place(name) for name in names)
            return np.fromiter((-1 if i is None else i for i in found), np.int64, len(names))
        table = dict(zip(self.vertices, range(len(self.vertices)), strict=True))
        return np.fromiter((table.get(name, -1) for name in names), np.int64, len(names))

    def link_places(self, ends: IndexArray) -> IndexArray:
        """Return the places of pairs of vertex places in :attr:`pairs`, -1 for an unlinked one.

        >>> graph = IndexedGraph(("a", "b", "c"), np.array([[0, 1], [1, 2]]))
        >>> graph.link_places(np.array([[2, 1], [0, 2]])).tolist()
        [1, -1]
        """
        if not len(self.pairs):
            return np.full(len(ends), -1, dtype=np.int64)
        keys = link_keys(None, ends, len(self.vertices))
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        known = (self._keys[at] == keys) & (ends >= 0).all(axis=1)
        return np.where(known, at, -1)

    def neighbours(self, name: Hashable) -> tuple[str, ...]:
        """Return the names linked with a vertex, sorted."""
        starts, row = self._rows
        i = self.index(name)
        return tuple(self.vertices[j] for j in row[starts[i] : starts[i + 1]].tolist())

    def degree(self, name: Hashable) -> int:
        """Return the number of neighbours of a vertex."""
        starts, _ = self._rows
        i = self.index(name)
        return int(starts[i + 1] - starts[i])

    def has_edge(self, u: Hashable, v: Hashable) -> bool:
        """Return whether two names are linked; an unknown name is linked with nobody."""
        i, j = self._place(u), self._place(v)
        if i is None or j is None:
            return False
        key = min(i, j) * len(self.vertices) + max(i, j)
        at = int(self._keys.searchsorted(key))
        return at < len(self._keys) and int(self._keys[at]) == key

    @cached_property
    def parts(self) -> tuple[int, IndexArray]:
        """How many components there are, and which one each vertex is in.

        Links are merged half a million at a time: after the first ones almost every link is inside
        a component, and costs two look-ups.
        """
        count, part = len(self.vertices), np.arange(len(self.vertices), dtype=np.int64)
        for start in range(0, len(self.pairs), 1 << 19):
            ends = part[self.pairs[start : start + (1 << 19)]]
            count, merged = connected_parts(count, ends[ends[:, 0] != ends[:, 1]])
            part = merged[part]
        return count, part

    def components(self) -> int:
        """Return the number of connected components."""
        return self.parts[0]

    def require_connected(self) -> None:
        """Raise :class:`NotConnected` unless there is one component."""
        count = self.components()
        if count != 1:
            raise NotConnected(
                f"the network of {len(self.vertices)} vertices falls into {count} components; "
                "a walk lives in one of them: keep the largest with largest_component=True"
            )

    def __len__(self) -> int:
        return len(self.vertices)

    def __iter__(self) -> Iterator[str]:
        return iter(self.vertices)

    def __contains__(self, name: object) -> bool:
        return self._place(name) is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IndexedGraph):
            return NotImplemented
        return self.vertices == other.vertices and np.array_equal(self.pairs, other.pairs)

    def __hash__(self) -> int:
        return hash((self.vertices, self.pairs.tobytes()))
