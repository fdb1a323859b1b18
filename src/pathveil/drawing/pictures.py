"""Pictures of publications and networks: SVG, PNG, TikZ, Graphviz dot and terminal text.

An SVG is drawn by us; a PNG is that SVG, turned into dots by resvg.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from pathveil.drawing.layer_layout import ordered_rows, spread
from pathveil.drawing.network_picture import network_svg
from pathveil.drawing.publication_picture import publication_svg
from pathveil.drawing.sheet import Label, labels
from pathveil.drawing.terminal import publication_text_picture
from pathveil.errors import BadArgument, MissingExtra
from pathveil.files.atomic_write import write_aside
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk

KINDS = ("svg", "png", "dot", "tex", "txt")
"""The kinds of picture, as the ends of file names say them."""
NETWORK_KINDS = ("svg", "png")
"""The kinds a network is drawn as."""


class Picture(str):
    """An SVG as text, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw(
    what: Publication | Network,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    walk: Walk | None = None,
) -> str:
    """Return a publication or a network as a picture, and write it where a path is given.

    Of a PNG, which is only written, the SVG comes back that it was made from.

    Parameters
    ----------
    path
        Where to write it; its end says the kind. A picture of a network shows its links, so the
        file is its owner's alone (mode 0600).
    kind
        "svg" (the default without a path), "png" (it needs a path and the extra ``plot``), "dot",
        "tex" or "txt"; a network is drawn as SVG or PNG.
    walk
        A walk to draw into a network. Then the picture is as secret as the walk.

    Examples
    --------
    >>> draw(Network.parse("ab bc"))[:4]
    '<svg'
    """
    if not isinstance(what, Publication):
        try:
            what = Network.of(what)
        except BadArgument:
            write = "draw() draws a publication or a network: draw(network, walk=walk)"
            raise BadArgument.of("the first argument", what, write) from None
    if not isinstance(path, str | Path | None):
        raise BadArgument.of("the path of the picture", path, "a walk is drawn by walk=walk")
    walk = None if walk is None else Walk.of(walk)
    kind = kind or ("svg" if path is None else Path(path).suffix.removeprefix("."))
    able = NETWORK_KINDS if isinstance(what, Network) else KINDS
    if kind not in able:
        raise BadArgument(f"the kind of picture is {kind!r}, expected {', '.join(able)}")
    if walk is not None and not isinstance(what, Network):
        raise BadArgument("a walk is drawn into its network; a publication never shows its walk")
    if kind == "png" and path is None:
        raise BadArgument("a PNG is written to a file; give its path, such as 'picture.png'")
    if isinstance(what, Network):
        made: str = Picture(network_svg(what, walk))
    else:
        made = _WRITTEN[kind](what) if kind in _WRITTEN else Picture(publication_svg(what))
    if path is not None:
        content = png_of(made) if kind == "png" else made
        write_aside(path, content, private=isinstance(what, Network), replacing=True)
    return made


def resvg() -> Any:
    """Return the module that makes dots of an SVG, which holds the interpreter's lock meanwhile.

    Raises
    ------
    MissingExtra
        If it is not installed.
    """
    try:
        return import_module("resvg_py")
    except ImportError:
        raise MissingExtra("plot", needs="resvg-py (for PNG)") from None


def png_of(svg: str) -> bytes:
    """Return one of our SVG sheets as the bytes of a PNG, two dots for each of its units."""
    wide, high = (float(part) for part in svg.partition('viewBox="0 0 ')[2].split('"')[0].split())
    dots = min(_DOTS, _MOST_PIXELS / max(wide, high))
    return bytes(
        resvg().svg_to_bytes(
            svg_string=svg, width=round(wide * dots), height=round(high * dots),
            sans_serif_family="DejaVu Sans", font_family="DejaVu Sans", font_dirs=_fonts(),
        )
    )  # fmt: skip


_DOTS = 2.0
_MOST_PIXELS = 16_000


