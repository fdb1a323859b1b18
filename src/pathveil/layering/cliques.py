"""The clique number of a small graph, or a bound on it, by colouring and branching.

A clique takes at most one vertex of each colour class, so a partial clique that cannot beat the
best even with one vertex from each class is left (Tomita and Seki). The search is cut off after a
number of branches; then the number of colours of the whole graph is returned, which is an upper
bound. Either way the answer is never too small.
"""

from __future__ import annotations


def clique_number_at_most(neighbours: list[int], *, branches: int) -> int:
    """Return the clique number of a graph of bit masks, or an upper bound if that takes too long.

    >>> clique_number_at_most([0b110, 0b101, 0b011], branches=100)
    3
    """
    everything = (1 << len(neighbours)) - 1
    best = 0
    left = branches
    stack = [(0, _coloured(neighbours, everything), everything)]
    while stack:
        depth, coloured, allowed = stack.pop()
        if not coloured or depth + coloured[-1][1] <= best:
            continue
        left -= 1
        if left < 0:
            return max(colour for _, colour in _coloured(neighbours, everything))
        vertex, _ = coloured.pop()
        stack.append((depth, coloured, allowed & ~(1 << vertex)))
        inner = allowed & neighbours[vertex]
        if inner:
            stack.append((depth + 1, _coloured(neighbours, inner), inner))
        best = max(best, depth + 1)
    return best


def _coloured(neighbours: list[int], vertices: int) -> list[tuple[int, int]]:
    """Return the vertices of a mask with greedy colours, lowest colour first."""
    result: list[tuple[int, int]] = []
    colour = 0
    while vertices:
        colour += 1
        free = vertices
        while free:
            low = free & -free
            vertex = low.bit_length() - 1
            vertices ^= low
            free &= ~neighbours[vertex] & ~low
            result.append((vertex, colour))
    return result
