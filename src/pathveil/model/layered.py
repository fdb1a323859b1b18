"""The layered graph: what is drawn instead of the bits.

Nodes are *pieces* of copies. Layers are numbered from the top; an arc joins an upper node to
a lower one; a *branch* is a chain of arcs. Two copies are in the same branch if some piece
of the one lies above or below some piece of the other: pieces have union meaning.

Nodes are kept sorted by (position, piece) and covers by (upper, lower): equal graphs are equal
arrays, and no order of a list can carry a message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadPublication
from pathveil.model.bits import BoolArray, PairBits
from pathveil.model.positions import Positions

NodeArray = npt.NDArray[np.int32]

Layering = Literal["exact", "backtracking"]
LAYERINGS: tuple[Layering, ...] = ("exact", "backtracking")
"""The engines that draw layers: ours, a function of what is public, and the paper's."""


def follows_walk(layering: Layering) -> bool:
    """Return whether an engine draws in the walk's order.

    Then a publication carries the drawing, for nobody could draw it again; its roots tell the first
    end, and there is no direction bit.
    """
    return layering == "backtracking"


_CHUNK = 1 << 20  # arcs checked at a time: there may be tens of millions


class Node(NamedTuple):
    """One piece of one copy of a vertex."""

    vertex: str
    copy: int
    piece: int


