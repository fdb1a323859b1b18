"""Plain files, where others may have planted something else: no link followed, no pipe waited for.

Keys, journals, marks and part files lie in folders that somebody else may be able to write to. A
symbolic link there would lead a write, or a read, to a file of his choice; a pipe would hold
whoever opens it for ever. So such a file is opened here, and asked what it is once it is open: what
was true of a name before may be true of another file by then.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
NO_WAITING = getattr(os, "O_NONBLOCK", 0)
_OTHER = "is no plain file"


class NotPlain(OSError):
    """The path is not a plain file; ``strerror`` says whether it is a symbolic link."""


def open_plain(path: str | Path, flags: int = os.O_RDONLY) -> int:
    """Return the number of an open plain file; one that is made is its owner's alone (mode 0600).

    Parameters
    ----------
    flags
        As for ``os.open``.

    Raises
    ------
    NotPlain
        If something else has that name.
    OSError
        If it cannot be opened for another reason.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     os.mkfifo(f"{folder}/pipe")
    ...     try:
    ...         open_plain(f"{folder}/pipe")
    ...     except NotPlain as error:
    ...         print(error.strerror)
    is no plain file
    """
    try:
        number = os.open(path, flags | _NO_LINK | NO_WAITING, 0o600)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NotPlain(errno.ELOOP, "is a symbolic link", str(path)) from None
        if error.errno in (errno.EISDIR, errno.ENXIO):
            # A folder to be written to; a socket, or a pipe that nobody reads from.
            raise NotPlain(errno.EINVAL, _OTHER, str(path)) from None
        raise
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise NotPlain(errno.EINVAL, _OTHER, str(path))
    return number
