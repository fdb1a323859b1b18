from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.model.bits import PairBits, Relation, pair_count, pair_places, unflatten
from tests.strategies import pair_bits


@given(pair_bits())
def test_every_view_says_the_same(bits: PairBits) -> None:
    matrix = bits.matrix()
    assert (matrix == matrix.T).all()
    assert not matrix.diagonal().any()
    assert PairBits.from_matrix(matrix) == bits
    assert PairBits.from_pairs(bits.size, [tuple(p) for p in bits.pairs().tolist()]) == bits
    assert bits.count() == len(bits.pairs()) == matrix.sum() // 2
    for i in range(bits.size):
        for j in range(bits.size):
            if i != j:
                assert bits.same_branch(i, j) == matrix[i, j]
    places = np.arange(pair_count(bits.size))
    assert (bits.at(places) == bits.flat()).all()


@given(st.integers(2, 40))
def test_places_are_a_numbering_of_the_pairs(size: int) -> None:
    places = np.arange(pair_count(size))
    pairs = unflatten(places, size)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert (pair_places(pairs[:, 1], pairs[:, 0], size) == places).all()


def test_wrong_shapes_and_spare_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="need 1 packed bytes"):
        PairBits(4, np.zeros(2, dtype=np.uint8))
    with pytest.raises(ValueError, match="spare bits"):
        PairBits(3, np.array([0b00011111], dtype=np.uint8))


def test_bits_cannot_be_changed_afterwards() -> None:
    bits = PairBits.from_pairs(4, [(0, 1)])
    with pytest.raises(ValueError, match="read-only"):
        bits.packed[0] = 0


def test_ten_thousand_positions_take_one_bit_a_pair() -> None:
    size = 10_000
    bits = PairBits(size, np.zeros((pair_count(size) + 7) // 8, dtype=np.uint8))
    assert bits.packed.nbytes == 6_249_375
    assert not bits.same_branch(1, 9_999)


def test_relation_knows_what_is_absent_and_is_silent() -> None:
    relation = Relation(3, np.array([0]), np.array([2]))
    assert relation.absent().tolist() == [1]
    assert repr(relation) == "<Relation: 3 positions>"
