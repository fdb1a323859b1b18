"""What one participant reads: a vertex its own links, a link its own place.

A participant tests *same branch* for its own network links only: not in one branch means on the
walk. It needs the publication and its own row of the network; over a grouping that public file too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathveil.errors import BadArgument, DoesNotFit
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.wording import safe_text, times


@dataclass(frozen=True)
class Link:
    """One use of a network link by the walk, between two copies, each as (vertex, copy)."""

    here: tuple[str, int]
    there: tuple[str, int]


@dataclass(frozen=True)
class VertexStatus:
    """What a vertex knows of itself: its links on the walk, copy by copy."""

    vertex: str
    links: tuple[Link, ...]

    @property
    def visits(self) -> int:
        """How often the walk visits this vertex."""
        return len({link.here for link in self.links})

    def __str__(self) -> str:
        often = f"visits {self.vertex} {times(self.visits)}"
        return safe_text(
            f"the walk {often if self.links else f'does not visit {self.vertex} by these links'}"
        )


@dataclass(frozen=True)
class LinkStatus:
    """What a link knows of itself: which of its copies the walk uses."""

    link: tuple[str, str]
    links: tuple[Link, ...]

    @property
    def on_walk(self) -> bool:
        """Whether the walk uses this link at all."""
        return bool(self.links)

    def __str__(self) -> str:
        link = " - ".join(self.link)
        used = f"uses {link} {times(len(self.links))}" if self.on_walk else f"does not use {link}"
        used += ", if that is a link"
        return safe_text(f"the walk {used}")


def read_vertex(
    publication: Publication,
    vertex: Hashable,
    neighbours: Iterable[Hashable] | Network,
    *,
    grouping: Grouping | None = None,
) -> VertexStatus:
    """Return the status of a vertex that knows its neighbours, or the network they are in.

    Neighbours are given by name, or as links ``(vertex, neighbour)``; a network may be a graph.
    Over a grouping it also needs that public file, if the publication comes from a file.

    *Paper*: "the vertices check their neighbour vertices" (Section 4.1).

    *Cost*: one look-up for each pair of copies of the vertex and of a neighbour; nothing else of
    the publication is read.

    Examples
    --------
    >>> from pathveil import Network, Walk, publish
    >>> network = Network.parse("ab bc cd bd")
    >>> publication = publish(network, Walk("abd"))
    >>> status = read_vertex(publication, "b", network.neighbours("b"))
    >>> status.visits, [link.there for link in status.links]
    (1, [('a', 0), ('d', 0)])
    """
    publication = _plain(publication).over(grouping)
    name = str(vertex)
    row = _row(name, neighbours)
    _require_own_blocks(publication, name, row)
    status = VertexStatus(name, _links(publication, name, row))
    seen = Counter(link.here for link in status.links)
    most = max(seen.values(), default=0)
    if most > 2:
        raise DoesNotFit(
            f"one visit of {name!r} has {most} walk links, expected at most 2; "
            "this row of the network does not belong to the publication"
        )
    return status


def read_link(
    publication: Publication, first: Hashable, second: Hashable, *, grouping: Grouping | None = None
) -> LinkStatus:
    """Return the status of a link that knows its two ends.

    *Paper*: "the links check their two ends" (Section 4.1).

    Examples
    --------
    >>> from pathveil import Network, Walk, publish
    >>> publication = publish(Network.parse("ab bc cd bd"), Walk("abd"))
    >>> read_link(publication, "b", "d").on_walk, read_link(publication, "b", "c").on_walk
    (True, False)
    """
    publication = _plain(publication).over(grouping)
    here, there = str(first), str(second)
    _require_own_blocks(publication, here, [there])
    return LinkStatus((here, there), _links(publication, here, [there]))


def _row(vertex: str, given: Any) -> list[str]:
    """Return the neighbours of a vertex, however they were given."""
    if isinstance(given, Network) or hasattr(given, "nodes"):
        return list(Network.of(given, connected=False).neighbours(vertex))
    other = isinstance(given, str) or hasattr(given, "columns") or hasattr(given, "visits")
    what = f"what {vertex!r} knows of its neighbours"
    if other or not isinstance(given, Iterable):
        raise BadArgument.of(what, given, "give their names as a list, or the network itself")
    row = {_other_end(vertex, one) for one in given}
    if vertex in row:
        raise BadArgument(f"{what} names itself; give its neighbours, or the network itself")
    return sorted(row)


def _other_end(vertex: str, given: Hashable) -> str:
    """Return the neighbour: what was given, or the far end of a link of the vertex."""
    ends = list(map(str, given)) if isinstance(given, tuple) and len(given) == 2 else []
    return ends[ends[0] == vertex] if vertex in ends else str(given)


def _links(publication: Publication, vertex: str, neighbours: list[str]) -> tuple[Link, ...]:
    """Return the copy pairs of a vertex and its neighbours that are in different branches."""
    if publication.universe is not None:
        publication.universe.require_among([(vertex, name) for name in neighbours])
    asked = publication.bits.positions_of([vertex, *neighbours])
    pairs = [
        (mine, theirs)
        for mine in asked.copies_of(vertex)
        for name in neighbours
        for theirs in asked.copies_of(name)
    ]
    rows = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    apart = rows[~publication.bits.same_branch(asked, rows)]
    return tuple(Link(asked.label(mine), asked.label(theirs)) for mine, theirs in apart.tolist())


def _plain(publication: Publication) -> Publication:
    """Refuse a noisy release: there a single bit may lie, only all of them together count."""
    if Publication.of(publication).policy.noisy:
        raise DoesNotFit(
            "in a noisy publication the bit of a link is noisy, so nobody can read its own "
            "place alone; reconstruct the walk with the whole network"
        )
    return publication


def _require_own_blocks(publication: Publication, vertex: str, neighbours: list[str]) -> None:
    """Refuse a row whose links share a block of the grouping: their bits are one and the same."""
    if publication.grouped is None:
        return
    grouping = publication.grouped.known
    seen = {grouping.class_index(vertex): vertex}
    for name in neighbours:
        other = seen.setdefault(grouping.class_index(name), name)
        if other != name:
            raise DoesNotFit(
                f"{other!r} and {name!r} are in one class, so the links of {vertex!r} have no bits "
                "of their own; this row of the network does not belong to the grouping"
            )
