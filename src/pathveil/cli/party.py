"""The commands of one party of a secure exchange: make a card and a key, take part.

What a party put in, learnt and can work out: as plain data, and in words.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathveil.cli.console import console, facts, print_json, warn_unsafe
from pathveil.cli.exchange_options import LEARNT, ExchangeTerms, agrees_on_exchange
from pathveil.cli.network_options import NetworkReader, reads_network
from pathveil.cli.options import AsJson, PublicationFile
from pathveil.cli.results import card_data, outcome_data
from pathveil.errors import BadFile
from pathveil.files.safe_open import create_private

if TYPE_CHECKING:
    from pathveil.exchange.cards import Card, Roster
    from pathveil.exchange.session import Exchange


BY_ROOT = "told by the paper's rule: the end nearer to a root; it can be wrong"
"""What there is to say of a direction that the paper's layering tells."""


def show_outcome(found: dict[str, Any], *, by_root: bool) -> None:
    """Print what a party learnt, and what follows for it.

    ``by_root`` is whether the paper's layering tells the direction, if it is told.
    """
    rows = [(what, text) for what, text in (("learnt", learnt_text(found)),)]
    rows += [("follows", follows_text(found))]
    if found["order"] == "either_way":
        rows.append(("order", "tie: either end may be the first; a coin nobody saw chose"))
    elif by_root:
        rows.append(("order", BY_ROOT))
    rows.append(("wire", f"{found['rounds']} rounds, {found['bytes_sent']:,} bytes sent"))
    console.print(facts(rows))


def learnt_text(found: dict[str, Any]) -> str:
    """Return in words what a party was told."""
    if found["walk"] is not None:
        told = " → ".join(found["walk"])
    else:
        places: dict[str, list[int]] = {}
        for item in found["places"]:
            places.setdefault(item["vertex"], []).extend([item["place"]] if item["place"] else [])
        parts = [
            f"{vertex} at {_numbers(sorted(where))}" if where else f"{vertex} off the walk"
            for vertex, where in places.items()
        ]
        parts += [
            f"{step['from']['vertex']} – {step['to']['vertex']} at "
            f"{step['from']['place']} and {step['to']['place']}"
            for step in found["steps"]
        ]
        told = ", ".join(parts) or "none of its links is on the walk"
    return told + (f"; {found['length']} visits" if found["length"] is not None else "")


def follows_text(found: dict[str, Any]) -> str:
    """Return in words what a curious party can work out besides."""
    if found["walk"] is not None:
        return "it was told everything"
    follows = found["follows"]
    parts = [f"{item['vertex']} at {item['place']}" for item in follows["places"]]
    parts += [
        f"{pair['positions'][0]['vertex']} and {pair['positions'][1]['vertex']} at "
        f"{pair['places'][0]} and {pair['places'][1]}, in either order"
        for pair in follows["swapped"]
    ]
    parts += [
        f"{item['vertex']} at {item['places'][0]} or {item['places'][1]}"
        for item in follows["either"]
    ]
    if found["length"] is None and follows["length"]:
        parts.append(f"{follows['length']} visits")
    elif found["length"] is None and follows["at_least"] > 2:  # every walk has two
        parts.append(f"at least {follows['at_least']} visits")
    return "; ".join(parts) or "nothing"


def _numbers(values: list[int]) -> str:
    return " and ".join(str(value) for value in values)


app = typer.Typer(no_args_is_help=True, help="Read a walk together, without showing your hand.")

CLAIM_FAILS = 1
CARD_SUFFIX = ".card.json"
KEY_SUFFIX = ".key.pem"
_NAMED = 5
_CARD_LIMIT = 16 * 1024 * 1024

OwnRowsFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="NETWORK",
        help="Has the rows of the vertices on my card: edge list (CSV, TSV), Parquet, GraphML, "
        "GEXF, GML, JSON, topohub:NAME, or - (input). Not needed if I hold links only.",
        show_default=False,
    ),
]


