"""How numbers and names are worded: with their nouns, safe for a terminal, with a suggestion.

Names of vertices, policies and files come from strangers. An escape sequence in a name could
repaint the screen, set the clipboard or make a certificate look like another one; a character that
turns the direction of writing could swap what is read. Everything that is shown passes through
:func:`safe_text`, which writes such characters out instead of sending them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from html import escape

KNOWING = "without the {}, knowing the rest of the walk"
"""The yardstick of every guess at a link: without the file, or the files."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(0, "layer"), counted(1, "layer"), counted(1234, "copy", "copies")
    ('0 layers', '1 layer', '1,234 copies')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def times(count: int) -> str:
    """Return how often in words.

    >>> times(0), times(1), times(2), times(3)
    ('never', 'once', 'twice', '3 times')
    """
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


_KEPT = frozenset("\n\t\u200c\u200d")
"""Line ends and tabs; and the two joiners that several scripts cannot be written without."""

LONGEST_SHOWN = 20_000
"""Characters of one text on a screen; laying out a name of millions takes minutes."""

_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, formats (direction of writing among them), half surrogates, line separators."""


def safe_text(text: str) -> str:
    r"""Return a text in which every character that a terminal might obey is written out.

    Examples
    --------
    >>> print(safe_text("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    >>> safe_text("Zürich – 東京")
    'Zürich – 東京'
    """
    return text if text.isascii() and text.isprintable() else text.translate(_WRITTEN)


class _Written(dict[int, str]):
    """What is written for each character, filled in as it is asked for."""

    def __missing__(self, code: int) -> str:
        shown = chr(code)
        if shown not in _KEPT and unicodedata.category(shown) in _OBEYED:
            short = f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
            shown = f"\\x{code:02x}" if code < 0x100 else short
        self[code] = shown
        return shown


_WRITTEN = _Written()


LONGEST_MESSAGE = 1_000
"""Characters of an error: what is longer holds a name that nobody would read to its end."""


def shown_text(text: str, *, limit: int = LONGEST_SHOWN) -> str:
    """Return a text as long as somebody might read it: what is longer lacks its middle.

    >>> shown_text("a" * 20_001, limit=10)
    'aaaaa… (20,001 characters) …aaaaa'
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}… ({len(text):,} characters) …{text[-half:]}"


MOST_COMPARED = 20_000
"""Names up to which a wrong one is compared with all of them: about a tenth of a second."""

MOST_MEANT = 5
"""Names that a question lists."""

LEAST_PART = 3
"""Letters from which on a word may be a part of a name."""

LONGEST_COMPARED = 1000
"""Characters up to which a wrong name is compared: comparing takes fifty bytes for each of them."""


def did_you_mean(name: str, known: Collection[str]) -> str:
    """Return the question that ends a message about an unknown name, or nothing.

    Examples
    --------
    >>> did_you_mean("Colonge", ["Aachen", "Cologne"])
    "; did you mean 'Cologne'?"
    >>> did_you_mean("x", ["Aachen", "Cologne"])
    ''
    >>> did_you_mean("Rome", ["Rome (n3)", "Rome (n7)"])
    "; did you mean 'Rome (n3)' or 'Rome (n7)'?"
    >>> did_you_mean("lyon", ["Lyon Stamping", "Vigo Assembly"])
    "; did you mean 'Lyon Stamping'?"
    """
    alike = sorted(other for other in known if other.startswith(f"{name} ("))
    closest = _closest(name, known) if len(name) <= LONGEST_COMPARED and not alike else None
    if closest is None:
        if not alike and len(name) >= LEAST_PART:
            holding = [other for other in known if name.casefold() in other.casefold()]
            alike = sorted(holding) if len(holding) <= MOST_MEANT else []
        return f"; did you mean {' or '.join(map(repr, alike[:MOST_MEANT]))}?" if alike else ""
    same = unicodedata.normalize("NFC", closest) == unicodedata.normalize("NFC", name)
    return f"; did you mean {closest!r}{', in another Unicode form' if same else ''}?"


def _closest(name: str, known: Collection[str]) -> str | None:
    plain = _plain(name)
    alike = next((other for other in known if _plain(other) == plain and other != name), None)
    if alike is not None or len(known) > MOST_COMPARED:
        return alike
    return next(iter(get_close_matches(name, known, cutoff=0.75)), None)


def _plain(name: str) -> str:
    return "".join(unicodedata.normalize("NFC", name).casefold().split())


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table for a notebook; whatever is in its cells is text, never markup.

    >>> html_table((), [("<a>",)])
    '<table><tr><td style="text-align:left">&lt;a&gt;</td></tr></table>'
    """
    left = 'style="text-align:left"'  # notebooks put cells to the right

    def line(tag: str, cells: Iterable[object]) -> str:
        shown = (escape(safe_text(shown_text(str(cell)))) for cell in cells)
        return "<tr>" + "".join(f"<{tag} {left}>{cell}</{tag}>" for cell in shown) + "</tr>"

    head = line("th", heads) if heads else ""
    return f"<table>{head}{''.join(line('td', row) for row in rows)}</table>"
