"""Publications in and out of files: as they are, or in an envelope for their readers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pathveil.earning import require_believable
from pathveil.errors import BadFile
from pathveil.formats.envelopes import (
    is_envelope,
    open_envelope,
    read_identities,
    seal_envelope,
)
from pathveil.formats.files import open_file, write_aside
from pathveil.formats.publications import publication_content, publication_from
from pathveil.model.publication import Publication

_HEAD = 64


def open_publication(file: Path, identity: Path | None, *, trust: bool = False) -> Publication:
    """Return the publication in a file; an envelope is opened with the identity."""
    with open_file(file) as handle:
        sealed = is_envelope(handle.read(_HEAD))
        handle.seek(0)
        data = handle.read()  # once: standard input cannot be opened again
    if not sealed:
        found = publication_from(data, str(file))
        if not trust:
            require_believable(found, str(file))
        return found
    if identity is None:
        raise BadFile(
            f"{file}: is sealed to its readers; give the file of your secret key with --identity"
        )
    inside = open_envelope(data, read_identities(identity), str(file))
    found = publication_from(inside, str(file))
    if not trust:
        require_believable(found, str(file))
    return found


def save_publication(publication: Publication, file: Path, recipients: Sequence[str]) -> None:
    """Write a publication; with recipients, so that only they can open it."""
    if not recipients:
        publication.save(file)
        return
    name = file.with_suffix("") if file.suffix == ".age" else file
    write_aside(file, seal_envelope(publication_content(publication, name), recipients))
