"""Chaff that remembers: the rate of a pair follows how often it was shown before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw, ReleaseLaw
from pathveil.chance.urn import Urn
from pathveil.errors import BadBudget
from pathveil.policies.kinds import ABSENCE, READ, Number, PolicyKind, exact_number

LIKE_LINKS = 4
"""Balls for *on the walk* if only the usage is given: chaff is then shown about as unevenly as the
links of a network are used."""

STRUCTURE = (
    "Chaff is drawn pair by pair; walks are paths. An outsider who has every file of the series "
    "and looks for links that form one path in each release may read walks once links have been "
    "used once or twice each on average; from half a use on if he knows many links, or if chaff is "
    "shown much more often than links are. Publish few walks this way."
)
NEEDS_USAGE = (
    "the remembering policy needs the share of walks that a link is expected to lie on: write "
    "policy remembering:usage=0.15; `pathveil plan` finds the number"
)
JOINS = (
    "Someone who knows every link but one may need no odds: a link on two walks or more is often "
    "the only one that fits the gaps of all of them, whatever the coins."
)


@dataclass(frozen=True)
class Remembering(PolicyKind):
    """Polya's urn: chaff shown in k of t releases is shown next at rate (k + on) / (t + on + off).

    ``usage=u`` sets on = 4 and off = 4 (1 - u) / u.
    """

    on: Fraction
    off: Fraction

    name = "remembering"
    summary = "For many walks over one network: later chaff repeats what earlier files showed."
    always_joint = True
    example = "usage=0.15"
    names = frozenset({"on", "off", "usage"})

    @classmethod
    def of(cls, *, prior: tuple[Number, Number] | None = None, usage: Number | None = None) -> Self:
        """Return the kind with a prior, or centred at a usage."""
        if usage is None:
            if prior is None:
                raise BadBudget(NEEDS_USAGE)
            on, off = prior
            return cls(exact_number(on, what="the prior"), exact_number(off, what="the prior"))
        if prior is not None:
            raise BadBudget("a prior and a usage both say where the urn begins; give one of them")
        share = exact_number(usage, what="the usage")
        if share >= 1:
            raise BadBudget(
                f"a usage of {share}; give the share of walks that a link is expected to lie on, "
                "between 0 and 1"
            )
        return cls(Fraction(LIKE_LINKS), LIKE_LINKS * (1 - share) / share)

    def __post_init__(self) -> None:
        self.urn.require_drawable(0)

    @property
    def urn(self) -> Urn:
        """The urn every unlinked pair is drawn from."""
        return Urn(self.on, self.off)

    def law(self, states: int) -> PairLaw:
        """Return the law of one release, seen alone: the urn's mean."""
        return PairLaw(ExactProbability.rational(self.urn.rate(0, 0)), states)

    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return the urn's balls at the beginning."""
        return (("on", str(self.on)), ("off", str(self.off)))

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind of a stated urn, ``on`` and ``off``, or of a usage."""
        prior = None
        if "on" in given or "off" in given:
            prior = (given["on"], given["off"])
        return cls.of(prior=prior, usage=given.get("usage"))

    def sentences(self, shared: ReleaseLaw) -> list[str]:
        """Return what is not protected: structure, and joins."""
        return [READ, ABSENCE, *self.copy_sentences(shared), JOINS, STRUCTURE]
