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

from pathveil.cli.console import notes, show_lines
from pathveil.cli.outputs import size_text
from pathveil.model.publication import Verdict
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.attacks.link_risk import LinkRisk
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication
    from pathveil.model.walk import Walk
    from pathveil.planning.cover import Cover, Life
    from pathveil.publishing.terms import ReleaseTerms

Notes = Annotated[
    bool | None,
    typer.Option(
        "--notes/--no-notes",
        help="Say what this draw did to your walk, for your eyes only. Default: on a terminal.",
    ),
]
MOST_LINKS = 60
"""Links of a walk up to which each is taken away in turn; on 400 vertices that takes a minute."""
MOST_COUNTED = 2_000
"""Vertices up to which `publish` says how many walks fit; beyond, ask `plan`."""
RARE = 0.1
"""A link that is certain although the policy made that rarer than this is an alarm."""


def release_lines(
    publication: Publication, output: Path, *, outsiders: str, sealed: bool, recorded: str = ""
) -> list[tuple[str, str]]:
    """Return who can read a file, who cannot, and what is public, as labelled lines.

    Parameters
    ----------
    outsiders
        How much of the cover is used, or that it was not counted.
    sealed
        Whether the file is encrypted to its readers.
    recorded
        What a ledger recorded.
    """
    key = " --identity KEY" if sealed else ""
    groups = " --groups GROUPS" if publication.grouped is not None else ""
    written = f"{output}, {size_text(output)}{', encrypted to its readers' if sealed else ''}"
    return [
        ("written", f"{written}{recorded}"),
        *reading_lines(Verdict.of(publication), f"{groups}{key}", outsiders, sealed=sealed),
    ]


def reading_lines(
    words: Verdict, more: str = "", outsiders: str | None = None, *, sealed: bool = False
) -> list[tuple[str, str]]:
    """Return who reads a publication, what others learn and what is public, as labelled lines."""
    guess = words.lacks_one_link
    lacks = "a reader" if sealed else "someone"
    public = f"only the size of the file; to readers {words.public}" if sealed else words.public
    readers = f"of the key holders, {words.readers}" if sealed else words.readers
    return [
        ("readers", f"{readers} reads all: reconstruct FILE NETWORK{more}"),
        ("", f"{words.partners} reads its own places: add --as NAME"),
        *([("outsiders", outsiders)] if outsiders is not None else []),
        *([("one link", f"{lacks} who lacks it {guess}")] if guess is not None else []),
        ("public", public),
    ]


def cover_words(life: Life) -> str:
    """Return how much of the cover the public releases of a network use, and what still fits."""
    from pathveil.planning.cover import cover
    from pathveil.planning.gate import more_walks

    small = len(life.releases[-1].network) <= MOST_COUNTED
    return used_words(cover(life), *(more_walks(life) if small else (0, 0)))


def used_words(cover: Cover, more: int, length: int) -> str:
    """Return how much cover is used, and how many more walks of a length fit."""
    used = f"{100 * min(cover.share, 9.99):.0f} % of the cover used"
    if cover.by == "classes":
        return f"{used}; over a grouping it does not grow with walks"
    if not length:
        return used
    if not more:
        return f"{used}; no further walk of {counted(length, 'link')} fits"
    walks = "one more walk" if more == 1 else f"about {more:,} more walks"
    return f"{used}; {walks} of {counted(length, 'link')} {'fits' if more == 1 else 'fit'}"


def uncounted_words(network: Network, walk: Walk, terms: ReleaseTerms) -> str:
    """Return that earlier releases were not counted, and how many walks fit."""
    from pathveil.planning.gate import fitting_walks

    if terms.grouping is not None or len(network) > MOST_COUNTED:
        return "earlier releases not counted (--ledger or --after counts them)"
    many = fitting_walks(network, walk, terms.policy)
    walks = "one such walk" if many == 1 else f"about {many:,} such walks"
    return f"earlier releases not counted; this network carries {walks}"


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


def readers_file(output: Path) -> Path:
    """Return where the lines for readers of a file go."""
    return output.with_name(f"{output.name}.readers.txt")


def write_reader_lines(output: Path, *, sealed: bool, grouped: bool) -> Path:
    """Write the lines for readers beside a file, and return where they are."""
    from pathveil.files.atomic_write import write_aside

    target = readers_file(output)
    write_aside(target, "\n".join(reader_lines(output, sealed=sealed, grouped=grouped)) + "\n")
    return target


def tell_this_draw(
    publication: Publication, network: Network, walk: Walk, *, asked: bool | None
) -> None:
    """Print what this draw of the coins did to this walk, where somebody looks or asks."""
    if not (notes.is_terminal if asked is None else asked):
        if asked is None:
            notes.print("What this draw did, for your eyes only: inspect FILE NETWORK WALK")
        return
    if len(walk.links) > MOST_LINKS:
        words = (
            f"the walk has {len(walk.links):,} links, too many to try each; "
            "ask about one: attack FILE NETWORK --lacking U V"
        )
        show_lines([("this draw", words)], on=notes)
        return
    from pathveil.attacks.link_risk import identify_links

    risks = identify_links(publication, network, walk)
    certain = [risk for risk in risks if risk.alone and risk.before < 1]
    alarm = any(risk.left_alone is not None and risk.left_alone < RARE for risk in certain)
    style = "bold red" if alarm else "dim"
    show_lines([("this draw", draw_words(risks, certain))], on=notes, style=style)


def draw_words(risks: Sequence[LinkRisk], certain: Sequence[LinkRisk]) -> str:
    """Return what this draw did, in one line; with what to do where a link is certain."""
    if not certain:
        worst = max((risk.after for risk in risks), default=0.0)
        return f"no link is certain; the likeliest is guessed right {100 * worst:.0f} times in 100"
    first, second = certain[0].link
    more = f" and {len(certain) - 1} more are" if len(certain) > 1 else " is"
    return f"{first} - {second}{more} certain: never redraw; encrypt it (--to)"
