"""What was recorded stands, what was half recorded does not, and nobody else can touch it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pathveil.errors import BadFile
from pathveil.lab.recorded_work import Journal

PAYLOADS = [b"one", b"", b"two words", b"\xff\x00"]


def record(path: Path, title: str = "work") -> Journal:
    return Journal(path, title)


def whole(path: Path) -> bytes:
    for payload in PAYLOADS:  # each in a session of its own
        with record(path) as journal:
            journal.append(payload)
    return path.read_bytes()


def test_a_changed_byte_ends_the_record_there(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    data = whole(path)
    start = data.index(b"two words")
    path.write_bytes(data[:start] + b"T" + data[start + 1 :])
    with record(path) as journal:
        assert list(journal.found) == PAYLOADS[:2]
        journal.append(b"more")
    with record(path) as journal:
        assert list(journal.found) == [*PAYLOADS[:2], b"more"]


def test_other_work_is_refused_and_its_record_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    data = whole(path)
    with pytest.raises(BadFile, match="is the record of other work"), record(path, "other"):
        pass
    assert path.read_bytes() == data


def test_a_second_holder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    with record(path), pytest.raises(BadFile, match="another process"), record(path):
        pass


def test_it_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    path.touch(mode=0o644)
    whole(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.regression("journals follow no planted link")
def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    victim, path = tmp_path / "victim", tmp_path / "x.journal"
    victim.write_text("precious")
    path.symlink_to(victim)
    with pytest.raises(BadFile, match="symbolic link"), record(path):
        pass
    assert victim.read_text() == "precious"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_is_told_with_the_name(tmp_path: Path) -> None:
    """What was recorded is kept, and work goes on from there."""
    path = tmp_path / "work.journal"
    journal = record(path).__enter__()
    journal.append(b"one")
    full = os.open("/dev/full", os.O_RDWR)
    os.dup2(full, journal._file.fileno())
    os.close(full)
    with pytest.raises(BadFile, match=r"work\.journal: cannot be written \(No space left"):
        journal.append(b"two")
    journal.__exit__()
    with record(path) as again:
        assert again.found == (b"one",)
