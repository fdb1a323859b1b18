"""Commands for anyone who has the file: inspect and draw. They need no secret and tell none."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pathveil.cli.bars import busy
from pathveil.cli.console import (
    console,
    print_certificate,
    print_json,
    print_picture,
    warn_unearned,
    warn_unsafe,
)
from pathveil.cli.network_options import open_network
from pathveil.cli.options import AsJson, Identity, PublicationFile, Recipients, Trust
from pathveil.cli.outputs import (
    STANDARD,
    Force,
    claim_output,
    file_size,
    open_publication,
    save_publication,
    size_text,
)
from pathveil.cli.release_shown import reading_lines, show_lines
from pathveil.cli.results import conversion_data, inspection_data
from pathveil.model.network import Network
from pathveil.model.publication import Publication, Verdict
from pathveil.model.walk import Walk
from pathveil.wording import counted

PICTURE_LIMIT = 40
"""Nodes up to which a text picture helps rather than hinders."""


class ViewChoice(StrEnum):
    """How a publication is drawn."""

    auto = "auto"
    layers = "layers"
    matrix = "matrix"


class Theme(StrEnum):
    """How a picture is coloured."""

    auto = "auto"
    light = "light"
    dark = "dark"


def inspect(
    file: PublicationFile,
    *,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Show every row of the certificate.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OTHER",
            help="Write the same publication again: *.veil is compact, *.veil.json readable.",
        ),
    ] = None,
    to: Recipients = None,
    identity: Identity = None,
    force: Force = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Show who can read a publication, what others learn and what is public.

    With -o the same publication, with the same coins, is written in another form: compact,
    readable, or encrypted to readers.
    """
    publication = open_publication(file, identity, trust=trust)
    if output is not None:
        _write_again(publication, file, output, to or (), force=force, as_json=as_json)
        return
    if to:
        raise typer.BadParameter("--to encrypts the file that is written: give -o OTHER.age too")
    measured = _measure(publication, quiet=as_json)
    if as_json:
        print_json(inspection_data(publication, bytes=file_size(file), **measured))
        return
    _show(publication, file, measured)
    if certificate:
        print_certificate(publication)
    else:
        console.print("All of the certificate: inspect FILE --certificate", style="dim")
    warn_unearned(publication)
    warn_unsafe(publication)


