"""Pictures of publications and networks: SVG, TikZ, Graphviz dot and terminal text."""

from __future__ import annotations

from pathlib import Path

from pathveil.formats.files import write_aside
from pathveil.formats.pictures.drawing_sheet import Theme
from pathveil.formats.pictures.network_picture import network_svg
from pathveil.formats.pictures.svg import publication_svg
from pathveil.formats.pictures.terminal import publication_text_picture
from pathveil.formats.pictures.text import publication_dot, publication_tikz
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk

__all__ = [
    "KINDS",
    "draw",
    "network_svg",
    "publication_dot",
    "publication_svg",
    "publication_text_picture",
    "publication_tikz",
]

KINDS = ("svg", "dot", "tex", "txt")
"""The kinds of picture, as the ends of file names say them."""


def draw(
    what: Publication | Network,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    walk: Walk | None = None,
    theme: Theme = "auto",
) -> str:
    """Return a publication or a network as a picture, and write it where a path is given.

    Parameters
    ----------
    path
        Where to write it; its end says the kind.
    kind
        "svg" (the default without a path), "dot", "tex" or "txt"; a network is always an SVG.
    walk
        A walk to draw into a network. Then the picture is as secret as the walk.

    Examples
    --------
    >>> draw(Network.parse("ab bc"))[:4]
    '<svg'
    """
    kind = kind or ("svg" if path is None else Path(path).suffix.removeprefix("."))
    if kind not in KINDS or (isinstance(what, Network) and kind != "svg"):
        able = "svg" if isinstance(what, Network) else ", ".join(KINDS)
        raise ValueError(f"the kind of picture is {kind!r}, expected {able}")
    if isinstance(what, Network):
        made = network_svg(what, walk, theme=theme)
    elif walk is not None:
        raise ValueError("a walk is drawn into its network; a publication never shows its walk")
    elif kind == "dot":
        made = publication_dot(what)
    elif kind == "tex":
        made = publication_tikz(what)
    elif kind == "txt":
        made = publication_text_picture(what, width=100) + "\n"
    else:
        made = publication_svg(what, theme=theme)
    if path is not None:
        write_aside(path, made)
    return made
