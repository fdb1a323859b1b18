"""Looking into a ledger: the past of one network, and how each network stands."""

from __future__ import annotations

from pathlib import Path

from pathveil import Network
from pathveil.ledger.ledger import Ledger
from tests.ledger.releasing import TERMS, draw, losses, release, request


def test_the_past_of_a_network_is_its_own(ledger: Ledger, folder: Path, network: Network) -> None:
    other = Network.parse("uv vw wx")
    first = release(ledger, network, "abc", folder / "1.veil.json")
    release(ledger, other, "uvw", folder / "2.veil.json")
    third = release(ledger, network, "abd", folder / "3.veil.json")
    past = ledger.past(network)
    assert len(past) == 2
    assert [one.counter for one in past.earlier()] == [first.counter, third.counter]
    assert [one.place for one in past.earlier(TERMS)] == [1, 2]
    assert past.earlier("other terms") == ()
    assert [one.terms for one in past.earlier()] == [TERMS, TERMS]
    written = [(folder / name).read_bytes() for name in ("1.veil.json", "3.veil.json")]
    assert [one.read() for one in past.earlier()] == written
    unknown = ledger.past(Network.parse("pq qr"))
    assert (len(unknown), unknown.earlier(), unknown.groupings()) == (0, (), ())


def test_the_past_says_which_entry_changed_it_last(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """Whoever draws from a history relies on that entry, and is refused if it is another then."""
    before = ledger.past(network).counter
    made = release(ledger, network, "abc", folder / "1.veil.json")
    assert ledger.past(network).counter == made.counter != before
    release(ledger, Network.parse("uv vw"), "uvw", folder / "2.veil.json")
    assert ledger.past(network).counter == made.counter, "another network's release is none here"


def test_a_link_that_was_away_and_is_back_is_noticed(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    less = network.without(("b", "d"))
    release(ledger, network, "abc", folder / "1.veil.json")
    assert not ledger.past(network).comes_back(network)
    release(ledger, less, "abc", folder / "2.veil.json")
    assert not ledger.past(less).comes_back(less)
    assert ledger.past(network).comes_back(network)
    new = Network.from_links([*less.links, ("a", "e")])
    assert not ledger.past(new).comes_back(new), "a link that never was one is none that is back"


def test_standings_count_every_link_once(ledger: Ledger, folder: Path, network: Network) -> None:
    release(ledger, network, "abc", folder / "1.veil.json")
    release(ledger, network, "abd", folder / "2.veil.json")
    (stand,) = ledger.standings()
    assert stand.links == len(network.links) == sum(stand.uses.values())
    assert stand.uses == {0: 5, 1: 2, 2: 1}, "a - b twice, b - c and b - d once"
    assert [row.place for row in stand.rows] == [1, 2]
    assert all(row.handed_out for row in stand.rows)
    assert stand.spent == stand.rows[-1].spent


def test_a_release_that_was_not_handed_out_is_shown_so(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    asked = request(network, "abc", folder / "1.veil.json")
    ledger.record([asked], draw, compose=losses, independent=True)
    (stand,) = ledger.standings()
    assert [row.handed_out for row in stand.rows] == [False]
