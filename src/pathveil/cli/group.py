"""The command that draws a grouping."""

from __future__ import annotations

from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.chance.source import System
from pathveil.cli import options, paths
from pathveil.cli.console import busy, print_json, say, say_aside, show_lines
from pathveil.cli.results import GroupingResult, result
from pathveil.errors import BadGrouping
from pathveil.files.atomic_write import write_aside
from pathveil.model.grouping import Grouping, spanned

if TYPE_CHECKING:
    from pathveil.grouping.draw_grouping import Recommendation
    from pathveil.grouping.grouping_loss import GroupingLoss

FAIR = 0.5
"""The chaff rate that the insider's chance is told for: that of the default policy."""


def group(
    network: options.NetworkFile,
    output: Annotated[Path, options.output("FILE", "Where to write groups.json.")],
    *,
    classes: Annotated[
        int | None, options.option("--classes", "H", "How many classes. Public.", min=2, max=10**9)
    ] = None,
    links: Annotated[
        int | None, options.option("--links", "M", "Or: a public bound on the number of links,")
    ] = None,
    degree: Annotated[
        int | None, options.option("--degree", "D", "and one on the links of a vertex.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Draw classes of vertices to publish many walks over: once for the life of a network.

    Examples
    --------
    pathveil group network.csv -o groups.json
    """
    if classes is not None and (links or degree):
        raise typer.BadParameter(
            "--classes, and --links with --degree, are two ways to say one thing; give one"
        )
    paths.claim_output(output, inputs=[network], force=True)
    if output.exists():
        raise typer.BadParameter(
            f"{output} exists: one grouping for the life of a network, a second undoes the first"
        )
    from pathveil import group as draw
    from pathveil.files.publications.groups import grouping_text
    from pathveil.grouping.draw_grouping import recommend
    from pathveil.grouping.grouping_loss import estimate_loss

    known = paths.open_network(network)
    advice = recommend(known, links=links, degree=degree)
    if classes is None and not advice.useful:
        raise BadGrouping(advice_text(advice))
    with busy("drawing classes", quiet=as_json):
        made = draw(known, classes=advice.classes if classes is None else classes)
        write_aside(output, grouping_text(made), replacing=False)
    if not as_json:
        if advice.useful:
            say_aside(advice_text(advice))
        _show_made(output, made, estimate_loss(known, made, source=System()))
        return
    # What looks at the network is for the screen: JSON may be passed on.
    data = {"vertices": len(made), "members": [int(made.sizes.min()), int(made.sizes.max())]}
    data["pairs_a_link_hides_among"] = made.class_sizes.pairs_in_a_block
    print_json(result(GroupingResult, made, file=output, **data))


def advice_text(advice: Recommendation) -> str:
    """Return the recommendation in words."""
    if not advice.useful:
        return (
            f"This network is too small, or has too large a hub, for a grouping: {advice.classes} "
            f"classes would have {advice.mean:.1f} vertices each and hide hardly anything. Publish "
            "few walks (`pathveil plan` says how many), or encrypt the files to their readers "
            "(--to)."
        )
    basis = f"at most {advice.links} links, at most {advice.degree} at a vertex"
    where = (
        f"computed from the network's own numbers, rounded up to {basis}. The number of classes is "
        "public and so tells roughly how large they are; give --links and --degree to compute it "
        "from limits that you would print anyway"
        if advice.rounded
        else f"computed from your public bounds: {basis}"
    )
    return (
        f"Recommended: {advice.classes} classes of about {advice.mean:.0f} vertices, so that a "
        f"link hides among some {advice.mean**2:.0f} pairs; {where}."
    )


def _show_made(output: Path, made: Grouping, loss: GroupingLoss) -> None:
    sizes = spanned(int(made.sizes.min()), int(made.sizes.max()))
    hides = f"hides among {spanned(*made.class_sizes.pairs_in_a_block)} pairs of vertices"
    shown = [("written", str(output)), ("digest", made.digest)]
    shown += [("classes", f"{made.classes} of {sizes} vertices"), ("one link", hides)]
    show_lines(shown)
    alone, after = (100 * loss.insider(chaff=chaff) for chaff in (None, FAIR))
    endless = "has no known bound, for hardly any draw succeeds: take more classes"
    worst = endless if isinf(loss.one_time) else f"is about {loss.one_time:.2f}"
    say_aside(
        f"For your eyes only: the one-time loss of the worst link {worst}. Someone who "
        f"knows all links but one of the walk guesses it right {alone:.0f} times in 100 by the "
        f"grouping alone, {after:.0f} after one release."
    )
    say(
        "Keep it for the life of this network. Do not draw again until you like the result: that "
        "would give away what you like."
    )
