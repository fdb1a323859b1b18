"""The command of a participant, who has the file and the network, or just its own row of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.console import arrows, console, facts, print_json, warn_unsafe
from pathveil.cli.network_options import open_network, open_row
from pathveil.cli.options import (
    AsJson,
    GroupsFile,
    Identity,
    NetworkFile,
    PublicationFile,
    Trust,
    grouping_read,
)
from pathveil.cli.outputs import open_publication
from pathveil.cli.plain_help import aloud
from pathveil.cli.results import link_data, reading_data, vertex_data
from pathveil.errors import DoesNotFit, NotConnected, UnknownVertex
from pathveil.model.certificate import times
from pathveil.wording import counted, did_you_mean

if TYPE_CHECKING:
    from pathveil import Network, Publication
    from pathveil.reading.assemble import Reading


BY_ROOT = "direction by the paper's rule, the end nearer to a root: it can be wrong"
"""What there is to say about a direction that the paper's layering gives."""


def reconstruct(
    file: PublicationFile,
    network: NetworkFile,
    *,
    as_vertex: Annotated[
        str | None,
        typer.Option("--as", metavar="VERTEX", help="Read only this vertex's own row and links."),
    ] = None,
    as_link: Annotated[
        tuple[str, str] | None,
        typer.Option("--as-link", metavar="U V", help="Read only this link's own place."),
    ] = None,
    groups: GroupsFile = None,
    identity: Identity = None,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Read a walk back: all of it, or only what one vertex or one link may know of itself."""
    if as_vertex is not None and as_link is not None:
        raise typer.BadParameter("--as and --as-link are two different participants; give one")
    publication = open_publication(file, identity, trust=trust).over(grouping_read(groups))
    if as_vertex is not None:
        _require_published(publication, as_vertex)
        _show_vertex(publication, as_vertex, open_row(network, as_vertex), as_json=as_json)
    elif as_link is not None:
        _require_link(network, as_link)
        _show_link(publication, as_link, as_json=as_json)
    else:
        _show_walk(publication, _whole_network(publication, network), as_json=as_json)
    if not as_json:
        warn_unsafe(publication)


MOST_NAMED = 5
"""Names that a message lists."""


def _require_published(publication: Publication, vertex: str) -> None:
    """Raise with a suggestion if the publication lists its vertices and this is none of them."""
    if not publication.lists_vertices or publication.grouped is not None:
        return
    if vertex not in publication.vertices:
        near = [name for name in publication.vertices if vertex.casefold() in name.casefold()]
        hint = did_you_mean(vertex, publication.vertices)
        hint = f"; did you mean {near[0]!r}?" if near else hint
        raise UnknownVertex(
            f"--as {vertex!r}: is none of the {len(publication.vertices)} vertices of the "
            f"publication; names are compared letter by letter{hint}"
        )


def _whole_network(publication: Publication, path: Path) -> Network:
    """Return the network, or say how it differs from the one published over.

    Its vertices are public, so a reader may know which are missing; its links are not.
    """
    try:
        network = open_network(path)
    except NotConnected as error:
        raise NotConnected(f"{error}; {_OWN_PART}") from None
    if not publication.lists_vertices or publication.grouped is not None:
        return network
    published, held = set(publication.vertices), set(network.vertices)
    if published == held:
        return network
    parts = [
        f"{words}: {', '.join(sorted(names)[:MOST_NAMED])}"
        + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
        for words, names in (
            ("it lacks", published - held),
            ("only your network has", held - published),
        )
        if names
    ]
    said = f"{path}: your network differs from the one published over; {'; '.join(parts)}"
    raise DoesNotFit(f"{said}; {_OWN_PART}" if published - held else f"{said}; get that network")


_OWN_PART = "if you hold only your own links, read your own places: --as VERTEX"


def _require_link(network: Path, link: tuple[str, str]) -> None:
    first, second = link
    if second not in open_row(network, first):
        raise DoesNotFit(
            f"{first!r} - {second!r} is no link of {network}: only a link of the "
            "network can read its own place"
        )


def _show_walk(publication: Publication, network: Network, *, as_json: bool) -> None:
    """Show the walk that all of the network reads, and how sure it is."""
    from pathveil import reconstruct as read_back

    found = read_back(publication, network)
    is_noisy = publication.policy.noisy
    if as_json:
        print_json(reading_data(found, noisy=is_noisy))
        return
    with aloud():
        console.print(arrows(found.walk), markup=False, soft_wrap=True)
    if is_noisy:
        console.print(_likelihood(found))
    if found.order == "either_way":
        console.print("[yellow]tie[/]: either end may be the first; this publication cannot say")
    elif publication.follows_walk:
        console.print(f"[yellow]{BY_ROOT}[/]")


def _likelihood(found: Reading) -> str:
    """Say how sure a reading of noisy bits is."""
    if found.path_only:
        return (
            "[yellow]likely[/]: the likeliest path over copies; the copies of one walk are not "
            "added up, so another walk may be likelier"
        )
    if found.gap:
        return f"[yellow]likely[/]: at most {found.gap} more bits might agree with another walk"
    if found.rivals is None:
        return "[yellow]likely[/]: no walk is likelier; others as likely were not counted"
    if found.rivals:
        return f"[yellow]likely[/]: {found.rivals} other walks are exactly as likely"
    return "[green]likeliest[/]: no other walk is as likely; noise may still have the last word"


def _show_vertex(
    publication: Publication, vertex: str, row: tuple[str, ...], *, as_json: bool
) -> None:
    from pathveil.reading.participant import read_vertex

    status = read_vertex(publication, vertex, row)
    if as_json:
        print_json(vertex_data(status))
        return
    if not status.visits:
        with aloud():
            console.print(f"the walk does not visit {vertex}", markup=False)
        return
    rows = []
    for copy in dict.fromkeys(link.here for link in status.links):
        others = [link.there[0] for link in status.links if link.here == copy]
        kind = "an end of the walk, next to" if len(others) == 1 else "between"
        rows.append((f"visit (copy {copy[1]})", f"{kind} {' and '.join(others)}"))
    with aloud():
        console.print(f"the walk visits {vertex} {times(status.visits)}", markup=False)
        console.print(facts(rows))
    console.print(
        f"Read with {counted(len(row), 'link')} of {vertex}; if one is missing, this may be wrong.",
        markup=False,
        style="dim",
    )


def _show_link(publication: Publication, link: tuple[str, str], *, as_json: bool) -> None:
    from pathveil.reading.participant import read_link

    first, second = link
    status = read_link(publication, first, second)
    if as_json:
        print_json(link_data(status))
        return
    said = f"uses {first} - {second} {times(len(status.links))}"
    if not status.on_walk:
        said = f"does not use {first} - {second}"
    with aloud():
        console.print(f"the walk {said}", markup=False)
