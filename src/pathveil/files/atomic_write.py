"""Opening files nobody vouches for, and writing files that are there whole or not at all.

Every reader of this package starts here. A file has a size limit, is read as text (UTF-8, or
UTF-16 where a byte order mark says so) and never as a pickle; whatever breaks these rules is a
:class:`~pathveil.errors.BadFile` that starts with the place: ``route.csv, line 3: ...``.

Part files: an unfinished file is hidden next to its final name until it takes that name.

Killed at any moment, a name holds the old content or the new; what a dead process leaves is a
hidden part file. Whoever writes one holds a lock on it, which the system takes away when the
process ends, however it ends. So a part file that can be locked is nobody's, and
:func:`clear_parts` removes it. A number of a process in its name would not do: numbers come again,
and mean nothing on another machine.

An interrupted command ends its process at once, for compiled code must not be broken into; before
that it calls :func:`drop_unfinished`, so the names of part files are noted before they exist.
"""

from __future__ import annotations

import codecs
import errno
import filecmp
import io
import os
import re
import secrets
import select
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pathveil.errors import BadFile, FileTaken
from pathveil.files.safe_open import NO_WAITING, open_plain

if TYPE_CHECKING:
    from typing_extensions import Buffer


_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK})

PART = ".pvpart"
"""How the name of a part file ends; no other file of this program, or of any we know, does."""
_PAGE = 4096
"""Bytes for which a folder must have room: a full disk has room for a name, and no more."""


@contextmanager
def part_of(
    target: Path,
    *,
    private: bool = False,
    replacing: bool = False,
    resuming: bool = False,
    remedy: str | None = None,
) -> Iterator[Path]:
    """Yield a file beside the target that takes its name if all goes well, and goes if not.

    Parameters
    ----------
    private
        Whether it shows a secret and stays its owner's alone (mode 0600).
    replacing
        Whether it may take the place of another file. If not, the name is claimed in one step of
        the system, so of several processes that want it just one gets it.
    resuming
        Whether a file that holds this very content stays: work that was stopped finds its own.
    remedy
        What to do if it cannot be written, for the message.

    Raises
    ------
    FileTaken
        If the name is taken and must not be replaced.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with part_of(Path(folder) / "x.txt") as path:
    ...         _ = path.write_text("whole")
    ...     [(found.name, found.read_text()) for found in Path(folder).iterdir()]
    [('x.txt', 'whole')]
    """
    try:
        number, path = _begun(target)
    except OSError as error:
        raise _unwritable(target, error, "choose another folder") from None
    with os.fdopen(number, "rb"):
        try:
            yield path
            os.fsync(number)
            if not private:
                # It was hidden from everybody else; a publication is meant to be read.
                mask = os.umask(0)
                os.umask(mask)
                path.chmod(0o666 & ~mask)
            with _ending:
                if replacing:
                    path.replace(target)
                else:
                    _claim(path, target, resuming=resuming, remedy=remedy)
                _parts.discard(path)
                _made[os.path.realpath(target)] = os.fstat(number).st_ino
        except BaseException as error:
            with suppress(OSError):
                path.unlink()
            _parts.discard(path)
            if isinstance(error, OSError):
                raise _unwritable(target, error, remedy or "choose another place") from None
            raise


_parts: set[Path] = set()  # part files of this process
_made: dict[str, int] = {}  # files that took their name in this process, by their inode
_ending = threading.Lock()  # held for good by a process that is about to end


def drop_unfinished(outputs: Iterable[Path]) -> None:
    """Remove what this process was writing, just before it ends; it can write no more files.

    Parameters
    ----------
    outputs
        Names that were free when the command began: what this process made of them goes too.
    """
    _ending.acquire()
    for path in list(_parts):
        with suppress(OSError):
            path.unlink()
    for output in outputs:
        remove_own(output)


def remove_own(path: Path) -> None:
    """Remove a file if it took its name in this process; whatever else has that name stays."""
    with suppress(OSError):
        if is_own(path):
            path.unlink()


