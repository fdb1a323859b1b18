"""What a custodian relies on: nothing forgotten, nothing spent twice, nothing half done."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from pathveil import Network, Publication, Walk, reconstruct
from pathveil.errors import (
    BadBudget,
    BadKey,
    LedgerError,
    OverBudget,
)
from pathveil.ledger.entries import DrawnRelease, Recorded, Request
from pathveil.ledger.keys import create_key
from pathveil.ledger.ledger import Ledger, find_foundation, lay_foundation, require_budget
from pathveil.ledger.store import Store, create_tables
from pathveil.ledger.views import Past
from tests.ledger.releasing import TERMS, draw, losses, release, request, write
from tests.strategies import widened


def test_fresh_coins_are_charged(ledger: Ledger, folder: Path, network: Network) -> None:
    wide = widened(network)
    first = release(ledger, wide, "abcdef", folder / "1.veil.json")
    second = release(ledger, wide, "abcdef", folder / "2.veil.json", fresh=True)
    assert first.data != second.data
    assert (str(first.spent), str(second.spent)) == ("1 = 1.0000", "2 = 2.0000")
    assert (first.place, second.place) == (1, 2)
    last = release(ledger, wide, "abcdef", folder / "3.veil.json")
    assert last.data == second.data


def test_other_terms_and_other_walks_are_other_releases(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    first = release(ledger, network, "abcdef", folder / "1.veil.json")
    backwards = release(ledger, network, "fedcba", folder / "2.veil.json")
    asked = Request(network, Walk("abcdef"), "other terms", "other", output=folder / "3.veil.json")
    other = ledger.record([asked], draw, compose=losses)[0]
    assert len({first.counter, backwards.counter, other.counter}) == 3
    assert (backwards.series, backwards.place) == (first.series, 2)
    assert (other.series, other.place) != (first.series, 1)


def test_over_the_budget_nothing_is_released(folder: Path, network: Network) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(5, 2)) as ledger:
        release(ledger, network, "abc", folder / "1.veil.json")
        release(ledger, network, "abd", folder / "2.veil.json")
        before = list(ledger.entries())
        with pytest.raises(OverBudget) as refused:
            release(ledger, network, "abcd", folder / "3.veil.json")
        for number in ("3 = 3.0000", "2.5", "2 releases", "2 = 2.0000", "0.5000 is left"):
            assert number in str(refused.value)
        assert not (folder / "3.veil.json").exists()
        assert list(ledger.entries()) == before
        # What was released may still be had, and a walk over cheaper links still fits.
        assert release(ledger, network, "abc", folder / "4.veil.json").replayed
        assert str(release(ledger, network, "ef", folder / "5.veil.json").spent).endswith("2.4587")


def test_the_budget_of_one_network_may_be_set(folder: Path, network: Network) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(1)) as ledger:
        release(ledger, network, "abc", folder / "1.veil.json")
        asked = [request(network, "abd", folder / "2.veil.json")]
        with pytest.raises(OverBudget):
            ledger.record(asked, draw, compose=losses)
        made = ledger.record(asked, draw, compose=losses, budget=Fraction(2))
        assert made[0].budget == 2
        other = Network.parse("uv vw")
        assert release(ledger, other, "uv", folder / "3.veil.json").budget == 1
        assert [e["kind"] for e in ledger.entries()].count("budget") == 1
        with pytest.raises(BadBudget):
            ledger.record(asked, draw, compose=losses, budget=Fraction(0))


def test_walks_together_are_recorded_all_or_none(folder: Path, network: Network) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(3)) as ledger:
        walks = ["abc", "abd", "abce", "abde"]
        asked = [request(network, w, folder / f"{w}.veil.json") for w in walks]
        with pytest.raises(
            OverBudget, match=r"the 4\. of these 4 .* 0 releases so far .* 3 of the 4 would fit"
        ):
            ledger.record(asked, draw, compose=losses)
        assert ledger.standings() == ()
        made = ledger.record(asked[:3], draw, compose=losses)
        assert [m.place for m in made] == [1, 2, 3]
        ledger.hand_out(made, write)
        for walk in walks[:3]:
            found = reconstruct(Publication.load(folder / f"{walk}.veil.json"), network)
            assert found.walk == Walk(walk)
        other = Network.parse("uv")
        with pytest.raises(LedgerError, match="one network"):
            ledger.record([asked[0], request(other, "uv")], draw, compose=losses)
        with pytest.raises(LedgerError, match="nothing to release"):
            ledger.record([], draw, compose=losses)


# -- refused ---------------------------------------------------------------------------------------


def test_a_file_that_cannot_be_written_is_not_lost(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    def full(release: Recorded) -> None:
        raise OSError(28, "No space left on device")

    asked = [request(network, "abc", folder / "1.veil.json")]
    made = ledger.record(asked, draw, compose=losses)
    with pytest.raises(OSError, match="No space"):
        ledger.hand_out(made, full)
    again = release(ledger, network, "abc", folder / "1.veil.json")
    assert again.replayed
    assert (folder / "1.veil.json").read_bytes() == made[0].data


# -- together -------------------------------------------------------------------------------------


def test_who_comes_second_draws_again_knowing_the_first(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """A draw that depends on history is drawn again, under the lock, if history moved."""
    seen: list[int] = []

    def slow(requests: Sequence[Request], history: Past) -> list[DrawnRelease]:
        seen.append(len(history))
        if len(seen) == 1:
            with Ledger.open(folder / "ledger.db") as other:
                release(other, network, "bce", folder / "other.veil.json")
        return draw(requests, history)

    made = ledger.record([request(network, "abc")], slow, compose=losses)
    assert seen == [0, 1]
    assert made[0].place == 2
    earlier = ledger.past(network).earlier(request(network, "abc").terms)
    assert [e.place for e in earlier] == [1, 2]
    assert earlier[0].read() == (folder / "other.veil.json").read_bytes()
    assert ledger.past(network).earlier("no such terms") == ()
    assert ledger.past(Network.parse("uv")).earlier() == ()


def test_independent_draws_are_not_drawn_again(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    calls = []

    def slow(requests: Sequence[Request], history: Past) -> list[DrawnRelease]:
        calls.append(len(requests))
        with Ledger.open(folder / "ledger.db") as other:
            release(other, network, "abc" if len(calls) == 1 else "bce", folder / "o.veil.json")
        return draw(requests, history)

    asked = [request(network, "abc")]
    made = ledger.record(asked, slow, compose=losses, independent=True)
    assert calls == [1]
    assert made[0].replayed  # the other process released the same walk meanwhile: one release
    assert len(ledger.standings()[0].rows) == 1


# -- what it must never learn ---------------------------------------------------------------------

NAMES = ("Überlingen-depot", "Wexford_quay", "relay#7734", "Oslo", "Tromsø-harbour")


def test_no_vertex_name_reaches_the_ledger(folder: Path) -> None:
    """Its files, its dump and its export are searched for the names, in every spelling."""
    network = Network.from_links(pairwise(NAMES))
    (folder / "safe").mkdir()
    with Ledger.begin(folder / "safe" / "ledger.db", budget=Fraction(9)) as ledger:
        for length in (3, 4, 5):
            target = folder / f"from-{NAMES[1]}-{length}.veil.json"
            release(ledger, network, NAMES[:length], target)  # type: ignore[arg-type]
        entries = repr(list(ledger.entries())) + repr(ledger.standings()) + repr(ledger)
    with sqlite3.connect(folder / "safe" / "ledger.db") as connection:
        dump = "\n".join(connection.iterdump())
    held = [path.read_bytes() for path in (folder / "safe").iterdir()]
    held += [dump.encode(), entries.encode(), bytes.fromhex(_hex_of(dump))]
    held += [path.read_bytes() for path in folder.glob(".pathveil-*")]
    assert len(held) >= 7
    for name in NAMES:
        for spelled in (name, name.lower(), name.upper()):
            for coding in ("utf-8", "utf-16-le", "unicode_escape"):
                assert not any(spelled.encode(coding) in data for data in held), name
    published = (folder / f"from-{NAMES[1]}-3.veil.json").read_text()
    assert all(name in published for name in NAMES)  # the search would have found them


def _hex_of(dump: str) -> str:
    """Return every blob of a dump, one after the other."""
    return "".join(part.partition("'")[0] for part in dump.split("X'")[1:])


def test_uses_are_counted_by_link(ledger: Ledger, folder: Path, network: Network) -> None:
    release(ledger, network, "abcdef", folder / "1.veil.json")
    release(ledger, network, "bcd", folder / "2.veil.json")
    uses = ledger.uses(network)
    assert uses["b", "c"] == uses["c", "d"] == 2
    assert uses["a", "b"] == 1
    assert uses["a", "f"] == 0
    stand = ledger.standings()[0]
    assert stand.uses == {0: 3, 1: 3, 2: 2}
    assert stand.uses_per_link == Fraction(7, 8)
    assert stand.left is None


def refuse_to_draw(requests: Sequence[Request], history: Past) -> list[DrawnRelease]:
    raise AssertionError("nothing may be drawn here")


def test_the_same_walk_is_given_back_byte_for_byte(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    first = release(ledger, network, "abcdef", folder / "1.veil.json")
    again = ledger.record(
        [request(network, "abcdef", folder / "2.veil.json")], refuse_to_draw, compose=losses
    )
    ledger.hand_out(again, write)
    assert again[0].replayed
    assert (folder / "1.veil.json").read_bytes() == (folder / "2.veil.json").read_bytes()
    assert again[0].spent == first.spent
    assert len(ledger.standings()[0].rows) == 1


def test_a_walk_given_twice_is_released_once(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    asked = [request(network, w, folder / f"{i}.veil.json") for i, w in enumerate(["abc"] * 3)]
    made = ledger.record(asked, draw, compose=losses)
    assert [m.replayed for m in made] == [False, True, True]
    assert len({m.data for m in made}) == 1
    assert len(ledger.standings()[0].rows) == 1


def test_killed_before_the_file_is_there_the_recorded_bytes_are_handed_out(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """With fresh coins too: who was killed has paid, and asks for the same file again."""
    release(ledger, network, "abc", folder / "1.veil.json")
    asked = [request(network, "abc", folder / "2.veil.json", fresh=True)]
    lost = ledger.record(asked, draw, compose=losses)[0]
    assert [row.handed_out for row in ledger.standings()[0].rows] == [True, False]
    found = ledger.record(asked, refuse_to_draw, compose=losses)
    ledger.hand_out(found, write)
    assert found[0].counter == lost.counter
    assert (folder / "2.veil.json").read_bytes() == lost.data
    assert all(row.handed_out for row in ledger.standings()[0].rows)
    third = ledger.record(asked, draw, compose=losses)[0]
    assert third.counter != lost.counter


def test_killed_after_the_file_was_there_fresh_means_fresh(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    asked = [request(network, "abc", folder / "1.veil.json", fresh=True)]
    first = ledger.record(asked, draw, compose=losses)[0]
    (folder / "1.veil.json").write_bytes(first.data)  # and then killed, before it was noted
    assert ledger.record(asked, draw, compose=losses)[0].counter != first.counter


def test_the_length_of_a_sealed_row_does_not_tell_that_of_the_walk(
    ledger: Ledger, folder: Path
) -> None:
    names = [f"v{number:03d}" for number in range(200)]
    line = Network.from_links(list(itertools.pairwise(names)))
    asked = [Request(line, Walk(names[:many]), TERMS, "frontier") for many in (2, 12, 200)]
    ledger.record(asked, draw, compose=losses, independent=True)
    assert all(finding.holds for finding in ledger.check(losses))
    for column in ("sealed_charges", "sealed_counted"):
        with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
            rows = connection.execute(f"SELECT {column} FROM releases").fetchall()  # noqa: S608
        assert len(rows) >= 3
        assert len({len(sealed) for (sealed,) in rows}) == 1


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_what_was_begun_is_found_again(folder: Path) -> None:
    begun = lay_foundation(folder / "l.db", key=None, budget=Fraction(7, 2), now=NOON)
    begun.store.close()
    found = find_foundation(folder / "l.db", key=None)
    found.store.close()
    assert (found.uid, found.key) == (begun.uid, folder / "l.db.key")
    assert found.ring.text("x") == begun.ring.text("x")
    with Ledger.open(folder / "l.db") as ledger:
        (entry,) = ledger.entries()
    assert (entry["kind"], entry["time"]) == ("begun", "2026-05-01T12:00:00Z")
    assert '"budget": "7/2"' in entry["body"]


def test_the_key_must_be_the_ledgers_own(folder: Path, ledger: Ledger) -> None:
    Ledger.begin(folder / "other.db").close()
    with pytest.raises(BadKey, match="another ledger"):
        Ledger.open(folder / "ledger.db", key=folder / "other.db.key")
    with pytest.raises(BadKey, match="--key"):
        Ledger.open("postgresql://nobody@nowhere/none")


def test_what_cannot_be_begun_leaves_no_key(folder: Path, ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="exists; a ledger is not begun over another file"):
        Ledger.begin(folder / "ledger.db", key=folder / "second.key")
    with pytest.raises(BadBudget, match="out of range"):
        Ledger.begin(folder / "poor.db", budget=Fraction(0))
    assert {path.name for path in folder.iterdir()} == {"ledger.db", "ledger.db.key"}
    with pytest.raises(BadKey, match="a key is never written over"):
        Ledger.begin(folder / "second.db", key=folder / "ledger.db.key")
    Ledger.open(folder / "ledger.db").close()


def test_tables_without_a_first_entry_are_no_ledger(folder: Path) -> None:
    store = Store(folder / "l.db")
    store.create_file()
    create_tables(store)
    store.close()
    create_key(folder / "l.db.key")
    with pytest.raises(LedgerError, match="was never begun"):
        Ledger.open(folder / "l.db")
    with sqlite3.connect(folder / "l.db") as connection:  # nothing was entered by the attempt
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (0,)


def test_a_budget_lets_something_pass() -> None:
    require_budget(None)
    require_budget(Fraction(1, 10**9))
    with pytest.raises(BadBudget, match="-1"):
        require_budget(Fraction(-1))
