from __future__ import annotations

from pathlib import Path
from unittest.mock import ANY

import numpy as np
import pytest

from pathveil.errors import BadGrouping, NotHarmonious, UnknownVertex
from pathveil.model.grouping import Grouping, GroupingTerms
from pathveil.model.network import Network


def test_the_order_of_classes_and_members_says_nothing() -> None:
    one = Grouping.of([["a", "d"], ["b"], ["c"]])
    other = Grouping.of([["c"], ["d", "a"], ["b"]])
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest == other.digest
    assert list(one) == [("a", "d"), ("b",), ("c",)]


def test_the_digest_covers_classes_terms_and_stamp() -> None:
    names = [["a", "b"], ["c"]]
    digests = {
        Grouping.of(names).digest,
        Grouping.of([["a", "c"], ["b"]]).digest,
        Grouping.of(names, terms=GroupingTerms(3, 2)).digest,
        Grouping.of(names, terms=GroupingTerms(2, 2, voids="0" * 64)).digest,
        Grouping.of(names, unsafe=True).digest,
    }
    assert len(digests) == 5


def test_digest_is_golden() -> None:
    """Publications name groupings by it for years."""
    assert (
        Grouping.of([["b"], ["c", "a"]]).digest
        == "9f0354045ec23076005baa0bf96c4e7695abe838a95d7d673ae1601b307d2162"
    )


def test_asking() -> None:
    grouping = Grouping.of([["a", "d"], ["b"], ["c", "e", "f"]])
    assert grouping.sizes.tolist() == [2, 1, 3]
    assert grouping.pairs_in_a_block == (2, 6)
    assert grouping.names == ("class 1", "class 2", "class 3")
    assert grouping.classes_of(["f", "a"]).tolist() == [2, 0]
    assert len(grouping) == 6
    with pytest.raises(UnknownVertex, match="'x' is none of the 6 grouped vertices"):
        grouping.class_index("x")
    assert Grouping.of([["a", "b"]]).pairs_in_a_block == (0, 0)
    assert Grouping.of([["a", "b"], ["c", "d", "e"]]).pairs_in_a_block == (6, 6)


def test_names_sort_as_they_are_numbered() -> None:
    grouping = Grouping.of([[f"{i:03d}"] for i in range(120)])
    assert list(grouping.names) == sorted(grouping.names)


def test_harmonious_or_not() -> None:
    network = Network.parse("ab bc cd")
    Grouping.of(["a", "b", "c", "d"]).require_harmonious(network)
    Grouping.of(["a", "b", "c", "d"]).require_harmonious(Network.parse("ab ad bc"))
    Grouping.of([["a", "d"], ["b"], ["c"]]).require_harmonious(network)
    with pytest.raises(NotHarmonious, match="joins two members of class 1"):
        Grouping.of([["a", "b"], ["c"], ["d"]]).require_harmonious(network)
    with pytest.raises(NotHarmonious, match="'a' - 'b' and 'b' - 'c' both lie between"):
        Grouping.of([["a", "c"], ["b"], ["d"]]).require_harmonious(network)
    with pytest.raises(UnknownVertex):
        Grouping.of([["a"], ["b"], ["c"]]).require_harmonious(network)


def test_a_network_may_change_where_blocks_have_room() -> None:
    grouping = Grouping.of([["a", "d"], ["b"], ["c", "e"]])
    network = Network.parse("ab bc")
    assert not grouping.has_room_for(network, "d", "b")
    assert not grouping.has_room_for(network, "c", "e")
    assert grouping.has_room_for(network, "c", "d")
    assert grouping.load_of(network) == 2 / 3
    assert Grouping.of([["a"], ["b"], ["c"], ["d"]]).load_of(network) == 2 / 6
    grouping.require_harmonious(Network.parse("ab bc cd"))
    with pytest.raises(NotHarmonious, match="what the old one protected is void"):
        grouping.require_harmonious(Network.parse("ab bc bd"))


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        ([], "no class"),
        ([["a"], []], "class 2 has no member"),
        ([["a"], ["a"]], "'a' is in class 1 and in class 2"),
        ([["a", ""]], "expected a vertex name"),
    ],
)
def test_no_grouping(classes: list[list[str]], said: str) -> None:
    with pytest.raises(BadGrouping, match=said):
        Grouping.of(classes)


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    grouping = Grouping.of([["a", "d"], ["b"], ["c"]], terms=GroupingTerms(3, 2))
    grouping.save(tmp_path / "groups.json")
    assert Grouping.load(tmp_path / "groups.json") == grouping


def test_terms_bind() -> None:
    with pytest.raises(BadGrouping, match="contradict the terms"):
        Grouping.of([["a", "b", "c"]], terms=GroupingTerms(1, 2))
    with pytest.raises(BadGrouping, match="contradict the terms"):
        Grouping.of([["a"], ["b", "c"]], terms=GroupingTerms(2, 2, at_least=2))
    with pytest.raises(BadGrouping, match="contradict the terms"):
        Grouping.of([["a"], ["b"]], terms=GroupingTerms(1, 2))


def test_numbers_that_are_not_canonical() -> None:
    terms = GroupingTerms(2, 2)
    for numbers in ([1, 0], [0, 2], [-1, 0]):
        with pytest.raises(BadGrouping, match="by their first member"):
            Grouping(("a", "b"), np.array(numbers), terms, unsafe=False)
    with pytest.raises(BadGrouping, match="one number for each vertex"):
        Grouping(("a", "b"), np.array([0]), terms, unsafe=False)
    with pytest.raises(BadGrouping, match="0 vertices and 0 class numbers"):
        Grouping((), np.empty(0, dtype=np.int64), terms, unsafe=False)


def test_whether_it_equals_something_else_is_left_to_the_other() -> None:
    assert Grouping.of([["a"]]) == ANY


def test_classes_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Grouping.of([["a"], ["b"]]).class_of[0] = 1