def is_own(path: Path) -> bool:
    """Return whether a file took its name in this process."""
    return path.exists() and _made.get(os.path.realpath(path)) == path.stat().st_ino


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: the one that started them ends them.

    It does not end before they are started, or it would not know them all.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _ending:
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_with_parent(parent: int) -> None:
    """Make this worker end when the process that started it is gone, even by SIGKILL."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    # An interrupt is for the parent, which then ends its workers: one message, not one for each.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _claim(part: Path, target: Path, *, resuming: bool, remedy: str | None) -> None:
    """Give a part file the name of its target, or raise if something else has that name."""
    try:
        try:
            os.link(part, target)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            # Some file systems have no second names: there an empty file holds the place.
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            part.replace(target)
            return
    except FileExistsError:
        if not (resuming and target.exists() and filecmp.cmp(part, target, shallow=False)):
            raise taken(target, remedy) from None
    part.unlink()


def taken(target: Path, remedy: str | None = None) -> FileTaken:
    """Return the error for a name that something else has."""
    remedy = remedy or "choose another name, or replace it with --force (in Python overwrite=True)"
    return FileTaken(f"{target}: exists, and existing files are kept; {remedy}")


def require_writable(target: Path) -> None:
    """Raise unless a plain file of this name can be written, as far as that is known beforehand.

    For work that is recorded before its file is written: what is impossible is refused first.
    """
    folder = target.parent
    try:
        target.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:  # the name is too long
        raise _unwritable(target, error, "choose another name") from None
    if not target.name or target.name == ".." or target.is_dir():
        raise BadFile(f"{target}: is a folder, expected the name of a file; choose another name")
    if not folder.is_dir():
        fact = "is a file" if folder.exists() else "does not exist"
        raise BadFile(f"{target}: the folder {folder} {fact}; make it, or choose another one")
    if target.exists() and not target.is_file():
        raise BadFile(
            f"{target}: is a device or a pipe, which keeps nothing; give the name of a plain file"
        )
    require_files_in(folder, target)


def require_files_in(folder: Path, target: Path) -> None:
    """Raise unless a file can be made in a folder: rights tell too little, so one is, and goes.

    Parameters
    ----------
    target
        What is to be written there, for the message.
    """
    try:
        number, path = _begun(folder / target.name)
        try:
            if os.write(number, bytes(_PAGE)) < _PAGE:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            path.unlink()
            _parts.discard(path)
            os.close(number)
    except OSError as error:
        raise _unwritable(target, error, "choose another folder") from None


def clear_parts(folder: Path, *, of: str = "") -> int:
    """Remove the part files that dead processes left in a folder; return how many there were.

    Only plain files of our own user with the name of a part file, which nobody is writing; links
    are not followed.

    Parameters
    ----------
    of
        How the names of their targets begin.
    """
    try:
        names = [entry.name for entry in os.scandir(folder)]
    except OSError:
        return 0
    start = _part_start(of)
    parts = [name for name in names if name.startswith(start) and name.endswith(PART)]
    return sum(_cleared(folder / name) for name in sorted(parts))


def _cleared(path: Path) -> bool:
    """Return whether a file was a dead process's, and is gone."""
    try:
        number = open_plain(path)
    except OSError:
        return False
    try:
        # Held until it is gone: whoever has just begun it waits, sees that, and begins another.
        if not lock_file(number, wait=False) or os.fstat(number).st_uid != os.geteuid():
            return False
        path.unlink()
    except OSError:
        return False
    finally:
        os.close(number)
    return True


def _part_start(of: str) -> str:
    """Return how part files are called; a name as long as the system allows is cut."""
    return os.fsencode(f".{of}")[:200].decode(errors="ignore")


