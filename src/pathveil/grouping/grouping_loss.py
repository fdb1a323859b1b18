"""What a grouping gives away, once for all releases over it. The custodian's: it sees the network.

A grouping is a public fact drawn with the network in view, so it says something about it. For a
link e the loss is

    beta(e) = ln P(grouping | network) - ln P(grouping | network without e),

paid once however many walks follow. For a known order of the vertices it is exact: the product,
over the vertices in that order, of the number of colours allowed without e over the number allowed
with it. The order is secret, which can only help: over all orders the ratio
is a mean of those of single orders, at most the largest. Here it is *estimated* by drawing orders
uniformly, and said to be so: an order that gave this grouping with more probability should weigh
more, and the largest of a few orders is not the largest of all.

Failed tries count too: the law is that of a try given that it succeeds, which adds
ln P(success without e) - ln P(success with e), at most -ln P(success with e): bounded from tries.

*Load* is the share of blocks with a link. To an insider who misses one link, another join of the
pieces is a rival only if its block is empty: he gains by the load before anything is published.

*How many classes*: few large classes hide more from outsiders and less from insiders. The number of
classes is public, so compute it from numbers you would print anyway:
:func:`~pathveil.grouping.draw_grouping.recommended_classes` takes such bounds. Without them
the network's own numbers are rounded up coarsely, and the recommendation says so, because even a
rounded number says something about the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np
import numpy.typing as npt

from pathveil.chance.intervals import Interval, proportion
from pathveil.chance.source import Seeded, Source, below_many, shuffled
from pathveil.grouping.draw_grouping import require_possible, try_colouring
from pathveil.grouping.grouping_kernels import LinkRows, order_kernel, order_of
from pathveil.layering.kernels.running import run
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network

IndexArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

LINK_STEPS = 500
"""What a link takes at least in plain Python, for one order, in steps of half a microsecond."""
JOINS = 4
"""Ways to join two pieces of a walk: the candidates of one who misses one link of it."""
EFFORT, LESS_EFFORT = (8, 200, 40), (2, 20, 3)
"""How many orders, links and tries an estimate looks at, and how many on a large network."""
LARGE = 5_000
"""Vertices from which a network is large."""


@dataclass(frozen=True)
class GroupingLoss:
    """What the grouping gives away once, and what it leaves to an insider. Custodian's eyes only.

    Attributes
    ----------
    worst
        Loss of the worst link looked at, over the drawn orders, without the failed tries.
    success
        Share of tries that succeed, with its 95 % interval.
    load
        Share of blocks that hold a link.
    """

    worst: float
    success: Interval
    load: float

    @property
    def failed_tries(self) -> float:
        """What failed tries can add to the loss of any link: -ln of the share that succeed."""
        return -log(self.success.low) if self.success.low > 0 else inf

    @property
    def one_time(self) -> float:
        """The one-time loss of the worst link looked at, failed tries included. Estimated."""
        return self.worst + self.failed_tries

    def insider(self, *, chaff: float | None = None) -> float:
        """Return how often one who misses one walk link guesses it right.

        Parameters
        ----------
        chaff
            Chance that an empty block is shown on the walk; None before any release.
        """
        return guess_right(JOINS, (1 - self.load) * (1.0 if chaff is None else chaff))


def guess_right(candidates: int, survives: float) -> float:
    """Return how often a guess among surviving candidates is right; the true one always survives.

    >>> guess_right(4, 1.0), round(guess_right(4, 0.5), 3), guess_right(4, 0.0)
    (0.25, 0.469, 1.0)
    """
    if survives == 0:
        return 1.0
    return (1 - (1 - survives) ** candidates) / (candidates * survives)


def estimate_loss(
    network: Network,
    grouping: Grouping,
    *,
    source: Source,
    effort: tuple[int, int, int] | None = None,
) -> GroupingLoss:
    """Return the estimated loss of a grouping of this network.

    Parameters
    ----------
    source
        Which orders, links and tries are looked at; nothing of it is published.
    effort
        How many of each; None: fewer on a large network.

    *Cost*: for each order and link, the neighbours of two classes are looked at again; a try costs
    what a draw costs.

    Examples
    --------
    >>> from pathveil import Seeded
    >>> from pathveil.grouping.draw_grouping import group
    >>> ring = Network.from_links([(i, (i + 1) % 60) for i in range(60)])
    >>> grouping = group(ring, classes=20, source=Seeded(1))
    >>> loss = estimate_loss(ring, grouping, source=Seeded(2), effort=(3, 200, 10))
    >>> loss.worst < 1, round(loss.load, 2)
    (True, 0.32)
    """
    grouping.require_harmonious(network)
    require_possible(network, grouping.terms)
    orders, links, tries = effort or (EFFORT if len(network) <= LARGE else LESS_EFFORT)
    asked = np.arange(len(network.pairs))
    if links < len(asked):
        asked = np.unique(below_many(source, len(asked), links))
    # A link touches the neighbours of two classes, and each looks at those of its own neighbours.
    members, degree = len(network) / grouping.classes, 2 * len(network.pairs) / len(network)
    steps = LINK_STEPS + 2 * (members * degree) ** 2 * (degree + 1)
    work = int(orders * len(asked) * steps)
    losses = np.stack(
        [_order_losses(network, grouping, asked, source, work) for _ in range(orders)]
    )
    made = sum(try_colouring(network, grouping.terms, source) is not None for _ in range(tries))
    # Over equally likely orders the mean of P without over P with is the mean of e^-loss.
    typical = -np.log(np.exp(-losses).mean(axis=0))
    return GroupingLoss(
        worst=float(typical.max()),
        success=proportion(made, tries),
        load=grouping.load_of(network),
    )


def one_time_loss(network: Network, grouping: Grouping) -> float:
    """Return what a grouping costs any link once, about: the same number whenever it is asked."""
    return estimate_loss(network, grouping, source=Seeded(grouping.digest)).one_time


def _order_losses(
    network: Network, grouping: Grouping, asked: IndexArray, source: Source, work: int
) -> FloatArray:
    """Return the losses of the asked links for one uniform order; all take ``work`` steps."""
    turn = np.empty(len(network), dtype=np.int64)
    turn[shuffled(source, len(network))] = np.arange(len(network))
    rows = LinkRows(*network._rows, _link_numbers(network))  # noqa: SLF001 - kernels run on them
    colour, terms = grouping.classes_of(network.vertices), grouping.terms
    order = order_of(network.pairs, colour, turn, terms.classes, terms.cap)
    return run(order_kernel, work, rows, order, network.pairs, terms.classes, asked)


def _link_numbers(network: Network) -> IndexArray:
    """Return for each entry of the neighbour lists the number of its link."""
    both = np.concatenate([network.pairs, network.pairs[:, ::-1]])
    numbers = np.concatenate([np.arange(len(network.pairs))] * 2)
    return numbers[np.lexsort((both[:, 1], both[:, 0]))]
