from __future__ import annotations

import numpy as np
import pytest

from pathveil.errors import DoesNotFit, UnknownVertex
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.grouping import GroupedBits, Grouping
from pathveil.model.positions import Positions

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
