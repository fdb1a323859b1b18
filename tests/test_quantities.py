"""Numbers and their nouns."""

from __future__ import annotations

from pathveil.wording import counted


def test_numbers_and_nouns() -> None:
    assert [counted(n, "copy", "copies") for n in (0, 1, 1234)] == [
        "0 copies",
        "1 copy",
        "1,234 copies",
    ]
