"""For the custodian's eyes: how well someone who lacks one link of the walk can name it.

Each link is taken away in turn, and somebody who lacks just that one is asked. The list reveals the
walk; it belongs on the custodian's screen and nowhere else. A release that looks bad
here may be withheld. It must not be drawn again until it looks good: then its coins would depend on
the secret.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import prod

from pathveil.attacks.one_file.completions import Completions, Link, Pair, World, read_fragments
from pathveil.attacks.one_file.direction_likelihood import Course
from pathveil.attacks.one_file.inference import attack
from pathveil.attacks.one_file.posterior import CoinModel
from pathveil.attacks.series.pile_attack import attack_as_insider
from pathveil.errors import BrokenSeries, DoesNotFit
from pathveil.model.knowledge import Knowledge
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.policies import Policy

RARE = 0.1
"""A link that is certain although the policy made that rarer than this is an alarm."""
LIMIT = 20_000
"""Steps of enumeration for each link; a link that needs more is left out of the list."""


@dataclass(frozen=True, repr=False)
class LinkRisk:
    """What someone who lacks one walk link and knows all the rest makes of it. Secret.

    Attributes
    ----------
    link
        The link.
    rivals
        The other answers that are possible by the bits of the other links.
    left
        Those of them that the whole release leaves.
    before, after
        The chance that this link is named, by those bits alone and by the whole release.
    left_alone
        The chance that a release of this walk, with fresh coins on all other pairs, leaves no other
        answer; None where it is not worked out: over a grouping, with the paper's layout, and after
        other releases of a series.
    """

    link: Link
    rivals: frozenset[Link]
    left: frozenset[Link]
    before: float
    after: float
    left_alone: float | None = None

    @property
    def joins(self) -> int:
        """How many answers are possible by the bits of the other links."""
        return len(self.rivals) + 1

    @property
    def alone(self) -> bool:
        """Whether the release leaves no other answer."""
        return self.after > 1 - 1e-12

    @property
    def certain(self) -> bool:
        """Whether someone who lacks just this link is certain of it, and was not before."""
        return self.alone and self.before < 1

    @property
    def alarm(self) -> bool:
        """Whether it is certain although that should have been rare: do not send it as it is."""
        return self.certain and self.left_alone is not None and self.left_alone < RARE

    def certain_if_told(self, walk: Walk, end: str, *, direction: bool | None) -> bool:
        """Whether it is certain to someone who also knows where a simple walk begins or ends.

        ``direction`` is the public bit: whether the first end sorts before the last.
        """

        def fits(rival: Link) -> bool:
            shown = Counter(v for link in {*walk.links, rival} - {self.link} for v in link)
            ends = sorted(vertex for vertex, many in shown.items() if many == 1)
            if direction is not None and end in ends:
                first, _ = ends if direction else reversed(ends)
                return (first == end) == (walk[0] == end)
            return end in ends

        doubtful = self.certain or any(map(fits, self.rivals))  # before the file was seen
        return doubtful and not any(map(fits, self.left))

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
    [(('a', 'b'), 2, 0.5)]
    """
    found = []
    for link in sorted(walk.links):
        try:
            found.append(identify_link(publication, network, link, limit=LIMIT))
        except (ValueError, DoesNotFit):
            continue  # too much to list here
    return tuple(sorted(found, key=lambda risk: (-risk.after, -risk.before, risk.link)))


def identify_link(
    publication: Publication, network: Network, link: Link, *, limit: int
) -> LinkRisk:
    """Return the risk of one link of the walk, as :func:`identify_links` does of each.

    Raises
    ------
    TooLarge
        If that takes more than ``limit`` steps of enumeration.
    """
    known = Knowledge(network.without(link))
    seen = attack(publication, known, limit=limit, samples=0)
    here = next((one for one in seen.on_walk if one.links == (link,)), None)
    if here is None:
        raise DoesNotFit(f"{' - '.join(link)} is no link of the walk that the file shows")
    others = [one for one in seen.on_walk if one.links != (link,)]
    rivals = frozenset(one.links[0] for one in others)
    left = frozenset(one.links[0] for one in others if one.posterior > 0)
    chance = _chance_alone(publication, known, rivals, limit)
    return LinkRisk(link, rivals, left, here.prior, here.posterior, chance)


def certain_together(
    files: Sequence[Publication], network: Network, links: Iterable[Link]
) -> frozenset[Link] | None:
    """Return which links all files together leave no doubt about; None if it cannot be counted.

    Not counted are noisy files, different terms, a universe, a grouping, and copies.

    *Cost*: one inference over all files for each link.
    """
    if Policy.from_terms(files[0].policy).noisy:
        return None
    try:
        seen = [(link, attack_as_insider(files, network.without(link))) for link in links]
    except (DoesNotFit, BrokenSeries):
        return None
    return frozenset(link for link, found in seen if found.links == (link,))


def _chance_alone(
    publication: Publication, knowledge: Knowledge, rivals: Collection[Link], limit: int
) -> float | None:
    """Return the chance that fresh coins rule all rivals out; None where it is not worked out.

    A rival is ruled out if its coins show no step of a walk that the direction bit allows. Coins of
    different pairs are independent.
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
    worlds = Completions(read, knowledge.missing, spanning=False).listed(limit)
    assert worlds is not None, "the attack listed them"
    ways = _ways_to_fit([world for world in worlds if course.after(world.visits)], policy)
    return prod(
        1 - sum(coins.chance(clear=len(joins), pairs=len(read.lifted(pair))) for joins in shown)
        for pair, shown in ways.items()
        if read.names(pair) in rivals
    )


def _ways_to_fit(worlds: Sequence[World], policy: Policy) -> dict[Pair, set[frozenset[Pair]]]:
    """Return for each pair in which ways its copy pairs may be steps, if it is the missing link."""
    found: dict[Pair, set[frozenset[Pair]]] = {}
    for world in worlds:
        if policy.link_uses is not None and len(world.joins) > policy.link_uses:
            continue
        for pair in world.links:
            found.setdefault(pair, set()).add(world.joins)
    return found
