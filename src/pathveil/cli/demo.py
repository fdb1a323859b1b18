"""pathveil demo: the paper's running example, end to end, for somebody who has read nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.rule import Rule

from pathveil.cli.attacks_shown import print_inference
from pathveil.cli.console import SturdyTable, console, print_certificate, print_picture

if TYPE_CHECKING:
    from pathveil import Network, Publication, Walk

LINKS = "ab af bc bd be bf cd ce cf de df ef"
VISITS = "abcdef"
MISSING = ("c", "d")


def demo(
    *,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FOLDER", help="Where pictures and files go."),
    ] = Path("demo-output"),
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="N", help="Repeat a run; coins from a seed.")
    ] = None,
) -> None:
    """Walk through the paper's running example: publish, read back, attack, draw."""
    from pathveil import Network, Policy, Seeded, Walk, publish

    network, walk = Network.parse(LINKS), Walk(VISITS)
    _say_network(network, walk)
    publication = publish(
        network,
        walk,
        policy=Policy.balanced(),
        source=None if seed is None else Seeded(seed),
    )
    _say_coins(publication, network, walk)
    _say_layers(publication)
    _say_participants(publication, network)
    _say_adversary(publication, network)
    _write(publication, network, walk, output)


def _title(text: str) -> None:
    console.print()
    console.print(Rule(f"[bold]{text}[/]", align="left", style="dim"))


def _say_network(network: Network, walk: Walk) -> None:
    _title("1  A network and a walk")
    console.print(
        f"Six places, {len(network.links)} links: "
        + "  ".join(
            f"[bold cyan]{u}{v}[/]" if (u, v) in walk.links else f"{u}{v}" for u, v in network.links
        )
    )
    console.print(
        f"The custodian's secret is the walk [bold cyan]{' → '.join(walk)}[/]. Who knows the "
        "network shall learn it;\nwho misses a link is left to guess, and how well is said below."
    )


def _say_coins(publication: Publication, network: Network, walk: Walk) -> None:
    _title("2  One bit for each pair")
    bits = publication.packed.pairs
    table = SturdyTable(box=None, padding=(0, 1), show_header=True)
    table.add_column("")
    for name in network:
        table.add_column(name, justify="center")
    for i, u in enumerate(network):
        cells = []
        for j, v in enumerate(network):
            if i == j:
                cells.append("[dim]·[/]")
                continue
            mark = "=" if bits.same_branch(i, j) else "/"
            link = (u, v) if u < v else (v, u)
            style = "bold cyan" if link in walk.links else "" if link in network.links else "yellow"
            cells.append(f"[{style}]{mark}[/]" if style else mark)
        table.add_row(u, *cells)
    console.print(table)
    console.print(
        "[bold]=[/] same branch, [bold]/[/] different branches. A link off the walk is [bold]=[/], "
        "a link [bold cyan]on the walk[/] is [bold cyan]/[/],\nand a pair that is [yellow]no link"
        "[/] gets a fair coin. Who knows the links ignores the coins; to who does not,\na walk's "
        "[bold cyan]/[/] and a coin's [yellow]/[/] look alike."
    )


def _say_layers(publication: Publication) -> None:
    _title("3  Published as a layered graph")
    print_picture(publication)
    console.print(
        "Two places share a branch exactly when their bit is [bold]=[/]: "
        f"{len(publication.layered.arcs)} lines say it for "
        f"{publication.packed.pairs.count()} pairs.\n"
        "One more bit tells the direction."
    )


def _say_participants(publication: Publication, network: Network) -> None:
    from pathveil import reconstruct
    from pathveil.reading.participant import read_vertex

    _title("4  What each participant reads, from the file and its own links")
    table = SturdyTable(box=None, padding=(0, 2))
    for heading in (
        "participant",
        "knows its links to",
        "not in its branch",
        "so on the walk it is",
    ):
        table.add_column(heading)
    for vertex in network:
        row = network.neighbours(vertex)
        linked = [link.there[0] for link in read_vertex(publication, vertex, row).links]
        place = (
            f"next to {linked[0]}, an end"
            if len(linked) == 1
            else f"between {' and '.join(linked)}"
        )
        table.add_row(vertex, " ".join(row), " ".join(linked), place)
    console.print(table)
    found = reconstruct(publication, network)
    console.print(
        f"Together, or with the whole network: [bold cyan]{' → '.join(found.walk)}[/], "
        f"order {found.order}."
    )


def _say_adversary(publication: Publication, network: Network) -> None:
    from pathveil import Knowledge, attack

    u, v = MISSING
    _title(f"5  What is left to someone who misses ({u}, {v})")
    found = attack(publication, Knowledge(network.without(MISSING)))
    print_inference(found, truth=[MISSING])
    console.print(
        "A candidate that shows [bold]=[/] is ruled out; if one only is left, it is the one. That "
        "depends on the [yellow]coins[/]:\nthe certificate says how often it happens."
    )
    print_certificate(publication)


def _write(publication: Publication, network: Network, walk: Walk, folder: Path) -> None:
    from pathveil.drawing.layers import publication_svg
    from pathveil.drawing.network_picture import network_svg
    from pathveil.files.atomic_write import write_aside

    folder.mkdir(parents=True, exist_ok=True)
    publication.save(folder / "route.veil.json")
    write_aside(folder / "route.svg", publication_svg(publication))
    write_aside(folder / "network.svg", network_svg(network, walk), private=True)
    _title("6  Your turn")
    console.print(
        f"Written to {folder}/: route.veil.json, route.svg, network.svg (shows the secret)"
    )
    console.print(
        "  pathveil publish NETWORK WALK -o route.veil.json\n"
        "  pathveil reconstruct route.veil.json NETWORK\n"
        "  pathveil inspect route.veil.json",
        markup=False,
    )