@app.command("init")
def init(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The party's name.")],
    *,
    at: Annotated[
        str, typer.Option("--at", metavar="HOST:PORT", help="Where the others reach it.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where key and card go.")
    ] = Path(),
    holds: Annotated[
        list[str] | None,
        typer.Option("--holds", metavar="VERTEX", help="A vertex it answers for; repeatable."),
    ] = None,
    links: Annotated[
        int,
        typer.Option(
            "--links",
            metavar="K",
            min=0,
            help="It holds at most K links, besides any vertices. Public.",
        ),
    ] = 0,
    days: Annotated[int, typer.Option("--days", min=1, help="How long the key is good.")] = 366,
    as_json: AsJson = False,
) -> None:
    """Make a party's private key and its public card. Hand the card to the other parties."""
    from pathveil.exchange.cards import Card, make_certificate
    from pathveil.files.atomic_write import write_aside

    host, port = _address(at)
    if not holds and not links:
        raise typer.BadParameter("give --holds VERTEX, or --links K: a party must hold something")
    key_file, card_file = output / f"{name}{KEY_SUFFIX}", output / f"{name}{CARD_SUFFIX}"
    _require_new(key_file, card_file)
    secret, certificate = make_certificate(name, days=days)
    drafted = Card(name, host, port, tuple(holds or ()), links, certificate)
    card = Card.from_json(drafted.to_json(), where=str(card_file))
    output.mkdir(parents=True, exist_ok=True)
    _write_secret(key_file, secret)
    write_aside(card_file, card.to_json())
    _tell_card(card_file, key_file, card.fingerprint, as_json=as_json)


def _tell_card(card: Path, key: Path, fingerprint: str, *, as_json: bool) -> None:
    if as_json:
        print_json(card_data(card, key, fingerprint))
        return
    rows = [
        ("card", f"{card}: public; hand it to every other party"),
        ("key", f"{key}: secret; keep it on this machine"),
        ("fingerprint", f"{fingerprint}: compare it by another way, by telephone"),
    ]
    console.print(facts(rows))


def _address(text: str) -> tuple[str, int]:
    """Return host and port of an address; a host may be a number in brackets."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise typer.BadParameter(f"--at {text}: expected HOST:PORT")
    return host.strip("[]"), int(port)


def _require_new(*files: Path) -> None:
    for file in files:
        if file.exists():
            raise BadFile(
                f"{file}: exists; a key in use is not replaced unnoticed: remove it first"
            )


def _write_secret(file: Path, text: str) -> None:
    """Write a file that only its owner may read, from its first moment on."""
    import os

    with os.fdopen(create_private(file), "w", encoding="ascii") as handle:
        handle.write(text)


@app.command("run")
@agrees_on_exchange
@reads_network
def run(
    file: PublicationFile,
    network: OwnRowsFile = None,
    *,
    reader: NetworkReader,
    terms: ExchangeTerms,
    me: Annotated[str, typer.Option("--me", metavar="NAME", help="The name on my own card.")],
    cards: Annotated[
        list[Path],
        typer.Option("--cards", metavar="PATH", help="The cards of all parties, or their folder."),
    ],
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="My private key.")
    ] = None,
    held_links: Annotated[
        Path | None,
        typer.Option("--held-links", metavar="FILE", help="The links I hold, as an edge list."),
    ] = None,
    events: Annotated[
        bool, typer.Option("--events", hidden=True, help="One JSON document a line, as it goes.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take part in an exchange: put in my own statuses, learn what was agreed.

    Only my own rows of NETWORK are read. Who holds links and no vertices has none and gives
    --held-links FILE instead. Three parties or more; all must run at the same time.

    The model: everybody follows the protocol, and fewer than half pool what they see. Half or more
    of them together can read everything; one that does not follow it can spoil the result, and may
    learn more.
    """
    if (key is None) != terms.plaintext:
        raise typer.BadParameter("give --key FILE, or --plaintext-on-loopback to go without TLS")
    from pathveil.exchange.cards import read_credentials
    from pathveil.exchange.session import on_no_card, own_statuses, take_part

    roster = read_roster(cards)
    number = roster.number_of(me)
    rows = _own_rows(roster.cards[number], network, held_links, reader)
    publication = terms.publication(file)
    exchange = terms.exchange(publication, roster)
    links = [] if held_links is None else reader.links(held_links)
    mine = own_statuses(publication, exchange, number, rows=rows, links=links)
    credentials = None if key is None else read_credentials(roster, number, key)
    if not (as_json or events):
        _introduce(exchange, number, on_no_card(publication, exchange, rows, links))
    outcome = _complaining_of_claims(
        lambda: take_part(
            exchange,
            number,
            mine,
            credentials=credentials,
            time_limit=terms.time_limit,
            progress=_print_event if events else None,
        )
    )
    found = outcome_data(exchange, number, mine, outcome)
    if events:
        _print_line({"event": "result", **found})
        return
    if as_json:
        print_json(found)
        return
    show_outcome(found, by_root=publication.follows_walk)
    warn_unsafe(publication)


