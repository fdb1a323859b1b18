from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadGrouping, DoesNotFit, NotHarmonious, UnknownVertex
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.grouping import ClassSizes, GroupedBits, Grouping, GroupingTerms
from pathveil.model.network import Network
from pathveil.model.positions import Positions


def test_the_order_of_classes_and_members_says_nothing() -> None:
    one = Grouping.of(["ad", "be", "cf"])
    other = Grouping.of(["fc", "da", "be"])
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest == other.digest
    assert list(one) == [("a", "d"), ("b", "e"), ("c", "f")]


def test_the_digest_covers_classes_terms_and_stamp() -> None:
    names = ["ab", "cd"]
    digests = {
        Grouping.of(names).digest,
        Grouping.of(["ac", "bd"]).digest,
        Grouping.of(names, terms=GroupingTerms(3, 2)).digest,
        Grouping.of(names, unsafe=True).digest,
    }
    assert len(digests) == 4


def test_digest_is_golden() -> None:
    """Publications name groupings by it for years."""
    assert (
        Grouping.of(["bd", "ca"]).digest
        == "9347b0ce5bb65d27ec17971a7c33255c729d14c6d80b2ff29aab2a0cb4dac609"
    )


def test_asking() -> None:
    grouping = Grouping.of(["ad", "bg", "cef"])
    assert grouping.sizes.tolist() == [2, 2, 3]
    assert grouping.class_sizes.pairs_in_a_block == (4, 6)
    assert grouping.names == ("class 1", "class 2", "class 3")
    assert grouping.classes_of(["f", "a"]).tolist() == [2, 0]
    assert len(grouping) == 7
    with pytest.raises(UnknownVertex, match="'x' is none of the 7 grouped vertices"):
        grouping.class_index("x")
    assert Grouping.of([["a", "b"]]).class_sizes.pairs_in_a_block == (0, 0)
    assert Grouping.of([["a", "b"], ["c", "d", "e"]]).class_sizes.pairs_in_a_block == (6, 6)


def test_names_sort_as_they_are_numbered() -> None:
    grouping = Grouping.of([f"{i:03d}", f"{i:03d}x"] for i in range(120))
    assert list(grouping.names) == sorted(grouping.names)


def test_harmonious_or_not() -> None:
    network = Network.parse("ab bc cd")
    Grouping.of(["ad", "be", "cf"]).require_harmonious(network)
    with pytest.raises(NotHarmonious, match="joins two members of class 1"):
        Grouping.of(["ab", "cd"]).require_harmonious(network)
    with pytest.raises(NotHarmonious, match="'a' - 'b' and 'b' - 'c' both lie between"):
        Grouping.of(["ac", "be", "df"]).require_harmonious(network)
    with pytest.raises(UnknownVertex):
        Grouping.of(["ax", "by", "cz"]).require_harmonious(network)


def test_a_network_may_change_where_blocks_have_room() -> None:
    grouping = Grouping.of(["ad", "bf", "ce"])
    network = Network.parse("ab bc")
    assert grouping.load_of(network) == 2 / 3
    grouping.require_harmonious(Network.parse("ab bc cd"))
    with pytest.raises(NotHarmonious):
        grouping.require_harmonious(Network.parse("ab bc bd"))


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        ([], "no class"),
        (["ab", []], "class 2 has no member"),
        (["ab", "ac"], "'a' is in class 1 and in class 2"),
        ([["a", ""]], "expected a vertex name"),
        (["ab", "c"], "a class of one member hides nothing"),
    ],
)
def test_no_grouping(classes: list[str | list[str]], said: str) -> None:
    with pytest.raises(BadGrouping, match=said):
        Grouping.of(classes)


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    grouping = Grouping.of(["ad", "be", "cf"], terms=GroupingTerms(3, 2))
    grouping.save(tmp_path / "groups.json")
    assert Grouping.load(tmp_path / "groups.json") == grouping


def test_terms_bind() -> None:
    with pytest.raises(BadGrouping, match="contradict the terms"):
        Grouping.of([["a", "b", "c"]], terms=GroupingTerms(1, 2))
    with pytest.raises(BadGrouping, match="contradict the terms"):
        Grouping.of(["ad", "bce"], terms=GroupingTerms(2, 3, at_least=3))
    with pytest.raises(BadGrouping, match="contradict the terms"):
        Grouping.of(["ab", "cd"], terms=GroupingTerms(1, 2))


