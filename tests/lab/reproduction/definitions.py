"""What the sweep's kernels count, defined on one run in the words of the package."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from pathveil import Network
from pathveil.chance.copies import LiftedWalk
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph


def is_usable(layered: LayeredGraph | None) -> bool:
    """Return whether there is a layered graph in which no vertex is cut.

    *Paper*: "usable map".
    """
    return layered is not None and len(layered.position_of) == len(layered.positions)


def edge_leakage(network: Network, lifted: LiftedWalk, bits: PairBits) -> tuple[Fraction, int]:
    """Return how sure an adversary is of the walk edge that he misses, summed over walk edges.

    He holds the network but for one edge and reads the walk but for one link: two fragments, to be
    joined at their ends. A join is left if it is no edge he knows and its copies' bits are as an
    edge's would be: this one different branches, all others the same. He guesses one of those left.
    Only edges that the walk uses once are counted; the number of those is returned too.

    *Paper*: none. How sure fragment ends are, given the bits.
    """
    positions, visits = lifted.positions, lifted.visits
    names = [positions.label(p)[0] for p in visits]
    steps = [frozenset(step) for step in pairwise(names)]
    total, counted = Fraction(0), 0
    for place, missing in enumerate(steps):
        if steps.count(missing) > 1:
            continue
        left = 0
        for x in {visits[0], visits[place]}:
            for y in {visits[place + 1], visits[-1]}:
                u, v = positions.label(x)[0], positions.label(y)[0]
                known = network.has_edge(u, v) and frozenset((u, v)) != missing
                if u != v and not known:
                    left += all(
                        bits.same_branch(i, j) == ((i, j) != (x, y))
                        for i in positions.copies_of(u)
                        for j in positions.copies_of(v)
                    )
        total += Fraction(1, left)
        counted += 1
    return total, counted
