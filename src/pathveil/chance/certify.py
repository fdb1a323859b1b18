"""certify(): the public certificate of a policy, row by row and in words.

It is the same for every walk under the policy, so it may be public. The losses in its rows are
those of :mod:`pathveil.chance.losses`.

How often one missing walk link is told from the other links that could be it.

The loss of a walk link compares the world with a world in which the walk steps over a pair that is
no link; no release is ever made of that world. What an adversary who misses one walk link really
faces are c *possible* worlds: the two pieces of the walk joined in one of c ways, all c pairs
unlinked as far as he knows. Let q be the chance that a pair that is no link shows what the walk
link shows. The true join always shows it, every rival with chance q, independently. So

- the true join is left alone with chance (1 - q)^(c - 1);
- the best guess, any of those that show it, is right with chance (1 - (1 - q)^c) / (c q), where
  1 / c was right before.

Under doubt d (two-sided policies: a link is drawn like a pair that is none with chance d) a link
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
from functools import lru_cache
from typing import Any

from pathveil.chance.law import PairLaw
from pathveil.chance.losses import NOTHING, Losses, Missing, compose, losses_of, seed_loss
from pathveil.chance.series_loss import LATE, SERIES, series_rows, urn_of
from pathveil.model.certificate import (
    ENDLESS,
    Adversary,
    Certificate,
    CertificateRow,
    Identification,
)
from pathveil.model.engines import Layering, engine_named
from pathveil.model.forms import Form, form_named
from pathveil.model.grouping import ClassSizes, spanned
from pathveil.policies import Policy
from pathveil.policies.base import Labels
from pathveil.sketching.sketch_release import kept_urn
from pathveil.sketching.sketched_series import NEEDED, sketched_rows
from pathveil.sketching.sketched_series import SERIES as SKETCHED_SERIES

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
    """Return for 2, 3 and 4 possible joins how often the missing walk link is told.

    *Privacy*: proved for one walk link that misses alone and is known to be used once, with joins
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
    link off it.
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


ODDS = (
    "The loss of a walk link compares with a world in which the walk steps over a pair that is no "
    "link. Nobody publishes such a world, so this loss is no bound on the odds between walks that "
    "are possible: how often a missing walk link is told from its rivals is listed by itself."
)
DIRECTION = (
    "The direction bit is published as it is: whether the first end of the walk sorts before the "
    "last. Who knows which way a step goes, or where the walk begins or ends, may tell by it which "
    "of the possible joins is the true one. No exact rule avoids that; an untold direction does."
)
UNTOLD = "Which end of the walk is the first is not told: the file leaves the order a tie."
CLASS_DIRECTION = (
    "The direction bit is published as it is: whether the walk's sequence of classes sorts before "
    "its reverse, a coin where both are the same. Who knows which way a step goes may learn from "
    "it."
)
CLASS_MEMBERS = (
    "That two members of one class are not linked is public. Who can tell members apart by other "
    "knowledge is not fooled, and who knows a link knows its ends: the next link of a walk is then "
    "one of a class."
)
CLASS_PRICE = (
    "That a link is there at all may cost something once, by the grouping itself, besides the "
    "losses above; how much depends on the network, so it is not said here."
)
CLASS_WALKS = "Between classes the walks are not hidden from who collects many releases."
CLASS_TWICE = "A second grouping of the same network undoes most of what this one hides."
LAYOUT = (
    "The layout is drawn in the walk's order. Between the two worlds that a loss compares it adds "
    "nothing, for the order is the same in both; but who tries out the ways the known pieces of "
    "the walk may join often tells them apart by it."
)
TOGETHER = (
    "The files of walks published together as a sketch hold the same values: who knows the network "
    "reads all of the walks from any of them."
)
AGAIN = (
    "Fresh releases add up: ten of the same walk cost ten times as much. Releases of different "
    "walks over the same network add up link by link."
)


@lru_cache(maxsize=256)
def certify(
    policy: Policy,
    *,
    layering: Layering = "exact",
    told: bool = True,
    universe: int | None = None,
    sizes: ClassSizes | None = None,
    releases: int = 1,
    capacity: int | None = None,
    form: Form | None = None,
) -> Certificate:
    """Return the a-priori promise of a policy: the same for every walk, so it may be public.

    Parameters
    ----------
    layering
        The engine that draws the layers. The paper's uses the walk's order, which tells possible
        joins apart, and the certificate says so.
    told
        Whether the direction is told.
    universe
        How many pairs the public universe has, if there is one.
    sizes
        How large the classes are of the public grouping it is published over, if there is one.
    releases
        For a policy that remembers: how many releases of the series there are with this one.
    capacity
        Of a sketch: the most links there may be. Its seed adds a term to every loss.
    form
        The form of the bits; if not given, a sketch where there is a capacity, else packed.

    Examples
    --------
    >>> found = certify(Policy.paper(vertex=None, link=1)).bound(walk_links=1, copies=(1, 1))
    >>> str(found.presence), str(found.absence), found.notion
    ('ln(1 + exp(1/2)) = 0.9741', 'infinite', 'one-sided DP')
    """
    if policy.kind.urn is None:
        rows = list(_rows(policy, seed_loss(policy, capacity)))
    elif capacity is not None:
        rows = sketched_rows(policy, releases, seed_loss(policy, capacity).presence)
    else:
        rows = [*_rows(policy, NOTHING)[:2], *series_rows(policy, releases)]
    if policy.kind.draws_copies:
        rows.append(CertificateRow(Adversary("counts-copies"), ENDLESS, ENDLESS))
    if told and engine_named(layering).tells:
        rows.append(CertificateRow(Adversary("knows-direction"), ENDLESS, ENDLESS))
    sketched = capacity is not None
    said = _not_protected(
        policy,
        layering=layering,
        told=told,
        universe=universe,
        grouped=sizes is not None,
        sketched=sketched,
        form=form or ("sketch" if sketched else "packed"),
    )
    more = () if sizes is None else grouping_sentences(sizes)
    named = identifications(
        policy, layering=layering, told=told, releases=releases, sketched=sketched
    )
    return Certificate(tuple(rows), (*said, *more), named)


