from __future__ import annotations

from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadBudget, UnknownVertex
from pathveil.model import bits as patterns
from pathveil.model.bits import (
    LARGEST_TABLE,
    PackedBits,
    PairBits,
    pair_count,
    pair_places,
    pattern_count,
    pattern_table,
    unflatten,
)
from pathveil.model.positions import Positions
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
    for bit in range(5):
        with pytest.raises(ValueError, match="spare bits"):
            PairBits(3, np.array([1 << bit], dtype=np.uint8))
    assert PairBits(3, np.array([0b11100000], dtype=np.uint8)).flat().all()


def test_bits_cannot_be_changed_afterwards() -> None:
    bits = PairBits.from_pairs(4, [(0, 1)])
    with pytest.raises(ValueError, match="read-only"):
        bits.packed[0] = 0


@given(pair_bits(largest=7), st.data())
def test_packed_bits_answer_whoever_asks_in_his_own_numbers(
    bits: PairBits, data: st.DataObject
) -> None:
    vertices = tuple("abcdefg"[: data.draw(st.integers(1, bits.size))])
    spare = bits.size - len(vertices)
    positions = Positions(vertices, (1 + spare, *(1 for _ in vertices[1:])))
    packed = PackedBits(positions, bits)
    chosen = data.draw(st.lists(st.sampled_from(vertices), min_size=1))
    asked = packed.positions_of(chosen)
    assert asked.vertices == tuple(sorted(set(chosen)))
    pairs = [(i, j) for i in range(len(asked)) for j in range(len(asked)) if i != j]
    answers = packed.same_branch(asked, np.array(pairs, dtype=np.int64).reshape(-1, 2))
    own = [tuple(positions.index(*asked.label(k)) for k in pair) for pair in pairs]
    assert answers.tolist() == [bits.same_branch(i, j) for i, j in own]


def test_packed_bits_know_their_vertices() -> None:
    packed = PackedBits(Positions.uniform(("a", "b"), 1), PairBits.from_pairs(2, []))
    with pytest.raises(UnknownVertex, match="'z' is none of the 2"):
        packed.positions_of(["a", "z"])
    with pytest.raises(ValueError, match="2 copies but bits for 3"):
        PackedBits(packed.positions, PairBits.from_pairs(3, []))


def test_all_it_says_is_in_its_bytes() -> None:
    """Names by their lengths, numbers of copies, then the bits: no two say the same."""
    bits = PackedBits(Positions(("a", "bc"), (1, 2)), PairBits.from_pairs(3, [(0, 2)]))
    four = [number.to_bytes(4, "big") for number in range(3)]
    names = four[1] + b"a" + four[1] + four[2] + b"bc" + four[2]
    assert bits.content() == (2).to_bytes(8, "big") + names + bits.pairs.packed.tobytes()


def expected(copies: int, uses: int) -> list[list[bool]]:
    """Few uses first; within a number of uses by the first column in which two differ."""
    pairs = list(product(range(copies), repeat=2))
    rows = []
    for used in range(1, uses + 1):
        for chosen in combinations(range(len(pairs)), used):
            shown: nx.Graph[tuple[str, int]] = nx.Graph()
            shown.add_edges_from((("u", pairs[k][0]), ("v", pairs[k][1])) for k in chosen)
            if nx.is_forest(shown) and max(degree for _, degree in shown.degree) <= 2:
                rows.append([k in chosen for k in range(len(pairs))])
    return rows


@pytest.mark.parametrize(
    ("copies", "uses"), [(1, 1), (1, 2), (2, 1), (2, 3), (2, 4), (3, 3), (3, 6)]
)
def test_patterns_are_the_parts_of_paths_in_a_public_order(copies: int, uses: int) -> None:
    table = pattern_table(copies, uses)
    assert table.tolist() == expected(copies, uses)
    assert pattern_count(copies, uses) == len(table)
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = False


def test_what_would_fill_the_memory_is_refused_with_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(BadBudget, match=f"have 245505 patterns, more than the {LARGEST_TABLE}"):
        pattern_table(5, 6)
    monkeypatch.setattr(patterns, "LARGEST_TABLE", 14)
    assert len(pattern_table.__wrapped__(2, 3)) == 14
    with pytest.raises(BadBudget, match="have 15 patterns, more than the 14"):
        pattern_table.__wrapped__(2, 4)
    assert pattern_count(5, None) == 2**25 - 1
