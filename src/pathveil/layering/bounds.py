"""How few bad vertices there can be: lower bounds for any graph, the exact minimum for some.

Theory of operation
-------------------
Each odd closed walk through bundles of neighbours names vertices of which at least one must be cut
(``kernels.odd_cycles``). Hence, from cheap to dear:

* *packing*: as many cut vertices as there are walks without a vertex in common;
* *linear programme*: the least fractional set that meets every walk, walks being added as long as
  some are missed (at most a third of the vertices, since a walk may have three);
* *integer programme*: the same in integers. When the vertices it does not choose can be kept
  whole, it is the minimum; its dual bound is a bound even if it is not finished. It is worth its
  time where walks are short, as in networks with many triangles; where they are long, as in sparse
  random graphs, it does not get beyond the linear programme.

Two more for dense graphs. Vertices with one piece induce a comparability graph, which is perfect,
so there are at most independence number × clique number of them. And disjoint sets of vertices need
at least the sum of what each needs alone, which is found exactly for sets of up to 16 vertices.

All of these hold for every way to cut, not only for those that a linear order makes: walks and
cliques forbid what they forbid to all, and the minima of small sets and parts are the true ones
(``minimum``).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.cliques import clique_number_at_most
from pathveil.layering.kernels.forcing import neighbour_bundles, opposite_entries
from pathveil.layering.kernels.odd_cycles import odd_walks
from pathveil.layering.kernels.running import run
from pathveil.layering.splitting import EXACT_UP_TO, proved_split, split_order, take_apart

FloatArray = npt.NDArray[np.float64]

_SCALE = 1 << 20  # the weight of a whole vertex when fractional choices are made integers
_SLACK = 1_000  # a walk is missed if it lacks more than this part of a vertex: solvers round
_PROGRAMME_UP_TO = 60_000  # list entries: larger graphs get the cheap bounds only
_CLIQUES_UP_TO = 220  # vertices
_BRANCHES = 60_000  # of one search for a largest clique
_NODES = 50  # of the solver's search tree, for one integer programme
_TRIES, _HOPE = 100_000, 8  # for a small part solved exactly
_STEPS = 100_000_000  # for one search for missed walks
_MENDING = 10_000_000  # steps for the order of one choice


def lower_bound(graph: Adjacency, *, rounds: int = 25, integer: int = 0) -> int:
    """Return a number of pieces that no layered graph of these pairs can go below.

    Parameters
    ----------
    graph
        Any graph.
    rounds
        How often the linear programme may be solved with more walks; 0 leaves it out.
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
            solved = proved_split(part, tries=_TRIES, hope=_HOPE)
            total += _part_bound(part, rounds, integer) if solved is None else int(solved.bad.sum())
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

    def integer(self, **limits: Any) -> tuple[float, FloatArray | None]:
        """Return the dual bound of the integer programme, and its solution if it was finished.

        Limits are those of the solver: ``time_limit`` in seconds, or ``node_limit``, with which the
        answer does not depend on how fast the machine is.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp

        options: Any = limits
        result = milp(
            np.ones(self.bundles.size), integrality=np.ones(self.bundles.size, dtype=np.int64),
            bounds=Bounds(0, 1), constraints=LinearConstraint(self.matrix(), lb=1),
            options=options,
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
    """Return the best of the bounds that are affordable for one part."""
    bounds = [_bound_by_sets(part)]
    if part.size <= _CLIQUES_UP_TO:
        bounds.append(_bound_by_cliques(part))
    if len(part.indices) <= _PROGRAMME_UP_TO:
        bundles = _Bundles.of(part)
        bounds.append(len(_packing(bundles)))
        if rounds:
            programme = _Hitting(bundles)
            bounds.append(_relaxed_bound(programme, rounds)[0])
            if programme.has_short_walks():
                bounds.append(_integer_bound(programme, integer))
    return max(bounds)


def _integer_bound(programme: _Hitting, rounds: int) -> int:
    """Return the bound of the integer programme, walks added as long as solutions miss some."""
    best = 0
    for _ in range(rounds):
        value, choice = programme.integer(node_limit=_NODES)
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


def _bound_by_sets(part: Adjacency) -> int:
    """Return the sum of the exact minima of disjoint sets of vertices near each other."""
    near = _breadth_first(part)
    total = 0
    for start in range(0, part.size, EXACT_UP_TO):
        few = part.induced(np.sort(near[start : start + EXACT_UP_TO]))
        total += int(split_order(few).bad.sum())
    return total


def _breadth_first(part: Adjacency) -> Int32Array:
    reached = np.zeros(part.size, dtype=np.bool_)
    order: list[int] = []
    for root in range(part.size):
        if reached[root]:
            continue
        reached[root] = True
        at = len(order)
        order.append(root)
        while at < len(order):
            fresh = part.neighbours(order[at])
            fresh = fresh[~reached[fresh]]
            reached[fresh] = True
            order.extend(fresh.tolist())
            at += 1
    return np.array(order, dtype=np.int32)


def _bound_by_cliques(part: Adjacency) -> int:
    rows = [sum(1 << int(w) for w in part.neighbours(v)) for v in range(part.size)]
    full = (1 << part.size) - 1
    others = [full & ~row & ~(1 << v) for v, row in enumerate(rows)]
    kept = 1
    for masks in (rows, others):
        kept *= clique_number_at_most(masks, branches=_BRANCHES)
    return max(0, part.size - kept)
