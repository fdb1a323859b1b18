"""The paper's policy: Alg. 1 draws copies by the vertex budget, Alg. 2 coins by the link budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import ALWAYS, PairLaw, ReleaseLaw
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.errors import BadBudget
from pathveil.model.certificate import Adversary, CertificateRow, Loss
from pathveil.policies.kinds import ABSENCE, READ, UNPROTECTED, Number, PolicyKind, exact_number

DRAWN_COPIES = (
    "The number of copies of a vertex is drawn from a range that begins at its number of visits: "
    "s copies prove at most s visits, and from three on the largest number is that of the most "
    "visits."
)
PLAIN_COPIES = (
    "A vertex has as many copies as visits, and one if it was not visited: the copies show how "
    "often a vertex was visited, if more than once."
)
COPIES_MULTIPLY = (
    "With s and t copies of its ends and r uses, a walk link costs r times the walk-link loss plus "
    "(s t - r) times the other-link loss: without bound as visits grow."
)
OFF = "off"
TWO = (2, 2)


@dataclass(frozen=True)
class Paper(PolicyKind):
    """Budgets as the paper has them; ``off`` (in Python None) switches a step off.

    Without ``vertex`` no fake copies are made, without ``link`` every unlinked pair counts as on
    the walk.
    """

    vertex: Fraction | None
    link: Fraction | None

    name = "paper"
    summary = "The paper's mechanism, to reproduce it: its drawings can give a link away."
    draws_copies = True
    example = "vertex=1,link=1"
    names = frozenset({"vertex", "link"})

    @classmethod
    def of(cls, *, vertex: Number | None, link: Number | None) -> Self:
        """Return the kind with these budgets."""
        return cls(_budget(vertex, "the vertex budget"), _budget(link, "the link budget"))

    def law(self, states: int) -> PairLaw:
        """Return the paper's coin, 1 / (1 + e^(link/2))."""
        if self.link is None:
            return PairLaw(ALWAYS, states)
        return PairLaw(ExactProbability.logistic(self.link / 2), states)

    @property
    def copy_budget(self) -> Fraction | None:
        """The vertex budget."""
        return self.vertex

    # -- terms ----------------------------------------------------------------------------------

    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return both budgets."""
        return (("vertex", _text(self.vertex)), ("link", _text(self.link)))

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind of stated budgets."""
        if not cls.names <= given.keys():
            raise BadBudget(
                f"the paper policy needs both budgets; write for instance paper:{cls.example}, or "
                "without copies, as the paper advises for acyclic paths, paper:vertex=off,link=1"
            )
        vertex, link = (None if given[key] == OFF else given[key] for key in ("vertex", "link"))
        return cls.of(vertex=vertex, link=link)

    # -- words ----------------------------------------------------------------------------------

    def sentences(self, shared: ReleaseLaw) -> list[str]:
        """Return what is not protected: copies tell visits, and multiply the loss."""
        del shared
        open_links = [UNPROTECTED] if self.link is None else []
        copies = PLAIN_COPIES if self.vertex is None else DRAWN_COPIES
        return [READ, ABSENCE, *open_links, copies, COPIES_MULTIPLY]

    def examples(self) -> tuple[Adversary, ...]:
        """Return links whose ends have two copies each."""
        used = (Adversary(walk_links=1, uses=uses, copies=TWO) for uses in (1, 2, 3))
        return (*used, Adversary(other_links=1, copies=TWO))

    def paper_claim(self, row: CertificateRow) -> str:
        """Return what the paper claims of a row, with our verdict."""
        who = row.adversary
        if who.kind == "knows-direction":
            return ""
        if who.kind == "counts-copies":
            if self.vertex is None:
                return "no claim: Lemma 1 needs a vertex budget"
            return (
                f"Lemma 1: vertex budget {_text(self.vertex)}; holds between worlds of the same "
                "visits, where it is empty; refuted for this one: the possible numbers depend on "
                "the visits"
            )
        if who.releases > 1 or who.walk_links + who.other_links > 1:
            return ""
        if self.link is None:
            return "no claim: the paper's lemmas need a link budget"
        lemma = f"Lemma 2: {claimed_loss(self.link)} both ways"
        if who.copies == TWO:
            above = float(row.presence) > float(claimed_loss(self.link))
            ways = "refuted both ways: every copy pair costs" if above else "refuted one way"
            return f"{lemma}; {ways}" if who.walk_links else ""
        return f"{lemma}; holds one way (loose by {self.link / 2} or more), refuted the other"

    def claimed(self) -> tuple[str, Loss] | None:
        """Return Theorem 1, Lemma 2 where the vertex budget is off, nothing without link budget."""
        if self.link is None:
            return None
        whose = "Lemma 2" if self.vertex is None else "Theorem 1"
        return whose, claimed_loss(self.vertex, self.link)


def _budget(value: Number | None, what: str) -> Fraction | None:
    """Return a budget, None for a step that is switched off."""
    try:
        return None if value is None else exact_number(value, what=what)
    except BadBudget as error:
        raise BadBudget(f"{error}; or {OFF} (in Python None) to leave that step out") from None


def claimed_loss(*budgets: Fraction | None) -> Loss:
    """Return the sum of the budgets and ln 2: Lemma 2 with one budget, Theorem 1 with both.

    >>> str(claimed_loss(Fraction(1)))
    '1 + ln 2 = 1.6932'
    """
    total = sum((budget for budget in budgets if budget is not None), Fraction(0))
    return ExactLoss.of(ExactProbability.exponential(-total, weight=2)).loss()


def _text(value: Fraction | None) -> str:
    return OFF if value is None else str(value)
