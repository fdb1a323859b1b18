"""What a custodian is told after publishing: five lines, and one about this draw for his eyes only.

The five lines come from public terms alone and are the same for every draw of the coins. What this
draw did to this walk names links of the walk, so it goes to standard error, and only where a person
looks (a terminal) or asks (``--notes``): a log is a file too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from pathveil.cli.console import console, notes
from pathveil.model.verdict import Verdict
from pathveil.wording import counted, shown_text

if TYPE_CHECKING:
    from pathveil.attacks.link_risk import LinkRisk
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication
    from pathveil.model.walk import Walk

Notes = Annotated[
    bool | None,
    typer.Option(
        "--notes/--no-notes",
        help="Say on standard error what this draw did to your walk; a terminal is told unasked.",
    ),
]
MOST_LINKS = 60
"""Links of a walk up to which each is taken away in turn; on 400 vertices that takes a minute."""
RARE = 0.1
"""A link that is certain although the policy made that rarer than this is an alarm."""
_LABELS = 11


def show_lines(rows: Sequence[tuple[str, str]]) -> None:
    """Print labelled lines; what is longer than the screen hangs under its own words."""
    lines = Table.grid(padding=(0, 1))
    lines.add_column(no_wrap=True, width=_LABELS, style="dim")
    lines.add_column(overflow="fold")
    for label, words in rows:
        lines.add_row(label, escape(shown_text(words)))
    console.print(lines)


def release_lines(
    publication: Publication, output: Path, *, outsiders: str, sealed: bool
) -> list[tuple[str, str]]:
    """Return who can read a file, who cannot, and what is public, as labelled lines.

    Parameters
    ----------
    outsiders
        How much of the cover is used, or that it was not counted.
    sealed
        Whether the file is encrypted to its readers.
    """
    words = Verdict.of(publication)
    only = " who holds a key" if sealed else ""
    guess = words.lacks_one_link
    return [
        ("written", f"{output} ({_size(output)}{', sealed to its readers' if sealed else ''})"),
        ("reads all", f"{words.readers}{only}: pathveil reconstruct {output} NETWORK"),
        ("reads own", f"{words.partners}{only}: ... {output} LINKS --as NAME"),
        ("outsiders", outsiders),
        *([("one link", f"someone who lacks one link {guess}")] if guess is not None else []),
        ("public", words.public),
    ]


def _size(path: Path) -> str:
    """Return the size of a file as people say it.

    >>> _size(Path("/dev/null"))
    'a stream'
    """
    if not path.is_file():
        return "a stream"
    size = float(path.stat().st_size)
    if size < 1000:
        return f"{size:.0f} bytes"
    size, unit = (size / 1e3, "kB") if size < 1e6 else (size / 1e6, "MB")
    return f"{size:,.{1 if size < 10 else 0}f} {unit}"


def reader_lines(output: Path, *, sealed: bool, grouped: bool) -> list[str]:
    """Return the three lines to send along with a file: install, command, what a reader needs."""
    groups = " --groups groups.json" if grouped else ""
    key = " --identity YOUR-KEY" if sealed else ""
    extra = "'pathveil[envelopes]'" if sealed else "pathveil"
    needs = ["the network as a file (all of it, or only your own links with --as YOUR-NAME)"]
    needs += ["groups.json"] if grouped else []
    needs += ["your secret key"] if sealed else []
    return [
        f"Install:  pip install {extra}",
        f"Read:     pathveil reconstruct {output.name} network.csv{groups}{key}",
        f"You need: {', '.join(needs)}.",
    ]


def write_reader_lines(output: Path, *, sealed: bool, grouped: bool) -> Path:
    """Write the lines for readers beside a file, and return where they are."""
    from pathveil.files.atomic_write import write_aside

    target = output.with_name(f"{output.name}.readers.txt")
    write_aside(target, "\n".join(reader_lines(output, sealed=sealed, grouped=grouped)) + "\n")
    return target


def tell_this_draw(
    publication: Publication, network: Network, walk: Walk, output: Path, *, asked: bool | None
) -> None:
    """Print what this draw of the coins did to this walk, where somebody looks or asks."""
    if not (notes.is_terminal if asked is None else asked):
        if asked is None:
            notes.print("What this draw did to your walk is for your eyes only: --notes shows it.")
        return
    if len(walk.links) > MOST_LINKS:
        notes.print(
            f"For your eyes only: the walk has {len(walk.links):,} links, too many to try each. "
            "Ask about one: pathveil attack FILE NETWORK --lacking U V",
            markup=False,
        )
        return
    from pathveil.attacks.link_risk import identify_links

    risks = identify_links(publication, network, walk)
    certain = [risk for risk in risks if risk.alone and risk.before < 1]
    alarm = any(risk.left_alone is not None and risk.left_alone < RARE for risk in certain)
    notes.print(Padding(_this_draw(risks, certain, output, alarm=alarm), (0, 0)))


def _this_draw(
    risks: Sequence[LinkRisk], certain: Sequence[LinkRisk], output: Path, *, alarm: bool
) -> str:
    """Return what this draw did, in one line; with what to do where it went badly."""
    seal = f"pathveil inspect {output} -o {output}.age --to KEY"
    if not certain:
        worst = max((risk.after for risk in risks), default=0.0)
        said = f"no link is certain; the likeliest is guessed right {worst:.0%} of the time"
        return f"[dim]your eyes:[/]  this draw: {said}."
    named = ", ".join(f"{risk.link[0]} - {risk.link[1]}" for risk in certain[:3])
    more = f" and {len(certain) - 3} more" if len(certain) > 3 else ""
    verb = "is" if len(certain) == 1 else "are"
    said = (
        f"{counted(len(certain), 'link')} of {len(risks)} {verb} certain to someone who lacks only "
        f"that one: {named}{more}. If that must not be, seal this very file ({seal}); never draw "
        "again"
    )
    mark = "[bold red]your eyes:[/]" if alarm else "[dim]your eyes:[/]"
    return f"{mark}  this draw: {escape(said)}."
