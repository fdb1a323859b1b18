"""Exact losses by adversary.

Neighbours. D is the network with the walk; D' is the same with some links unknown: they are drawn
as if they were none, the visiting order stays. *Presence* is the loss D -> D',
ln max Pr[output | D] / Pr[output | D'], the odds an output can give for the links being there.
*Absence* is the loss D' -> D. A finite presence with an infinite absence is one-sided differential
privacy: that a link is there is protected, that it is not there is not.

What is counted. An output is the bits, the direction bit and, with them, any layout computed from
them; the adversary is granted all else, even which copy serves which visit. Pairs are drawn
independently, so losses of different links, and of fresh releases, add up exactly; a release is
described by frozen :class:`Missing` records and folded by :func:`losses_of`. The law of a pair,
from which each term follows, is in :mod:`pathveil.chance.law`.

Two lists with different readers are made of them. :func:`~pathveil.chance.certify.certify`
is public and the same for every walk under the policy. :func:`custodian_losses` depends on the walk
and is for the custodian's eyes only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.model.certificate import Loss
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.sketching.equations import seed_failure
from pathveil.sketching.sketch_release import shape_of


@dataclass(frozen=True)
class Missing:
    """Links an adversary misses, all alike.

    Parameters
    ----------
    on_walk
        Whether the walk uses them.
    links
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
    links: int = 1
    uses: int = 1
    copies: tuple[int, int] | None = None
    labels: tuple[str, str] | None = None


@dataclass(frozen=True)
class Losses:
    """What missing links lose in both directions."""

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

    >>> from pathveil.sketching.sketch_release import policy_in_sketch
    >>> str(seed_loss(policy_in_sketch(Policy.balanced()), 1_000_000).presence.loss())
    'ln(2^21/(2^21 - 1)) = 0.0001'
    """
    if capacity is None:
        return NOTHING
    kept = 1 - seed_failure(shape_of(policy, capacity))
    return Losses(ExactLoss.of(ExactProbability.rational(1 / kept)), ExactLoss())


def losses_of(policy: Policy, *missing: Missing, releases: int = 1) -> Losses:
    """Return the exact losses of missing links over fresh releases of the same: composition.

    *Privacy*: proved. Pairs are independent given the copies handed out, and the largest ratio of
    a product is the product of the largest ratios, so sums are exact and not mere bounds.

    Examples
    --------
    >>> found = losses_of(Policy.balanced(), Missing(on_walk=True, links=2), Missing(on_walk=False))
    >>> str(found.presence.loss()), str(found.absence.loss())
    ('3 ln 2 = 2.0795', 'infinite')
    >>> copied = Policy.balanced(copies=2, link_uses=1)
    >>> str(losses_of(copied, Missing(on_walk=True)).presence.loss())
    'ln 5 = 1.6095'
    """
    total = NOTHING
    for links in missing:
        total += _link_losses(policy, links).times(links.links)
    return total.times(releases)


def compose(*parts: Losses) -> Losses:
    """Return the losses of several independent releases or sets of links together: the sum."""
    total = NOTHING
    for part in parts:
        total += part
    return total


def _link_losses(policy: Policy, link: Missing) -> Losses:
    """Return the losses of one missing link."""
    labels = link.labels or (None, None)
    law = policy.law(*labels)
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


# -- for the custodian only -----------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class LinkLoss:
    """What one link of a network costs in one release. Secret: it tells whether it is walked."""

    link: tuple[str, str]
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
    links: Iterable[tuple[str, str]] | None = None,
) -> tuple[LinkLoss, ...]:
    """Return the exact loss of every link, given how many copies its ends really have.

    *Privacy*: not to be published. The a-priori certificate bounds every one of these where the
    number of copies is public; for the paper's policy, whose copies are drawn, only this list
    gives the numbers of a release.

    Parameters
    ----------
    positions
        Those of the publication: ``publication.positions``.
    links
        Which links; all of the network's if not given.
    """
    found = []
    known: dict[Missing, tuple[Loss, Loss]] = {}  # thousands of links are of a few kinds
    for u, v in network.links if links is None else links:
        copies = (len(positions.copies_of(u)), len(positions.copies_of(v)))
        labels = None
        if policy.label_pairs:
            labels = (policy.kind.label_of(u), policy.kind.label_of(v))
        used = walk.uses[u, v]
        kind = Missing(on_walk=used > 0, uses=used, copies=copies, labels=labels)
        if kind not in known:
            losses = losses_of(policy, kind)
            known[kind] = losses.presence.loss(), losses.absence.loss()
        found.append(LinkLoss((u, v), used, copies, *known[kind]))
    return tuple(found)
