"""Commands about a ledger: init, show, export and verify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathveil.cli import options, paths
from pathveil.cli.attack import conclude
from pathveil.cli.console import console, print_json, say, show_lines, table
from pathveil.cli.interrupts import note_output
from pathveil.cli.publish import outsider_words
from pathveil.cli.results import LedgerResult, StandingResult, result
from pathveil.files.atomic_write import write_aside
from pathveil.wording import counted, times

if TYPE_CHECKING:
    from pathveil.ledger.entries import Standing

app = typer.Typer(name="ledger", help="Remember what was released, and see what is left.")

LISTED = 10
"""Releases that are listed, the last ones; ``--json`` has all."""
Database = Annotated[
    str, options.argument("DB", "An SQLite file, or postgresql://user@host/database.")
]


@app.command("init")
def init(
    database: Database,
    *,
    key: options.KeyFile = None,
    budget: options.Budget = None,
) -> None:
    """Begin a ledger, and write its key to a file of its own that only you can read."""
    with paths.needing_ledger(database):
        from pathveil.ledger.ledger import Ledger
    for path in paths.LedgerUse(database, key).files:
        note_output(path)
    with Ledger.begin(database, key=key, budget=paths.exact_budget(budget)) as ledger:
        rows = [("ledger", ledger.name), ("key", str(ledger.key_file))]
        rows.append(("budget", budget or "none: every loss is allowed; set one with --budget"))
    show_lines(rows)
    console.print(
        "Keep the key apart from backups of the ledger: whoever finds both reads every release "
        "kept there; without the key nobody does, you included."
    )


@app.command("show")
def show(
    database: Database,
    *,
    key: options.KeyFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what has been released over each network, and what is left."""
    with paths.opened_ledger(database, key) as ledger:
        stands = ledger.standings()
    if as_json:
        print_json(result(LedgerResult, networks=[_standing_data(stand) for stand in stands]))
        return
    if not stands:
        console.print("nothing has been released yet")
    for stand in stands:
        _print_standing(stand)


def _standing_data(stand: Standing) -> dict[str, Any]:
    used = stand.cover
    more = {
        "cover": None if used is None else round(used.share, 4),
        "named": None if used is None or used.named is None else round(used.named),
        "more_walks": stand.more[0],
        "releases": stand.rows,
    }
    return result(StandingResult, stand, **more)


def _print_standing(stand: Standing) -> None:
    """Print the verdict, then what it rests on, each number with its name."""
    say(standing_words(stand))
    loss = str(stand.spent) if len(str(stand.spent)) < 40 else stand.spent.decimal
    if stand.budget is not None:
        loss += f"; the budget is {float(stand.budget):g}, {stand.left:.4f} is left"
    used = [f"{counted(k, 'link')} {times(n)}" for n, k in list(stand.uses.items())[:12]]
    rows = [("worst link's loss", loss), ("uses of links", ", ".join(used))]
    waiting = [row.counter for row in stand.rows if not row.handed_out]
    if waiting:
        listed = ", ".join(map(str, waiting[:8]))
        rows.append(("not handed out", f"{listed}: recorded and charged; run that command again"))
    show_lines(rows)
    if stand.rows:
        many = len(stand.rows)
        title = f"The last {LISTED} of {many:,} releases" if many > LISTED else "All releases"
        heads = ("entry", "date", "policy", "series/place", "SHA-256", "loss so far")
        releases = [
            (
                str(row.counter),
                row.time[:10],
                row.policy,
                f"{row.series}/{row.place}",
                row.digest[:8],
                row.spent.decimal,
            )
            for row in stand.rows[-LISTED:]
        ]
        console.print(table(title, heads, releases))


def standing_words(stand: Standing) -> str:
    """Return the verdict on one network: what outsiders and the worst link have used up."""
    links = counted(stand.links, "link")
    said = [f"network {stand.network}, {links}: {counted(len(stand.rows), 'release')}"]
    for cover, who, more in (
        (stand.cover, "outsiders", stand.more),
        (stand.encrypted, "someone with a key but no network", (0, 0)),
    ):
        if cover is not None:
            said.append(f"{who}: {outsider_words(cover, stand.links, more)}")
    if stand.budget is not None:
        limit = float(stand.budget)
        share = float(stand.spent) / limit if limit else 1.0
        said.append(f"the worst link has used {share:.0%} of the budget of {limit:g}")
    return "; ".join(said)


@app.command("export")
def export(
    database: Database,
    output: Annotated[Path, options.output("FILE", "Where to write *.jsonl.")],
    *,
    key: options.KeyFile = None,
    force: options.Force = False,
) -> None:
    """Write every entry as a line of JSON: numbers, digests, losses and times, no name."""
    paths.claim_output(output, inputs=paths.LedgerUse(database, key).files, force=force)
    with paths.opened_ledger(database, key) as ledger:
        entries = [dict(entry) for entry in ledger.entries()]
        for entry in entries:
            entry["body"] = json.loads(entry["body"])
        lines = "".join(json.dumps(entry, sort_keys=True) + "\n" for entry in entries)
        write_aside(output, lines, replacing=force)
    say(f"{counted(len(entries), 'entry', 'entries')} written to {output}", soft_wrap=True)


@app.command("verify")
def verify(
    database: Database,
    files: Annotated[
        list[Path] | None,
        options.argument("[FILES]", "Files or folders of files that were handed out."),
    ] = None,
    *,
    key: options.KeyFile = None,
    identity: options.Identity = None,
    as_json: options.AsJson = False,
) -> None:
    """Check a ledger from what is chained and encrypted in it, and files at hand against it."""
    with paths.opened_ledger(database, key) as ledger:
        from pathveil.ledger.ledger_check import check_files, check_ledger

        given = paths.publications_in(files or ())
        findings = check_ledger(ledger)
        findings += check_files(ledger, given, identities=paths.identities_of(identity))
    conclude(findings, as_json=as_json)
