"""The worlds an adversary cannot tell apart by known links: ways to join the fragments.

A *world* is a walk that agrees with every known link: all fragments, in some order and orientation,
perhaps with loose copies between or around them, joined by pairs that are no known link. A world
needs its joins' links among the missing ones; further missing links are off the walk and may be
any other open pair, which is counted and not enumerated.

With one copy of each vertex and f fragments (loose vertices included, if the walk must visit all)
there are at most f! 2^(f-1) worlds: two fragments give four.

What an adversary reads with the links he knows: pieces of the walk, and what is open.

The bits of known links tell their status. The walk links among them form a *linear forest* over
the copies: fragments of the walk, each with two ends. A missing link of the walk joins ends of
fragments, or goes on from an end to a copy no known link visits; a missing link off the walk may be
any pair whose bit says *same branch*. Everything an adversary infers starts from this reading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from pathveil.model.bits import PairBits, pair_places
from pathveil.model.network import Network
from pathveil.model.positions import Positions, linear_forest

Pair = tuple[int, int]
Link = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Fragments:
    """The walk as far as known links tell it.

    Attributes
    ----------
    paths
        Each fragment as its positions in order, two or more.
    loose
        Positions no known walk link touches.
    absent
        The open pairs of vertices, by index: no known link, so a missing one may be there.
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

    def names(self, pair: Pair) -> Link:
        """Return the names of a pair of vertices."""
        return self.positions.vertices[pair[0]], self.positions.vertices[pair[1]]


def absent_pairs(network: Network, universe: Collection[Link] | None = None) -> tuple[Pair, ...]:
    """Return the pairs that may hold a missing link: no known link and, if given, in the universe.

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
    universe: Collection[Link] | None = None,
) -> Fragments:
    """Return the fragments of the walk that the known links tell.

    Raises
    ------
    DoesNotFit
        If the known walk links are no linear forest: then the bits are noisy (two-sided policy)
        or belong to another network.

    Examples
    --------
    >>> known = Network.parse("ab bc cd de").without(("c", "d"))
    >>> nothing_shared = PairBits.from_pairs(5, [])
    >>> read = read_fragments(nothing_shared, Positions.uniform(tuple("abcde"), 1), known)
    >>> read.paths
    ((0, 1, 2), (3, 4))
    """
    pairs = positions.lifted(network.pairs)
    places = pair_places(pairs[:, 0], pairs[:, 1], bits.size)
    on_walk = pairs[~bits.at(places)]
    paths = linear_forest(on_walk, positions)
    seen = {position for path in paths for position in path}
    loose = tuple(p for p in range(len(positions)) if p not in seen)
    return Fragments(positions, paths, loose, absent_pairs(network, universe))


@dataclass(frozen=True)
class World:
    """One way the walk may go on between the fragments.

    Attributes
    ----------
    visits
        The positions along the walk, in one of its two directions.
    joins
        The steps that are no known link, as positions, lower first.
    links
        The pairs of vertices of the joins, sorted: missing links that the walk uses.
    """

    visits: tuple[int, ...]
    joins: frozenset[Pair]
    links: tuple[Pair, ...]


@dataclass(frozen=True)
class Completions:
    """The worlds, built part by part: a fragment in one of its directions, or a loose copy.

    Attributes
    ----------
    read
        What the known links show.
    missing
        How many links are missing: a world needs no more.
    spanning
        Whether the walk visits every vertex.
    """

    read: Fragments
    missing: int
    spanning: bool

    def listed(self, limit: int) -> list[World] | None:
        """Return every world, each in one of its directions; None after ``limit`` steps."""
        worlds: dict[frozenset[Pair], World] = {}
        waiting, steps = [_NOWHERE], 0
        while waiting:
            steps += 1
            if steps > limit:
                return None
            here = waiting.pop()
            parts, whole = self._onward(here)
            if whole:
                worlds.setdefault(here.joins, here)
            waiting += [self._with(here, part) for part in reversed(parts)]
        return list(worlds.values())

    def draw(
        self, random: np.random.Generator, bits: PairBits | None = None
    ) -> tuple[World, float] | None:
        """Return a random world and one over the chance of this very draw, which makes sums fair.

        The next part is any that fits, or the end, each as likely as the others; every world can
        be drawn in its two directions. None where the draw led nowhere.

        Parameters
        ----------
        bits
            If given, only joins that are shown in different branches are tried.
        """
        here, factor = _NOWHERE, 1.0
        while True:
            parts, whole = self._onward(here, bits)
            if not parts and not whole:
                return None
            factor *= len(parts) + whole
            choice = int(random.integers(len(parts) + whole))
            if choice == len(parts):
                return here, factor
            here = self._with(here, parts[choice])

    def _onward(
        self, here: World, bits: PairBits | None = None
    ) -> tuple[list[tuple[int, ...]], bool]:
        """Return what may come next, and whether the walk may end here."""
        seen = set(here.visits)
        paths = [path for path in self.read.paths if path[0] not in seen]
        parts = [part for path in paths for part in (path, path[::-1])]
        # With one copy each, every part still to come costs a missing link of its own.
        single = len(self.read.positions) == len(self.read.positions.vertices)
        if not single or len(here.links) + len(paths) + bool(seen) <= self.missing:
            parts += [(position,) for position in self.read.loose if position not in seen]
        met = {int(self.read.positions.vertex_of[p]) for p in seen} if self.spanning else ()
        spans = not self.spanning or len(met) == len(self.read.positions.vertices)
        whole = len(seen) > 1 and not paths and spans
        return [part for part in parts if self._joins(here, part[0], bits)], whole

    def _joins(self, here: World, first: int, bits: PairBits | None) -> bool:
        if not here.visits:
            return True
        last = here.visits[-1]
        base = self.read.base(last, first)
        if base not in self.read.open_pairs:
            return False
        if base not in here.links and len(here.links) >= self.missing:
            return False
        return bits is None or not bits.same_branch(last, first)

    def _with(self, here: World, part: tuple[int, ...]) -> World:
        if not here.visits:
            return World(part, here.joins, here.links)
        last, first = here.visits[-1], part[0]
        links = {*here.links, self.read.base(last, first)}
        join = (min(last, first), max(last, first))
        return World(here.visits + part, here.joins | {join}, tuple(sorted(links)))


_NOWHERE = World((), frozenset(), ())
"""Where every world begins."""
