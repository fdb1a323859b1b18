"""Terms nobody could draw a grouping under are refused before anybody tries."""

from __future__ import annotations

import pytest

from pathveil.errors import BadGrouping
from pathveil.model.grouping import GroupingTerms


def test_bounds_must_leave_room() -> None:
    GroupingTerms(1, 1, at_least=1)
    GroupingTerms(2, 3, at_least=3)
    for at_least, cap in ((2, 1), (0, 1)):
        with pytest.raises(BadGrouping, match="1 <= at least <= at most"):
            GroupingTerms(2, cap, at_least=at_least)
    with pytest.raises(BadGrouping, match="expected one or more"):
        GroupingTerms(0, 2)


def test_what_is_voided_is_named_by_a_digest() -> None:
    assert GroupingTerms(1, 2, voids="0af" * 21 + "9").voids
    for voids in ("abc", "0" * 65, "g" * 64, "A" * 64):
        with pytest.raises(BadGrouping, match="64 hexadecimal digits"):
            GroupingTerms(1, 2, voids=voids)
