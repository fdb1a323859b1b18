"""Positions: the copies of the vertices, numbered. Public: which copy belongs to which vertex.

A *copy* is one visit of a vertex, or a fake visit. Copies of one vertex are different places on
the walk. They are numbered vertex by vertex, in the sorted order of the names, so the numbering
tells nothing but the names and the number of copies.

Paths from links: what walk links, in any order, form over the copies.

A participant reads all links of the walk: one path. An adversary who misses some reads pieces of
it: several. Both start here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pathveil.errors import DoesNotFit, UnknownVertex

OTHER_NETWORK = (
    "the publication does not belong to this network, or you lack some of its links; with only "
    "your own, read your own places (pv.read_vertex, --as VERTEX)"
)

IndexArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Positions:
    """How many copies each vertex has.

    *Paper*: the sub-vertices of Section 4.2.1; the map from a sub-vertex to its base vertex.

    Examples
    --------
    >>> positions = Positions(("a", "b"), (1, 2))
    >>> len(positions), positions.label(2), positions.index("b", 1)
    (3, ('b', 1), 2)
    """

    vertices: tuple[str, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.vertices) != len(self.counts):
            raise ValueError(f"{len(self.vertices)} vertices but {len(self.counts)} copy counts")
        if self.counts and min(self.counts) < 1:
            raise ValueError("every vertex needs at least one copy")

    @classmethod
    def uniform(cls, vertices: tuple[str, ...], copies: int) -> Positions:
        """Return the positions in which every vertex has the same number of copies."""
        return cls(vertices, (copies,) * len(vertices))

    @cached_property
    def _alike(self) -> int | None:
        """The number of copies that all vertices have: a million counts need not be added up."""
        return self.counts[0] if len(set(self.counts)) == 1 else None

    @cached_property
    def starts(self) -> IndexArray:
        """Number of the first copy of each vertex, and the total at the end."""
        if self._alike:
            return np.arange(0, self._alike * len(self.counts) + 1, self._alike, dtype=np.int64)
        return np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)]).astype(np.int64)

    @cached_property
    def vertex_of(self) -> IndexArray:
        """Vertex index of each position."""
        places = np.arange(len(self.vertices), dtype=np.int64)
        return np.repeat(places, self._alike or self.counts)

    @cached_property
    def _vertex_index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.vertices)}

    def __len__(self) -> int:
        return int(self.starts[-1])

    def label(self, position: int) -> tuple[str, int]:
        """Return (vertex, copy) of a position."""
        vertex = int(self.vertex_of[position])
        return self.vertices[vertex], position - int(self.starts[vertex])

    def copies_of(self, vertex: Hashable) -> range:
        """Return the positions of a vertex."""
        i = self._vertex_index.get(vertex if isinstance(vertex, str) else str(vertex))
        if i is None:
            raise UnknownVertex(
                f"{vertex!r} is none of the {len(self.vertices)} published vertices; "
                "check its spelling, or whether this is the right publication"
            )
        return range(int(self.starts[i]), int(self.starts[i + 1]))

    def index(self, vertex: Hashable, copy: int) -> int:
        """Return the position of a copy."""
        here = self.copies_of(vertex)
        if not 0 <= copy < len(here):
            raise UnknownVertex(f"{vertex!r} has copies 0..{len(here) - 1}, there is no {copy}")
        return here[copy]

    def only(self, names: Iterable[Hashable]) -> Positions:
        """Return the positions of some vertices alone, sorted by name.

        >>> Positions(("a", "b", "c"), (1, 2, 3)).only(["c", "a"])
        Positions(vertices=('a', 'c'), counts=(1, 3))
        """
        chosen = tuple(sorted(set(map(str, names))))
        if chosen == self.vertices:
            return self
        return Positions(chosen, tuple(len(self.copies_of(name)) for name in chosen))

    def places_of(self, asked: Positions) -> IndexArray:
        """Return the position here of each position asked about; both know the same copies."""
        starts = [self.copies_of(name).start for name in asked.vertices]
        within = np.arange(len(asked)) - asked.starts[asked.vertex_of]
        found: IndexArray = np.asarray(starts, dtype=np.int64)[asked.vertex_of] + within
        return found

    def lifted(self, pairs: IndexArray) -> IndexArray:
        """Return all copy pairs of pairs of vertices as ``(k, 2)`` positions, pair after pair.

        *Paper*: every copy inherits every connection of its vertex, to all copies of the
        neighbour (Figure 4; the loop of Alg. 1 as printed adds one link per copy only).
        """
        if len(self) == len(self.vertices):
            return pairs  # one copy of each vertex: positions are vertices
        counts, starts = np.asarray(self.counts, dtype=np.int64)[pairs], self.starts[pairs]
        widths = counts.prod(axis=1)
        pair = np.repeat(np.arange(len(pairs)), widths)
        offset = np.arange(len(pair)) - np.repeat(np.cumsum(widths) - widths, widths)
        found: IndexArray = starts[pair] + np.stack(np.divmod(offset, counts[pair, 1]), axis=1)
        return found


def linear_forest(links: IndexArray, positions: Positions) -> tuple[tuple[int, ...], ...]:
    """Return the paths that the links form, each from its lower end, sorted by that end.

    Parameters
    ----------
    links
        ``(k, 2)`` positions, each pair once.
    positions
        What to call a position in an error.

    Raises
    ------
    DoesNotFit
        If a position has three links, or links close a ring.

    Examples
    --------
    >>> letters = Positions.uniform(tuple("abcde"), 1)
    >>> linear_forest(np.array([[4, 3], [0, 2], [2, 1]]), letters)
    ((0, 2, 1), (3, 4))
    """
    used, place = np.unique(links, return_inverse=True)
    place = place.reshape(links.shape)
    degree = np.bincount(place.ravel(), minlength=len(used))
    if degree.max(initial=0) > 2:
        here = int(degree.argmax())
        vertex, _ = positions.label(int(used[here]))
        raise DoesNotFit(
            f"one visit of {vertex!r} has {degree[here]} walk links, expected at most 2; "
            f"{OTHER_NETWORK}"
        )
    paths, touched = [], 0
    seen = np.zeros(len(used), dtype=bool)
    one, other = _mates(place, degree)
    for end in np.flatnonzero(degree == 1).tolist():
        if seen[end]:
            continue
        path = _follow(end, one, other)
        seen[path[-1]] = True  # the other end of a path that is already there
        paths.append(tuple(used[path].tolist()))
        touched += len(path)
    if touched != len(used):
        raise DoesNotFit(
            f"{len(used) - touched} visits are joined in rings by walk links, expected pieces of "
            f"a path; {OTHER_NETWORK}"
        )
    return tuple(paths)


def _mates(place: IndexArray, degree: IndexArray) -> tuple[list[int], list[int]]:
    """Return the one mate of each place, and the other; -1 where there is none."""
    both = np.concatenate([place, place[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.cumsum(degree) - degree
    one = both[first, 1]
    other = np.where(degree > 1, both[np.minimum(first + 1, len(both) - 1), 1], -1)
    return one.tolist(), other.tolist()


def _follow(end: int, one: list[int], other: list[int]) -> list[int]:
    path, before, here = [end], -1, end
    while True:
        onward = one[here] if one[here] != before else other[here]
        if onward < 0:
            return path
        before, here = here, onward
        path.append(here)
