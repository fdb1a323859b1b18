"""The commands of an exchange: make a card and a key, take part, rehearse with all parties here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pathveil.cli import options, paths
from pathveil.cli.console import (
    SturdyTable,
    busy,
    console,
    print_json,
    progress_bar,
    say,
    show_lines,
    table,
    warn_unsafe,
)
from pathveil.cli.interrupts import note_output
from pathveil.cli.results import CardResult, OutcomeResult, result
from pathveil.errors import BadFile, ExchangeFailed
from pathveil.files.atomic_write import remove_own, shorten, write_aside

if TYPE_CHECKING:
    from pathveil.exchange.protocol import Exchange, Outcome, Statuses

CLAIM_FAILS = 1
Data = dict[str, Any]
KEY_SUFFIX = ".key.pem"
VALID_DAYS = 366

app = typer.Typer(name="party", help="Read a walk together, without showing your links.")


_LEARNT = {"own": "each party learns its own places", "walk": "everybody learns the walk"}


LearnOption = Annotated[
    Literal["own", "walk"],
    options.option(
        "--learn",
        "WHAT",
        "own: each party learns the places of its own vertices; walk: everybody learns the "
        "walk. The same for all.",
    ),
]
LongestOption = Annotated[
    int | None,
    options.option(
        "--longest", "K", "The walk has at most K visits; saves rounds. The same for all.", min=2
    ),
]
TimeLimit = Annotated[
    float,
    options.option(
        "--time-limit",
        "S",
        "Seconds to wait for the others, and again for the exchange itself.",
        min=1,
        max=86_400,
    ),
]


@app.command("init")
def init(
    name: Annotated[str, options.argument("NAME", "The party's name.")],
    *,
    at: Annotated[str, options.option("--at", "HOST:PORT", "Where the others reach it.")],
    holds: Annotated[
        list[str], options.option("--holds", "VERTEX", "A vertex it answers for; repeatable.")
    ],
    output: Annotated[Path, options.output("FOLDER", "Where key and card go.")] = Path(),
    as_json: options.AsJson = False,
) -> None:
    """Make a party's private key and its public card. Hand the card to the other parties."""
    from pathveil.exchange.cards import CARD_SUFFIX, Card

    host, _, port = at.rpartition(":")  # a host may be a number in brackets
    if not (host and port.isascii() and port.isdigit() and len(port) <= 5):
        raise typer.BadParameter(f"--at {shorten(at)}: expected HOST:PORT")
    card, secret = Card.with_key(name, host.strip("[]"), int(port), holds, days=VALID_DAYS)
    key_file, card_file = output / f"{name}{KEY_SUFFIX}", output / f"{name}{CARD_SUFFIX}"
    for file in (key_file, card_file):
        if file.exists():
            raise BadFile(
                f"{file}: exists, and a key in use must not be lost; if nobody has its card, as "
                f"after a killed 'party init', remove it: rm {file}"
            )
        note_output(file)
    output.mkdir(parents=True, exist_ok=True)
    write_aside(key_file, secret, private=True, replacing=False)
    try:
        write_aside(card_file, card.to_json(), replacing=False)
    except BadFile:
        remove_own(key_file)
        raise
    if as_json:
        print_json(result(CardResult, card, card=card_file, key=key_file))
        return
    rows = [
        ("card", f"{card_file}: public; hand it to every other party"),
        ("key", f"{key_file}: secret; keep it on this machine"),
        ("fingerprint", f"{card.fingerprint}: let the others compare it, by telephone"),
    ]
    show_lines(rows)


@app.command("run")
def run(
    file: options.PublicationFile,
    network: options.NetworkFile,
    *,
    cards: Annotated[
        list[Path], options.option("--cards", "PATH", "The cards of all parties, or their folder.")
    ],
    key: Annotated[
        Path, options.option("--key", "FILE", "Your private key; your card belongs to it.")
    ],
    learn: LearnOption = "own",
    longest: LongestOption = None,
    time_limit: TimeLimit = 120.0,
    identity: options.Identity = None,
    as_json: options.AsJson = False,
) -> None:
    """Take part in an exchange: put in your own links of the walk, learn what was agreed.

    Only your own rows of NETWORK are read. Three parties or more, all at the same time. It protects
    you as long as everybody follows the protocol and fewer than half pool what they see.
    """
    from pathveil.exchange.cards import Roster, read_credentials
    from pathveil.exchange.field import mpyc
    from pathveil.exchange.protocol import agree, own_statuses, take_part

    mpyc()  # is it installed? If not, say so before anybody waits
    roster = Roster.read(cards)
    credentials = read_credentials(roster, key)
    publication = paths.open_publication(file, identity)
    exchange = agree(publication, roster, learn=learn, longest=longest)
    card = roster.cards[credentials.me]
    rows = {vertex: paths.open_row(network, vertex) for vertex in card.vertices}
    mine = own_statuses(publication, exchange, credentials.me, rows)
    if not as_json:
        _introduce(exchange, credentials.me)
    try:
        with progress_bar("reading together", quiet=as_json) as progress:
            outcome = take_part(
                exchange, mine, credentials, time_limit=time_limit, progress=progress
            )
    except ExchangeFailed as error:
        if not error.inconsistent:
            raise
        typer.echo(f"pathveil: {error}", err=True)
        raise typer.Exit(CLAIM_FAILS) from None
    made = outcome_data(exchange, credentials.me, mine, outcome)
    if as_json:
        print_json(made)
        return
    known = [("learnt", learnt_text(made)), ("knows", known_text(made))]
    if made["order"] == "either_way":
        known.append(("order", "either end may be the first; a coin nobody saw chose"))
    known.append(("wire", f"{made['rounds']} rounds, {made['bytes_sent']:,} bytes sent"))
    show_lines(known)
    say("Read with the links of all parties; if one is missing in all lists, this may be wrong.")
    warn_unsafe(publication)


