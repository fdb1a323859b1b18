"""Fresh coins: balanced (the default, a fair coin), sealed, and any point of the frontier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import ALWAYS, PairLaw
from pathveil.errors import BadBudget
from pathveil.policies.base import (
    ABSENCE,
    READ,
    UNPROTECTED,
    Number,
    PolicyKind,
    Shared,
    exact_number,
)


@dataclass(frozen=True)
class Balanced(PolicyKind):
    """All states equally likely: ln 2 for a walk link and for any other, with one copy."""

    name = "balanced"
    summary = "The default: fair coins hide links on the walk and off it equally well."

    def law(self, states: int) -> PairLaw:
        """Return the uniform law."""
        return PairLaw.uniform(states)

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return it; it has no parameter of its own."""
        del given
        return cls()


OFF_WALK_ABSENCE = (
    "That two vertices are NOT linked off the walk is not protected: an output rules such a link "
    "out. Whether a pair is a walk link or no link is not told by its bit."
)


@dataclass(frozen=True)
class Sealed(PolicyKind):
    """Every unlinked pair looks as if on the walk.

    With one copy of each vertex a walk link has loss 0, both ways. With copies an absent pair
    shows one of the patterns a walk link might show, so a walk link costs the logarithm of their
    number: ln 4 at two copies and ``link_uses=1``.
    """

    name = "sealed"
    summary = "Hides the walk's links best; every other link of the network becomes public."
    always_joint = True

    def law(self, states: int) -> PairLaw:
        """Return the law that never says *off*."""
        return PairLaw(ALWAYS, states)

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return it; it has no parameter of its own."""
        del given
        return cls()

    def sentences(self, shared: Shared) -> list[str]:
        """Return what is not protected: the other links, and with several patterns absence."""
        absence = OFF_WALK_ABSENCE if (shared.copies, shared.walks) == (1, 1) else ABSENCE
        return [READ, absence, UNPROTECTED, *self.copy_sentences(shared)]


@dataclass(frozen=True)
class Frontier(PolicyKind):
    """With one copy of each vertex a walk link costs ``walk_loss``, another the least possible."""

    walk_loss: Fraction

    name = "frontier"
    summary = "Choose how much a link of the walk may lose; links off the walk pay the rest."
    example = "walk_loss=1/2"
    names = frozenset({"walk_loss"})

    @classmethod
    def of(cls, walk_loss: Number) -> Self:
        """Return the kind with this walk-link loss."""
        return cls(exact_number(walk_loss, what="the walk loss"))

    def law(self, states: int) -> PairLaw:
        """Return the law in which each on-walk state has chance e^-walk_loss."""
        on = ExactProbability.exponential(self.walk_loss, weight=states)
        if not on.at_most(ALWAYS):
            raise BadBudget(
                f"the walk loss is {self.walk_loss}, but a link can look on-walk in {states} "
                f"ways here: that costs at least ln {states}; give a larger loss, fewer "
                "copies or link_uses"
            )
        return PairLaw(on, states)

    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return the loss."""
        return (("walk_loss", str(self.walk_loss)),)

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind of a stated loss."""
        return cls.of(given["walk_loss"])
