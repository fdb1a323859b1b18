"""The sheet an SVG is drawn on: size, title, colours in light and dark, escaping.

Colours are classes with plain values, so that programs without CSS variables show them too; the
dark set stands in a media query where the reader's device shall decide (``theme="auto"``).
"""

from __future__ import annotations

from typing import Literal
from xml.sax.saxutils import escape as _escape

from pathveil.formats.pictures.labelling import printable, text_cells

Theme = Literal["auto", "light", "dark"]
THEMES: tuple[Theme, ...] = ("auto", "light", "dark")

_FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"
_LETTER = 0.6
HUES = 8
"""How many colours tell vertices apart; more vertices share them in turn."""

DOT = "#2563eb"
"""The colour of dots in an image, which no style sheet reaches: it fits light and dark."""

_PLAIN = {
    "page": ("#ffffff", "#0f141b"),
    "band": ("#f3f5f9", "#171e29"),
    "ink": ("#1f2937", "#e6eaf1"),
    "muted": ("#64748b", "#94a3b8"),
    "edge": ("#64748b", "#8495ab"),
    "faint": ("#cbd5e1", "#3a4656"),
    "fill": ("#ffffff", "#1b2430"),
    "line": ("#334155", "#aebaca"),
    "alarm": ("#b91c1c", "#fca5a5"),
    "walk": ("#c2410c", "#fb923c"),
    "visited": ("#ffedd5", "#43290f"),
    "start": ("#15803d", "#4ade80"),
    "end": ("#1d4ed8", "#7cb0ff"),
    "tile": ("#e6ebf3", "#222c3a"),
    "own": ("#b4bfce", "#4b5a70"),
    "lit": ("#2563eb", "#6ea8fe"),
}
_HUES = (
    (("#dbeafe", "#1d4ed8"), ("#1a3357", "#93c5fd")),
    (("#ffedd5", "#c2410c"), ("#47280f", "#fdba74")),
    (("#dcfce7", "#15803d"), ("#133822", "#86efac")),
    (("#f3e8ff", "#7e22ce"), ("#351e55", "#d8b4fe")),
    (("#fce7f3", "#be185d"), ("#471930", "#f9a8d4")),
    (("#ccfbf1", "#0f766e"), ("#0e3637", "#5eead4")),
    (("#fef9c3", "#a16207"), ("#3b310e", "#fde047")),
    (("#fee2e2", "#b91c1c"), ("#471b1b", "#fca5a5")),
)


def sheet(
    body: list[str], *, width: float, height: float, title: str, about: str, theme: Theme
) -> str:
    """Return a whole SVG document with a title and a description for those who cannot see it."""
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r} is none of {', '.join(THEMES)}")
    size = f'width="{num(width)}" height="{num(height)}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pathveil pathveil-{theme}" {size} '
        f'viewBox="0 0 {num(width)} {num(height)}" role="img" font-family="{_FONT}">'
    )
    parts = [
        head,
        f"<title>{text(title)}</title>",
        f"<desc>{text(about)}</desc>",
        f"<style>{_style(theme)}</style>",
        f'<rect class="page" {size}/>',
        *body,
        "</svg>\n",
    ]
    return "\n".join(parts)


def text(value: str) -> str:
    """Return a text as XML content or attribute, whatever signs it holds."""
    return _escape(printable(value), {'"': "&quot;"})


def num(value: float) -> str:
    """Return a coordinate with at most one digit after the point.

    >>> num(3.0), num(-0.04), num(2.25)
    ('3', '0', '2.2')
    """
    written = f"{value:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


def text_width(value: str, size: float) -> float:
    """Return about how wide a text is drawn; there is no font to ask."""
    return text_cells(value) * size * _LETTER


def words(x: float, y: float, value: str, *, size: float = 12, style: str = "ink") -> str:
    """Return a line of text."""
    where = f'x="{num(x)}" y="{num(y)}" font-size="{num(size)}"'
    return f'<text class="{style}" {where}>{text(value)}</text>'


def outlined(x: float, y: float, value: str, *, size: float, anchor: str = "middle") -> str:
    """Return a name with a rim in the colour of the page, so that lines do not run through it."""
    where = f'x="{num(x)}" y="{num(y)}" font-size="{num(size)}" text-anchor="{anchor}"'
    shown = text(value)
    return (
        f'<text class="halo" {where} stroke-width="3" stroke-linejoin="round">{shown}</text>'
        f'<text class="ink" {where}>{shown}</text>'
    )


Paint = tuple[str | None, str | None]


def paints(*, dark: bool) -> dict[str, Paint]:
    """Return fill and stroke of each class of marks; None is nothing, or whatever is inherited."""
    tone = {name: pair[dark] for name, pair in _PLAIN.items()}
    found: dict[str, Paint] = {
        "page": (tone["page"], None),
        "band": (tone["band"], None),
        "edge": ("none", tone["edge"]),
        "faint": ("none", tone["faint"]),
        "node": (tone["fill"], tone["line"]),
        "join": ("none", tone["line"]),
        "walk": ("none", tone["walk"]),
        "tip": (tone["walk"], None),
        "step": (tone["page"], tone["walk"]),
        "visited": (tone["visited"], tone["walk"]),
        "start": ("none", tone["start"]),
        "end": ("none", tone["end"]),
        "shown": ("none", tone["lit"]),
        "own": ("#b4bfce", "#4b5a70"),
        "lit": (tone["lit"], None),
        "grid": ("none", tone["page"]),
        "tile": (tone["tile"], None),
        "self": (tone["own"], None),
        "halo": (tone["page"], tone["page"]),
        **{name: (tone[name], None) for name in ("ink", "muted", "alarm")},
    }
    for hue, tones in enumerate(_HUES):
        fill, line = tones[dark]
        found[f"node.h{hue}"] = (fill, line)
        found[f"join.h{hue}"] = (None, line)
    return found


def _style(theme: Theme) -> str:
    root = f".pathveil-{theme}"
    light, dark = _rules(root, dark=False), _rules(root, dark=True)
    if theme == "auto":
        return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"
    return light if theme == "light" else dark


def _rules(root: str, *, dark: bool) -> str:
    rules = []
    for name, (fill, line) in paints(dark=dark).items():
        parts = [f"fill:{fill}"] * (fill is not None) + [f"stroke:{line}"] * (line is not None)
        rules.append(f"{root} .{name}{{{';'.join(parts)}}}")
    return "".join(rules)
