"""Differential privacy in the usual sense: presence and absence protected, reading uncertain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.errors import BadBudget
from pathveil.policies.base import LIKELY, Number, PolicyKind, Shared, exact_number


@dataclass(frozen=True)
class TwoSided(PolicyKind):
    """No link costs more than epsilon, either way: that it is there, or that it is not.

    With one copy of each vertex a link's bit is wrong with probability e^-epsilon / 2.
    """

    epsilon: Fraction
    spanning: bool

    name = "two_sided"
    summary = "Hides absent links too, but readers get the likeliest walk, not the certain one."
    example = "epsilon=3"
    names = frozenset({"epsilon", "spanning"})
    noisy = True

    @classmethod
    def of(cls, epsilon: Number, *, spanning: bool = False) -> Self:
        """Return the kind with this budget."""
        return cls(exact_number(epsilon, what="epsilon"), spanning)

    def law(self, states: int) -> PairLaw:
        """Return the law with the least doubt that keeps to epsilon both ways.

        *Privacy*: with one copy absence costs ln(1/doubt) = epsilon, and presence ln(2 - doubt),
        which is less.
        """
        return replace(PairLaw.uniform(states), doubt=ExactProbability.exponential(self.epsilon))

    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return epsilon, and the promise if it is made."""
        return (
            ("epsilon", str(self.epsilon)),
            *((("spanning", "yes"),) if self.spanning else ()),
        )

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind of a stated budget."""
        spanning = given.get("spanning", "no")
        if spanning not in ("yes", "no"):
            raise BadBudget(f"spanning is {spanning!r}; expected yes or no")
        return cls.of(given["epsilon"], spanning=spanning == "yes")

    def sentences(self, shared: Shared) -> list[str]:
        """Return what is not protected: the reading itself is uncertain."""
        doubt = self.law(1).doubt
        uncertain = (
            "Reading back is not certain: every link's bit is drawn afresh with probability "
            f"{float(doubt):.4g}, and the most likely walk may be a wrong one."
        )
        return [LIKELY, uncertain, *self.copy_sentences(shared)]