def _introduce(exchange: Exchange, me: int) -> None:
    """Say, before anything is sent, what the parties agree on and whom one trusts."""
    parties = len(exchange.roster)
    few = (parties - 1) // 2
    rows = [
        ("I am", f"{exchange.roster.names[me]}, one of {parties} parties"),
        ("publication", exchange.digest.hex()[:16]),
        ("agreed", _LEARNT[exchange.agreement.learn]),
        ("trust", f"all follow the protocol, and no {few + 1} of us pool what they see:"),
        ("", f"{few} of us can learn what was agreed, {few + 1} could read it all"),
    ]
    show_lines(rows)


def outcome_data(exchange: Exchange, number: int, mine: Statuses, outcome: Outcome) -> Data:
    """Return what one party put in and learnt, as plain data."""
    learnt, label = outcome.learnt, exchange.positions.label
    own = zip(exchange.agreement.held[number], mine.rows, strict=True)
    beside = [
        {"place": learnt.places[p], "vertices": [label(q)[0] for q in row.nonzero()[0].tolist()]}
        for p, row in own
        if row.any()
    ]
    places = [
        {"vertex": label(p)[0], "copy": label(p)[1], "place": at}
        for p, at in sorted(learnt.places.items())
    ]
    visited = sorted((place, p) for p, place in learnt.places.items() if place)
    walk = [label(p)[0] for _, p in visited] if exchange.agreement.learn == "walk" else None
    return result(
        OutcomeResult,
        outcome,
        party=exchange.roster.names[number],
        rows=len(mine.rows),
        learn=exchange.agreement.learn,
        places=places,
        walk=walk,
        order=learnt.order,
        beside=beside,
    )


def learnt_text(result: Data) -> str:
    """Return in words what was opened to a party."""
    if result["walk"] is not None:
        return " → ".join(result["walk"])
    places: dict[str, list[int]] = {}
    for item in result["places"]:
        places.setdefault(item["vertex"], []).extend([item["place"]] if item["place"] else [])
    return ", ".join(
        f"{vertex} at {' and '.join(map(str, sorted(at)))}" if at else f"{vertex} off the walk"
        for vertex, at in places.items()
    )


def known_text(result: Data) -> str:
    """Return in words what a party knows of others: who is linked on the walk to its own visits."""
    if result["walk"] is not None:
        return "it has learnt everything"
    parts = [f"{' and '.join(one['vertices'])} next to {one['place']}" for one in result["beside"]]
    return "; ".join(parts) or "nothing"


@app.command("rehearse")
def rehearse(
    file: options.PublicationFile,
    network: options.NetworkFile,
    *,
    parties: Annotated[
        int, options.option("--parties", "M", "How many; at least 3.", min=1, max=50)
    ] = 3,
    learn: LearnOption = "own",
    longest: LongestOption = None,
    time_limit: TimeLimit = 120.0,
    as_json: options.AsJson = False,
) -> None:
    """Run all parties on this machine, and show what each puts in, learns and knows of others."""
    from pathveil import Publication, reconstruct
    from pathveil.exchange.field import mpyc
    from pathveil.exchange.rehearse import read_together, rehearse_exchange

    mpyc()  # is it installed? If not, say so before the processes start
    known = paths.open_network(network, tell=True)
    publication = Publication.load(file)
    with busy(f"{parties} parties read together", quiet=as_json):
        exchange, performances = rehearse_exchange(
            file, known, parties, time_limit=time_limit, learn=learn, longest=longest
        )
    results = [
        outcome_data(exchange, me, each.mine, each.outcome) for me, each in enumerate(performances)
    ]
    same = read_together(exchange, performances, reconstruct(publication, known).walk)
    if as_json:
        print_json({"parties": results, "as_reconstruct": same})
    else:
        console.print(_table(exchange, results))
        if same:
            console.print("[green]the same walk[/] as `pathveil reconstruct` reads")
        else:
            console.print("[bold red]another walk[/] than `pathveil reconstruct` reads")
    if not same:
        raise typer.Exit(CLAIM_FAILS)


def _table(exchange: Exchange, results: list[Data]) -> SturdyTable:
    heads = ("party", "put in the links of", "learnt", "knows of others")
    rows = [
        (card.name, ", ".join(card.vertices), learnt_text(one), known_text(one))
        for card, one in zip(exchange.roster.cards, results, strict=True)
    ]
    few = (len(results) - 1) // 2
    some = "one party alone learns" if few == 1 else f"any {few} parties together learn"
    caption = (
        "A party has also seen the file, which is public, shares, which are uniform whatever the "
        f"walk is, and that the check passed. If all follow the protocol, {some} what these "
        "columns say and what follows from it; "
        f"{few + 1} together could read everything."
    )
    made = table("Who knows what", heads, rows, caption=caption)
    made.show_lines = True
    return made
