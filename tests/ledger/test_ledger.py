"""What a custodian relies on: nothing forgotten, nothing spent twice, nothing half done."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from pathveil import Network, Publication, Walk, reconstruct
from pathveil.errors import BadBudget, BadKey, LedgerBroken, LedgerError, OverBudget
from pathveil.ledger.entries import DrawnRelease, Request
from pathveil.ledger.keys import create_key
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.past import Past
from pathveil.ledger.release_walks import TermsDrawing, requests_for
from pathveil.ledger.store import Store
from tests.ledger.releasing import NETWORK, TERMS, is_sound, record, release, write
from tests.strategies import widened


def test_the_same_walk_backwards_is_another_release(ledger: Ledger, folder: Path) -> None:
    wide = widened(NETWORK)
    first = release(ledger, wide, "abcdef", folder / "1.veil.json")
    second = release(ledger, wide, "fedcba", folder / "2.veil.json")
    assert (str(first.spent), str(second.spent)) == ("1 = 1.0000", "2 = 2.0000")
    assert (first.place, second.place) == (1, 2)
    last = release(ledger, wide, "abcdef", folder / "3.veil.json")
    assert last.data == first.data


def test_over_the_budget_nothing_is_released(folder: Path) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(5, 2)) as ledger:
        release(ledger, NETWORK, "abc", folder / "1.veil.json")
        release(ledger, NETWORK, "abd", folder / "2.veil.json")
        before = list(ledger.entries())
        with pytest.raises(OverBudget) as refused:
            release(ledger, NETWORK, "abcd", folder / "3.veil.json")
        for number in ("3 = 3.0000", "2.5", "2 releases", "2 = 2.0000", "0.5000 is left"):
            assert number in str(refused.value)
        assert not (folder / "3.veil.json").exists()
        assert list(ledger.entries()) == before
        # What was released may still be had, and a walk over cheaper links still fits.
        assert release(ledger, NETWORK, "abc", folder / "4.veil.json").replayed
        assert str(release(ledger, NETWORK, "ef", folder / "5.veil.json").spent).endswith("2.4587")


def test_the_budget_of_one_network_may_be_set(folder: Path) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(1)) as ledger:
        release(ledger, NETWORK, "abc", folder / "1.veil.json")
        with pytest.raises(OverBudget):
            release(ledger, NETWORK, "abd", folder / "2.veil.json")
        made = release(ledger, NETWORK, "abd", folder / "2.veil.json", budget=Fraction(2))
        assert made.budget == 2
        other = Network.parse("uv vw")
        assert release(ledger, other, "uv", folder / "3.veil.json").budget == 1
        assert [e["kind"] for e in ledger.entries()].count("budget") == 1
        with pytest.raises(BadBudget):
            release(ledger, NETWORK, "abd", folder / "2.veil.json", budget=Fraction(0))
        assert is_sound(ledger)


def test_walks_together_are_recorded_all_or_none(folder: Path) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(3)) as ledger:
        asked = {folder / f"{walk}.veil.json": walk for walk in ("abc", "abd", "abce")}
        with pytest.raises(
            OverBudget, match=r"the 4\. of these 4 .* 0 releases so far .* 3 of the 4 would fit"
        ):
            record(ledger, NETWORK, asked | {folder / "4.veil.json": "abde"})
        assert ledger.standings() == ()
        made = record(ledger, NETWORK, asked)
        assert [m.place for m in made] == [1, 2, 3]
        ledger.hand_out(made, write)
        for path, walk in asked.items():
            assert reconstruct(Publication.load(path), NETWORK).walk == Walk(walk)
        one, other = (
            requests_for(net, [(Walk(walk), folder / "x.veil")], TERMS)
            for net, walk in ((NETWORK, "ab"), (Network.parse("uv"), "uv"))
        )
        with pytest.raises(LedgerError, match="one network"):
            ledger.record([*one, *other], TermsDrawing(TERMS))
        with pytest.raises(LedgerError, match="nothing to release"):
            ledger.record([], TermsDrawing(TERMS))


# -- together -------------------------------------------------------------------------------------


class Slow(TermsDrawing):
    """While it draws, another process releases a walk over the same network."""

    def __init__(self, folder: Path, walk: str, *, independent: bool) -> None:
        super().__init__(TERMS)
        self.independent, self.seen = independent, list[int]()
        self._folder, self._walk = folder, walk

    def draw(self, wanted: Sequence[Request], past: Past) -> list[DrawnRelease]:
        self.seen.append(len(past.rows))
        if len(self.seen) == 1:
            with Ledger.open(self._folder / "ledger.db") as other:
                release(other, NETWORK, self._walk, self._folder / "other.veil.json")
        return super().draw(wanted, past)


def test_who_comes_second_draws_again_knowing_the_first(ledger: Ledger, folder: Path) -> None:
    """A draw that depends on history is drawn again, under the lock, if history moved."""
    slow = Slow(folder, "bce", independent=False)
    (made,) = record(ledger, NETWORK, {folder / "1.veil.json": "abc"}, slow)
    assert slow.seen == [0, 1]
    assert made.place == 2
    first, _ = ledger.past(NETWORK).earlier(TERMS.text)
    assert first == (folder / "other.veil.json").read_bytes()


@pytest.mark.parametrize(("walk", "places"), [("abc", [1]), ("bce", [1, 2])])
def test_independent_draws_are_not_drawn_again(
    ledger: Ledger, folder: Path, walk: str, places: list[int]
) -> None:
    slow = Slow(folder, walk, independent=True)
    (made,) = record(ledger, NETWORK, {folder / "1.veil.json": "abc"}, slow)
    assert slow.seen == [0]
    assert made.replayed == (walk == "abc")  # it released the same walk meanwhile: one release
    assert [row.place for row in ledger.past(NETWORK).rows] == places


# -- what it must never learn ---------------------------------------------------------------------

NAMES = ("Überlingen-depot", "Wexford_quay", "relay#7734", "Oslo", "Tromsø-harbour")


def test_no_vertex_name_reaches_the_ledger(folder: Path) -> None:
    """Its files, its dump and its export are searched for the names, in every spelling."""
    network = Network.from_links(pairwise(NAMES))
    (folder / "safe").mkdir()
    with Ledger.begin(folder / "safe" / "ledger.db", budget=Fraction(9)) as ledger:
        for length in (3, 4, 5):
            target = folder / f"from-{NAMES[1]}-{length}.veil.json"
            release(ledger, network, NAMES[:length], target)
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


class Refusing(TermsDrawing):
    """Nothing may be drawn here."""

    def draw(self, wanted: Sequence[Request], past: Past) -> list[DrawnRelease]:
        raise AssertionError(f"{len(wanted)} drawn after {len(past.rows)}")


def test_the_same_walk_is_given_back_byte_for_byte(ledger: Ledger, folder: Path) -> None:
    first = release(ledger, NETWORK, "abcdef", folder / "1.veil.json")
    again = record(ledger, NETWORK, {folder / "2.veil.json": "abcdef"}, Refusing(TERMS))
    ledger.hand_out(again, write)
    assert again[0].replayed
    assert (folder / "1.veil.json").read_bytes() == (folder / "2.veil.json").read_bytes()
    assert again[0].spent == first.spent
    assert len(ledger.standings()[0].rows) == 1


def test_killed_before_the_file_is_there_the_recorded_bytes_are_handed_out(
    ledger: Ledger, folder: Path
) -> None:
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    asked = {folder / "2.veil.json": "abd"}
    (lost,) = record(ledger, NETWORK, asked)
    assert [row.handed_out for row in ledger.standings()[0].rows] == [True, False]
    again = record(ledger, NETWORK, asked, Refusing(TERMS))
    ledger.hand_out(again, write)
    assert again[0].counter == lost.counter
    assert (folder / "2.veil.json").read_bytes() == lost.data
    assert all(row.handed_out for row in ledger.standings()[0].rows)


def test_the_length_of_a_sealed_row_does_not_tell_that_of_the_walk(
    ledger: Ledger, folder: Path
) -> None:
    names = [f"v{number:03d}" for number in range(200)]
    line = Network.from_links(list(itertools.pairwise(names)))
    asked = {folder / f"{many}.veil.json": names[:many] for many in (2, 12, 200)}
    record(ledger, line, asked)
    assert is_sound(ledger)
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        rows = connection.execute("SELECT sealed_charges FROM releases").fetchall()
    assert len(rows) == 3
    assert len({len(sealed) for (sealed,) in rows}) == 1


def test_what_was_begun_is_found_again(folder: Path) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(7, 2)) as begun:
        uid = begun.uid
    with Ledger.open(folder / "l.db") as ledger:
        (entry,) = ledger.entries()
        assert (ledger.uid, ledger.key_file) == (uid, folder / "l.db.key")
    assert entry["kind"] == "begun"
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


@pytest.mark.regression("after a kill inside init nothing said that the key was in the way")
def test_a_key_whose_ledger_was_never_there_is_named(folder: Path) -> None:
    create_key(folder / "l.db.key")
    with pytest.raises(BadKey, match=r"l\.db\.key: exists.*remove it"):
        Ledger.begin(folder / "l.db")
    (folder / "l.db.key").unlink()
    Ledger.begin(folder / "l.db").close()


@pytest.mark.regression("a ledger whose tables were deleted was told to begin anew")
@pytest.mark.parametrize("what", ["TABLE ledgers", "TABLE events", "TABLE releases"])
def test_deleted_tables_are_a_broken_ledger(ledger: Ledger, folder: Path, what: str) -> None:
    with sqlite3.connect(folder / "ledger.db") as connection:
        connection.execute(f"DROP {what}")
    with pytest.raises(LedgerBroken, match="backup"):
        Ledger.open(folder / "ledger.db").standings()


def test_tables_without_a_first_entry_are_no_ledger(folder: Path) -> None:
    store = Store(folder / "l.db")
    with store.creating():
        pass
    store.close()
    create_key(folder / "l.db.key")
    with pytest.raises(LedgerBroken, match="first row of a ledger is missing"):
        Ledger.open(folder / "l.db")
    with sqlite3.connect(folder / "l.db") as connection:  # nothing was entered by the attempt
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (0,)
