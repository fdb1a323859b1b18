"""Commands about networks themselves: clean one once, and compare what participants hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.command_line import aloud
from pathveil.cli.console import console, facts, print_json
from pathveil.cli.network_options import NetworkReader, reads_network
from pathveil.cli.options import AsJson, NetworkFile
from pathveil.cli.outputs import STANDARD, Force, claim_output
from pathveil.cli.results import cleaned_data, network_data

if TYPE_CHECKING:
    from pathveil.model.network import Network

app = typer.Typer(no_args_is_help=True, help="Clean a network file once; compare networks.")

WARNING = (
    "Compare the digest among those who know the network, and nowhere else: whoever has it and all "
    "links but one finds that one by trying."
)


@app.command("clean")
@reads_network
def clean(
    network: NetworkFile,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="OUT", help="*.csv, *.tsv, or *.json with places."),
    ],
    *,
    reader: NetworkReader,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a network so that it is read without options from then on, and show its digest.

    A table has one line for each link, sorted: the same network is the same *.csv, wherever it came
    from. A *.json keeps the places of its vertices as well. The file is readable by its owner alone
    (mode 0600), as links are secret.
    """
    if as_json and output == STANDARD:
        raise typer.BadParameter("--json and -o - both want standard output; give -o a file's name")
    claim_output(output, inputs=[network], force=force)
    from pathveil.files.networks.network_writer import save_network

    known = reader.network(network)
    save_network(known, output, replacing=force)
    if as_json:
        print_json(cleaned_data(known, output))
        return
    _show(known, [("written", str(output))])


@app.command("digest")
@reads_network
def digest(network: NetworkFile, *, reader: NetworkReader, as_json: AsJson = False) -> None:
    """Show how many vertices and links a network has, and its digest.

    Participants with the same digest hold the same vertices and links. It is as secret as they are.
    """
    known = reader.network(network)
    if as_json:
        print_json(network_data(known))
    elif console.quiet:
        with aloud():
            console.print(known.digest, markup=False, soft_wrap=True)
    else:
        _show(known, [])


def _show(network: Network, rows: list[tuple[str, str]]) -> None:
    data = network_data(network)
    console.print(facts([*rows, *((name, str(value)) for name, value in data.items())]))
    console.print(WARNING, markup=False)
