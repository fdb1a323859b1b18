"""The law of one vertex pair: what it shows when unlinked, and how far a link is believed.

Theory of operation. Each vertex pair is in one of ``states + 1`` states: *off* (no copy pair is on
the walk) or one of ``states`` *patterns* (which copy pairs are, and in which of several walks). An
unlinked pair draws its state from a public law: a pattern with probability ``on``, each pattern
alike, else *off*. A link shows its true state, except that with probability ``doubt`` it
is treated like an unlinked pair. Everything this package publishes is this one law:

| policy | states | on | doubt |
|---|---|---|---|
| one-sided, one copy, one walk | 1 | the chaff rate | 0 |
| joint copies | the patterns | the chaff rate (balanced: 1 - 1/K) | 0 |
| T walks together | T | 1 - 1/K | 0 |
| two-sided | K - 1 | uniform | e^-epsilon (or more, see below) |

With independent coins every *copy* pair is a pair of its own, with one state besides *off*.

The loss follows in one line each. Let b be the chance that an unlinked pair shows the true
state. With the link the state shows with chance 1 - doubt + doubt b, so presence costs
ln((1 - doubt + doubt b) / b). Any other state shows doubt times as often with the link as without,
so absence costs ln(1 / doubt), and nothing if there is no other state.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.urn import Urn
from pathveil.errors import BadBudget
from pathveil.model.certificate import Adversary

NEVER = ExactProbability.rational(0)
ALWAYS = ExactProbability.rational(1)

FINEST = 8
"""Bits of a sketch's value where the rate is not rounder: it is then met within a few per cent."""

LEAST = 16
"""Values a state has at least, so that rounding moves no loss by more than 1/32."""

MOST_BITS = 32
"""Bits a value may have."""


@dataclass(frozen=True)
class PairLaw:
    """The public law of a vertex pair (or, with independent coins, of a copy pair).

    Parameters
    ----------
    on
        Chance that an unlinked pair looks as if on a walk.
    states
        How many states look like that, all equally likely.
    doubt
        Chance that a link is drawn as if it were not there. Zero: it is read back exactly.

    Examples
    --------
    >>> law = PairLaw.uniform(4)                   # 2 x 2 copies, each link used at most once
    >>> law.chance(on_walk=True).as_fraction
    Fraction(1, 5)
    """

    on: ExactProbability
    states: int = 1
    doubt: ExactProbability = NEVER

    @classmethod
    def uniform(cls, states: int) -> PairLaw:
        """Return the law in which all states, *off* among them, are equally likely."""
        return cls(ExactProbability.rational(Fraction(states, states + 1)), states)

    def value_bits(self) -> int:
        """Return the fewest bits that keep a dyadic law, or keep another within a per cent or so.

        >>> PairLaw.uniform(1).value_bits(), PairLaw.uniform(2).value_bits()
        (1, 8)
        """
        rate, off = self.on.as_fraction, self.on.complement()
        if rate is not None:
            bottom = rate.denominator
            if bottom.bit_count() == 1 and bottom.bit_length() - 1 <= FINEST:
                return bottom.bit_length() - 1
        bits = FINEST
        while min(self.on.digits(bits), off.digits(bits)) < LEAST and bits < MOST_BITS:
            bits += 1
        return bits

    def dyadic_size(self, bits: int) -> int:
        """Return how many of 2^bits values mean *on the walk*: the nearest number.

        >>> PairLaw(ExactProbability.rational(Fraction(1, 5))).dyadic_size(8)
        51
        """
        return (self.on.digits(bits + 1) + 1) >> 1

    def rounded(self, bits: int) -> PairLaw:
        """Return the nearest law whose chance is a whole number of 2^-bits.

        Raises
        ------
        BadBudget
            If nothing would be left for *on the walk*, or for *off*.
        """
        size = self.dyadic_size(bits)
        if not (1 <= size < 1 << bits and self.is_exact and self.states == 1):
            raise BadBudget(
                f"a chaff rate of {float(self.on):.3g} cannot be kept in values of {bits} bits; "
                "choose a rate further from 0 and 1"
            )
        return PairLaw(ExactProbability.rational(Fraction(size, 1 << bits)))

    def chance(self, *, on_walk: bool) -> ExactProbability:
        """Return the chance that an unlinked pair shows one given state."""
        if on_walk:
            return self.on.times(ExactProbability.rational(Fraction(1, self.states)))
        return self.on.complement()

    @property
    def is_exact(self) -> bool:
        """Whether links are always read back exactly."""
        return self.doubt.as_fraction == 0


class ReleaseLaw(Protocol):
    """How a release is drawn, as coins, losses and certificates ask for it. A policy is one.

    The members that say how copies are handed out are asked by :mod:`pathveil.chance.copies` alone.
    """

    @property
    def name(self) -> str:
        """What the policy is called, for messages."""

    @property
    def copies(self) -> int | None:
        """The public number of copies of each vertex; None where it is drawn."""

    @property
    def link_uses(self) -> int | None:
        """How often a walk uses a link at most, where coins of copies are thrown together."""

    @property
    def walks(self) -> int:
        """How many walks are published together."""

    @property
    def joint(self) -> bool:
        """Whether the coins of a vertex pair are thrown together: one draw for all its copies."""

    @property
    def states(self) -> int:
        """How many states of a drawn pair look as if on a walk."""

    @property
    def urn(self) -> Urn | None:
        """The urn that makes rates follow earlier releases; None where every release is fresh."""

    @property
    def copy_budget(self) -> Fraction | None:
        """The budget by which copies are drawn, if they are; None: no fakes."""

    @property
    def spanning(self) -> bool:
        """Whether it is promised that the walk visits every vertex exactly once."""

    def law(self) -> PairLaw:
        """Return the law of a vertex pair; with independent coins, of each copy pair."""

    def sentences(self) -> list[str]:
        """Return in plain words what is not protected."""

    def examples(self) -> tuple[Adversary, ...]:
        """Return adversaries with drawn copies that the certificate lists too."""
