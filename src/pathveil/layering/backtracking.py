"""The paper's engine: insert the vertices one by one, go back on a dead end, split at the last.

Theory of operation. The bits say which pairs are *mates* (same branch). Vertices are inserted in
walk order, each on a whole-numbered layer, so that "mate on an upper layer" stays a transitive
order. A dead end takes back the vertex before and tries its next layer. When every choice is used
up, the deepest attempt is taken again and the vertex that would not fit is cut into pieces; the
search goes on from there and never goes back behind it. Each vertex is either placed or cut, so the
engine ends, after a number of steps that grows exponentially with the number of vertices.

Departures from the printed pseudo-code; docs/explanation/paper-map.md lists them with a test each:

1. Alg. 4 takes vertices in walk order v1, v2, ... The printed mix of ``dequeue`` and ``pop`` gives
   v1, vn, vn-1, ..., which makes every complete map unusable, against the paper's own prose.
2. Alg. 4 inserts every vertex; the printed loop ends before the last one is placed.
3. Alg. 4's arcs are the transitive reduction of the off-walk pairs ("remove duplicate
   edges" in print).
4. Alg. 5 is the whole transitivity test: no mate on the layer itself, every mate above a mate of
   every mate below, everything above a mate above a mate, everything below a mate below a mate.
   In print it looks at one child and one parent only.
5. Alg. 6 gives a vertex the *union* of its pieces' connections; printed as an intersection.
6. Alg. 6's pieces are chosen by a greedy set cover over layers. A mate that no layer can take (it
   has a stranger above and a stranger below) first gets an empty piece of its own: that is the
   printed "conflicting u". Vertices inserted later are tied to the first piece only.
7. The search does not go back behind a split; the printed loop takes pieces back, and does not say
   how they are inserted again.
8. A step limit, which the paper does not have, ends the search with an error, or by splitting where
   it stands.

*Privacy*: the layout depends on the insertion order, which is the secret. An adversary who re-runs
the engine on each candidate learns more than the bits say. Use the exact engine.

The paper's drawing from the bits on: insert in walk order, then turn the roots to the front.

It is a function of the bits *and of the walk*: insertion order and flip are the secret. So it is
run by the publisher who draws as the paper does, and again by an adversary who tries out which
walks give the picture he sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pathveil.errors import SearchExhausted
from pathveil.layering.kernels.paper_search import FULL, search
from pathveil.layering.kernels.running import chosen
from pathveil.layering.kernels.running import compiled as compiled_twin
from pathveil.layering.rules import walk_distances
from pathveil.model.bits import BoolArray, IndexArray, PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions

STEP_LIMIT = 1_000_000
WORD = 64  # bits, and pieces, of a machine word
PLAIN_STEPS = 3_000  # placements a search first gets in plain Python, about a tenth of a second
STEPS_A_PLACEMENT = 60  # elementary steps, by which a kernel's rent is counted


@dataclass(frozen=True)
class Insertion:
    """What the search found.

    Attributes
    ----------
    layered
        The layered graph, or None where the map is not usable without splitting.
    steps
        How many times a vertex was put on a layer.
    splits
        How many vertices were cut.
    struck
        Whether the step limit ended a search.
    """

    layered: LayeredGraph | None
    steps: int
    splits: int
    struck: bool


def insert_vertices(
    bits: PairBits,
    positions: Positions,
    order: Sequence[int],
    *,
    splitting: bool = True,
    step_limit: int = STEP_LIMIT,
    at_limit: Literal["error", "split"] = "error",
    compiled: bool | None = None,
) -> Insertion:
    """Return the layered graph of the bits by the paper's search. Alg. 4, 5 and 6.

    Parameters
    ----------
    order
        All positions: the walk in visiting order, then the fakes, then what the walk skips.
    splitting
        Whether Alg. 6 may be called; without it an unusable map gives ``layered=None``.
    step_limit
        How many placements one search may try.
    compiled
        Whether to run the compiled twin, which finds the same in about a hundredth of the time.
        By default a search begins in plain Python, and starts again compiled if it turns out long.

    Raises
    ------
    SearchExhausted
        If the limit is reached and ``at_limit`` is "error".
    """
    ranks = np.asarray(order, dtype=np.int64)
    near = bits.matrix()[np.ix_(ranks, ranks)]
    limit, split = step_limit, at_limit == "split"
    found, most = None, 0
    while found is None and compiled is None and most < limit and chosen(search, 0) is search:
        most = min(limit, 2 * most or PLAIN_STEPS)
        found = _searched(near, splitting, most, False)
        chosen(search, STEPS_A_PLACEMENT * found.steps)  # notes the rent
        found = None if found.struck else found
    if found is None and compiled is not False:
        found = _searched_compiled(near, splitting, limit, split)
    if found is None:
        found = _searched(near, splitting, limit, split)
    if found.struck and not split:
        raise SearchExhausted(
            f"the paper's search tried {limit} placements without an end; its work grows "
            "exponentially: use layering='exact', which is polynomial, or more steps",
            steps=found.steps,
        )
    layered = None
    if found.reached == bits.size:
        owner, layer, _, below = found.pieces
        layered = _layered(positions, ranks[owner.astype(np.int64)], layer, below.tolist())
    return Insertion(layered, found.steps, found.splits, found.struck)


class _Searched(NamedTuple):
    """Pieces as columns: whose each is, its layer, what is above and below; and how it went."""

    pieces: npt.NDArray[Any]
    steps: int
    splits: int
    struck: bool
    reached: int


def _searched(near: BoolArray, *terms: *tuple[bool, int, bool]) -> _Searched:
    """Return what the search finds in plain Python, however many pieces that takes."""
    words = [sum(1 << mate for mate in np.flatnonzero(row).tolist()) for row in near]
    neighbours, most = np.array(words, dtype=object), max(WORD, 2 * len(near))
    while True:
        room = np.zeros((4, most), dtype=object)
        answer = search(neighbours, *terms, room)
        if answer[0] != FULL:
            return _Searched(room[:, : answer[0]], *answer[1:])
        most *= 2


def _searched_compiled(near: BoolArray, *terms: *tuple[bool, int, bool]) -> _Searched | None:
    """Return the same from compiled code; None if the pieces are more than a word has bits."""
    if len(near) > WORD:
        return None
    packed = np.packbits(near, axis=1, bitorder="little")
    words = np.zeros((len(near), WORD // 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    room = np.zeros((4, WORD), dtype=np.int64)
    neighbours = words.view("<i8")[:, 0].astype(np.int64)
    answer = compiled_twin(search)(neighbours, *terms, room)
    return None if answer[0] == FULL else _Searched(room[:, : answer[0]], *answer[1:])


def _layered(
    positions: Positions, owner: IndexArray, layer: npt.NDArray[Any], below: list[int]
) -> LayeredGraph:
    """Return the pieces as a layered graph: arcs go to what is below and below nothing between."""
    # A set of pieces is a word that may have a sign.
    lower = [
        [piece for piece in range(max(WORD, mask.bit_length())) if mask >> piece & 1]
        for mask in below
    ]
    arcs = [
        (upper, piece)
        for upper, pieces in enumerate(lower)
        for piece in set(pieces).difference(*(lower[middle] for middle in pieces))
    ]
    return LayeredGraph.build(positions, owner, layer.astype(np.int64), arcs)


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
