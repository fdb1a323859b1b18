"""Pictures of publications and networks: SVG, PNG, TikZ, Graphviz dot and terminal text.

An SVG is drawn by us; a PNG is that SVG, turned into dots by resvg.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Literal, overload

from pathveil.drawing.dot_and_tikz import publication_dot, publication_tikz
from pathveil.drawing.layers import publication_svg
from pathveil.drawing.network_picture import network_svg
from pathveil.drawing.terminal import publication_text_picture
from pathveil.errors import MissingExtra
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


@overload
def draw(
    what: Publication | Network,
    path: None = None,
    *,
    kind: Literal["svg", "dot", "tex", "txt"] | None = None,
    walk: Walk | None = None,
) -> str: ...


@overload
def draw(
    what: Publication | Network,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    walk: Walk | None = None,
) -> str | bytes: ...


def draw(
    what: Publication | Network,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    walk: Walk | None = None,
) -> str | bytes:
    """Return a publication or a network as a picture, and write it where a path is given.

    Parameters
    ----------
    path
        Where to write it; its end says the kind. A picture of a network shows its links, so the
        file is its owner's alone (mode 0600).
    kind
        "svg" (the default without a path), "png" (bytes; it needs the extra ``plot``), "dot", "tex"
        or "txt"; a network is drawn as SVG or PNG.
    walk
        A walk to draw into a network. Then the picture is as secret as the walk.

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
    made = _drawn(what, kind, walk)
    if path is not None:
        write_aside(path, made, private=isinstance(what, Network))
    return made


def _drawn(what: Publication | Network, kind: str, walk: Walk | None) -> str | bytes:
    if isinstance(what, Publication) and kind in _WRITTEN:
        return _WRITTEN[kind](what)
    svg = network_svg(what, walk) if isinstance(what, Network) else publication_svg(what)
    return Picture(svg) if kind == "svg" else png_of(svg)


def png_of(svg: str) -> bytes:
    """Return one of our SVG sheets as the bytes of a PNG, two dots for each of its units.

    Raises
    ------
    MissingExtra
        If resvg is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise MissingExtra("plot", needs="resvg-py (for PNG)") from None
    wide, high = (float(part) for part in svg.partition('viewBox="0 0 ')[2].split('"')[0].split())
    dots = min(_DOTS, _MOST_PIXELS / max(wide, high))
    return bytes(
        resvg_py.svg_to_bytes(
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


def _letters(publication: Publication) -> str:
    return publication_text_picture(publication, width=100) + "\n"


_WRITTEN = {"dot": publication_dot, "tex": publication_tikz, "txt": _letters}
