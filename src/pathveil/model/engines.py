"""The engines that draw layers: what each one is called, what follows from it, and who draws.

The one table of them. Whoever wants to know something about an engine asks here for the fact
(is its drawing carried in the file? does it follow the walk?), never for the name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions

Layering = Literal["exact", "backtracking"]


class Drawer(Protocol):
    """What draws: from bits and copies, upright or not, and for some from the walk's positions."""

    def __call__(
        self, bits: PairBits, positions: Positions, *, upright: bool, visits: Sequence[int]
    ) -> LayeredGraph:
        """Return the layered graph of the bits."""
        ...


@dataclass(frozen=True)
class LayeringEngine:
    """One way to draw layers.

    Parameters
    ----------
    name
        As users and files say it.
    drawer
        What draws. Only an engine that follows the walk is given it.
    carried
        Whether the drawing is no function of bits, names and direction bit, so that a publication
        carries it. It then needs a list of vertices: there is no sketch of it.
    follows_walk
        Whether the drawing is a function of the bits and of the walk's order: then its roots tell
        the first end, there is no direction bit, members of a class can be told apart, and the
        certificate says what that gives away. Such a drawing is carried.

    Examples
    --------
    >>> engine_named("exact").tells, engine_named("backtracking").tells
    (True, False)
    """

    name: Layering
    drawer: Drawer
    carried: bool = False
    follows_walk: bool = False

    def __post_init__(self) -> None:
        if self.follows_walk and not self.carried:
            raise ValueError(
                f"engine {self.name!r} follows the walk, which nobody who reads a publication has: "
                "its drawing must be carried"
            )

    @property
    def tells(self) -> bool:
        """Whether a direction bit can be told; where the layout follows the walk, roots do."""
        return not self.follows_walk

    def draw(
        self, bits: PairBits, positions: Positions, *, upright: bool, visits: Sequence[int] = ()
    ) -> LayeredGraph:
        """Return the layered graph of the bits; ``visits`` count for who follows the walk."""
        return self.drawer(
            bits, positions, upright=upright, visits=visits if self.follows_walk else ()
        )


# Engines are rooms that know this one; hence the late imports, which the architecture test names.


def _exactly(
    bits: PairBits, positions: Positions, *, upright: bool, visits: Sequence[int]
) -> LayeredGraph:
    from pathveil.layering.exact import layer_exactly

    del visits  # a function of what is public
    return layer_exactly(bits, positions, upright=upright)


def _in_walk_order(
    bits: PairBits, positions: Positions, *, upright: bool, visits: Sequence[int]
) -> LayeredGraph:
    from pathveil.layering.backtracking import draw_in_walk_order

    del upright  # which way up is settled by the walk
    return draw_in_walk_order(bits, positions, visits)


_ENGINES = (
    LayeringEngine("exact", _exactly),
    LayeringEngine("backtracking", _in_walk_order, carried=True, follows_walk=True),
)

LAYERINGS: tuple[Layering, ...] = tuple(engine.name for engine in _ENGINES)


def engine_named(name: str) -> LayeringEngine:
    """Return the engine of that name, or raise :class:`ValueError`."""
    for engine in _ENGINES:
        if engine.name == name:
            return engine
    raise ValueError(f"layering is {name!r}, expected one of {', '.join(LAYERINGS)}")
