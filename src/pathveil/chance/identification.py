"""How often one missing walk edge is told from the other edges that could be it.

The loss of a walk edge compares the world with a world in which the walk steps over a pair that is
no edge; no release is ever made of that world. What an adversary who misses one walk edge really
faces are c *possible* worlds: the two pieces of the walk joined in one of c ways, all c pairs
unlinked as far as he knows. Let q be the chance that a pair that is no edge shows what the walk
edge shows. The true join always shows it, every rival with chance q, independently. So

- the true join is left alone with chance (1 - q)^(c - 1);
- the best guess, any of those that show it, is right with chance (1 - (1 - q)^c) / (c q), where
  1 / c was right before.

Under doubt d (two-sided policies: an edge is drawn like a pair that is none with chance d) an edge
shows its state with chance t = 1 - d + d q, nothing is ever certain, and the best guess is right
with chance ((1 - (1 - q)^c) t / q + (1 - q)^c d) / c, granted that all else is known.

In a series of T releases a link that lies on *one* of the walks leaves c joins in that release, and
none in the others, whose walks are whole without it. A rival must have been shown where the link
was used and nowhere else: q is then the chance of that pattern under the urn, and the formulas are
the same. A link on two walks or more must join the pieces of all of them: how many pairs can is a
matter of the network, often one, whatever the coins; that row is stated at its worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pathveil.chance.law import PairLaw
from pathveil.chance.policy import Policy
from pathveil.chance.series_loss import urn_of
from pathveil.chance.sketch_release import kept_urn
from pathveil.model.certificate import Identification
from pathveil.model.engines import Layering, engine_named

JOINS = (2, 3, 4)
"""A walk in two pieces, each with two ends, can be joined in four ways at most. The last link of a
walk that skips vertices may have more rivals: it is guessed less often, not more."""

_PLACES = 4
_PRECISION = 256


def identifications(
    policy: Policy,
    *,
    layering: Layering = "exact",
    told: bool = True,
    releases: int = 1,
    sketched: bool = False,
) -> tuple[Identification, ...]:
    """Return for 2, 3 and 4 possible joins how often the missing walk edge is told.

    *Privacy*: proved for one walk edge that misses alone and is known to be used once, with joins
    that are alike: as many copies of the ends, the same labels where there are any. With several
    copies it is the chance for who knows which of them the walk passes, and a bound for others.
    Where copies are drawn there are rows for ends of one and of two; more tell more, up to
    certainty. Other cases are computed from a file by :func:`pathveil.attack`.

    Examples
    --------
    >>> for row in identifications(Policy.balanced(), told=False):
    ...     print(row.joins, row.before, row.after, row.alone)
    2 0.5000 0.7500 0.5000
    3 0.3334 0.5834 0.2500
    4 0.2500 0.4688 0.1250
    """
    if releases > 1:
        once = _chance_of_one_use(policy, releases, sketched=sketched)
        found = [Identification(joins, *chances(once, joins), by="series") for joins in JOINS]
    else:
        found = [
            Identification(
                joins, *join_chances(policy, law, joins, copies), labels=labels, copies=copies
            )
            for labels, law in policy.laws()
            for copies in _copies_of_ends(policy)
            for joins in JOINS
        ]
    return (*found, *_at_worst(layering=layering, told=told, releases=releases))


def _chance_of_one_use(policy: Policy, releases: int, *, sketched: bool) -> Fraction:
    """Return the chance that a pair that is no link looks like a link on one walk of a series."""
    if sketched:
        return kept_urn(policy).least_chances(releases)[1]
    return urn_of(policy).chance(1, releases) / policy.states


def chances(shown: Fraction, joins: int) -> tuple[str, str, str]:
    """Return the chances before, after and alone, each rounded up, where all is rational.

    >>> chances(Fraction(1, 8), 4)
    ('0.2500', '0.8277', '0.6700')
    """
    missed = (1 - shown) ** joins
    after, alone = (1 - missed) / (joins * shown), (1 - shown) ** (joins - 1)
    return _rounded_up(Fraction(1, joins)), _rounded_up(after), _rounded_up(alone)


def _at_worst(*, layering: Layering, told: bool, releases: int) -> Iterator[Identification]:
    """Yield what nothing is promised against: the worst that is possible."""
    before, certain = _rounded_up(Fraction(1, JOINS[-1])), _rounded_up(Fraction(1))
    if releases > 1:
        # Rivals must fit every release that uses the link; from the second on few are left.
        yield Identification(JOINS[-1], before, certain, certain, "releases")
    if engine_named(layering).follows_walk:
        yield Identification(JOINS[-1], before, certain, certain, "layout")
    elif told:
        yield Identification(JOINS[-1], before, certain, certain, "direction")


def _copies_of_ends(policy: Policy) -> tuple[tuple[int, int] | None, ...]:
    """Return how many copies the ends may have, where the policy has no public number."""
    return ((1, 1), (2, 2)) if policy.kind.draws_copies else (None,)


def join_chances(
    policy: Policy, law: PairLaw, joins: int, copies: tuple[int, int] | None = None
) -> tuple[str, str, str]:
    """Return the chances before, after and alone for so many joins, each rounded up."""
    from flint import ctx

    precision, ctx.prec = ctx.prec, _PRECISION
    try:
        chance, doubt = _numbers(policy, law, copies)
        missed, none = (1 - chance) ** joins, law.doubt.as_fraction == 0
        if chance == 0:
            after = Fraction(1)  # no other pair shows it: the limit of the formula at q = 0
        else:
            shown = (1 - doubt + doubt * chance) / chance
            after = ((1 - missed) * shown + missed * doubt) / joins
        alone = (1 - chance) ** (joins - 1) if none else Fraction(0)
        return _rounded_up(Fraction(1, joins)), _rounded_up(after), _rounded_up(alone)
    finally:
        ctx.prec = precision


def _numbers(
    policy: Policy, law: PairLaw, copies: tuple[int, int] | None = None
) -> tuple[Any, Any]:
    """Return q and d, as fractions if both are rational and as balls if not.

    With independent coins q asks that the one copy pair shows on the walk and all others of the
    edge off it.
    """
    on: Any = law.on.as_fraction
    doubt: Any = law.doubt.as_fraction
    if on is None or doubt is None:
        on, doubt = law.on.ball(_PRECISION), law.doubt.ball(_PRECISION)
    if policy.joint:
        return on / law.states, doubt
    ends = copies or (policy.copies or 1, policy.copies or 1)
    return on * (1 - on) ** (ends[0] * ends[1] - 1), doubt


def _rounded_up(value: Any) -> str:
    """Return a decimal with four places that is no smaller than the value."""
    if isinstance(value, Fraction):
        units = -(-value.numerator * 10**_PLACES // value.denominator)
    else:
        # A ball around a chance near one may reach beyond it.
        units = min(int((value * 10**_PLACES).upper().ceil().unique_fmpz()), 10**_PLACES)
    return str(Decimal(units).scaleb(-_PLACES))
