"""A release as a sketch: how much a file holds, which equations hold, what the seed costs.

Every link is a key whose value lies below the threshold where the walk uses it and above where it
does not. The chance of a coin is first rounded to a whole number of 2^-r
(:meth:`~pathveil.chance.law.PairLaw.rounded`); certificate and terms are those of the rounded one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pathveil.chance.copies import LiftedWalk
from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.chance.losses import Losses
from pathveil.chance.source import Source
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.errors import BadBudget, TooLarge
from pathveil.model.network import Network
from pathveil.model.sketch import SketchedBits, SketchShape, ValueArray
from pathveil.sketching.equations import Equations, draw_solution, seed_failure


def seed_loss(capacity: int, bits: int) -> Losses:
    """Return what the seed of a sketch with values of some bits costs, once for a release.

    >>> str(seed_loss(1_000_000, 1).presence.loss())
    'ln(2^21/(2^21 - 1)) = 0.0001'
    """
    kept = 1 - seed_failure(SketchShape.holding(capacity, planes=bits))
    return Losses(ExactLoss.of(ExactProbability.rational(1 / kept)), ExactLoss())


def require_capacity(network: Network, capacity: int | None, bits: int) -> int:
    """Return the capacity, checked against what the custodian holds.

    *Privacy*: it must be chosen without counting the links. A rule that computed it from their
    number would change its output with one link more at its steps, and so prove that link.
    """
    links = len(network.pairs)
    if capacity is None:
        raise BadBudget(
            f"a sketch needs a capacity: a public number of links that your network does not "
            f"exceed (it has {links:,}; do not publish that number, but one that would have been "
            "right for any network like it). It is not computed for you: a rule that looks at the "
            "number of links gives a link away where one more changes its result. Give "
            "capacity=N (--capacity N)"
        )
    if isinstance(capacity, bool) or not isinstance(capacity, int) or capacity < 1:
        raise BadBudget(f"capacity is {capacity!r}; expected a whole number of links, 1 or more")
    # Before a byte is drawn: the work takes dozens of bytes for each link of the capacity.
    most = SketchShape.most_keys(planes=bits)
    if capacity > most:
        raise TooLarge(
            f"the capacity is {capacity:,} links; with values of {bits} bits a file holds a sketch "
            f"of {most:,} at most: give a smaller public number that your network does not exceed"
        )
    if links > capacity:
        raise TooLarge(
            f"the network has {links:,} links, more than the capacity of {capacity:,}; give a "
            "larger public number (one that would have been right for any network like it)"
        )
    return capacity


def draw_sketch(
    network: Network,
    path: LiftedWalk,
    law: PairLaw,
    shape: SketchShape,
    source: Source,
    *,
    capacity: int,
    without: Sequence[tuple[str, str]] = (),
) -> SketchedBits:
    """Return the bits of a walk as a sketch.

    ``without`` draws some links as if they were not there: the other of the two worlds that a
    certificate compares.

    *Privacy*: see :mod:`pathveil.sketching.equations`.

    *Cost*: O(links); three million in about 1.5 s.
    """
    each = law.dyadic_size(shape.planes)
    ends, used = network.pairs, np.zeros(len(network.pairs), dtype=np.bool_)
    visits = np.asarray(path.visits, dtype=np.int64)
    used[network.link_places(np.sort(np.stack([visits[:-1], visits[1:]], axis=1), axis=1))] = True
    low, size = true_values(used, each, shape.planes)
    for link in without:
        gone = np.array(sorted(map(network.index, link)), dtype=np.int64)
        kept = (ends != gone).any(axis=1)
        ends, low, size = ends[kept], low[kept], size[kept]
    equations = Equations(network.vertices, ends, low, size)
    seed, words = draw_solution(equations, shape, capacity, source)
    return SketchedBits(seed, shape, words, capacity, each)


def true_values(
    used: np.ndarray[tuple[int], np.dtype[np.bool_]], each: int, bits: int
) -> tuple[ValueArray, ValueArray]:
    """Return for each link the first value that reads as the truth about it, and how many do.

    >>> low, size = true_values(np.array([True, False]), 5, 4)
    >>> low.tolist(), size.tolist()
    ([0, 5], [5, 11])
    """
    low = np.where(used, 0, each).astype(np.uint32)
    return low, np.where(used, each, (1 << bits) - each).astype(np.uint32)
