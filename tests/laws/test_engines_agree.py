"""The compiled search is the plain one: same steps, same layers, same pieces, same end."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pathveil.errors import SearchExhausted
from pathveil.lab.reproduction.run_chunks import run_stint
from pathveil.lab.reproduction.sweep import Cell
from pathveil.layering.backtracking import Insertion, insert_vertices
from pathveil.model.bits import PairBits, pair_count
from pathveil.model.positions import Positions
from tests.strategies import pair_bits

FIVE_CYCLE = PairBits.from_pairs(5, [(0, 2), (1, 2), (1, 3), (3, 4), (4, 0)])


def places(size: int) -> Positions:
    return Positions.uniform(tuple(f"{i:02d}" for i in range(size)), 1)


def outcome(
    bits: PairBits,
    order: list[int],
    limit: int,
    at_limit: Literal["error", "split"],
    *,
    splitting: bool,
    twin: bool,
) -> Insertion | int:
    try:
        return insert_vertices(
            bits,
            places(bits.size),
            order,
            splitting=splitting,
            step_limit=limit,
            at_limit=at_limit,
            compiled=twin,
        )
    except SearchExhausted as error:
        return error.steps


@settings(max_examples=120)
@given(
    pair_bits(largest=12),
    st.randoms(use_true_random=False),
    st.sampled_from([0, 1, 5, 40, 10_000]),
    st.booleans(),
    st.sampled_from(["error", "split"]),
)
@example(FIVE_CYCLE, None, 10_000, True, "split")
@example(FIVE_CYCLE, None, 3, True, "split")
def test_compiled_and_plain_search_agree(
    bits: PairBits,
    rng: object,
    limit: int,
    splitting: bool,  # noqa: FBT001
    at_limit: Literal["error", "split"],
) -> None:
    order = list(range(bits.size))
    if rng is not None:
        rng.shuffle(order)  # type: ignore[attr-defined]
    plain = outcome(bits, order, limit, at_limit, splitting=splitting, twin=False)
    twin = outcome(bits, order, limit, at_limit, splitting=splitting, twin=True)
    assert plain == twin


WHOLE_WORDS = pytest.mark.compiled  # as plain Python, 64 bits and a sign do not fit a word


@pytest.mark.parametrize("size", [30, *(pytest.param(n, marks=WHOLE_WORDS) for n in (63, 64))])
def test_they_agree_up_to_the_last_bit_of_a_word(size: int) -> None:
    rng = np.random.default_rng(size)
    # A sparse forest-like graph: usable, so the pieces are as many as the copies.
    matrix = np.zeros((size, size), dtype=bool)
    for v in range(1, size):
        matrix[v, int(rng.integers(0, v))] = rng.random() < 0.7
    bits = PairBits.from_matrix(matrix | matrix.T)
    order = rng.permutation(size).tolist()
    plain = outcome(bits, order, 2_000, "split", splitting=True, twin=False)
    assert plain == outcome(bits, order, 2_000, "split", splitting=True, twin=True)


@WHOLE_WORDS
def test_more_than_64_pieces_are_placed_in_plain_python() -> None:
    rng = np.random.default_rng(3)
    for size in (60, 70):
        flat = rng.random(pair_count(size)) < 0.5
        bits = PairBits.from_flat(size, flat)
        order = list(range(size))
        plain = outcome(bits, order, 200, "split", splitting=True, twin=False)
        assert isinstance(plain, Insertion)
        assert plain.layered is not None
        assert len(plain.layered.position_of) > 64
        assert plain == outcome(bits, order, 200, "split", splitting=True, twin=True)


@pytest.mark.parametrize(
    "case",
    [
        {"edges": 9, "vertex_budget": "0.5", "edge_budget": "1", "step_limit": 60},
        {"edges": 10, "walk": "cyclic", "visits": 8, "vertex_budget": "0.5", "edge_budget": "0.5"},
        {"edges": 13, "splitting": False},
        {"edges": 13, "splitting": False, "step_limit": 8},
        {"edges": 14, "edge_budget": "5"},
    ],
)
def test_kernels_do_the_same_uncompiled(
    case: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for engine in ("backtracking", "exact"):
        cell = Cell(engine, 6, **case)  # type: ignore[arg-type]
        wanted = run_stint(cell, "uncompiled", 12)[0]
        with monkeypatch.context() as patched:
            patched.setattr("pathveil.lab.reproduction.run_chunks.compiled", lambda kernel: kernel)
            assert run_stint(cell, "uncompiled", 12)[0] == wanted
