"""The law of one vertex pair: what it shows when it is no link, and how far a link is believed.

Theory of operation. Each vertex pair is in one of ``states + 1`` states: *off* (no copy pair is on
the walk) or one of ``states`` *patterns* (which copy pairs are, and in which of several walks). A
pair that is no link draws its state from a public law: a pattern with probability ``on``, each
pattern alike, else *off*. A link shows its true state, except that with probability ``doubt`` it
is treated like a pair that is none. Everything this package publishes is this one law:

| policy | states | on | doubt |
|---|---|---|---|
| one-sided, one copy, one walk | 1 | the chaff rate | 0 |
| joint copies, T walks together | T times the patterns | the chaff rate (balanced: 1 - 1/K) | 0 |
| two-sided | K - 1 | uniform | e^-epsilon (or more, see below) |

With independent coins every *copy* pair is a pair of its own, with one state besides *off*.

The loss follows in one line each. Let b be the chance that a pair that is no link shows the true
state. With the link the state shows with chance 1 - doubt + doubt b, so presence costs
ln((1 - doubt + doubt b) / b). Any other state shows doubt times as often with the link as without,
so absence costs ln(1 / doubt), and nothing if there is no other state.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pathveil.chance.exponential import ExactProbability
from pathveil.errors import BadBudget

NEVER = ExactProbability.rational(0)
ALWAYS = ExactProbability.rational(1)


@dataclass(frozen=True)
class PairLaw:
    """The public law of a vertex pair (or, with independent coins, of a copy pair).

    Parameters
    ----------
    on
        Chance that a pair that is no link looks as if on a walk.
    states
        How many states look like that, all equally likely.
    doubt
        Chance that a link is drawn as if it were none. Zero: it is read back exactly.

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

    @classmethod
    def two_sided(cls, epsilon: Fraction, states: int) -> PairLaw:
        """Return the law with the least doubt whose losses are at most epsilon both ways.

        *Privacy*: uniform states. Absence costs ln(1/doubt) <= epsilon, and presence
        ln(K - (K-1) doubt) <= epsilon with K = states + 1. The first asks doubt >= e^-epsilon,
        the second doubt >= (K - e^epsilon)/(K - 1), which is the larger one exactly when
        e^epsilon < K - 1. With K = 2 (one copy) it is always the first.
        """
        doubt = ExactProbability.exponential(epsilon)
        if ExactProbability.exponential(-epsilon).at_most(ExactProbability.rational(states)):
            doubt = ExactProbability.ratio([(0, states + 1), (epsilon, -1)], [(0, states)])
        return cls(PairLaw.uniform(states).on, states, doubt)

    def dyadic_size(self, bits: int) -> int:
        """Return how many of 2^bits values each on-walk state gets: the nearest number.

        Of several states each gets the number below, so that all of them together leave *off* at
        least its share.

        >>> PairLaw.uniform(4).dyadic_size(8)
        51
        """
        each = self.on.times(ExactProbability.rational(Fraction(1, self.states)))
        return each.digits(bits) if self.states > 1 else (each.digits(bits + 1) + 1) >> 1

    def rounded(self, bits: int) -> PairLaw:
        """Return the nearest law whose states have whole numbers of 2^bits equal chances.

        The on-walk states stay alike; *off* takes what is left.

        Raises
        ------
        BadBudget
            If a state would be left without any, or off.
        """
        each = self.dyadic_size(bits)
        if not (each >= 1 and each * self.states < 1 << bits and self.is_exact):
            raise BadBudget(
                f"a chaff rate of {float(self.on):.3g} shared by {self.states} states cannot be "
                f"kept in values of {bits} bits; choose a rate further from 0 and 1, or fewer "
                "copies and walks"
            )
        on = Fraction(each * self.states, 1 << bits)
        return PairLaw(ExactProbability.rational(on), self.states)

    def chance(self, *, on_walk: bool) -> ExactProbability:
        """Return the chance that a pair that is no link shows one given state."""
        if on_walk:
            return self.on.times(ExactProbability.rational(Fraction(1, self.states)))
        return self.on.complement()

    @property
    def is_exact(self) -> bool:
        """Whether links are always read back exactly."""
        return self.doubt.as_fraction == 0
