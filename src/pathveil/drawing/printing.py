"""Our own SVG sheets as PNG and PDF, for who cannot use an SVG.

A sheet is made of a few kinds of marks (rectangles, circles, lines, paths, words, one kind of
image) whose colours are classes; these are drawn again on a canvas of matplotlib, which brings its
own fonts and needs no program of the system. It reads the sheets of this room and no other SVG.

The same picture gives the same bytes: no time and no name of a program is written into them.
"""

from __future__ import annotations

import io
import re
import warnings
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal
from xml.etree.ElementTree import Element

from pathveil.drawing.sheet import Paint, Theme, paints
from pathveil.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Printed = Literal["png", "pdf"]
PRINTED: tuple[Printed, ...] = ("png", "pdf")

_DOTS = 2.0
_POINTS = 0.72
"""Points of a printer in a unit of the sheet: a hundred units are an inch."""

_FONTS = (
    "DejaVu Sans",  # comes with matplotlib: letters, indices, primes, arrows
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans", "Hiragino Sans", "Microsoft YaHei"),
)
_KAPPA = 0.5522847498
_MOST_PIXELS = 16_000


def print_sheet(svg: str, kind: Printed, *, theme: Theme = "light") -> bytes:
    """Return a sheet as the bytes of a PNG (two dots a unit) or a PDF (lines and letters).

    Parameters
    ----------
    theme
        "dark" prints dark; "auto" has no reader's device to ask and prints light.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    from defusedxml.ElementTree import fromstring

    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("plot", needs="matplotlib (for PNG and PDF)") from None

    root: Element = fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    dots = min(_DOTS, _MOST_PIXELS / max(width, height))
    figure = Figure(figsize=(width / 100, height / 100), dpi=100 * dots)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    _Printer(axes, paints(dark=theme == "dark")).draw(root, {})
    made = io.BytesIO()
    about: dict[str, Any] = {"Software": None} if kind == "png" else {"CreationDate": None}
    with warnings.catch_warnings():
        # A letter no installed font has is drawn as a box; that is no reason to fail.
        warnings.simplefilter("ignore")
        figure.savefig(made, format=kind, metadata=about, dpi=100 * dots)
    return made.getvalue()


class _Printer:
    """Draws the marks of a sheet on axes, in the order of the sheet."""

    def __init__(self, axes: Axes, colours: Mapping[str, Paint]) -> None:
        self.axes = axes
        self.colours = colours
        self.order = 0
        self.fonts = _installed()

    def draw(self, mark: Element, inherited: Mapping[str, str]) -> None:
        kind = mark.tag.rpartition("}")[2]
        style = {**inherited, **mark.attrib}
        if kind in {"svg", "g"}:
            passed = {key: style[key] for key in _PASSED if key in style and kind == "g"}
            for inner in mark:
                self.draw(inner, passed)
        elif kind == "text":
            self._write(mark.text or "", style)
        elif kind == "image":
            self._paste(style)
        elif kind in _OUTLINES:
            self._outline(_OUTLINES[kind](style), style)

    def _next(self) -> int:
        self.order += 1
        return self.order

    def _paint(self, style: Mapping[str, str]) -> tuple[str, str]:
        """Fill and stroke of a mark by its classes; a later one prevails, as in the sheet."""
        fill, line = "none", "none"
        names = style.get("class", "").split()
        for name in (*names, *(f"{names[0]}.{name}" for name in names[1:])):
            inner, outer = self.colours.get(name, (None, None))
            fill, line = inner or fill, outer or line
        return fill, line

    def _outline(self, way: str, style: Mapping[str, str]) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as Outline

        codes, points = [], []
        for code, point in _steps(way):
            codes.append(_CODES[code])
            points.append(point)
        if not points:
            return
        fill, line = self._paint(style)
        dashes = [float(part) for part in style.get("stroke-dasharray", "").split()]
        thick = float(style.get("stroke-width", 1)) * _POINTS
        self.axes.add_patch(
            PathPatch(
                Outline(points, codes),
                facecolor=fill,
                edgecolor=line,
                linewidth=thick if line != "none" else 0,
                linestyle=(0, [d * _POINTS / max(thick, 0.1) for d in dashes]) if dashes else "-",
                alpha=float(style.get("stroke-opacity", 1)),
                capstyle="round" if style.get("stroke-linecap") == "round" else "butt",
                joinstyle="miter",
                zorder=self._next(),
            )
        )

    def _write(self, words: str, style: Mapping[str, str]) -> None:
        from matplotlib.patheffects import withStroke

        fill, line = self._paint(style)
        anchor = {"middle": "center", "end": "right"}.get(style.get("text-anchor", ""), "left")
        drawn = self.axes.text(
            float(style["x"]),
            float(style["y"]),
            words,
            fontsize=float(style["font-size"]) * _POINTS,
            family=self.fonts,
            color=fill,
            ha=anchor,
            va="baseline",
            rotation=90 if "rotate(-90" in style.get("transform", "") else 0,
            rotation_mode="anchor",
            parse_math=False,
            zorder=self._next(),
        )
        if line != "none":
            thick = float(style.get("stroke-width", 3)) * _POINTS
            drawn.set_path_effects([withStroke(linewidth=thick, foreground=line)])

    def _paste(self, style: Mapping[str, str]) -> None:
        from matplotlib.image import imread

        png = b64decode(style["href"].partition("base64,")[2])
        x, y = float(style["x"]), float(style["y"])
        wide, high = float(style["width"]), float(style["height"])
        limits = self.axes.get_xlim(), self.axes.get_ylim()
        self.axes.imshow(
            imread(io.BytesIO(png), format="png"),
            extent=(x, x + wide, y + high, y),
            interpolation="nearest",
            aspect="auto",
            zorder=self._next(),
        )
        self.axes.set_xlim(limits[0])
        self.axes.set_ylim(limits[1])


_PASSED = ("class", "stroke-width", "stroke-opacity")
_CODES = {"M": 1, "L": 2, "Q": 3, "C": 4, "Z": 79}


def _installed() -> list[str]:
    from matplotlib.font_manager import fontManager

    there = {font.name for font in fontManager.ttflist}
    return [name for name in _FONTS if name in there]


def _box(style: Mapping[str, str]) -> str:
    x, y = float(style.get("x", 0)), float(style.get("y", 0))
    wide, high = float(style["width"]), float(style["height"])
    r = min(float(style.get("rx", 0)), wide / 2, high / 2)
    if not r:
        return f"M{x} {y}h{wide}v{high}h{-wide}z"
    k = r * (1 - _KAPPA)
    right, foot = x + wide, y + high
    return (
        f"M{x + r} {y}L{right - r} {y}C{right - k} {y} {right} {y + k} {right} {y + r}"
        f"L{right} {foot - r}C{right} {foot - k} {right - k} {foot} {right - r} {foot}"
        f"L{x + r} {foot}C{x + k} {foot} {x} {foot - k} {x} {foot - r}"
        f"L{x} {y + r}C{x} {y + k} {x + k} {y} {x + r} {y}z"
    )


def _disc(style: Mapping[str, str]) -> str:
    x, y, r = (float(style[key]) for key in ("cx", "cy", "r"))
    return _box(
        {
            key: str(value)
            for key, value in {
                "x": x - r,
                "y": y - r,
                "width": 2 * r,
                "height": 2 * r,
                "rx": r,
            }.items()
        }
    )


def _line(style: Mapping[str, str]) -> str:
    return f"M{style['x1']} {style['y1']}L{style['x2']} {style['y2']}"


_OUTLINES: dict[str, Callable[[Mapping[str, str]], str]] = {
    "rect": _box,
    "circle": _disc,
    "line": _line,
    "path": lambda style: style["d"],
}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_COMMAND = re.compile(r"([MLCQHVhvzZ])([^MLCQHVhvzZ]*)")


def _steps(way: str) -> Iterator[tuple[str, tuple[float, float]]]:
    """The points of a path as our sheets write it, with the kind of line that leads to each."""
    x = y = 0.0
    begun = (0.0, 0.0)
    for command, rest in _COMMAND.findall(way):
        numbers = [float(part) for part in _NUMBER.findall(rest)]
        if command in "zZ":
            yield "Z", begun
            x, y = begun
            continue
        if command in "hH":
            x = numbers[0] + (x if command == "h" else 0)
            yield "L", (x, y)
            continue
        if command in "vV":
            y = numbers[0] + (y if command == "v" else 0)
            yield "L", (x, y)
            continue
        for point in zip(numbers[::2], numbers[1::2], strict=True):
            yield command, point
        x, y = numbers[-2:]
        if command == "M":
            begun = (x, y)
