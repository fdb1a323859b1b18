"""A journal: checked lines under a title, which a kill at any moment cannot spoil.

Long work (a sweep, a batch of releases) records each finished part before it goes on. The first
line of the file is a title that names exactly this work; every further line is a check sum and a
payload. A line is handed to the system with one call, so it outlives this process, and forced to
the disk, so that it outlives a power cut (at once, or at most a second late).

Killed at any moment, the file ends with a whole line or with a part of one. Everything behind the
last line that stands its check does not count, and is cut off when the next line is written: until
then, a process that finds a journal that does not fit keeps it. One process at a time may
hold a journal; a second one is refused. The file is the owner's alone, a plain file, and is never
reached through a symbolic link somebody planted.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import BinaryIO, Self

from pathveil.errors import BadFile
from pathveil.files.safe_open import NotPlain, open_plain

SYNC_SECONDS = 1.0
"""How long a line may wait for the disk, where the work it stands for can be done again."""


class Journal:
    """Payloads recorded so far, open for more.

    Parameters
    ----------
    title
        One line that names the work; a journal with another title is refused.
    mismatch
        What to say of such a journal, and what to do.
    durable
        Whether a line must be on the disk before :meth:`append` returns: wanted where doing the
        work twice would do harm.

    Attributes
    ----------
    found
        The payloads that stand.
    damaged
        Whether something came behind them that does not stand.

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

    def __init__(
        self, path: str | Path, title: str, *, mismatch: str, durable: bool = True
    ) -> None:
        self.path = Path(path)
        self.found: tuple[bytes, ...] = ()
        self.damaged = False
        self._good: int | None = None
        self._title = f"{title}\n".encode()
        self._mismatch, self._durable = mismatch, durable
        self._file: BinaryIO | None = None
        self._synced = 0.0

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = _open_private(self.path)
        try:
            _hold(self._file, self.path)
            self._recover(self._file.read())
        except BaseException:
            self._file.close()
            self._file = None
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is None:
            return
        file, self._file = self._file, None
        try:
            with file:
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unwritable(error) from None

    def _recover(self, data: bytes) -> None:
        """Keep what stands, remember where it ends, and begin the file if there is none."""
        if len(data) < len(self._title) and self._title.startswith(data):
            good = 0
        elif data.startswith(self._title):
            good = len(self._title)
        else:
            raise BadFile(f"{self.path}: {self._mismatch}")
        payloads = []
        if good:
            for line in data[good:].splitlines(keepends=True):
                check, _, payload = line.rstrip(b"\n").partition(b" ")
                if not line.endswith(b"\n") or check != _check(payload):
                    break
                payloads.append(payload)
                good += len(line)
        self._good = good if good < len(data) else None
        self.damaged = bool(good) and self._good is not None
        if not good:
            self._write(self._title)
        self.found = tuple(payloads)

    def append(self, payloads: Iterable[bytes]) -> None:
        """Record payloads; on return they outlive this process. No payload may hold a line end."""
        data = b""
        for payload in payloads:
            if b"\n" in payload or b"\r" in payload:
                raise ValueError("a payload of a journal is one line")
            data += _check(payload) + b" " + payload + b"\n"
        if data:
            self._write(data)

    def _write(self, data: bytes) -> None:
        assert self._file is not None, "the journal is closed"
        try:
            if self._good is not None:
                self._file.truncate(self._good)
                self._good = None
            # Opened for appending: whatever was cut off, the next byte goes to the end.
            self._file.write(data)
            self._file.flush()
            if self._durable or monotonic() - self._synced > SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = monotonic()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> BadFile:
        return BadFile(
            f"{self.path}: cannot be written ({error.strerror or error}); what was recorded before "
            "stands: make room and run again to go on"
        )


def _check(payload: bytes) -> bytes:
    return f"{zlib.crc32(payload):08x}".encode()


def _open_private(path: Path) -> BinaryIO:
    """Open a file for reading and appending, for its owner alone, and never through a link."""
    try:
        number = open_plain(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    except NotPlain as error:
        raise BadFile(
            f"{path}: {error.strerror}, and a journal is a plain file of its owner: remove it, or "
            "give another name"
        ) from None
    os.fchmod(number, 0o600)
    return os.fdopen(number, "r+b")


def _hold(file: BinaryIO, path: Path) -> None:
    """Make sure that no other process has this journal open, or raise."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - no such lock on this system
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise BadFile(f"{path}: another process is at work on it; wait for that one") from None
