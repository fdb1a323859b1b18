"""For the custodian's eyes: how well someone who lacks one link of the walk can name it.

Each link is taken away in turn, and somebody who lacks just that one is asked: about one release
(:func:`identify_links`), or about all releases of a series (:func:`joins_of_used_links`). The lists
reveal the walk; they belong on the custodian's screen and nowhere else. A release that looks bad
here may be withheld. It must not be drawn again until it looks good: then its coins would depend on
the secret.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from pathveil.attacks.one_file.completions import (
    Fragments,
    Pair,
    World,
    enumerate_worlds,
    read_fragments,
)
from pathveil.attacks.one_file.direction_likelihood import Course
from pathveil.attacks.one_file.inference import attack
from pathveil.attacks.one_file.posterior import CoinModel
from pathveil.attacks.series.insider import joining_insider
from pathveil.attacks.series.pile_attack import read_releases
from pathveil.errors import DoesNotFit
from pathveil.model.knowledge import Knowledge
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.policies import Policy

LIMIT = 20_000
"""Steps of enumeration for each link; a link that needs more is left out of the list."""


@dataclass(frozen=True, repr=False)
class LinkRisk:
    """What someone who lacks one walk link and knows all the rest makes of it. Secret.

    Attributes
    ----------
    link
        The link.
    joins
        How many answers are possible by the bits of the other links.
    before, after
        The chance that this link is named, by those bits alone and by the whole release.
    left_alone
        The chance that a release of this walk, with fresh coins on all other pairs, leaves no other
        answer; None where it is not worked out: over a grouping, with the paper's layout, and after
        other releases of a series.
    """

    link: tuple[str, str]
    joins: int
    before: float
    after: float
    left_alone: float | None = None

    @property
    def alone(self) -> bool:
        """Whether the release leaves no other answer."""
        return self.after > 1 - 1e-12

    def __repr__(self) -> str:
        return "<LinkRisk: for the custodian>"


def identify_links(publication: Publication, network: Network, walk: Walk) -> tuple[LinkRisk, ...]:
    """Return the risk of each walk link that can be worked out, worst first.

    *Privacy*: not to be published, and not to be used to choose among releases.

    *Cost*: one exact inference for each link of the walk.

    Examples
    --------
    >>> from pathveil import Policy, publish
    >>> network, walk = Network.parse("ab bc cd de"), Walk("abcde")
    >>> found = identify_links(publish(network, walk, policy=Policy.sealed()), network, walk)
    >>> [(risk.link, risk.joins, risk.after) for risk in found][:1]
    [(('a', 'b'), 4, 0.5)]
    """
    found = []
    for link in sorted(walk.links):
        known = Knowledge(network.without(link))
        try:
            seen = attack(publication, known, limit=LIMIT, samples=0)
        except (ValueError, DoesNotFit):
            continue  # too much to list here
        belief = next(b for b in seen.beliefs if b.link == link)
        rivals = {b.link for b in seen.beliefs if b.prior > 0 and b.link != link}
        chance = _chance_alone(publication, known, rivals)
        found.append(LinkRisk(link, len(rivals) + 1, belief.prior, belief.posterior, chance))
    return tuple(sorted(found, key=lambda risk: (-risk.after, -risk.before, risk.link)))


def _chance_alone(
    publication: Publication, knowledge: Knowledge, rivals: Collection[tuple[str, str]]
) -> float | None:
    """Return the chance that fresh coins rule all rivals out; None where it is not worked out.

    A rival is ruled out if its coins show neither a step of a walk that the direction bit allows
    nor, where a walk is whole without a missing link, a link off the walk. Coins of different
    pairs are independent.
    """
    policy, place = Policy.from_terms(publication.policy), publication.series
    if publication.grouped is not None or publication.drawing is not None:
        return None
    if place is not None and place.place > 1:
        return None
    if policy.noisy:
        return 0.0
    if not publication.lists_vertices:
        publication = publication.among(knowledge.network.vertices)
    public = None if publication.universe is None else publication.universe.pairs
    packed, coins = publication.packed, CoinModel(policy)
    read = read_fragments(packed.pairs, packed.positions, knowledge.network, universe=public)
    course = Course.of(publication, knowledge, policy)
    worlds = enumerate_worlds(read, knowledge.missing, spanning=False, limit=LIMIT)
    ways = _ways_to_fit(read, [world for world in worlds if course.after(world.visits)], policy)
    return prod(
        1 - sum(coins.chance(clear=len(joins), pairs=len(read.lifted(pair))) for joins in shown)
        for pair, shown in ways.items()
        if read.names(pair) in rivals
    )


def _ways_to_fit(
    read: Fragments, worlds: Sequence[World], policy: Policy
) -> dict[Pair, set[frozenset[Pair]]]:
    """Return for each pair in which ways its copy pairs may be steps, if it is the missing link."""
    found: dict[Pair, set[frozenset[Pair]]] = {}
    for world in worlds:
        if policy.link_uses is not None and len(world.joins) > policy.link_uses:
            continue
        for pair in world.links or read.absent:
            found.setdefault(pair, set()).add(world.joins)
    return found


@dataclass(frozen=True, repr=False)
class MissedLink:
    """A link of a series, on how many walks it is, and how many pairs could be it. Secret.

    ``without_coins`` counts the pairs that join the pieces of *every* walk with the link, had
    nothing been published of pairs that are not links; ``left`` those that the releases leave.
    """

    link: tuple[str, str]
    uses: int
    without_coins: int
    left: int

    def __repr__(self) -> str:
        return "<MissedLink: for the custodian>"


def joins_of_used_links(
    publications: Sequence[Publication], network: Network, *, most: int = 60
) -> list[MissedLink]:
    """Return for the most used links of a series, at most ``most``, how far each hides.

    Examples
    --------
    >>> from pathveil import Seeded
    >>> from pathveil.publishing.release import publish_series
    >>> network = Network.parse("ab bc cd bd de ea")
    >>> walks = [Walk("abcd"), Walk("dbc")]
    >>> releases = list(publish_series(network, walks, source=Seeded(3)))
    >>> [(link.link, link.uses) for link in joins_of_used_links(releases, network, most=1)]
    [(('b', 'c'), 2)]
    """
    sightings, law, files = read_releases(publications, names=network.vertices)
    place = {name: number for number, name in enumerate(sightings.positions.vertices)}
    pairs = np.array([[place[u], place[v]] for u, v in network.links], dtype=np.int64)
    uses = np.sum([~file.packed.same_branch(file.positions, pairs) for file in files], axis=0)
    risks = []
    for number in np.argsort(-uses, kind="stable")[:most].tolist():
        if not uses[number]:
            break
        inference = joining_insider(sightings, law, np.delete(pairs, number, axis=0))
        link = network.links[number]
        risks.append(MissedLink(link, int(uses[number]), inference.control, len(inference.pairs)))
    return risks
