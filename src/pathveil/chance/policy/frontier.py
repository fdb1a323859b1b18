"""Any point of the frontier e^-a + e^-b = 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import ALWAYS, PairLaw
from pathveil.chance.policy.kind import Labels, Option, PolicyKind
from pathveil.chance.policy.numbers import Number, exact_number
from pathveil.errors import BadBudget


@dataclass(frozen=True)
class Frontier(PolicyKind):
    """With one copy of each vertex a walk edge costs ``walk_loss``, another the least possible."""

    walk_loss: Fraction

    name = "frontier"
    options = (
        Option(
            "walk_loss", "A", "frontier: loss of a walk edge (of a copy pair, if each has a coin)."
        ),
    )

    @classmethod
    def of(cls, walk_loss: Number) -> Self:
        """Return the kind with this walk-edge loss."""
        return cls(exact_number(walk_loss, what="the walk loss"))

    def law(self, states: int, labels: Labels | None = None) -> PairLaw:
        """Return the law in which each on-walk state has chance e^-walk_loss."""
        del labels
        on = ExactProbability.exponential(self.walk_loss, weight=states)
        if not on.at_most(ALWAYS):
            raise BadBudget(
                f"the walk loss is {self.walk_loss}, but an edge can look on-walk in {states} "
                f"ways here: that costs at least ln {states}; give a larger loss, fewer "
                "copies, edge_uses or walks"
            )
        return PairLaw(on, states)

    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return the loss."""
        return (("walk_loss", str(self.walk_loss)),)

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind of a stated loss."""
        return cls.of(given["walk_loss"])
