"""certify(): the public certificate of a policy, row by row and in words.

It is the same for every walk under the policy, so it may be public. The losses in its rows are
those of :mod:`pathveil.chance.losses`.

*Identification*: how often someone who lacks one walk link can name it.

The loss of a walk link compares the world with a world in which the walk steps over a pair that is
not a link; no release is ever made of that world. What someone who lacks one walk link really
faces are c *possible* worlds: the two pieces of the walk joined in one of c ways, all c pairs
unlinked as far as he knows. Let q be the chance that an unlinked pair shows what the walk
link shows. The true join always shows it, every rival with chance q, independently. So

- the true join alone remains, and is certain, with chance (1 - q)^(c - 1);
- the best guess, any of those that show it, is right with chance (1 - (1 - q)^c) / (c q), where
  1 / c was right before.

Under doubt d (two-sided policies: a link is drawn like an unlinked pair with chance d) a link
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
from functools import lru_cache, partial
from typing import Any

from pathveil.chance.law import PairLaw, ReleaseLaw
from pathveil.chance.losses import (
    LATE,
    NOTHING,
    SERIES,
    Losses,
    Missing,
    fresh_loss,
    losses_of,
    pattern_loss,
    series_rows,
    urn_of,
)
from pathveil.model.certificate import (
    ENDLESS,
    NO_LOSS,
    OTHER_CLUES,
    Adversary,
    Certificate,
    CertificateRow,
    Identification,
    Loss,
)
from pathveil.model.grouping import ClassSizes, spanned
from pathveil.model.layered import Layering, follows_walk

JOINS = (2, 3, 4)
"""A walk in two pieces, each with two ends, can be joined in four ways at most. The last link of a
walk that skips vertices may have more rivals: it is guessed less often, not more."""

_PLACES = 4
_PRECISION = 256


def identifications(
    policy: ReleaseLaw,
    *,
    layering: Layering = "exact",
    direction_public: bool = True,
    releases: int = 1,
) -> tuple[Identification, ...]:
    """Return for 2, 3 and 4 possible joins how often the missing walk link can be named.

    *Privacy*: proved for one walk link that is lacking alone and is known to be used once, with
    joins that are alike: as many copies of the ends. With several copies it is the chance for
    somebody who knows which of them the walk passes, and a bound for others. Where copies are drawn
    there are rows for ends of one and of two; more tell more, up to certainty. Other cases are
    computed from a file by :func:`pathveil.attack`.

    Examples
    --------
    >>> from pathveil import Policy
    >>> for row in identifications(Policy.balanced(), direction_public=False):
    ...     print(row.joins, row.before, row.after, row.certain)
    2 0.5000 0.7500 0.5000
    3 0.3334 0.5834 0.2500
    4 0.2500 0.4688 0.1250
    """
    if releases > 1:
        once = urn_of(policy).chance(1, releases) / policy.states
        rows = [Identification(joins, *chances(once, joins), by="series") for joins in JOINS]
    else:
        # Where the policy has no public number of copies, the ends may have one, two or more.
        ends = ((1, 1), (2, 2)) if policy.copies is None else (None,)
        rows = [
            Identification(joins, *join_chances(policy, policy.law(), joins, copies), copies=copies)
            for copies in ends
            for joins in JOINS
        ]
    return (
        *rows,
        *_at_worst(layering=layering, direction_public=direction_public, releases=releases),
    )


def chances(chance: Any, joins: int, *, doubt: Any = Fraction(0)) -> tuple[str, str, str]:
    """Return the chances before, after and of certainty for ``joins`` joins, each rounded up.

    ``chance`` is q and ``doubt`` d of the formulas above: fractions, or balls around them.

    >>> chances(Fraction(1, 8), 4)
    ('0.2500', '0.8277', '0.6700')
    """
    missed = (1 - chance) ** joins
    if chance == 0:
        after = Fraction(1)  # no other pair shows it: the limit of the formula at q = 0
    else:
        shown = (1 - doubt + doubt * chance) / chance
        after = ((1 - missed) * shown + missed * doubt) / joins
    certain = (1 - chance) ** (joins - 1) if doubt == 0 else Fraction(0)
    return _rounded_up(Fraction(1, joins)), _rounded_up(after), _rounded_up(certain)


def _at_worst(
    *, layering: Layering, direction_public: bool, releases: int
) -> Iterator[Identification]:
    """Yield what nothing is promised against: the worst that is possible."""
    before, certain = _rounded_up(Fraction(1, JOINS[-1])), _rounded_up(Fraction(1))
    if releases > 1:
        # Rivals must fit every release that uses the link; from the second on few are left.
        yield Identification(JOINS[-1], before, certain, certain, "releases")
    if follows_walk(layering):
        yield Identification(JOINS[-1], before, certain, certain, "layout")
    elif direction_public:
        yield Identification(JOINS[-1], before, certain, certain, "direction")


def join_chances(
    policy: ReleaseLaw, law: PairLaw, joins: int, copies: tuple[int, int] | None = None
) -> tuple[str, str, str]:
    """Return the same of the joins of a link under a policy.

    With independent coins q asks that the one copy pair shows on the walk and all others of the
    link off it.
    """
    from flint import ctx

    with ctx.workprec(_PRECISION):
        on: Any = law.on.as_fraction
        doubt: Any = law.doubt.as_fraction
        if on is None or doubt is None:
            on, doubt = law.on.ball(_PRECISION), law.doubt.ball(_PRECISION)
        first, second = copies or (policy.copies or 1, policy.copies or 1)
        others = on / law.states if policy.joint else on * (1 - on) ** (first * second - 1)
        return chances(others, joins, doubt=doubt)


def _rounded_up(value: Any) -> str:
    """Return a decimal with four places that is no smaller than the value."""
    if isinstance(value, Fraction):
        units = -(-value.numerator * 10**_PLACES // value.denominator)
    else:
        # A ball around a chance near one may reach beyond it.
        units = min(int((value * 10**_PLACES).upper().ceil().unique_fmpz()), 10**_PLACES)
    return str(Decimal(units).scaleb(-_PLACES))


ODDS = (
    "The loss of a walk link compares with a world in which the walk steps over an unlinked pair. "
    "Nobody publishes such a world, so the loss does not limit the odds between possible walks. A "
    "separate list says how often someone who lacks one walk link can name it."
)
DIRECTION = (
    "The direction bit is not protected: it says whether the first end of the walk sorts before "
    "the last. Someone who knows which way a step goes, or where the walk begins or ends, may "
    "learn from it which of the possible joins is the true one. To avoid that, hide the direction."
)
HIDDEN = "The file does not say which end of the walk comes first."
CLASS_DIRECTION = (
    "The direction bit is not protected: it says whether the walk's sequence of classes sorts "
    "before its reverse, and is a coin if both are the same. Someone who knows which way a step "
    "goes may learn from it."
)
CLASS_MEMBERS = (
    "It is public that two members of one class are not linked. Classes do not help against "
    "someone who can tell their members apart by other knowledge. Someone who knows a link knows "
    "its ends, so that the next link of a walk is then one of a class."
)
CLASS_PRICE = (
    "The grouping itself may cost a link something once, in addition to the losses above. How "
    "much depends on the network, so it is not stated here."
)
CLASS_WALKS = "Someone who collects many releases may learn which classes the walks pass."
CLASS_TWICE = "A second grouping of the same network undoes most of what this one hides."
LAYOUT = (
    "The layout is drawn in the walk's order. It adds nothing to the losses, which compare two "
    "worlds with the same order. But someone who tries every way to join the known pieces of the "
    "walk can often tell from the layout which one is true."
)
SEED_SENTENCE = (
    "A sketch lists no vertex and no link. Of the network's size it gives the capacity: the most "
    "links there may be. Its seed was redrawn until the links' rows were independent; the small "
    "second term of each finite loss pays for that, if AES is taken for random."
)
AGAIN = (
    "Losses of fresh releases add up: ten releases of the same walk cost ten times as much. "
    "Releases of different walks over the same network add up link by link."
)


@lru_cache(maxsize=256)
def certify(
    policy: ReleaseLaw,
    *,
    layering: Layering = "exact",
    direction_public: bool = True,
    universe: int | None = None,
    sizes: ClassSizes | None = None,
    releases: int = 1,
    seed: Losses | None = None,
) -> Certificate:
    """Return the a-priori promise of a policy: the same for every walk, so it may be public.

    Parameters
    ----------
    layering
        The engine that draws the layers. The paper's uses the walk's order, which tells possible
        joins apart, and the certificate says so.
    direction_public
        Whether the file gives the direction bit.
    universe
        How many pairs the public universe has, if there is one.
    sizes
        How large the classes are of the public grouping it is published over, if there is one.
    releases
        For a policy that remembers: how many releases of the series there are with this one.
    seed
        Of a sketch: what its seed costs, once for a release.

    Examples
    --------
    >>> from pathveil import Policy
    >>> row = certify(Policy.paper(vertex=None, link=1)).bound(walk_links=1, copies=(1, 1))
    >>> str(row.presence), str(row.absence), row.notion
    ('ln(1 + exp(1/2)) = 0.9741', 'infinite', 'one-sided DP')
    """
    if policy.urn is None:
        rows = _rows(policy, seed or NOTHING)
    else:
        rows = [*_rows(policy, NOTHING)[:2], *series_rows(policy, releases)]
    if policy.copies is None:
        rows.append(CertificateRow(Adversary("counts-copies"), ENDLESS, ENDLESS))
    if direction_public and not follows_walk(layering):
        rows.append(CertificateRow(Adversary("knows-direction"), ENDLESS, ENDLESS))
    first, *others = policy.sentences()
    lines = [first, ODDS, *others]
    if follows_walk(layering):
        lines.append(LAYOUT)
    else:
        lines.append(
            (DIRECTION if sizes is None else CLASS_DIRECTION) if direction_public else HIDDEN
        )
    if universe is not None:
        lines.append(
            f"Only the {universe} pairs of the public universe have coins; every other pair is "
            "published as if on the walk and known to be unlinked."
        )
    if seed is not None:
        lines.append(SEED_SENTENCE)
    lines += [AGAIN] if policy.urn is None else [SERIES, LATE]
    if sizes is not None:
        lines += [sizes_sentence(sizes), CLASS_MEMBERS, CLASS_PRICE, CLASS_TWICE]
    named = identifications(
        policy, layering=layering, direction_public=direction_public, releases=releases
    )
    promise = partial(promised, policy, seed or NOTHING, releases)
    return Certificate(tuple(rows), tuple(lines), named, promise)


def promised(
    policy: ReleaseLaw, once: Losses, length: int, who: Adversary
) -> tuple[Loss, Loss] | None:
    """Return the losses certified against an adversary, or None where nothing is promised.

    A row of the certificate that names him comes first (:meth:`Certificate.bound`). Here is the
    formula for everybody else. ``once`` is what the seed of a sketch costs, ``length`` the number
    of releases of the series.
    """
    links = who.walk_links + who.other_links
    if who.kind == "lacks-links" and not links:
        return NO_LOSS, NO_LOSS  # he knows every link already
    if who.kind == "lacks-links" and (policy.urn is None or who.releases == 1):
        return _fresh_losses(policy, once, who)
    if policy.urn is None or who.kind in OTHER_CLUES:
        return None
    if who.releases > length or who.copies is not None or (who.on_walks or 0) > length:
        return None
    if who.kind == "fresh-coins":
        lost = fresh_loss(policy, length)
    else:
        lost = pattern_loss(policy.urn, _shown(policy, length, who), length, states=policy.states)
    return lost.times(links or 1), ENDLESS


def _shown(policy: ReleaseLaw, length: int, who: Adversary) -> int:
    """Return in how many releases of a series a link is shown on the walk, at worst.

    A link that was one from the first release on is shown on its own walks only. One that became a
    link later may have been shown as chaff before; then its loss is at most that of a link shown as
    often all along, so every number from ``on_walks`` on is possible. Someone who sees only some of
    the files does not know how many of all walks use the link, so the worst counts.
    """
    worst = urn_of(policy).costliest(length, states=policy.states)
    if who.on_walks is None or who.releases < length:
        return worst
    return who.on_walks if who.kind == "series" else max(who.on_walks, worst)


def _fresh_losses(policy: ReleaseLaw, once: Losses, who: Adversary) -> tuple[Loss, Loss] | None:
    """Return what links lose that are drawn afresh in each release."""
    if policy.copies is None and who.copies is None:
        return None  # more copies cost more, and nothing limits how many are drawn
    if policy.copies is not None and who.copies not in {None, (policy.copies, policy.copies)}:
        return None
    total = once
    for count, on_walk in ((who.walk_links, True), (who.other_links, False)):
        if count:
            uses = (who.uses,) if who.uses is not None and on_walk else None
            total += _worst(policy, on_walk=on_walk, uses=uses, copies=who.copies).times(count)
    total = total.times(who.releases)
    return total.presence.loss(), total.absence.loss()


def sizes_sentence(sizes: ClassSizes) -> str:
    """Return what a release over classes of these sizes shows.

    >>> sizes_sentence(ClassSizes.of([2, 3, 3]))
    'Published over 3 classes of 2 to 3 vertices: ... the same of all 6 to 9 pairs ...'
    """
    return (
        f"Published over {sizes.classes} classes of {spanned(sizes.smallest, sizes.largest)} "
        f"vertices: every release over them shows the same of all "
        f"{spanned(*sizes.pairs_in_a_block)} pairs of vertices between two classes. {CLASS_WALKS}"
    )


def _rows(policy: ReleaseLaw, once: Losses) -> list[CertificateRow]:
    """Return a row for each adversary who lacks links: bounds first, then how they add up.

    ``once`` is added once to what a release loses, however many links are lacking.
    """
    # Where copies are drawn, a loss depends on them: one copy of each end is the least of it.
    single = (1, 1) if policy.copies is None else None
    walk, other = _worst(policy, on_walk=True), _worst(policy, on_walk=False)
    rows = [
        _row(Adversary(walk_links=1, copies=single), walk + once),
        _row(Adversary(other_links=1, copies=single), other + once),
        _row(
            Adversary(walk_links=2, other_links=3, copies=single),
            walk.times(2) + other.times(3) + once,
        ),
        _row(Adversary(walk_links=1, copies=single, releases=10), (walk + once).times(10)),
    ]
    for who in policy.examples():  # each lacks one link of known copies and uses
        link = Missing(on_walk=who.walk_links > 0, uses=who.uses or 1, copies=who.copies)
        rows.append(_row(who, losses_of(policy, link) + once))
    if policy.copies is not None and policy.copies > 1 and not policy.joint:
        rows += [
            _row(
                Adversary(walk_links=1, uses=uses),
                _worst(policy, on_walk=True, uses=(uses,)) + once,
            )
            for uses in (1, 2 * policy.copies - 1)
        ]
    return rows


def _row(who: Adversary, losses: Losses) -> CertificateRow:
    return CertificateRow(who, losses.presence.loss(), losses.absence.loss())


def _worst(
    policy: ReleaseLaw,
    *,
    on_walk: bool,
    uses: tuple[int, ...] | None = None,
    copies: tuple[int, int] | None = None,
) -> Losses:
    """Return the largest losses of one link of a kind, over how often it is used.

    The loss is linear in the number of uses, so the ends of the range decide. A walk uses a link
    with r and s copies of its ends at most r + s - 1 times.
    """
    ends = copies or (policy.copies or 1, policy.copies or 1)
    uses = uses or ((1, sum(ends) - 1) if on_walk else (1,))
    worst, *others = [
        losses_of(policy, Missing(on_walk=on_walk, uses=min(used, sum(ends) - 1), copies=copies))
        for used in uses
    ]
    for one in others:
        presence = one.presence if one.presence.at_least(worst.presence) else worst.presence
        absence = one.absence if one.absence.at_least(worst.absence) else worst.absence
        worst = Losses(presence, absence)
    return worst
