"""certify(): the public certificate of a policy, row by row and in words.

It is the same for every walk under the policy, so it may be public. The losses in its rows are
those of :mod:`pathveil.chance.losses`.
"""

from __future__ import annotations

from functools import lru_cache

from pathveil.chance.identification import identifications
from pathveil.chance.losses import NOTHING, Losses, Missing, compose, losses_of, seed_loss
from pathveil.chance.policy import Policy
from pathveil.chance.policy.kind import Labels
from pathveil.chance.series_loss import LATE, SERIES, series_rows
from pathveil.chance.sketched_series import NEEDED, sketched_rows
from pathveil.chance.sketched_series import SERIES as SKETCHED_SERIES
from pathveil.model.certificate import ENDLESS, Adversary, Certificate, CertificateRow
from pathveil.model.class_sizes import ClassSizes
from pathveil.model.engines import Layering, engine_named
from pathveil.model.forms import Form, form_named
from pathveil.model.grouping import spanned

ODDS = (
    "The loss of a walk edge compares with a world in which the walk steps over a pair that is no "
    "link. Nobody publishes such a world, so this loss is no bound on the odds between walks that "
    "are possible: how often a missing walk edge is told from its rivals is listed by itself."
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
    "walks over the same network add up edge by edge."
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
    >>> found = certify(Policy.paper(vertex=None, edge=1)).bound(walk_edges=1, copies=(1, 1))
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
            + "known to be no edge."
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
    """Return a row for each adversary who misses edges: bounds first, then how they add up.

    ``once`` is added once to what a release loses, however many edges are missed.
    """
    # Where copies are drawn, a loss depends on them: one copy of each end is the least of it.
    single = (1, 1) if policy.kind.draws_copies else None
    walk, other = _worst(policy, on_walk=True), _worst(policy, on_walk=False)
    rows = [
        _row(Adversary(walk_edges=1, copies=single), walk + once),
        _row(Adversary(other_edges=1, copies=single), other + once),
        _row(
            Adversary(walk_edges=2, other_edges=3, copies=single),
            compose(walk.times(2), other.times(3), once),
        ),
        _row(Adversary(walk_edges=1, copies=single, releases=10), (walk + once).times(10)),
    ]
    for labels in policy.label_pairs:
        for on_walk in (True, False):
            who = Adversary(walk_edges=int(on_walk), other_edges=int(not on_walk), labels=labels)
            rows.append(_row(who, _worst(policy, on_walk=on_walk, labels=labels) + once))
    rows += [_one(policy, who, once) for who in policy.kind.examples()]
    if policy.copies is not None and policy.copies > 1 and not policy.joint:
        rows += [
            _row(
                Adversary(walk_edges=1, uses=uses),
                _worst(policy, on_walk=True, uses=(uses,)) + once,
            )
            for uses in (1, 2 * policy.copies - 1)
        ]
    return rows


def _one(policy: Policy, who: Adversary, once: Losses) -> CertificateRow:
    """Return the row of an adversary who misses one edge of known copies and uses."""
    edge = Missing(on_walk=who.walk_edges > 0, uses=who.uses or 1, copies=who.copies)
    return _row(who, losses_of(policy, edge) + once)


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
    """Return the largest losses of one edge of a kind: over labels, and over how often it is used.

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
