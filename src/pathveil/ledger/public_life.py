"""What is public over a network, as cover counts it.

With each release a ledger keeps, sealed, the walk and what links pay by it, and with each version
of a network its links. So every public release is counted over the network of its time, whatever
became of its file. A release that went out in envelopes only is not public and not counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from sqlalchemy import Connection, select

from pathveil.files.publications.any_publication import publication_from
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.keys import Keyring
from pathveil.ledger.network_lineage import network_from
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.cover import Classes, Coins, CountedRelease, Law, Life, Link, Urns

_LAWS: dict[str, type[Coins | Urns | Classes]] = {
    "coins": Coins,
    "urns": Urns,
    "classes": Classes,
}


def counted_text(release: CountedRelease) -> str:
    """Return a release as cover counts it, as one text; its network is kept elsewhere."""
    law = release.law
    kind = next(name for name, one in _LAWS.items() if isinstance(law, one))
    values = {name: getattr(law, name) for name in law.__dataclass_fields__}
    walks = [walk.vertices for walk in release.walks]
    return json.dumps({"walks": walks, "law": kind, "values": values})


def counted_from(
    text: str, network: Network, shows: Callable[[Link], bool] | None = None
) -> CountedRelease:
    """Return the release that was written as a text."""
    facts = json.loads(text)
    law: Law = _LAWS[facts["law"]](**facts["values"])
    return CountedRelease(network, tuple(Walk(walk) for walk in facts["walks"]), law, shows)


def public_life(
    connection: Connection, ring: Keyring, life: int, read: Callable[[int], bytes]
) -> Life:
    """Return the public releases of a network in all its versions, oldest first.

    Parameters
    ----------
    read
        Gives the bytes of a release by its number.
    """
    r = t.releases.c
    public = select(t.handouts.c.release).where(t.handouts.c.public)
    query = (
        select(r.counter, r.sealed_counted, t.networks.c.fingerprint, t.networks.c.sealed_network)
        .join(t.networks, t.networks.c.id == r.network)
        .where(t.networks.c.lineage == life, r.counter.in_(public))
        .order_by(r.counter)
    )
    networks: dict[str, Network] = {}
    releases = []
    for row in connection.execute(query):
        mark = row.fingerprint
        if mark not in networks:
            networks[mark] = network_from(ring.unseal(row.sealed_network, about=f"links of {mark}"))
        text = ring.unseal(row.sealed_counted, about=f"counted {row.counter}").decode()
        shows = partial(_shows, read, row.counter)
        releases.append(counted_from(text, networks[mark], shows))
    return Life(tuple(releases))


def _shows(read: Callable[[int], bytes], counter: int, link: Link) -> bool:
    """Return whether a release shows a pair on its walk."""
    publication = publication_from(read(counter), f"release {counter}")
    copies = range(len(publication.positions.copies_of(link[0])))
    return any(
        not publication.same_branch((link[0], one), (link[1], other))
        for one in copies
        for other in copies
    )
