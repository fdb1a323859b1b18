from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import SearchExhausted
from pathveil.layering import backtracking, rules
from pathveil.layering.backtracking import (
    draw_in_walk_order,
    insert_vertices,
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


def test_a_short_search_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(backtracking, "_searched_compiled", refuse)
    monkeypatch.setattr(backtracking, "chosen", lambda function, _: function)
    bits = PairBits.from_pairs(4, [(0, 1), (1, 2)])
    for compiled in (None, False):
        assert insert_vertices(bits, places(4), range(4), compiled=compiled).steps >= 4
    with pytest.raises(AssertionError):
        insert_vertices(bits, places(4), range(4), compiled=True)
