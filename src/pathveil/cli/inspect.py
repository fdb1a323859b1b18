"""Commands for anyone who has the file: inspect and draw. They need no secret and tell none."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pathveil.cli.bars import compiling_shown
from pathveil.cli.console import (
    console,
    facts,
    print_certificate,
    print_json,
    print_picture,
    warn_unearned,
    warn_unsafe,
)
from pathveil.cli.network_options import NetworkReader, reads_network
from pathveil.cli.options import AsJson, PublicationFile, Trust
from pathveil.cli.outputs import STANDARD, Force, claim_output, file_size, size_text
from pathveil.cli.results import inspection_data
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk

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
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Show what a publication holds: layers, pieces, certificate.

    A sketch has no layers: of it capacity, size and certificate are shown.
    """
    publication = Publication.load(file, trust=trust)
    if not publication.lists_vertices:
        _inspect_unlisted(publication, file, as_json=as_json)
        return
    measured = _measure(publication, quiet=as_json)
    if as_json:
        told = {"form": publication.form.name, "bytes": file_size(file), **measured}
        print_json(inspection_data(publication, **told))
        return
    _show_layered(publication, measured)


def _show_layered(publication: Publication, measured: dict[str, Any]) -> None:
    """Print what was measured of a layered graph, its picture if it is small, its certificate."""
    layered = publication.layered
    size = len(layered.positions)
    console.print(
        facts(
            [
                ("policy", str(publication.policy)),
                *_place(publication),
                *_universe(publication),
                *(
                    (name, f"{measured[name]}")
                    for name in ("vertices", "classes")
                    if name in measured
                ),
                ("copies", f"{size}"),
                ("pieces", f"{measured['pieces']}"),
                ("layers", f"{layered.height}"),
                ("arcs", f"{len(layered.arcs)} for {measured['same_branch_pairs']} pairs"),
                ("engine", publication.layering),
                ("direction", _direction(publication)),
            ]
        )
    )
    if len(layered.position_of) <= PICTURE_LIMIT:
        print_picture(publication)
    print_certificate(publication)
    warn_unearned(publication)
    warn_unsafe(publication)


def _inspect_unlisted(publication: Publication, file: Path, *, as_json: bool) -> None:
    """Show the public numbers of what lists no vertices, so that there is nothing to draw."""
    form, capacity, sketch = publication.form, publication.bits.capacity, publication.sketch
    if as_json:
        numbers = {"form": form.name, "bytes": file_size(file), "capacity": capacity}
        if sketch is not None:
            numbers |= {"value_bits": sketch.shape.planes, "copies": sketch.copies}
        print_json(inspection_data(publication, **numbers))
        return
    size = [] if capacity is None else [("capacity", f"{capacity:,} links at most")]
    if sketch is None:
        size += [("size", size_text(file))]
    else:
        per_link = 8 * sketch.shape.bytes / sketch.capacity
        size += [("size", f"{size_text(file)}, {per_link:.3f} bits for each of them")]
    rows = [
        ("policy", str(publication.policy)),
        *_place(publication),
        *_universe(publication),
        ("form", f"{form.name}: it names no vertex and answers for every pair of names"),
        *size,
        ("direction", _direction(publication)),
    ]
    console.print(facts(rows))
    print_certificate(publication)
    warn_unearned(publication)
    warn_unsafe(publication)


def _measure(publication: Publication, *, quiet: bool) -> dict[str, Any]:
    with compiling_shown(quiet=quiet):
        layered = publication.layered
    over = "vertices" if publication.grouped is None else "classes"
    return {
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


def _universe(publication: Publication) -> list[tuple[str, str]]:
    """Return which pairs had coins, for publications that say so."""
    universe = publication.universe
    if universe is None:
        return []
    named = f"named by digest {universe.digest[:12]}: readers bring their file, --universe"
    said = named if universe.pairs is None else "carried in the file"
    return [("universe", f"{universe.count} public pairs, {said}")]


def _direction(publication: Publication) -> str:
    if publication.engine.follows_walk:
        return "no bit; the paper's layering tells the order by its roots, or not at all"
    if publication.direction is None:
        return "not told: either end may be the first"
    if publication.grouped is not None:
        side = "before" if publication.direction else "after"
        return f"the walk's sequence of classes sorts {side} its reverse, or is the same"
    return (
        "from the end that sorts first to the other"
        if publication.direction
        else "from the end that sorts last to the other"
    )


@reads_network
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
    reader: NetworkReader,
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

        known = reader.network(file)
        secret = None if walk is None else read_walk(walk, network=known)
        if story and secret is not None:
            released = None if publication is None else Publication.load(publication, trust=trust)
            made = _story(known, secret, released, kind=kind, theme=theme)
        else:
            made = picture_of(known, kind=kind, walk=secret, theme=theme.value)
    else:
        shown = Publication.load(file, trust=trust)
        with compiling_shown(quiet=False):
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
