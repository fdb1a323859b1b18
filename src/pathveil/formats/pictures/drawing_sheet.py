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


def _style(theme: Theme) -> str:
    root = f".pathveil-{theme}"
    light, dark = _rules(root, 0), _rules(root, 1)
    if theme == "auto":
        return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"
    return light if theme == "light" else dark


def _rules(root: str, which: int) -> str:
    tone = {name: pair[which] for name, pair in _PLAIN.items()}
    rules = [
        f"{root} .page{{fill:{tone['page']}}}",
        f"{root} .band{{fill:{tone['band']}}}",
        f"{root} .edge{{fill:none;stroke:{tone['edge']}}}",
        f"{root} .faint{{fill:none;stroke:{tone['faint']}}}",
        f"{root} .node{{fill:{tone['fill']};stroke:{tone['line']}}}",
        f"{root} .join{{fill:none;stroke:{tone['line']}}}",
        f"{root} .walk{{fill:none;stroke:{tone['walk']}}}",
        f"{root} .tip{{fill:{tone['walk']}}}",
        f"{root} .step{{fill:{tone['page']};stroke:{tone['walk']}}}",
        f"{root} .visited{{fill:{tone['visited']};stroke:{tone['walk']}}}",
        f"{root} .start{{fill:none;stroke:{tone['start']}}}",
        f"{root} .end{{fill:none;stroke:{tone['end']}}}",
    ]
    rules += [f"{root} text.{name}{{fill:{tone[name]}}}" for name in ("ink", "muted", "alarm")]
    for hue, tones in enumerate(_HUES):
        fill, line = tones[which]
        rules.append(f"{root} .node.h{hue}{{fill:{fill};stroke:{line}}}")
        rules.append(f"{root} .join.h{hue}{{stroke:{line}}}")
    return "".join(rules)
