"""Grouping: vertices in classes, at most one link between two of them. Public, once for a network.

A publication over a grouping has one bit for each pair of *classes*, a block. No block holds two
links, so the bit of my link's block is my link's bit: reading stays exact and local. Every pair of
vertices in a block shows the same bit in every release, so however many releases somebody holds,
their bits leave all of these pairs as candidates. In graph theory: a harmonious colouring.

Classes are numbered by their first member in the order of names: the numbering is a function of
the partition and carries nothing of how it was drawn.

GroupingTerms: what is said before a grouping is drawn. Public, and covered by its digest.

How large the classes of a grouping are: public numbers, which files state beside its digest.

A file over a grouping holds the bits of the blocks, the digest of the grouping and the sizes of its
classes (:class:`GroupedBits`); to read it, somebody brings the grouping, a public file of its own.
Until then it answers nothing about vertices.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadGrouping, DoesNotFit, NotHarmonious, UnknownVertex
from pathveil.model.bits import BoolArray, PackedBits
from pathveil.model.network import Network
from pathveil.model.positions import Positions

SMALLEST_CLASS = 2
"""A class of one member would hide nothing: its links would be as plain as without a grouping."""


@dataclass(frozen=True)
class GroupingTerms:
    """The public numbers a grouping was drawn with.

    Attributes
    ----------
    classes
        Colours the draw could choose from; classes nobody drew do not appear in the grouping.
    cap
        Members a class may have at most.
    at_least
        Members every class has at least.
    """

    classes: int
    cap: int
    at_least: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.at_least <= self.cap:
            raise BadGrouping(
                f"classes of at least {self.at_least} and at most {self.cap} members; expected "
                "1 <= at least <= at most"
            )
        if self.classes < 1:
            raise BadGrouping(f"{self.classes} classes; expected one or more")


@dataclass(frozen=True)
class ClassSizes:
    """How many classes there are of each size.

    Parameters
    ----------
    counts
        Members of a class, and how many classes have so many; the smallest first.

    Examples
    --------
    >>> sizes = ClassSizes.of([2, 3, 2, 4])
    >>> sizes.counts, sizes.classes, sizes.pairs_in_a_block
    (((2, 2), (3, 1), (4, 1)), 4, (4, 12))
    """

    counts: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        rising = all(first[0] < second[0] for first, second in pairwise(self.counts))
        fits = all(size >= SMALLEST_CLASS and count >= 1 for size, count in self.counts)
        if not self.counts or not rising or not fits:
            raise BadGrouping(
                f"{len(self.counts)} sizes of classes; expected one or more, the smallest first, "
                f"each of {SMALLEST_CLASS} members or more and of one class or more"
            )

    @classmethod
    def of(cls, sizes: Iterable[int]) -> ClassSizes:
        """Return how many classes there are of each size, from the size of each class."""
        return cls(tuple(sorted(Counter(sizes).items())))

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


IndexArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Grouping:
    """Vertices in classes. Use :func:`pathveil.group` to draw one, :meth:`of` to state one.

    Parameters
    ----------
    vertices
        Names, sorted, distinct.
    class_of
        Class number of each vertex; classes are numbered by their first member.
    terms
        The public numbers it was drawn with.
    unsafe
        Whether it was drawn from a seed.

    Examples
    --------
    >>> grouping = Grouping.of(["ad", "be", "cfg"])
    >>> grouping
    <Grouping: 7 vertices in 3 classes of 2 to 3>
    >>> grouping.class_index("d"), grouping.members(0)
    (0, ('a', 'd'))
    >>> grouping.require_harmonious(Network.parse("ab bc cd"))
    """

    vertices: tuple[str, ...]
    class_of: IndexArray
    terms: GroupingTerms
    unsafe: bool

    def __post_init__(self) -> None:
        if len(self.vertices) != len(self.class_of) or not self.vertices:
            raise BadGrouping(
                f"{len(self.vertices)} vertices and {len(self.class_of)} class numbers; expected "
                "one number for each vertex, and a vertex at least"
            )
        firsts = np.unique(self.class_of, return_index=True)[1]
        canonical = (np.diff(firsts) > 0).all() and self.class_of.min() == 0
        if not canonical or self.class_of.max() != len(firsts) - 1:
            raise BadGrouping(
                "classes are numbered 0, 1, ... by their first member; use Grouping.of"
            )
        small, large = int(self.sizes.min()), int(self.sizes.max())
        if small < SMALLEST_CLASS:
            alone = self.members(int(self.sizes.argmin()))[0]
            raise BadGrouping(
                f"{alone!r} is alone in its class: a class of one member hides nothing; put it "
                "into another class"
            )
        terms = self.terms
        if small < terms.at_least or large > terms.cap or len(firsts) > terms.classes:
            raise BadGrouping(
                f"{len(firsts)} classes of {small} to {large} members contradict the terms: at "
                f"most {terms.classes} classes of {terms.at_least} to {terms.cap} members"
            )
        self.class_of.setflags(write=False)

    @classmethod
    def of(
        cls,
        classes: Iterable[Iterable[str]],
        *,
        terms: GroupingTerms | None = None,
        unsafe: bool = False,
    ) -> Grouping:
        """Return the grouping with these classes, in whatever order they are listed."""
        number: dict[str, int] = {}
        for count, members in enumerate(classes):
            listed = list(members)
            if not listed:
                raise BadGrouping(f"class {count + 1} has no member; omit it")
            for name in listed:
                if not isinstance(name, str) or not name:
                    raise BadGrouping(f"class {count + 1} lists {name!r}, expected a vertex name")
                if name in number:
                    raise BadGrouping(
                        f"{name!r} is in class {number[name] + 1} and in class {count + 1}; a "
                        "vertex is in one class"
                    )
                number[name] = count
        if not number:
            raise BadGrouping("no class; a grouping has one at least")
        vertices = tuple(sorted(number))
        colours = np.fromiter((number[name] for name in vertices), np.int64, len(vertices))
        return cls.coloured(vertices, colours, terms=terms, unsafe=unsafe)

    @classmethod
    def coloured(
        cls,
        vertices: tuple[str, ...],
        colours: IndexArray,
        *,
        terms: GroupingTerms | None = None,
        unsafe: bool = False,
    ) -> Grouping:
        """Return the grouping of sorted vertices by colour; the colours' names are forgotten."""
        firsts, inverse = np.unique(colours, return_index=True, return_inverse=True)[1:]
        rank = np.empty(len(firsts), dtype=np.int64)
        rank[np.argsort(firsts)] = np.arange(len(firsts))
        class_of = rank[inverse]
        if terms is None:
            sizes = np.bincount(class_of)
            terms = GroupingTerms(len(sizes), int(sizes.max()), int(sizes.min()))
        return cls(vertices, class_of, terms, unsafe)

    # -- asking ---------------------------------------------------------------------------------

    @cached_property
    def sizes(self) -> IndexArray:
        """Members of each class."""
        return np.bincount(self.class_of).astype(np.int64)

    @cached_property
    def class_sizes(self) -> ClassSizes:
        """How many classes there are of each size, as files over it state them."""
        return ClassSizes.of(self.sizes.tolist())

    @property
    def classes(self) -> int:
        """How many classes have a member."""
        return len(self.sizes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The classes' names, which sort as they are numbered: ``class 01``, ``class 02`` ..."""
        width = len(str(self.classes))
        return tuple(f"class {number:0{width}d}" for number in range(1, self.classes + 1))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.vertices)}

    def class_index(self, name: str) -> int:
        """Return the class number of a vertex."""
        at = self._index.get(name)
        if at is None:
            raise UnknownVertex(
                f"{name!r} is none of the {len(self.vertices)} grouped vertices; check its "
                "spelling, or whether this is the right grouping"
            )
        return int(self.class_of[at])

    def classes_of(self, names: Iterable[str]) -> IndexArray:
        """Return the class numbers of vertices."""
        return np.fromiter((self.class_index(name) for name in names), np.int64)

    def members(self, number: int) -> tuple[str, ...]:
        """Return the vertices of a class, sorted."""
        return tuple(self.vertices[i] for i in np.flatnonzero(self.class_of == number).tolist())

    @cached_property
    def digest(self) -> str:
        """What publications name it by: SHA-256 of the classes, the terms and the stamp."""
        hashed = sha256(b"pathveil grouping 1\n")
        terms = self.terms
        facts = [terms.classes, terms.cap, terms.at_least, self.unsafe]
        hashed.update(json.dumps(facts).encode())
        hashed.update(json.dumps(self.vertices).encode())
        hashed.update(self.class_of.astype("<i8").tobytes())
        return hashed.hexdigest()

    # -- with a network -------------------------------------------------------------------------

    def blocks_of(self, network: Network) -> IndexArray:
        """Return the two classes of each link of a network, smaller first, in the links' order."""
        numbers = self.classes_of(network.vertices)
        return np.sort(numbers[network.pairs], axis=1)

    def require_harmonious(self, network: Network) -> None:
        """Raise unless every vertex is grouped, no link is inside a class and no two share a block.

        The network may have lost vertices and links since the grouping was drawn. What it has
        gained must find an empty block.

        Raises
        ------
        UnknownVertex
            If a vertex of the network has no class.
        NotHarmonious
            If a link lies inside a class, or two links lie between the same two classes.
        """
        blocks = self.blocks_of(network)
        inside = np.flatnonzero(blocks[:, 0] == blocks[:, 1])
        if len(inside):
            u, v = network.links[int(inside[0])]
            raise NotHarmonious(
                f"the link {u!r} - {v!r} joins two members of {self.names[blocks[inside[0], 0]]}, "
                f"which no publication over this grouping can show; {_REMEDY}"
            )
        keys = blocks[:, 0] * self.classes + blocks[:, 1]
        order = np.argsort(keys, kind="stable")
        twice = np.flatnonzero(np.diff(keys[order]) == 0)
        if len(twice):
            (a, b), (c, d) = (network.links[int(order[twice[0] + i])] for i in (0, 1))
            one, other = (self.names[i] for i in blocks[order[twice[0]]])
            raise NotHarmonious(
                f"the links {a!r} - {b!r} and {c!r} - {d!r} both lie between {one} and {other}, "
                f"so their bits could not be told apart; {_REMEDY}"
            )

    def between_classes(self, network: Network) -> Network:
        """Return the network of classes: two are linked if a link lies between them.

        Raises
        ------
        UnknownVertex, NotHarmonious
            As :meth:`require_harmonious`; so each of its links stands for one of the network.

        Examples
        --------
        >>> grouping = Grouping.of(["ad", "be", "cf"])
        >>> grouping.between_classes(Network.parse("ab bc")).links
        (('class 1', 'class 2'), ('class 2', 'class 3'))
        """
        self.require_harmonious(network)
        blocks = self.blocks_of(network)
        return Network(self.names, blocks[np.lexsort((blocks[:, 1], blocks[:, 0]))])

    def forward(self, vertices: Sequence[str]) -> bool | None:
        """Return whether a walk's sequence of classes sorts before its reverse; None if equal.

        Names would not do: they tell the members of a class apart. The sequence is its own reverse
        only if the walk is.

        >>> grouping = Grouping.of(["ad", "be", "cf"])
        >>> grouping.forward("abc"), grouping.forward("cbd"), grouping.forward("aba")
        (True, False, None)
        """
        along = self.classes_of(vertices).tolist()
        back = along[::-1]
        return None if along == back else min(along, back) == along

    def load_of(self, network: Network) -> float:
        """Return the share of blocks that hold a link. A function of the network: not public."""
        blocks = self.classes * (self.classes - 1) // 2
        return len(network.pairs) / blocks if blocks else 1.0

    # -- files ----------------------------------------------------------------------------------

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the grouping as ``groups.json``: canonical bytes, aside and then renamed.

        A file that is there is replaced only with ``overwrite=True``.
        """
        _grouping_files().write_grouping(self, path, replacing=overwrite)

    @staticmethod
    def load(path: str | Path) -> Grouping:
        """Read a grouping, trusting nothing in the file."""
        grouping: Grouping = _grouping_files().read_grouping(path)
        return grouping

    # -- being a value --------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.vertices)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        order = np.argsort(self.class_of, kind="stable")
        for part in np.split(order, np.cumsum(self.sizes)[:-1]):
            yield tuple(self.vertices[i] for i in part.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grouping):
            return NotImplemented
        return self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return (
            f"<Grouping: {len(self.vertices)} vertices in {self.classes} classes of "
            f"{self.sizes.min()} to {self.sizes.max()}>"
        )


def _grouping_files() -> ModuleType:
    """Return the codec, which knows the model: the door of a grouping."""
    from pathveil.files.publications import groups

    return groups


_REMEDY = (
    "leave the link out, or encrypt the files to their readers (--to): a second grouping would let "
    "whoever holds both tell most vertices apart"
)


def spanned(least: int, most: int) -> str:
    """Return a span of numbers in words, a single number where it is one.

    >>> spanned(2, 6), spanned(4, 4)
    ('2 to 6', '4')
    """
    return str(most) if least == most else f"{least} to {most}"


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
    >>> from pathveil.model.bits import PairBits
    >>> grouping = Grouping.of(["ac", "be", "df"])
    >>> shown = PairBits.from_pairs(3, [(0, 1)])
    >>> blocks = PackedBits(Positions.uniform(grouping.names, 1), shown)
    >>> bits = GroupedBits.of(blocks, grouping)
    >>> asked = bits.positions_of("abcd")
    >>> bits.same_branch(asked, np.array([[0, 1], [1, 2], [2, 3]])).tolist()
    [True, True, False]
    """

    blocks: PackedBits
    digest: str
    sizes: ClassSizes
    grouping: Grouping | None = field(default=None, compare=False)

    @classmethod
    def of(cls, blocks: PackedBits, grouping: Grouping) -> GroupedBits:
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

    def listed(self) -> PackedBits:
        """Return the bit of every pair of classes."""
        return self.blocks

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
        """Return the public copies of some vertices: one of each."""
        chosen = tuple(sorted(set(names)))
        self.known.classes_of(chosen)  # refuses a vertex that has no class
        return Positions.uniform(chosen, 1)

    def same_branch(self, asked: Positions, pairs: IndexArray) -> BoolArray:
        """Return for each pair of asked positions what its block shows.

        Two members of one class are no link and on no walk, publicly: they are in one branch.
        """
        between = self.known.classes_of(asked.vertices)[pairs]
        shown = np.ones(len(pairs), dtype=np.bool_)
        apart = between[:, 0] != between[:, 1]
        shown[apart] = self.blocks.same_branch(self.blocks.positions, between[apart])
        return shown

    def content(self) -> bytes:
        """Return all that it says as bytes, the same for equal bits and for no others."""
        return bytes.fromhex(self.digest) + self.blocks.content()
