"""Several files at once: going on with a series, and attacking a pile of releases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
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
    from pathveil.model.grouping import Grouping
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
        help="Outsider: the most steps a walk has; without a grouping.",
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
    universe: Network | None,
    grouping: Grouping | None,
    as_json: bool,
) -> None:
    """Attack a pile of releases: as an insider if a link is missing, as an outsider if not.

    Over a grouping outsiders see classes; who misses a link is asked between vertices.
    """
    from pathveil.attacks.series.pile_attack import attack_as_outsider, is_grouped

    publications = [publication.over(grouping) for publication in load_publications(files)]
    is_grouped(publications)  # refuses a grouping that is not at hand before anything is worked out
    if grouping is not None and network is not None:
        grouping.require_harmonious(network)
    if missing:
        found = _inside(publications, network, missing, universe)
        _show_insider(found, len(publications), missing[0], as_json=as_json)
        return
    if links is None and network is None:
        raise typer.BadParameter(
            "an outsider is told the number of links: give --links N, or NETWORK to be judged by"
        )
    told = links or (len(network.links) if network is not None else 0)
    read = attack_as_outsider(
        publications,
        told,
        known=None if know is None else _links_in(know),
        longest=longest,
        steps=steps,
        universe=universe,
        names=None if network is None or grouping is not None else network.vertices,
    )
    hiding = grouping if grouping is not None and grouping.hides else None
    _show_outsider(read, network, hiding, as_json=as_json)
    if grouping is not hiding and not as_json:
        from pathveil.planning.gate_report import NEEDLESS

        console.print(NEEDLESS, markup=False)


def _inside(
    publications: Sequence[Publication],
    network: Network | None,
    missing: Sequence[tuple[str, str]],
    universe: Network | None,
) -> SeriesInference:
    """Return what is left to who knows all links but one."""
    from pathveil.attacks.series.pile_attack import attack_as_insider

    if network is None or len(missing) != 1:
        raise typer.BadParameter(
            f"{len(missing)} missing links; over several releases one is tried at a time: "
            "NETWORK --missing U V"
        )
    try:
        return attack_as_insider(
            publications, network.without(*missing), universe=universe, names=network.vertices
        )
    except PathveilError:
        raise
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _links_in(file: Path) -> list[tuple[str, str]]:
    """Return the links an outsider knows beforehand."""
    from pathveil.files.atomic_write import open_file
    from pathveil.files.networks.edge_lists import edges_of

    with open_file(file) as handle:
        return [(u, v) for _, u, v in edges_of(handle, str(file))]


def _show_insider(
    found: SeriesInference,
    files: int,
    truth: tuple[str, str],
    *,
    as_json: bool,
) -> None:
    data = insider_data(found, truth)
    if as_json:
        print_json(data)
        return
    console.print(
        f"Who knows all links but {truth[0]} - {truth[1]} and holds "
        f"{counted(files, 'file')} is left with "
        f"{counted(len(found.pairs), 'candidate')} ({found.control} if no chaff had been shown "
        f"besides); the true one has {data['truth_posterior']:.3f} of the belief.",
        markup=False,
    )
    for what in found.left_out:
        console.print(f"not used: {what}", markup=False)


def _show_outsider(
    read: OutsiderFindings, network: Network | None, grouping: Grouping | None, *, as_json: bool
) -> None:
    true = [] if network is None else [_true_walk(f, network, grouping) for f in read.files]
    data = outsider_data(read, network, grouping, true)
    if as_json:
        print_json(data)
        return
    between = "" if grouping is None else ", between the classes of the grouping"
    console.print(f"Outsiders with {counted(len(read.files), 'file')}{between}:", markup=False)
    for name, words in (("counting", "by counting"), ("structure", "by looking for paths")):
        if data[name] is None:
            continue
        told = data[name]
        line = f"{words}: {told['paths']} of {len(read.files)} files make one walk"
        if network is not None:
            line += (
                f"; {told['walks_right']} walks are right, and {told['links_right']} of "
                f"{len(network.links)} links"
            )
            if told["bare"] is not None and told["bare"]["links"]:
                line += _bare_words(told["bare"])
        console.print(line, markup=False)
    if grouping is not None:
        if network is not None:
            console.print(
                "A walk is right here if just its blocks are named, in whatever order.",
                markup=False,
            )
        console.print(_grouped_words(grouping, searched=read.structure is not None), markup=False)
    if network is None:
        console.print(
            "Whether they are the true walks only the custodian can tell: give NETWORK.",
            markup=False,
        )


def _bare_words(bare: dict[str, int]) -> str:
    return (
        f". Classes of one member hide nothing: {bare['walks_right']} of the {bare['walks']} walks "
        "that pass two links between them in a row, or nothing else, are read from class to class, "
        f"and {bare['links_right']} of the {bare['links']} links between two of them"
    )


def _grouped_words(grouping: Grouping, *, searched: bool) -> str:
    """Return what outsiders leave open over a grouping, so that nobody takes it for all."""
    from pathveil.model.grouping import spanned

    pairs = spanned(*grouping.hidden_among)
    looked, bare = "Nobody looked for paths: over a grouping a walk may pass a class twice. ", ""
    if searched:
        looked = "Who looks for paths does not read a walk that passes a class twice. "
        bare = "Links between classes of one member are not hidden. For the others, what "
    return (
        f"{looked}Take it that who holds many files reads every walk between classes. "
        f"{bare or 'What '}stays hidden is which of the "
        f"{pairs} pairs of a block is the link, unless one of its ends is known or the "
        "members of a class can be told apart."
    )


def _true_walk(file: Publication, network: Network, grouping: Grouping | None) -> list[int]:
    """Return the walk of a file as the outsider numbers things: vertices, or classes."""
    from pathveil.model.grouping import GroupedBits
    from pathveil.reading.assemble import reconstruct

    if grouping is None:
        place = {name: number for number, name in enumerate(file.vertices)}
        return [place[name] for name in reconstruct(file, network).walk]
    # What was looked at may be a picture of a sketch, bits of classes: asked as bits of vertices.
    bits = GroupedBits.of(file.packed, grouping)
    walk = reconstruct(replace(file, bits=bits), network).walk
    numbers: list[int] = grouping.classes_of(walk.vertices).tolist()
    return numbers