def test_numbers_that_are_not_canonical() -> None:
    terms = GroupingTerms(2, 2)
    for numbers in ([1, 0], [0, 2], [-1, 0]):
        with pytest.raises(BadGrouping, match="by their first member"):
            Grouping(("a", "b"), np.array(numbers), terms, unsafe=False)
    with pytest.raises(BadGrouping, match="one number for each vertex"):
        Grouping(("a", "b"), np.array([0]), terms, unsafe=False)
    with pytest.raises(BadGrouping, match="0 vertices and 0 class numbers"):
        Grouping((), np.empty(0, dtype=np.int64), terms, unsafe=False)


def test_classes_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Grouping.of(["ab", "cd"]).class_of[0] = 1


@given(st.lists(st.integers(2, 5), min_size=1, max_size=7))
def test_they_say_what_the_classes_say(sizes: list[int]) -> None:
    found = ClassSizes.of(sizes)
    blocks = [a * b for a, b in combinations(sizes, 2)]
    assert (found.classes, found.smallest, found.largest) == (len(sizes), min(sizes), max(sizes))
    assert found.pairs_in_a_block == ((min(blocks), max(blocks)) if blocks else (0, 0))
    names = iter(f"v{i:02d}" for i in range(sum(sizes)))
    grouping = Grouping.of([[next(names) for _ in range(size)] for size in sizes])
    assert grouping.class_sizes == found


@pytest.mark.parametrize(
    "counts", [(), ((3, 1), (2, 1)), ((2, 1), (2, 2)), ((1, 1),), ((2, 0),), ((2, 1), (3, -1))]
)
def test_what_is_no_list_of_sizes_is_refused(counts: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(BadGrouping, match="sizes of classes; expected one or more"):
        ClassSizes(counts)


GROUPING = Grouping.of([["a", "c"], ["b", "f"], ["d", "e"]])


def grouped(pairs: list[tuple[int, int]]) -> GroupedBits:
    places = Positions.uniform(GROUPING.names, 1)
    blocks = PackedBits(places, PairBits.from_pairs(len(places), pairs))
    return GroupedBits(blocks, GROUPING.digest, GROUPING.class_sizes)


def test_every_pair_shows_what_its_block_shows_and_a_class_is_one_branch() -> None:
    bits = grouped([(0, 2)]).over(GROUPING)
    asked = bits.positions_of("abcdef")
    pairs = np.array([(i, j) for i in range(6) for j in range(i + 1, 6)])
    shown = bits.same_branch(asked, pairs)
    for (i, j), same in zip(pairs.tolist(), shown.tolist(), strict=True):
        classes = {GROUPING.class_index("abcdef"[i]), GROUPING.class_index("abcdef"[j])}
        assert same == (len(classes) == 1 or classes == {0, 2})


def test_nothing_is_answered_without_its_own_grouping() -> None:
    bare = grouped([(0, 1)])
    with pytest.raises(DoesNotFit, match="which is a file of its own; bring it"):
        bare.positions_of("ab")
    with pytest.raises(DoesNotFit, match="bring the grouping it was published over"):
        bare.over(Grouping.of(["ab", "cd"]))
    with pytest.raises(UnknownVertex):
        bare.over(GROUPING).positions_of("az")


def test_with_its_grouping_or_without_it_is_the_same_bits() -> None:
    bare = grouped([(0, 1)])
    assert bare == bare.over(GROUPING) != grouped([(0, 2)])
    assert bare.content() == bare.over(GROUPING).content()
    assert bare.content() == bytes.fromhex(GROUPING.digest) + bare.blocks.content()
    assert bare.content() != grouped([(0, 2)]).content()


def test_bounds_must_leave_room() -> None:
    GroupingTerms(1, 1, at_least=1)
    GroupingTerms(2, 3, at_least=3)
    for at_least, cap in ((2, 1), (0, 1)):
        with pytest.raises(BadGrouping, match="1 <= at least <= at most"):
            GroupingTerms(2, cap, at_least=at_least)
    with pytest.raises(BadGrouping, match="expected one or more"):
        GroupingTerms(0, 2)
