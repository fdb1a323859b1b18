"""A ledger that lost entries goes no further; marks and times only rise."""

from __future__ import annotations

import os
import shutil
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pathveil import Network
from pathveil.errors import LedgerBehind, LedgerBroken, LedgerUnreachable
from pathveil.ledger.chain import Mark
from pathveil.ledger.keys import Keyring
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.ledger_check import check_ledger
from tests.ledger.releasing import is_sound, release


def restored(folder: Path, ledger: Ledger, network: Network) -> None:
    """Go back to a backup taken before the last release."""
    release(ledger, network, "abc", folder / "1.veil.json")
    shutil.copy(folder / "ledger.db", folder / "backup.db")
    release(ledger, network, "abd", folder / "2.veil.json")
    shutil.copy(folder / "backup.db", folder / "ledger.db")


def test_a_restored_backup_is_noticed(ledger: Ledger, folder: Path, network: Network) -> None:
    restored(folder, ledger, network)
    with pytest.raises(LedgerBehind, match=r"ends with entry 3, but .* has seen entry 4"):
        release(ledger, network, "abce", folder / "3.veil.json")
    assert not (folder / "3.veil.json").exists()
    assert any(f.detail and "backup" in f.detail for f in check_ledger(ledger))


def test_it_is_noticed_from_the_files_alone(ledger: Ledger, folder: Path, network: Network) -> None:
    """Key, mark and database restored together: the folder of the files still knows."""
    restored(folder, ledger, network)
    (folder / "ledger.db.key.mark").unlink()
    with pytest.raises(LedgerBehind, match=r"\.mark has seen entry 4"):
        release(ledger, network, "abce", folder / "3.veil.json")


def test_a_backup_that_went_on_elsewhere_is_noticed(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    restored(folder, ledger, network)
    shutil.copy(folder / "ledger.db.key.mark", folder / "kept")
    (folder / "ledger.db.key.mark").unlink()
    (folder / "elsewhere").mkdir()
    release(ledger, network, "bce", folder / "elsewhere" / "2.veil.json")
    with pytest.raises(LedgerBehind, match="is not the one"):
        release(ledger, network, "abce", folder / "3.veil.json")


def test_times_do_not_run_backwards(folder: Path, network: Network) -> None:
    now = [datetime(2026, 3, 1, 12, tzinfo=UTC)]
    with Ledger.begin(folder / "l.db", clock=lambda: now[0]) as ledger:
        release(ledger, network, "abc", folder / "1.veil.json")
        now[0] -= timedelta(days=1)
        release(ledger, network, "abd", folder / "2.veil.json")
        assert {entry["time"] for entry in ledger.entries()} == {"2026-03-01T12:00:00Z"}
        assert is_sound(ledger)


RING = Keyring(b"k" * 32)


def test_a_mark_only_rises(tmp_path: Path) -> None:
    mark = Mark(tmp_path / "mark", RING, "uid")
    assert mark.read() == (0, "")
    for counter, expected in ((5, 5), (3, 5), (9, 9), (7, 9), (10, 10)):
        mark.advance(counter, f"h{counter}")
        assert mark.read() == (expected, f"h{expected}")
    assert stat.S_IMODE((tmp_path / "mark").stat().st_mode) == 0o600


def test_a_torn_write_leaves_the_mark_before(tmp_path: Path) -> None:
    path = tmp_path / "mark"
    mark = Mark(path, RING, "uid")
    mark.advance(1, "one")
    mark.advance(2, "two")
    whole = path.read_bytes()
    mark.advance(3, "three")  # goes over the slot of 1
    after = path.read_bytes()
    for cut in range(0, 256, 16):
        path.write_bytes(after[:cut] + whole[cut:])
        assert mark.read()[0] in {2, 3}


def test_a_mark_of_another_key_or_ledger_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "mark"
    Mark(path, RING, "uid").advance(4, "four")
    for mark in (Mark(path, Keyring(b"l" * 32), "uid"), Mark(path, RING, "other")):
        with pytest.raises(LedgerBroken, match="does not open"):
            mark.read()
    assert b"four" not in path.read_bytes()


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / "mark").symlink_to(tmp_path / "precious")
    with pytest.raises(LedgerUnreachable, match="symbolic link"):
        Mark(tmp_path / "mark", RING, "uid").advance(1, "one")
    assert (tmp_path / "precious").read_bytes() == b"precious"
    for path, why in ((tmp_path / "mark", "is a symbolic link"), (tmp_path, "is no plain file")):
        with pytest.raises(LedgerUnreachable, match=rf"cannot be read \({why}\), so nobody"):
            Mark(path, RING, "uid").read()


def test_a_planted_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """To read it waited for ever."""
    mark = Mark(tmp_path / "mark", RING, "uid")
    os.mkfifo(mark.path)
    with pytest.raises(LedgerUnreachable, match=r"cannot be read \(is no plain file\)"):
        mark.read()
    with pytest.raises(LedgerUnreachable, match=r"cannot be used \(is no plain file\)"):
        mark.advance(1, "one")
