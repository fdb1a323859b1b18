"""The default: a fair coin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from pathveil.chance.law import PairLaw
from pathveil.chance.policy.kind import Labels, PolicyKind


@dataclass(frozen=True)
class Balanced(PolicyKind):
    """All states equally likely: ln 2 for a walk edge and for any other, with one copy."""

    name = "balanced"

    def law(self, states: int, labels: Labels | None = None) -> PairLaw:
        """Return the uniform law."""
        del labels
        return PairLaw.uniform(states)

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return it; it has no parameter of its own."""
        del given
        return cls()
