"""The files of a command: what it reads, and where a result may be written.

Commands decide by themselves how a network is read: vertices are named by their labels where these
are distinct, parallel links are merged with a note, directions are ignored with a note. What needs
a decision of the user is refused with the words of ``pathveil network clean``, which alone has
options for it.

Where a result may be written is decided before any work is done, so that nothing is lost. An output
that is also an input is refused, whatever is said. A file that exists is kept unless ``--force`` is
given. What is no regular file (a device, a pipe that somebody reads) is written to, never replaced.
``-`` is standard output.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pathveil.checking.certificate_check import require_believable
from pathveil.cli.console import console, progress_bar, require_open_output, say_aside
from pathveil.cli.interrupts import note_output
from pathveil.errors import BadFile, MissingExtra, PathveilError, UnknownVertex
from pathveil.files.atomic_write import (
    clear_parts,
    hold_pipe,
    open_file,
    require_files_in,
    shorten,
    write_aside,
)
from pathveil.files.envelopes import is_envelope, open_envelope, read_identities, seal_envelope
from pathveil.files.publications.any_publication import (
    SUFFIXES,
    publication_content,
    publication_from,
    require_publication_name,
)
from pathveil.model.certificate import Finding
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.universe import Universe
from pathveil.model.walk import Walk

if TYPE_CHECKING:
    from pathveil.files.codes import Codes
    from pathveil.ledger.entries import Delivery
    from pathveil.ledger.ledger import Ledger

LARGE = 8_000_000
"""Bytes from which a file is read behind a bar: about half a second."""


def is_publication(path: str | Path) -> bool:
    """Return whether an argument names a publication, by its suffix."""
    return str(path).endswith((*SUFFIXES, ".age"))


def codes_read(file: Path | None) -> Codes | None:
    """Return the custodian's table of names and codes, if one is given."""
    from pathveil.files.codes import read_codes

    return None if file is None else read_codes(file)


def open_network(
    path: Path,
    *,
    before: Path | None = None,
    codes: Codes | None = None,
    tell: bool = False,
    notes: list[str] | None = None,
    **options: Any,
) -> Network:
    """Return the network in a file, behind a bar where it is large.

    Parameters
    ----------
    before
        The argument that comes after the network: where it is the network, the order was wrong.
    codes
        The table by which names become codes, where the file has names.
    tell
        Whether to say on standard error what was decided; readers of a file were not asked.
    notes
        What was decided is added here.
    """
    from pathveil.files.networks.network_reader import read_network

    _require_network_file(path)
    notes = [] if notes is None else notes
    try:
        small = not path.is_file() or path.stat().st_size < LARGE
        with progress_bar(f"reading {path.name}", quiet=small, unit=1_000_000) as progress:
            network = read_network(
                path, progress=progress, note=notes.append, **{"simplify": "parallel", **options}
            )
    except BadFile as error:
        if before is not None and _reads_as_network(before):
            raise BadFile(
                f"{shorten(str(path))}: is no network, and {shorten(str(before))} is one; give the "
                "network before the walk"
            ) from error
        raise
    if tell:
        _tell_notes(path, notes)
    if codes is not None and any(name in codes.code_of for name in network.vertices):
        code = dict(zip(network.vertices, codes.encode(network.vertices), strict=True))
        return Network.from_links((code[u], code[v]) for u, v in network.links)
    return network


def open_both(
    network: Path,
    walk: Path,
    *,
    column: str | None = None,
    codes: Codes | None = None,
    tell: bool = False,
) -> tuple[Network, Walk]:
    """Return a network and a walk through it."""
    from pathveil.files.walks import read_walk

    of_network: list[str] = []
    of_walk: list[str] = []
    known = open_network(network, before=walk, codes=codes, notes=of_network)
    try:
        secret = read_walk(walk, network=known, column=column, codes=codes, note=of_walk.append)
    except UnknownVertex as error:
        if network.suffix.lower() in {".graphml", ".gexf", ".gml"} and not error.among_known:
            raise UnknownVertex(
                f"{error}. If the walk names ids and not labels, write the network with ids first: "
                f"pathveil network clean {network} -o NEW.csv --names id"
            ) from None
        raise
    if tell:
        _tell_notes(network, of_network)
        _tell_notes(walk, of_walk)
    return known, secret


