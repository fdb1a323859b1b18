"""The dial of a grouping: few large classes hide more from outsiders and less from insiders.

A custodian turns it knowing what each setting costs. The rows look at the network and are for the
custodian's screen. The number of classes that is chosen in the end is public, so it should be
computed from numbers one would print anyway: :func:`recommended_classes` takes such bounds. Where
none are given, the network's own numbers are rounded up coarsely, which still tells which step of
the ladder they lie on: it is said wherever the recommendation is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isqrt

from pathveil.chance.source import Source
from pathveil.errors import BadGrouping
from pathveil.grouping.draw_grouping import group
from pathveil.grouping.grouping_loss import GroupingLoss, estimate_loss
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network

MEANS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024)
"""Mean class sizes a dial is turned to."""
LADDER = (1, 2, 3, 5)
"""A number is rounded up to one of these times a power of ten."""
USEFUL = 3
"""A mean class size below this hides a link among fewer than nine pairs: too few to call hidden."""
EFFORT = {"orders": 8, "links": 200, "tries": 40}
LESS_EFFORT = {"orders": 2, "links": 20, "tries": 3}
"""How closely a setting is looked at, and how closely on large networks."""
_LARGE = 50_000


@dataclass(frozen=True)
class DialRow:
    """One setting: a grouping drawn with it, for show only, and its loss."""

    grouping: Grouping
    loss: GroupingLoss

    @property
    def classes(self) -> int:
        """The setting itself."""
        return self.grouping.terms.classes


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


def recommended_classes(links: int, degree: int) -> int:
    """Return how many classes suit a network with at most so many links, at most so many a vertex.

    No colouring has fewer than max(degree + 1, sqrt(2 links)) classes. Where the links decide,
    twice that many are drawn almost at the first try, with a quarter of the blocks taken and a
    one-time loss of about a half; where the degree does, fewer blocks are taken and it may cost
    more (docs/grouping.md).

    >>> recommended_classes(links=1000, degree=10)
    90
    """
    root = isqrt(2 * links)
    return 2 * max(root + (root * root < 2 * links), degree + 1)


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
    """Return the recommended number of classes.

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
    >>> recommend(ring)
    Recommendation(classes=20, links=100, degree=2, rounded=True, size=60)
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
    classes = max(2, min(recommended_classes(links, degree), len(network) // USEFUL))
    return Recommendation(classes, links, degree, rounded, len(network))


def turn_dial(network: Network, *, source: Source) -> Iterator[DialRow]:
    """Yield one row for each setting that can be drawn, from small classes to large ones.

    *Cost*: bounded: on large networks fewer orders, links and tries are looked at.
    """
    effort = EFFORT if len(network) <= _LARGE else LESS_EFFORT
    most, drawn = 4 * recommend(network).classes, None
    for mean in MEANS:
        classes = len(network) // mean
        if classes > most:
            continue  # far more classes than needed: small ones, for no gain
        if classes < 2:
            return
        try:
            grouping = group(network, classes=classes, source=source, tries=effort["tries"])
        except BadGrouping:
            if drawn is None:
                continue  # such small classes cannot all have two members
            return
        if grouping.classes != drawn:
            yield dial_row(network, grouping, source=source, effort=effort)
        drawn = grouping.classes


def dial_row(
    network: Network,
    grouping: Grouping,
    *,
    source: Source,
    effort: Mapping[str, int] = EFFORT,
) -> DialRow:
    """Return a grouping with its loss, as a row of the dial."""
    return DialRow(grouping, estimate_loss(network, grouping, source=source, **effort))


def share_alone(one: Grouping, other: Grouping) -> float:
    """Return the share of vertices whom two groupings together tell from all others.

    >>> first, second = Grouping.of(["ab", "cd"]), Grouping.of(["ac", "bd"])
    >>> share_alone(first, second)
    1.0
    """
    shared = sorted(set(one.vertices) & set(other.vertices))
    cells = Counter(
        zip(one.classes_of(shared).tolist(), other.classes_of(shared).tolist(), strict=True)
    )
    return sum(count == 1 for count in cells.values()) / max(len(shared), 1)
