"""Why a vertex had to be cut: a walk of forced steps that contradicts itself, in words.

Theory of operation
-------------------
Let v be whole, and let b and c be two of its mates that are in different branches. If b lay above v
and c below, a path would lead from b to c and put them in one branch. So b and c lie on the same
side of v: which side the one is on *forces* the other. Forced steps make a chain; a chain that
begins with "a lies above b" and ends with "b lies above a" is a closed walk of odd length, and
proves that not all the vertices it turns at, its *centres*, can be whole. Nothing but the bits is
used, so anybody can check it with a finger on the page.

In a drawing without a contradiction the whole vertices make none among themselves. So if one of the
cut vertices were whole too and there were a chain, it would turn at that vertex: *given the
others*, it had to be cut. Where there is none, another drawing might spare it, and that is said as
well.

*Privacy*: reads the published bits and the drawing only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pathveil.layering.adjacency import Adjacency
from pathveil.layering.kernels.forcing import forced_chain_by_lists, opposite_entries
from pathveil.layering.kernels.running import run
from pathveil.layering.orientation import Arc, Obstruction
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions

_ROOTS = 64  # mates of the cut vertex from which a chain is looked for: the shortest is told


@dataclass(frozen=True)
class Reason:
    """A proof that of some positions at least one must be cut.

    Attributes
    ----------
    position
        The position that was cut; it is one of the centres, and the others are whole.
    arcs
        Pairs (upper, lower), each forcing the next; the last is the first upside down.
    """

    position: int
    arcs: tuple[Arc, ...]

    @property
    def steps(self) -> tuple[tuple[int, int, int], ...]:
        """For each forced step its centre and the two mates of it that are strangers."""
        return tuple((a, b, d) if a == c else (b, a, c) for (a, b), (c, d) in pairwise(self.arcs))

    @property
    def centres(self) -> tuple[int, ...]:
        """The positions at which the walk turns, ascending: one of them must be cut."""
        return tuple(sorted({centre for centre, _, _ in self.steps}))

    def check(self, graph: Adjacency) -> bool:
        """Return whether the proof holds for these bits; uses nothing but them."""
        return self.position in self.centres and Obstruction(self.arcs).check(graph)

    def sentences(self, names: Sequence[str]) -> list[str]:
        """Return the proof in words, a sentence for each step.

        Parameters
        ----------
        names
            What to call each position; see :func:`position_names`.
        """
        first = self.arcs[0]
        lines = [f"Suppose {names[first[0]]} lies above {names[first[1]]}."]
        for (centre, known, other), (upper, lower) in zip(self.steps, self.arcs[1:], strict=True):
            lines.append(
                f"Then {names[upper]} lies above {names[lower]}: {names[known]} and "
                f"{names[other]} are in different branches, so {names[centre]}, if whole, has both "
                "on one side."
            )
        among = ", ".join(names[centre] for centre in self.centres)
        lines.append(
            "That is the reverse of what was supposed, and supposing the reverse leads back the "
            f"same way: of {among} at least one must be cut. The others are whole here, so "
            f"{names[self.position]} is."
        )
        return lines


def why_cut(bits: PairBits, layered: LayeredGraph, position: int) -> Reason | None:
    r"""Return a proof that a cut position could not be whole as well, or None if there is none.

    None means that the drawing cuts more than these bits ask for at this place: another drawing
    might leave the position whole.

    Raises
    ------
    ValueError
        If the position is not cut.

    *Cost*: some passes over the pairs in the same branch; the shortest of up to 64 walks is told.

    Examples
    --------
    >>> from pathveil.layering.exact import layer_exactly
    >>> pentagon = PairBits.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    >>> layered = layer_exactly(pentagon, Positions.uniform(tuple("abcde"), 1), upright=True)
    >>> cut = int(layered.position_of[layered.piece == 1][0])
    >>> reason = why_cut(pentagon, layered, cut)
    >>> reason.centres
    (0, 1, 2, 3, 4)
    >>> print(*reason.sentences(position_names(layered.positions))[:2], sep="\n")
    Suppose a lies above b.
    Then a lies above e: b and e are in different branches, so a, if whole, has both on one side.
    """
    whole = np.bincount(layered.position_of, minlength=bits.size) == 1
    if whole[position]:
        raise ValueError(f"position {position} is whole; ask about one that is cut in pieces")
    whole[position] = True
    graph = Adjacency.from_bits(bits)
    indptr, indices = graph.indptr, graph.indices
    opposite = run(opposite_entries, 2 * len(indices), indptr, indices)
    begin, end = int(indptr[position]), int(indptr[position + 1])
    shortest: tuple[Arc, ...] = ()
    for root in range(begin, min(end, begin + _ROOTS)):
        roots = np.array([root], dtype=np.int64)
        work = 4 * len(indices)
        chain = run(forced_chain_by_lists, work, indptr, indices, opposite, whole, roots)
        if len(chain) and (not shortest or len(chain) < len(shortest)):
            shortest = tuple((int(a), int(b)) for a, b in chain)
    return Reason(position, shortest) if shortest else None


def position_names(positions: Positions) -> list[str]:
    """Return what to call each position: the vertex, with the number of the copy if it has several.

    Examples
    --------
    >>> position_names(Positions(("a", "b"), (1, 2)))
    ['a', 'b (copy 0)', 'b (copy 1)']
    """
    several = {
        name for name, count in zip(positions.vertices, positions.counts, strict=True) if count > 1
    }
    labels = [positions.label(place) for place in range(len(positions))]
    return [f"{name} (copy {copy})" if name in several else name for name, copy in labels]
