"""Several files at once: going on with a series, and attacking a pile of releases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.bars import busy
from pathveil.cli.console import console, print_json
from pathveil.cli.options import KNOWS, SEVERAL
from pathveil.cli.outputs import open_publication
from pathveil.cli.results import insider_data, outsider_data
from pathveil.errors import PathveilError
from pathveil.files.publications.any_publication import SUFFIXES
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.attacks.series.pile_attack import OutsiderFindings
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication

AfterFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--after",
        metavar="FILE",
        rich_help_panel=SEVERAL,
        help="An earlier publication over this network, or a folder of them; may be repeated.",
    ),
]
WithFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--with", metavar="FILE", help="Another publication, or a folder; may be repeated."
    ),
]
LinkCount = Annotated[
    int | None,
    typer.Option(
        "--links",
        min=1,
        metavar="N",
        rich_help_panel=KNOWS,
        help="An outsider: how many links there are.",
    ),
]
KnownLinks = Annotated[
    Path | None,
    typer.Option(
        "--know",
        metavar="FILE",
        rich_help_panel=KNOWS,
        help="An outsider: these links, an edge list.",
    ),
]
Longest = Annotated[
    int | None,
    typer.Option(
        "--longest",
        min=1,
        metavar="N",
        rich_help_panel=KNOWS,
        help="An outsider: the most steps a walk has.",
    ),
]
Steps = Annotated[
    int,
    typer.Option(
        "--steps",
        min=1000,
        max=1_000_000_000,
        metavar="N",
        rich_help_panel=KNOWS,
        help="An outsider: how long he searches.",
    ),
]


def is_publication(name: str) -> bool:
    """Return whether an argument names a publication, by its suffix."""
    return name.endswith(SUFFIXES)


def load_publications(
    paths: Iterable[Path] | None, *, identity: Path | None = None
) -> list[Publication]:
    """Return the publications in files and folders, each file once; envelopes with an identity."""
    listed: dict[Path, None] = {}
    for path in paths or ():
        if not path.is_dir():
            listed[path] = None
            continue
        inside = sorted(entry for entry in path.iterdir() if is_publication(entry.name))
        if not inside:
            raise typer.BadParameter(f"{path}: holds no publication (*.veil.json, *.veil, *.age)")
        listed.update(dict.fromkeys(inside))
    return [open_publication(path, identity) for path in listed]


@dataclass(frozen=True)
class OutsiderKnows:
    """What an outsider knows beforehand, and how long he searches."""

    links: int | None
    known: Path | None
    longest: int | None
    steps: int


def attack_as_outsider(
    publications: Sequence[Publication],
    network: Network | None,
    knows: OutsiderKnows,
    *,
    as_json: bool,
) -> None:
    """Attack releases as an outsider; the network is there to judge him by."""
    from pathveil.attacks.series.outsider import Effort
    from pathveil.attacks.series.pile_attack import attack_as_outsider as attack_pile
    from pathveil.files.networks.network_reader import read_links

    if knows.links is None and network is None:
        raise typer.BadParameter(
            "an outsider knows the number of links: give --links N, or NETWORK to judge him by; "
            "with NETWORK --lacking U V, someone who lacks that link"
        )
    with busy("trying to read the walks", quiet=as_json):
        read = attack_pile(
            publications,
            knows.links or (len(network.links) if network is not None else 0),
            known=None if knows.known is None else read_links(knows.known),
            longest=knows.longest,
            effort=Effort(knows.steps),
            names=None if network is None else network.vertices,
        )
    _show_outsider(read, network, as_json=as_json)


def attack_together(
    publications: Sequence[Publication],
    network: Network | None,
    lacking: Sequence[tuple[str, str]],
    *,
    as_json: bool,
) -> None:
    """Attack several releases as someone who knows all links but one."""
    from pathveil.attacks.series.pile_attack import attack_as_insider

    if network is None or len(lacking) != 1:
        raise typer.BadParameter(
            f"{len(lacking)} missing links; over several releases one is tried at a time: "
            "NETWORK --lacking U V"
        )
    try:
        with busy("trying what fits", quiet=as_json):
            inferred = attack_as_insider(publications, network.without(*lacking))
    except PathveilError:
        raise
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    data = insider_data(inferred, lacking[0])
    if as_json:
        print_json(data)
        return
    console.print(
        f"the missing link is guessed right {100 * data['truth_posterior']:.0f} times in 100 with "
        f"{counted(len(publications), 'file')}: {counted(len(inferred.pairs), 'candidate')} left, "
        f"{inferred.control} without the files",
        markup=False,
    )


def _show_outsider(read: OutsiderFindings, network: Network | None, *, as_json: bool) -> None:
    true = [] if network is None else [_true_walk(file, network) for file in read.files]
    data = outsider_data(read, network, true)
    if as_json:
        print_json(data)
        return
    ways = ((data["counting"], "by counting"), (data["structure"], "by looking for paths"))
    for seen, words in ways:
        console.print(
            f"{words}: {seen['paths']} of {counted(len(read.files), 'file')} read as one walk",
            markup=False,
        )
    if network is None:
        console.print("whether these are the true walks, only NETWORK can tell", markup=False)
        return
    best = max((data["counting"], data["structure"]), key=lambda one: one["links_right"] or 0)
    console.print(
        f"{best['links_right']} of {counted(len(network.links), 'link')} named; guessing alone "
        f"would name {best['links_by_luck']:.0f}; {best['walks_right']} of "
        f"{counted(len(read.files), 'walk')} read right",
        markup=False,
    )


def _true_walk(file: Publication, network: Network) -> list[int]:
    """Return the walk of a file as vertex indices."""
    from pathveil.reading.assemble import reconstruct

    place = {name: number for number, name in enumerate(file.vertices)}
    return [place[name] for name in reconstruct(file, network).walk]
