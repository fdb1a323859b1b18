"""Many runs at once: random maps with walks, copies and coins for a whole stint.

One run at a time, drawing a map costs more than layering it. So the maps of a stint are drawn as
arrays: paths and further edges by sorting random words, copies and coins by the same exact
mechanisms that :func:`pathveil.publish` uses, called once for the stint. The laws are those of
``maps.random_map``, ``draw_copies`` and ``draw_bits``; the streams are not.

Random words are compared as 64-bit numbers: two are equal, which would favour the earlier pair,
with probability below 2^-50 in a whole study.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pathveil.chance.copies import copy_mechanism
from pathveil.chance.exponential import ExponentialMechanism, bernoulli
from pathveil.chance.source import Seeded, Source
from pathveil.lab.maps import cyclic_order, links_around, vertex_names
from pathveil.lab.reproduction.sweep import Cell
from pathveil.model.bits import BoolArray, IndexArray, PairBits, Relation, pair_count
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.walk import Walk


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """The chance of a stint of runs, one row for each run.

    Attributes
    ----------
    linked
        ``(runs, n, n)``: which vertices are joined.
    visits
        ``(runs, visits)``: the walk as vertex numbers.
    counts
        ``(runs, n)``: copies of each vertex.
    coins
        ``(runs, pairs)``: for each flat place whether an absent pair shall share a branch. A run
        with fewer copies than the largest possible uses the first places only.
    """

    linked: BoolArray
    visits: IndexArray
    counts: IndexArray
    coins: BoolArray

    def __len__(self) -> int:
        return len(self.visits)

    def network(self, run: int) -> Network:
        """Return the map of one run."""
        names = vertex_names(self.linked.shape[1])
        pairs = np.argwhere(np.triu(self.linked[run]))
        return Network(names, pairs.astype(np.int64))

    def walk(self, run: int) -> Walk:
        """Return the walk of one run."""
        names = vertex_names(self.linked.shape[1])
        return Walk(names[v] for v in self.visits[run].tolist())

    def positions(self, run: int) -> Positions:
        """Return the copies of one run."""
        names = vertex_names(self.linked.shape[1])
        return Positions(names, tuple(self.counts[run].tolist()))

    def lifted_visits(self, run: int) -> tuple[int, ...]:
        """Return the walk of one run over copies: the i-th visit takes copy i-1."""
        starts, used = self.positions(run).starts, [0] * self.linked.shape[1]
        path = []
        for v in self.visits[run].tolist():
            path.append(int(starts[v]) + used[v])
            used[v] += 1
        return tuple(path)

    def bits(self, run: int) -> PairBits:
        """Return the published bits of one run."""
        positions = self.positions(run)
        relation = Relation.of(positions, self.network(run), self.lifted_visits(run))
        flat = self.coins[run, : pair_count(len(positions))].copy()
        flat[relation.on_walk] = False
        flat[relation.off_walk] = True
        return PairBits.from_flat(len(positions), flat)


def draw_runs(cell: Cell, stream: str, runs: int) -> Draws:
    """Return the chance of a stint of runs of a cell, all of it from the named stream.

    *Cost*: about 10 microseconds a run on maps of ten vertices; cyclic walks 150.

    Examples
    --------
    >>> drawn = draw_runs(Cell("exact", 6, 10, vertex_budget="1", edge_budget="0.5"), "example", 3)
    >>> drawn.network(0), drawn.walk(2), len(drawn)
    (<Network: 6 vertices, 10 links>, <Walk: 6 visits>, 3)
    """
    source = Seeded(f"experiment {stream}")
    if cell.walk == "acyclic":
        linked, visits = _acyclic(cell.vertices, cell.edges, runs, source)
    else:
        linked, visits = _cyclic(cell, runs, source)
    policy = cell.policy
    counts = _copies(visits, cell.vertices, policy.kind.copy_budget, source)
    most = int(counts.sum(axis=1).max())
    if cell.edge_budget is None:
        coins = np.zeros((runs, pair_count(most)), dtype=bool)
    else:
        on_walk = bernoulli(source, policy.chaff, runs * pair_count(most))
        coins = ~on_walk.reshape(runs, -1)
    return Draws(linked, visits, counts, coins)


def _words(source: Source, rows: int, columns: int) -> npt.NDArray[np.uint64]:
    drawn = np.frombuffer(source.take(8 * rows * columns), dtype="<u8")
    return drawn.astype(np.uint64).reshape(rows, columns)


def _acyclic(n: int, edges: int, runs: int, source: Source) -> tuple[BoolArray, IndexArray]:
    """Return maps with a path through all vertices and uniform further edges."""
    visits = np.argsort(_words(source, runs, n), axis=1, kind="stable")
    linked = np.zeros((runs, n, n), dtype=bool)
    row = np.arange(runs)[:, None]
    linked[row, visits[:, :-1], visits[:, 1:]] = True
    linked |= linked.transpose(0, 2, 1)
    first, second = np.triu_indices(n, k=1)
    keys = _words(source, runs, len(first)).copy()
    keys[linked[:, first, second]] = np.iinfo(np.uint64).max
    added = np.argsort(keys, axis=1, kind="stable")[:, : edges - n + 1]
    linked[row, first[added], second[added]] = True
    linked |= linked.transpose(0, 2, 1)
    return linked, visits


def _cyclic(cell: Cell, runs: int, source: Source) -> tuple[BoolArray, IndexArray]:
    """Return maps with a walk that revisits, one by one."""
    n = cell.vertices
    linked = np.zeros((runs, n, n), dtype=bool)
    visits = np.empty((runs, cell.visits), dtype=np.int64)
    for run in range(runs):
        rng = np.random.default_rng(int.from_bytes(source.take(16)))
        if cell.visits > n:
            order = cyclic_order(n, cell.edges, rng, visits=cell.visits)
            visits[run] = order
            pairs = np.array(links_around(order, n, cell.edges, rng)[1])
        else:
            visits[run], pairs = _one_ring(n, cell.edges, cell.visits, rng)
        linked[run, pairs[:, 0], pairs[:, 1]] = True
    linked |= linked.transpose(0, 2, 1)
    return linked, visits


def _one_ring(
    n: int, edges: int, visits: int, rng: np.random.Generator
) -> tuple[IndexArray, IndexArray]:
    """Return a walk that visits one vertex twice and no other, and the pairs of a map round it.

    Uniform among all such walks: first the two places of that vertex, not next to each other, then
    distinct vertices for all places. Vertices the walk skips must be joined to something: further
    edges are drawn again until the map is connected.
    """
    places = [(i, j) for i in range(visits) for j in range(i + 2, visits)]
    first, second = places[int(rng.integers(len(places)))]
    walk = rng.permutation(n)[: visits - 1].tolist()
    walk.insert(second, walk[first])
    on_walk = {(min(step), max(step)) for step in pairwise(walk)}
    others = [(i, j) for i in range(n) for j in range(i + 1, n) if (i, j) not in on_walk]
    while True:
        picked = rng.permutation(len(others))[: edges - len(on_walk)].tolist()
        pairs = sorted([*on_walk, *(others[k] for k in picked)])
        reached = set(walk)
        for _ in range(n - len(reached)):
            reached |= {v for pair in pairs for v in pair if not reached.isdisjoint(pair)}
        if len(reached) == n:
            return np.array(walk, dtype=np.int64), np.array(pairs, dtype=np.int64)


@lru_cache(maxsize=64)
def _mechanism(fewest: int, most: int, budget: Fraction) -> ExponentialMechanism:
    # The degree cancels (see copy_mechanism), so one law serves all vertices.
    return copy_mechanism(fewest, most, 0, largest_degree=0, budget=budget)


def _copies(visits: IndexArray, n: int, budget: Fraction | None, source: Source) -> IndexArray:
    """Return the number of copies of each vertex, by Alg. 1 as ``draw_copies`` has it."""
    runs = len(visits)
    counts = np.zeros((runs, n), dtype=np.int64)
    np.add.at(counts, (np.arange(runs)[:, None], visits), 1)
    fewest = np.maximum(counts, 1)
    if budget is None:
        return fewest
    most = np.broadcast_to(np.maximum(counts.max(axis=1), 2)[:, None], fewest.shape)
    drawn = fewest.copy()
    for low, high in sorted(set(zip(fewest.ravel().tolist(), most.ravel().tolist(), strict=True))):
        if low < high:
            here = (fewest == low) & (most == high)
            more = _mechanism(low, high, budget).sample_many(source, int(here.sum()))
            drawn[here] += more
    return drawn
