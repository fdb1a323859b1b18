"""How few bad vertices there can be: lower bounds for any graph, the exact minimum for some.

Theory of operation
-------------------
Each odd closed walk through bundles of neighbours names vertices of which at least one must be cut
(:func:`odd_walks`). Hence, from cheap to dear:

* *linear programme*: the least fractional set that meets every walk, walks being added as long as
  some are missed (at most a third of the vertices, since a walk may have three);
* *integer programme*: the same in integers. When the vertices it does not choose can be kept
  whole, it is the minimum; its dual bound is a bound even if it is not finished. It is worth its
  time where walks are short, as in networks with many triangles; where they are long, as in sparse
  random graphs, it does not get beyond the linear programme.

Both hold for every way to cut, not only for those that a linear order makes: walks forbid what they
forbid to all, and the minima of small parts are the true ones (``exact.searched_split``).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.exact import searched_split, take_apart
from pathveil.layering.kernels.bundle_annealing import neighbour_bundles
from pathveil.layering.kernels.forcing import opposite_entries
from pathveil.layering.kernels.running import kernel, run

FloatArray = npt.NDArray[np.float64]

_SCALE = 1 << 20  # the weight of a whole vertex when fractional choices are made integers
_SLACK = 1_000  # a walk is missed if it lacks more than this part of a vertex: solvers round
_NODES = 50  # of the solver's search tree, for one integer programme
_TRIES, _HOPE = 100_000, 8  # for a small part solved exactly
_STEPS = 100_000_000  # for one search for missed walks


def lower_bound(graph: Adjacency, *, rounds: int = 25, integer: int = 0) -> int:
    """Return a number of pieces that no layered graph of these pairs can go below.

    Parameters
    ----------
    graph
        Any graph.
    rounds
        How often the linear programme may be solved with more walks.
    integer
        How often the integer programme may be solved after it, where walks are short: a better
        bound for some seconds more.

    Examples
    --------
    >>> lower_bound(Adjacency.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]))
    6
    """
    total = graph.size
    for _, part, order in take_apart(graph):
        if order is None:
            solved = searched_split(part, tries=_TRIES, hope=_HOPE)
            if solved is not None and solved.proved:
                total += int(solved.bad.sum())
            else:
                total += _part_bound(part, rounds, integer)
    return total


@dataclass(frozen=True, eq=False)
class _Bundles:
    """The bundles of neighbours of all vertices and which are joined by an edge."""

    starts: Int64Array
    joined: Int32Array
    owner: Int32Array
    size: int

    @classmethod
    def of(cls, graph: Adjacency) -> _Bundles:
        entries = len(graph.indices)
        opposite = run(opposite_entries, entries, graph.indptr, graph.indices)
        bundle, first = run(neighbour_bundles, 20 * entries, graph.indptr, graph.indices, 1 << 62)
        by_bundle = np.argsort(bundle, kind="stable")
        starts = np.zeros(int(first[-1]) + 1, dtype=np.int64)
        np.cumsum(np.bincount(bundle, minlength=int(first[-1])), out=starts[1:])
        owner = np.repeat(np.arange(graph.size, dtype=np.int32), np.diff(first))
        return cls(starts, bundle[opposite[by_bundle]], owner, graph.size)

    def walks(
        self, weight: Int64Array, limit: int, *, disjoint: bool = False, turn: int = 0
    ) -> list[Int32Array]:
        """Return the vertices of odd closed walks lighter than the limit, one for each bundle.

        Where that is too much work only some bundles are looked at, others with each ``turn``.
        """
        room = 64 * len(self.owner) + 1024
        begins, members = run(
            odd_walks, len(self.owner) * len(self.joined),
            self.starts, self.joined, self.owner, weight, limit, int(disjoint), room,
            turn * 7919 % max(len(self.owner), 1), _STEPS,
        )  # fmt: skip
        return [members[a:b] for a, b in pairwise(begins)]


class _Hitting:
    """The programme "choose the fewest vertices that meet every walk", grown walk by walk."""

    def __init__(self, bundles: _Bundles) -> None:
        self.bundles = bundles
        self.known: set[tuple[int, ...]] = set()
        self.turn = 0

    def add(self, walks: list[Int32Array], weight: FloatArray) -> int:
        """Add walks, the most missed first, with few of them through the same vertex."""
        fresh = {tuple(sorted(walk.tolist())) for walk in walks} - self.known
        often = np.zeros(self.bundles.size, dtype=np.int64)
        added = 0
        for walk in sorted(fresh, key=lambda w: (float(weight[list(w)].sum()), len(w), w)):
            if often[list(walk)].max() < 6:
                often[list(walk)] += 1
                self.known.add(walk)
                added += 1
        return added

    def add_missed(self, choice: FloatArray) -> int:
        """Add walks of which less than one vertex is chosen; return how many."""
        weight = np.floor(choice * _SCALE).astype(np.int64) + 16
        self.turn += 1
        missed = self.bundles.walks(weight, _SCALE - _SCALE // _SLACK, turn=self.turn)
        return self.add(missed, choice)

    def matrix(self) -> Any:
        from scipy.sparse import csr_array

        walks = sorted(self.known)
        columns = np.array([v for walk in walks for v in walk], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum([len(walk) for walk in walks])])
        shape = (len(walks), self.bundles.size)
        return csr_array((np.ones(len(columns)), columns, starts), shape=shape)

    def relaxed(self) -> tuple[float, FloatArray]:
        """Return the value and a solution of the linear programme."""
        from scipy.optimize import linprog

        result = linprog(
            np.ones(self.bundles.size), A_ub=-self.matrix(), b_ub=-np.ones(len(self.known)),
            method="highs",
        )  # fmt: skip
        return float(result.fun or 0.0), np.asarray(result.x)

    def has_short_walks(self) -> bool:
        """Return whether at least half of the walks have five vertices or fewer."""
        return 2 * sum(len(walk) <= 5 for walk in self.known) >= len(self.known)

    def integer(self) -> tuple[float, FloatArray | None]:
        """Return the dual bound of the integer programme, and its solution if it was finished."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        result = milp(
            np.ones(self.bundles.size), integrality=np.ones(self.bundles.size, dtype=np.int64),
            bounds=Bounds(0, 1), constraints=LinearConstraint(self.matrix(), lb=1),
            options={"node_limit": _NODES},
        )  # fmt: skip
        choice = None if result.x is None or result.status != 0 else np.round(result.x)
        return float(result.mip_dual_bound or 0.0), choice


