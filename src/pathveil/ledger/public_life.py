"""What is public over a network, as cover counts it, and the gate before a ledger's releases.

Cover counts public files: one that went out in envelopes only is not among them. It is asked before
a coin is drawn, and again in the transaction if somebody else released over this network meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence

from pathveil.files.publications.any_publication import publication_from
from pathveil.ledger.views import Past
from pathveil.model.layered import follows_walk
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.planning.cover import CountedRelease, Cover
from pathveil.planning.gate import counted_release, life_of_files, require_open
from pathveil.publishing.terms import ReleaseTerms
from pathveil.reading.assemble import reconstruct
from pathveil.sketching.sketch_release import seed_loss


def ask_gate(past: Past, network: Network, walks: Sequence[Walk], terms: ReleaseTerms) -> Cover:
    """Return the cover that is used once these walks are public too, or raise if it is too much.

    Raises
    ------
    GateClosed
        If too little cover is left, if releases do not go one way, or if one cannot be counted.
    """

    def read(publication: Publication) -> Walk:
        return reconstruct(publication, network, grouping=terms.grouping).walk

    files = [publication_from(release.read()).over(terms.grouping) for release in past.earlier()]
    life = life_of_files(files, network, read=read, grouping=terms.grouping)
    return require_open(life, [new_release(network, walk, terms) for walk in walks])


def new_release(network: Network, walk: Walk, terms: ReleaseTerms) -> CountedRelease:
    """Return a release under these terms as cover counts it."""
    policy = terms.in_use
    once = 0.0
    if terms.capacity is not None:
        assert policy.value_bits is not None, "a sketch rounds its rates"
        once = float(seed_loss(terms.capacity, policy.value_bits).presence.loss())
    return counted_release(
        network,
        [walk],
        policy,
        carried=follows_walk(terms.layering),
        grouping=terms.grouping,
        once=once,
    )
