from __future__ import annotations

import numpy as np
import pytest

from pathveil.errors import RuleBroken
from pathveil.layering import rules
from pathveil.model.bits import PairBits, Relation, pair_places
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions

ABC = Positions(("a", "b", "c"), (1, 1, 1))
CHAIN = LayeredGraph.build(ABC, [0, 1, 2], [0, 1, 2], [(0, 1), (1, 2)])


def relation(on_walk: list[tuple[int, int]], off_walk: list[tuple[int, int]]) -> Relation:
    def places(pairs: list[tuple[int, int]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        rows = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return np.sort(pair_places(rows[:, 0], rows[:, 1], 3))

    return Relation(3, places(on_walk), places(off_walk))


def test_a_good_graph_passes() -> None:
    rules.check_shape(CHAIN)
    rules.check_bits(CHAIN, PairBits.from_pairs(3, [(0, 1), (1, 2), (0, 2)]))
    rules.check_relation(CHAIN, relation([], [(0, 2)]))


def test_an_implied_cover_edge_breaks_the_shape() -> None:
    extra = LayeredGraph.build(ABC, [0, 1, 2], [0, 1, 2], [(0, 1), (1, 2), (0, 2)])
    with pytest.raises(RuleBroken, match="transitive reduction") as caught:
        rules.check_shape(extra)
    assert caught.value.rule == "shape"


def test_pieces_of_a_copy_in_one_branch_break_the_shape() -> None:
    nested = LayeredGraph.build(ABC, [0, 1, 0, 2], [0, 1, 2, 0], [(0, 1), (1, 2)])
    with pytest.raises(RuleBroken, match="of one copy share a branch"):
        rules.check_shape(nested)


def test_rules_one_to_three() -> None:
    with pytest.raises(RuleBroken, match="rule 1") as one:
        rules.check_relation(CHAIN, relation([(0, 1)], []))
    assert one.value.rule == "1"
    flat = LayeredGraph.build(ABC, [0, 1, 2], [0, 0, 0], [])
    with pytest.raises(RuleBroken, match="rule 2"):
        rules.check_relation(flat, relation([], [(0, 1)]))
    with pytest.raises(RuleBroken, match="bit says in the same branch"):
        rules.check_bits(flat, PairBits.from_pairs(3, [(0, 1)]))


def test_rule_five() -> None:
    rules.check_roots(CHAIN, [0, 1, 2])
    with pytest.raises(RuleBroken, match="upside down"):
        rules.check_roots(CHAIN, [2, 1, 0])
    assert rules.walk_distances(CHAIN, [1]) == (1, 1)
