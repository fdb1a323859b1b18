from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from pathveil.layering.backtracking import Placements, insert_vertices, mask_of
from pathveil.layering.kernels.paper_search import (
    FULL,
    copy_pieces,
    cut_vertex,
    good_layers,
    layer_span,
    put_piece,
    search,
    stuck_mate,
    take_piece,
)
from pathveil.model.bits import PairBits, pair_count
from pathveil.model.positions import Positions


@pytest.mark.parametrize("limit", [10**6, 25, 9])
def test_the_plain_kernel_draws_what_the_readable_engine_draws(limit: int) -> None:
    """Layer by layer and cover by cover, where searches end, strike and cut."""
    cut = 0
    for seed in (*range(24), 221):  # in the last a piece is taken back that others rest on
        size = 7 + seed % 6
        random = Random(seed)
        share = (0.35, 0.55, 0.75, 0.9)[seed % 4]
        pairs = [pair for pair in combinations(range(size), 2) if random.random() < share]
        bits = PairBits.from_pairs(size, pairs)
        positions = Positions.uniform(tuple("abcdefghijklm"[:size]), 1)
        wanted = insert_vertices(
            bits, positions, range(size), step_limit=limit, at_limit="split", compiled=False
        )
        near = np.array(
            [sum(1 << j for j in np.flatnonzero(row).tolist()) for row in bits.matrix()]
        )
        room = np.zeros((4, 64), dtype=np.int64)
        pieces, steps, splits, struck, reached = search(near, True, limit, True, room)
        assert (steps, splits, reached) == (wanted.steps, wanted.splits, size)
        assert struck == wanted.struck
        found = Placements(*room[:, :pieces].tolist())
        assert found.layered(positions) == wanted.layered
        cut += splits
    assert cut > 10


def test_more_than_a_word_of_pieces_is_said() -> None:
    """Sixty vertices of a dense map need more than 64 pieces."""
    flat = np.random.default_rng(1).random(pair_count(60)) < 0.5
    matrix = PairBits.from_flat(60, flat).matrix()
    near = np.array(
        [sum(1 << int(j) for j in np.flatnonzero(row)) for row in matrix], dtype=np.int64
    )
    pieces, *_ = search(near, True, 50, True, np.zeros((4, 64), dtype=np.int64))
    assert pieces == FULL


def test_a_vertex_without_mates_stands_below_all_others_if_a_word_has_room() -> None:
    owner, layer, above, below = np.zeros((4, 64), dtype=np.int64)
    assert cut_vertex(7, 0, 0, owner, layer, above, below) == (1, 1)
    first = int(layer[0])
    assert cut_vertex(8, 0, 1, owner, layer, above, below) == (2, 1)
    assert layer[:2].tolist() == [first, first + 1]
    assert owner[:2].tolist() == [7, 8]
    assert not above.any()
    assert not below.any()
    assert cut_vertex(9, 0, 63, owner, layer, above, below) == (64, 1)
    assert cut_vertex(9, 0, 64, owner, layer, above, below) == (FULL, 0)
    assert cut_vertex(9, 1, 64, owner, layer, above, below) == (FULL, 0)


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_a_stuck_mate_needs_room_for_its_bare_piece_too() -> None:
    """Pieces 0, 1, 2 one below the other; whoever meets 1 alone meets a bare piece of it."""
    for pieces, found in ((3, (5, 1)), (63, (FULL, 0)), (64, (FULL, 0))):
        owner, layer, above, below = np.zeros((4, 64), dtype=np.int64)
        for piece, mates in enumerate((0, 0b1, 0b11)):
            owner[piece] = piece
            put_piece(piece, piece, mates, layer, above, below)
        assert cut_vertex(9, 0b10, pieces, owner, layer, above, below) == found
        if pieces == 3:
            assert owner[:5].tolist() == [0, 1, 2, 1, 9]
            assert (above[4] | below[4]) == 1 << 3


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_sixty_four_whole_vertices_fit_a_word_and_one_more_does_not() -> None:
    for size, found in ((64, (64, 64, 0, False, 64)), (65, (FULL, 64, 0, False, 64))):
        room, strangers = np.zeros((4, 64), dtype=np.int64), np.zeros(size, dtype=np.int64)
        assert search(strangers, True, 1_000, True, room) == found


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_sixty_four_layers_fit_one_below_the_other() -> None:
    """Each of 64 knows all others: as many layers as pieces, and room is kept for one beyond."""
    for size, found in ((64, (64, 64, 0, False, 64)), (65, (FULL, 64, 0, False, 64))):
        room = np.zeros((4, 64), dtype=np.int64)
        everyone = [(1 << 64) - 1 & ~(1 << v) for v in range(size)]
        near = np.array(everyone, dtype=np.uint64).view(np.int64)
        assert search(near, True, 1_000, True, room) == found
        assert sorted(room[1] - room[1].min()) == list(range(64))