def _tell_notes(file: Path, said: Sequence[str]) -> None:
    """Print all that was decided about a file as one note."""
    if said:
        tell_note("; ".join([said[0], *(note.removeprefix(f"{file}: ") for note in said[1:])]))


def tell_note(note: str) -> None:
    """Print what was decided about a file, on standard error."""
    say_aside(f"note: {note}")


def open_row(
    path: Path,
    vertex: str,
    codes: Codes | None = None,
    *,
    tell: bool = False,
    own: bool = False,
) -> tuple[str, ...]:
    """Return the neighbours of one vertex; nothing else in the file is judged.

    With codes, the file may be in names or in codes, and the neighbours are given as codes. Where
    ``tell``, a file that seems to be another vertex's row is told of. Of a reader's ``own`` list,
    neighbours that the codes do not name are passed over, with a note.
    """
    from pathveil.files.networks.network_reader import read_row

    _require_network_file(path)
    note = tell_note if tell else None
    if codes is not None:
        with suppress(UnknownVertex):
            return read_row(path, codes.code_of[vertex], note=note)
    return read_row(path, vertex, codes=codes, note=note, passed=tell_note if own else None)


def _require_network_file(path: Path) -> None:
    """Raise if this is a publication, so the arguments are in the wrong order, or no name."""
    if path == Path():
        raise BadFile("NETWORK is empty or the folder itself; name the file of the network")
    if is_publication(path):
        raise BadFile(
            f"{shorten(str(path))}: is a publication, expected a network; were the arguments given "
            "in another order? See --help"
        )


def _reads_as_network(path: Path) -> bool:
    from pathveil.files.networks.network_reader import read_network

    try:  # a walk on one line with arrows reads as one link
        return len(read_network(path, simplify=True).pairs) > 1
    except (PathveilError, OSError):
        return False


def identities_of(files: Iterable[Path] | None) -> Sequence[Any]:
    """Return the secret keys in files, if some are given."""
    return [key for file in files or () for key in read_identities(file)]


def open_publication(
    file: Path, identity: list[Path] | None, *, groups: Path | None = None, trust: bool = False
) -> Publication:
    """Return the publication in a file; an envelope is opened with the identity."""
    with open_file(file) as handle:
        data = handle.read()  # once: standard input cannot be opened again
    sealed = is_envelope(data)
    if sealed and not identity:
        raise BadFile(
            f"{file}: is encrypted to its readers; give the file of your secret key: --identity KEY"
        )
    if sealed:
        data = open_envelope(data, identities_of(identity), str(file))
    try:
        publication = replace(publication_from(data, str(file)), where=str(file))
    except BadFile as error:
        if is_publication(file) or file.suffix in {"", ".json"}:
            raise
        raise BadFile(
            f"{file}: is no publication (*.veil, *.veil.json, *.age); were the arguments given in "
            "another order? FILE comes before NETWORK"
        ) from error
    publication = publication if trust else require_believable(publication, str(file))
    return publication.over(grouping_read(groups))


def publications_in(paths: Iterable[Path]) -> list[Path]:
    """Return files, each once, those in folders included; what is hidden there is passed over."""
    listed: dict[Path, None] = {}
    for path in paths:
        inside = [path]
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if is_publication(p) and p.name[0] != ".")
        if not inside:
            raise typer.BadParameter(f"{path}: holds no publication (*.veil.json, *.veil, *.age)")
        listed.update(dict.fromkeys(inside))
    return list(listed)


def load_publications(
    paths: Iterable[Path] | None, *, identity: list[Path] | None = None
) -> list[Publication]:
    """Return the publications in files and folders; envelopes are opened with an identity."""
    return [open_publication(path, identity) for path in publications_in(paths or ())]


def universe_read(file: Path | None) -> Universe | None:
    """Return the public pairs in a file, if one is given."""
    from pathveil.files.networks.network_reader import read_network

    return None if file is None else Universe.of(read_network(file, simplify=True))