def _packing(bundles: _Bundles) -> list[Int32Array]:
    """Return odd walks without a common vertex, short ones first."""
    weight = np.ones(bundles.size, dtype=np.int64)
    packed: list[Int32Array] = []
    for longest in (3, 5, 7, 9, 13, 21):
        limit = longest + 1
        weight[weight > 1] = limit
        packed += bundles.walks(weight, limit, disjoint=True)
    return packed


def _part_bound(part: Adjacency, rounds: int, integer: int) -> int:
    """Return the better of the two bounds for one part."""
    programme = _Hitting(_Bundles.of(part))
    bound, _ = _relaxed_bound(programme, rounds)
    return max(bound, _integer_bound(programme, integer)) if programme.has_short_walks() else bound


def _integer_bound(programme: _Hitting, rounds: int) -> int:
    """Return the bound of the integer programme, walks added as long as solutions miss some."""
    best = 0
    for _ in range(rounds):
        value, choice = programme.integer()
        best = max(best, int(np.ceil(value - 1e-6)))
        if choice is None or programme.add_missed(choice) == 0:
            break
    return best


def _relaxed_bound(programme: _Hitting, rounds: int) -> tuple[int, FloatArray]:
    """Return the bound of the linear programme, walks added until none is missed."""
    value, choice = 0.0, np.zeros(programme.bundles.size)
    unit = np.ones(programme.bundles.size, dtype=np.int64)
    programme.add(_packing(programme.bundles), choice)
    programme.add(programme.bundles.walks(unit, 8), choice)
    for _ in range(rounds):
        value, choice = programme.relaxed()
        if programme.add_missed(choice) == 0:
            break
    return int(np.ceil(value - 1e-6)), choice


