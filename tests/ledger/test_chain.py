"""A ledger that lost entries goes no further; marks and times only rise."""

from __future__ import annotations

import shutil
import stat
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pathveil import Walk
from pathveil.errors import LedgerBehind, LedgerBroken, LedgerUnreachable
from pathveil.ledger.chain import Mark
from pathveil.ledger.keys import Keyring
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.ledger_check import check_ledger
from pathveil.ledger.release_walks import requests_for
from tests.ledger.releasing import NETWORK, TERMS, is_sound, release


def restored(folder: Path, ledger: Ledger) -> None:
    """Go back to a backup taken before the last release."""
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    shutil.copy(folder / "ledger.db", folder / "backup.db")
    release(ledger, NETWORK, "abd", folder / "2.veil.json")
    shutil.copy(folder / "backup.db", folder / "ledger.db")


def test_a_restored_backup_is_noticed(ledger: Ledger, folder: Path) -> None:
    restored(folder, ledger)
    with pytest.raises(LedgerBehind, match=r"ends with entry 3, but .* has seen entry 4"):
        release(ledger, NETWORK, "abce", folder / "3.veil.json")
    assert not (folder / "3.veil.json").exists()
    assert any(f.detail and "backup" in f.detail for f in check_ledger(ledger))


def test_it_is_noticed_from_the_files_alone(ledger: Ledger, folder: Path) -> None:
    """Key, mark and database restored together: the folder of the files still knows."""
    restored(folder, ledger)
    (folder / "ledger.db.key.mark").unlink()
    with pytest.raises(LedgerBehind, match=r"\.mark has seen entry 4"):
        release(ledger, NETWORK, "abce", folder / "3.veil.json")


def test_a_backup_that_went_on_elsewhere_is_noticed(ledger: Ledger, folder: Path) -> None:
    restored(folder, ledger)
    shutil.copy(folder / "ledger.db.key.mark", folder / "kept")
    (folder / "ledger.db.key.mark").unlink()
    (folder / "elsewhere").mkdir()
    release(ledger, NETWORK, "bce", folder / "elsewhere" / "2.veil.json")
    with pytest.raises(LedgerBehind, match="is not the one"):
        release(ledger, NETWORK, "abce", folder / "3.veil.json")


def test_times_do_not_run_backwards(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = {"1": "2126-03-01T12:00:00Z", "2": "2126-02-28T12:00:00Z"}
    for number, walk in (("1", "abc"), ("2", "abd")):
        monkeypatch.setattr("pathveil.ledger.chain.entry_time", lambda _, now=times[number]: now)
        release(ledger, NETWORK, walk, folder / f"{number}.veil.json")
    _, *later = (entry["time"] for entry in ledger.entries())
    assert set(later) == {times["1"]}
    assert is_sound(ledger)


RING = Keyring(b"k" * 32)


def test_a_mark_tells_nothing_by_its_size(tmp_path: Path) -> None:
    mark = Mark(tmp_path / "mark", RING, "uid")
    assert mark.read() == (0, "")
    sizes = set()
    for counter in (5, 12, 10**9):
        mark.write(counter, RING.chain("", str(counter)))
        assert mark.read() == (counter, RING.chain("", str(counter)))
        sizes.add(mark.path.stat().st_size)
    assert len(sizes) == 1
    assert stat.S_IMODE(mark.path.stat().st_mode) == 0o600


def test_no_older_mark_comes_after_a_newer_one(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process records and marks between our record and our mark."""
    writing, calls = ledger.store.writing, iter((False, True, False))

    def slowly() -> AbstractContextManager[Connection]:
        if next(calls):
            with Ledger.open(folder / "ledger.db") as other:
                release(other, NETWORK, "abd", folder / "2.veil.json")
        return writing()

    monkeypatch.setattr(ledger.store, "writing", slowly)
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    request = requests_for(NETWORK, [(Walk("abc"), folder / "1.veil.json")], TERMS)
    assert [mark.read()[0] for mark in ledger.marks(request)] == [ledger.counter] * 2


def test_a_mark_of_another_key_or_ledger_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "mark"
    Mark(path, RING, "uid").write(4, "four")
    for mark in (Mark(path, Keyring(b"l" * 32), "uid"), Mark(path, RING, "other")):
        with pytest.raises(LedgerBroken, match="does not open"):
            mark.read()
    assert b"four" not in path.read_bytes()


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / "mark").symlink_to(tmp_path / "precious")
    for path, why in ((tmp_path / "mark", "is a symbolic link"), (tmp_path, "is no plain file")):
        with pytest.raises(LedgerUnreachable, match=rf"cannot be read \({why}\), so nobody"):
            Mark(path, RING, "uid").read()
    Mark(tmp_path / "mark", RING, "uid").write(1, "one")
    assert (tmp_path / "precious").read_bytes() == b"precious"
    with pytest.raises(
        LedgerUnreachable, match=r"cannot be written .* recorded but was not handed"
    ):
        Mark(tmp_path / "none" / "mark", RING, "uid").write(1, "one")
