"""Whatever is planted under a name, a plain file is opened or nothing."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from pathveil.files.safe_open import NotPlain, open_plain

WAYS = {
    "read": os.O_RDONLY,
    "write": os.O_WRONLY | os.O_CREAT,
    "both": os.O_RDWR | os.O_CREAT | os.O_APPEND,
}


def plant(what: str, path: Path) -> None:
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
    else:
        target = path.with_name("target")
        if what == "link":
            target.write_bytes(b"precious")
        path.symlink_to(target)


def still_open() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", ["link", "link that leads nowhere", "folder", "pipe", "socket"])
def test_what_is_planted_is_refused_at_once(
    what: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    plant(what, Path("planted"))
    before = still_open()
    why = "is a symbolic link" if "link" in what else "is no plain file"
    with pytest.raises(NotPlain, match=why):
        open_plain("planted", WAYS[way])
    assert still_open() == before
    target = tmp_path / "target"
    assert (target.read_bytes() if target.exists() else b"precious") == b"precious"
    assert target.exists() == (what == "link")


def test_a_plain_file_is_opened_and_one_that_is_made_is_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with pytest.raises(FileNotFoundError):
        open_plain(path)
    for data in (b"one", b"two"):
        number = open_plain(path, WAYS["both"])
        os.write(number, data)
        os.close(number)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    number = open_plain(path)
    assert os.read(number, 10) == b"onetwo"
    os.close(number)
