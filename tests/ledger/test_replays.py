"""What was paid for is given back, and nothing else is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pathveil import Network
from pathveil.ledger.entries import DrawnRelease, Request
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.views import Past
from tests.ledger.releasing import draw, losses, release, request, write


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
