"""Sightings: which pairs a series of releases showed on a walk. All that an outsider has.

Everything here is read off the files. A *layer* is the bits of one release. A *node* is a copy in a
layer: copies are handed out afresh each time, so the same copy in two layers is two nodes. A
*sighting* is a copy pair shown in different branches: (layer, node, node), listed pair by pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pathveil.attacks.series.annealing_kernels import Seen
from pathveil.chance.urn import Urn
from pathveil.errors import DoesNotFit
from pathveil.model.bits import BoolArray, IndexArray, PairBits, pair_count, pair_places, unflatten
from pathveil.model.positions import Positions

FloatArray = npt.NDArray[np.float64]
Int32Array = npt.NDArray[np.int32]

ChaffLaw = Urn | Fraction
"""How pairs that are not links are drawn: by an urn, or by fresh coins of this rate."""


@dataclass(frozen=True, eq=False, repr=False)
class Sightings:
    """What a series shows of each candidate pair.

    Attributes
    ----------
    positions
        The public copies of the vertices, the same in every layer.
    pairs
        Candidate pairs as ``(k, 2)`` vertex indices, first < second, rows sorted.
    releases
        How many there are.
    starts, table
        Pair i has the sightings ``table[starts[i]:starts[i + 1]]``.
    shown
        In how many releases each pair is shown on a walk.

    Examples
    --------
    >>> positions = Positions.uniform(("a", "b", "c"), 1)
    >>> once, again = PairBits.from_pairs(3, [(0, 1)]), PairBits.from_pairs(3, [(1, 2)])
    >>> seen = Sightings.of(positions, [once, again])
    >>> seen, seen.shown.tolist()
    (<Sightings: 3 pairs in 2 releases>, [1, 2, 1])
    """

    positions: Positions
    pairs: IndexArray
    releases: int
    starts: IndexArray
    table: Int32Array
    shown: IndexArray

    @classmethod
    def of(cls, positions: Positions, releases: Sequence[PairBits]) -> Sightings:
        """Return the sightings in releases, each given as its bits."""
        size = len(positions.vertices)
        pairs = unflatten(np.arange(pair_count(size), dtype=np.int64), size)
        copies = _copies_of_pairs(pairs, positions)
        rows, shown = [], np.zeros(len(pairs), dtype=np.int64)
        for layer, bits in enumerate(releases):
            seen = _shown(bits, copies)
            shown += seen.any(axis=1)
            rows.append(_rows(seen, copies, layer, len(positions)))
        table = np.concatenate(rows) if rows else np.zeros((0, 4), dtype=np.int32)
        table = table[np.argsort(table[:, 0], kind="stable")]
        starts = np.searchsorted(table[:, 0], np.arange(len(pairs) + 1)).astype(np.int64)
        ends = np.ascontiguousarray(table[:, 1:])
        return cls(positions, pairs, len(releases), starts, ends, shown)

    @cached_property
    def index(self) -> dict[tuple[int, int], int]:
        """The number of each candidate pair."""
        return {(int(i), int(j)): k for k, (i, j) in enumerate(self.pairs)}

    def numbers_of(self, pairs: IndexArray) -> IndexArray:
        """Return the numbers of pairs given as vertex indices, either end first."""
        ordered = np.sort(np.asarray(pairs, dtype=np.int64).reshape(-1, 2), axis=1)
        return np.array([self.index[int(i), int(j)] for i, j in ordered], dtype=np.int64)

    @cached_property
    def arrays(self) -> Seen:
        """The sightings as kernels look them up: by pair, by layer and by node."""
        pair_of = np.repeat(np.arange(len(self.pairs)), np.diff(self.starts)).astype(np.int32)
        layers, nodes = self.table[:, 0], self.table[:, 1:].ravel()
        return Seen(
            self.starts,
            self.table,
            *_listed(layers, pair_of, self.releases),
            *_listed(nodes, np.repeat(pair_of, 2), self.releases * len(self.positions)),
        )

    def chaff(self, law: ChaffLaw) -> FloatArray:
        """Return ln of the chance that a pair that is not a link shows this on/off pattern."""
        return pattern_chances(self.releases, law)[self.shown]

    def choices(self, links: int) -> float:
        """Return about how many ways on a walk has at a vertex: its other links."""
        return max(2 * links / len(self.positions.vertices) - 1, 1.25)

    def walks(self, chosen: IndexArray) -> tuple[tuple[int, ...] | None, ...]:
        """Return, layer by layer, the walk that these candidate pairs would be read as.

        Vertex indices in one of the two directions; None where the pairs shown are not one path.
        """
        links: list[list[tuple[int, int]]] = [[] for _ in range(self.releases)]
        size = len(self.positions)
        for pair in np.asarray(chosen, dtype=np.int64):
            for layer, x, y in self.table[self.starts[pair] : self.starts[pair + 1]].tolist():
                links[layer].append((x - layer * size, y - layer * size))
        vertex_of = self.positions.vertex_of
        found = []
        for shown in links:
            path = trace_path(shown)
            found.append(None if path is None else tuple(int(vertex_of[x]) for x in path))
        return tuple(found)

    def __repr__(self) -> str:
        return f"<Sightings: {len(self.pairs)} pairs in {self.releases} releases>"


def pattern_chances(releases: int, law: ChaffLaw) -> FloatArray:
    """Return ln of the chance of one pattern with k of T shown, for k = 0 .. T.

    >>> pattern_chances(2, Fraction(1, 2)).round(3).tolist()
    [-1.386, -1.386, -1.386]
    """
    k = np.arange(releases + 1)
    if isinstance(law, Urn):
        from scipy.special import betaln

        on, off = float(law.on), float(law.off)
        chances: FloatArray = betaln(k + on, releases - k + off) - betaln(on, off)
        return chances
    rate = float(law)
    with np.errstate(divide="ignore", invalid="ignore"):
        on_part = np.where(k > 0, k * np.log(rate), 0.0)
        off_part = np.where(k < releases, (releases - k) * np.log1p(-rate), 0.0)
    total: FloatArray = on_part + off_part
    return total


def trace_path(links: Sequence[tuple[int, int]]) -> list[int] | None:
    """Return the nodes of one simple path made of exactly these links, or None.

    Not the way of a reader (``recovery.assembly.assemble``), who holds links of one release and is
    told why they are no walk. The adversary tries thousands of sets of links, most of which are
    none, over nodes that stand for copies in several releases and have no names; and an attack
    shares no code with the reading that it is judged by.

    >>> trace_path([(4, 7), (2, 7)]), trace_path([(1, 2), (3, 4)]), trace_path([])
    ([2, 7, 4], None, None)
    """
    beside: dict[int, list[int]] = {}
    for x, y in links:
        beside.setdefault(x, []).append(y)
        beside.setdefault(y, []).append(x)
    ends = sorted(node for node, others in beside.items() if len(others) == 1)
    if len(ends) != 2 or any(len(others) > 2 for others in beside.values()):
        return None
    path, previous = [ends[0]], -1
    while path[-1] != ends[1]:
        onward = [node for node in beside[path[-1]] if node != previous]
        previous = path[-1]
        path.append(onward[0])
    return path if len(path) == len(beside) else None


def _listed(places: Int32Array, pairs: Int32Array, count: int) -> tuple[IndexArray, Int32Array]:
    """Return where the pairs of each place begin, and the pairs in the order of their places."""
    order = np.argsort(places, kind="stable")
    first = np.searchsorted(places[order], np.arange(count + 1))
    return first.astype(np.int64), pairs[order]


def _copies_of_pairs(pairs: IndexArray, positions: Positions) -> IndexArray:
    """Return the copy pairs of each vertex pair as ``(pairs, copies^2, 2)`` positions."""
    if len(set(positions.counts)) > 1:
        raise DoesNotFit("vertices with different numbers of copies: the paper's own copies")
    return positions.lifted(pairs).reshape(len(pairs), positions.counts[0] ** 2, 2)


def _shown(bits: PairBits, copies: IndexArray) -> BoolArray:
    flat = pair_places(copies[..., 0].ravel(), copies[..., 1].ravel(), bits.size)
    shown: BoolArray = ~bits.at(flat).reshape(copies.shape[:2])
    return shown


def _rows(seen: BoolArray, copies: IndexArray, layer: int, size: int) -> Int32Array:
    """Return (pair, layer, node, node) for each sighting of a layer."""
    pair, which = np.nonzero(seen)
    ends = copies[pair, which] + layer * size
    return np.column_stack([pair, np.full(len(pair), layer), ends]).astype(np.int32)
