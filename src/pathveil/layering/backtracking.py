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

The pieces placed so far by the paper's search: where each stands, and what is above and below.

Sets of pieces are whole numbers read as bit masks: taking one back is clearing a bit.

The paper's drawing from the bits on: insert in walk order, then turn the roots to the front.

It is a function of the bits *and of the walk*: insertion order and flip are the secret. So it is
run by the publisher who draws as the paper does, and again by an adversary who tries out which
walks give the picture he sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from pathveil.errors import SearchExhausted
from pathveil.layering.kernels.paper_search import FULL, MOST_PIECES
from pathveil.layering.kernels.paper_search import search as search_words
from pathveil.layering.kernels.running import chosen
from pathveil.layering.kernels.running import compiled as compiled_twin
from pathveil.layering.rules import walk_distances
from pathveil.model.bits import PairBits
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
        """Return the finished graph with its arcs."""
        arcs: list[tuple[int, int]] = []
        for upper, below in enumerate(self.below):
            indirect = 0
            for middle in members(below):
                indirect |= self.below[middle]
            arcs.extend((upper, lower) for lower in members(below & ~indirect))
        return LayeredGraph.build(positions, self.owner, self.layer, arcs)


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


STEP_LIMIT = 1_000_000
PLAIN_STEPS = 3_000  # about a tenth of a second: less than compiling would take


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
    if compiled is None:
        if chosen(search_words, 0) is search_words:
            with suppress(SearchExhausted):
                short = min(step_limit, PLAIN_STEPS)
                return _insert_plain(
                    bits, positions, order, splitting=splitting, step_limit=short, at_limit="error"
                )
        compiled = True
    if compiled:
        found = _insert_compiled(
            bits, positions, order, splitting=splitting, step_limit=step_limit, at_limit=at_limit
        )
        if found is not None:
            return found
    return _insert_plain(
        bits, positions, order, splitting=splitting, step_limit=step_limit, at_limit=at_limit
    )


def _insert_plain(
    bits: PairBits,
    positions: Positions,
    order: Sequence[int],
    *,
    splitting: bool,
    step_limit: int,
    at_limit: Literal["error", "split"],
) -> Insertion:
    search = _LayerSearch(bits, step_limit=step_limit, at_limit=at_limit)
    todo = list(order)
    splits = 0
    while todo:
        reached = search.run(todo)
        if reached == len(todo):
            break
        if not splitting:
            return Insertion(None, search.steps, splits, search.struck)
        search.cut(todo[reached])
        splits += 1
        todo = todo[reached + 1 :]
    return Insertion(search.state.layered(positions), search.steps, splits, search.struck)


def _insert_compiled(
    bits: PairBits,
    positions: Positions,
    order: Sequence[int],
    *,
    splitting: bool,
    step_limit: int,
    at_limit: Literal["error", "split"],
) -> Insertion | None:
    """Return what the compiled search finds; None if the pieces do not fit its words."""
    if bits.size > MOST_PIECES:
        return None
    ranks = np.asarray(order, dtype=np.int64)
    words = np.packbits(bits.matrix()[np.ix_(ranks, ranks)], axis=1, bitorder="little")
    neighbours = np.zeros((bits.size, 8), dtype=np.uint8)
    neighbours[:, : words.shape[1]] = words
    room = np.zeros((4, MOST_PIECES), dtype=np.int64)
    pieces, steps, splits, struck, reached = compiled_twin(search_words)(
        neighbours.view("<i8")[:, 0].astype(np.int64),
        splitting,
        step_limit,
        at_limit == "split",
        room,
    )
    if pieces == FULL:
        return None
    if struck and at_limit == "error":
        raise _exhausted(step_limit, steps)
    if reached < bits.size:
        return Insertion(None, steps, splits, bool(struck))
    owner, layer, above, below = room[:, :pieces]
    state = Placements(
        ranks[owner].tolist(),
        layer.tolist(),
        above.view(np.uint64).tolist(),
        below.view(np.uint64).tolist(),
    )
    return Insertion(state.layered(positions), steps, splits, bool(struck))