@kernel
def odd_walks(
    starts: Int64Array,
    joined: Int32Array,
    owner: Int32Array,
    weight: Int64Array,
    limit: int,
    disjoint: int,
    room: int,
    first: int,
    work: int,
) -> tuple[Int64Array, Int32Array]:
    """Return for each bundle the vertices of its lightest odd closed walk lighter than ``limit``.

    Parameters
    ----------
    starts, joined
        The bundles that each bundle is joined to, as neighbour lists.
    owner
        The vertex of each bundle.
    weight
        Of each vertex, positive, paid whenever one of its bundles is entered. Changed if
        ``disjoint``: the vertices of a walk found are then forbidden to all later walks.
    room
        How many vertices may be returned in all.
    first
        The bundle to begin with; the others follow in a circle.
    work
        Steps after which no further bundle is looked at.

    Returns
    -------
    tuple
        Where each walk starts, with one entry more for the end, and the vertices of all walks.
    """
    bundles = len(owner)
    distance = np.full(2 * bundles, limit, np.int64)
    parent = np.empty(2 * bundles, np.int32)
    queued = np.zeros(2 * bundles, np.int8)
    queue = np.empty(2 * bundles, np.int32)
    touched = np.empty(2 * bundles, np.int32)
    seen = np.full(len(weight), bundles, np.int32)
    begins = np.zeros(bundles + 1, np.int64)
    members = np.empty(room, np.int32)
    found = 0
    used = 0
    steps = 0
    for turn in range(bundles):
        root = (first + turn) % bundles
        if weight[owner[root]] >= limit:
            continue
        if steps > work:
            break
        # Node 2b is bundle b reached by an even number of steps, 2b + 1 by an odd one: the walk is
        # closed and odd when it comes from the one copy of the root to the other.
        goal = 2 * root + 1
        distance[2 * root] = 0
        touched[0] = 2 * root
        queue[0] = 2 * root
        many = 1
        at, waiting = 0, 1
        while waiting > 0:
            node = queue[at]
            at = (at + 1) % (2 * bundles)
            waiting -= 1
            queued[node] = 0
            b = node >> 1
            steps += starts[b + 1] - starts[b]
            for k in range(starts[b], starts[b + 1]):
                other = 2 * joined[k] + 1 - (node & 1)
                longer = distance[node] + weight[owner[joined[k]]]
                if longer >= min(distance[other], distance[goal]):
                    continue  # weights are positive: no way on from here beats the goal's
                if distance[other] == limit:
                    touched[many] = other
                    many += 1
                distance[other] = longer
                parent[other] = node
                # The goal is never searched on: what lies beyond it closes no shorter walk. A node
                # waits at most once, so the ring of the queue never overflows.
                if queued[other] == 0 and other != goal:
                    queued[other] = 1
                    queue[(at + waiting) % (2 * bundles)] = other
                    waiting += 1
        if distance[goal] < limit:
            node = goal
            begin = used
            while True:
                v = owner[node >> 1]
                if seen[v] != root:
                    if used == room:
                        break
                    seen[v] = root
                    members[used] = v
                    used += 1
                    if disjoint == 1:
                        weight[v] = limit
                node = parent[node]
                if node == 2 * root:
                    break
            if used == room:
                used = begin  # half a walk proves nothing: it is not returned
                break
            found += 1
            begins[found] = used
        # Only what was touched is wiped: most searches stay near their root.
        for t in range(many):
            distance[touched[t]] = limit
    return begins[: found + 1].copy(), members[:used].copy()
