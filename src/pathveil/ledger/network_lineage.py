"""A network's life: versions of it that share links are one network, with one account.

A link that is added or removed makes another network, and what its links have run up must not be
forgotten over that. So each version is kept as the sealed list of its links' numbers (half of a
keyed fingerprint), and a network that is new to the ledger belongs to the life it shares any link
with. Links that went stay charged with what comes after: too much, never too little.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Table, insert, select

from pathveil.errors import LedgerError
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.accounts import AccountRows
from pathveil.ledger.chain import Chain
from pathveil.ledger.keys import Keyring
from pathveil.model.network import Network

Numbers = npt.NDArray[np.uint64]


def find_life(connection: Connection, ring: Keyring, network: Network) -> int | None:
    """Return the life a network belongs to, or None if it shares no link with any."""
    query = select(t.networks.c.lineage).where(t.networks.c.fingerprint == ring.network(network))
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        found, _ = _related(connection, ring, ring.link_numbers(network))
    return found


def last_change(connection: Connection, life: int | None) -> int:
    """Return the entry that last changed what is known of a network; 0 if it is new."""
    if life is None:
        return 0
    query = select(t.lineages.c.counter).where(t.lineages.c.id == life)
    return int(connection.execute(query).scalar_one())


def enter_network(
    connection: Connection, ring: Keyring, chain: Chain, network: Network
) -> tuple[int, int]:
    """Return number and life of exactly this network, entered if it is new."""
    fingerprint = ring.network(network)
    query = select(t.networks.c.id, t.networks.c.lineage)
    found = connection.execute(query.where(t.networks.c.fingerprint == fingerprint)).one_or_none()
    if found is not None:
        return found.id, found.lineage
    numbers = ring.link_numbers(network)
    life, before = _related(connection, ring, numbers)
    counter = chain.enter("network", {"fingerprint": fingerprint, "continues": life})
    if life is None:
        values = {"links": len(numbers), "counter": counter}
        life = new_row(connection, t.lineages, values)
    else:
        fresh = np.flatnonzero(~np.isin(numbers, before))
        links = network.links
        late = [ring.link(*links[place]) for place in fresh.tolist()]
        rows = AccountRows(connection, ring, life, late)
        rows.begin_late(late)
        rows.save(counter)
    sealed = ring.seal(np.sort(numbers).astype("<u8").tobytes(), about=f"network {fingerprint}")
    row = {"lineage": life, "fingerprint": fingerprint, "sealed_links": sealed}
    row["sealed_network"] = ring.seal(network_bytes(network), about=f"links of {fingerprint}")
    return new_row(connection, t.networks, row), life


def _related(connection: Connection, ring: Keyring, numbers: Numbers) -> tuple[int | None, Numbers]:
    """Return the one life that has any of these links, and all links it ever had."""
    known = connection.execute(select(t.networks.c.lineage).distinct()).scalars().all()
    lives = {life: [links for _, links in link_sets(connection, ring, life)] for life in known}
    found = {
        life: np.unique(np.concatenate(parts))
        for life, parts in lives.items()
        if any(np.isin(numbers, part).any() for part in parts)
    }
    if len(found) > 1:
        raise LedgerError(
            f"the network shares links with {len(found)} networks of this ledger that share none "
            "with each other; what their links have run up cannot be told apart any more: give "
            "other names if these are the same by accident; else publish it through a new ledger, "
            "and take the larger of the two losses off its budget"
        )
    for life, links in found.items():
        return life, links
    return None, np.empty(0, dtype=np.uint64)


def link_sets(
    connection: Connection, ring: Keyring, life: int | None
) -> Iterator[tuple[str, Numbers]]:
    """Yield fingerprint and links of each version of a network."""
    for row in connection.execute(select(t.networks).where(t.networks.c.lineage == life)):
        data = ring.unseal(row.sealed_links, about=f"network {row.fingerprint}")
        yield row.fingerprint, np.frombuffer(data, dtype="<u8")


def network_bytes(network: Network) -> bytes:
    """Return the vertices and links of a version, to be sealed."""
    names = json.dumps(network.vertices).encode()
    return len(names).to_bytes(8, "big") + names + network.pairs.astype("<i8").tobytes()


def network_from(data: bytes) -> Network:
    """Return the version that was sealed."""
    end = 8 + int.from_bytes(data[:8], "big")
    pairs = np.frombuffer(data[end:], dtype="<i8").reshape(-1, 2).astype(np.int64)
    return Network(tuple(json.loads(data[8:end])), pairs)


def new_row(connection: Connection, table: Table, values: Mapping[str, object]) -> int:
    """Insert a row and return the number it got."""
    key = connection.execute(insert(table).values(values)).inserted_primary_key
    assert key is not None
    return int(key[0])
