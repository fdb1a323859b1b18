"""What the parties agree on, what one puts in, what one learns: plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from pathveil.recovery.exchange.computation import Opening
from pathveil.recovery.exchange.direction import Direction

Learn = Literal["walk", "own"]

CHALLENGES = 2
"""Numbers of the challenge: 122 bits."""


@dataclass(frozen=True)
class Agreement:
    """What is public before the exchange, and the same for all parties.

    Attributes
    ----------
    size
        How many positions are published.
    held
        The positions of the vertices each party answers for.
    link_places
        How many pairs of positions each party may put in as the holder of links rather than of
        vertices. Places not used are filled up, so this is a public bound, not a count.
    direction
        What tells the first end.
    learn
        Whether everybody learns the walk, or each party its own places only.
    length
        Whether the number of visits is opened besides.
    longest
        Visits of the longest walk that can be read: the number of rounds. All positions if None.
    """

    size: int
    held: tuple[tuple[int, ...], ...]
    link_places: tuple[int, ...]
    direction: Direction
    learn: Learn = "own"
    length: bool = False
    longest: int | None = None

    @property
    def steps(self) -> int:
        """How many visits are computed, needed or not."""
        return self.size if self.longest is None else min(self.longest, self.size)

    def numbers_of(self, party: int) -> int:
        """How many numbers a party puts in."""
        places = self.link_places[party]
        return (len(self.held[party]) + 2 * places) * self.size + places + 2 + CHALLENGES


@dataclass(frozen=True, repr=False)
class Statuses:
    """One party's secret input. The repr is silent.

    Attributes
    ----------
    rows
        For each position it holds, in the agreement's order, the positions linked to it on the
        walk: zeros and ones.
    links
        As the holder of links: (position, position, on the walk?).
    """

    rows: npt.NDArray[np.bool_]
    links: tuple[tuple[int, int, bool], ...] = ()

    def __repr__(self) -> str:
        return f"<Statuses: {len(self.rows)} rows, {len(self.links)} link places>"


@dataclass(frozen=True)
class Learnt:
    """What one party knows after the exchange, beyond what it put in.

    Attributes
    ----------
    places
        Place on the walk, from 1, of each position whose place was opened to this party; 0 means
        off the walk. All positions if everybody learns the walk.
    steps
        For each of its links that is on the walk, the two places.
    length
        Visits of the walk, if opened.
    order
        "tie" if the direction is not told, else "told".
    opened
        Everything that became known to anybody, by name.
    """

    places: dict[int, int]
    steps: tuple[tuple[int, int], ...] = ()
    length: int | None = None
    order: Literal["told", "tie"] = "told"
    opened: tuple[Opening, ...] = field(default=(), compare=False)
