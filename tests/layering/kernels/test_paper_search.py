from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from pathveil.layering.backtracking import Placements, insert_vertices
from pathveil.layering.kernels.paper_search import (
    FULL,
    cut_vertex,
    put_piece,
    search,
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
