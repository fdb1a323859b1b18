"""Part files: whole or not at all, and what the dead leave is cleared away, nothing else."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pathveil.errors import BadFile
from pathveil.files.atomic_write import PART, clear_parts, part_of

DYING = """
import os, signal, sys
from pathlib import Path
from pathveil.files.atomic_write import part_of

with part_of(Path(sys.argv[1])) as path:
    path.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def left_by_the_dead(target: Path) -> Path:
    """Kill a process in the middle of writing a file; return the part it leaves."""
    before = set(target.parent.iterdir())
    died = subprocess.run([sys.executable, "-c", DYING, str(target)], check=False)
    assert died.returncode == -signal.SIGKILL
    (part,) = set(target.parent.iterdir()) - before
    assert part.name.startswith(f".{target.name}.")
    assert part.name.endswith(PART)
    return part


def test_what_the_dead_leave_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    dead, other = left_by_the_dead(tmp_path / "out.csv"), left_by_the_dead(tmp_path / "other.csv")
    secret = tmp_path / "secret"
    secret.write_text("kept")
    link, folder, pipe = (
        tmp_path / f".out.csv.{name}{PART}" for name in ("link", "folder", "pipe")
    )
    link.symlink_to(secret)
    folder.mkdir()
    os.mkfifo(pipe)
    hidden = tmp_path / ".out.csv.notes"
    hidden.touch()
    with part_of(tmp_path / "out.csv") as live:
        live.write_text("alive")
        assert clear_parts(tmp_path, of="out.csv.") == 1
        assert not dead.exists()
        assert other.exists(), "of another target"
        assert all(path.exists() for path in (link, folder, pipe, hidden, live))
        assert clear_parts(tmp_path) == 1
    assert (tmp_path / "out.csv").read_text() == "alive"
    assert secret.read_text() == "kept"
    assert not other.exists()
    assert clear_parts(tmp_path / "nowhere") == 0


def test_a_part_cleared_before_it_was_locked_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever clears may come between the first moment of a file and its lock."""
    lock = fcntl.flock
    cleared: list[int] = []

    def clearing_first(number: int, how: int) -> None:
        if not cleared:
            cleared.append(1)
            assert clear_parts(tmp_path) == 1
        lock(number, how)

    monkeypatch.setattr(fcntl, "flock", clearing_first)
    with part_of(tmp_path / "x.txt") as path:
        path.write_text("whole")
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [("x.txt", "whole")]


def test_what_fails_leaves_nothing_and_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="choose another folder"):
        part_of(tmp_path / "no" / "x").__enter__()
    with pytest.raises(KeyboardInterrupt), part_of(tmp_path / "x"):
        raise KeyboardInterrupt
    full = pytest.raises(BadFile, match=r"x: cannot be written \(full\); buy a disk")
    with full, part_of(tmp_path / "x", remedy="buy a disk"):
        raise OSError("full")
    assert not list(tmp_path.iterdir())
