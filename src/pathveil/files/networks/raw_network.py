"""What every network file says before it is trusted: names, edges, and where each stood.

The readers of the single formats produce a :class:`Draft`; this module turns it into a
:class:`~pathveil.model.network.Network` or refuses it, with the place in the file. One set of
checks serves all formats.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, MutableSequence, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadFile, BadNetwork, NameClash, NotConnected, NotSimple, UnknownVertex
from pathveil.files.atomic_write import shorten
from pathveil.model.graph_index import connected_parts, link_keys, pairs_of_keys
from pathveil.model.names import did_you_mean, sorted_names
from pathveil.model.network import Network

IndexArray = npt.NDArray[np.int64]


@dataclass
class Draft:
    """A network as its file states it.

    Parameters
    ----------
    where
        The file, as it shall be called in messages.
    unit
        How an edge's place is written, ``"line {}"`` or ``"edges[{}]"``.
    names
        Vertices in the order of the file, distinct.
    sources, targets
        Ends of the edges, as places in ``names``.
    places
        For each edge its line or its number.
    points
        Coordinates by place in ``names``, as far as the file gives them.
    ends
        Readers of large files give the ends as one array of two columns instead.
    """

    where: str
    unit: str = "line {}"
    names: list[str] = field(default_factory=list)
    sources: MutableSequence[int] = field(default_factory=lambda: array("q"))
    targets: MutableSequence[int] = field(default_factory=lambda: array("q"))
    places: Sequence[int] | IndexArray = field(default_factory=list)
    points: dict[int, tuple[float, float]] = field(default_factory=dict)
    ends: IndexArray | None = None

    def pairs(self) -> IndexArray:
        """Return the ends of the edges as rows of two."""
        if self.ends is not None:
            return self.ends
        return np.array([self.sources, self.targets], dtype=np.int64).reshape(2, -1).T

    def at(self, edge: int) -> str:
        """Return the place of an edge, as messages start."""
        return f"{self.where}, {self.unit.format(self.places[edge])}"


BY_ID = "name vertices by their ids: names='id' (--names id)"
"""What to do where labels do not serve."""


class Roll:
    """The vertices a file declares, and the refusal of two with the same text.

    Parameters
    ----------
    unit
        How a declaration's place is written, ``"line {}"`` or ``"nodes[{}]"``. Places are kept as
        numbers: a text for each vertex takes more than its name.
    advice
        What else to do about two of the same name than to rename one.
    """

    def __init__(self, where: str, *, unit: str = "line {}", advice: str = "") -> None:
        self.where = where
        self._unit = unit
        self._advice = f", or {advice}" if advice else ""
        self.number: dict[str, int] = {}
        self._labels: list[object] = []
        self._places = array("q")

    def add(self, label: object, place: int) -> int:
        """Return the number of a newly declared vertex."""
        text = label if isinstance(label, str) else str(label)
        if not text:
            raise BadFile(
                f"{self.where}, {self._at(place)}: a vertex has an empty name; "
                "every vertex needs one"
            )
        known = self.number.get(text)
        if known is not None:
            first, there = self._labels[known], self._at(self._places[known])
            same = type(first) is type(label)
            raise NameClash(
                f"{self.where}, {self._at(place)}: "
                + (
                    f"vertex {shorten(text)} was declared before ({there}); "
                    if same
                    else f"label {shorten(label)} and label {shorten(first)} ({there}) are both "
                    f"called {shorten(text)}; "
                )
                + f"names must be distinct as text: rename one{self._advice}"
            )
        self.number[text] = len(self._labels)
        self._labels.append(label)
        self._places.append(place)
        return self.number[text]

    def declared(self, text: str) -> object | None:
        """Return the label that is called so, if one was declared."""
        number = self.number.get(text)
        return None if number is None else self._labels[number]

    def _at(self, place: int) -> str:
        return self._unit.format(place)

    def find(self, label: object, place: str) -> int:
        """Return the number of a declared vertex, met as the end of an edge."""
        text = label if isinstance(label, str) else str(label)
        number = self.number.get(text)
        if number is None:
            raise UnknownVertex(
                f"{self.where}, {place}: an edge ends at {shorten(text)}, which is none of the "
                f"{len(self.number)} vertices the file declares; declare it or correct the edge"
            )
        return number


def finish(draft: Draft, *, simplify: bool = False, largest_component: bool = False) -> Network:
    """Return the network of a draft, in its canonical form.

    Parameters
    ----------
    simplify
        Drop self-loops and merge parallel edges (and opposite arcs) instead of refusing them.
    largest_component
        Keep the largest component only (of equals, the one with the first name) instead of
        refusing a network in several parts.
    """
    ends = draft.pairs()
    if not draft.names:
        raise BadFile(f"{draft.where}: holds no vertex, expected at least one edge")
    loops = np.flatnonzero(ends[:, 0] == ends[:, 1])
    if len(loops):
        if not simplify:
            raise _self_loop(draft, int(loops[0]))
        ends = np.delete(ends, loops, axis=0)
    names, rank = sorted_names(draft.names)
    keys = link_keys(rank, ends, len(rank))
    keys.sort()
    again = np.flatnonzero(keys[1:] == keys[:-1]) + 1
    if len(again):
        if not simplify:
            raise _first_parallel(draft, link_keys(rank, ends, len(rank)))
        keys = np.delete(keys, again)
    pairs = pairs_of_keys(keys, len(names))
    keep = _component(draft.where, names, pairs, largest=largest_component)
    if keep is not None:
        renumber = np.cumsum(keep) - 1
        pairs = renumber[pairs[keep[pairs[:, 0]]]]
        names = tuple(name for name, kept in zip(names, keep.tolist(), strict=True) if kept)
    if not len(pairs):
        raise BadNetwork(f"{draft.where}: the network has no edge; a walk needs at least one")
    return Network.placed(names, np.ascontiguousarray(pairs), _coordinates(draft, names))


def _first_parallel(draft: Draft, keys: IndexArray) -> NotSimple:
    """Return the error for the first edge of the file that was given before."""
    by_key = np.argsort(keys, kind="stable")
    ordered = keys[by_key]
    again = np.flatnonzero(ordered[1:] == ordered[:-1]) + 1
    at = again[np.argmin(by_key[again])]
    return _parallel(draft, int(by_key[at - 1]), int(by_key[at]))


def row_of(draft: Draft, vertex: str, *, simplify: bool = False) -> tuple[str, ...]:
    """Return the sorted neighbours of one vertex; the rest of the draft may be anything."""
    try:
        here = draft.names.index(vertex)
    except ValueError:
        raise no_such_row(draft.where, vertex, draft.names) from None
    met: dict[int, int] = {}
    ends = draft.pairs()
    for edge in np.flatnonzero((ends == here).any(axis=1)).tolist():
        u, v = ends[edge].tolist()
        other = v if u == here else u
        if other == here:
            if not simplify:
                raise _self_loop(draft, edge)
            continue
        if other in met and not simplify:
            raise _parallel(draft, met[other], edge)
        met.setdefault(other, edge)
    return tuple(sorted(draft.names[i] for i in met))


def no_such_row(where: str, vertex: str, names: Collection[str]) -> UnknownVertex:
    """Return the error for a participant whose name is not in the file."""
    return UnknownVertex(
        f"{where}: holds no vertex {shorten(vertex)}; check its spelling (names are compared "
        "letter by letter) or whether this is the right file" + did_you_mean(vertex, names)
    )


def _component(
    where: str, names: tuple[str, ...], pairs: IndexArray, *, largest: bool
) -> npt.NDArray[np.bool_] | None:
    size = len(names)
    count, part = connected_parts(size, pairs)
    if count == 1:
        return None
    sizes = np.bincount(part)
    if not largest:
        lone = names[int(np.flatnonzero(part == np.argmin(sizes))[0])]
        raise NotConnected(
            f"{where}: the network of {size} vertices falls into {count} components (the smallest "
            f"holds {shorten(lone)}), expected one; add the missing edges, or keep the "
            "largest component with largest_component=True (--largest-component)"
        )
    # The part of the first vertex in name order wins a tie.
    return np.asarray(part == part[int(np.argmax(sizes[part]))])


def _coordinates(draft: Draft, names: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    """Coordinates by name, as far as the file gives them."""
    known = {draft.names[i]: point for i, point in draft.points.items()}
    return {n: known[n] for n in names if n in known}


def _self_loop(draft: Draft, edge: int) -> NotSimple:
    name = draft.names[int(draft.pairs()[edge, 0])]
    return NotSimple(
        f"{draft.at(edge)}: an edge joins {shorten(name)} to itself; a network has no "
        "self-loops: remove it, or drop all such edges with simplify=True (--simplify)"
    )


def _parallel(draft: Draft, first: int, second: int) -> NotSimple:
    first, second = sorted((first, second))
    u, v = (draft.names[end] for end in draft.pairs()[second].tolist())
    return NotSimple(
        f"{draft.at(second)}: edge {shorten(u)} - {shorten(v)} was given before "
        f"({draft.unit.format(draft.places[first])}); a network has no parallel edges and no "
        "directions: keep one of them, or merge all such edges with simplify=True (--simplify)"
    )
