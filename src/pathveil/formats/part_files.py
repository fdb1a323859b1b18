"""Part files: what is not yet whole lies beside its name, hidden, until it takes the name.

Killed at any moment, a name holds the old content or the new; what a dead process leaves is a
hidden part file. Whoever writes one holds a lock on it, which the system takes away when the
process ends, however it ends. So a part file that can be locked is nobody's, and
:func:`clear_parts` removes it. A number of a process in its name would not do: numbers come again,
and mean nothing on another machine.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pathveil.errors import BadFile
from pathveil.plain_files import open_plain

PART = ".pvpart"
"""How the name of a part file ends; no other file of this program, or of any we know, does."""


@contextmanager
def part_of(
    target: Path, *, private: bool = False, remedy: str = "choose another place"
) -> Iterator[Path]:
    """Yield a file beside the target that takes its name if all goes well, and goes if not.

    Parameters
    ----------
    private
        Whether it shows a secret and stays its owner's alone (mode 0600).
    remedy
        What to do if it cannot be written, for the message.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with part_of(Path(folder) / "x.txt") as path:
    ...         _ = path.write_text("whole")
    ...     [(found.name, found.read_text()) for found in Path(folder).iterdir()]
    [('x.txt', 'whole')]
    """
    try:
        number, path = _begun(target)
    except OSError as error:
        raise BadFile(
            f"{target}: cannot be written ({error.strerror or error}); choose another folder"
        ) from None
    with os.fdopen(number, "rb") as held:
        try:
            yield path
            os.fsync(number)
            if not private:
                # mkstemp hides its file from everybody else; a publication is meant to be read.
                mask = os.umask(0)
                os.umask(mask)
                path.chmod(0o666 & ~mask)
            if os.name == "nt":  # pragma: no cover - it renames no file that is open
                held.close()
            path.replace(target)
        except BaseException as error:
            with suppress(OSError):
                path.unlink()
            if isinstance(error, OSError):
                raise BadFile(
                    f"{target}: cannot be written ({error.strerror or error}); {remedy}"
                ) from None
            raise


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
    parts = [name for name in names if name.startswith(f".{of}") and name.endswith(PART)]
    return sum(_cleared(folder / name) for name in sorted(parts))


def _cleared(path: Path) -> bool:
    """Return whether a file was a dead process's, and is gone."""
    try:
        number = open_plain(path)
    except OSError:
        return False
    try:
        # Held until it is gone: whoever has just begun it waits, sees that, and begins another.
        if not _lock(number, wait=False) or os.fstat(number).st_uid != os.geteuid():
            return False
        path.unlink()
    except OSError:
        return False
    finally:
        os.close(number)
    return True


def _begun(target: Path) -> tuple[int, Path]:
    """Return a new part file, open and locked."""
    while True:
        number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=PART)
        _lock(number, wait=True)
        if os.fstat(number).st_nlink:
            return number, Path(name)
        os.close(number)  # cleared between its first moment and its lock


def _lock(number: int, *, wait: bool) -> bool:
    """Return whether an open file is ours alone now; never where files cannot be locked."""
    try:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True