def _not_protected(
    policy: Policy,
    *,
    layering: Layering,
    told: bool,
    universe: int | None,
    grouped: bool,
    sketched: bool,
    form: Form,
) -> tuple[str, ...]:
    """Return in plain words what the certificate does not promise."""
    first, *others = policy.sentences()
    lines = [first, ODDS, *others]
    if engine_named(layering).follows_walk:
        lines.append(LAYOUT)
    else:
        lines.append((CLASS_DIRECTION if grouped else DIRECTION) if told else UNTOLD)
    if universe is not None:
        lines.append(
            f"Only the {universe} pairs of the public universe have coins; every other pair is "
            + ("" if sketched else "published as if on the walk and ")
            + "known to be no link."
        )
    lines += form_named(form).sentences
    if sketched and policy.walks > 1:
        lines.append(TOGETHER)
    if policy.kind.urn is not None:
        return (*lines, *((SKETCHED_SERIES, NEEDED) if sketched else (SERIES,)), LATE)
    return (*lines, AGAIN)


def grouping_sentences(sizes: ClassSizes) -> tuple[str, ...]:
    """Return in plain words what publishing over classes means, by public numbers alone."""
    return (sizes_sentence(sizes), CLASS_MEMBERS, CLASS_PRICE, CLASS_TWICE)


def sizes_sentence(sizes: ClassSizes) -> str:
    """Return what a release over classes of these sizes shows.

    >>> sizes_sentence(ClassSizes.of([2, 1, 1]))
    'Published over 3 classes of 1 to 2 vertices: every release ... the same of all 2 pairs ...'
    """
    classes = f"Published over {sizes.classes} classes of {spanned(sizes.smallest, sizes.largest)}"
    if not sizes.hides:
        return f"{classes} vertex each: they hide nothing. {CLASS_WALKS}"
    shown = (
        f"{classes} vertices: every release over them shows the same of all "
        f"{spanned(*sizes.hidden_among)} pairs of vertices between two classes"
    )
    if sizes.leaves_bare:
        shown += ", but a link between two classes of one vertex is hidden among no other pair"
    return f"{shown}. {CLASS_WALKS}"


def _rows(policy: Policy, once: Losses) -> list[CertificateRow]:
    """Return a row for each adversary who misses links: bounds first, then how they add up.

    ``once`` is added once to what a release loses, however many links are missed.
    """
    # Where copies are drawn, a loss depends on them: one copy of each end is the least of it.
    single = (1, 1) if policy.kind.draws_copies else None
    walk, other = _worst(policy, on_walk=True), _worst(policy, on_walk=False)
    rows = [
        _row(Adversary(walk_links=1, copies=single), walk + once),
        _row(Adversary(other_links=1, copies=single), other + once),
        _row(
            Adversary(walk_links=2, other_links=3, copies=single),
            compose(walk.times(2), other.times(3), once),
        ),
        _row(Adversary(walk_links=1, copies=single, releases=10), (walk + once).times(10)),
    ]
    for labels in policy.label_pairs:
        for on_walk in (True, False):
            who = Adversary(walk_links=int(on_walk), other_links=int(not on_walk), labels=labels)
            rows.append(_row(who, _worst(policy, on_walk=on_walk, labels=labels) + once))
    rows += [_one(policy, who, once) for who in policy.kind.examples()]
    if policy.copies is not None and policy.copies > 1 and not policy.joint:
        rows += [
            _row(
                Adversary(walk_links=1, uses=uses),
                _worst(policy, on_walk=True, uses=(uses,)) + once,
            )
            for uses in (1, 2 * policy.copies - 1)
        ]
    return rows


def _one(policy: Policy, who: Adversary, once: Losses) -> CertificateRow:
    """Return the row of an adversary who misses one link of known copies and uses."""
    link = Missing(on_walk=who.walk_links > 0, uses=who.uses or 1, copies=who.copies)
    return _row(who, losses_of(policy, link) + once)


def _row(who: Adversary, losses: Losses) -> CertificateRow:
    return CertificateRow(who, losses.presence.loss(), losses.absence.loss())


@lru_cache(maxsize=256)
def _worst(
    policy: Policy,
    *,
    on_walk: bool,
    uses: tuple[int, ...] | None = None,
    labels: Labels | None = None,
) -> Losses:
    """Return the largest losses of one link of a kind: over labels, and over how often it is used.

    The loss is linear in the number of uses, so the ends of the range decide.
    """
    copies = policy.copies or 1
    uses = uses or ((1, 2 * copies - 1) if on_walk else (1,))
    found = [
        losses_of(policy, Missing(on_walk=on_walk, uses=used, labels=ends))
        for used in uses
        for ends, _ in policy.laws()
        if labels in (None, ends)
    ]
    worst = found[0]
    for one in found[1:]:
        presence = one.presence if one.presence.at_least(worst.presence) else worst.presence
        absence = one.absence if one.absence.at_least(worst.absence) else worst.absence
        worst = Losses(presence, absence)
    return worst
