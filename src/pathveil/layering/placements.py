"""The pieces placed so far by the paper's search: where each stands, and what is above and below.

Sets of pieces are whole numbers read as bit masks: taking one back is clearing a bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions


@dataclass
class Placements:
    """The pieces placed so far. Sets of pieces are whole numbers read as bit masks."""

    owner: list[int] = field(default_factory=list)
    layer: list[int] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    carrier: dict[int, int] = field(default_factory=dict)
    """The piece of each position that later vertices are tied to."""

    def copy(self) -> Placements:
        """Return the same pieces, to go back to."""
        return Placements(
            list(self.owner),
            list(self.layer),
            list(self.above),
            list(self.below),
            dict(self.carrier),
        )

    def push(self, position: int, layer: int, mates: int) -> None:
        """Put a new piece on a layer; ``mates`` are the pieces it shares a branch with."""
        piece = len(self.owner)
        upper, lower = self.sides(layer, mates)
        self.owner.append(position)
        self.layer.append(layer)
        self.above.append(upper)
        self.below.append(lower)
        for other in members(upper):
            self.below[other] |= 1 << piece
        for other in members(lower):
            self.above[other] |= 1 << piece
        self.carrier.setdefault(position, piece)

    def pop(self) -> None:
        """Take the last piece back."""
        piece = len(self.owner) - 1
        for other in members(self.above[piece]):
            self.below[other] &= ~(1 << piece)
        for other in members(self.below[piece]):
            self.above[other] &= ~(1 << piece)
        if self.carrier[self.owner[piece]] == piece:
            del self.carrier[self.owner[piece]]
        for column in (self.owner, self.layer, self.above, self.below):
            column.pop()

    def sides(self, layer: int, mates: int) -> tuple[int, int]:
        """Return the mates above and below a layer; a mate on the layer is in neither."""
        upper = lower = 0
        for other in members(mates):
            if self.layer[other] < layer:
                upper |= 1 << other
            elif self.layer[other] > layer:
                lower |= 1 << other
        return upper, lower

    def is_good_layer(self, layer: int, mates: int) -> bool:
        """Return whether a piece with these mates may stand on the layer. Alg. 5."""
        upper, lower = self.sides(layer, mates)
        if upper | lower != mates:
            return False
        return all(
            self.above[other] & ~upper == 0 and lower & ~self.below[other] == 0
            for other in members(upper)
        ) and all(self.below[other] & ~lower == 0 for other in members(lower))

    def layer_range(self) -> range:
        """Return the candidate layers, the lowest on the page (largest number) first."""
        if not self.layer:
            return range(1)
        return range(max(self.layer) + 1, min(self.layer) - 2, -1)

    def layered(self, positions: Positions) -> LayeredGraph:
        """Return the finished graph with its cover edges."""
        covers: list[tuple[int, int]] = []
        for upper, below in enumerate(self.below):
            indirect = 0
            for middle in members(below):
                indirect |= self.below[middle]
            covers.extend((upper, lower) for lower in members(below & ~indirect))
        return LayeredGraph.build(positions, self.owner, self.layer, covers)


def members(mask: int) -> list[int]:
    """Return the pieces of a mask, ascending.

    >>> members(0b1010)
    [1, 3]
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def mask_of(pieces: Iterable[int]) -> int:
    """Return pieces as a mask.

    >>> mask_of([1, 3])
    10
    """
    mask = 0
    for piece in pieces:
        mask |= 1 << piece
    return mask