def test_good_layers_are_those_that_keep_the_order_transitive() -> None:
    """Piece 0 lies above piece 1 on layers 66 and 67; a mate of both fits anywhere around them."""
    layer, above, below = np.zeros((3, 64), dtype=np.int64)
    layer[0], layer[1] = 66, 67
    below[0], above[1] = 1 << 1, 1 << 0
    good = np.zeros(4, dtype=np.int64)
    count = good_layers(0b11, 66, 67, layer, above, below, good)
    assert sorted(good[:count].tolist()) == [65, 68]
    count = good_layers(0b01, 66, 67, layer, above, below, good)
    assert sorted(good[:count].tolist()) == [67, 68]  # below 0 but beside or under 1


def placed(seed: int, pieces: int) -> tuple[Placements, np.ndarray, np.ndarray, np.ndarray]:
    """The same pieces twice: as the readable engine keeps them, and as words."""
    rng = np.random.default_rng(seed)
    plain = Placements()
    layer, above, below = np.zeros((3, 64), dtype=np.int64)
    for piece in range(pieces):
        level, mates = int(rng.integers(5)), int(rng.integers(1 << piece))
        plain.push(piece, level, mates)
        put_piece(piece, level, mates, layer, above, below)
    return plain, layer, above, below


@pytest.mark.parametrize("seed", range(20))
def test_words_say_what_the_readable_engine_says(seed: int) -> None:
    plain, layer, above, below = placed(seed, 7)
    assert layer[:7].tolist() == plain.layer
    assert above[:7].tolist() == plain.above
    assert below[:7].tolist() == plain.below
    assert layer_span(7, layer) == (min(plain.layer), max(plain.layer))
    for count in (1, 2):  # what lies behind the last piece says nothing
        assert layer_span(count, layer) == (min(plain.layer[:count]), max(plain.layer[:count]))
    take_piece(6, above, below)
    plain.pop()
    assert above[:6].tolist() == plain.above
    assert below[:6].tolist() == plain.below


def test_a_mate_between_strangers_is_stuck() -> None:
    plain = Placements()
    layer, above, below = np.zeros((3, 64), dtype=np.int64)
    for piece, mates in enumerate(([], [0], [0, 1])):
        plain.push(piece, piece, mask_of(mates))
        put_piece(piece, piece, mask_of(mates), layer, above, below)
    assert stuck_mate(mask_of([1]), above, below) == 1
    assert stuck_mate(mask_of([0, 1]), above, below) == -1
    # With strangers on one side only there is a layer beyond them.
    assert stuck_mate(mask_of([0]), above, below) == -1
    assert stuck_mate(mask_of([2]), above, below) == -1
    assert stuck_mate(mask_of([1, 2]), above, below) == -1


def test_the_first_pieces_are_kept_with_all_that_is_above_and_below() -> None:
    _, layer, above, below = placed(3, 7)
    assert (above[:5] != below[:5]).any()
    kept = np.full((3, 64), 77, dtype=np.int64)
    copy_pieces(5, layer, above, below, kept)
    assert kept[:, :5].tolist() == [layer[:5].tolist(), above[:5].tolist(), below[:5].tolist()]
    assert (kept[:, 5:] == 77).all()
