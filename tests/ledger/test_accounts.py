"""What every link has run up, in memory and as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from pathveil import Network
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.accounts import Account, AccountRows, differing, parsed, stored_kind_name
from pathveil.ledger.entries import LATE
from pathveil.ledger.ledger import Ledger
from pathveil.model.certificate import Loss
from tests.ledger.releasing import losses, release

PRICES = {"off": 1, "on": 5, "twice": 20}


def compose(links: Sequence[Mapping[str, int]]) -> list[Loss]:
    return [Loss("", str(sum(PRICES[k] * n for k, n in kinds.items()))) for kinds in links]


RELEASES = st.lists(
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["on", "twice", "off"])), max_size=12
)


@given(RELEASES)
def test_an_account_counts_what_every_link_ran_up(releases: list[dict[str, str]]) -> None:
    """Against the plain way: a counter for every link."""
    numbers = {"off": 1, "on": 2, "twice": 3}
    account = Account(5, names={n: k for k, n in numbers.items()})
    plain = {link: Counter[str]() for link in "abcde"}
    for charges in releases:
        account.charge(1, {link: (numbers[kind], 1) for link, kind in charges.items()})
        for link, counts in plain.items():
            counts[charges.get(link, "off")] += 1
    for link, counts in plain.items():
        _, profile = account.touched.get(link, (0, ""))
        assert account.kinds_of(profile) == +counts
    dearest = max(sum(PRICES[k] * n for k, n in counts.items()) for counts in plain.values())
    assert account.spent(compose).decimal == str(dearest)
    assert sum(account.profiles.values()) == len(account.touched)


def test_a_link_nobody_has_is_not_charged() -> None:
    """Once every link was walked, no link is left that was always off: it must not count."""
    account = Account(1, names={1: "twice", 2: "on"})
    account.charge(1, {"a": (2, 1)})
    assert account.spent(compose).decimal == "5"


def test_late_links_owe_nothing_for_what_was_before_them() -> None:
    account = Account(1, names={1: "off", 2: "on", 3: "late off"})
    account.charge(1, {})
    account.charge(1, {})
    account.begin_late(["z"], {1: 3})
    account.charge(1, {"z": (2, 1)})
    assert account.links == 2
    assert account.kinds_of(account.touched["z"][1]) == {"late off": 2, "on": 1}


def test_without_links_or_releases_nothing_is_spent() -> None:
    assert Account(0).spent(compose).decimal == "0.0000"
    assert Account(3).spent(compose).decimal == "0"


@given(st.dictionaries(st.tuples(st.integers(1, 9), st.integers(1, 9)), st.integers(1, 99)))
def test_profiles_are_read_back(counts: dict[tuple[int, int], int]) -> None:
    assert parsed(differing("", counts)) == counts


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
    assert {stored_kind_name(ledger._ring, row) for row in kinds} == {"on", "off"}
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
