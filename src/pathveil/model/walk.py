"""The walk: the secret. Nothing a participant or an adversary calls takes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pathveil.errors import BadArgument, NotAWalk, UnknownVertex
from pathveil.model.network import Network
from pathveil.wording import did_you_mean, html_table

_PART = 1 << 18
"""Visits that are checked at a time: what that takes is a hundred bytes for each."""


@dataclass(frozen=True, repr=False)
class Walk:
    """Vertices in visiting order; it may revisit vertices and links, be closed, and skip vertices.

    The repr gives the size only, so that a walk printed or logged does not tell its vertices.

    Examples
    --------
    >>> Walk("abcb")
    <Walk: 4 visits>
    >>> Walk(["x", "y"]).steps
    (('x', 'y'),)
    """

    vertices: tuple[str, ...]

    def __init__(self, vertices: Iterable[Hashable]) -> None:
        write = _instead_of(vertices)
        if write:
            raise BadArgument.of("the walk", vertices, write)
        names = tuple(v if isinstance(v, str) else _called(v) for v in vertices)
        if len(names) < 2:
            raise NotAWalk(
                f"the walk has {len(names)} {'vertex' if len(names) == 1 else 'vertices'}; "
                "it needs at least two, joined by a link"
            )
        object.__setattr__(self, "vertices", names)

    @classmethod
    def of(cls, given: Any) -> Walk:
        """Return a walk: itself, or that of a list of vertices.

        >>> Walk.of(["a", "b"])
        <Walk: 2 visits>
        """
        return given if isinstance(given, Walk) else cls(given)

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """Consecutive visits, in order."""
        return tuple(zip(self.vertices, self.vertices[1:], strict=False))

    @cached_property
    def links(self) -> frozenset[tuple[str, str]]:
        """The network links the walk uses, each as a sorted pair."""
        return frozenset(self.uses)

    @cached_property
    def uses(self) -> Counter[tuple[str, str]]:
        """How often each network link is used, links as sorted pairs.

        >>> Walk("abab").uses["a", "b"]
        3
        """
        return Counter((min(step), max(step)) for step in self.steps)

    @cached_property
    def visits(self) -> Counter[str]:
        """How often each vertex is visited."""
        return Counter(self.vertices)

    @property
    def is_simple(self) -> bool:
        """Whether no vertex is visited twice (the paper's acyclic path)."""
        return len(self.visits) == len(self.vertices)

    @property
    def is_closed(self) -> bool:
        """Whether the walk ends where it began."""
        return self.vertices[0] == self.vertices[-1]

    def reversed(self) -> Walk:
        """Return the same walk in the other direction."""
        return Walk(self.vertices[::-1])

    def require_in(
        self,
        network: Network,
        place_of: Callable[[int], str] | None = None,
        called: Mapping[str, str] | None = None,
    ) -> None:
        """Raise :class:`NotAWalk` or :class:`UnknownVertex` unless each step is a link.

        Parameters
        ----------
        place_of
            Says where a file states each visit, for the message.
        called
            What the message calls vertices whose names in the network are codes.
        """
        called = called or {}
        for start in range(0, len(self) - 1, _PART):
            # With the first of the next part, so that no step is left out.
            names = self.vertices[start : start + _PART + 1]
            visits = network.places(names)
            unknown = np.flatnonzero(visits < 0)
            if len(unknown):
                at = int(unknown[0])
                where = f"{place_of(start + at)}: " if place_of else ""
                name = called.get(names[at], names[at])
                pair = name.startswith("(")
                meant = "; a list of links is no walk: list its vertices in visiting order"
                raise UnknownVertex(
                    f"{where}visit {start + at + 1} of the walk is {name[:60]!r}, not a "
                    f"vertex of the network of {len(network)}; correct the walk or add the vertex"
                    + (did_you_mean(name, network.vertices) or (meant if pair else ""))
                )
            steps = np.stack([visits[:-1], visits[1:]], axis=1)
            astray = np.flatnonzero(network.link_places(steps) < 0)
            if len(astray):
                at = int(astray[0])
                where = f"{place_of(start + at + 1)}: " if place_of else ""
                here, there = (called.get(name, name) for name in names[at : at + 2])
                if here == there:
                    raise NotAWalk(
                        f"{where}the walk names {here!r} twice in a row, as visits "
                        f"{start + at + 1} and {start + at + 2}; remove the repeated row"
                    )
                raise NotAWalk(
                    f"{where}step {start + at + 1} of the walk goes {here!r} -> {there!r}, "
                    f"which is not one of the network's {len(network.pairs)} links; correct the "
                    "walk or add the link"
                )

    def __len__(self) -> int:
        return len(self.vertices)

    def __iter__(self) -> Iterator[str]:
        return iter(self.vertices)

    def __getitem__(self, place: int) -> str:
        """Return the vertex of a visit, counted from 0.

        >>> Walk("abc")[0], Walk("abc")[-1]
        ('a', 'c')
        """
        return self.vertices[place]

    def __repr__(self) -> str:
        return f"<Walk: {len(self.vertices)} visits>"

    def _repr_html_(self) -> str:
        # Notebooks are saved with what they show, so the vertices are not among it.
        return html_table((), [("walk", f"{len(self)} visits"), ("its vertices", "list(walk)")])


def _instead_of(given: Any) -> str:
    """Return what to write instead of something that is no list of visits; nothing if it is one."""
    if isinstance(given, Network) or hasattr(given, "nodes"):
        return "the arguments are swapped: the network comes before the walk"
    if hasattr(given, "columns"):
        return "write pv.Walk(frame[column]) for a column of vertices in visiting order"
    if isinstance(given, str) and set(given) & set("./\\"):
        return "write pv.read_walk(...) for a file, pv.Walk([...]) for vertices in visiting order"
    if isinstance(given, str) and set(given) & set(" ,;\t\n"):
        return "each of its letters would be a visit: write pv.Walk(text.split()) for words"
    if isinstance(given, Mapping | set | frozenset) or not isinstance(given, Iterable):
        return "write pv.Walk([...]) for vertices in visiting order"
    return ""


def _called(visit: Any) -> str:
    """Return the name of a vertex that is called by something else than a text."""
    if isinstance(visit, Walk) or not isinstance(visit, Hashable):
        write = "a walk is one list of vertices: give several walks one by one"
        raise BadArgument.of("a visit of the walk", visit, write)
    return str(visit)