def _write_again(
    publication: Publication,
    file: Path,
    output: Path,
    recipients: Sequence[str],
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Write the same publication under another name; no coin is thrown."""
    claim_output(output, inputs=[file], force=force)
    if as_json and output == STANDARD:
        raise typer.BadParameter("--json and -o - both want standard output; give -o a file's name")
    save_publication(publication, output, recipients, replacing=force)
    if as_json:
        print_json(conversion_data(output, size=file_size(output), before=file_size(file)))
        return
    sealed = ", encrypted to its readers" if recipients else ""
    console.print(
        f"written {output}: {size_text(output)}{sealed}; the same coins as {file}", markup=False
    )
    warn_unsafe(publication)


def _show(publication: Publication, file: Path, measured: dict[str, Any]) -> None:
    """Print who reads a publication, what is public, how it is made; its picture if it is small."""
    rows = [
        *reading_lines(Verdict.of(publication)),
        ("policy", str(publication.policy)),
        *_place(publication),
        ("size", size_text(file)),
        ("direction", _direction(publication)),
    ]
    if "layers" in measured:
        counts = [("layers", "layer"), ("pieces", "node"), ("arcs", "arc")]
        drawn = [counted(measured[what], noun) for what, noun in counts]
        rows.append(("drawing", f"{', '.join(drawn)}, {publication.layering} layering"))
    show_lines(rows)
    if measured.get("pieces", PICTURE_LIMIT + 1) <= PICTURE_LIMIT:
        print_picture(publication)


def _measure(publication: Publication, *, quiet: bool) -> dict[str, Any]:
    """Return the public numbers of a publication; of a sketch there is nothing to draw."""
    if not publication.lists_vertices:
        sketch = publication.sketch
        bits = None if sketch is None else sketch.shape.planes
        return {"form": "sketch", "capacity": publication.bits.capacity, "value_bits": bits}
    with busy("drawing layers", quiet=quiet):
        layered = publication.layered
    over = "vertices" if publication.grouped is None else "classes"
    return {
        "form": "packed",
        over: len(publication.vertices),
        "copies": len(layered.positions),
        "pieces": len(layered.position_of),
        "layers": layered.height,
        "arcs": len(layered.arcs),
        "same_branch_pairs": publication.packed.pairs.count(),
    }


def _place(publication: Publication) -> list[tuple[str, str]]:
    """Return the place in a series, for publications that have one."""
    series = publication.series
    if series is None:
        return []
    before = "" if series.before is None else f", after {series.before[:12]}"
    return [("series", f"release {series.place}{before}; digest {series.release[:12]}")]


def _direction(publication: Publication) -> str:
    if publication.follows_walk:
        return "no bit; the paper's layering shows the order by its roots, or not at all"
    if publication.direction is None:
        return "hidden: either end may be the first"
    if publication.grouped is not None:
        side = "before" if publication.direction else "after"
        return f"the walk's sequence of classes sorts {side} its reverse, or is the same"
    return (
        "from the end that sorts first to the other"
        if publication.direction
        else "from the end that sorts last to the other"
    )


def draw(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A publication, or a network with --network.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="PICTURE", help="*.svg, *.png, *.dot, *.tex or *.txt."
        ),
    ],
    *,
    network: Annotated[
        bool,
        typer.Option("--network", help="FILE is a network; draw it (with --walk) as SVG or PNG."),
    ] = False,
    walk: Annotated[
        Path | None, typer.Option("--walk", metavar="WALK", help="With --network: the walk on it.")
    ] = None,
    story: Annotated[
        bool,
        typer.Option(
            "--story", help="FILE is a small network: what you have, publish, and others see."
        ),
    ] = False,
    publication: Annotated[
        Path | None,
        typer.Option(
            "--publication", metavar="FILE", help="With --story: the file; else fresh coins."
        ),
    ] = None,
    theme: Annotated[
        Theme, typer.Option("--theme", help="Colours; auto: an SVG follows the reader's device.")
    ] = Theme.auto,
    view: Annotated[
        ViewChoice, typer.Option("--view", help="auto: layers while their lines can be followed.")
    ] = ViewChoice.auto,
    identity: Identity = None,
    force: Force = False,
    trust: Trust = False,
) -> None:
    """Draw a publication, or a network with its walk, as a picture.

    What shows the network is readable by its owner alone (mode 0600).
    """
    from pathveil.drawing.pictures import KINDS, NETWORK_KINDS
    from pathveil.drawing.pictures import draw as picture_of
    from pathveil.files.atomic_write import write_aside

    network = network or story
    if story and walk is None:
        raise typer.BadParameter("--story tells of a walk through the network; give it by --walk")
    if publication is not None and not story:
        raise typer.BadParameter("--publication goes with --story; to draw a file, give it alone")
    kinds = NETWORK_KINDS if network else KINDS
    kind = "svg" if output == STANDARD else output.suffix.removeprefix(".")
    if kind not in kinds:
        raise typer.BadParameter(
            f"-o {output}: the picture's kind follows from its name, expected "
            + ", ".join(f".{name}" for name in kinds)
        )
    claim_output(output, inputs=[file, walk, publication], force=force)
    if walk is not None and not network:
        raise typer.BadParameter("--walk goes with --network; a publication never shows its walk")
    if network:
        from pathveil.files.walks import read_walk

        known = open_network(file)
        secret = None if walk is None else read_walk(walk, network=known)
        if story and secret is not None:
            released = (
                None
                if publication is None
                else open_publication(publication, identity, trust=trust)
            )
            made = _story(known, secret, released, kind=kind, theme=theme)
        else:
            made = picture_of(known, kind=kind, walk=secret, theme=theme.value)
    else:
        shown = open_publication(file, identity, trust=trust)
        with busy("drawing layers"):
            made = picture_of(shown, kind=kind, theme=theme.value, view=view.value)
    write_aside(output, made, private=network, replacing=force)
    console.print(f"written {output}", markup=False)


def _story(
    network: Network, walk: Walk, released: Publication | None, *, kind: str, theme: Theme
) -> str | bytes:
    """Return the story of a publication, or of one made for the picture alone."""
    from pathveil.drawing.pictures import png_of
    from pathveil.drawing.story import require_small, story_svg
    from pathveil.publishing.release import publish

    require_small(network)
    released = publish(network, walk) if released is None else released
    if kind == "png" and theme is Theme.auto:
        theme = Theme.light  # there is no reader's device to ask
    svg = story_svg(network, walk, released, theme=theme.value)
    return svg if kind == "svg" else png_of(svg)
