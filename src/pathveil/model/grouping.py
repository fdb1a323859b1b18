"""Grouping: vertices in classes, at most one link between two of them. Public, once for a network.

A publication over a grouping has one bit for each pair of *classes*, a block. No block holds two
links, so the bit of my link's block is my link's bit: reading stays exact and local. Every pair of
vertices in a block shows the same bit in every release, so however many releases somebody holds,
their bits leave all of these pairs as candidates. In graph theory: a harmonious colouring.

Classes are numbered by their first member in the order of names: the numbering is a function of
the partition and carries nothing of how it was drawn.

GroupingTerms: what is said before a grouping is drawn. Public, and covered by its digest.

How large the classes of a grouping are: public numbers, which files state beside its digest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadGrouping, NotHarmonious, UnknownVertex
from pathveil.model.network import Network


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
    voids
        Digest of the grouping of the same network that this one replaces, and whose protection is
        void from then on; empty if this is the first.
    """

    classes: int
    cap: int
    at_least: int = 1
    voids: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.at_least <= self.cap:
            raise BadGrouping(
                f"classes of at least {self.at_least} and at most {self.cap} members; expected "
                "1 <= at least <= at most"
            )
        if self.classes < 1:
            raise BadGrouping(f"{self.classes} classes; expected one or more")
        if self.voids and not _is_digest(self.voids):
            raise BadGrouping("voids: expected the 64 hexadecimal digits of a grouping's digest")


def _is_digest(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


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
    >>> grouping = Grouping.of([["a", "c"], ["b"], ["d"]])
    >>> grouping
    <Grouping: 4 vertices in 3 classes of 1 to 2>
    >>> grouping.class_index("c"), grouping.members(0)
    (0, ('a', 'c'))
    >>> grouping.require_harmonious(Network.parse("ab bd dc"))
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
                raise BadGrouping(f"class {count + 1} has no member; leave it out")
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

    @property
    def pairs_in_a_block(self) -> tuple[int, int]:
        """The fewest and the most pairs of vertices a link hides among: products of two sizes."""
        return self.class_sizes.pairs_in_a_block

    @property
    def hides(self) -> bool:
        """Whether a class has two members. If none has, classes are vertices by another name."""
        return self.class_sizes.hides

    @cached_property
    def bare_classes(self) -> IndexArray:
        """The classes of one member: a link between two of them is hidden among no other pair."""
        return np.flatnonzero(self.sizes == 1)

    @property
    def leaves_bare(self) -> bool:
        """Whether links may lie between two classes of one member: those it does not hide.

        >>> Grouping.of(["ab", "c", "d"]).leaves_bare, Grouping.of(["ab", "c"]).leaves_bare
        (True, False)
        """
        return self.class_sizes.leaves_bare

    @property
    def hidden_among(self) -> tuple[int, int]:
        """The smallest and the largest number of pairs a link is among, of those that are hidden.

        >>> Grouping.of(["ab", "c", "d"]).hidden_among, Grouping.of(["ab", "cde"]).hidden_among
        ((2, 2), (6, 6))
        """
        return self.class_sizes.hidden_among

    @cached_property
    def digest(self) -> str:
        """What publications name it by: SHA-256 of the classes, the terms and the stamp."""
        hashed = sha256(b"pathveil grouping 1\n")
        terms = self.terms
        facts = [terms.classes, terms.cap, terms.at_least, terms.voids, self.unsafe]
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
        >>> grouping = Grouping.of([["a", "d"], ["b"], ["c"]])
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

        >>> grouping = Grouping.of([["a", "d"], ["b"], ["c"]])
        >>> grouping.forward("abc"), grouping.forward("cbd"), grouping.forward("aba")
        (True, False, None)
        """
        along = self.classes_of(vertices).tolist()
        back = along[::-1]
        return None if along == back else min(along, back) == along

    def has_room_for(self, network: Network, first: str, second: str) -> bool:
        """Return whether a new link between two vertices would have a block of its own."""
        key = sorted((self.class_index(first), self.class_index(second)))
        return key[0] != key[1] and not (self.blocks_of(network) == key).all(axis=1).any()

    def load_of(self, network: Network) -> float:
        """Return the share of blocks that hold a link. A function of the network: not public."""
        blocks = self.classes * (self.classes - 1) // 2
        return len(network.pairs) / blocks if blocks else 1.0

    # -- files ----------------------------------------------------------------------------------

    # As with a publication, the codec knows the model and not the other way round: late imports.
    def save(self, path: str | Path) -> None:
        """Write the grouping as ``groups.json``: canonical bytes, aside and then renamed."""
        from pathveil.files.publications.groups import write_grouping

        write_grouping(self, path)

    @staticmethod
    def load(path: str | Path) -> Grouping:
        """Read a grouping, trusting nothing in the file."""
        from pathveil.files.publications.groups import read_grouping

        return read_grouping(path)

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


_REMEDY = (
    "leave the link out, or begin a new series with a new grouping: whoever holds both groupings "
    "can tell most vertices apart, so what the old one protected is void"
)


def spanned(least: int, most: int) -> str:
    """Return a span of numbers in words, a single number where it is one.

    >>> spanned(1, 6), spanned(4, 4)
    ('1 to 6', '4')
    """
    return str(most) if least == most else f"{least} to {most}"
