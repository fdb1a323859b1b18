"""The command of a participant, who has the file and the network, or just its own row of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from pathveil.cli import options, paths
from pathveil.cli.console import aloud, console, print_json, say, say_walk, show_lines, warn_unsafe
from pathveil.cli.results import LinkResult, ReadingResult, VertexResult, result
from pathveil.errors import DoesNotFit, NotConnected, UnknownVertex
from pathveil.files.codes import Codes, codes_hint
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.reading.assemble import Reading
from pathveil.reading.assemble import reconstruct as read_back
from pathveil.reading.participant import Link, LinkStatus, VertexStatus, read_link, read_vertex
from pathveil.wording import counted, did_you_mean

BY_ROOT = "direction by the paper's rule, the end nearer to a root: it can be wrong"
"""What there is to say about a direction that the paper's layering gives."""


def reconstruct(
    file: options.PublicationFile,
    network: options.NetworkFile,
    *,
    as_vertex: Annotated[
        str | None, options.option("--as", "VERTEX", "Read only this vertex's own row and links.")
    ] = None,
    as_link: Annotated[
        tuple[str, str] | None,
        options.option("--as-link", "U V", "Read only this link's own place."),
    ] = None,
    groups: options.GroupsFile = None,
    codes: options.CodesFile = None,
    identity: options.Identity = None,
    trust: options.Trust = False,
    as_json: options.AsJson = False,
) -> None:
    """Read a walk back: all of it, or only your own places.

    Examples
    --------
    pathveil reconstruct route.veil.json network.csv
    pathveil reconstruct route.veil.json my-links.csv --as 'Lyon Stamping'
    """
    if as_vertex is not None and as_link is not None:
        raise typer.BadParameter("--as and --as-link are two different participants; give one")
    publication = paths.open_publication(file, identity, groups=groups, trust=trust)
    table = paths.codes_read(codes)
    if as_vertex is not None:
        (vertex,) = _published(publication, table, as_vertex)
        row = paths.open_row(network, as_vertex, table, tell=True, own=True)
        status = _in_names(read_vertex(publication, vertex, row), table, vertex=as_vertex)
        if as_json:
            print_json(result(VertexResult, status))
        else:
            _show_vertex(status)
            _caveat(f"{counted(len(row), 'link')} of {as_vertex}; if one is missing")
    elif as_link is not None:
        first, second = _published(publication, table, *as_link)
        if second not in paths.open_row(network, as_link[0], table, own=True):
            raise DoesNotFit(
                f"{as_link[0]!r} - {as_link[1]!r} is no link of {network}: only a link of the "
                "network can read its own place"
            )
        link = _in_names(read_link(publication, first, second), table, link=as_link)
        if as_json:
            print_json(result(LinkResult, link))
        else:
            with aloud():
                say(str(link))
    else:
        known = _whole_network(publication, network, table)
        reading = read_back(publication, known)
        walk = list(reading.walk) if table is None else table.decode(list(reading.walk))
        if as_json:
            print_json(result(ReadingResult, reading, walk=walk))
        else:
            _show_walk(publication, reading, walk)
            _caveat(f"{counted(len(known.pairs), 'link')}; if one differs from the sender's")
    if not as_json:
        warn_unsafe(publication)


def _published(publication: Publication, table: Codes | None, *names: str) -> list[str]:
    """Return the names that a file has for some vertices, once it lists each of them."""
    option = "--as" if len(names) == 1 else "--as-link"
    vertices = list(names) if table is None else table.encode(names, lambda _: option)
    listed = publication.lists_vertices and publication.grouped is None
    for name, vertex in zip(names, vertices, strict=True):
        if listed and vertex not in publication.vertices:
            hint = "" if table is not None else did_you_mean(name, publication.vertices)
            hint = hint or codes_hint(publication.vertices, table)
            raise UnknownVertex(
                f"{name!r}: is none of the {len(publication.vertices)} vertices of the "
                f"publication; names are compared letter by letter{hint}"
            )
    return vertices


Status = TypeVar("Status", VertexStatus, LinkStatus)


def _in_names(status: Status, table: Codes | None, **named: Any) -> Status:
    """Return what was read in codes, with the names of a table."""
    if table is None:
        return status
    ends = [(step.here, step.there) for step in status.links]
    names = [[(table.decode([one])[0], copy) for one, copy in pair] for pair in ends]
    return replace(status, links=tuple(Link(here, there) for here, there in names), **named)


MOST_NAMED = 5
"""Names that a message lists."""


def _some(names: Iterable[str]) -> str:
    """Return names, sorted, and how many more there are than a message lists."""
    listed = sorted(names)
    more = len(listed) - MOST_NAMED
    return ", ".join(listed[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _whole_network(publication: Publication, path: Path, table: Codes | None) -> Network:
    """Return the network, or say how it differs from the one published over.

    Its vertices are public, so a reader may know which are missing; its links are not.
    """
    try:
        network = paths.open_network(path, codes=table)
    except NotConnected as error:
        raise NotConnected(f"{error}; {_OWN_PART}") from None
    if not publication.lists_vertices or publication.grouped is not None:
        return network
    published, held = set(publication.vertices), set(network.vertices)
    if published == held:
        return network
    parts = [
        f"{words}: {_some(names)}"
        for words, names in (
            ("it lacks", published - held),
            ("only your network has", held - published),
        )
        if names
    ]
    said = f"{path}: your network differs from the one published over; {'; '.join(parts)}"
    said += codes_hint(publication.vertices, table)
    raise DoesNotFit(f"{said}; {_OWN_PART}" if published - held else f"{said}; get that network")


_OWN_PART = "if you hold only your own links, read your own places: --as VERTEX"


def _show_walk(publication: Publication, reading: Reading, walk: list[str]) -> None:
    """Show the walk that all of the network reads, and how sure it is."""
    with aloud():
        say_walk(walk)
    if publication.policy.noisy:
        console.print(_likelihood(reading))
    if reading.order == "either_way":
        console.print("[magenta]tie[/]: either end may be the first; this publication cannot say")
    elif publication.follows_walk:
        console.print(f"[magenta]{BY_ROOT}[/]")


def _likelihood(found: Reading) -> str:
    """Say how sure a reading of noisy bits is."""
    if found.gap:
        return f"[magenta]likely[/]: at most {found.gap} more bits might agree with another walk"
    if found.rivals is None:
        return "[magenta]likely[/]: no walk is likelier; others as likely were not counted"
    if found.rivals:
        return f"[magenta]likely[/]: {found.rivals} other walks are exactly as likely"
    return "[green]likeliest[/]: no other walk is as likely; noise may still have the last word"


def _show_vertex(status: VertexStatus) -> None:
    rows = []
    for number, copy in enumerate(dict.fromkeys(link.here for link in status.links), start=1):
        others = sorted(link.there[0] for link in status.links if link.here == copy)
        label = f"visit {number}" if status.visits > 1 else "it is"
        ends = f"between {' and '.join(others)} (only the whole network tells which comes first)"
        rows.append(
            (
                label,
                f"an end of the walk, next to {others[0]}, if no link of yours is missing here"
                if len(others) == 1
                else ends,
            )
        )
    with aloud():
        say(str(status))
        show_lines(rows)


def _caveat(known: str) -> None:
    """Say what was read with, and when that misleads."""
    say(f"Read with {known}, this may be wrong.", style="dim")
