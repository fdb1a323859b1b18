"""Tables keep every number whole, on any screen."""

from __future__ import annotations

import io
import re

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table

from pathveil.cli.console import SturdyTable

NUMBERS = ("0.69314718", "12,345,678", "99.9%", "1/3")
words = st.text("abcdefgh", min_size=1, max_size=14)


def shown(table: Table, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def filled(table: Table, names: list[str]) -> Table:
    for head in ("who", "there", "not there", "how many"):
        table.add_column(head, justify="left" if head == "who" else "right")
    for name in names:
        table.add_row(name, *NUMBERS[:3])
    return table


@given(st.lists(words, min_size=1, max_size=4), st.integers(24, 120))
def test_no_number_and_no_word_is_broken(names: list[str], width: int) -> None:
    said = shown(filled(SturdyTable(title="A title of some length"), names), width)
    for number in NUMBERS[:3]:
        assert said.count(number) == len(names)
    for name in names:
        assert re.search(rf"\b{name}\b", said)
    for line in said.splitlines():
        assert len(line) <= width


def test_the_plain_table_is_the_broken_twin() -> None:
    said = shown(filled(Table(), ["Frankfurt"]), 30)
    assert "12,345,678" not in said


def test_a_wide_screen_has_a_table_and_a_narrow_one_a_list() -> None:
    table = filled(SturdyTable(caption="said under it"), ["Ulm"])
    assert "┃" in shown(table, 80)
    listed = shown(table, 30)
    assert "┃" not in listed
    assert "who: Ulm" in listed
    assert "there: 0.69314718" in listed
    assert "said under it" in listed