def _begun(target: Path) -> tuple[int, Path]:
    """Return a new part file, open and locked."""
    while True:
        start = _part_start(f"{target.name}.")
        path = target.parent / f"{start}{secrets.token_hex(6)}{PART}"
        with _ending:
            _parts.add(path)
        try:
            number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except BaseException:
            _parts.discard(path)
            raise
        lock_file(number, wait=True)
        if os.fstat(number).st_nlink:
            return number, path
        os.close(number)  # cleared between its first moment and its lock


def lock_file(number: int, *, wait: bool) -> bool:
    """Return whether an open file is ours alone now; never where files cannot be locked."""
    try:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def hold_alone(number: int, path: Path) -> None:
    """Make sure that no other process has this journal open, or raise."""
    # A file without a name is one that the other process has just removed.
    if not lock_file(number, wait=False) or not os.fstat(number).st_nlink:
        raise BadFile(f"{path}: another process is at work on it; wait for that one")


SIZE_LIMIT = 512 * 1024 * 1024
"""Bytes a file may have that is held whole. A publication of ten thousand vertices stays below it;
what is larger is a mistake or an attack on memory."""

STREAM_LIMIT = 8 * SIZE_LIMIT
"""Bytes a file may have that is read piece by piece: some two hundred million links."""

Progress = Callable[[int, int], None]
"""Called with (bytes read, bytes of the file)."""

_PIECE = 1 << 20
PATIENCE = 5.0
"""Seconds in which somebody must begin to write to a pipe that is read."""

STANDARD = "-"
"""The name that stands for standard input or output."""

_PICKLES = frozenset({".pickle", ".pkl", ".gpickle", ".p"})
_NO_TEXT = {
    b"\x1f\x8b": "packed (gzip)",
    b"PK": "packed (zip), as workbooks and documents are",
    b"BZh": "packed (bzip2)",
    b"\xfd7zXZ": "packed (xz)",
    b"\x28\xb5\x2f\xfd": "packed (zstd)",
    b"PAR1": "packed (Parquet)",
    b"%PDF": "a PDF, no table",
    **dict.fromkeys((b"\x89PNG", b"\xff\xd8\xff", b"GIF8"), "a picture"),
}
"""What files are that begin so."""
_WESTERN = re.compile(
    rb"(?!.*[\xc2-\xdf][\xa0-\xbf])[\0-\x7f\x92\x96\xa0\xa7\xab\xb0-\xb5\xb7\xbb-\xbd\xc0-\xff]*",
    re.DOTALL,
)
"""Windows-1252 as Excel saves it: letters with accents, and signs such as degrees; what is UTF-8
in places is none."""
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class WatchedFile(io.FileIO):
    """A file that says how far it has been read."""

    def __init__(self, path: str | Path, progress: Progress) -> None:
        super().__init__(path)
        self._progress = progress
        self._size = os.fstat(self.fileno()).st_size

    def readinto(self, buffer: Buffer, /) -> int | None:
        """Fill a buffer, and tell how far we are."""
        count = super().readinto(buffer)
        self._progress(self.tell(), self._size)
        return count


def open_file(
    path: str | Path, *, limit: int = SIZE_LIMIT, progress: Progress | None = None
) -> BinaryIO:
    """Return the file opened for reading bytes, its size checked.

    What has no size to ask for (a pipe, a file of the system) is read into memory first,
    up to the limit of what is held whole.

    Raises
    ------
    BadFile
        Where there is no such file, it may not be read, is a pickle, is a pipe that nobody writes
        to, or is larger than the limit.
    """
    if Path(path).suffix.lower() in _PICKLES:
        raise BadFile(
            f"{path}: a pickle can run any program when opened and is never read; "
            "export the data as text, JSON or GraphML"
        )
    try:
        given = str(path) == STANDARD
        handle: BinaryIO = sys.stdin.buffer if given else _opened(path)
        facts = None if given else os.fstat(handle.fileno())
        if facts is not None and stat.S_ISREG(facts.st_mode) and facts.st_size:
            size = facts.st_size
            if progress is not None:
                handle.close()
                handle = io.BufferedReader(WatchedFile(path, progress))
        else:
            limit = min(limit, SIZE_LIMIT)
            data = io.BytesIO()
            if facts is not None and not stat.S_ISREG(facts.st_mode):
                data.write(_first_byte(handle, str(path)))
            try:
                # Piece by piece: one call would take memory for all that there may be.
                while piece := handle.read(min(_PIECE, limit + 1 - data.tell())):
                    data.write(piece)
            finally:
                if not given:
                    handle.close()
            size = data.tell()
            data.seek(0)
            handle = data
    except OSError as error:
        if isinstance(error, IsADirectoryError):
            raise BadFile(f"{path}: is a folder; give the file in it that is meant") from None
        raise BadFile(
            f"{path}: cannot be read ({error.strerror or error}); check the name and the rights"
        ) from None
    if size > limit:
        handle.close()
        raise too_large("standard input" if given else str(path), size, limit)
    return handle


