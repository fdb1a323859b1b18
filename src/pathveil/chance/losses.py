"""Exact losses by adversary, and the certificate of a policy.

Neighbours. D is the network with the walk; D' is the same with some edges unknown: they are drawn
as if they were none, the visiting order stays. *Presence* is the loss D -> D',
ln max Pr[output | D] / Pr[output | D'], the odds an output can give for the edges being there.
*Absence* is the loss D' -> D. A finite presence with an infinite absence is one-sided differential
privacy: that an edge is there is protected, that it is not there is not.

What is counted. An output is the bits, the direction bit and, with them, any layout computed from
them; the adversary is granted all else, even which copy serves which visit. Pairs are drawn
independently, so losses of different edges, and of fresh releases, add up exactly; a release is
described by frozen :class:`Missing` records and folded by :func:`losses_of`. The law of a pair,
from which each term follows, is in :mod:`pathveil.chance.law`.

Two lists with different readers. :func:`certify` is public and the same for every walk under
the policy. :func:`custodian_losses` depends on the walk and is for the custodian's eyes only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from pathveil.chance.exact_loss import ExactLoss
from pathveil.chance.exponential import ExactProbability
from pathveil.chance.identification import identifications
from pathveil.chance.law import PairLaw
from pathveil.chance.policy import Policy
from pathveil.chance.series_loss import LATE, SERIES, series_rows
from pathveil.chance.sketch_release import shape_of
from pathveil.chance.sketched_series import NEEDED, sketched_rows
from pathveil.chance.sketched_series import SERIES as SKETCHED_SERIES
from pathveil.chance.sketching import SEED_SENTENCE, seed_failure
from pathveil.model.certificate import ENDLESS, Adversary, Certificate, CertificateRow, Loss
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Layering
from pathveil.model.walk import Walk

ODDS = (
    "A loss compares with a world in which the walk steps over a pair that is no link. Nobody "
    "publishes such a world, so a loss is no bound on the odds between walks that are possible: "
    "how often a missing link is told from its rivals is listed by itself."
)
DIRECTION = (
    "The direction bit is published as it is: whether the first end of the walk sorts before the "
    "last. Who knows which way a step goes, or where the walk begins or ends, may tell by it which "
    "of the possible joins is the true one. No exact rule avoids that; an untold direction does."
)
UNTOLD = "Which end of the walk is the first is not told: to everybody the order is a tie."
CLASS_DIRECTION = (
    "The direction bit is published as it is: whether the walk's sequence of classes sorts before "
    "its reverse. Who knows which way a step goes may learn from it."
)
CLASS_MEMBERS = (
    "Who can tell the members of a class apart by other knowledge is not fooled, and who knows a "
    "link knows its ends: the next link of a walk is then one of a class."
)
CLASS_PRICE = (
    "That a link is there at all costs something once, by the grouping itself, besides the losses "
    "above; how much depends on the network and is known to the custodian alone."
)
CLASS_TWICE = "A second grouping of the same network undoes this one."
LAYOUT = (
    "The layout is drawn in the walk's order. Between the two worlds that a loss compares it adds "
    "nothing, for the order is the same in both; but who tries out the ways the known pieces of "
    "the walk may join tells them apart by it."
)
TOGETHER = (
    "The files of walks published together as a sketch hold the same values: who knows the network "
    "reads all of the walks from any of them."
)
AGAIN = (
    "Fresh releases add up: ten of the same walk cost ten times as much. Releases of different "
    "walks over the same network add up edge by edge."
)


@dataclass(frozen=True)
class Missing:
    """Edges an adversary misses, all alike.

    Parameters
    ----------
    on_walk
        Whether the walk uses them.
    edges
        How many.
    uses
        How often the walk uses each (if it does).
    copies
        How many copies its two ends have; None means the policy's public number, and one for the
        paper's policy.
    labels
        Labels of its two ends, for a labelled policy.
    """

    on_walk: bool
    edges: int = 1
    uses: int = 1
    copies: tuple[int, int] | None = None
    labels: tuple[str, str] | None = None


@dataclass(frozen=True)
class Losses:
    """What missing edges lose in both directions."""

    presence: ExactLoss
    absence: ExactLoss

    def __add__(self, other: Losses) -> Losses:
        return Losses(self.presence + other.presence, self.absence + other.absence)

    def times(self, count: int) -> Losses:
        """Return the losses of so many independent repetitions."""
        return Losses(self.presence.times(count), self.absence.times(count))


NOTHING = Losses(ExactLoss(), ExactLoss())


def seed_loss(policy: Policy, capacity: int | None) -> Losses:
    """Return what the seed of a sketch costs, once for a release; nothing for a packed one.

    >>> from pathveil.chance.sketch_release import policy_in_sketch
    >>> str(seed_loss(policy_in_sketch(Policy.balanced()), 1_000_000).presence.loss())
    'ln(2^21/(2^21 - 1)) = 0.0001'
    """
    if capacity is None:
        return NOTHING
    kept = 1 - seed_failure(shape_of(policy, capacity))
    return Losses(ExactLoss.of(ExactProbability.rational(1 / kept)), ExactLoss())


def losses_of(policy: Policy, *missing: Missing, releases: int = 1) -> Losses:
    """Return the exact losses of missing edges over fresh releases of the same: composition.

    *Privacy*: proved. Pairs are independent given the copies handed out, and the largest ratio of
    a product is the product of the largest ratios, so sums are exact and not mere bounds.

    Examples
    --------
    >>> found = losses_of(Policy.balanced(), Missing(on_walk=True, edges=2), Missing(on_walk=False))
    >>> str(found.presence.loss()), str(found.absence.loss())
    ('3 ln 2 = 2.0795', 'infinite')
    >>> copied = Policy.balanced(copies=2, edge_uses=1)
    >>> str(losses_of(copied, Missing(on_walk=True)).presence.loss())
    'ln 5 = 1.6095'
    """
    total = NOTHING
    for edges in missing:
        total += _edge_losses(policy, edges).times(edges.edges)
    return total.times(releases)


def compose(*parts: Losses) -> Losses:
    """Return the losses of several independent releases or sets of edges together: the sum."""
    total = NOTHING
    for part in parts:
        total += part
    return total


def _edge_losses(policy: Policy, edge: Missing) -> Losses:
    """Return the losses of one missing edge."""
    labels = edge.labels or (None, None)
    law = policy.law(*labels)
    if policy.joint:
        return _state_losses(law, on_walk=edge.on_walk)
    first, second = edge.copies or (policy.copies or 1, policy.copies or 1)
    uses = edge.uses if edge.on_walk else 0
    if not 0 <= uses <= first * second:
        raise ValueError(f"{uses} uses of an edge with {first} x {second} copies")
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


# -- the public certificate -----------------------------------------------------------------------


@lru_cache(maxsize=256)
def certify(
    policy: Policy,
    *,
    layering: Layering = "exact",
    told: bool = True,
    universe: int | None = None,
    grouping: Grouping | None = None,
    releases: int = 1,
    capacity: int | None = None,
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
    grouping
        The public grouping it is published over, if there is one. Only its class sizes count.
    releases
        For a policy that remembers: how many releases of the series there are with this one.
    capacity
        Of a sketch: the most links there may be. Its seed adds a term to every loss.

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
    if told and layering == "exact":
        rows.append(CertificateRow(Adversary("knows-direction"), ENDLESS, ENDLESS))
    return Certificate(
        tuple(rows),
        (
            *_not_protected(
                policy,
                layering=layering,
                told=told,
                universe=universe,
                grouped=grouping is not None,
                sketched=capacity is not None,
            ),
            *(() if grouping is None else grouping_sentences(grouping)),
        ),
        identifications(policy, layering=layering, told=told, releases=releases),
    )


def _not_protected(
    policy: Policy,
    *,
    layering: Layering,
    told: bool,
    universe: int | None,
    grouped: bool,
    sketched: bool,
) -> tuple[str, ...]:
    """Return in plain words what the certificate does not promise."""
    first, *others = policy.sentences()
    lines = [first, ODDS, *others]
    if layering == "backtracking":
        lines.append(LAYOUT)
    else:
        lines.append((CLASS_DIRECTION if grouped else DIRECTION) if told else UNTOLD)
    if universe is not None:
        lines.append(
            f"Only the {universe} pairs of the public universe have coins; every other pair is "
            + ("" if sketched else "published as if on the walk and ")
            + "known to be no edge."
        )
    if sketched:
        lines.append(SEED_SENTENCE)
        if policy.walks > 1:
            lines.append(TOGETHER)
    if policy.kind.urn is not None:
        return (*lines, *((SKETCHED_SERIES, NEEDED) if sketched else (SERIES,)), LATE)
    return (*lines, AGAIN)


def grouping_sentences(grouping: Grouping) -> tuple[str, ...]:
    """Return in plain words what publishing over classes means, by public numbers alone."""
    small, large = int(grouping.sizes.min()), int(grouping.sizes.max())
    fewest, most = grouping.pairs_in_a_block
    shown = (
        f"Published over {grouping.classes} classes of {small} to {large} vertices: every release "
        f"over them shows the same of all {fewest} to {most} pairs of vertices between two "
        "classes. Between classes the walks are not hidden from who collects many releases."
    )
    return (shown, CLASS_MEMBERS, CLASS_PRICE, CLASS_TWICE)


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
            bound=False,
        ),
        _row(
            Adversary(walk_edges=1, copies=single, releases=10),
            (walk + once).times(10),
            bound=False,
        ),
    ]
    for labels in policy.label_pairs:
        rows += [_one(policy, Adversary(walk_edges=1, labels=labels), once)]
        rows += [_one(policy, Adversary(other_edges=1, labels=labels), once)]
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
    """Return the row of an adversary who misses one edge, from the law of its pairs."""
    edge = Missing(
        on_walk=who.walk_edges > 0, uses=who.uses or 1, copies=who.copies, labels=who.labels
    )
    return _row(who, losses_of(policy, edge) + once)


def _row(who: Adversary, losses: Losses, *, bound: bool = True) -> CertificateRow:
    return CertificateRow(who, losses.presence.loss(), losses.absence.loss(), bound)


@lru_cache(maxsize=256)
def _worst(policy: Policy, *, on_walk: bool, uses: tuple[int, ...] | None = None) -> Losses:
    """Return the largest losses of one edge of a kind: over labels, and over how often it is used.

    The loss is linear in the number of uses, so the ends of the range decide.
    """
    copies = policy.copies or 1
    uses = uses or ((1, 2 * copies - 1) if on_walk else (1,))
    found = [
        losses_of(policy, Missing(on_walk=on_walk, uses=used, labels=labels))
        for used in uses
        for labels, _ in policy.laws()
    ]
    worst = found[0]
    for one in found[1:]:
        presence = one.presence if one.presence.at_least(worst.presence) else worst.presence
        absence = one.absence if one.absence.at_least(worst.absence) else worst.absence
        worst = Losses(presence, absence)
    return worst


# -- for the custodian only -----------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class EdgeLoss:
    """What one edge of a network costs in one release. Secret: it tells whether it is walked."""

    edge: tuple[str, str]
    uses: int
    copies: tuple[int, int]
    presence: Loss
    absence: Loss

    def __repr__(self) -> str:
        return "<EdgeLoss: for the custodian>"


def custodian_losses(
    network: Network,
    walk: Walk,
    policy: Policy,
    positions: Positions,
    *,
    edges: Iterable[tuple[str, str]] | None = None,
) -> tuple[EdgeLoss, ...]:
    """Return the exact loss of every edge, given how many copies its ends really have.

    *Privacy*: not to be published. The a-priori certificate bounds every one of these where the
    number of copies is public; for the paper's policy, whose copies are drawn, only this list
    gives the numbers of a release.

    Parameters
    ----------
    positions
        Those of the publication: ``publication.positions``.
    edges
        Which edges; all of the network's if not given.
    """
    found = []
    known: dict[Missing, tuple[Loss, Loss]] = {}  # thousands of edges are of a few kinds
    for u, v in network.edges if edges is None else edges:
        copies = (len(positions.copies_of(u)), len(positions.copies_of(v)))
        labels = None
        if policy.label_pairs:
            labels = (policy.kind.label_of(u), policy.kind.label_of(v))
        used = walk.uses[u, v]
        kind = Missing(on_walk=used > 0, uses=max(used, 1), copies=copies, labels=labels)
        if kind not in known:
            losses = losses_of(policy, kind)
            known[kind] = losses.presence.loss(), losses.absence.loss()
        found.append(EdgeLoss((u, v), used, copies, *known[kind]))
    return tuple(found)
