"""Publications from and to files: ``*.veil`` is compact, ``*.veil.json`` has its drawing.

What a file is when read is told by its first bytes, not by its name.
"""

from __future__ import annotations

from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from pathveil.errors import BadArgument, BadFile, TooLarge
from pathveil.files.atomic_write import SIZE_LIMIT, STANDARD, decode, open_file, write_aside
from pathveil.files.envelopes import is_envelope
from pathveil.files.publications.compact import opened, publication_bytes
from pathveil.files.publications.container import MAGIC, Container
from pathveil.files.publications.veil_json import parse_publication, publication_text
from pathveil.model.publication import Publication

COMPACT = ".veil"
SUFFIXES = (".veil.json", COMPACT)
"""How names of publications end."""

_BATCH = b'{"number": '
"""How the lines begin that ``batch`` writes to one file."""


def is_compact_name(path: str | Path) -> bool:
    """Return whether a file of this name is written compact, sealed or not.

    >>> is_compact_name("route.veil"), is_compact_name("x.veil.age"), is_compact_name("x.veil.json")
    (True, True, False)
    """
    return str(path).lower().removesuffix(".age").endswith(COMPACT)


def require_publication_name(path: str | Path, *, sealed: bool = False) -> None:
    """Raise unless a publication may have this name.

    Streams and devices may have any: what they hold is known by its first bytes.
    """
    if not isinstance(path, str | PathLike):
        raise BadArgument.of("the name of the file", path, "write save('route.veil.json')")
    is_stream = str(path) == STANDARD or (Path(path).exists() and not Path(path).is_file())
    if is_stream or str(path).lower().endswith((".age",) if sealed else SUFFIXES):
        return
    if sealed:
        raise BadFile(
            f"{path}: is not the name of an encrypted file, which --to makes; let it end with "
            f"{COMPACT}.age or .veil.json.age"
        )
    if str(path).lower().endswith(".age"):
        raise BadFile(f"{path}: is the name of an encrypted file; add --to KEY")
    raise BadFile(
        f"{path}: is not the name of a publication; let it end with {COMPACT} (compact) or "
        ".veil.json (with its drawing)"
    )


def write_publication(
    publication: Publication, path: str | Path, *, replacing: bool = True
) -> None:
    """Write a publication to a file that is there whole or not at all.

    Parameters
    ----------
    replacing
        Whether a file that is there may be replaced.

    Raises
    ------
    BadFile
        If the name does not end as those of publications do.
    TooLarge
        If the file would be larger than what is read back: nothing is written then.
    """
    require_publication_name(path)
    write_aside(path, publication_content(publication, path), replacing=replacing)


def publication_content(publication: Publication, path: str | Path) -> bytes:
    """Return what a file of that name holds."""
    wants_json = str(path).lower().removesuffix(".age").endswith(".json")
    if is_compact_name(path) or not (publication.lists_vertices or wants_json):
        data = publication_bytes(publication)
    elif not publication.lists_vertices:
        raise TooLarge(
            f"{path}: a sketch has no drawing beside it and is written as a compact file; give it "
            f"a name that ends with {COMPACT}"
        )
    else:
        data = publication_text(publication).encode()
    if len(data) > SIZE_LIMIT:
        raise TooLarge(
            f"{path}: the file would have {len(data):,} bytes, more than the {SIZE_LIMIT:,} that "
            f"are read back; write it as *{COMPACT}, or publish a sketch: form='sketch' "
            "(--form sketch)"
        )
    return data


def read_publication(path: str | Path) -> Publication:
    """Return the publication in a file, trusting nothing in it.

    Raises
    ------
    BadFile
        Where the file is missing, empty, binary, cut off, too large or has not the right shape.
    BadPublication
        Where its parts contradict each other; the message names the part (``arcs[17][1]``).
    """
    with open_file(path) as handle:
        return _read(handle, str(path))


def publication_from(data: bytes, where: str = "publication") -> Publication:
    """Return the publication in the bytes of a file, whatever its form."""
    return _read(BytesIO(data), where)


def is_compact(data: bytes) -> bool:
    """Return whether the bytes of a file are the compact form."""
    return data.startswith(MAGIC)


def _read(handle: BinaryIO, where: str) -> Publication:
    compact = handle.read(len(MAGIC)) == MAGIC
    handle.seek(0)
    if compact:
        return opened(Container.open(handle, where))
    data = handle.read()
    if is_envelope(data):
        raise BadFile(
            f"{where}: is encrypted to its readers; open it with your secret key: --identity KEY, "
            "or pathveil.files.envelopes.open_envelope"
        )
    if data.startswith(_BATCH):
        raise BadFile(
            f"{where}: holds the releases of a batch, and commands take one publication at "
            "a time; write the text under 'publication' of a line to a file of its own "
            "(*.veil.json) and give that, or run the batch with a folder's name as its output, "
            "which has a file for each walk"
        )
    return parse_publication(decode(data, where), where)
