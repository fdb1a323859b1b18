"""The sheet holds whatever names hold, in light and dark."""

from __future__ import annotations

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from pathveil.drawing.sheet import num, sheet, text, text_width, words
from tests.drawing.samples import SVG, THEMES


@pytest.mark.parametrize("theme", THEMES)
def test_a_sheet_is_a_document_with_words_for_who_cannot_see(theme: str) -> None:
    made = sheet(
        [words(1, 2, "<a&b>")],
        width=10,
        height=20.04,
        title="T<",
        about='A"',
        theme=theme,  # type: ignore[arg-type]
    )
    root = fromstring(made)
    assert (root.get("viewBox"), root.get("width"), root.get("role")) == (
        "0 0 10 20",
        "100%",
        "img",
    )
    assert root.findtext(f"{SVG}title") == "T<"
    assert root.findtext(f"{SVG}desc") == 'A"'
    assert root.findtext(f"{SVG}text") == "<a&b>"
    style = root.findtext(f"{SVG}style") or ""
    assert ("prefers-color-scheme:dark" in style) == (theme == "auto")
    assert ("#0f141b" in style) == (theme != "light")
    assert ("#f3f5f9" in style) == (theme != "dark")


@given(st.text())
def test_any_name_can_be_written(name: str) -> None:
    root = fromstring(f'<t a="{text(name)}">{text(name)}</t>')
    assert len(root.text or "") == len(root.get("a") or "") == len(name)


def test_numbers_are_short() -> None:
    assert [num(x) for x in (0, -0.01, 1.25, 10.0, -3.16)] == ["0", "0", "1.2", "10", "-3.2"]
    assert text_width("東", 10) == 2 * text_width("a", 10)
