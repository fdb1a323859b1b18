"""What is measured on a run, and how the measures of many runs are added up.

The functions here look at one run in the words of the package: a publication, a network, a walk.
They are the definitions; ``run_kernels`` computes the same for whole stints and is tested against
them. A :class:`Tally` holds whole numbers only, so adding tallies up in any order and any chunks
gives the same table bit for bit. Time on the clock is no such number and is kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pathveil.chance.intervals import Interval, bounded_mean, mean, proportion
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.reading.assemble import reconstruct


def order_confirmed(publication: Publication, network: Network, walk: Walk) -> Fraction:
    """Return 1 if the reading tells the first vertex, 1/2 on a tie, 0 if it tells the wrong end.

    *Paper*: "good output".
    """
    found = reconstruct(publication, network)
    if found.order == "either_way":
        return Fraction(1, 2)
    return Fraction(found.walk == walk)


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over runs, in whole numbers.

    Attributes
    ----------
    usable
        Runs in which no vertex was cut.
    told, tied, wrong
        Runs with an output whose order was read rightly, tied, read wrongly.
    read
        Runs whose bits give the walk back to someone who knows the network.
    struck
        Runs in which the step limit ended a search.
    """

    runs: int = 0
    usable: int = 0
    told: int = 0
    tied: int = 0
    wrong: int = 0
    read: int = 0
    struck: int = 0
    copies: int = 0
    copies_squared: int = 0
    pieces: int = 0
    cuts: int = 0
    steps: int = 0
    steps_squared: int = 0
    steps_most: int = 0

    def __add__(self, other: Tally) -> Tally:
        summed = {name: getattr(self, name) + getattr(other, name) for name in self.__slots__}
        return Tally(**{**summed, "steps_most": max(self.steps_most, other.steps_most)})

    @property
    def outputs(self) -> int:
        """Runs that gave a layered graph."""
        return self.told + self.tied + self.wrong

    def usable_share(self) -> Interval:
        """Return the share of usable maps."""
        return proportion(self.usable, self.runs)

    def order_share(self) -> Interval:
        """Return the mean order confirmed among runs with an output."""
        return self._order(self.outputs)

    def overall_order(self) -> Interval:
        """Return the mean order confirmed among all runs; no output counts nothing."""
        return self._order(self.runs)

    def _order(self, runs: int) -> Interval:
        doubled, squares = 2 * self.told + self.tied, 4 * self.told + self.tied
        return bounded_mean(doubled, squares, runs, most=2).halved()

    def mean_copies(self) -> Interval:
        """Return the mean number of copies."""
        return mean(self.copies, self.copies_squared, self.runs)

    def mean_steps(self) -> Interval:
        """Return the mean number of search steps."""
        return mean(self.steps, self.steps_squared, self.runs)


@dataclass(frozen=True, slots=True)
class Clock:
    """Time spent in the engine: nanoseconds over stints, and the sum of their squares."""

    stints: int = 0
    nanoseconds: int = 0
    squared: int = 0

    def __add__(self, other: Clock) -> Clock:
        return Clock(
            self.stints + other.stints,
            self.nanoseconds + other.nanoseconds,
            self.squared + other.squared,
        )

    @classmethod
    def of(cls, nanoseconds: int) -> Clock:
        """Return the clock of one stint."""
        return cls(1, nanoseconds, nanoseconds * nanoseconds)

    def seconds(self, runs: int) -> Interval:
        """Return the mean time of a run, its interval from the scatter of the stints."""
        stint = mean(self.nanoseconds, self.squared, self.stints)
        scale = self.stints / runs / 1e9
        return Interval(stint.value * scale, stint.low * scale, stint.high * scale)