def grouping_read(file: Path | None) -> Grouping | None:
    """Return the grouping in a file, if one is given."""
    return None if file is None else Grouping.load(file)


@dataclass(frozen=True)
class LedgerUse:
    """Which ledger a release goes through, and how."""

    database: str
    key: Path | None = None
    budget: str | None = None

    @classmethod
    def of(cls, database: str | None, **given: Any) -> LedgerUse | None:
        """Return the use that options describe; None without a ledger."""
        if database is not None:
            return cls(database, **given)
        for name, value in given.items():
            if value:
                raise typer.BadParameter(f"--{name.replace('_', '-')} needs --ledger DB")
        return None

    @property
    def files(self) -> list[Path]:
        """The files the ledger is in: none of them is ever an output.

        >>> [path.name for path in LedgerUse("releases.db").files]
        ['releases.db', 'releases.db.key', 'releases.db-wal', 'releases.db-shm']
        """
        beside = [Path(f"{self.database}{end}") for end in ("", ".key", "-wal", "-shm")]
        return beside if self.key is None else [*beside, self.key]

    def delivery(self, recipients: Sequence[str], *, replacing: bool) -> Delivery:
        """Return how releases go through it, and to whom."""
        from pathveil.ledger.entries import Delivery

        return Delivery(recipients, replacing, budget=exact_budget(self.budget))


@contextmanager
def needing_ledger(database: str = "") -> Iterator[None]:
    """Say which extra is missing where what is imported inside is not there."""
    try:
        yield
    except ImportError:
        extra = "postgres" if database.startswith("postgres") and "://" in database else "ledger"
        raise MissingExtra(extra, "sqlalchemy") from None


@contextmanager
def opened_ledger(database: str, key: Path | None) -> Iterator[Ledger]:
    """Give an opened ledger, or say which extra is missing."""
    with needing_ledger(database):
        from pathveil.ledger.ledger import Ledger
    with Ledger.open(database, key=key) as ledger:
        yield ledger


def other_publications(
    use: LedgerUse, network: Network, publication: Publication, *, encrypted: bool = False
) -> tuple[list[Publication], bool]:
    """Return the other releases of a ledger that the same people may have, and if there are any.

    They are the public ones; of an ``encrypted`` file all, for its readers may have them. None is
    returned if one is over another version of the network: that is not judged together.
    """
    with opened_ledger(use.database, use.key) as ledger:
        ledger.require_unlost()
        past = ledger.past(network)
        seen = past.publications(network, encrypted=encrypted)
    if not past.releases:
        raise BadFile(
            f"{use.database}: knows no release over this network; give the ledger that the file "
            "went through"
        )
    others = [one for one in seen if one.salt != publication.salt]
    return others, bool(others) or len(seen) < len(past.releases if encrypted else past.public)


def check_recorded(
    database: str, key: Path | None, file: Path, identity: list[Path] | None
) -> Finding:
    """Return whether a ledger, unchanged, recorded exactly this file."""
    with opened_ledger(database, key) as ledger:
        from pathveil.ledger.ledger_check import check_files

        (found,) = check_files(ledger, [file], identities=identities_of(identity))
    return found


def require_recorded(use: LedgerUse, file: Path, identity: list[Path] | None) -> None:
    """Raise unless a ledger, unchanged, recorded exactly this file."""
    found = check_recorded(use.database, use.key, file, identity)
    if not found.holds:
        raise BadFile(
            f"{file}: {use.database} does not confirm this file: {found.detail}; restore the file, "
            "or the ledger, from a backup"
        )


def exact_budget(text: str | None) -> Fraction | None:
    """Return a budget as an exact number."""
    if text is None:
        return None
    with needing_ledger():
        from pathveil.ledger.ledger_tables import exact_limit
    return exact_limit(text, "--budget")


STANDARD = Path("-")