def _opened(path: str | Path) -> BinaryIO:
    """Return an open file, even a pipe that nobody writes to."""
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | NO_WAITING))


def _first_byte(handle: BinaryIO, where: str) -> bytes:
    """Make reading wait again, once somebody writes to a pipe; return what had to be read of it."""
    number, first = handle.fileno(), None
    if stat.S_ISFIFO(os.fstat(number).st_mode):
        watched = select.poll()
        watched.register(number, select.POLLIN)
        if not watched.poll(1000 * PATIENCE):
            with suppress(BlockingIOError):  # somebody has opened it, and writes later
                first = os.read(number, 1)
    if first == b"":
        handle.close()
        raise BadFile(f"{where}: is a pipe that nobody writes to; start its writer first")
    os.set_blocking(number, True)
    return first or b""


def too_large(
    where: str, size: int, limit: int, *, advice: str = "check whether this is the right file"
) -> BadFile:
    """Return the error for a file above the limit."""
    return BadFile(f"{where}: has {size:,} bytes or more, the limit is {limit:,}; {advice}")


def decode(data: bytes, where: str, note: Callable[[str], None] | None = None) -> str:
    r"""Return bytes as text, or raise :class:`BadFile` with the line that is no text.

    ``note``, if given, is told where text is read that is Windows-1252 and no UTF-8.

    >>> decode(b"a\nb\xff", "walk.txt")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    pathveil.errors.BadFile: walk.txt, line 2: byte 0xff is not UTF-8 text; save the file as ...
    """
    kind = next((kind for magic, kind in _NO_TEXT.items() if data.startswith(magic)), None)
    if kind is not None:
        raise BadFile(
            f"{where}: is {kind}; expected text: unpack it, or save the data in it as CSV UTF-8"
        )
    if data.startswith(_WIDE_MARKS):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise BadFile(
                f"{where}, byte {error.start}: starts like UTF-16 text but is none; "
                "save the file as UTF-8"
            ) from None
    try:
        return _decoded(data.removeprefix(codecs.BOM_UTF8), where, 1)
    except BadFile:
        if note is None or b"\0" in data or not _WESTERN.fullmatch(data):
            raise
    text = data.decode("cp1252")
    line = next(line for line in text.splitlines() if not line.isascii())
    note(f"{where}: is no UTF-8 and is read as Windows-1252: {shorten(line.strip())}")
    return text


