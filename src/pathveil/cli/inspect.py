"""Commands for anyone who has the file: inspect and draw. They need no secret and tell none."""

from __future__ import annotations

import time
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
from pathveil.cli.reasons_shown import print_reasons
from pathveil.cli.results import inspection_data
from pathveil.model.publication import Publication

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
    why: Annotated[
        bool,
        typer.Option(
            "--why", help="Why are vertices cut? In words, with a proof where there is one."
        ),
    ] = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Show what a publication holds: layers, pieces against their lower bound, certificate.

    A sketch has no layers: of it capacity, size and certificate are shown.
    """
    if why and as_json:
        raise typer.BadParameter("--why is told in words; leave --json out")
    publication = Publication.load(file, trust=trust)
    if why:
        print_reasons(publication)
        return
    if not publication.lists_vertices:
        _inspect_unlisted(publication, file, as_json=as_json)
        return
    measured = _measure(publication, quiet=as_json)
    if as_json:
        told = {"form": publication.form, "bytes": file_size(file), **measured}
        print_json(inspection_data(publication, **told))
        return
    _show_layered(publication, measured)


def _show_layered(publication: Publication, measured: dict[str, Any]) -> None:
    """Print what was measured of a layered graph, its picture if it is small, its certificate."""
    layered = publication.layered
    size = len(layered.positions)
    floor = measured["pieces_lower_bound"]
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
                (
                    "pieces",
                    f"{measured['pieces']}; at least {floor} needed: {measured['pieces_ratio']} x",
                ),
                ("layers", f"{layered.height}"),
                ("arcs", f"{len(layered.arcs)} for {measured['same_branch_pairs']} pairs"),
                (
                    "engine",
                    _engine(publication, measured["seconds"]),
                ),
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
        numbers = {"form": form, "bytes": file_size(file), "capacity": capacity}
        if sketch is not None:
            numbers |= {"value_bits": sketch.shape.planes}
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
        ("form", f"{form}: it names no vertex and answers for every pair of names"),
        *size,
        ("direction", _direction(publication)),
    ]
    console.print(facts(rows))
    print_certificate(publication)
    warn_unearned(publication)
    warn_unsafe(publication)


def _measure(publication: Publication, *, quiet: bool) -> dict[str, Any]:
    from pathveil.layering.adjacency import Adjacency
    from pathveil.layering.bounds import lower_bound
    from pathveil.layering.exact import layer_exactly

    bits = publication.packed.pairs
    with compiling_shown(quiet=quiet):
        layered = publication.layered
        floor = lower_bound(Adjacency.from_bits(bits))
        started = time.perf_counter()
        if publication.follows_walk:
            layer_exactly(bits, publication.positions, upright=True)
        else:
            publication.drawn_again()
        seconds = time.perf_counter() - started
    over = "vertices" if publication.grouped is None else "classes"
    return {
        over: len(publication.vertices),
        "copies": len(layered.positions),
        "pieces": len(layered.position_of),
        "pieces_lower_bound": floor,
        "pieces_ratio": round(len(layered.position_of) / floor, 3),
        "layers": layered.height,
        "arcs": len(layered.arcs),
        "same_branch_pairs": bits.count(),
        "seconds": round(seconds, 3),
    }


def _engine(publication: Publication, seconds: float) -> str:
    if not publication.follows_walk:
        return f"{publication.layering}, drawn again in {seconds} s"
    return f"{publication.layering}; the exact engine draws these bits in {seconds} s"


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
    return [("universe", f"{universe.count} public pairs")]


def _direction(publication: Publication) -> str:
    if publication.follows_walk:
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
            "-o", "--output", metavar="PICTURE", help="*.svg, *.png, *.pdf, *.dot, *.tex or *.txt."
        ),
    ],
    *,
    reader: NetworkReader,
    network: Annotated[
        bool,
        typer.Option(
            "--network", help="FILE is a network; draw it (with --walk) as SVG, PNG or PDF."
        ),
    ] = False,
    walk: Annotated[
        Path | None, typer.Option("--walk", metavar="WALK", help="With --network: the walk on it.")
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

    kinds = NETWORK_KINDS if network else KINDS
    kind = "svg" if output == STANDARD else output.suffix.removeprefix(".")
    if kind not in kinds:
        raise typer.BadParameter(
            f"-o {output}: the picture's kind follows from its name, expected "
            + ", ".join(f".{name}" for name in kinds)
        )
    claim_output(output, inputs=[file, walk], force=force)
    if walk is not None and not network:
        raise typer.BadParameter("--walk goes with --network; a publication never shows its walk")
    if network:
        from pathveil.files.walks import read_walk

        known = reader.network(file)
        secret = None if walk is None else read_walk(walk, network=known)
        made = picture_of(known, kind=kind, walk=secret, theme=theme.value)
    else:
        publication = Publication.load(file, trust=trust)
        with compiling_shown(quiet=False):
            made = picture_of(publication, kind=kind, theme=theme.value, view=view.value)
    write_aside(output, made, private=network)
    console.print(f"written {output}", markup=False)
