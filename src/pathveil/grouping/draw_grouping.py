"""group(): draws a grouping by a law that is blind to names.

Theory of operation
-------------------
Vertices are taken in a uniform secret order, and each gets a colour uniform among those allowed:
colours that are not full, that no vertex one or two links away has, and that leave every two
classes at most one link between them. If a vertex finds none, or at the end a class is too small,
everything is thrown away and a new try is made with a new order. Number of classes, cap and floor
are public numbers, fixed beforehand.

Why blind to names: rename the vertices of the network, and every run is as likely as the renamed
run before. So for a permutation s that only moves vertices *within* classes of a grouping g,
P(g | s N) = P(g s | N) = P(g | N): what the grouping says is the same whichever members of two
classes are linked. The order must stay secret: with a public order the same ratio reaches 9/2 on
six vertices (``tests/laws/test_grouping_law.py`` enumerates both).

How many tries were needed is not told to anybody but the custodian. The end of the loop is certain:
after a set number of tries the network is refused as too tight for so few classes.

Sets of colours are Python's whole numbers, so that a vertex costs its degree times classes / 64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, count
from math import isqrt

import numpy as np
import numpy.typing as npt

from pathveil.chance.source import Source, System
from pathveil.errors import BadGrouping
from pathveil.model.grouping import SMALLEST_CLASS, Grouping, GroupingTerms
from pathveil.model.network import Network

IndexArray = npt.NDArray[np.int64]

TRIES = 200
"""Tries before a network is called too tight for so few classes."""
MOST_CLASSES = 1 << 16
"""Colours beyond this would need more than half a gigabyte of bit sets."""
LADDER = (1, 2, 3, 5)
"""A number is rounded up to one of these times a power of ten."""
USEFUL = 4
"""A mean class size below this hides a link among fewer than sixteen pairs, and is hard to draw."""


def group(
    network: Network,
    *,
    classes: int | None = None,
    source: Source | None = None,
) -> Grouping:
    """Return a grouping of the network, drawn by a law that is blind to names.

    Draw one for the whole life of a network, save it, and publish every walk over it. A second
    grouping of the same network mostly undoes the first: together they leave most vertices alone.

    Parameters
    ----------
    classes
        How many classes at most; each has two members or more, and up to a tenth more than the
        mean, rounded up. Choose it from public numbers: it is published. If it is not given, one is
        recommended for the network, whose own numbers are rounded up for that.
    source
        Where random bytes come from; the system source if not given.

    Raises
    ------
    BadGrouping
        If the network is too small for so many classes, or too dense for so few.

    *Privacy*: given the grouping, any members of two classes may be the linked ones with the same
    probability. That a link is there at all costs once what
    :func:`pathveil.grouping.grouping_loss.estimate_loss` estimates. Proved; see
    docs/explanation/groups.md.

    *Cost*: a hundred thousand vertices and twice as many links in a second, a million in twenty.

    Examples
    --------
    >>> from pathveil import Seeded
    >>> ring = Network.from_links([(i, (i + 1) % 60) for i in range(60)])
    >>> grouping = group(ring, classes=20, source=Seeded(1))
    >>> grouping
    <Grouping: 60 vertices in 20 classes of 2 to 4>
    >>> grouping.require_harmonious(ring)
    """
    network = Network.of(network)
    if classes is None:
        advice = recommend(network)
        classes = advice.classes
        if not advice.useful:
            raise BadGrouping(
                f"this network is too small, or has too large a hub, for a grouping: {classes} "
                f"classes would have {advice.mean:.1f} vertices each and hide hardly anything; "
                "publish few walks (pv.plan says how many), or write group(network, classes=...)"
            )
    terms = choose_terms(len(network), classes)
    source = source or System()
    colours = draw_colouring(network, terms, source)
    return Grouping.coloured(network.vertices, colours, terms=terms, unsafe=source.unsafe)


@dataclass(frozen=True)
class Recommendation:
    """How many classes to take, and from which public bounds that was computed."""

    classes: int
    links: int
    degree: int
    rounded: bool
    size: int

    @property
    def mean(self) -> float:
        """Mean size of a class."""
        return self.size / self.classes

    @property
    def useful(self) -> bool:
        """Whether classes are large enough to hide anything."""
        return self.mean >= USEFUL


def recommended_classes(size: int, links: int, degree: int) -> int:
    """Return how many classes suit a network with these bounds on links and on links of a vertex.

    No colouring has fewer than max(degree + 1, sqrt(2 links)) classes. Twice that many are drawn
    almost at the first try, if they have six members on average; smaller networks take down to half
    as many again as needed, so that few tries fail because a class has too few members.

    >>> recommended_classes(1000, links=1000, degree=10), recommended_classes(200, 300, 10)
    (90, 38)
    """
    root = isqrt(2 * links)
    needed = max(root + (root * root < 2 * links), degree + 1)
    return min(2 * needed, max(needed + (needed + 1) // 2, size // 6))


def rounded_up(number: int) -> int:
    """Return the next step of the ladder 1, 2, 3, 5, 10, 20, 30, 50, 100 ...

    >>> [rounded_up(number) for number in (1, 4, 895, 2001)]
    [1, 5, 1000, 3000]
    """
    power = 1
    while True:
        for step in LADDER:
            if step * power >= number:
                return step * power
        power *= 10


def recommend(
    network: Network, *, links: int | None = None, degree: int | None = None
) -> Recommendation:
    """Return the recommended number of classes; the gate, `plan` and `group` all ask here.

    Parameters
    ----------
    links, degree
        Public bounds on the number of links and on the links of one vertex. What is not given is
        rounded up from the network.

    Raises
    ------
    BadGrouping
        If the network exceeds a bound that was given.

    Examples
    --------
    >>> ring = Network.from_links([(i, (i + 1) % 60) for i in range(60)])
    >>> recommend(ring), recommend(ring).useful
    (Recommendation(classes=23, links=100, degree=2, rounded=True, size=60), False)
    """
    most = max(network.degree(name) for name in network)
    rounded = links is None or degree is None
    links = rounded_up(len(network.pairs)) if links is None else links
    degree = rounded_up(most) if degree is None else degree
    if len(network.pairs) > links or most > degree:
        raise BadGrouping(
            f"the network has {len(network.pairs)} links, at most {most} at one vertex; the public "
            f"bounds say {links} and {degree}: give bounds that hold, and that do not follow it"
        )
    classes = recommended_classes(len(network), links, degree)
    return Recommendation(classes, links, degree, rounded, len(network))


def choose_terms(size: int, classes: int) -> GroupingTerms:
    """Return the public numbers of a draw, computed from public numbers alone.

    The cap is a tenth above the mean size of a class, so that the last vertices find room.

    >>> choose_terms(1000, 100)
    GroupingTerms(classes=100, cap=11, at_least=2)
    """
    most = size // SMALLEST_CLASS
    if not 2 <= classes <= most:
        raise BadGrouping(
            f"{classes} classes for {size} vertices; expected {most} at most, because every class "
            f"has {SMALLEST_CLASS} members or more, and 2 at least"
        )
    return GroupingTerms(classes, -(-11 * size // (10 * classes)), SMALLEST_CLASS)


def draw_colouring(
    network: Network, terms: GroupingTerms, source: Source, *, tries: int = TRIES
) -> IndexArray:
    """Return colours under which every two classes have at most one link between them.

    Raises
    ------
    BadGrouping
        If that cannot be, or no try succeeded. The message, which says which, is for the custodian.
    """
    require_possible(network, terms)
    for _ in range(tries):
        colours = try_colouring(network, terms, source)
        if colours is not None:
            return colours
    needed, most = _fewest_classes(network), len(network) // terms.at_least
    raise BadGrouping(
        f"no grouping into {terms.classes} classes of {terms.at_least} to {terms.cap} members was "
        f"found in {tries} tries; this network needs {needed} classes at the very least and has "
        f"vertices for {most} at most: try another number between them, or publish without a "
        "grouping"
    )


def require_possible(network: Network, terms: GroupingTerms) -> None:
    """Raise at once where no colouring can exist, or its bit sets would not fit."""
    needed = _fewest_classes(network)
    if terms.classes < needed:
        raise BadGrouping(
            f"{terms.classes} classes cannot keep {len(network.pairs)} links apart; this network "
            f"needs {needed} at the very least, and half as many again to be drawn with ease"
        )
    if terms.classes * terms.cap < len(network):
        raise BadGrouping(
            f"{terms.classes} classes of at most {terms.cap} cannot hold {len(network)} vertices"
        )
    if terms.classes > MOST_CLASSES:
        raise BadGrouping(f"{terms.classes} classes, more than {MOST_CLASSES}; take larger classes")


def _fewest_classes(network: Network) -> int:
    """Return the fewest classes that could keep the links of a network apart."""
    needed = max(network.degree(name) for name in network) + 1
    while needed * (needed - 1) // 2 < len(network.pairs):
        needed += 1
    return needed


def try_colouring(network: Network, terms: GroupingTerms, source: Source) -> IndexArray | None:
    """Return the colours of one try, or None if it failed.

    *Privacy*: whether it failed is a fact of the network; a failed try leaves nothing behind.
    """
    colours = colour_in_turn(network, terms, _drawer(source, len(network)))
    if colours is None:
        return None
    sizes = np.bincount(colours)
    return None if sizes[sizes > 0].min() < terms.at_least else colours


def _drawer(source: Source, size: int) -> Callable[[int], int]:
    """Return a drawer of uniform whole numbers below a bound, exact by rejection.

    Portions of random words are taken whose size depends on public numbers alone.
    """
    portion = 8 * (4 * size + 64)
    portions = (np.frombuffer(source.take(portion), dtype=">u8").tolist() for _ in count())
    stream = chain.from_iterable(portions)

    def below(bound: int) -> int:
        width = (bound - 1).bit_length()
        while width:
            drawn: int = next(stream) >> (64 - width)
            if drawn < bound:
                return drawn
        return 0

    return below


def colour_in_turn(
    network: Network, terms: GroupingTerms, below: Callable[[int], int]
) -> IndexArray | None:
    """Return the colours of one try, sizes not yet looked at; None where a vertex found none.

    The law in its shortest form: ``below`` draws a uniform whole number, first for the order, then
    for each vertex. A set of colours is a whole number whose bits are its members.
    """
    starts, links = (array.tolist() for array in network._rows)  # noqa: SLF001
    rows = [links[starts[v] : starts[v + 1]] for v in range(len(network))]
    order = list(range(len(network)))
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1)
        order[i], order[j] = order[j], order[i]
    colour = [-1] * len(network)
    used, members = [0] * terms.classes, [0] * terms.classes
    room = (1 << terms.classes) - 1
    for v in order:
        barred = 0
        for u in rows[v]:
            if colour[u] >= 0:
                barred |= used[colour[u]] | 1 << colour[u]
            else:
                for w in rows[u]:
                    if colour[w] >= 0:
                        barred |= 1 << colour[w]
        allowed = room & ~barred
        if not allowed:
            return None
        c = _bit(allowed, below(allowed.bit_count()))
        colour[v] = c
        members[c] += 1
        if members[c] == terms.cap:
            room &= ~(1 << c)
        for u in rows[v]:
            d = colour[u]
            if d >= 0:
                used[c] |= 1 << d
                used[d] |= 1 << c
    return np.array(colour, dtype=np.int64)


def _bit(bits: int, rank: int) -> int:
    """Return the place of the set bit with this rank, counted from the lowest."""
    place, width = 0, bits.bit_length()
    while width > 1:
        half = width // 2
        lower = bits & ((1 << half) - 1)
        if rank < lower.bit_count():
            bits, width = lower, half
        else:
            rank -= lower.bit_count()
            bits, width, place = bits >> half, width - half, place + half
    return place