def claim_output(
    output: Path,
    *,
    inputs: Iterable[Path | None] = (),
    force: bool = False,
    why: str = "",
    folder: bool = False,
    option: str = "-o",
) -> None:
    """Raise unless a result may be written there.

    Parameters
    ----------
    inputs
        What the same command reads: never replaced, not even with ``force``.
    force
        Whether an existing file may be replaced.
    why
        Why an existing file is worth a thought.
    folder
        Whether the result may be a folder.
    option
        What messages call it.
    """
    # What is said about a result that goes to standard output goes to standard error.
    if output == STANDARD:
        console.stderr = True
        require_open_output()
        return
    _require_name(output, "a file or folder of its own" if folder else "a file", option)
    if output.is_dir() and not folder:
        raise typer.BadParameter(f"{option} {output}: is a folder, expected the name of a file")
    if not output.parent.is_dir():  # said before any work is done
        fact = "is a file" if output.parent.exists() else "does not exist"
        raise typer.BadParameter(
            f"{option} {output}: the folder {output.parent} {fact}; make it, or choose another one"
        )
    require_no_input(output, inputs)
    leads_nowhere = output.is_symlink() and not output.exists()
    if (output.is_file() or leads_nowhere) and not force:
        why = "it is a link that leads nowhere" if leads_nowhere else why
        reason = f"; {why}" if why else ""
        raise typer.BadParameter(
            f"{output} exists{reason}: choose another name, or say --force to replace it"
        )
    if not folder:
        hold_pipe(output)
        clear_parts(output.parent, of=f"{output.name}.")
    note_output(output)


def _require_name(output: Path, expected: str, option: str = "-o") -> None:
    """Raise if a name is empty, or a way to some folder, which nobody wants to have filled."""
    if output.name in {"", ".."}:
        given = '. or ""' if output == Path() else output  # pathlib makes "." of an empty text
        raise typer.BadParameter(f"{option} {given}: expected the name of {expected}")


def claim_folder(folder: Path, names: Sequence[str], *, journal: str, force: bool = False) -> None:
    """Raise if a folder for results is no folder, or holds results that would be replaced.

    Parameters
    ----------
    names
        What will be written into it, in order: work whose last file is missing was stopped.
    journal
        What stopped work leaves there: beside it ``names`` are its own, and it goes on.
    force
        As in :func:`claim_output`.
    """
    if folder == STANDARD:
        raise typer.BadParameter("-o -: several files are written; give -o a folder's name")
    _require_name(folder, "a folder of its own")
    if os.path.lexists(folder) and not folder.is_dir():
        raise typer.BadParameter(f"-o {folder} is a file, expected a folder: choose another name")
    require_files_in(
        next(one for one in (folder, *folder.absolute().parents) if one.exists()), folder
    )
    judged = names[-1:] if (folder / journal).exists() else names
    there = next((name for name in judged if (folder / name).exists()), None)
    if there is not None and not force:
        raise typer.BadParameter(
            f"{folder / there} exists: choose another folder, or say --force to replace it"
        )
    note_output(folder)


def file_size(path: Path) -> int | None:
    """Return how many bytes a file has; None for what is no file: a stream, a device."""
    return path.stat().st_size if path.is_file() else None


def size_text(path: Path) -> str:
    """Return the size of a file as people say it."""
    size = file_size(path)
    if size is None:
        return "a stream"
    if size < 1000:
        return f"{size} bytes"
    amount, unit = (size / 1e3, "kB") if size < 1e6 else (size / 1e6, "MB")
    return f"{amount:,.{1 if amount < 10 else 0}f} {unit}"


def require_no_input(output: Path, inputs: Iterable[Path | None]) -> None:
    """Raise if an output is one of the files that the same command reads."""
    for given in inputs:
        if given is not None and _is_same(given, output):
            raise typer.BadParameter(
                f"-o {output} is {given}, which this command reads; an input is never replaced: "
                "choose another name"
            )


def _is_same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:
        return os.path.realpath(first) == os.path.realpath(second)  # a loop of links has one too


def save_publication(
    publication: Publication, file: Path, recipients: Sequence[str], *, replacing: bool
) -> None:
    """Write a publication; with recipients, so that only they can open it."""
    require_publication_name(file, sealed=bool(recipients))
    content = publication_content(publication, file)
    if recipients:
        content = seal_envelope(content, recipients)
    write_aside(file, content, replacing=replacing)
