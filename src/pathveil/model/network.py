"""The network: who is linked with whom. Known to those who may read, the key to every reading.

It is made from links, from a networkx graph, from a data frame, and keeps what it was called and
where it is. Vertices are kept sorted by name and links as sorted index pairs, so that two networks
built from the same facts in another order are the same value, byte for byte. Links live in one
integer array: a network of a million vertices must fit. Look-ups search what is sorted already, so
that no table beside the names and the links is held.

Coordinates as files and graphs state them: under which names, in which forms.

Links from data frames, pandas' or any with the same few methods. pandas is not imported.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from pathveil.errors import BadArgument, BadNetwork, NotConnected, NotSimple, UnknownVertex
from pathveil.model.graph_index import (
    IndexArray,
    VertexNames,
    connected_parts,
    link_keys,
    pairs_of_keys,
    sorted_names,
    with_lengths,
)
from pathveil.wording import did_you_mean, html_table, safe_text, shown_text

if TYPE_CHECKING:
    import networkx as nx


def as_point(x: object, y: object) -> tuple[float, float] | None:
    """Return two values of a file as finite coordinates, or None: they are decoration only."""
    try:
        point = (float(x), float(y))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return point if math.isfinite(point[0]) and math.isfinite(point[1]) else None


_ACROSS = ("x", "longitude", "lon", "lng", "long")
_UPWARDS = ("y", "latitude", "lat")


def point_of(data: Mapping[str, object]) -> tuple[float, float] | None:
    """Return the coordinates among a vertex's attributes, whatever the case of their names.

    Known are ``pos`` (a pair, or a text such as ``"1.5, 2"``), ``x`` and ``y``, and longitude and
    latitude under their usual names; ``y`` and latitude point upwards.

    >>> point_of({"Latitude": "40.7", "Longitude": "-74"})
    (-74.0, 40.7)
    """
    data = {str(key).casefold(): value for key, value in data.items()}
    pos = data.get("pos")
    if isinstance(pos, str):
        pos = pos.strip("()[]! ").replace(",", " ").split()
    if isinstance(pos, (list, tuple)) and len(pos) >= 2:
        return as_point(pos[0], pos[1])
    x = next((data[key] for key in _ACROSS if key in data), None)
    y = next((data[key] for key in _UPWARDS if key in data), None)
    return as_point(x, y)


def ends_of_frame(
    frame: Any, source: Hashable, target: Hashable
) -> Iterator[tuple[Hashable, Hashable]]:
    """Yield the two ends in each row; numbers as Python's own, so that 7 is called "7".

    Raises
    ------
    BadNetwork
        If a column is not there, or a row has nothing in it or a broken number.
    """
    if not hasattr(frame, "columns"):
        raise BadArgument.of(
            "the frame",
            frame,
            "write pv.Network.from_links(...) for links, from_networkx(...) for a graph",
        )
    ends = [_column(frame, column) for column in (source, target)]
    return zip(*ends, strict=True)


def _column(frame: Any, column: Hashable) -> list[Hashable]:
    if column not in list(frame.columns):
        raise BadNetwork(
            f"the frame has no column {column!r}, its columns are "
            f"{', '.join(map(repr, list(frame.columns)[:12]))}; name the two ends: "
            "Network.from_pandas(frame, source=..., target=...)"
        )
    values: list[Hashable] = frame[column].to_list()
    for row, value in enumerate(values, start=1):
        if _is_missing(value) or (isinstance(value, float) and not value.is_integer()):
            raise BadNetwork(
                f"row {row} of the frame has {value!r} in column {column!r}, expected a text or a "
                "whole number; drop empty rows with frame.dropna(), and for names such as '2.5' "
                "write frame.astype(str)"
            )
    # Whole numbers are floats where a row once had nothing in it; 2.0 is called "2" like the other.
    return [int(value) if isinstance(value, float) else value for value in values]


def _is_missing(value: Any) -> bool:
    """Whether a cell is empty: None, a NaN (which is not itself), or pandas' NA (no answer)."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124
    except TypeError:
        return True


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """An undirected simple graph with string names, coordinates perhaps, and many ways to make it.

    Use :meth:`from_links`, :meth:`from_networkx`, :meth:`from_pandas` or :meth:`parse`; the
    constructor takes data that is already canonical.

    Parameters
    ----------
    vertices
        Names, sorted, distinct.
    pairs
        ``(m, 2)`` vertex indices, first < second in each row, rows sorted and distinct.
    coordinates
        Public coordinates by name, as far as they are known; None where none is. They are
        decoration: two networks with the same vertices and links are equal whatever they are.
    labels
        What the vertices were called where that was no text: 3, (0, 1). Decoration too.

    Examples
    --------
    >>> network = Network.parse("ab bc cd bd")
    >>> network
    <Network: 4 vertices, 4 links>
    >>> network.neighbours("b")
    ('a', 'c', 'd')
    """

    vertices: tuple[str, ...] = None  # type: ignore[assignment]  # Network() is refused below
    pairs: IndexArray = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    coordinates: Mapping[str, tuple[float, float]] | None = field(default=None)
    labels: Mapping[str, Hashable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        canonical = isinstance(self.vertices, tuple) and isinstance(self.pairs, np.ndarray)
        if not canonical or not all(isinstance(name, str) for name in self.vertices[:1]):
            raise BadArgument.of("what Network(...) was given", self.vertices, _WRITE)

    # -- making ---------------------------------------------------------------------------------

    @classmethod
    def from_links(
        cls,
        links: Iterable[tuple[Hashable, Hashable]],
        *,
        vertices: Iterable[Hashable] = (),
        coordinates: Mapping[Hashable, tuple[float, float]] | None = None,
        simplify: bool = False,
        largest_component: bool = False,
        connected: bool = True,
    ) -> Network:
        """Return the network with these links; other labels than strings become ``str(label)``.

        What they were is kept in :attr:`labels`, and ``reconstruct`` gives them back.

        Parameters
        ----------
        links
            Pairs of labels, each pair once, in any order.
        vertices
            Labels that must be there even without a link.
        simplify
            Merge parallel links and both arcs of a street, and drop self-loops.
        largest_component
            Keep the largest component; of equals, the one with the first name.
        connected
            Whether to insist on one component. What an adversary holds may fall apart; a
            custodian's network may not.

        Examples
        --------
        >>> Network.from_links([(1, 2), (2, 3)]).vertices
        ('1', '2', '3')
        """
        names = VertexNames()
        for label in vertices:
            names.add(label)
        ends = np.fromiter(
            (names.add(end) for link in pairs_given(links) for end in link), dtype=np.int64
        ).reshape(-1, 2)
        ordered, rank = sorted_names(list(names.number))
        keys = _simple_keys(ends, ordered, rank, simplify=simplify)
        rows = pairs_of_keys(keys, len(ordered))
        placed = {str(k): (float(x), float(y)) for k, (x, y) in (coordinates or {}).items()}
        network = cls.placed(ordered, rows, placed, labels=names.labels)
        if not ordered:
            raise BadNetwork("the network has no vertex; give at least one link")
        if largest_component:
            network = network.largest_component()
        if connected:
            network.require_connected()
        return network

    @classmethod
    def of(cls, given: Any, *, connected: bool = True) -> Network:
        """Return a network: itself, or that of a networkx graph or a list of links.

        Raises
        ------
        BadArgument
            If it is anything else; the message says what to write.

        Examples
        --------
        >>> import networkx as nx
        >>> Network.of(nx.path_graph(3))
        <Network: 3 vertices, 2 links>
        """
        if isinstance(given, Network):
            return given
        if hasattr(given, "nodes") and hasattr(given, "edges"):
            return cls.from_networkx(given, connected=connected)
        if isinstance(given, list | tuple | set | frozenset):
            return cls.from_links(given, connected=connected)
        swapped = hasattr(given, "steps")  # a walk, which knows networks
        write = "arguments are swapped: the network comes before the walk" if swapped else _WRITE
        raise BadArgument.of("the network", given, write)

    @classmethod
    def placed(
        cls,
        vertices: tuple[str, ...],
        pairs: IndexArray,
        places: Mapping[str, tuple[float, float]],
        *,
        labels: Mapping[str, Hashable] | None = None,
    ) -> Network:
        """Return a network of canonical data whose vertices have places, or some, or none.

        >>> Network.placed(("a", "b"), np.array([[0, 1]]), {"c": (0.0, 0.0)}).coordinates is None
        True
        """
        known = {name: places[name] for name in vertices if name in places} if places else {}
        return cls(vertices, pairs, known or None, labels or {})

    @classmethod
    def parse(cls, text: str) -> Network:
        """Return the network written as words of two letters, for examples and tests.

        >>> Network.parse("ab bc").links
        (('a', 'b'), ('b', 'c'))
        """
        words = text.split()
        for word in words:
            if len(word) != 2:
                raise BadNetwork(f"{word!r} is not a link of two one-letter vertices like 'ab'")
        return cls.from_links((word[0], word[1]) for word in words)

    @classmethod
    def from_networkx(
        cls,
        graph: nx.Graph[Any],
        *,
        simplify: bool = False,
        largest_component: bool = False,
        connected: bool = True,
    ) -> Network:
        """Return the network of a networkx graph, with coordinates where its nodes have them.

        They are ``pos``, ``x`` and ``y``, or longitude and latitude under their usual names, large
        or small letters. Links are undirected: the directions of a directed graph are dropped. Two
        arcs or links between the same two vertices are refused unless you ``simplify``.

        Parameters
        ----------
        simplify
            Merge parallel links and both arcs of a street, and drop self-loops.
        largest_component
            Keep the largest component; of equals, the one with the first name.

        Examples
        --------
        >>> import networkx as nx
        >>> streets = nx.MultiDiGraph([(1, 2), (2, 1), (2, 3), (3, 3), (8, 9)])
        >>> Network.from_networkx(streets, simplify=True, largest_component=True).links
        (('1', '2'), ('2', '3'))
        """
        if not hasattr(graph, "nodes"):
            raise BadArgument.of("the graph", graph, _WRITE)
        points = {label: point_of(data) for label, data in graph.nodes(data=True)}
        return cls.from_links(
            ((u, v) for u, v in graph.edges()),
            vertices=graph.nodes(),
            coordinates={label: point for label, point in points.items() if point is not None},
            simplify=simplify,
            largest_component=largest_component,
            connected=connected,
        )

    @classmethod
    def from_pandas(
        cls,
        frame: Any,
        source: Hashable = "source",
        target: Hashable = "target",
        *,
        simplify: bool = False,
        largest_component: bool = False,
        connected: bool = True,
    ) -> Network:
        """Return the network of a data frame with one link a row.

        Parameters
        ----------
        source, target
            The columns of the two ends; directions are not kept.
        simplify, largest_component, connected
            As in :meth:`from_links`.

        Examples
        --------
        >>> import pandas as pd
        >>> orders = pd.DataFrame({"supplier": [7, 8], "customer": [8, 9]})
        >>> Network.from_pandas(orders, "supplier", "customer").links
        (('7', '8'), ('8', '9'))
        """
        return cls.from_links(
            ends_of_frame(frame, source, target),
            simplify=simplify,
            largest_component=largest_component,
            connected=connected,
        )

    def to_networkx(self, *, labels: bool = False) -> nx.Graph[Any]:
        """Return the same graph for networkx, with ``pos`` data where coordinates are known.

        Parameters
        ----------
        labels
            Whether vertices are called what they were called when the network was made, or by
            their names, which are texts.
        """
        import networkx as nx

        graph: nx.Graph[Any] = nx.Graph()
        graph.add_nodes_from(self.vertices)
        graph.add_edges_from(self.links)
        if self.coordinates is not None:
            nx.set_node_attributes(graph, dict(self.coordinates), "pos")
        return nx.relabel_nodes(graph, dict(self.labels)) if labels else graph

    def largest_component(self) -> Network:
        """Return its largest component; of equals, the one with the first name.

        >>> Network.from_links([("x", "y"), ("a", "b")], connected=False).largest_component().links
        (('a', 'b'),)
        """
        count, part = self.parts
        if count <= 1:
            return self
        sizes = np.bincount(part)
        keep = part == part[int(np.argmax(sizes[part]))]
        kept = tuple(self.vertices[i] for i in np.flatnonzero(keep).tolist())
        return Network.placed(
            kept,
            (np.cumsum(keep) - 1)[self.pairs[keep[self.pairs].all(axis=1)]],
            self.coordinates or {},
            labels={name: self.labels[name] for name in kept if name in self.labels},
        )

    # -- asking ---------------------------------------------------------------------------------

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
        both = np.concatenate([second * np.int64(size) + first, self._keys])
        both.sort()
        both %= size
        return starts, both

    @cached_property
    def _keys(self) -> IndexArray:
        """The links as single numbers, ascending, to search in."""
        return link_keys(self.pairs, len(self.vertices))

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
        hashed.update(with_lengths(self.vertices))
        hashed.update(np.ascontiguousarray(self.pairs, dtype="<i8").tobytes())
        return hashed.hexdigest()

    def places(self, names: Sequence[str]) -> IndexArray:
        """Return the places of many vertices, -1 for an unknown name.

        >>> graph = Network(("a", "b", "c"), np.array([[0, 1], [1, 2]]))
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

        >>> graph = Network(("a", "b", "c"), np.array([[0, 1], [1, 2]]))
        >>> graph.link_places(np.array([[2, 1], [0, 2]])).tolist()
        [1, -1]
        """
        if not len(self.pairs):
            return np.full(len(ends), -1, dtype=np.int64)
        keys = link_keys(ends, len(self.vertices))
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
                "a walk lives in one of them: keep the largest, "
                + _AS_IN.format("largest_component")
            )

    def label(self, name: str) -> Hashable:
        """Return what a vertex was called when the network was made: 3 and not "3".

        >>> Network.from_links([(1, "b")]).label("1")
        1
        """
        return self.labels.get(name, name)

    def links_given(self, given: Any) -> list[tuple[str, str]]:
        """Return some of its links by name, each once, given as one pair or as a list of pairs.

        >>> Network.from_links([(1, 2), (2, 3)]).links_given([(3, 2), (2, 3)])
        [('2', '3')]
        """
        one = isinstance(given, tuple | list) and len(given) == 2
        one = one and (all(v in self for v in given) or not isinstance(given[0], tuple | list))
        texts = (sorted(map(str, pair)) for pair in pairs_given([given] if one else given))
        named = list(dict.fromkeys((u, v) for u, v in texts))
        for u, v in named:
            if self.index(u) == self.index(v) or not self.has_edge(u, v):
                raise BadNetwork(
                    f"{u!r} - {v!r} is not a link of the network, so it cannot be missing; name a "
                    "link of it"
                )
        return named

    def without(self, *missing: Any) -> Network:
        """Return what is left when some links are not known; it may be disconnected.

        Links are given one by one, or as a list.

        >>> Network.parse("ab bc ca").without(("c", "a")).links
        (('a', 'b'), ('b', 'c'))
        >>> Network.parse("ab bc ca").without([("c", "a"), ("a", "b")]).links
        (('b', 'c'),)
        """
        named = self.links_given(missing[0] if len(missing) == 1 else missing)
        gone = np.array([(self.index(u), self.index(v)) for u, v in named], dtype=np.int64)
        keep = np.ones(len(self.pairs), dtype=bool)
        keep[self.link_places(gone.reshape(-1, 2))] = False
        return Network(self.vertices, self.pairs[keep], self.coordinates, self.labels)

    def __len__(self) -> int:
        return len(self.vertices)

    def __iter__(self) -> Iterator[str]:
        return iter(self.vertices)

    def __contains__(self, name: object) -> bool:
        return self._place(name) is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return self.vertices == other.vertices and np.array_equal(self.pairs, other.pairs)

    def __hash__(self) -> int:
        return hash((self.vertices, self.pairs.tobytes()))

    def __repr__(self) -> str:
        return f"<Network: {len(self.vertices)} vertices, {len(self.pairs)} links>"

    def _summary(self) -> list[tuple[str, str]]:
        degrees = np.bincount(self.pairs.ravel(), minlength=len(self.vertices))
        shown = ", ".join(shown_text(name, limit=60) for name in self.vertices[:_SHOWN])
        shown += " …" if len(self.vertices) > _SHOWN else ""
        return [
            ("vertices", f"{len(self.vertices):,}: {shown}"),
            ("links", f"{len(self.pairs):,}, undirected"),
            ("links of a vertex", f"{degrees.min()} to {degrees.max()}"),
            ("coordinates", f"{len(self.coordinates or ()):,} vertices have some"),
        ]

    def __str__(self) -> str:
        lines = (f"{head + ':':19}{words}" for head, words in self._summary())
        return "\n".join(["Network", *map(safe_text, lines)])

    def _repr_html_(self) -> str:
        return html_table((), self._summary())


