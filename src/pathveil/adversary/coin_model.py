"""What an adversary knows of the coins: how likely a pair that is no edge shows what it shows.

Policies are public, so this is common knowledge. With independent coins every copy pair has its
own; with joint coins the copy pairs of a vertex pair show one of K states together; rates may go by
public labels. Chances are floats: an adversary needs no more digits than he can act on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pathveil.chance.policy import Policy


@dataclass(frozen=True)
class CoinModel:
    """The law of pairs that are no edge, seen in the bits of one walk."""

    policy: Policy

    def chance(self, first: str, second: str, *, clear: int, pairs: int) -> float:
        """Return the chance that the pair shows one given pattern of its copy pairs.

        Parameters
        ----------
        clear
            How many of them the pattern shows in different branches.
        pairs
            How many copy pairs there are.

        Examples
        --------
        >>> CoinModel(Policy.balanced()).chance("a", "b", clear=1, pairs=1)
        0.5
        >>> CoinModel(Policy.balanced(copies=2, edge_uses=1)).chance("a", "b", clear=1, pairs=4)
        0.2
        """
        on, states = self._law(first, second)
        if not self.policy.joint:
            return on**clear * (1 - on) ** (pairs - clear)
        if clear == 0:
            # The state may show in the bits of another walk of the same release.
            return 1 - on / self.policy.walks
        uses = self.policy.edge_uses
        return 0.0 if uses is not None and clear > uses else on / states

    @cached_property
    def shows_everything(self) -> bool:
        """Whether every pattern has a chance, so that no bits prove an edge."""
        if self.policy.joint and (self.policy.label_pairs or self.policy.edge_uses is not None):
            return False
        return all(0 < float(law.on) < 1 for _, law in self.policy.laws())

    def _law(self, first: str, second: str) -> tuple[float, int]:
        if not self.policy.label_pairs:
            return self._common
        law = self.policy.law(*map(self.policy.kind.label_of, (first, second)))
        return float(law.on), law.states

    @cached_property
    def _common(self) -> tuple[float, int]:
        law = self.policy.law()
        return float(law.on), law.states
