"""What it costs, exactly: losses by adversary, and the certificate of a policy. THEORY 4.

Neighbours. D is the network with the walk; D' is the same with some edges unknown: they are drawn
as if they were none, the visiting order stays. *Presence* is the loss D -> D',
ln max Pr[output | D] / Pr[output | D'], the odds an output can give for the edges being there.
*Absence* is the loss D' -> D. A finite presence with an infinite absence is one-sided differential
privacy: that an edge is there is protected, that it is not there is not.

What is priced. An output is the bits, the direction bit and, with them, any layout computed from
them; the adversary is granted all else, even which copy serves which visit. Pairs are drawn
independently, so losses of different edges, and of fresh releases, add up exactly; a release is
described by frozen :class:`Missing` records and priced by one fold, :func:`price`. The law of a
pair, from which each term follows, is in :mod:`pathveil.chance.law`.

Two lists with different readers. :func:`certificate` is public and the same for every walk under
the policy. :func:`custodian_losses` depends on the walk and is for the custodian's eyes only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from pathveil.chance.exact_loss import Price
from pathveil.chance.law import PairLaw
from pathveil.chance.policy import Policy
from pathveil.chance.promises import claims, not_protected
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Certificate, CertificateRow, Layering, Loss
from pathveil.model.walk import Walk


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
class Cost:
    """What missing edges cost in both directions."""

    presence: Price
    absence: Price

    @property
    def notion(self) -> str:
        """The privacy notion under which the loss is finite."""
        if self.presence.infinite:
            return "none"
        return "one-sided DP" if self.absence.infinite else "symmetric DP"

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.presence + other.presence, self.absence + other.absence)

    def times(self, count: int) -> Cost:
        """Return the cost of so many independent repetitions."""
        return Cost(self.presence.times(count), self.absence.times(count))


NOTHING = Cost(Price(), Price())


def price(policy: Policy, *missing: Missing, releases: int = 1) -> Cost:
    """Return the exact cost of missing edges over fresh releases of the same: composition.

    *Privacy*: proved. Pairs are independent given the copies handed out, and the largest ratio of
    a product is the product of the largest ratios, so sums are exact and not mere bounds.

    Examples
    --------
    >>> cost = price(Policy.balanced(), Missing(on_walk=True, edges=2), Missing(on_walk=False))
    >>> str(cost.presence.loss()), str(cost.absence.loss()), cost.notion
    ('3 ln 2 = 2.0795', 'infinite', 'one-sided DP')
    >>> str(price(Policy.balanced(copies=2, edge_uses=1), Missing(on_walk=True)).presence.loss())
    'ln 5 = 1.6095'
    """
    total = NOTHING
    for edges in missing:
        total += _edge_cost(policy, edges).times(edges.edges)
    return total.times(releases)


def compose(*costs: Cost) -> Cost:
    """Return the cost of several independent releases or sets of edges together: the sum."""
    total = NOTHING
    for cost in costs:
        total += cost
    return total


def _edge_cost(policy: Policy, edge: Missing) -> Cost:
    """Return the cost of one missing edge."""
    labels = edge.labels or (None, None)
    law = policy.law(*labels)
    if policy.joint:
        return _state_cost(law, on_walk=edge.on_walk)
    first, second = edge.copies or (policy.copies or 1, policy.copies or 1)
    uses = edge.uses if edge.on_walk else 0
    if not 0 <= uses <= first * second:
        raise ValueError(f"{uses} uses of an edge with {first} x {second} copies")
    used = _state_cost(law, on_walk=True).times(uses)
    return used + _state_cost(law, on_walk=False).times(first * second - uses)


def _state_cost(law: PairLaw, *, on_walk: bool) -> Cost:
    """Return the cost of one drawn pair whose true state is an on-walk one, or *off*."""
    chance = law.chance(on_walk=on_walk)
    if chance.as_fraction == 1:
        return NOTHING
    kept = law.doubt.complement().times(chance.inverse()) if chance.top else chance.inverse()
    presence = Price.of(kept.plus(law.doubt) if chance.top else kept)
    return Cost(presence, Price.of(law.doubt.inverse()))


# -- the public certificate -----------------------------------------------------------------------


@lru_cache(maxsize=256)
def certificate(
    policy: Policy, *, layering: Layering = "exact", universe: int | None = None
) -> Certificate:
    """Return the a-priori promise of a policy: the same for every walk, so it may be public.

    Parameters
    ----------
    layering
        The engine that draws the layers. The paper's uses the walk's order, so its layout is
        outside the promise, and the certificate says so.
    universe
        How many pairs the public universe has, if there is one.

    Examples
    --------
    >>> found = certificate(Policy.paper(vertex=None, edge=1))
    >>> row = found.row("one walk edge")
    >>> str(row.presence), str(row.absence), row.notion
    ('ln(1 + exp(1/2)) = 0.9741', 'infinite', 'one-sided DP')
    """
    rows = [
        CertificateRow(name, cost.presence.loss(), cost.absence.loss(), cost.notion, claim)
        for name, cost, claim in _rows(policy)
    ]
    endless = Loss("infinite", "inf")
    if policy.name == "paper":
        claim = claims(policy).copies
        rows.append(CertificateRow("one visit, from the copies", endless, endless, "none", claim))
    if layering == "backtracking":
        claim = claims(policy).whole
        rows.append(CertificateRow("the joins, from the layout", endless, endless, "none", claim))
    return Certificate(tuple(rows), not_protected(policy, layering=layering, universe=universe))


def _rows(policy: Policy) -> list[tuple[str, Cost, str]]:
    """Return name, cost and the paper's claim for each adversary of THEORY 4."""
    walk, other = _worst(policy, on_walk=True), _worst(policy, on_walk=False)
    said = claims(policy)
    rows = [
        ("one walk edge", walk, said.edge),
        ("one other edge", other, said.other),
        ("2 walk edges and 3 other edges", compose(walk.times(2), other.times(3)), ""),
        ("one walk edge, 10 fresh releases of the same", walk.times(10), ""),
    ]
    for first, second, _ in policy.rates:
        for kind, on_walk in (("walk", True), ("other", False)):
            cost = price(policy, Missing(on_walk=on_walk, labels=(first, second)))
            rows.append((f"one {kind} edge, {first} - {second}", cost, ""))
    if policy.name == "paper":
        two = (2, 2)
        for uses in (1, 2, 3):
            cost = price(policy, Missing(on_walk=True, uses=uses, copies=two))
            times = {1: "once", 2: "twice", 3: "3 times"}[uses]
            rows.append((f"a walk edge used {times}, 2 x 2 copies", cost, said.copied))
        rows.append(
            ("one other edge, 2 x 2 copies", price(policy, Missing(on_walk=False, copies=two)), "")
        )
    elif policy.copies is not None and policy.copies > 1 and not policy.joint:
        most = 2 * policy.copies - 1
        for uses in (1, most):
            cost = _worst(policy, on_walk=True, uses=(uses,))
            rows.append(
                (f"one walk edge used {'once' if uses == 1 else f'{uses} times'}", cost, "")
            )
    return rows


