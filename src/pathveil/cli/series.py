"""Several files at once: going on with a series, and attacking a pile of releases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.console import console, notes, print_json
from pathveil.cli.results import insider_data, outsider_data
from pathveil.errors import PathveilError
from pathveil.files.publications.any_publication import SUFFIXES
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.attacks.series.insider import SeriesInference
    from pathveil.attacks.series.pile_attack import OutsiderFindings
    from pathveil.chance.urn import History
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication

AfterFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--after",
        metavar="FILE",
        help="An earlier publication of the series, or a folder of them; once for each, any order.",
    ),
]
WithFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--with", metavar="FILE", help="A further publication, or a folder of them; once for each."
    ),
]
LinkCount = Annotated[
    int | None,
    typer.Option("--links", min=1, metavar="N", help="Outsider: how many links there are."),
]
KnownLinks = Annotated[
    Path | None,
    typer.Option("--know", metavar="FILE", help="Outsider: links known already, an edge list."),
]
Longest = Annotated[
    int | None,
    typer.Option(
        "--longest",
        min=1,
        metavar="N",
        help="Outsider: the most steps a walk has.",
    ),
]
Steps = Annotated[
    int, typer.Option("--steps", min=1000, help="Outsider: moves of one search for a network.")
]


def is_publication(name: str) -> bool:
    """Return whether an argument names a publication, by its suffix."""
    return name.endswith(SUFFIXES)


def load_publications(
    paths: Iterable[Path] | None, *, identity: Path | None = None
) -> list[Publication]:
    """Return the publications in files and folders, each file once; envelopes with an identity."""
    from pathveil.cli.outputs import open_publication

    found: dict[Path, None] = {}
    for path in paths or ():
        if not path.is_dir():
            found[path] = None
            continue
        inside = sorted(entry for entry in path.iterdir() if is_publication(entry.name))
        if not inside:
            raise typer.BadParameter(f"{path}: holds no publication, *.veil.json")
        found.update(dict.fromkeys(inside))
    return [open_publication(path, identity) for path in found]


def tell_series(network: Network, earlier: History, publication: Publication) -> None:
    """Print what the series has cost this network's links; in no file and no JSON."""
    from pathveil.chance.losses import series_use
    from pathveil.policies import Policy

    policy = Policy.from_terms(publication.policy)
    used = series_use(network, earlier.then(publication), policy)
    u, v = used.link
    notes.print(
        f"For your eyes only: {float(used.uses_per_link):.2f} uses per link after "
        f"{counted(used.releases, 'release')}. The link that has lost most is {u} - {v}, on "
        f"{used.shown} of {used.releases} walks: {used.presence} (fresh fair coins: {used.fresh}), "
        "had it been a link all along.",
        markup=False,
    )


def attack_many(
    files: Sequence[Path],
    network: Network | None,
    missing: Sequence[tuple[str, str]],
    *,
    links: int | None,
    know: Path | None,
    longest: int | None,
    steps: int,
    as_json: bool,
) -> None:
    """Attack several releases: as someone who lacks a link if one is named, else as an outsider."""
    from pathveil.attacks.series.pile_attack import attack_as_outsider

    publications = load_publications(files)
    if missing:
        inference = _inside(publications, network, missing)
        _show_insider(inference, len(publications), missing[0], as_json=as_json)
        return
    if links is None and network is None:
        raise typer.BadParameter(
            "an outsider is told the number of links: give --links N, or NETWORK to be judged by"
        )
    read = attack_as_outsider(
        publications,
        links or (len(network.links) if network is not None else 0),
        known=None if know is None else _links_in(know),
        longest=longest,
        steps=steps,
        names=None if network is None else network.vertices,
    )
    _show_outsider(read, network, as_json=as_json)


def _inside(
    publications: Sequence[Publication],
    network: Network | None,
    missing: Sequence[tuple[str, str]],
) -> SeriesInference:
    """Return what is left to someone who knows all links but one."""
    from pathveil.attacks.series.pile_attack import attack_as_insider

    if network is None or len(missing) != 1:
        raise typer.BadParameter(
            f"{len(missing)} missing links; over several releases one is tried at a time: "
            "NETWORK --lacking U V"
        )
    try:
        return attack_as_insider(publications, network.without(*missing))
    except PathveilError:
        raise
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _links_in(file: Path) -> list[tuple[str, str]]:
    """Return the links an outsider knows beforehand."""
    from pathveil.files.networks.network_reader import read_links

    return read_links(file)


def _show_insider(
    inference: SeriesInference, files: int, truth: tuple[str, str], *, as_json: bool
) -> None:
    data = insider_data(inference, truth)
    if as_json:
        print_json(data)
        return
    console.print(
        f"Someone who knows all links but {truth[0]} - {truth[1]} and holds "
        f"{counted(files, 'file')} is left with {counted(len(inference.pairs), 'candidate')} "
        f"({inference.control} without the coins) and believes in the true one with "
        f"{data['truth_posterior']:.1%}.",
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
        line = f"{words}: {seen['paths']} of {counted(len(read.files), 'file')} read as one walk"
        if network is not None:
            line += (
                f"; {seen['walks_right']} walks are right, and {seen['links_right']} of "
                f"{len(network.links)} links are named (guessing names {seen['links_by_luck']:.0f})"
            )
        console.print(line, markup=False)
    if network is None:
        console.print(
            "Whether these are the true walks only the custodian can tell: give NETWORK.",
            markup=False,
        )


def _true_walk(file: Publication, network: Network) -> list[int]:
    """Return the walk of a file as vertex indices."""
    from pathveil.reading.assemble import reconstruct

    place = {name: number for number, name in enumerate(file.vertices)}
    return [place[name] for name in reconstruct(file, network).walk]
