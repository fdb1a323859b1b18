"""A kind of policy with its public numbers: the laws it draws by, and the terms it states.

What any policy does once it is made; how one is made is in :mod:`pathveil.chance.policy.named`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.chance.policy.kind import Labels, PolicyKind, Shared
from pathveil.model.patterns import pattern_count, pattern_table
from pathveil.model.policy_terms import PolicyTerms


@dataclass(frozen=True)
class StatedPolicy:
    """How copies and coins are drawn, and how a publication says so.

    Fields are the parameters of :class:`pathveil.Policy`, which has the constructors.
    """

    kind: PolicyKind
    copies: int | None = 1
    edge_uses: int | None = None
    walks: int = 1
    value_bits: int | None = None

    # -- the law --------------------------------------------------------------------------------

    @property
    def noisy(self) -> bool:
        """Whether bits of edges may be wrong, so that the walk is read by likelihood."""
        return self.kind.noisy

    @property
    def joint(self) -> bool:
        """Whether the coins of a vertex pair are thrown together: one draw for all its copies."""
        if self.walks > 1:
            return True
        several = self.copies is not None and self.copies > 1
        return several and (self.edge_uses is not None or self.kind.always_joint)

    @property
    def states(self) -> int:
        """How many states of a drawn pair look as if on a walk."""
        if not self.joint:
            return 1
        assert self.copies is not None, "drawn copies are never joint"
        return self.walks * pattern_count(self.copies, self.edge_uses)

    def law(self, first: str | None = None, second: str | None = None) -> PairLaw:
        """Return the law of a vertex pair, by the labels of its ends where there are labels.

        With independent coins (:attr:`joint` is False) it is the law of each copy pair.
        """
        labels = None if first is None or second is None else (first, second)
        law = self.kind.law(self.states, labels)
        return law if self.value_bits is None else law.rounded(self.value_bits)

    @cached_property
    def label_pairs(self) -> tuple[Labels, ...]:
        """Pairs of public labels, each with a law of its own; empty if all pairs are alike."""
        return tuple(combinations_with_replacement(self.kind.labels, 2))

    def laws(self) -> tuple[tuple[Labels | None, PairLaw], ...]:
        """Return every law in use, with the labels it is for; None where all pairs are alike."""
        pairs: tuple[Labels | None, ...] = self.label_pairs or (None,)
        return tuple((pair, self.law(*(pair or ()))) for pair in pairs)

    @property
    def chaff(self) -> ExactProbability:
        """The probability that a copy pair that is no edge is published as if on the walk."""
        law = self.law()
        if not self.joint:
            return law.on
        assert self.copies is not None
        pairs = self.copies**2
        if self.edge_uses is None:
            mean = Fraction(1 << (pairs - 1), (1 << pairs) - 1)
        else:
            mean = Fraction(int(pattern_table(self.copies, self.edge_uses)[:, 0].sum()))
            mean /= pattern_count(self.copies, self.edge_uses)
        return law.on.times(ExactProbability.rational(mean / self.walks))

    # -- as text --------------------------------------------------------------------------------

    @property
    def shared(self) -> Shared:
        """The public numbers that do not belong to the kind."""
        return Shared(self.copies, self.edge_uses, self.walks)

    def sentences(self) -> list[str]:
        """Return in plain words what the policy does not protect."""
        return self.kind.sentences(self.shared)

    def terms(self) -> PolicyTerms:
        """Return the policy as a publication states it."""
        found = list(self.kind.parameters())
        if self.copies is not None:
            found.append(("copies", str(self.copies)))
        if self.edge_uses is not None and self.kind.takes_edge_uses:
            found.append(("edge_uses", str(self.edge_uses)))
        if self.walks > 1:
            found.append(("walks", str(self.walks)))
        if self.value_bits is not None:
            found.append(("value_bits", str(self.value_bits)))
        return PolicyTerms(self.kind.name, tuple(found), self.kind.noisy)
