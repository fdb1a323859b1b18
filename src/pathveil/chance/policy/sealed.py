"""Walk edges look like pairs that are none, the others are bare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from pathveil.chance.law import ALWAYS, PairLaw
from pathveil.chance.policy.kind import ABSENCE, BARE, READ, Labels, PolicyKind, Shared

OFF_WALK_ABSENCE = (
    "That two vertices are NOT linked off the walk is not protected: an output rules such an edge "
    "out. Whether a pair is a walk edge or no edge is not told by its bit."
)


@dataclass(frozen=True)
class Sealed(PolicyKind):
    """Every pair that is no edge looks as if on the walk.

    With one copy of each vertex a walk edge has loss 0, both ways. With copies an absent pair
    shows one of the patterns a walk edge might show, so a walk edge costs the logarithm of their
    number: ln 4 at two copies and ``edge_uses=1``.
    """

    name = "sealed"
    always_joint = True

    def law(self, states: int, labels: Labels | None = None) -> PairLaw:
        """Return the law that never says *off*."""
        del labels
        return PairLaw(ALWAYS, states)

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return it; it has no parameter of its own."""
        del given
        return cls()

    def sentences(self, shared: Shared) -> list[str]:
        """Return what is not protected: the other edges, and with several patterns absence."""
        absence = OFF_WALK_ABSENCE if (shared.copies, shared.walks) == (1, 1) else ABSENCE
        return [READ, absence, BARE, *self.copy_sentences(shared)]
