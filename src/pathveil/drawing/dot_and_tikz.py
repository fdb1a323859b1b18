"""A publication as text for other programs: Graphviz dot, and TikZ for papers."""

from __future__ import annotations

import numpy as np

from pathveil.drawing.layer_layout import ordered_rows, spread
from pathveil.drawing.sheet import Label, labels
from pathveil.model.publication import Publication


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
