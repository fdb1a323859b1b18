"""What a series of releases costs, exactly: the length of a pattern's code word.

A link on k of T walks of a series, with chaff drawn from the urn's law Q, loses

    -ln Q(x) = ln B(a, b) - ln B(k + a, T - k + b)   (+ k ln S: S patterns of copies and walks)

whatever x with k uses; Q(x) is a ratio of whole numbers, so the loss is the logarithm of one. It
holds for links whose status never changes. A link that appears after t0 releases, k0 of which
showed the pair on a walk as chaff, loses what an urn that stands at (k0 + a, t0 - k0 + b) asks for
the rest: before, it *was* chaff in both worlds. In general a link loses minus the sum of ln(rate of
what was shown), over the releases in which it is a link.

Who sees only some of the releases faces the same formula with k and T counted over those, if walks
and links do not depend on earlier releases: the urn is exchangeable, and the digest of a release he
has not is of a salt that he has not (:mod:`pathveil.model.series`). Where a later walk was chosen
by looking at what a release shows, its own release tells of that one.
"""

from __future__ import annotations

from fractions import Fraction

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.symbolic_loss import MOST_SPELLED, ExactLoss
from pathveil.chance.urn import Urn
from pathveil.errors import BadBudget
from pathveil.model.certificate import ENDLESS, Adversary, CertificateRow, Loss
from pathveil.policies import Policy

LONGEST_RATIO = 30
"""Characters of a ratio that is printed as it is; a longer one is shown by its Beta functions."""

SERIES = (
    "Releases of this series are counted together in the rows that say of how many walks. To who "
    "sees only some of them, a link that was one all along loses what it would in a series of so "
    "many, provided that walks and links do not depend on what was released before. A release "
    "outside the series over the same network, or a second series, adds its losses to these."
)
LATE = (
    "A pair that becomes a link during the series keeps its history and may cost more than a link "
    "used as often from the first release on: the rate of its chaff had moved away from how it is "
    "then used. One that ceases to be a link and becomes one again pays each time."
)


def pattern_loss(urn: Urn, shown: int, releases: int, *, states: int = 1) -> Loss:
    """Return the loss of a link on ``shown`` of ``releases`` walks.

    ``states`` is how many patterns of copies, or walks of a release, *on the walk* can mean.

    >>> str(pattern_loss(Urn(), 0, 4)), str(pattern_loss(Urn(), 0, 100))
    ('ln(128/35) = 1.2967', 'ln B(1/2, 1/2) - ln B(1/2, 201/2) = 2.8763')
    """
    exact = exact_pattern_loss(urn, shown, releases, states=states)
    return _loss(exact, _words(urn, shown, releases, states))


def exact_pattern_loss(urn: Urn, shown: int, releases: int, *, states: int = 1) -> ExactLoss:
    """Return the same as an exact number, to add up and to compare."""
    chance = urn.chance(shown, releases) / states**shown
    return ExactLoss.of(ExactProbability.rational(1 / chance))


def fresh_loss(policy: Policy, releases: int) -> Loss:
    """Return what any link would have lost with fresh fair coins in every release."""
    uniform = ExactProbability.rational(policy.states + 1)
    return ExactLoss.of(uniform).times(releases).loss()


def urn_of(policy: Policy) -> Urn:
    """Return the urn of a policy that remembers, or raise."""
    if policy.kind.urn is None:
        raise BadBudget(
            f"the {policy.kind.name} policy throws fresh coins in every release; a series needs "
            "Policy.remembering() (--policy remembering)"
        )
    return policy.kind.urn


def series_rows(policy: Policy, releases: int) -> list[CertificateRow]:
    """Return the public rows of a series after so many releases: functions of its terms alone."""
    urn, states = urn_of(policy), policy.states
    mean = urn.rate(0, 0) * releases
    typical = min(releases, int(mean + Fraction(1, 2)))
    dearest = urn.costliest(releases, states=states)
    counts = sorted({0, min(1, releases), min(2, releases), typical, dearest})
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
        # never rarer than the whole, so no late link loses more than the dearest that always was.
        late = Adversary("late-link", on_walks=dearest, releases=releases)
        rows.append(
            CertificateRow(late, pattern_loss(urn, dearest, releases, states=states), ENDLESS)
        )
    fresh = Adversary("fresh-coins", releases=releases)
    rows.append(CertificateRow(fresh, fresh_loss(policy, releases), ENDLESS, bound=False))
    return rows


def is_short(ratio: Fraction) -> bool:
    """Return whether a ratio is printed as it is. One of thousands of digits is never spelled.

    >>> is_short(Fraction(128, 35)), is_short(Fraction(1, 10**40)), is_short(Fraction(7**9999))
    (True, False, False)
    """
    longest = max(ratio.numerator, ratio.denominator).bit_length()
    return longest <= MOST_SPELLED and len(str(ratio)) <= LONGEST_RATIO


def _words(urn: Urn, shown: int, releases: int, states: int) -> str:
    ratio = 1 / (urn.chance(shown, releases) / states**shown)
    if ratio == 1:
        return "0"
    if is_short(ratio):
        return f"ln {ratio}" if ratio.denominator == 1 else f"ln({ratio})"
    after = urn.after(shown, releases)
    patterns = f" + {shown} ln {states}" if states > 1 and shown else ""
    return f"ln B({urn.on}, {urn.off}) - ln B({after.on}, {after.off}){patterns}"


def _loss(exact: ExactLoss, words: str) -> Loss:
    return Loss(words, exact.loss().decimal)
