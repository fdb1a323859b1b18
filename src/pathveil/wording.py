"""Numbers with their nouns, as sentences and pictures say them.

Text that a terminal shows and does not obey.

Names of vertices, policies and files come from strangers. An escape sequence in a name could
repaint the screen, set the clipboard or make a certificate look like another one; a sign that turns
the direction of writing could swap what is read. Everything that is shown passes through
:func:`safe_text`, which writes such signs out instead of sending them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "layer"), counted(3, "copy", "copies")
    ('1 layer', '3 copies')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


_KEPT = frozenset("\n\t\u200c\u200d")
"""Line ends and tabs; and the two joiners that several scripts cannot be written without."""

LONGEST_SHOWN = 20_000
"""Signs of one text on a screen; laying out a name of millions takes minutes."""

_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, formats (direction of writing among them), half surrogates, line separators."""


def safe_text(text: str) -> str:
    r"""Return a text in which every sign that a terminal might obey is written out.

    Examples
    --------
    >>> print(safe_text("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    >>> safe_text("Zürich – 東京")
    'Zürich – 東京'
    """
    return text if text.isascii() and text.isprintable() else text.translate(_SIGNS)


class _Signs(dict[int, str]):
    """What is written for each sign, as far as it was asked for: a long text is gone over once."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        if sign not in _KEPT and unicodedata.category(sign) in _OBEYED:
            short = f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
            sign = f"\\x{code:02x}" if code < 0x100 else short
        self[code] = sign
        return sign


_SIGNS = _Signs()


def shown_text(text: str) -> str:
    """Return a text as long as somebody might read it: what is longer is cut, and says so.

    >>> shown_text("a" * 20_001)[-20:]
    'aaaa… (20,001 signs)'
    """
    if len(text) <= LONGEST_SHOWN:
        return text
    return f"{text[:LONGEST_SHOWN]}… ({len(text):,} signs)"


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table for a notebook; whatever is in its cells is text, never markup.

    >>> html_table(("name",), [("<a>",)])
    '<table><tr><th>name</th></tr><tr><td>&lt;a&gt;</td></tr></table>'
    """

    def line(tag: str, cells: Iterable[object]) -> str:
        shown = (escape(safe_text(shown_text(str(cell)))) for cell in cells)
        return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in shown) + "</tr>"

    head = line("th", heads) if heads else ""
    return f"<table>{head}{''.join(line('td', row) for row in rows)}</table>"
