from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pathveil.errors import LedgerBroken, LedgerUnreachable
from pathveil.ledger.high_water_mark import Mark
from pathveil.ledger.keys import Keyring

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
