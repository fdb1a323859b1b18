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

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from pathveil.errors import DoesNotFit
from pathveil.model.bits import IndexArray, PairBits, pair_places
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


def require_same_vertices(vertices: tuple[str, ...], network: Network) -> None:
    """Raise :class:`DoesNotFit` unless publication and known network have the same vertices."""
    if vertices != network.vertices:
        odd = min(set(vertices) ^ set(network.vertices))
        raise DoesNotFit(
            f"the publication has {len(vertices)} vertices and the known network {len(network)}; "
            f"{odd!r} is in one only; give the network with all vertices, whatever links you lack"
        )


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
    pairs = positions.lifted_links(network)
    places = pair_places(pairs[:, 0], pairs[:, 1], bits.size)
    on_walk = pairs[~bits.at(places)]
    paths = linear_forest(on_walk, positions)
    seen = {position for path in paths for position in path}
    loose = tuple(p for p in range(len(positions)) if p not in seen)
    return Fragments(positions, paths, loose, absent_pairs(network, universe))


def known_places(positions: Positions, network: Network) -> IndexArray:
    """Return the flat places of all copy pairs of the known links, sorted."""
    pairs = positions.lifted_links(network)
    return np.unique(pair_places(pairs[:, 0], pairs[:, 1], len(positions)))


class TooManyWorlds(Exception):
    """The worlds are too many to enumerate; sample them."""


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


def enumerate_worlds(
    read: Fragments, missing: int, *, spanning: bool, limit: int = 200_000
) -> list[World]:
    """Return every world that needs at most ``missing`` links.

    Raises
    ------
    TooManyWorlds
        After ``limit`` steps of the search.
    """
    search = _WorldSearch(read, missing, spanning=spanning, limit=limit)
    found: dict[frozenset[Pair], World] = {}
    for world in search.run():
        found.setdefault(world.joins, world)
    return list(found.values())


class _WorldSearch:
    """Depth-first over sequences of fragments and loose copies."""

    def __init__(self, read: Fragments, missing: int, *, spanning: bool, limit: int) -> None:
        self.read, self.missing, self.spanning, self.limit = read, missing, spanning, limit
        self.single = len(read.positions) == len(read.positions.vertices)
        self.steps = 0
        self.order: list[tuple[int, ...]] = []
        self.joins: list[Pair] = []
        self.used: dict[Pair, int] = {}
        self.open_paths = set(range(len(read.paths)))
        self.open_loose = set(read.loose)

    def run(self) -> Iterator[World]:
        yield from self._extend()

    def _extend(self) -> Iterator[World]:
        self.steps += 1
        if self.steps > self.limit:
            raise TooManyWorlds
        if self.order and not self.open_paths and self._complete():
            visits = tuple(p for part in self.order for p in part)
            if len(visits) > 1:
                yield World(visits, frozenset(self.joins), tuple(sorted(self.used)))
        for number in sorted(self.open_paths):
            self.open_paths.remove(number)
            path = self.read.paths[number]
            yield from self._append(path)
            yield from self._append(path[::-1])
            self.open_paths.add(number)
        if self._room_for_loose():
            for position in sorted(self.open_loose):
                self.open_loose.remove(position)
                yield from self._append((position,))
                self.open_loose.add(position)

    def _append(self, part: tuple[int, ...]) -> Iterator[World]:
        if not self.order:
            self.order.append(part)
            yield from self._extend()
            self.order.pop()
            return
        last, first = self.order[-1][-1], part[0]
        base = self.read.base(last, first)
        fresh = base not in self.used
        if base not in self.read.open_pairs or (fresh and len(self.used) >= self.missing):
            return
        self.order.append(part)
        self.joins.append((min(last, first), max(last, first)))
        self.used[base] = self.used.get(base, 0) + 1
        yield from self._extend()
        self.used[base] -= 1
        if not self.used[base]:
            del self.used[base]
        self.joins.pop()
        self.order.pop()

    def _room_for_loose(self) -> bool:
        # With one copy each, every part still to come costs a missing link of its own.
        if not self.single:
            return True
        joins = len(self.used) + len(self.open_paths) + (1 if self.order else 0)
        return joins <= self.missing

    def _complete(self) -> bool:
        if not self.spanning:
            return True
        owner = self.read.positions.vertex_of
        seen = {int(owner[p]) for part in self.order for p in part}
        return len(seen) == len(self.read.positions.vertices)


@dataclass(frozen=True)
class WorldSampler:
    """Worlds drawn by chance, where there are too many to list.

    A world is built part by part: the next is a fragment in one of its directions, a loose copy, or
    the end, each that fits as likely as the others. Every world can be drawn in its two directions.
    The second thing returned, one over the chance of this very draw, makes sums over draws fair.
    """

    read: Fragments
    missing: int
    spanning: bool

    def draw(
        self, random: np.random.Generator, bits: PairBits | None = None
    ) -> tuple[World, float] | None:
        """Return a random world and its factor, or None where the draw led nowhere.

        Parameters
        ----------
        bits
            If given, only joins that are shown in different branches are tried.
        """
        paths, loose = list(range(len(self.read.paths))), list(self.read.loose)
        visits: list[int] = []
        joins: set[Pair] = set()
        used: set[Pair] = set()
        factor = 1.0
        while True:
            options = self._options(visits, paths, loose, used, bits)
            if not options:
                return None
            factor *= len(options)
            path, part = options[int(random.integers(len(options)))]
            if not part:
                break
            if visits:
                joins.add((min(visits[-1], part[0]), max(visits[-1], part[0])))
                used.add(self.read.base(visits[-1], part[0]))
            visits.extend(part)
            if path is None:
                loose.remove(part[0])
            else:
                paths.remove(path)
        return World(tuple(visits), frozenset(joins), tuple(sorted(used))), factor

    def _options(
        self,
        visits: list[int],
        paths: list[int],
        loose: list[int],
        used: set[Pair],
        bits: PairBits | None,
    ) -> list[tuple[int | None, tuple[int, ...]]]:
        """Return what may come next: (fragment or None, its positions); no positions: the end."""
        found: list[tuple[int | None, tuple[int, ...]]] = []
        for number in paths:
            path = self.read.paths[number]
            found += [
                (number, part)
                for part in (path, path[::-1])
                if self._joins(visits, part[0], used, bits)
            ]
        found += [(None, (one,)) for one in loose if self._joins(visits, one, used, bits)]
        if len(visits) > 1 and not paths and (not self.spanning or self._spans(visits)):
            found.append((None, ()))
        return found

    def _joins(self, visits: list[int], first: int, used: set[Pair], bits: PairBits | None) -> bool:
        if not visits:
            return True
        base = self.read.base(visits[-1], first)
        if base not in self.read.open_pairs:
            return False
        if base not in used and len(used) >= self.missing:
            return False
        return bits is None or not bits.same_branch(visits[-1], first)

    def _spans(self, visits: list[int]) -> bool:
        owner = self.read.positions.vertex_of
        return len({int(owner[p]) for p in visits}) == len(self.read.positions.vertices)
