"""The worlds an adversary cannot tell apart by known edges: ways to join the fragments.

A *world* is a walk that agrees with every known edge: all fragments, in some order and orientation,
perhaps with loose copies between or around them, joined by pairs that are no known edge. A world
needs its joins' edges among the missing ones; further missing edges are off the walk and may be
any other open pair, which is counted and not enumerated.

With one copy of each vertex and f fragments (loose vertices included, if the walk must visit all)
there are at most f! 2^(f-1) worlds: two fragments give the four joins of THEORY 5.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import comb, factorial

import numpy as np

from pathveil.adversary.fragments import Fragments, Pair


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
        The steps that are no known edge, as positions, lower first.
    edges
        The pairs of vertices of the joins, sorted: missing edges that the walk uses.
    """

    visits: tuple[int, ...]
    joins: frozenset[Pair]
    edges: tuple[Pair, ...]


def enumerate_worlds(
    read: Fragments, missing: int, *, spanning: bool, limit: int = 200_000
) -> list[World]:
    """Return every world that needs at most ``missing`` edges.

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
        # With one copy each, every part still to come costs a missing edge of its own.
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
    """Worlds drawn uniformly, for one copy of each vertex, where there are too many to list.

    A draw takes a number of loose vertices with its exact share of all sequences, then a random
    sequence. A sequence with a join that is a known edge is no world; it is drawn and thrown away,
    so that the rest stays uniform.
    """

    read: Fragments
    missing: int
    spanning: bool

    def shares(self) -> dict[int, int]:
        """Return the number of sequences, up to reversal, for each number of loose vertices."""
        fragments, loose = len(self.read.paths), len(self.read.loose)
        fewest = loose if self.spanning else 0
        found = {}
        for used in range(fewest, min(loose, self.missing + 1 - fragments) + 1):
            parts = fragments + used
            if parts >= 2:
                found[used] = comb(loose, used) * factorial(parts) * 2**fragments // 2
            elif fragments == 1:
                found[used] = 1
        return found

    def draw(self, random: np.random.Generator, loose: int) -> World | None:
        """Return a random world with this many loose vertices, or None for a known edge."""
        chosen = random.permutation(len(self.read.loose))[:loose].tolist()
        parts = [*self.read.paths, *((self.read.loose[i],) for i in chosen)]
        order = [parts[int(i)] for i in random.permutation(len(parts))]
        turned = [part[::-1] if random.random() < 0.5 else part for part in order]
        joins: set[Pair] = set()
        for before, after in pairwise(turned):
            last, first = before[-1], after[0]
            if self.read.base(last, first) not in self.read.open_pairs:
                return None
            joins.add((min(last, first), max(last, first)))
        edges = tuple(sorted(self.read.base(*join) for join in joins))
        return World(tuple(p for part in turned for p in part), frozenset(joins), edges)
