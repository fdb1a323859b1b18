"""The past of one network: it is its own, and stays with it when the network changes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from unicodedata import normalize

import pytest

from pathveil import Network
from pathveil.errors import LedgerError
from pathveil.ledger.ledger import Ledger
from tests.ledger.releasing import NETWORK, TERMS, is_sound, release


def test_a_link_added_or_removed_does_not_begin_a_new_account(ledger: Ledger, folder: Path) -> None:
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    grown = Network.parse("ab bc cd de ef bd ce af ad")
    second = release(ledger, grown, "abc", folder / "2.veil.json")
    assert not second.replayed  # the same walk, but its file would show the new link as a coin
    assert str(second.spent) == "2 = 2.0000"
    shrunk = Network.parse("ab bc cd de ef bd ce")
    assert str(release(ledger, shrunk, "abc", folder / "3.veil.json").spent) == "3 = 3.0000"
    assert len(ledger.standings()) == 1
    assert ledger.standings()[0].links == 9
    assert len(ledger.past(grown).rows) == 3
    assert is_sound(ledger)


def test_a_link_that_came_later_owes_nothing_for_what_was_before(
    ledger: Ledger, folder: Path
) -> None:
    """Three releases on ab, then ad joins and is walked twice: ab 3 + 2 off, ad 2 on."""
    before, after = Network.parse("ab bc"), Network.parse("ab bc ad")
    for walk in ("ab", "ba", "abc"):
        release(ledger, before, walk, folder / f"{walk}.veil.json")
    for walk in ("ad", "da"):
        last = release(ledger, after, walk, folder / f"{walk}.veil.json")
    assert last.spent.decimal == "3.9174"  # 3 + 2 (1 - ln(e - 1)), and not 3 more for ad
    assert is_sound(ledger)


def test_networks_without_a_common_link_are_different_networks(
    ledger: Ledger, folder: Path
) -> None:
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    other = Network.parse("uv vw")
    assert str(release(ledger, other, "uvw", folder / "2.veil.json").spent) == "1 = 1.0000"
    assert [stand.network for stand in ledger.standings()] == [1, 2]
    both = Network.parse("ab bv vw uv")
    with pytest.raises(LedgerError, match="shares links with 2 networks"):
        release(ledger, both, "abv", folder / "3.veil.json")
    assert not (folder / "3.veil.json").exists()
    assert len(ledger.standings()) == 2


def test_names_in_another_unicode_form_are_refused(ledger: Ledger, folder: Path) -> None:
    """They look alike: as another network, its releases would not have been counted."""
    names = ("\u00c9vry", "\u00c9tampes", "\u00c9pernay")
    parted = [normalize("NFD", name) for name in names]
    release(ledger, Network.from_links(pairwise(names)), names, folder / "1.veil.json")
    with pytest.raises(LedgerError, match="Unicode form"):
        release(ledger, Network.from_links(pairwise(parted)), parted, folder / "2.veil.json")
    assert not (folder / "2.veil.json").exists()


@pytest.mark.regression("names and codes of one network were two networks to a ledger")
def test_a_network_that_comes_back_under_other_names_is_refused(
    ledger: Ledger, folder: Path
) -> None:
    ring = [f"v{i}" for i in range(10)]
    coded = [f"kqxw{i}" for i in range(10)]
    links = [(i, (i + 1) % 10) for i in range(10)] + [(0, 5)]
    for number, names in enumerate((ring, coded)):
        network = Network.from_links((names[i], names[j]) for i, j in links)
        output = folder / f"{number}.veil.json"
        if names is ring:
            release(ledger, network, names[:4], output)
            continue
        with pytest.raises(LedgerError, match="same shape"):
            release(ledger, network, names[3:6], output)
        assert not output.exists()


@pytest.mark.regression("another network with the same numbers of links was refused as a copy")
def test_a_network_of_another_shape_is_released(ledger: Ledger, folder: Path) -> None:
    """Each vertex has as many links as in the first, and in two even the same surroundings."""
    bent = [(i, i + 1) for i in range(12)]
    for number, (links, name) in enumerate(
        [
            ([*bent, (3, 13), (4, 14)], "a"),
            ([*bent, (3, 13), (6, 14)], "b"),
            ([(i, (i + k) % 12) for i in range(12) for k in (1, 2)], "c"),
            ([(i, (i + k) % 12) for i in range(12) for k in (1, 3)], "d"),
            ([(i, (i + k) % 12) for i in range(12) for k in (1, 4)], "e"),
        ]
    ):
        network = Network.from_links((f"{name}{i}", f"{name}{j}") for i, j in links)
        walk = [f"{name}{i}" for i in range(3)]
        assert release(ledger, network, walk, folder / f"{number}.veil.json").place == 1


def test_the_past_of_a_network_is_its_own(ledger: Ledger, folder: Path) -> None:
    other = Network.parse("uv vw wx")
    first = release(ledger, NETWORK, "abc", folder / "1.veil.json")
    release(ledger, other, "uvw", folder / "2.veil.json")
    third = release(ledger, NETWORK, "abd", folder / "3.veil.json")
    past = ledger.past(NETWORK)
    assert [(row.counter, row.place) for row in past.rows] == [
        (first.counter, 1),
        (third.counter, 2),
    ]
    written = [(folder / name).read_bytes() for name in ("1.veil.json", "3.veil.json")]
    assert list(past.earlier(TERMS.text)) == written
    assert list(past.earlier("other terms")) == []
    assert ledger.past(Network.parse("pq qr")).rows == ()


def test_the_past_says_which_entry_changed_it_last(ledger: Ledger, folder: Path) -> None:
    """Whoever draws from a history relies on that entry, and is refused if it is another then."""
    before = ledger.past(NETWORK).counter
    made = release(ledger, NETWORK, "abc", folder / "1.veil.json")
    assert ledger.past(NETWORK).counter == made.counter != before
    release(ledger, Network.parse("uv vw"), "uvw", folder / "2.veil.json")
    assert ledger.past(NETWORK).counter == made.counter, "another network's release is none here"


def test_a_link_that_was_away_and_is_back_is_noticed(ledger: Ledger, folder: Path) -> None:
    less = NETWORK.without(("b", "d"))
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    assert not ledger.past(NETWORK).comes_back(NETWORK)
    release(ledger, less, "abc", folder / "2.veil.json")
    assert not ledger.past(less).comes_back(less)
    assert ledger.past(NETWORK).comes_back(NETWORK)
    new = Network.from_links([*less.links, ("a", "e")])
    assert not ledger.past(new).comes_back(new), "a link that never was one is none that is back"


def test_standings_count_every_link_once(ledger: Ledger, folder: Path) -> None:
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    release(ledger, NETWORK, "abd", folder / "2.veil.json")
    (stand,) = ledger.standings()
    assert stand.links == len(NETWORK.links) == sum(stand.uses.values())
    assert stand.uses == {0: 5, 1: 2, 2: 1}, "a - b twice, b - c and b - d once"
    assert [row.place for row in stand.rows] == [1, 2]
    assert all(row.handed_out for row in stand.rows)
    assert stand.spent == stand.rows[-1].spent
