from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import SearchExhausted
from pathveil.layering import backtracking, rules
from pathveil.layering.backtracking import (
    Placements,
    draw_in_walk_order,
    insert_vertices,
    mask_of,
    members,
    order_of_insertion,
    turn_roots_first,
)
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions
from tests.strategies import NAMES, pair_bits


def places(size: int) -> Positions:
    return Positions.uniform(tuple(NAMES[:size]), 1)


@given(pair_bits(), st.randoms(use_true_random=False))
def test_splitting_always_succeeds_and_keeps_the_rules(bits: PairBits, rng: object) -> None:
    order = list(range(bits.size))
    rng.shuffle(order)  # type: ignore[attr-defined]
    found = insert_vertices(bits, places(bits.size), order)
    assert found.layered is not None
    rules.check_shape(found.layered)
    rules.check_bits(found.layered, bits)
    assert found.steps >= bits.size


@given(pair_bits(largest=7))
def test_without_splitting_a_map_is_usable_or_it_is_not(bits: PairBits) -> None:
    whole = insert_vertices(bits, places(bits.size), range(bits.size))
    plain = insert_vertices(bits, places(bits.size), range(bits.size), splitting=False)
    assert (plain.layered is None) == (whole.splits > 0)
    if plain.layered is not None:
        assert plain.layered == whole.layered


def hard_bits(size: int) -> PairBits:
    """A five-cycle of mates behind many free vertices: the search must undo all of them."""
    cycle = [(i, i + 1) for i in range(size - 5, size - 1)] + [(size - 5, size - 1)]
    chords = [(i, j) for i, j in combinations(range(size - 5), 2) if (i + j) % 3 == 0]
    return PairBits.from_pairs(size, cycle + chords)


def test_the_step_limit_names_the_other_engine() -> None:
    with pytest.raises(SearchExhausted, match="layering='exact'") as caught:
        insert_vertices(hard_bits(12), places(12), range(12), step_limit=500)
    assert caught.value.steps == 500


def test_at_the_limit_it_can_split_where_it_stands() -> None:
    bits = hard_bits(12)
    found = insert_vertices(bits, places(12), range(12), step_limit=500, at_limit="split")
    assert found.struck
    assert found.layered is not None
    rules.check_bits(found.layered, bits)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_map_that_was_given_up_is_struck_and_not_called_unusable(*, compiled: bool) -> None:
    ring = PairBits.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    for limit, struck in ((1_000, False), (5, True)):
        found = insert_vertices(
            ring, places(5), range(5),
            splitting=False, step_limit=limit, at_limit="split", compiled=compiled,
        )  # fmt: skip
        assert found.layered is None
        assert found.struck is struck


def test_a_mate_between_strangers_gets_a_piece_of_its_own() -> None:
    """Vertex 1 stands with 0 and 2; 4 is a mate of 1 alone and fits no layer: it is cut."""
    bits = PairBits.from_pairs(5, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 4)])
    found = insert_vertices(bits, places(5), range(5))
    assert found.layered is not None
    assert found.splits == 1
    assert found.layered.position_of.tolist().count(1) == 2
    rules.check_shape(found.layered)
    rules.check_bits(found.layered, bits)


def test_a_search_begins_plain_and_starts_again_compiled_if_it_is_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways: list[tuple[str, int]] = []
    for name in ("_insert_plain", "_insert_compiled"):
        way = getattr(backtracking, name)

        def watched(*given: Any, name: str = name, way: Any = way, **tuned: Any) -> Any:
            ways.append((name, tuned["step_limit"]))
            return way(*given, **tuned)

        monkeypatch.setattr(backtracking, name, watched)

    def rented(kernel: Any, work: int) -> Any:
        assert work == 0, "it is only asked whether it is at hand"
        return kernel

    monkeypatch.setattr(backtracking, "chosen", rented)
    monkeypatch.setattr(backtracking, "PLAIN_STEPS", 100)
    path = PairBits.from_pairs(4, [(0, 1), (1, 2)])
    insert_vertices(path, places(4), range(4), step_limit=500)
    assert ways == [("_insert_plain", 100)]
    ways.clear()
    insert_vertices(path, places(4), range(4), step_limit=60)
    assert ways == [("_insert_plain", 60)]
    ways.clear()
    with pytest.raises(SearchExhausted):
        insert_vertices(hard_bits(12), places(12), range(12), step_limit=500)
    assert ways == [("_insert_plain", 100), ("_insert_compiled", 500)]
    ways.clear()
    monkeypatch.setattr(backtracking, "chosen", lambda kernel, work: None)
    insert_vertices(path, places(4), range(4))
    assert ways == [("_insert_compiled", 1_000_000)], "at hand already"
    ways.clear()
    insert_vertices(path, places(4), range(4), compiled=False)
    assert ways == [("_insert_plain", 1_000_000)]