@dataclass(frozen=True, eq=False, repr=False)
class LayeredGraph:
    """Layers and arcs over the pieces of the copies.

    *Paper*: the graph-based path G_P.

    Parameters
    ----------
    positions
        The public copies.
    position_of, piece, layer
        For each node its position, its number among the pieces of that position, and its layer
        (0 is the top).
    covers
        ``(c, 2)`` node numbers, upper first.
    """

    positions: Positions
    position_of: NodeArray
    piece: NodeArray
    layer: NodeArray
    arcs: NodeArray

    @classmethod
    def build(
        cls,
        positions: Positions,
        position_of: Sequence[int] | npt.NDArray[np.integer],
        layer: Sequence[int] | npt.NDArray[np.integer],
        arcs: Sequence[tuple[int, int]] | npt.NDArray[np.integer],
    ) -> LayeredGraph:
        """Return the canonical graph of nodes and arcs given in any order.

        The pieces of a copy are numbered from the top layer down, and within a layer in the order
        given. Layers are renumbered from 0 without gaps.
        """
        owners = np.asarray(position_of, dtype=np.int64)
        layers = np.asarray(layer, dtype=np.int64)
        arcs = np.asarray(arcs, dtype=np.int64).reshape(-1, 2)
        order = np.lexsort((layers, owners))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        owners, layers = owners[order], layers[order]
        first = np.searchsorted(owners, owners, side="left")
        pieces = np.arange(len(owners)) - first
        arcs = rank[arcs]
        arcs = arcs[np.lexsort((arcs[:, 1], arcs[:, 0]))]
        _, layers = np.unique(layers, return_inverse=True)
        return cls(
            positions,
            owners.astype(np.int32),
            pieces.astype(np.int32),
            layers.astype(np.int32),
            arcs.astype(np.int32),
        )

    def __post_init__(self) -> None:
        size, nodes = len(self.positions), len(self.position_of)
        step = np.diff(self.position_of, prepend=np.int32(-1), append=np.int32(size))
        if (step > 1).any():
            raise BadPublication(
                f"the layers hold pieces of {len(np.unique(self.position_of))} copies, expected "
                f"one or more pieces of each of the {size} copies"
            )
        if (step < 0).any():
            raise BadPublication("nodes must be sorted by copy and piece")
        first = np.searchsorted(self.position_of, self.position_of, side="left")
        if not np.array_equal(self.piece, np.arange(nodes) - first):
            raise BadPublication("the pieces of a copy must be numbered 0, 1, ... without gaps")
        for start in range(0, len(self.arcs), _CHUNK):
            # With the first of the next chunk: the order holds across chunks as well.
            self._require_downwards(self.arcs[start : start + _CHUNK + 1], nodes)
        for array in (self.position_of, self.piece, self.layer, self.arcs):
            array.setflags(write=False)

    def _require_downwards(self, arcs: NodeArray, nodes: int) -> None:
        """Refuse arcs that go upwards, stand out of order or are given twice."""
        upper, lower = arcs[:, 0], arcs[:, 1]
        wrong = np.flatnonzero(self.layer[upper] >= self.layer[lower])
        if len(wrong):
            a, b = arcs[wrong[0]].tolist()
            raise BadPublication(
                f"arc {self.node(a)} -> {self.node(b)} goes from layer "
                f"{self.layer[a]} to layer {self.layer[b]}, expected downwards"
            )
        keys = upper.astype(np.int64) * nodes + lower
        if (keys[1:] <= keys[:-1]).any():
            raise BadPublication("arcs must be sorted and given once")

    # -- asking ---------------------------------------------------------------------------------

    def node(self, number: int) -> Node:
        """Return a node by its number."""
        vertex, copy = self.positions.label(int(self.position_of[number]))
        return Node(vertex, copy, int(self.piece[number]))

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, by number."""
        return tuple(self.node(i) for i in range(len(self.position_of)))

    @property
    def height(self) -> int:
        """The number of layers."""
        return int(self.layer.max()) + 1 if len(self.layer) else 0

    @cached_property
    def layers(self) -> tuple[tuple[Node, ...], ...]:
        """Nodes by layer, top first, each layer sorted."""
        rows: list[list[Node]] = [[] for _ in range(self.height)]
        for number, layer in enumerate(self.layer.tolist()):
            rows[layer].append(self.nodes[number])
        return tuple(tuple(row) for row in rows)

    @property
    def is_root(self) -> BoolArray:
        """For each node whether nothing is above it."""
        return ~np.isin(np.arange(len(self.position_of)), self.arcs[:, 1])

    @property
    def is_leaf(self) -> BoolArray:
        """For each node whether nothing is below it."""
        return ~np.isin(np.arange(len(self.position_of)), self.arcs[:, 0])

    def upside_down(self) -> LayeredGraph:
        """Return the graph with layers and covers reversed; pieces keep their numbers."""
        turned = self.arcs[:, ::-1]
        turned = np.ascontiguousarray(turned[np.lexsort((turned[:, 1], turned[:, 0]))])
        flipped = (self.height - 1 - self.layer).astype(np.int32)
        return LayeredGraph(self.positions, self.position_of, self.piece, flipped, turned)

    @cached_property
    def _reach_rows(self) -> npt.NDArray[np.uint8]:
        """For each node the packed set of positions strictly below it."""
        size, nodes = len(self.positions), len(self.position_of)
        # Arcs are sorted by their upper ends, so those of a node are one slice.
        starts, below = np.searchsorted(self.arcs[:, 0], np.arange(nodes + 1)), self.arcs[:, 1]
        inner = ~self.is_leaf
        reach = np.zeros((nodes, (size + 7) // 8), dtype=np.uint8)
        row = np.empty(size, dtype=bool)
        # Bottom up: the rows of everything below are complete before they are joined.
        for number in np.argsort(-self.layer, kind="stable").tolist():
            children = below[starts[number] : starts[number + 1]]
            if not len(children):
                continue
            row[:] = False
            row[self.position_of[children]] = True
            packed = np.packbits(row)
            deeper = children[inner[children]]
            if len(deeper):
                packed |= np.bitwise_or.reduce(reach[deeper], axis=0)
            reach[number] = packed
        return reach

    def bits(self) -> PairBits:
        """Return the bit of every pair of positions, read off the whole graph at once.

        *Cost*: one pass over the arcs with packed rows; O(nodes * positions / 8) bytes.
        """
        size = len(self.positions)
        firsts = np.searchsorted(self.position_of, np.arange(size))
        reach = self._reach_rows
        if len(self.position_of) != size:
            reach = np.bitwise_or.reduceat(reach, firsts, axis=0)
        matrix = np.unpackbits(reach, axis=1, count=size).view(np.bool_)
        return PairBits.from_matrix(matrix | matrix.T)

    # -- being a value --------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LayeredGraph):
            return NotImplemented
        return self.positions == other.positions and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("position_of", "piece", "layer", "arcs")
        )

    def __hash__(self) -> int:
        return hash((self.positions, self.layer.tobytes(), self.arcs.tobytes()))

    def __repr__(self) -> str:
        return (
            f"<LayeredGraph: {len(self.positions)} copies in {len(self.position_of)} pieces on "
            f"{self.height} layers, {len(self.arcs)} arcs>"
        )
