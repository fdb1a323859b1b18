"""Data flows down the table of rooms and imports point up it: every import, looked up."""

from __future__ import annotations

import re
from pathlib import Path

from tests.test_architecture import (
    ALLOWED,
    EXCEPTIONS,
    FREE,
    MODULES,
    SOURCE,
    TABLES,
    imports,
    room,
)

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def rows_of_rooms() -> dict[str, int]:
    """Return by room the row of CONTRIBUTING's table it stands in."""
    lines = TEXT.splitlines()
    start = lines.index("| room | what lives there |") + 2
    found: dict[str, int] = {}
    for number, line in enumerate(lines[start:]):
        if not line.startswith("|"):
            break
        for name in re.findall(r"`(\w+)`", line.split("|")[1]):
            assert name not in found, f"{name} stands in two rows"
            found[name] = number
    return found


def test_every_room_is_in_the_table() -> None:
    rooms = {module.parts[0].removesuffix(".py") for module in MODULES} - {"__main__"}
    assert set(rows_of_rooms()) == rooms


def test_imports_point_up() -> None:
    """A room imports rooms of its own row and of those above; the exceptions are named."""
    row = rows_of_rooms()
    for module in MODULES:
        here = module.parts[0].removesuffix(".py")
        if here in ("apps", "__main__"):  # the last row: everything lies above
            continue
        for name in imports(SOURCE / module):
            if name in FREE or (module.as_posix(), name) in EXCEPTIONS:
                continue
            if room(name) in TABLES.get(module.as_posix(), set()):
                continue
            assert row[room(name)] <= row[here], f"{module} imports {name}, which lies below"


def test_what_is_allowed_points_up_too() -> None:
    """Otherwise the architecture test would let a downward import in tomorrow."""
    row = rows_of_rooms()
    for here, others in ALLOWED.items():
        if here in row:
            for there in others & row.keys():
                assert row[there] <= row[here], f"{here} may import {there}, which lies below"


def test_as_many_imports_point_down_as_are_said() -> None:
    found = re.search(r"(\w+)\s+imports point down, and the architecture test names them", TEXT)
    assert found is not None
    assert found.group(1) == NUMBERS[len(EXCEPTIONS)]
    row = rows_of_rooms()
    for module, name in EXCEPTIONS:
        assert row[room(name)] > row[module.split("/")[0]]
