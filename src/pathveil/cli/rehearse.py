"""A rehearsal: all parties of an exchange on this machine, each a process of its own.

Every party gets a folder with its key, all cards and its own rows of the network; the publication,
which is public, they share. What the table shows is read from the parties'
own output.
"""

from __future__ import annotations

import json
import os
import queue
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.live import Live

from pathveil.cli.console import SturdyTable, console, print_json
from pathveil.cli.exchange_options import ExchangeTerms, agrees_on_exchange
from pathveil.cli.network_options import NetworkReader, reads_network
from pathveil.cli.options import AsJson, NetworkFile, PublicationFile
from pathveil.cli.party import (
    BY_ROOT,
    CARD_SUFFIX,
    CLAIM_FAILS,
    KEY_SUFFIX,
    follows_text,
    learnt_text,
)
from pathveil.cli.results import rehearsal_data
from pathveil.errors import DoesNotFit, ExchangeFailed

if TYPE_CHECKING:
    from pathveil import Network, Publication
    from pathveil.reading.assemble import Reading

_COMMAND = (sys.executable, "-c", "from pathveil.cli.main import main; main()")
_GRACE = 30.0  # seconds beyond the time limit: starting, and closing


@agrees_on_exchange
@reads_network
def rehearse(
    file: PublicationFile,
    network: NetworkFile,
    *,
    reader: NetworkReader,
    terms: ExchangeTerms,
    parties: Annotated[
        int, typer.Option("--parties", metavar="M", min=1, max=50, help="How many; at least 3.")
    ] = 3,
    as_links: Annotated[
        bool, typer.Option("--as-links", help="Deal out the links, not the vertices.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Start all parties of an exchange on this machine; show what each puts in, learns, can infer.

    Vertices (or links) are dealt out in turn. The result is compared with `reconstruct`.
    """
    from pathveil import reconstruct

    publication = terms.publication(file)
    if as_links:
        _require_vertices(publication)
    known = reader.network(network)
    expected = reconstruct(publication, known)
    with tempfile.TemporaryDirectory(prefix="pathveil-rehearsal-") as folder:
        cast = _prepare(Path(folder), known, parties, as_links=as_links, tls=not terms.plaintext)
        for part in cast:
            part.start(file, terms.words)
        _watch(cast, time_limit=terms.time_limit, quiet=as_json)
    failed = [part for part in cast if part.result is None]
    if failed:
        raise ExchangeFailed(f"the rehearsal failed: party {failed[0].name!r}: {failed[0].error}")
    same = _agrees(cast, expected)
    if as_json:
        print_json(rehearsal_data([part.result for part in cast], same=same))
    elif same:
        console.print("[green]the same walk[/] as `pathveil reconstruct` reads")
        if publication.follows_walk and expected.order == "known":
            console.print(f"its direction is {BY_ROOT}")
    else:
        console.print("[bold red]another walk[/] than `pathveil reconstruct` reads")
    if not same:
        raise typer.Exit(CLAIM_FAILS)


def _require_vertices(publication: Publication) -> None:
    """Refuse what no exchange can be over: cards and a file that name no vertex."""
    if publication.bits.names is None:
        raise DoesNotFit(
            "--as-links: a sketch lists no vertices, so the cards must, and those of parties that "
            "hold links name none; leave --as-links out, or publish packed or over a grouping"
        )


@dataclass
class _Player:
    """One party of the rehearsal: its folder, its process, what it has printed."""

    name: str
    folder: Path
    holds: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    tls: bool
    state: str = "starting"
    result: dict[str, Any] | None = None
    error: str = ""
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def follow(self, events: queue.Queue[tuple[_Player, dict[str, Any]]]) -> None:
        """Pass on what the party prints, and at last that it has ended."""
        assert self.process is not None
        assert self.process.stderr is not None
        try:
            for event in self.lines():
                events.put((self, event))
        finally:
            error = self.process.stderr.read()
            self.process.wait()
            events.put((self, {"event": "ended", "error": error}))

    def start(self, file: Path, options: list[str]) -> None:
        """Start the party's process, with what it would have in earnest."""
        here = self.folder
        arguments = ["party", "run", str(file)]
        arguments += [str(here / "rows.csv")] if self.holds or not self.links else []
        arguments += ["--me", self.name, "--cards", str(here)]
        arguments += ["--key", str(here / f"{self.name}{KEY_SUFFIX}")] if self.tls else []
        arguments += [] if self.tls else ["--plaintext-on-loopback"]
        arguments += ["--held-links", str(here / "links.csv")] if self.links else []
        # One thread each for linear algebra: the parties share this machine's cores.
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [*_COMMAND, *arguments, *options, "--events"],
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield what the party prints, as it prints it."""
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            yield json.loads(line)

    def hang_up(self) -> None:
        """Close the pipes to an ended process."""
        assert self.process is not None
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def note(self, event: dict[str, Any]) -> None:
        """Keep what an event says."""
        if event["event"] == "result":
            self.state = "done"
            self.result = {key: value for key, value in event.items() if key != "event"}
        elif event["event"] == "ended":
            self.state = "done" if self.result else "failed"
            said = [line for line in event["error"].splitlines() if any(map(str.isalpha, line))]
            self.error = said[-1].removeprefix("pathveil: ") if said else "it ended without a word"
        elif event["event"] == "computing":
            self.state = f"round {event['round']} of about {event['rounds']}"
        else:
            self.state = event["event"]


def _prepare(
    folder: Path, network: Network, parties: int, *, as_links: bool, tls: bool
) -> list[_Player]:
    """Deal out the network, and make each party's folder."""
    from pathveil.exchange.cards import Card, Roster, make_certificate

    names = [f"party-{i + 1:0{len(str(parties))}d}" for i in range(parties)]
    ports = _free_ports(parties)
    most = -(-len(network.links) // parties)
    cast, cards = [], []
    for i, name in enumerate(names):
        holds = () if as_links else network.vertices[i::parties]
        links = tuple(network.links[i::parties]) if as_links else ()
        secret, certificate = make_certificate(name, days=2)
        bound = most if as_links else 0
        cards.append(Card(name, "127.0.0.1", ports[i], tuple(holds), bound, certificate))
        part = _Player(name, folder / name, tuple(holds), links, tls)
        part.folder.mkdir()
        key = part.folder / f"{name}{KEY_SUFFIX}"
        key.touch(mode=0o600)
        key.write_text(secret, encoding="ascii")
        cast.append(part)
    for part in cast:
        for card in Roster.of(cards).cards:
            path = part.folder / f"{card.name}{CARD_SUFFIX}"
            path.write_text(card.to_json(), encoding="utf-8")
        rows = [(v, w) for v in part.holds for w in network.neighbours(v)]
        _write_pairs(part.folder / "rows.csv", sorted({(min(row), max(row)) for row in rows}))
        _write_pairs(part.folder / "links.csv", part.links)
    return cast


def _write_pairs(path: Path, pairs: Sequence[tuple[str, str]]) -> None:
    from pathveil.errors import BadFile
    from pathveil.files.networks.network_writer import edge_table

    content = edge_table(pairs)
    if content is None:
        raise BadFile(f"{path.name}: every word for a header is a vertex here; rename some")
    path.write_bytes(content)


def _free_ports(count: int) -> list[int]:
    """Return ports nobody listens on just now."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(each.getsockname()[1]) for each in taken]
    for each in taken:
        each.close()
    return ports


def _watch(cast: list[_Player], *, time_limit: float, quiet: bool) -> None:
    """Show a live table until all parties have ended; none outlives the rehearsal."""
    events: queue.Queue[tuple[_Player, dict[str, Any]]] = queue.Queue()
    threads = [threading.Thread(target=part.follow, args=(events,), daemon=True) for part in cast]
    for thread in threads:
        thread.start()
    running = len(cast)
    is_live = console.is_terminal and not quiet
    live = Live(_table(cast), console=console, auto_refresh=False) if is_live else None
    try:
        with live or nullcontext():
            while running:
                part, event = events.get(timeout=time_limit + _GRACE)
                part.note(event)
                running -= event["event"] == "ended"
                if live is not None:
                    live.update(_table(cast), refresh=True)
        if not (quiet or is_live):
            console.print(_table(cast))
    except queue.Empty:
        raise ExchangeFailed("the rehearsal did not end within its time limit") from None
    finally:
        for part in cast:
            assert part.process is not None
            if part.process.poll() is None:
                part.process.kill()
        for thread in threads:
            thread.join()
        for part in cast:
            part.hang_up()


def _table(cast: list[_Player]) -> SturdyTable:
    table = SturdyTable(title="Who knows what", title_justify="left", show_lines=True)
    table.add_column("party", no_wrap=True)
    table.add_column("put in")
    table.add_column("state")
    table.add_column("learnt")
    table.add_column("could still infer")
    for part in cast:
        put_in = ", ".join(part.holds) or f"links: {len(part.links)}"
        learnt = learnt_text(part.result) if part.result else ""
        follows = follows_text(part.result) if part.result else ""
        table.add_row(part.name, put_in, part.state, learnt, follows)
    if all(part.result for part in cast):
        table.caption = _promise(len(cast))
        table.caption_justify = "left"
    return table


def _promise(parties: int) -> str:
    """Return what holds of an exchange that ended well, and of no other."""
    few = (parties - 1) // 2
    return (
        "Besides, a party has seen the file, which is public, shares, which are uniform whatever "
        "the walk is, and that the check passed. "
        f"If all follow the protocol, any {few} of the {parties} together learn what these "
        f"columns say of them and what follows from it; {few + 1} together could read everything."
    )


def _agrees(cast: list[_Player], expected: Reading) -> bool:
    """Whether all the parties' places, put together, are the walk that `reconstruct` reads."""
    walk = list(expected.walk)
    wanted = [walk, walk[::-1]] if expected.order == "either_way" else [walk]
    visits: set[tuple[int, str, int]] = set()
    for part in cast:
        assert part.result is not None
        ends = [end for step in part.result["steps"] for end in (step["from"], step["to"])]
        for item in [*part.result["places"], *ends]:
            if item["place"]:
                visits.add((item["place"], item["vertex"], item["copy"]))
        if part.result["order"] != expected.order:
            return False
        if part.result["walk"] not in (None, *wanted):
            return False
    return [vertex for _, vertex, _ in sorted(visits)] in wanted
