"""Which end is the first? Decided on shares, without a comparison of secret numbers.

The statuses give the walk up to reversal. What tells its direction is public and differs with the
publication:

- :class:`ByName`: one bit says whether the first end sorts before the last;
- :class:`Untold`: nothing does; a coin that all parties throw together, and nobody sees, chooses;
- :class:`ByRoot`: the paper's layering; the end that is closer along the walk to a root. The walk
  is read from both ends; the first root seen decides, two at once are a tie;
- :class:`ByClass`: publications over classes; one bit says whether the sequence of classes sorts
  before its reverse. Read from both ends, the first difference decides; none is a tie.

The last two share one rule. Let ``less`` and ``greater`` say, step by step, which reading is ahead,
and ``stop`` that the matter is settled. Then sum over k of (less - greater)(k) times the product of
1 - stop over the steps before k is 1, -1 or, on a tie, 0. Being ahead is an inner product of
one-hot vectors, so no secret number is ever compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pathveil.recovery.exchange.computation import Computation, running_products
from pathveil.recovery.exchange.field import PRIME, Numbers, numbers


@dataclass(frozen=True)
class ByName:
    """Told by one public bit: whether the first end sorts before the last."""

    first_sorts_first: bool


@dataclass(frozen=True)
class Untold:
    """Not told: the walk is read up to reversal."""


@dataclass(frozen=True)
class ByRoot:
    """Told by the paper's layering: which positions are roots."""

    roots: tuple[bool, ...]


@dataclass(frozen=True)
class ByClass:
    """Told by one public bit on the sequence of classes: whether it sorts before its reverse.

    ``classes`` is the class of each position, numbered from 0 in sorted order.
    """

    classes: tuple[int, ...]
    sorts_before_reverse: bool


Direction = ByName | Untold | ByRoot | ByClass


def needs_coin(direction: Direction) -> bool:
    """Whether the parties must throw a coin: whenever a tie is possible."""
    return not isinstance(direction, ByName)


def reads_both_ways(direction: Direction) -> bool:
    """Whether the walk must be read from both ends before its direction is known."""
    return isinstance(direction, ByRoot | ByClass)


async def compare_readings(
    computation: Computation, direction: ByRoot | ByClass, onward: Numbers, backward: Numbers
) -> Numbers:
    """Return, shared, 1 if ``onward`` is the walk, -1 if ``backward`` is, 0 on a tie.

    Parameters
    ----------
    onward, backward
        Shares of the two readings, one row a step, one column a position: one-hot, or zero once
        the walk has ended.
    """
    if isinstance(direction, ByRoot):
        less, greater, stop = await _first_root(computation, direction, onward, backward)
    else:
        less, greater, stop = await _class_order(computation, direction, onward, backward)
    unsettled = await running_products(computation, (1 - stop) % PRIME)
    before = np.concatenate([numbers([1]), unsettled[:-1]])
    return await computation.reduce(((less - greater) * before).sum(keepdims=True))


async def _first_root(
    computation: Computation, direction: ByRoot, onward: Numbers, backward: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    roots = numbers(np.asarray(direction.roots, dtype=np.int64))
    here, there = onward @ roots % PRIME, backward @ roots % PRIME
    both = await computation.reduce(here * there)
    return here, there, (here + there - both) % PRIME


async def _class_order(
    computation: Computation, direction: ByClass, onward: Numbers, backward: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    classes = np.asarray(direction.classes)
    indicator = numbers((classes[:, None] == np.arange(classes.max() + 1)).astype(np.int64))
    here, there = onward @ indicator % PRIME, backward @ indicator % PRIME
    # Share of "class g or a higher one" of the other reading, less that of g itself.
    above = (np.cumsum(there[:, ::-1], axis=1)[:, ::-1] - there) % PRIME
    below = (np.cumsum(there, axis=1) - there) % PRIME
    ahead = await computation.reduce(
        np.stack([(here * above).sum(axis=1), (here * below).sum(axis=1)])
    )
    less, greater = ahead if direction.sorts_before_reverse else ahead[::-1]
    return less, greater, (less + greater) % PRIME
