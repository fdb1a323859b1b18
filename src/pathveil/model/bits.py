"""What a publication answers: is this pair shown in one branch? And its packed form.

Every form of bits answers that one question. The asker says which copies he means by a
:class:`~pathveil.model.positions.Positions` of his own making, over as many vertices as he knows: a
participant over its own row, a reader with the whole network over all. What answers need not have a
list of names. :class:`PackedBits` is the form with one bit for each pair of published vertices;
only what draws or enumerates may ask it for more than the question.

Positions (copies of vertices) are numbered 0 .. size-1. The pair (i, j), i < j, has the flat place
``i (2 size - i - 1) / 2 + j - i - 1``: row by row through the upper triangle. A set bit says *same
branch*: the pair is comparable in the layered graph. A clear bit says *different branches*: to who
knows the pair to be a link of the network, it is on the walk.

Patterns: which copy pairs of two vertices a link on the walk may show.

Drawing coins for whole vertex pairs and reading such a pair must both count the patterns in the
same order: they are public, a function of the number of copies and of the uses of a link alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import Literal

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadBudget, DoesNotFit
from pathveil.model.graph_index import with_lengths
from pathveil.model.network import Network
from pathveil.model.positions import Positions

IndexArray = npt.NDArray[np.int64]

Form = Literal["packed", "sketch"]
FORMS: tuple[Form, ...] = ("packed", "sketch")
"""One bit for each pair of copies, or about one for each link."""


BoolArray = npt.NDArray[np.bool_]
ByteArray = npt.NDArray[np.uint8]


PACKED_LIMIT = 32_768
"""Copies a packed publication may have: 67 MB of bits. More is what sketches are for."""


def pair_count(size: int) -> int:
    """Return the number of unordered pairs of ``size`` things."""
    return size * (size - 1) // 2


def pair_places(first: IndexArray, second: IndexArray, size: int) -> IndexArray:
    """Return the flat places of pairs given as two index arrays, in either order.

    >>> pair_places(np.array([0, 2]), np.array([1, 1]), 3).tolist()
    [0, 2]
    """
    low, high = np.minimum(first, second), np.maximum(first, second)
    places: IndexArray = low * (2 * size - low - 1) // 2 + high - low - 1
    return places


def link_places(positions: Positions, link: tuple[str, str]) -> IndexArray:
    """Return the flat places of the copy pairs of two vertices, copy by copy."""
    ends = np.array(list(product(*map(positions.copies_of, link))), dtype=np.int64)
    return pair_places(ends[:, 0], ends[:, 1], len(positions))


@dataclass(frozen=True, eq=False, repr=False)
class PairBits:
    """A graph on ``size`` positions as one packed bit for each pair.

    Cost: size (size - 1) / 16 bytes; 6.25 MB at 10,000 positions.

    Examples
    --------
    >>> bits = PairBits.from_pairs(4, [(0, 1), (2, 3)])
    >>> bits.same_branch(1, 0), bits.same_branch(1, 2)
    (True, False)
    """

    size: int
    packed: ByteArray

    def __post_init__(self) -> None:
        expected = (pair_count(self.size) + 7) // 8
        if self.packed.dtype != np.uint8 or self.packed.shape != (expected,):
            raise ValueError(
                f"{self.size} positions need {expected} packed bytes, found "
                f"{self.packed.shape} of {self.packed.dtype}"
            )
        spare = expected * 8 - pair_count(self.size)
        if spare and self.packed[-1] & ((1 << spare) - 1):
            raise ValueError("the spare bits of the last byte must be clear")
        self.packed.setflags(write=False)

    @classmethod
    def from_flat(cls, size: int, flat: BoolArray) -> PairBits:
        """Return the bits given as one boolean for each flat place."""
        return cls(size, np.packbits(flat))

    @classmethod
    def from_pairs(cls, size: int, same_branch: Iterable[tuple[int, int]]) -> PairBits:
        """Return the bits in which exactly these pairs are in the same branch."""
        flat = np.zeros(pair_count(size), dtype=bool)
        rows = np.array(list(same_branch), dtype=np.int64).reshape(-1, 2)
        flat[pair_places(rows[:, 0], rows[:, 1], size)] = True
        return cls.from_flat(size, flat)

    @classmethod
    def from_matrix(cls, matrix: BoolArray) -> PairBits:
        """Return the bits of a symmetric boolean matrix."""
        size = len(matrix)
        return cls.from_flat(size, np.asarray(matrix)[np.triu_indices(size, 1)])

    def flat(self) -> BoolArray:
        """Return one boolean for each flat place."""
        return np.unpackbits(self.packed, count=pair_count(self.size)).view(np.bool_)

    def matrix(self) -> BoolArray:
        """Return the symmetric boolean matrix, diagonal clear."""
        matrix = np.zeros((self.size, self.size), dtype=bool)
        flat, start = self.flat(), 0
        for i in range(self.size - 1):
            row = flat[start : start + self.size - 1 - i]
            matrix[i, i + 1 :] = row
            start += len(row)
        matrix |= matrix.T
        return matrix

    def same_branch(self, i: int, j: int) -> bool:
        """Return the bit of one pair."""
        low, high = min(i, j), max(i, j)
        place = low * (2 * self.size - low - 1) // 2 + high - low - 1
        return bool(self.packed[place >> 3] >> (7 - (place & 7)) & 1)

    def at(self, places: IndexArray) -> BoolArray:
        """Return the bits at flat places."""
        shifted = self.packed[places >> 3] >> (7 - (places & 7)).astype(np.uint8)
        found: BoolArray = (shifted & 1).astype(np.bool_)
        return found

    def pairs(self) -> IndexArray:
        """Return the pairs in the same branch as ``(count, 2)`` indices, rows sorted."""
        return unflatten(np.flatnonzero(self.flat()), self.size)

    def count(self) -> int:
        """Return how many pairs are in the same branch."""
        return int(np.bitwise_count(self.packed).sum())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairBits):
            return NotImplemented
        return self.size == other.size and np.array_equal(self.packed, other.packed)

    def __hash__(self) -> int:
        return hash((self.size, self.packed.tobytes()))

    def __repr__(self) -> str:
        return f"<PairBits: {self.size} positions, {self.count()} pairs in the same branch>"


@dataclass(frozen=True)
class PackedBits:
    """One bit for each pair of copies of the published vertices.

    Examples
    --------
    >>> from pathveil.model.positions import Positions
    >>> bits = PackedBits(Positions.uniform(("a", "b", "c"), 1), PairBits.from_pairs(3, [(0, 2)]))
    >>> row = bits.positions_of(["c", "a"])
    >>> row.vertices, bits.same_branch(row, np.array([[0, 1]])).tolist()
    (('a', 'c'), [True])
    """

    positions: Positions
    pairs: PairBits

    def __post_init__(self) -> None:
        if len(self.positions) != self.pairs.size:
            raise ValueError(f"{len(self.positions)} copies but bits for {self.pairs.size}")

    def listed(self) -> PackedBits:
        """Return itself: it lists every pair."""
        return self

    def require_over(self, network: Network) -> None:
        """Raise :class:`DoesNotFit` unless the network has the published vertices and no others."""
        if self.positions.vertices == network.vertices:
            return
        published, known = set(self.positions.vertices), set(network.vertices)
        only = min(published ^ known)
        where = "publication" if only in published else "network"
        names = (
            "; no name is in both: read_network takes a file's labels, or its ids with names='id', "
            "and from_networkx takes the nodes"
        )
        raise DoesNotFit(
            f"the publication has {len(published)} vertices and the network {len(known)}; {only!r} "
            f"is in the {where} only; use the network the walk was published over"
            + ("" if published & known else names)
        )

    def positions_of(self, names: Iterable[str]) -> Positions:
        """Return the published copies of some vertices; all of them are published."""
        return self.positions.only(names)

    def same_branch(self, asked: Positions, pairs: IndexArray) -> BoolArray:
        """Return for each pair of asked positions whether it is shown in one branch.

        *Cost*: one look-up for each pair, and one for each asked vertex; nothing else is decoded.
        """
        own = pairs if asked is self.positions else self.positions.places_of(asked)[pairs]
        return self.pairs.at(pair_places(own[:, 0], own[:, 1], self.pairs.size))

    def content(self) -> bytes:
        """Return all that it says as bytes, the same for equal bits and for no others."""
        names, counts = self.positions.vertices, self.positions.counts
        listed = (with_lengths([name]) + n.to_bytes(4, "big") for name, n in zip(names, counts))  # noqa: B905
        return len(names).to_bytes(8, "big") + b"".join(listed) + self.pairs.packed.tobytes()


def unflatten(places: IndexArray, size: int) -> IndexArray:
    """Return the pairs ``(i, j)`` at sorted flat places, inverse of :func:`pair_places`."""
    rows = np.arange(size, dtype=np.int64)
    starts = rows * (2 * size - rows - 1) // 2
    first = np.searchsorted(starts[: max(size - 1, 1)], places, side="right") - 1
    second = places - starts[first] + first + 1
    return np.stack([first, second], axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class Relation:
    """Before the coins: which pairs are on the walk, which are other links; the rest is absent.

    *Paper*: the matrix R of Eq. 3 with r = 1 (``on_walk``), r = 2 (``off_walk``), r = 0 (neither).
    Both are sorted flat places. It holds the secret, hence the silent repr.
    """

    size: int
    on_walk: IndexArray
    off_walk: IndexArray

    @classmethod
    def of(cls, positions: Positions, network: Network, visits: Sequence[int]) -> Relation:
        """Return on-walk, off-walk and absent pairs for a walk given as positions."""
        size = len(positions)
        links = positions.lifted(network.pairs)
        places = np.sort(pair_places(links[:, 0], links[:, 1], size))
        steps = np.asarray(visits, dtype=np.int64)
        on_walk = np.unique(pair_places(steps[:-1], steps[1:], size))
        # Every step is a link, so its place is in the list; what is left over is off the walk.
        others = np.ones(len(places), dtype=bool)
        others[np.searchsorted(places, on_walk)] = False
        return cls(size, on_walk, places[others])

    def __repr__(self) -> str:
        return f"<Relation: {self.size} positions>"


LARGEST_TABLE = 100_000
"""Patterns that are listed one by one; more would fill the memory."""


def pattern_count(copies: int, link_uses: int | None) -> int:
    """Return how many sets of copy pairs a link on the walk may show.

    Between two vertices of c copies each there are c^2 copy pairs. ``link_uses`` says how many of
    them the walk uses at most. None allows every set but the empty one, also those that no walk
    can make: they need no list to draw from, which matters for many copies.

    >>> pattern_count(2, 1), pattern_count(2, 3), pattern_count(2, None), pattern_count(1, None)
    (4, 14, 15, 1)
    """
    if link_uses is None:
        return (1 << copies * copies) - 1
    return len(pattern_table(copies, link_uses))


@lru_cache(maxsize=8)
def pattern_table(copies: int, link_uses: int) -> BoolArray:
    """Return the patterns as rows of ``copies^2`` booleans, few uses first.

    Column ``copies * i + j`` is copy i of the first vertex with copy j of the second. A walk over
    copies is a simple path, so what it shows between two vertices are parts of a path: no copy has
    three pairs, and there is no ring.
    """
    sets = sum(comb(copies * copies, used) for used in range(1, link_uses + 1))
    if sets > LARGEST_TABLE:
        raise BadBudget(
            f"{copies} copies with up to {link_uses} uses of a link have {sets} patterns, more "
            f"than the {LARGEST_TABLE} that are listed; give fewer link_uses, or omit it"
        )
    pairs = [(i, copies + j) for i in range(copies) for j in range(copies)]
    rows = [
        chosen
        for used in range(1, link_uses + 1)
        for chosen in combinations(range(len(pairs)), used)
        if _parts_of_a_path([pairs[place] for place in chosen])
    ]
    table = np.zeros((len(rows), len(pairs)), dtype=bool)
    for number, chosen in enumerate(rows):
        table[number, list(chosen)] = True
    table.setflags(write=False)
    return table


def _parts_of_a_path(pairs: list[tuple[int, int]]) -> bool:
    """Return whether the pairs make no copy with three links and no ring."""
    links = Counter(copy for pair in pairs for copy in pair)
    if max(links.values()) > 2:
        return False
    part = {copy: copy for copy in links}
    for first, second in pairs:
        one, other = part[first], part[second]
        if one == other:
            return False
        part = {copy: one if found == other else found for copy, found in part.items()}
    return True
