"""Files nobody vouches for are opened with care; files are written whole or not at all."""

from __future__ import annotations

import io
import os
import stat
import tracemalloc
from pathlib import Path
from threading import Thread, Timer

import pytest

from pathveil.errors import BadFile
from pathveil.files import atomic_write
from pathveil.files.atomic_write import (
    decode,
    open_file,
    read_text,
    text_lines,
    too_large,
    write_aside,
)


def test_text_is_read_whatever_its_mark(tmp_path: Path) -> None:
    for data in (b"h\xc3\xa9", b"\xef\xbb\xbfh\xc3\xa9", "hé".encode("utf-16")):
        path = tmp_path / "x.txt"
        path.write_bytes(data)
        assert read_text(path) == "hé"
        with path.open("rb") as handle:
            assert list(text_lines(handle, "x")) == ["hé"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a\nb\0", "x, line 2: holds a zero byte"),
        (b"a\nb\nc\xff", "x, line 3: byte 0xff is not UTF-8"),
        (b"\xff\xfe\0", "x, byte 2: starts like UTF-16 text but is none"),
        (b"PK\x03\x04", r"x: is packed \(zip\)"),
        (b"PAR1", r"is packed \(Parquet\)"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(data: bytes, said: str) -> None:
    with pytest.raises(BadFile, match=said):
        decode(data, "x")
    with pytest.raises(BadFile, match=said):
        list(text_lines(io.BytesIO(data), "x"))


def test_limits_hold_for_files_and_pipes(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("12345")
    with open_file(path, limit=5) as handle:
        assert handle.read() == b"12345"
    with pytest.raises(BadFile, match="has 5 bytes or more, the limit is 4"):
        open_file(path, limit=4)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)  # a pipe with both ends open never blocks
    os.write(writer, b"123456789")
    with pytest.raises(BadFile, match="the limit is 4"):
        open_file(pipe, limit=4)
    os.close(writer)
    assert "1,000 bytes" in str(too_large("x", 1000, 10))


@pytest.mark.regression("a pipe that nobody writes to was waited for, for ever and in silence")
def test_a_pipe_is_read_only_if_somebody_writes_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(b"late",))  # opens it when it is read
    writer.start()
    with open_file(pipe) as handle:
        assert handle.read() == b"late"
    writer.join()
    monkeypatch.setattr(atomic_write, "PATIENCE", 0.0)
    with pytest.raises(BadFile, match="pipe: is a pipe that nobody writes to; start its writer"):
        open_file(pipe)
    number = os.open(pipe, os.O_RDWR)  # somebody who has written nothing yet
    os.set_blocking(number, False)
    Timer(0.1, os.write, (number, b"slow")).start()
    Timer(0.2, os.close, (number,)).start()
    with open_file(pipe) as handle:
        assert handle.read() == b"slow"


def test_pickles_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="a pickle can run any program"):
        open_file(tmp_path / "x.PKL")
    with pytest.raises(BadFile, match="cannot be read"):
        open_file(tmp_path / "nothing.csv")
    with pytest.raises(BadFile, match="is a folder; give the file in it"):
        open_file(tmp_path)


def test_a_file_is_written_whole_for_all_to_read(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    write_aside(path, "old")
    write_aside(path, "né\n", replacing=True)
    assert path.read_bytes() == "né\n".encode()
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert [p.name for p in tmp_path.iterdir()] == ["x.txt"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.txt"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadFile, match=r"x\.txt: cannot be written \(No space left"):
        write_aside(path, "new", replacing=True)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.txt"]
    with pytest.raises(BadFile, match="choose another folder"):
        write_aside(tmp_path / "no" / "x.txt", "new")


@pytest.mark.regression("what shows a secret is not written through a planted link")
def test_a_secret_is_not_written_through_a_planted_link(tmp_path: Path) -> None:
    """A link to a file is replaced, and the file kept; one to a pipe or a device is refused."""
    victim, target = tmp_path / "victim", tmp_path / "secret.svg"
    victim.write_text("precious")
    target.symlink_to(victim)
    write_aside(target, "the walk", private=True, replacing=True)
    assert victim.read_text() == "precious"
    assert not target.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    target.unlink()
    os.mkfifo(tmp_path / "pipe")
    target.symlink_to(tmp_path / "pipe")
    with pytest.raises(BadFile, match="not written through links"):
        write_aside(target, "the walk", private=True)


@pytest.mark.regression("an empty file, or a pipe, asked for 512 MB at once")
def test_what_has_no_size_takes_as_much_memory_as_it_holds(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    tracemalloc.start()
    with open_file(tmp_path / "empty") as handle:
        assert handle.read() == b""
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 << 20
