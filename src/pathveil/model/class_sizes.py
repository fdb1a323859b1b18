"""How large the classes of a grouping are: public numbers, which files state beside its digest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from pathveil.errors import BadGrouping


@dataclass(frozen=True)
class ClassSizes:
    """How many classes there are of each size.

    Parameters
    ----------
    counts
        Members of a class, and how many classes have so many; the smallest first.

    Examples
    --------
    >>> sizes = ClassSizes.of([1, 2, 1, 3])
    >>> sizes.counts, sizes.classes, sizes.hidden_among, sizes.leaves_bare
    (((1, 2), (2, 1), (3, 1)), 4, (2, 6), True)
    """

    counts: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        rising = all(first[0] < second[0] for first, second in pairwise(self.counts))
        if not self.counts or not rising or min(map(min, self.counts)) < 1:
            raise BadGrouping(
                f"{len(self.counts)} sizes of classes; expected one or more, the smallest first, "
                "each of one member or more and of one class or more"
            )

    @classmethod
    def of(cls, sizes: Iterable[int]) -> ClassSizes:
        """Return how many classes there are of each size, from the size of each class."""
        found: dict[int, int] = {}
        for size in sizes:
            found[size] = found.get(size, 0) + 1
        return cls(tuple(sorted(found.items())))

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return sum(count for _, count in self.counts)

    @property
    def smallest(self) -> int:
        """Members of the smallest class."""
        return self.counts[0][0]

    @property
    def largest(self) -> int:
        """Members of the largest class."""
        return self.counts[-1][0]

    @property
    def pairs_in_a_block(self) -> tuple[int, int]:
        """The fewest and the most pairs of vertices a link hides among: products of two sizes."""
        if self.classes < 2:
            return 0, 0
        (small, few), (large, many) = self.counts[0], self.counts[-1]
        next_small = small if few > 1 else self.counts[1][0]
        next_large = large if many > 1 else self.counts[-2][0]
        return small * next_small, large * next_large

    @property
    def hides(self) -> bool:
        """Whether a class has two members. If none has, classes are vertices by another name."""
        return self.largest > 1

    @property
    def leaves_bare(self) -> bool:
        """Whether links may lie between two classes of one member: those it does not hide."""
        return self.smallest == 1 and self.counts[0][1] > 1

    @property
    def hidden_among(self) -> tuple[int, int]:
        """The fewest and the most pairs a link is among, of links that are hidden at all."""
        fewest, most = self.pairs_in_a_block
        if self.leaves_bare and self.hides:
            fewest = self.counts[1][0]
        return fewest, most