def _decoded(data: bytes, where: str, line: int) -> str:
    """Return UTF-8 bytes as text; ``line`` is the number of their first line."""
    zero = data.find(b"\0")
    if zero >= 0:
        line += data.count(b"\n", 0, zero)
        raise BadFile(
            f"{where}, line {line}: holds a zero byte, so this is a binary file, expected text; "
            "check whether this is the right file"
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        start = data.rfind(b"\n", 0, error.start) + 1
        shown = shorten(data[start:].split(b"\n", 1)[0].strip().decode("cp1252", "replace"))
        raise BadFile(
            f"{where}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8 text; save the "
            f"file as UTF-8 (Excel: CSV UTF-8); if this line should read {shown}, this does it: "
            "iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW"
        ) from None


def read_text(
    path: str | Path, *, limit: int = SIZE_LIMIT, note: Callable[[str], None] | None = None
) -> str:
    """Return the whole text of a file; ``note`` is as for :func:`decode`."""
    with open_file(path, limit=limit) as handle:
        return decode(handle.read(), str(path), note)


def text_lines(handle: BinaryIO, where: str) -> Iterator[str]:
    """Yield the lines of an opened file as text, holding one at a time.

    Bytes are decoded line by line, so that an error knows its line.
    """
    head = handle.read(8)
    handle.seek(0)
    if head.startswith((*_WIDE_MARKS, *_NO_TEXT)):
        yield from decode(handle.read(), where).splitlines(keepends=True)
        return
    for number, raw in enumerate(handle, start=1):
        data = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
        if b"\r" in data.rstrip(b"\r\n"):
            raise BadFile(
                f"{where}, line {number}: a carriage return stands alone, expected line ends \\n "
                "or \\r\\n; save the file with these"
            )
        yield _decoded(data, where, number)


def write_aside(
    path: str | Path,
    text: str | bytes,
    *,
    private: bool = False,
    replacing: bool = False,
    resuming: bool = False,
    remedy: str | None = None,
) -> None:
    """Write a file, text or bytes, that is there whole or not at all.

    The content goes to a new file in the same folder, which then takes the name of the old one.
    Killed at any moment, the name holds the old content or the new. ``-`` is standard output; what
    is no regular file (a device, a pipe that somebody reads) is written to and never replaced.

    Parameters
    ----------
    private
        Whether the file shows a secret: then it is its owner's alone (mode 0600), and a link that
        somebody planted there is replaced or refused, never followed.
    replacing, resuming, remedy
        What is done where a file is there; see :func:`part_of`.
    """
    target = Path(path)
    content = text.encode() if isinstance(text, str) else text
    try:  # what is no file cannot be replaced by one
        is_special = str(target) == STANDARD or not stat.S_ISREG(target.stat().st_mode)
    except OSError:
        is_special = False
    if is_special:
        if private and target.is_symlink():
            raise BadFile(
                f"{path}: is a symbolic link to something that is no file; what shows a secret is "
                "not written through links: choose another name"
            )
        _write_through(target, content)
        return
    with part_of(
        target, private=private, replacing=replacing, resuming=resuming, remedy=remedy
    ) as aside:
        aside.write_bytes(content)


def _write_through(target: Path, content: bytes) -> None:
    if str(target) == STANDARD:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    hold_pipe(target)
    number = _pipes.pop(target, None)
    try:
        with target.open("wb") if number is None else os.fdopen(number, "wb") as handle:
            handle.write(content)
    except OSError as error:
        raise _unwritable(target, error, "choose another place") from None


_pipes: dict[Path, int] = {}  # opened before the work began


def hold_pipe(target: Path) -> None:
    """Open an output that is a pipe; raise if nobody reads from it, who might never come.

    It stays open until it is written to: its reader would take a closed one for the end.
    """
    if target in _pipes or not target.is_fifo():
        return
    try:
        _pipes[target] = os.open(target, os.O_WRONLY | NO_WAITING)
        os.set_blocking(_pipes[target], True)
    except OSError:
        raise BadFile(
            f"{target}: is a pipe that nobody reads from; start its reader first, or write to -"
        ) from None


def _unwritable(target: Path, error: OSError, remedy: str) -> BadFile:
    return BadFile(f"{target}: cannot be written ({error.strerror or error}); {remedy}")


def shorten(value: object, *, limit: int = 60) -> str:
    """Return the repr of something found in a file, cut where it would flood a message.

    >>> shorten("x" * 100, limit=10)
    "'xxxx…'"
    """
    text = repr(value[: limit + 1] if isinstance(value, str) else value)
    end = text[-1] if isinstance(value, str) else ""
    return text if len(text) <= limit + 2 else f"{text[: limit // 2]}…{end}"
