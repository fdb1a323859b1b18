"""Each link a series used, missed by one who knows all others, and the pairs it could be.

What it says depends on the network and the walks: for the custodian's screen alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathveil.attacks.series.insider import joining_insider
from pathveil.attacks.series.pile_attack import read_releases
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.universe import Pairs


@dataclass(frozen=True, repr=False)
class MissedLink:
    """A link, on how many walks it lies, and how many pairs fit in its place.

    ``without_coins`` counts the pairs that join the pieces of *every* walk the link lies on, had
    nothing been published of pairs that are no links; ``left`` those that the releases leave.
    """

    link: tuple[str, str]
    uses: int
    without_coins: int
    left: int

    def __repr__(self) -> str:
        return "<MissedLink: for the custodian>"


def joins_of_used_links(
    publications: Sequence[Publication],
    network: Network,
    *,
    most: int = 60,
    universe: Pairs | None = None,
) -> list[MissedLink]:
    """Return for the most used links of a series, up to so many, how far each hides.

    ``universe`` are the public pairs, where the releases name them by digest only.

    Examples
    --------
    >>> from pathveil import Seeded, Walk
    >>> from pathveil.publishing.release import publish_series
    >>> network = Network.parse("ab bc cd bd de ea")
    >>> walks = [Walk("abcd"), Walk("dbc")]
    >>> policy = "remembering:on=1/2,off=1/2"
    >>> releases = list(publish_series(network, walks, policy=policy, source=Seeded(3)))
    >>> [(link.link, link.uses) for link in joins_of_used_links(releases, network, most=1)]
    [(('b', 'c'), 2)]
    """
    sightings, law, files = read_releases(publications, universe=universe, names=network.vertices)
    place = {name: number for number, name in enumerate(sightings.positions.vertices)}
    pairs = np.array([[place[u], place[v]] for u, v in network.links], dtype=np.int64)
    shown = [~file.packed.same_branch(file.positions, pairs) for file in files]
    uses = np.sum(shown, axis=0)
    found = []
    for number in np.argsort(-uses, kind="stable")[:most].tolist():
        if not uses[number]:
            break
        inference = joining_insider(sightings, law, np.delete(pairs, number, axis=0))
        link = network.links[number]
        found.append(MissedLink(link, int(uses[number]), inference.control, len(inference.pairs)))
    return found
