"""What an adversary reads with the edges he knows: pieces of the walk, and what is open.

The bits of known edges tell their status. The walk edges among them form a *linear forest* over
the copies: fragments of the walk, each with two ends. A missing edge of the walk joins ends of
fragments, or goes on from an end to a copy no known edge visits; a missing edge off the walk may be
any pair whose bit says *same branch*. Everything an adversary infers starts from this reading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from pathveil.errors import DoesNotFit
from pathveil.model.bits import IndexArray, PairBits, pair_places
from pathveil.model.forest import linear_forest
from pathveil.model.network import Network
from pathveil.model.positions import Positions

Pair = tuple[int, int]
Edge = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Fragments:
    """The walk as far as known edges tell it.

    Attributes
    ----------
    paths
        Each fragment as its positions in order, two or more.
    loose
        Positions no known walk edge touches.
    absent
        The open pairs of vertices, by index: no known edge, so a missing one may be there.
    """

    positions: Positions
    paths: tuple[tuple[int, ...], ...]
    loose: tuple[int, ...]
    absent: tuple[Pair, ...]

    @cached_property
    def open_pairs(self) -> frozenset[Pair]:
        """The absent pairs as a set."""
        return frozenset(self.absent)

    def lifted(self, pair: Pair) -> list[Pair]:
        """Return the copy pairs of a pair of vertices, lower position first."""
        starts = self.positions.starts
        u, v = pair
        return [
            (i, j)
            for i in range(int(starts[u]), int(starts[u + 1]))
            for j in range(int(starts[v]), int(starts[v + 1]))
        ]

    def base(self, first: int, second: int) -> Pair:
        """Return the pair of vertices of two positions."""
        u, v = int(self.positions.vertex_of[first]), int(self.positions.vertex_of[second])
        return (u, v) if u < v else (v, u)

    def names(self, pair: Pair) -> Edge:
        """Return the names of a pair of vertices."""
        return self.positions.vertices[pair[0]], self.positions.vertices[pair[1]]


def require_same_vertices(vertices: tuple[str, ...], network: Network) -> None:
    """Raise :class:`DoesNotFit` unless publication and known network have the same vertices."""
    if vertices != network.vertices:
        odd = min(set(vertices) ^ set(network.vertices))
        raise DoesNotFit(
            f"the publication has {len(vertices)} vertices and the known network {len(network)}; "
            f"{odd!r} is in one only; give the network with all its vertices, whatever edges miss"
        )


def absent_pairs(network: Network, universe: Collection[Edge] | None = None) -> tuple[Pair, ...]:
    """Return the pairs that may hold a missing edge: no known edge and, if given, in the universe.

    >>> absent_pairs(Network.parse("ab bc"))
    ((0, 2),)
    """
    known = set(map(tuple, network.pairs.tolist()))
    if universe is None:
        every: Iterable[Pair] = combinations(range(len(network)), 2)
    else:
        indexed = (sorted((network.index(u), network.index(v))) for u, v in universe)
        every = sorted({(i, j) for i, j in indexed})
    return tuple(pair for pair in every if pair not in known)


def read_fragments(
    bits: PairBits,
    positions: Positions,
    network: Network,
    *,
    universe: Collection[Edge] | None = None,
) -> Fragments:
    """Return the fragments of the walk that the known edges tell.

    Raises
    ------
    DoesNotFit
        If the known walk edges are no linear forest: then the bits are noisy (two-sided policy)
        or belong to another network.

    Examples
    --------
    >>> known = Network.parse("ab bc cd de").without(("c", "d"))
    >>> nothing_shared = PairBits.from_pairs(5, [])
    >>> read = read_fragments(nothing_shared, Positions.uniform(tuple("abcde"), 1), known)
    >>> read.paths
    ((0, 1, 2), (3, 4))
    """
    pairs = positions.lifted_edges(network)
    places = pair_places(pairs[:, 0], pairs[:, 1], bits.size)
    on_walk = pairs[~bits.at(places)]
    paths = linear_forest(on_walk, positions)
    seen = {position for path in paths for position in path}
    loose = tuple(p for p in range(len(positions)) if p not in seen)
    return Fragments(positions, paths, loose, absent_pairs(network, universe))


def known_places(positions: Positions, network: Network) -> IndexArray:
    """Return the flat places of all copy pairs of the known edges, sorted."""
    pairs = positions.lifted_edges(network)
    return np.unique(pair_places(pairs[:, 0], pairs[:, 1], len(positions)))