def _worst(policy: Policy, *, on_walk: bool, uses: tuple[int, ...] | None = None) -> Cost:
    """Return the largest cost of one edge of a kind: over labels, and over how often it is used.

    The loss is linear in the number of uses, so the ends of the range decide.
    """
    copies = policy.copies or 1
    uses = uses or ((1, 2 * copies - 1) if on_walk else (1,))
    labels: list[tuple[str, str] | None] = [(a, b) for a, b, _ in policy.rates]
    found = [
        price(policy, Missing(on_walk=on_walk, uses=used, labels=pair))
        for used in uses
        for pair in labels or [None]
    ]
    worst = found[0]
    for cost in found[1:]:
        presence = cost.presence if cost.presence.at_least(worst.presence) else worst.presence
        absence = cost.absence if cost.absence.at_least(worst.absence) else worst.absence
        worst = Cost(presence, absence)
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
    network: Network, walk: Walk, policy: Policy, positions: Positions
) -> tuple[EdgeLoss, ...]:
    """Return the exact loss of every edge, given how many copies its ends really have.

    *Privacy*: not to be published. The a-priori certificate bounds every one of these where the
    number of copies is public; for the paper's policy, whose copies are drawn, only this list
    gives the numbers of a release.

    Parameters
    ----------
    positions
        Those of the publication: ``publication.positions``.
    """
    uses = Counter((u, v) if u <= v else (v, u) for u, v in walk.steps)
    found = []
    priced: dict[Missing, tuple[Loss, Loss]] = {}  # thousands of edges are of a few kinds
    for u, v in network.edges:
        copies = (len(positions.copies_of(u)), len(positions.copies_of(v)))
        labels = (policy.label_of(u), policy.label_of(v)) if policy.rates else None
        used = uses[u, v]
        kind = Missing(on_walk=used > 0, uses=max(used, 1), copies=copies, labels=labels)
        if kind not in priced:
            cost = price(policy, kind)
            priced[kind] = cost.presence.loss(), cost.absence.loss()
        found.append(EdgeLoss((u, v), used, copies, *priced[kind]))
    return tuple(found)
