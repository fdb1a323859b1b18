"""Bits over a grouping: one for each pair of classes, asked about pairs of vertices.

A file holds the bits of the blocks, the digest of the grouping and the sizes of its classes; who
wants to read it brings the grouping, a public file of its own. Until then it answers nothing about
vertices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from pathveil.errors import DoesNotFit
from pathveil.model.bits import Bits, BoolArray, IndexArray, PackedBits
from pathveil.model.forms import Form
from pathveil.model.grouping import ClassSizes, Grouping
from pathveil.model.network import Network
from pathveil.model.positions import Positions


@dataclass(frozen=True)
class GroupedBits:
    """The bits of the blocks of a grouping.

    Parameters
    ----------
    blocks
        What is shown of each pair of classes, the classes going by their names.
    digest
        Which grouping this is about.
    sizes
        How large its classes are said to be: believed until the grouping is at hand, and checked
        against it where the certificate is.
    grouping
        That grouping, if it is at hand; the bits are the same with it and without.

    Examples
    --------
    >>> from pathveil.model.bits import PackedBits, PairBits
    >>> grouping = Grouping.of([["a", "c"], ["b"], ["d"]])
    >>> shown = PairBits.from_pairs(3, [(0, 1)])
    >>> blocks = PackedBits(Positions.uniform(grouping.names, 1), shown)
    >>> bits = GroupedBits.of(blocks, grouping)
    >>> asked = bits.positions_of("abcd")
    >>> bits.same_branch(asked, np.array([[0, 1], [1, 2], [2, 3]])).tolist()
    [True, True, False]
    """

    blocks: Bits
    digest: str
    sizes: ClassSizes
    grouping: Grouping | None = field(default=None, compare=False)

    @classmethod
    def of(cls, blocks: Bits, grouping: Grouping) -> GroupedBits:
        """Return the bits of the blocks of a grouping that is at hand."""
        return cls(blocks, grouping.digest, grouping.class_sizes, grouping)

    def __post_init__(self) -> None:
        if self.grouping is not None and self.grouping.digest != self.digest:
            raise DoesNotFit(
                f"the publication is over the grouping {self.digest[:12]}…, this one is "
                f"{self.grouping.digest[:12]}…; bring the grouping it was published over"
            )

    def over(self, grouping: Grouping) -> GroupedBits:
        """Return the same bits with the grouping at hand, which must be the right one."""
        return replace(self, grouping=grouping)

    @property
    def form(self) -> Form:
        """What the form of the blocks is called."""
        return self.blocks.form

    @property
    def capacity(self) -> int | None:
        """The most links there may be; None where none is stated."""
        return self.blocks.capacity

    @property
    def names(self) -> tuple[str, ...]:
        """The vertices of the grouping, which must be at hand."""
        return self.known.vertices

    def listed(self) -> PackedBits:
        """Return the bit of every pair of classes, if its blocks are listed."""
        return self.blocks.listed()

    def require_over(self, network: Network) -> None:
        """Raise :class:`DoesNotFit` unless the network agrees with the grouping."""
        self.known.require_harmonious(network)

    @property
    def known(self) -> Grouping:
        """The grouping, or :class:`DoesNotFit` if nobody has brought it."""
        if self.grouping is None:
            raise DoesNotFit(
                f"the publication is over the grouping {self.digest[:12]}…, which is a file of its "
                "own; bring it: grouping= in Python, --groups FILE on the command line"
            )
        return self.grouping

    def positions_of(self, names: Iterable[str]) -> Positions:
        """Return the public copies of some vertices: as many as their classes have."""
        chosen = tuple(sorted(set(names)))
        grouping = self.known
        classes = [grouping.names[grouping.class_index(name)] for name in chosen]
        here = self.blocks.positions_of(classes)
        return Positions(chosen, tuple(len(here.copies_of(name)) for name in classes))

    def same_branch(self, asked: Positions, pairs: IndexArray) -> BoolArray:
        """Return for each pair of asked positions what its block shows.

        Two members of one class are no link and on no walk, publicly: they are in one branch.
        """
        grouping = self.known
        numbers = grouping.classes_of(asked.vertices)
        here = self.blocks.positions_of(grouping.names[number] for number in numbers.tolist())
        starts = [here.copies_of(grouping.names[number]).start for number in numbers.tolist()]
        within = np.arange(len(asked)) - asked.starts[asked.vertex_of]
        own = np.asarray(starts, dtype=np.int64)[asked.vertex_of] + within
        between = numbers[asked.vertex_of][pairs]
        shown = np.ones(len(pairs), dtype=np.bool_)
        apart = between[:, 0] != between[:, 1]
        shown[apart] = self.blocks.same_branch(here, own[pairs[apart]])
        return shown

    def content(self) -> bytes:
        """Return all that it says as bytes, the same for equal bits and for no others."""
        return bytes.fromhex(self.digest) + self.blocks.content()
