"""pathveil demo: the paper's running example, end to end, for somebody who has read nothing."""

from __future__ import annotations

from typing import Annotated

from rich.rule import Rule

from pathveil.cli import options
from pathveil.cli.attack import print_inference
from pathveil.cli.console import arrows, console, print_picture, say
from pathveil.model.network import Network
from pathveil.model.publication import Publication, lacks_one_link
from pathveil.model.walk import Walk

LINKS = "ab af bc bd be bf cd ce cf de df ef"
VISITS = "abcdef"
MISSING = ("c", "d")


def demo(
    *,
    seed: Annotated[
        int | None, options.option("--seed", "N", "Repeat a run; coins from a seed.")
    ] = None,
    paper: Annotated[
        bool,
        options.option("--paper", None, "Run the paper's own mechanism: copies, coins, layering."),
    ] = False,
) -> None:
    """Show the idea on the paper's example: publish, read back, attack.

    It runs the default policy, balanced; --paper runs the mechanism of the paper instead.

    Examples
    --------
    pathveil demo
    pathveil demo --paper
    """
    from pathveil import Policy, Seeded, publish

    network, walk = Network.parse(LINKS), Walk(VISITS)
    source = None if seed is None else Seeded(seed)
    _say_network(network, walk)
    if paper:
        policy = Policy.paper(vertex=1, link=1)
        made = publish(network, walk, policy=policy, layering="backtracking", source=source)
        _say_mechanism(made, network, walk)
    else:
        made = publish(network, walk, policy=Policy.balanced(), source=source)
        _say_coins(made, network, walk)
        _title("3  The file: the same bits as a layered graph")
        print_picture(made)
        console.print(
            "Two vertices share a branch exactly if their bit is [bold]=[/]. One more bit gives "
            "the direction."
        )
        _say_participants(made, network)
    _say_adversary(made, network, number=6 if paper else 5)
    _title("Your turn")
    say("  pathveil publish NETWORK WALK -o route.veil.json")
    say("  pathveil reconstruct route.veil.json NETWORK")


def _title(text: str) -> None:
    bold = f"[bold]{text}[/]"
    fits = len(text) + 2 < console.width
    console.print(Rule(bold, align="left", style="dim") if fits else bold)


def _say_network(network: Network, walk: Walk) -> None:
    _title("1  A network and a walk")
    links = "  ".join(
        f"[bold cyan]{u}{v}[/]" if (u, v) in walk.links else f"{u}{v}" for u, v in network.links
    )
    console.print(f"{len(network)} vertices, {len(network.links)} links: {links}")
    console.print(
        f"The secret is the walk [bold cyan]{arrows(walk)}[/]. Whoever knows the network shall "
        "read it. Someone who lacks a link of it shall have to guess."
    )


def _say_coins(publication: Publication, network: Network, walk: Walk) -> None:
    _title("2  Publish: one bit for each pair (policy balanced: fair coins)")
    bits = publication.packed.pairs
    console.print("    " + "  ".join(network))
    for i, u in enumerate(network):
        cells = []
        for j, v in enumerate(network):
            if i == j:
                cells.append("[dim]·[/]")
                continue
            mark = "=" if bits.same_branch(i, j) else "/"
            link = (u, v) if u < v else (v, u)
            style = "" if link in network.links else "magenta"
            style = "bold cyan" if link in walk.links else style
            cells.append(f"[{style}]{mark}[/]" if style else mark)
        console.print(f" {u}  {'  '.join(cells)}")
    console.print(
        "A link [bold cyan]on the walk[/] shows [bold cyan]/[/], any other link [bold]=[/], and a "
        "pair that is [magenta]no link[/] a fair coin: chaff. If you know the links, you ignore "
        "the chaff. If you do not, a walk's / and a coin's / look alike."
    )


def _say_participants(publication: Publication, network: Network) -> None:
    from pathveil import reconstruct
    from pathveil.reading.participant import read_vertex

    _title("4  Readers: what each vertex reads with its own links alone")
    read = {
        vertex: [
            link.there[0]
            for link in read_vertex(publication, vertex, network.neighbours(vertex)).links
        ]
        for vertex in network
    }
    places = [
        f"{vertex} is {'an end, next to' if len(linked) == 1 else 'between'} {' and '.join(linked)}"
        for vertex, linked in read.items()
    ]
    console.print(f"{'; '.join(places)}.")
    reading = reconstruct(publication, network)
    console.print(
        f"With the whole network: [bold cyan]{arrows(reading.walk)}[/], order {reading.order}."
    )


def _say_adversary(publication: Publication, network: Network, *, number: int) -> None:
    from pathveil import attack

    u, v = MISSING
    _title(f"{number}  Attack: someone who knows every link but ({u}, {v})")
    print_inference(attack(publication, network, lacking=[MISSING]), truth=[MISSING])
    guess = lacks_one_link(publication)
    if guess is not None:
        say(
            f"On average over the coins, someone who lacks one link {guess}. `pathveil inspect "
            "FILE --certificate` states it in full."
        )


def _say_mechanism(publication: Publication, network: Network, walk: Walk) -> None:
    """Show what the paper's algorithms did, one after the other."""
    from pathveil import reconstruct

    _title("2  Algorithm 1: copies, vertex budget 1")
    copies = dict(zip(network, publication.positions.counts, strict=True))
    console.print(
        "Each vertex has one or two copies, drawn: "
        + ", ".join(f"{name} {count}" for name, count in copies.items())
        + ". The walk uses the first copy; a second one is a fake."
    )
    _title("3  Algorithm 2: one coin for each absent pair, link budget 1")
    bits, total = publication.packed.pairs, len(publication.positions)
    same, pairs = bits.count(), total * (total - 1) // 2
    console.print(
        f"{total} copies have {pairs} pairs: {same} share a branch, {pairs - same} do not. A link "
        "on the walk never does, a copy of any other link always does, and a pair that is no "
        "link does with chance 0.62."
    )
    _title("4  Algorithms 4 to 6 and Rule 5: the layered graph")
    print_picture(publication)
    console.print(
        "Inserted in walk order, each vertex on the largest layer that fits; at a dead end the one "
        "before is moved, at the last one is split. Then the side nearer to the walk's first "
        "vertex is turned up."
    )
    _title("5  What participants read")
    read = reconstruct(publication, network)
    order = "order told" if read.order == "known" else "either way round"
    right = "right" if read.walk == walk else "wrong"
    console.print(
        f"[bold cyan]{' → '.join(read.walk)}[/], {order}"
        + (f", and {right}" if read.order == "known" else "")
        + ". The paper's layers show the order with luck; a direction bit would show it always."
    )
