"""The network: who may be linked with whom. Public to participants, the key to every reading.

Vertices are kept sorted by name and edges as sorted index pairs, so that two networks built from
the same facts in another order are the same value, byte for byte. Edges live in one integer array:
a network of a million vertices must fit.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadNetwork, NameClash, NotConnected, NotSimple, UnknownVertex

if TYPE_CHECKING:
    import networkx as nx

IndexArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """An undirected simple graph with string names.

    Use :meth:`from_edges`, :meth:`from_networkx` or :meth:`parse`; the constructor takes data that
    is already canonical.

    Parameters
    ----------
    vertices
        Names, sorted, distinct.
    pairs
        ``(m, 2)`` vertex indices, first < second in each row, rows sorted and distinct.
    coordinates
        Public coordinates by name, if known. They are decoration: two networks with the same
        vertices and edges are equal whatever their coordinates.

    Examples
    --------
    >>> network = Network.parse("ab bc cd bd")
    >>> network
    <Network: 4 vertices, 4 edges>
    >>> network.neighbours("b")
    ('a', 'c', 'd')
    """

    vertices: tuple[str, ...]
    pairs: IndexArray
    coordinates: Mapping[str, tuple[float, float]] | None = field(default=None)

    # -- making ---------------------------------------------------------------------------------

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[Hashable, Hashable]],
        *,
        vertices: Iterable[Hashable] = (),
        coordinates: Mapping[Hashable, tuple[float, float]] | None = None,
        connected: bool = True,
    ) -> Network:
        """Return the network with these edges; other labels than strings become ``str(label)``.

        Parameters
        ----------
        edges
            Pairs of labels, each pair once, in any order.
        vertices
            Labels that must be there even without an edge.
        connected
            Whether to insist on one component. What an adversary holds may be torn apart; a
            custodian's network may not.

        Examples
        --------
        >>> Network.from_edges([(1, 2), (2, 3)]).vertices
        ('1', '2', '3')
        """
        names = _Names()
        for label in vertices:
            names.add(label)
        listed = [(names.add(u), names.add(v)) for u, v in edges]
        ordered = tuple(sorted(names.by_text))
        index = {name: i for i, name in enumerate(ordered)}
        rows = np.empty((len(listed), 2), dtype=np.int64)
        for place, (u, v) in enumerate(listed):
            if u == v:
                raise NotSimple(
                    f"edge {place + 1} joins {u!r} to itself; a network has no self-loops, "
                    "remove that edge"
                )
            i, j = index[u], index[v]
            rows[place] = (i, j) if i < j else (j, i)
        order = np.lexsort((rows[:, 1], rows[:, 0]))
        rows = rows[order]
        twice = np.flatnonzero((rows[1:] == rows[:-1]).all(axis=1))
        if len(twice):
            i, j = rows[twice[0]]
            raise NotSimple(
                f"edge {ordered[i]!r} - {ordered[j]!r} is given {_times(rows, twice[0])} times; "
                "a network has no parallel edges, keep one of them"
            )
        placed = None
        if coordinates is not None:
            placed = {str(k): (float(x), float(y)) for k, (x, y) in coordinates.items()}
        network = cls(ordered, rows, placed)
        if not ordered:
            raise BadNetwork("the network has no vertex; give at least one edge")
        if connected:
            network.require_connected()
        return network

    @classmethod
    def parse(cls, text: str) -> Network:
        """Return the network written as words of two letters, for examples and tests.

        >>> Network.parse("ab bc").edges
        (('a', 'b'), ('b', 'c'))
        """
        words = text.split()
        for word in words:
            if len(word) != 2:
                raise BadNetwork(f"{word!r} is not an edge of two one-letter vertices like 'ab'")
        return cls.from_edges((word[0], word[1]) for word in words)

    @classmethod
    def from_networkx(cls, graph: nx.Graph[Any], *, connected: bool = True) -> Network:
        """Return the network of a networkx graph; ``pos`` or ``x``/``y`` node data are coordinates.

        Directed graphs and multigraphs are accepted where they hold no two arcs between the same
        two vertices; merging such arcs silently would change what is published.
        """
        coordinates: dict[Hashable, tuple[float, float]] = {}
        for label, data in graph.nodes(data=True):
            if "pos" in data:
                x, y = data["pos"]
                coordinates[label] = (float(x), float(y))
            elif "x" in data and "y" in data:
                coordinates[label] = (float(data["x"]), float(data["y"]))
        return cls.from_edges(
            ((u, v) for u, v in graph.edges()),
            vertices=graph.nodes(),
            coordinates=coordinates if len(coordinates) == len(graph) else None,
            connected=connected,
        )

    def to_networkx(self) -> nx.Graph[Any]:
        """Return the same graph for networkx, with ``pos`` data where coordinates are known."""
        import networkx as nx

        graph: nx.Graph[Any] = nx.Graph()
        graph.add_nodes_from(self.vertices)
        graph.add_edges_from(self.edges)
        if self.coordinates is not None:
            nx.set_node_attributes(graph, dict(self.coordinates), "pos")
        return graph

    # -- asking ---------------------------------------------------------------------------------

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Edges as pairs of names, sorted."""
        names = self.vertices
        return tuple((names[i], names[j]) for i, j in self.pairs.tolist())

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.vertices)}

    @cached_property
    def _rows(self) -> tuple[IndexArray, IndexArray]:
        """Neighbour lists in compressed sparse rows: (start of each row, neighbours ascending)."""
        both = np.concatenate([self.pairs, self.pairs[:, ::-1]])
        both = both[np.lexsort((both[:, 1], both[:, 0]))]
        counts = np.bincount(both[:, 0], minlength=len(self.vertices))
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        return starts, np.ascontiguousarray(both[:, 1])

    def index(self, name: str) -> int:
        """Return the place of a vertex in :attr:`vertices`."""
        try:
            return self._index[name]
        except KeyError:
            raise UnknownVertex(
                f"{name!r} is no vertex of this network of {len(self.vertices)}; "
                "check its spelling (names are compared letter by letter)"
            ) from None

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Return the names linked with a vertex, sorted."""
        starts, row = self._rows
        i = self.index(name)
        return tuple(self.vertices[j] for j in row[starts[i] : starts[i + 1]].tolist())

    def degree(self, name: str) -> int:
        """Return the number of neighbours of a vertex."""
        starts, _ = self._rows
        i = self.index(name)
        return int(starts[i + 1] - starts[i])

    def has_edge(self, u: str, v: str) -> bool:
        """Return whether two names are linked; an unknown name is linked with nobody."""
        i, j = self._index.get(u), self._index.get(v)
        if i is None or j is None:
            return False
        starts, row = self._rows
        here = row[starts[i] : starts[i + 1]]
        at = int(np.searchsorted(here, j))
        return at < len(here) and int(here[at]) == j

    def without(self, *missing: tuple[str, str]) -> Network:
        """Return what is left when some edges are not known; it may be disconnected.

        >>> Network.parse("ab bc ca").without(("c", "a")).edges
        (('a', 'b'), ('b', 'c'))
        """
        gone = set()
        for u, v in missing:
            if not self.has_edge(u, v):
                raise BadNetwork(f"{u!r} - {v!r} is no edge of the network, so it cannot miss")
            gone.add(tuple(sorted((self.index(u), self.index(v)))))
        keep = [tuple(row) not in gone for row in self.pairs.tolist()]
        return Network(self.vertices, self.pairs[np.array(keep, dtype=bool)], self.coordinates)

    def components(self) -> int:
        """Return the number of connected components."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        size = len(self.vertices)
        ones = np.ones(len(self.pairs), dtype=np.int8)
        matrix = coo_array((ones, (self.pairs[:, 0], self.pairs[:, 1])), shape=(size, size))
        count, _ = connected_components(matrix, directed=False)
        return int(count)

    def require_connected(self) -> None:
        """Raise :class:`NotConnected` unless there is one component."""
        count = self.components()
        if count != 1:
            raise NotConnected(
                f"the network of {len(self.vertices)} vertices falls into {count} components; "
                "a walk lives in one of them: give that component alone"
            )

    # -- being a value --------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.vertices)

    def __iter__(self) -> Iterator[str]:
        return iter(self.vertices)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return self.vertices == other.vertices and np.array_equal(self.pairs, other.pairs)

    def __hash__(self) -> int:
        return hash((self.vertices, self.pairs.tobytes()))

    def __repr__(self) -> str:
        return f"<Network: {len(self.vertices)} vertices, {len(self.pairs)} edges>"


class _Names:
    """Labels as text, refusing two labels that would become the same name."""

    def __init__(self) -> None:
        self.by_text: dict[str, Hashable] = {}

    def add(self, label: Hashable) -> str:
        text = label if isinstance(label, str) else str(label)
        if not text:
            raise BadNetwork("a vertex has an empty name; every vertex needs a name")
        known = self.by_text.setdefault(text, label)
        if known is not label and (type(known) is not type(label) or known != label):
            raise NameClash(
                f"labels {known!r} and {label!r} are both called {text!r}; "
                "vertex names must stay distinct as text, rename one"
            )
        return text


def _times(rows: IndexArray, first: int) -> int:
    return int((rows == rows[first]).all(axis=1).sum())