def _own_rows(
    card: Card, network: Path | None, held_links: Path | None, reader: NetworkReader
) -> dict[str, tuple[str, ...]]:
    """Return the neighbours of each vertex on a card; who has none needs no network."""
    if network is not None:
        return {vertex: reader.row(network, vertex) for vertex in card.vertices}
    if card.vertices:
        raise typer.BadParameter(
            f"NETWORK: is missing; the card of {card.name!r} names vertices, and their rows are "
            "read from it"
        )
    if held_links is None:
        raise typer.BadParameter(
            f"--held-links: is missing; the card of {card.name!r} names no vertex; give the file "
            "of the links it holds"
        )
    return {}


def _complaining_of_claims(work: Any) -> Any:
    """Run, and leave with code 1 if the parties' statuses contradict each other."""
    from pathveil.errors import ExchangeFailed

    try:
        return work()
    except ExchangeFailed as error:
        if not error.inconsistent:
            raise
        typer.echo(f"pathveil: {error}", err=True)
        raise typer.Exit(CLAIM_FAILS) from None


def read_roster(paths: list[Path]) -> Roster:
    """Return the roster of some card files, or of all in some folders."""
    from pathveil.exchange.cards import Card, Roster
    from pathveil.files.atomic_write import read_text

    files: list[Path] = []
    for path in paths:
        files += sorted(path.glob(f"*{CARD_SUFFIX}")) if path.is_dir() else [path]
    return Roster.of(
        Card.from_json(read_text(file, limit=_CARD_LIMIT), where=str(file)) for file in files
    )


def _introduce(exchange: Exchange, number: int, strangers: frozenset[str]) -> None:
    """Say, before anything is sent, what the parties agree on and whom one trusts.

    ``strangers`` are the neighbours on no card: what is said of them is said whatever the walk is.
    """
    parties = len(exchange.roster)
    few = (parties - 1) // 2
    agreement = exchange.agreement
    learnt = LEARNT[agreement.learn]
    console.print(
        facts(
            [
                ("I am", f"{exchange.roster.names[number]}, one of {parties} parties"),
                ("publication", exchange.digest.hex()[:16]),
                ("agreed", learnt + (", and the length" if agreement.length else "")),
                ("trust", f"all follow the protocol, and no {few + 1} of us pool what they see:"),
                ("", f"any {few} learn what was agreed, any {few + 1} could read it all"),
                *([("on no card", _unreadable(sorted(strangers)))] if strangers else []),
            ]
        )
    )


def _unreadable(strangers: list[str]) -> str:
    more = f" and {len(strangers) - _NAMED} more" if len(strangers) > _NAMED else ""
    return (
        f"{', '.join(strangers[:_NAMED])}{more}: a walk over my link to one of these cannot be "
        "read together; all parties then end alike"
    )


def _print_event(phase: str, number: int, total: int) -> None:
    # A line for every twentieth part: enough for a bar, and the same for every secret.
    if phase != "computing" or number % max(1, total // 20) == 0:
        _print_line({"event": phase, "round": number, "rounds": total})


def _print_line(value: dict[str, Any]) -> None:
    print(json.dumps(value, sort_keys=True, ensure_ascii=False), flush=True)  # noqa: T201
