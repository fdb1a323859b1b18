"""For the custodian's eyes: how well each link of the walk is told from its rivals.

Each walk link is taken away in turn, and the adversary who misses just that one is asked. The list
tells the walk; it belongs on the custodian's screen and nowhere else. A release that looks bad here
may be withheld. It must not be drawn again until it looks good: then its coins would depend on the
secret.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pathveil.adversary.inference import attack, known_universe
from pathveil.errors import DoesNotFit
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.threat import Knowledge
from pathveil.model.universe import Pairs
from pathveil.model.walk import Walk

LIMIT = 20_000
"""Steps of enumeration for each link; a link that needs more is left out of the list."""


@dataclass(frozen=True, repr=False)
class LinkRisk:
    """What is left of one walk link to who misses it and knows all the rest. Secret.

    Attributes
    ----------
    edge
        The link.
    joins
        How many answers are possible by the bits of the other links.
    before, after
        The chance that this link is named, by those bits alone and by the whole release.
    """

    edge: tuple[str, str]
    joins: int
    before: float
    after: float

    @property
    def alone(self) -> bool:
        """Whether the release leaves no other answer."""
        return self.after > 1 - 1e-12

    def __repr__(self) -> str:
        return "<LinkRisk: for the custodian>"


def identify_links(
    publication: Publication, network: Network, walk: Walk, *, universe: Pairs | None = None
) -> tuple[LinkRisk, ...]:
    """Return the risk of each walk link that can be worked out, worst first.

    *Privacy*: not to be published, and not to be used to choose among releases.

    *Cost*: one exact inference for each link of the walk.

    Examples
    --------
    >>> from pathveil import Policy, publish
    >>> network, walk = Network.parse("ab bc cd de"), Walk("abcde")
    >>> found = identify_links(publish(network, walk, policy=Policy.sealed()), network, walk)
    >>> [(risk.edge, risk.joins, risk.after) for risk in found][:1]
    [(('a', 'b'), 4, 0.5)]
    """
    # What is not brought, or does not fit, is not taken for too much work below.
    publication = replace(publication, universe=known_universe(publication, universe))
    found = []
    for edge in sorted(walk.edges):
        known = Knowledge(network.without(edge))
        try:
            seen = attack(publication, known, limit=LIMIT, samples=0)
        except (ValueError, DoesNotFit):
            continue  # too much to list here
        belief = next(b for b in seen.beliefs if b.edge == edge)
        joins = sum(b.prior > 0 for b in seen.beliefs)
        found.append(LinkRisk(edge, joins, belief.prior, belief.posterior))
    return tuple(sorted(found, key=lambda risk: (-risk.after, -risk.before, risk.edge)))
