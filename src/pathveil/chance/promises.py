"""The words beside the figures: what the paper claims, and what is not protected at all.

Plain sentences for whoever receives a publication. They depend on the policy and the layering
alone, never on the walk. The figures they quote are computed, not typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pathveil.chance.exact_loss import Price
from pathveil.chance.exponential import ExactProbability
from pathveil.chance.policy import Policy
from pathveil.model.publication import Layering, Loss

READ = "Whoever knows the whole network reads the walk: that is the purpose."
ODDS = (
    "A loss bounds how far this release moves the odds of an adversary who does not know an edge; "
    "what he can guess without the release he can still guess."
)
ABSENCE = "That two vertices are NOT linked is not protected: an output can rule an edge out."
BARE = "Edges that are not on the walk are bare: who looks sees them."
DRAWN_COPIES = (
    "The number of copies of a vertex is drawn from a range that begins at its number of visits: "
    "s copies prove at most s visits, and the largest number is seen."
)
COPIES_MULTIPLY = (
    "With s and t copies of its ends and r uses, a walk edge costs r times the walk-edge loss plus "
    "(s t - r) times the other-edge loss: without bound as visits grow."
)
DIRECTION = (
    "The direction bit is published as it is: whether the first end of the walk sorts before the "
    "last. Who knows one end may learn which side of it the other sorts."
)
LAYOUT = (
    "The layout is drawn in the walk's order: who tries out the ways the known pieces of the walk "
    "may join tells them apart by it. The finite losses above are those of the bits alone."
)
AGAIN = (
    "Fresh releases add up: ten of the same walk cost ten times as much. Releases of different "
    "walks over the same network add up edge by edge."
)


@dataclass(frozen=True)
class Claims:
    """The paper's claims for its own policy, each with our verdict; empty for other policies."""

    edge: str = ""
    other: str = ""
    copied: str = ""
    copies: str = ""
    whole: str = ""


def claimed(*budgets: Fraction | None) -> Loss:
    """Return the sum of the budgets and ln 2: Lemma 2 with one budget, Theorem 1 with both.

    >>> str(claimed(Fraction(1)))
    '1 + ln 2 = 1.6932'
    """
    total = sum((budget for budget in budgets if budget is not None), Fraction(0))
    return Price.of(ExactProbability.exponential(-total, weight=2)).loss()


def claims(policy: Policy) -> Claims:
    """Return what the paper claims of a policy, and whether it holds."""
    if policy.name != "paper":
        return Claims()
    if policy.edge is None:
        edge = other = copied = "no claim: the paper's lemmas need an edge budget"
    else:
        lemma = f"Lemma 2: {claimed(policy.edge)} both ways"
        edge = f"{lemma}; holds one way (loose by {policy.edge / 2} or more), refuted the other"
        other = edge
        copied = f"{lemma}; refuted: every copy pair costs"
    budget = "off" if policy.vertex is None else str(policy.vertex)
    copies = f"Lemma 1: vertex budget {budget}; refuted: the possible numbers depend on the visits"
    whole = "no claim: Theorem 1 needs both budgets"
    if policy.vertex is not None and policy.edge is not None:
        total = claimed(policy.vertex, policy.edge)
        whole = f"Theorem 1: {total} both ways; refuted: the layout uses the walk's order"
    return Claims(edge, other, copied, copies, whole)


def not_protected(policy: Policy, *, layering: Layering, universe: int | None) -> tuple[str, ...]:
    """Return in plain words what the certificate does not promise."""
    lines = [READ, ODDS]
    if policy.epsilon is None:
        lines.append(ABSENCE)
    else:
        lines.append(
            "Reading back is not certain: every edge's bit is drawn afresh with probability "
            f"{_rate(policy.law().doubt)}, and the most likely walk may be a wrong one."
        )
    if policy.name == "sealed" or (policy.name == "paper" and policy.edge is None):
        lines.append(BARE)
    if policy.name == "labelled":
        lines += _bare_labels(policy)
    lines += _copies_lines(policy)
    lines.append(DIRECTION if layering == "exact" else LAYOUT)
    if universe is not None:
        lines.append(
            f"Only the {universe} pairs of the public universe have coins; every other pair is "
            "published as if on the walk and known to be no edge."
        )
    lines.append(AGAIN)
    return tuple(lines)


def _bare_labels(policy: Policy) -> list[str]:
    lines = []
    for first, second, rate in policy.rates:
        if rate == 1:
            lines.append(f"Other edges between {first} and {second} are bare: their rate is 1.")
        if rate == 0:
            lines.append(f"Walk edges between {first} and {second} are bare: their rate is 0.")
    return lines


def _copies_lines(policy: Policy) -> list[str]:
    if policy.name == "paper":
        return [DRAWN_COPIES, COPIES_MULTIPLY]
    assert policy.copies is not None
    lines = [f"No vertex is visited more than {_times(policy.copies)}: that number is public."]
    if policy.spanning:
        lines.append("The walk visits every vertex exactly once: the policy says so.")
    if policy.edge_uses is not None:
        lines.append(f"No edge is used more than {_times(policy.edge_uses)}: the policy says so.")
    if policy.walks > 1:
        lines.append(f"The {policy.walks} walks published together share no edge.")
    return lines


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _rate(doubt: ExactProbability) -> str:
    return f"{float(doubt):.4g}"