def _exhausted(step_limit: int, steps: int) -> SearchExhausted:
    return SearchExhausted(
        f"the paper's search tried {step_limit} placements without an end; its work "
        "grows exponentially: use layering='exact', which is polynomial, or more steps",
        steps=steps,
    )


class _LayerSearch:
    """Depth-first search over layers, from a state that is never taken back."""

    def __init__(
        self, bits: PairBits, *, step_limit: int, at_limit: Literal["error", "split"]
    ) -> None:
        matrix = bits.matrix()
        self.neighbours = [row.nonzero()[0].tolist() for row in matrix]
        self.step_limit = step_limit
        self.at_limit = at_limit
        self.state = Placements()
        self.steps = 0
        self.struck = False

    def mates(self, position: int) -> int:
        """Return the placed pieces a position must share a branch with."""
        carrier = self.state.carrier
        found = 0
        for other in self.neighbours[position]:
            piece = carrier.get(other)
            if piece is not None:
                found |= 1 << piece
        return found

    def run(self, todo: Sequence[int]) -> int:
        """Place as many vertices of ``todo`` as fit; leave the deepest state behind. Alg. 4."""
        state = self.state
        deepest, best = 0, state.copy()
        choices: list[list[int]] = [self._choices(todo[0])]
        budget = self.step_limit
        while choices:
            if not choices[-1]:
                choices.pop()
                if choices:
                    state.pop()
                continue
            if budget == 0:
                self._strike()
                break
            budget -= 1
            self.steps += 1
            depth = len(choices)
            vertex = todo[depth - 1]
            state.push(vertex, choices[-1].pop(0), self.mates(vertex))
            if depth > deepest:
                deepest, best = depth, state.copy()
                if deepest == len(todo):
                    break
            choices.append(self._choices(todo[depth]))
        self.state = best
        return deepest

    def _choices(self, vertex: int) -> list[int]:
        mates = self.mates(vertex)
        return [x for x in self.state.layer_range() if self.state.is_good_layer(x, mates)]

    def _strike(self) -> None:
        self.struck = True
        if self.at_limit == "error":
            raise _exhausted(self.step_limit, self.steps)

    def cut(self, vertex: int) -> None:
        """Place a vertex that fits nowhere as several pieces. Alg. 6."""
        state = self.state
        mates = self.mates(vertex)
        if not mates:
            # It fits everywhere; the step limit struck before it was tried.
            self.steps += 1
            state.push(vertex, state.layer_range()[0], 0)
            return
        while (stuck := self._unreachable(mates)) is not None:
            # No layer can take this mate: give it an empty piece to be met by.
            mates = mates & ~(1 << stuck) | 1 << len(state.owner)
            state.push(state.owner[stuck], state.layer[stuck], 0)
        open_mates = mates
        while open_mates:
            layer, taken = max(
                (
                    (layer, taken)
                    for layer in state.layer_range()
                    for taken in self._fitting(layer, mates)
                ),
                key=lambda choice: ((choice[1] & open_mates).bit_count(), choice[0]),
            )
            self.steps += 1
            state.push(vertex, layer, taken)
            open_mates &= ~taken

    def _unreachable(self, mates: int) -> int | None:
        """Return a mate with a stranger above and a stranger below, if there is one."""
        state = self.state
        for other in members(mates):
            if state.above[other] & ~mates and state.below[other] & ~mates:
                return other
        return None

    def _fitting(self, layer: int, mates: int) -> list[int]:
        """Return large sets of mates that a piece on the layer may take."""
        state = self.state
        upper, lower = state.sides(layer, mates)
        upper = mask_of(other for other in members(upper) if not state.above[other] & ~mates)
        lower = mask_of(other for other in members(lower) if not state.below[other] & ~mates)
        below_all = mask_of(o for o in members(lower) if not upper & ~state.above[o])
        above_all = mask_of(o for o in members(upper) if not lower & ~state.below[o])
        return [upper | below_all, lower | above_all]


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
