"""A journal: checked lines under a title, which a kill at any moment cannot spoil.

Long work (a sweep, a comparison) records each finished part before it goes on. The first line of
the file is a title that names exactly this work; every further line is a check sum and a payload,
handed to the system with one call, so it outlives this process.

Killed at any moment, the file ends with a whole line or with a part of one. Everything behind the
last line that passes its check is cut off when the work goes on: that part is done again. One
process at a time may hold a journal; a second one is refused. The file is the owner's alone, a
plain file, and is never reached through a symbolic link somebody planted.
"""

from __future__ import annotations

import errno
import os
import zlib
from collections.abc import Iterable
from io import FileIO
from pathlib import Path
from typing import Self

from pathveil.errors import BadFile
from pathveil.files.atomic_write import lock_file
from pathveil.files.safe_open import NotPlain, open_plain


class Journal:
    """Payloads recorded so far, open for more.

    Parameters
    ----------
    title
        One line that names the work; a journal with another title is refused.
    mismatch
        What to say of such a journal, and what to do.

    Attributes
    ----------
    found
        The payloads that were recorded whole.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "work.journal"
    ...     with Journal(path, "example", mismatch="is another") as journal:
    ...         journal.append([b"one", b"two"])
    ...     with Journal(path, "example", mismatch="is another") as journal:
    ...         print(journal.found)
    (b'one', b'two')
    """

    def __init__(self, path: str | Path, title: str, *, mismatch: str) -> None:
        self.path = Path(path)
        self.found: tuple[bytes, ...] = ()
        self._title, self._mismatch = f"{title}\n".encode(), mismatch

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            number = open_plain(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        except NotPlain as error:
            raise BadFile(
                f"{self.path}: {error.strerror}, and a journal is a plain file of its owner: "
                "remove it, or give another name"
            ) from None
        self._file = FileIO(number, "r+")
        try:
            os.fchmod(number, 0o600)
            hold_alone(number, self.path)
            self._recover()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _recover(self) -> None:
        """Keep what was recorded whole, cut off the rest, and begin the file if it is empty."""
        first, *lines = self._file.read().splitlines(keepends=True) or [b""]
        if first != self._title:
            if not self._title.startswith(first):
                raise BadFile(f"{self.path}: {self._mismatch}")
            self._file.truncate(0)
            self._write(self._title)
            return
        payloads = []
        for line in lines:
            payload = line[9:-1]
            if line != _line(payload):
                break
            payloads.append(payload)
        self._file.truncate(sum(map(len, [first, *lines[: len(payloads)]])))
        self.found = tuple(payloads)

    def append(self, payloads: Iterable[bytes]) -> None:
        """Record payloads; on return they outlive this process. No payload may hold a line end."""
        lines = [_line(payload) for payload in payloads]
        if any(len(line.splitlines()) > 1 for line in lines):
            raise ValueError("a payload of a journal is one line")
        self._write(b"".join(lines))

    def _write(self, data: bytes) -> None:
        try:
            written, why = self._file.write(data), os.strerror(errno.ENOSPC)
        except OSError as error:
            written, why = 0, error.strerror or str(error)
        if written != len(data):
            raise BadFile(
                f"{self.path}: cannot be written ({why}); what was recorded before is kept: make "
                "room and run again to go on"
            )


def _line(payload: bytes) -> bytes:
    return b"%08x %b\n" % (zlib.crc32(payload), payload)


def hold_alone(number: int, path: Path) -> None:
    """Make sure that no other process has this journal open, or raise."""
    # A file without a name is one that the other process has just removed.
    if not lock_file(number, wait=False) or not os.fstat(number).st_nlink:
        raise BadFile(f"{path}: another process is at work on it; wait for that one")