def test_an_unusable_map_is_told_by_words_and_not_searched_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A ring of five cannot be inserted whole; that the words say so is an answer."""
    ring = PairBits.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    readable = insert_vertices(ring, places(5), range(5), splitting=False, compiled=False)
    monkeypatch.setattr(backtracking, "_insert_plain", None)
    found = insert_vertices(ring, places(5), range(5), splitting=False, compiled=True)
    assert found == readable
    assert found.layered is None


def test_every_five_cycle_needs_one_split_and_both_engines_go_the_same_way() -> None:
    for rings in range(3):
        ring = [(5 * r + i, 5 * r + (i + 1) % 5) for r in range(rings) for i in range(5)]
        bits = PairBits.from_pairs(5 * rings + 1, [(min(pair), max(pair)) for pair in ring])
        found, again = (
            insert_vertices(bits, places(bits.size), range(bits.size), compiled=compiled)
            for compiled in (False, True)
        )
        assert (found.splits, found.struck) == (rings, False)
        assert found == again


def test_dense_maps_are_cut_alike_by_both_engines() -> None:
    """Where most vertices are cut, and pieces take mates above and below at once."""
    splits = 0
    for seed in range(6):
        random = Random(seed)
        pairs = [pair for pair in combinations(range(9), 2) if random.random() < 0.6]
        bits = PairBits.from_pairs(9, pairs)
        found, again = (
            insert_vertices(
                bits, places(9), range(9), step_limit=20, at_limit="split", compiled=compiled
            )
            for compiled in (False, True)
        )
        assert found == again
        splits += found.splits
    assert splits > 6


def test_who_has_no_mates_and_was_not_reached_stands_below_all_others() -> None:
    """Two steps: the second vertex was placed, the third never tried."""
    bits = PairBits.from_pairs(3, [(0, 1)])
    for compiled in (False, True):
        found = insert_vertices(
            bits, places(3), range(3), step_limit=2, at_limit="split", compiled=compiled
        )
        assert (found.struck, found.splits, found.steps) == (True, 1, 3)
        assert found.layered is not None
        assert found.layered.layer.tolist() == [0, 1, 2]


def test_words_hold_sixty_four_vertices_and_no_more() -> None:
    for size in (64, 65):
        found = backtracking._insert_compiled(
            PairBits.from_pairs(size, [(0, 1)]),
            Positions.uniform(tuple(f"v{i:02d}" for i in range(size)), 1),
            range(size),
            splitting=True,
            step_limit=1_000,
            at_limit="error",
        )
        assert (found is None) == (size > 64)


@given(st.sets(st.integers(0, 70)))
def test_masks_are_sets(pieces: set[int]) -> None:
    assert members(mask_of(pieces)) == sorted(pieces)


@given(st.integers(0, 2**32))
def test_what_is_pushed_and_popped_was_never_there(seed: int) -> None:
    rng = np.random.default_rng(seed)
    placed = Placements()
    for position in range(6):
        before = placed.copy()
        layer, mates = int(rng.integers(-2, 3)), int(rng.integers(1 << position))
        placed.push(position, layer, mates)
        assert before != placed
        placed.pop()
        assert before == placed
        placed.push(position, layer, mates)


def test_whoever_stands_above_a_mate_above_is_a_mate_too() -> None:
    """0 stands above 1. With both as mates any layer but theirs will do; with one it depends."""
    placed = Placements()
    placed.push(0, 0, 0)
    placed.push(1, 2, mask_of([0]))
    good = {
        mates: [layer for layer in range(-1, 4) if placed.is_good_layer(layer, mask_of(mates))]
        for mates in ((0, 1), (0,), (1,))
    }
    assert good == {(0, 1): [-1, 1, 3], (0,): [1, 2, 3], (1,): [-1, 0, 1]}


def test_covers_leave_out_what_follows() -> None:
    placed = Placements()
    placed.push(0, 0, 0)
    placed.push(1, 1, mask_of([0]))
    placed.push(2, 2, mask_of([0, 1]))
    layered = placed.layered(Positions.uniform(("a", "b", "c"), 1))
    assert len(layered.arcs) == 2


def test_candidate_layers_are_those_in_use_and_one_beyond_on_either_side() -> None:
    placed = Placements()
    assert list(placed.layer_range()) == [0]
    placed.push(0, 0, 0)
    placed.push(1, 2, 0)
    assert list(placed.layer_range()) == [3, 2, 1, 0, -1], "the lowest on the page first"


PLACES = Positions.uniform(tuple("abcdef"), 1)
OFF_WALK = PairBits.from_pairs(6, [(0, 2), (2, 4), (0, 4), (1, 5)])


def test_the_walk_comes_first_in_its_order_then_what_it_leaves_out() -> None:
    assert order_of_insertion((4, 1, 3), 6) == [4, 1, 3, 0, 2, 5]
    assert order_of_insertion((), 3) == [0, 1, 2]


@pytest.mark.parametrize("visits", [(0, 1, 2, 3, 4, 5), (4, 3, 2, 1, 0), (5, 0, 3), (3, 4)])
def test_the_end_closer_to_the_first_vertex_is_turned_to_the_roots(visits: tuple[int, ...]) -> None:
    order = order_of_insertion(visits, 6)
    inserted = insert_vertices(OFF_WALK, PLACES, order).layered
    assert inserted is not None
    drawn = draw_in_walk_order(OFF_WALK, PLACES, visits)
    rules.check_shape(drawn)
    rules.check_bits(drawn, OFF_WALK)
    to_root, to_leaf = rules.walk_distances(drawn, visits)
    assert to_root <= to_leaf
    if to_root == to_leaf:
        assert drawn == inserted, "a tie is left as it was inserted"
    assert turn_roots_first(inserted.upside_down(), visits) in (drawn, drawn.upside_down())
    assert turn_roots_first(drawn, visits) == drawn
