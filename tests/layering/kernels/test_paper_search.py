from __future__ import annotations

import numpy as np

from pathveil.layering.kernels.paper_search import FULL, carried, cut_vertex, put_piece, search
from pathveil.model.bits import PairBits, pair_count


def test_more_than_a_word_of_pieces_is_said() -> None:
    """Sixty vertices of a dense map need more than 64 pieces."""
    flat = np.random.default_rng(1).random(pair_count(60)) < 0.5
    matrix = PairBits.from_flat(60, flat).matrix()
    near = np.array([sum(1 << int(j) for j in np.flatnonzero(row)) for row in matrix], dtype=object)
    pieces, *_ = search(near, True, 50, True, np.zeros((4, 64), dtype=object))
    assert pieces == FULL


def test_a_vertex_without_mates_stands_below_all_others_if_a_word_has_room() -> None:
    owner, layer, above, below = np.zeros((4, 64), dtype=object)
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


def test_a_stuck_mate_needs_room_for_its_bare_piece_too() -> None:
    """Pieces 0, 1, 2 one below the other; whoever meets 1 alone meets a bare piece of it."""
    for pieces, found in ((3, (5, 1)), (63, (FULL, 0)), (64, (FULL, 0))):
        owner, layer, above, below = np.zeros((4, 64), dtype=object)
        for piece, mates in enumerate((0, 0b1, 0b11)):
            owner[piece] = piece
            put_piece(piece, piece, mates, layer, above, below)
        assert cut_vertex(9, 0b10, pieces, owner, layer, above, below) == found
        if pieces == 3:
            assert owner[:5].tolist() == [0, 1, 2, 1, 9]
            assert (above[4] | below[4]) == 1 << 3


def test_sixty_four_whole_vertices_fit_a_word_and_one_more_does_not() -> None:
    for size, found in ((64, (64, 64, 0, False, 64)), (65, (FULL, 64, 0, False, 64))):
        room, strangers = np.zeros((4, 64), dtype=object), np.zeros(size, dtype=object)
        assert search(strangers, True, 1_000, True, room) == found


def test_sixty_four_layers_fit_one_below_the_other() -> None:
    """Each of 64 knows all others: as many layers as pieces, and room is kept for one beyond."""
    for size, found in ((64, (64, 64, 0, False, 64)), (65, (FULL, 64, 0, False, 64))):
        room = np.zeros((4, 64), dtype=object)
        everyone = [(1 << 64) - 1 & ~(1 << v) for v in range(size)]
        near = np.array(everyone, dtype=object)
        assert search(near, True, 1_000, True, room) == found
        assert sorted(room[1] - room[1].min()) == list(range(64))


def test_pieces_lie_above_and_below_their_mates_and_no_others() -> None:
    for seed in range(60):
        matrix = np.triu(np.random.default_rng(seed).random((7, 7)) < 0.5, 1)
        matrix |= matrix.T
        near = np.array([sum(1 << int(j) for j in np.flatnonzero(row)) for row in matrix])
        room = np.zeros((4, 64), dtype=object)
        pieces, *_ = search(near.astype(object), True, 1_000, True, room)
        owner, _, above, below = room[:, :pieces]
        shown = np.zeros_like(matrix)
        for k, words in enumerate(above | below):
            for other in range(pieces):
                shown[owner[k], owner[other]] |= bool(words >> other & 1)
        assert (shown == matrix).all()


def test_a_vertex_is_carried_by_the_pieces_of_those_near_it() -> None:
    carrier = np.array([4, 0, 2], dtype=object)
    assert carried(0b110, 3, carrier) == 0b101
    assert carried(0b110, 2, carrier) == 0b001
    assert carried(0, 3, carrier) == 0
