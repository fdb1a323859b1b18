"""Commands about networks themselves: clean one, cut a partner's part, compare what is held."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pathveil.cli import options, paths
from pathveil.cli.console import aloud, console, print_json, say, show_lines
from pathveil.cli.interrupts import results_are_shown
from pathveil.cli.results import CleanedResult, NetworkResult, result
from pathveil.files.atomic_write import remove_own
from pathveil.model.network import Network
from pathveil.wording import counted

app = typer.Typer(name="network", help="Clean a network file, cut a part, compare networks.")

WARNING = (
    "Compare the digest among those who know the network, and nowhere else: whoever has it and all "
    "links but one finds that one by trying."
)


@app.command("clean")
def clean(
    network: options.NetworkFile,
    output: Annotated[Path, options.output("OUT", "*.csv, *.tsv, or *.json with places.")],
    *,
    names: Annotated[
        Literal["id", "label"] | None,
        options.option(
            "--names", "WHICH", "Name vertices by id or by label. Default: by label if most differ."
        ),
    ] = None,
    columns: Annotated[
        str | None,
        options.option(
            "--columns", "A,B", "The columns of a link's two ends: words of the header, or numbers."
        ),
    ] = None,
    largest_component: Annotated[
        bool, options.option("--largest-component", None, "Keep the largest component alone.")
    ] = False,
    codes: Annotated[
        Path | None,
        options.option(
            "--codes",
            "CODES.csv",
            "Write codes instead of names, and the table of both to this file.",
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        options.option("--keep", "OLD.csv", "With --codes: names in this table keep their codes."),
    ] = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Write a network so that every command reads it without options, and show its digest.

    Parallel links are merged and self-loops dropped, with a note. A table has one line for each
    link, sorted: the same network gives the same *.csv, wherever it came from. A *.json keeps the
    places of its vertices as well. The file is readable by its owner alone (mode 0600), because
    links are secret.

    Use --codes if the names are secret too: codes are drawn at random, coordinates are left out,
    and the table (mode 0600) tells who is who. A table that exists is never replaced; when the
    network has changed, --keep OLD.csv gives its names the codes they had.
    """
    if as_json and paths.STANDARD in (output, codes):
        raise typer.BadParameter("--json and - both want standard output; give a file's name")
    paths.claim_output(output, inputs=[network, codes, keep], force=force)
    if codes is not None:
        paths.claim_output(codes, inputs=[network, output, keep], force=True, option="--codes")
    elif keep is not None:
        raise typer.BadParameter("--keep goes with --codes: give the new table a name")
    from pathveil.files.codes import save_codes, with_codes
    from pathveil.files.networks.network_writer import save_network
    from pathveil.files.text_tables import parse_columns

    known = paths.open_network(
        network,
        tell=True,
        names=names,
        columns=None if columns is None else parse_columns(columns),
        simplify=True,
        largest_component=largest_component,
    )
    rows = [("written", str(output))]
    if codes is not None:
        known, table = with_codes(known, keep=paths.codes_read(keep))
        save_codes(table, codes)
        results_are_shown()  # an interrupt must not take the table from a network that is written
        rows.append(("names and codes", f"{codes}: only for those who may know all names"))
    try:
        save_network(known, output, replacing=force)
    except BaseException:
        if codes is not None:
            remove_own(codes)
        raise
    if as_json:
        print_json(result(CleanedResult, **_numbers(known), file=output))
        return
    _show(known, rows)


@app.command("part")
def part(
    network: options.NetworkFile,
    name: Annotated[str, options.argument("NAME", "The partner: a vertex of the network.")],
    output: Annotated[Path, options.output("LINKS", "*.csv, *.tsv or *.json.")],
    *,
    codes: options.CodesFile = None,
    force: options.Force = False,
) -> None:
    """Write a partner's own links, with which it reads its own places: `reconstruct --as`.

    With --codes also its rows of the table: its code and its neighbours'. The whole table is only
    for those who may know all names. What is written is readable by you alone (mode 0600).

    Examples
    --------
    pathveil network part network.csv Lyon -o lyon.csv --codes codes.csv
    """
    paths.claim_output(output, inputs=[network, codes], force=force)
    table, rows = paths.codes_read(codes), output.with_suffix(".codes.csv")
    if table is not None:
        if output == paths.STANDARD:
            raise typer.BadParameter("--codes writes a second file; give -o a file's name")
        paths.claim_output(rows, inputs=[network, codes, output], force=force)
    from pathveil.files.codes import save_codes
    from pathveil.files.networks.network_writer import save_network

    if table is not None:
        table.encode([name], lambda _: "NAME")
    near = paths.open_row(network, name, table)
    names = near if table is None else table.decode(near)
    save_network(Network.from_links((name, one) for one in names), output, replacing=force)
    shown = [("written", f"{output}: {counted(len(names), 'link')} of {name}")]
    if table is not None:
        save_codes([(one, table.code_of[one]) for one in (name, *names)], rows, replacing=force)
        shown.append(("", f"{rows}: its code and its neighbours'"))
    show_lines(shown)


@app.command("digest")
def digest(network: options.NetworkFile, *, as_json: options.AsJson = False) -> None:
    """Show how many vertices and links a network has, and its digest.

    Participants with the same digest hold the same vertices and links. It is as secret as they are.
    """
    known = paths.open_network(network)
    if as_json:
        print_json(result(NetworkResult, **_numbers(known)))
    elif console.quiet:
        with aloud():
            say(known.digest, soft_wrap=True)
    else:
        _show(known, [])


def _show(network: Network, rows: list[tuple[str, str]]) -> None:
    show_lines([*rows, *((name, str(value)) for name, value in _numbers(network).items())])
    say(WARNING)


def _numbers(network: Network) -> dict[str, Any]:
    """Return what participants compare."""
    return {"vertices": len(network), "links": len(network.pairs), "digest": network.digest}
