"""An account as rows: what is written at the end of a transaction is what is read at the next."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from pathveil import Network
from pathveil.ledger import tables as t
from pathveil.ledger.account_rows import AccountRows, kind_name
from pathveil.ledger.entries import LATE
from pathveil.ledger.ledger import Ledger
from tests.ledger.releasing import losses, release


def account_of(ledger: Ledger, network: Network) -> AccountRows:
    ring = ledger._ring
    links = [ring.link(*link) for link in network.links]
    with ledger._store.reading() as connection:
        life = connection.execute(select(t.lineages.c.id)).scalars().one()
        return AccountRows(connection, ring, life, links)


def test_rows_hold_what_was_charged(ledger: Ledger, folder: Path, network: Network) -> None:
    for number, walk in enumerate(("abc", "abd")):
        release(ledger, network, walk, folder / f"{number}.veil.json")
    rows = account_of(ledger, network)
    ring = ledger._ring
    uses = {link: rows.account.touched.get(ring.link(*link), (0, ""))[0] for link in network.links}
    assert uses == dict.fromkeys(network.links, 0) | {
        ("a", "b"): 2,
        ("b", "c"): 1,
        ("b", "d"): 1,
    }
    assert sum(rows.account.rests.values()) == 2, "each release is of one kind for the rest"
    assert rows.spent(losses) == ledger.standings()[0].spent


def test_names_of_kinds_are_sealed(ledger: Ledger, folder: Path, network: Network) -> None:
    """Which kind is whose walk's would be read off a name in clear."""
    release(ledger, network, "abc", folder / "1.veil.json")
    with ledger._store.reading() as connection:
        kinds = connection.execute(select(t.kinds)).all()
    assert {kind_name(ledger._ring, row) for row in kinds} == {"on", "off"}
    assert {row.fingerprint for row in kinds} == {ledger._ring.text(name) for name in ("on", "off")}
    assert {row.fingerprint for row in kinds}.isdisjoint({"on", "off"})


def test_links_that_come_later_are_entered_with_a_kind_of_their_own(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    release(ledger, network, "abc", folder / "1.veil.json")
    grown = Network.from_links([*network.links, ("a", "e")])
    release(ledger, grown, "abc", folder / "2.veil.json")
    rows = account_of(ledger, grown)
    assert rows.account.links == len(grown.links)
    assert LATE + "off" in rows.account.names.values()
    assert ledger._ring.link("a", "e") in rows.account.touched
