"""The paper's drawing from the bits on: insert in walk order, then turn the roots to the front.

It is a function of the bits *and of the walk*: insertion order and flip are the secret. So it is
run by the publisher who draws as the paper does, and again by an adversary who tries out which
walks give the picture he sees.
"""

from __future__ import annotations

from collections.abc import Sequence

from pathveil.layering.backtracking import insert_vertices
from pathveil.layering.rules import walk_distances
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions


def draw_in_walk_order(bits: PairBits, positions: Positions, visits: Sequence[int]) -> LayeredGraph:
    """Return the layered graph of the bits as the paper's engine draws it for a walk.

    *Paper*: Alg. 3 behind the coins: Alg. 4 to 6, then Rule 5.
    """
    inserted = insert_vertices(bits, positions, order_of_insertion(visits, len(positions)))
    assert inserted.layered is not None, "splitting always succeeds (Theorem 3)"
    return turn_roots_first(inserted.layered, visits)


def order_of_insertion(visits: Sequence[int], size: int) -> list[int]:
    """Return all positions: the walk in visiting order, then the copies it does not use.

    >>> order_of_insertion((2, 0), 4)
    [2, 0, 1, 3]
    """
    used = set(visits)
    return [*visits, *(p for p in range(size) if p not in used)]


def turn_roots_first(layered: LayeredGraph, visits: Sequence[int]) -> LayeredGraph:
    """Return the graph turned upside down if a leaf is closer to the first vertex. Rule 5."""
    to_root, to_leaf = walk_distances(layered, visits)
    return layered.upside_down() if to_leaf < to_root else layered
