from __future__ import annotations

import numpy as np
import pytest

from pathveil.layering.backtracking import Placements, mask_of
from pathveil.layering.kernels.paper_search import (
    copy_pieces,
    good_layers,
    layer_span,
    put_piece,
    stuck_mate,
    take_piece,
)


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
