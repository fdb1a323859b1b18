"""Pictures of publications and networks: SVG, PNG, PDF, TikZ, Graphviz dot and terminal text."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, overload

from pathveil.drawing.dot_and_tikz import publication_dot, publication_tikz
from pathveil.drawing.layers import VIEWS, View, publication_svg
from pathveil.drawing.network_picture import network_svg
from pathveil.drawing.printing import PRINTED, print_sheet
from pathveil.drawing.sheet import Theme
from pathveil.drawing.terminal import publication_text_picture
from pathveil.files.atomic_write import write_aside
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk

__all__ = [
    "KINDS",
    "NETWORK_KINDS",
    "VIEWS",
    "View",
    "draw",
    "network_svg",
    "publication_dot",
    "publication_svg",
    "publication_text_picture",
    "publication_tikz",
]

KINDS = ("svg", "png", "pdf", "dot", "tex", "txt")
"""The kinds of picture, as the ends of file names say them."""
NETWORK_KINDS = ("svg", "png", "pdf")
"""The kinds a network is drawn as."""


@overload
def draw(
    what: Publication | Network,
    path: None = None,
    *,
    kind: Literal["svg", "dot", "tex", "txt"] | None = None,
    walk: Walk | None = None,
    theme: Theme = "auto",
    view: View = "auto",
) -> str: ...


@overload
def draw(
    what: Publication | Network,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    walk: Walk | None = None,
    theme: Theme = "auto",
    view: View = "auto",
) -> str | bytes: ...


def draw(
    what: Publication | Network,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    walk: Walk | None = None,
    theme: Theme = "auto",
    view: View = "auto",
) -> str | bytes:
    """Return a publication or a network as a picture, and write it where a path is given.

    Parameters
    ----------
    path
        Where to write it; its end says the kind. A picture of a network shows its links, so the
        file is its owner's alone (mode 0600).
    kind
        "svg" (the default without a path), "png", "pdf" (these two need the extra ``plot`` and are
        bytes), "dot", "tex" or "txt"; a network is drawn as SVG, PNG or PDF.
    walk
        A walk to draw into a network. Then the picture is as secret as the walk.
    theme
        "light", "dark", or "auto": an SVG follows the reader's device, other kinds are light.
    view
        How a publication is drawn: "layers", "matrix", or "auto", layers while their lines can be
        followed.

    Examples
    --------
    >>> draw(Network.parse("ab bc"))[:4]
    '<svg'
    """
    what = what if isinstance(what, Publication) else Network.of(what)
    walk = None if walk is None else Walk.of(walk)
    kind = kind or ("svg" if path is None else Path(path).suffix.removeprefix("."))
    able = NETWORK_KINDS if isinstance(what, Network) else KINDS
    if kind not in able:
        raise ValueError(f"the kind of picture is {kind!r}, expected {', '.join(able)}")
    if walk is not None and not isinstance(what, Network):
        raise ValueError("a walk is drawn into its network; a publication never shows its walk")
    made = _drawn(what, kind, walk, theme, view)
    if path is not None:
        write_aside(path, made, private=isinstance(what, Network))
    return made


def _drawn(
    what: Publication | Network, kind: str, walk: Walk | None, theme: Theme, view: View
) -> str | bytes:
    if isinstance(what, Publication) and kind in _WRITTEN:
        return _WRITTEN[kind](what)
    if isinstance(what, Network):
        svg = network_svg(what, walk, theme=theme)
    else:
        svg = publication_svg(what, theme=theme, view=view)
    printed = next((name for name in PRINTED if name == kind), None)
    return svg if printed is None else print_sheet(svg, printed, theme=theme)


def _letters(publication: Publication) -> str:
    return publication_text_picture(publication, width=100) + "\n"


_WRITTEN = {"dot": publication_dot, "tex": publication_tikz, "txt": _letters}
