"""The fewest pieces there can be, by integer programmes: what bounds are held against."""

from __future__ import annotations

import numpy as np

from pathveil.layering.adjacency import Adjacency, Int32Array
from pathveil.layering.annealing import mended_order
from pathveil.layering.bounds import _Bundles, _Hitting, _relaxed_bound
from pathveil.layering.kernels.forcing import opposite_entries
from pathveil.layering.kernels.running import run
from pathveil.layering.splitting import (
    Split,
    bad_vertices,
    free_split,
    joined,
    split_order,
    take_apart,
)

MENDING = 10_000_000
"""Steps for the order of one choice."""


def exact_minimum(
    graph: Adjacency, time_limit: float = 20.0, *, rounds: int = 200
) -> tuple[int, int, Split]:
    """Return a lower and an upper bound on the pieces, equal when proved, and a split of the upper.

    Parameters
    ----------
    graph
        Any graph; some hundred vertices are within reach where it is sparse.
    time_limit
        Seconds that each integer programme may take.
    rounds
        How many programmes may be solved for each part.
    """
    lower = graph.size
    parts: list[tuple[Int32Array, Split]] = []
    for vertices, part, order in take_apart(graph):
        split = split_order(part) if order is None else free_split(order)
        if not split.proved:
            least, split = solve_part(part, split, time_limit, rounds)
            lower += least
        else:
            lower += int(split.bad.sum())
        parts.append((vertices, split))
    best = joined(graph, parts)
    return lower, best.pieces, best


def solve_part(part: Adjacency, found: Split, time_limit: float, rounds: int) -> tuple[int, Split]:
    """Return a lower bound on the cut vertices of one part and the best split found for it."""
    least = int(found.bad.sum())
    programme = _Hitting(_Bundles.of(part))
    lower, _ = _relaxed_bound(programme, rounds)
    for _ in range(rounds):
        if lower >= least:
            break
        value, choice = programme.integer(time_limit=time_limit)
        lower = max(lower, int(np.ceil(value - 1e-6)))
        if choice is None:
            break
        if programme.add_missed(choice) == 0:
            # The signs are free of conflict; what counts is the order that comes of them.
            opposite = run(opposite_entries, 0, part.indptr, part.indices)
            whole = (choice == 0).astype(np.int32)
            order = mended_order(part, opposite, whole, work=MENDING)
            bad = bad_vertices(part, order)
            if bad.sum() < least:
                found, least = Split(order, bad), int(bad.sum())
            break
    return min(lower, least), found
