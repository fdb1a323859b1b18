"""Exact losses by adversary.

Neighbours. D is the network with the walk; D' is the same with some links unknown: they are drawn
as if they were not there, the visiting order stays. *Presence* is the loss D -> D',
ln max Pr[output | D] / Pr[output | D'], the odds an output can give for the links being there.
*Absence* is the loss D' -> D. A finite presence with an infinite absence is one-sided differential
privacy: that a link is there is protected, that it is not there is not.

What is counted. An output is the bits, the direction bit and, with them, any layout computed from
them; the adversary is granted all else, even which copy serves which visit. Pairs are drawn
independently, so losses of different links, and of fresh releases, add up exactly: the largest
ratio of a product is the product of the largest ratios. The law of a pair, from which each term
follows, is in :mod:`pathveil.chance.law`.

*A series.* A link on k of T walks of a series, with chaff drawn from the urn's law Q, loses the
length of its pattern's code word,

    -ln Q(x) = ln B(a, b) - ln B(k + a, T - k + b)   (+ k ln S: S patterns of copies)

whatever x with k uses; Q(x) is a ratio of whole numbers, so the loss is the logarithm of one. It
holds for links whose status never changes. A link that appears after t0 releases, k0 of which
showed the pair on a walk as chaff, loses what an urn that stands at (k0 + a, t0 - k0 + b) asks for
the rest: before, it *was* chaff in both worlds. Somebody who sees only some of the releases faces
the same formula with k and T counted over those, if walks and links do not depend on earlier
releases: the urn is exchangeable, and the digest of a release he has not is of a salt that he has
not (:mod:`pathveil.model.series`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw, ReleaseLaw
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.chance.urn import Urn
from pathveil.errors import BadBudget
from pathveil.model.certificate import ENDLESS, Adversary, CertificateRow, Loss


@dataclass(frozen=True)
class Missing:
    """A link that an adversary lacks.

    Parameters
    ----------
    on_walk
        Whether the walk uses it.
    uses
        How often the walk uses it (if it does).
    copies
        How many copies its two ends have; None means the policy's public number, and one for the
        paper's policy.
    """

    on_walk: bool
    uses: int = 1
    copies: tuple[int, int] | None = None


@dataclass(frozen=True)
class Losses:
    """What missing links lose in both directions."""

    presence: ExactLoss
    absence: ExactLoss

    def __add__(self, other: Losses) -> Losses:
        return Losses(self.presence + other.presence, self.absence + other.absence)

    def times(self, count: int) -> Losses:
        """Return the losses of ``count`` independent repetitions."""
        return Losses(self.presence.times(count), self.absence.times(count))


NOTHING = Losses(ExactLoss(), ExactLoss())


def losses_of(policy: ReleaseLaw, link: Missing) -> Losses:
    """Return the exact losses of one missing link in one release; those of several add up.

    *Privacy*: proved. Pairs are independent given the copies handed out, so sums are exact and not
    mere bounds.

    Examples
    --------
    >>> from pathveil import Policy
    >>> lost = losses_of(Policy.balanced(), Missing(on_walk=True)).times(3)
    >>> str(lost.presence.loss()), str(lost.absence.loss())
    ('3 ln 2 = 2.0795', 'infinite')
    >>> copied = Policy.balanced(copies=2, link_uses=1)
    >>> str(losses_of(copied, Missing(on_walk=True)).presence.loss())
    'ln 5 = 1.6095'
    """
    law = policy.law()
    if policy.joint:
        return _state_losses(law, on_walk=link.on_walk)
    first, second = link.copies or (policy.copies or 1, policy.copies or 1)
    uses = link.uses if link.on_walk else 0
    if not 0 <= uses <= first * second:
        raise ValueError(f"{uses} uses of a link with {first} x {second} copies")
    used = _state_losses(law, on_walk=True).times(uses)
    return used + _state_losses(law, on_walk=False).times(first * second - uses)


def _state_losses(law: PairLaw, *, on_walk: bool) -> Losses:
    """Return the losses of one drawn pair whose true state is an on-walk one, or *off*."""
    chance = law.chance(on_walk=on_walk)
    if chance.as_fraction == 1:
        return NOTHING
    kept = law.doubt.complement().times(chance.inverse()) if chance.top else chance.inverse()
    presence = ExactLoss.of(kept.plus(law.doubt) if chance.top else kept)
    return Losses(presence, ExactLoss.of(law.doubt.inverse()))


# -- a series ------------------------------------------------------------------------------------

LONGEST_LOGARITHM = 34
"""Characters of a logarithm that is printed as it is; a longer one is shown by Beta functions."""

SERIES = (
    "Rows that say of how many walks count all releases of this series together. To someone who "
    "sees only some of them, a link that was there from the start loses what it would in a series "
    "of those alone, provided that walks and links do not depend on earlier releases. A release "
    "outside the series over the same network, or a second series, adds its losses to these."
)
LATE = (
    "A pair that becomes a link during the series keeps its history as chaff. It may lose more "
    "than a link that was used as often from the first release on, because its rate had moved "
    "away from how it is used now. A pair that becomes a link again pays again."
)


def pattern_loss(urn: Urn, shown: int, releases: int, *, states: int = 1) -> Loss:
    """Return the loss of a link on ``shown`` of ``releases`` walks.

    ``states`` is how many patterns of copies *on the walk* can mean.

    >>> HALVES = Urn(Fraction(1, 2), Fraction(1, 2))
    >>> str(pattern_loss(HALVES, 0, 4)), str(pattern_loss(HALVES, 0, 100))
    ('ln(128/35) = 1.2967', 'ln B(1/2, 1/2) - ln B(1/2, 201/2) = 2.8763')
    """
    loss = exact_pattern_loss(urn, shown, releases, states=states).loss()
    if len(loss.expression) <= LONGEST_LOGARITHM:
        return loss
    after = urn.after(shown, releases)
    patterns = f" + {shown} ln {states}" if states > 1 and shown else ""
    words = f"ln B({urn.on}, {urn.off}) - ln B({after.on}, {after.off}){patterns}"
    return Loss(words, loss.decimal)


def exact_pattern_loss(urn: Urn, shown: int, releases: int, *, states: int = 1) -> ExactLoss:
    """Return the same as an exact number, to add up and to compare."""
    chance = urn.chance(shown, releases) / states**shown
    return ExactLoss.of(ExactProbability.rational(1 / chance))


def fresh_loss(policy: ReleaseLaw, releases: int) -> Loss:
    """Return what any link would have lost with fresh fair coins in every release."""
    uniform = ExactProbability.rational(policy.states + 1)
    return ExactLoss.of(uniform).times(releases).loss()


def urn_of(policy: ReleaseLaw) -> Urn:
    """Return the urn of a policy that remembers, or raise."""
    if policy.urn is None:
        raise BadBudget(
            f"the {policy.name} policy throws fresh coins in every release; a series needs "
            "Policy.remembering(usage=...) (--policy remembering:usage=...)"
        )
    return policy.urn


def series_rows(policy: ReleaseLaw, releases: int) -> list[CertificateRow]:
    """Return the public rows of a series of ``releases`` releases: functions of its terms alone."""
    urn, states = urn_of(policy), policy.states
    mean = urn.rate(0, 0) * releases
    typical = min(releases, int(mean + Fraction(1, 2)))
    costliest = urn.costliest(releases, states=states)
    counts = sorted({0, min(1, releases), min(2, releases), typical, costliest})
    rows = [
        CertificateRow(
            Adversary("series", on_walks=shown, releases=releases),
            pattern_loss(urn, shown, releases, states=states),
            ENDLESS,
        )
        for shown in counts
    ]
    if releases > 1:
        # What a late link shows has the chance of a whole pattern over that of its beginning: it is
        # never rarer than the whole, so no late link loses more than the costliest old one.
        late = Adversary("late-link", on_walks=costliest, releases=releases)
        rows.append(
            CertificateRow(late, pattern_loss(urn, costliest, releases, states=states), ENDLESS)
        )
    fresh = Adversary("fresh-coins", releases=releases)
    rows.append(CertificateRow(fresh, fresh_loss(policy, releases), ENDLESS, bound=False))
    return rows