_SHOWN = 8
"""Vertices that are named when a network shows itself."""

_WRITE = (
    "write pv.Network.from_links(...) for links, from_networkx(...) for a graph, from_pandas(...) "
    "for a data frame, or pv.read_network(...) for a file"
)

_AS_IN = "as in pv.Network.from_networkx(graph, {}=True)"


def pairs_given(links: Any) -> Iterator[tuple[Hashable, Hashable]]:
    """Yield pairs of vertices as somebody listed them; what is no pair is said by its number."""
    if hasattr(links, "visits"):
        raise BadArgument.of("the network", links, "give the network before the walk")
    if hasattr(links, "columns"):
        write = "write pv.Network.from_pandas(frame, source=..., target=...)"
        raise BadArgument.of("the list of links", links, write)
    if isinstance(links, str) or not isinstance(links, Iterable):
        raise BadArgument.of("the list of links", links, "write it as [(u, v), ...]")
    for number, link in enumerate(links, start=1):
        if type(link) is tuple and len(link) == 2:
            yield link
            continue
        ends = () if isinstance(link, str) or not isinstance(link, Iterable) else tuple(link)
        if len(ends) != 2:
            raise BadArgument(
                f"link {number} is {link!r}, expected a pair of vertices; write links as "
                "[(u, v), ...], a single one as [(u, v)]"
            )
        yield ends[0], ends[1]


def _simple_keys(
    ends: IndexArray, ordered: tuple[str, ...], rank: IndexArray, *, simplify: bool
) -> IndexArray:
    """Return the links as single numbers, ascending, each once; or raise if one was not.

    ``ends`` are numbers of labels, ``rank`` the place of each among the sorted names.
    """
    loops = np.flatnonzero(ends[:, 0] == ends[:, 1])
    if len(loops) and not simplify:
        raise NotSimple(
            f"link {loops[0] + 1} joins {ordered[rank[ends[loops[0], 0]]]!r} to itself; a network "
            "has no self-loops: remove that link, or drop all of them, " + _AS_IN.format("simplify")
        )
    keys = np.sort(link_keys(rank[np.delete(ends, loops, axis=0)], len(ordered)))
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice) and not simplify:
        i, j = divmod(int(keys[twice[0]]), len(ordered))
        times = int((keys == keys[twice[0]]).sum())
        raise NotSimple(
            f"link {ordered[i]!r} - {ordered[j]!r} is given {times} times; a network has no "
            "parallel links: keep one of them, or merge them all, " + _AS_IN.format("simplify")
        )
    return np.delete(keys, twice)