def _fonts() -> list[str]:
    """Return where matplotlib keeps its fonts: then a machine without any has letters too."""
    there = find_spec("matplotlib")
    if there is None or there.origin is None:
        return []
    return [str(Path(there.origin).parent / "mpl-data" / "fonts" / "ttf")]


# -- text for other programs ---------------------------------------------------------------------


def publication_dot(publication: Publication) -> str:
    """Return the layered graph in the language of Graphviz; ``dot`` keeps the layers as ranks."""
    layered = publication.layered
    names = labels(layered)
    lines = [
        "graph publication {",
        "  graph [rankdir=TB, ordering=out];",
        '  node [shape=ellipse, fontname="sans-serif"];',
    ]
    for node, label in enumerate(names):
        dashed = ", style=dashed" if label.pieces > 1 else ""
        lines.append(
            f"  n{node} [label={_dot_text(label.plain)}, tooltip={_dot_text(label.full)}{dashed}];"
        )
    for depth in range(layered.height):
        here = "; ".join(f"n{node}" for node in np.flatnonzero(layered.layer == depth).tolist())
        lines.append(f"  {{ rank=same; {here}; }}  // layer {depth}")
    lines += [f"  n{upper} -- n{lower};" for upper, lower in layered.arcs.tolist()]
    same = np.flatnonzero(layered.position_of[1:] == layered.position_of[:-1]).tolist()
    lines += [f"  n{i} -- n{i + 1} [style=dotted, constraint=false];" for i in same]
    return "\n".join([*lines, "}", ""])


def publication_tikz(publication: Publication) -> str:
    r"""Return the layered graph as a ``tikzpicture``; it needs ``\usepackage{tikz}`` only.

    Names are escaped. Signs outside ASCII are left to the document's fonts.
    """
    layered = publication.layered
    names, rows = labels(layered), ordered_rows(layered)
    wide = np.full(rows.items, max(label.cells for label in names) * 0.2 + 0.6)
    wide[len(names) :] = -0.2
    x = spread(rows, wide, gap=0.5, stagger=[1] * len(rows.rows))
    x -= x.min()
    row = rows.row_of()
    lines = [
        r"\begin{tikzpicture}[",
        r"  every node/.style={draw, rounded corners=2.2mm, inner sep=1.2mm, minimum size=5mm},",
        r"  piece/.style={dashed}, together/.style={dotted, thick}]",
    ]
    for node, label in enumerate(names):
        piece = "[piece] " if label.pieces > 1 else ""
        at = f"({x[node]:.2f},{-1.5 * row[node] + 0.0:.2f})"
        lines.append(rf"  \node {piece}(n{node}) at {at} {{{_tikz_label(label)}}};")
    for way in rows.ways:
        bends = "".join(f"({x[item]:.2f},{-1.5 * row[item]:.2f}) -- " for item in way[1:-1])
        lines.append(rf"  \draw (n{way[0]}) -- {bends}(n{way[-1]});")
    same = np.flatnonzero(layered.position_of[1:] == layered.position_of[:-1]).tolist()
    lines += [rf"  \draw [together] (n{i}) to [bend left=20] (n{i + 1});" for i in same]
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


def _dot_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        # \textquotedbl needs the T1 encoding; the typewriter font has the sign anyway.
        '"': r"\texttt{\char34}",
        "…": r"\ldots{}",
        "\N{REPLACEMENT CHARACTER}": "?",
    }
)


def _tikz_label(label: Label) -> str:
    name = label.name.translate(_TEX)
    index = f"_{{{label.copy}}}" if label.copy else ""
    primes = f"^{{({label.piece + 1})}}" if label.pieces > 3 else "'" * (label.piece + 1)
    marks = index + (primes if label.pieces > 1 else "")
    return f"{name}${marks}$" if marks else name


def _letters(publication: Publication) -> str:
    return publication_text_picture(publication, width=100) + "\n"


_WRITTEN = {"dot": publication_dot, "tex": publication_tikz, "txt": _letters}
