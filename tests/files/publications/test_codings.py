"""What a decoder gives back is what was encoded, or nothing at all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.files.publications.container import (
    RATES,
    Coding,
    bit_rate,
    decode_chunk,
    encode_chunk,
    entropy,
)


def bytes_of(data: bytes) -> np.ndarray:
    return np.frombuffer(data, dtype=np.uint8)


@pytest.mark.parametrize("coding", ["raw", "zstd", "range"])
@given(data=st.binary(max_size=200))
def test_round_trip_and_not_a_byte_more_or_less(coding: Coding, data: bytes) -> None:
    rate = bit_rate(bytes_of(data))
    stored = memoryview(encode_chunk(bytes_of(data), coding, rate))
    found = decode_chunk(stored, coding, rate, len(data))
    assert found is not None
    assert found.tobytes() == data
    for other in (len(data) + 100, len(data) - 8):
        if other > 0:
            more = decode_chunk(stored, coding, rate, other)
            # Zeros that were nearly certain cost the range coder nothing: its bytes say no size,
            # which the header of a file does. But they are the only bytes of what they say.
            assert more is None or (coding, encode_chunk(more, coding, rate)) == (
                "range",
                stored.tobytes(),
            )


@given(st.binary(max_size=200), st.integers(1, RATES - 1), st.integers(0, 64))
def test_the_range_coder_survives_anything(stored: bytes, rate: int, size: int) -> None:
    found = decode_chunk(memoryview(stored), "range", rate, size)
    assert found is None or len(found) == size


def test_what_follows_a_zstd_frame_is_refused() -> None:
    stored = encode_chunk(bytes_of(b"abc"), "zstd", 0)
    assert decode_chunk(memoryview(stored + b"x"), "zstd", 0, 3) is None
    assert decode_chunk(memoryview(stored[:-1]), "zstd", 0, 3) is None


def test_the_rate_is_a_share_that_leaves_both_bits_possible() -> None:
    assert bit_rate(bytes_of(bytes(10))) == 1
    assert bit_rate(bytes_of(b"\xff" * 10)) == RATES - 1
    assert bit_rate(bytes_of(b"\x0f" * 10)) == RATES // 2
    assert bit_rate(bytes_of(b"")) == 1


def test_entropy_is_that_of_independent_bits() -> None:
    assert entropy(bytes_of(b"\x0f" * 10)) == 10
    quarter = entropy(bytes_of(b"\x11" * 10))
    assert quarter == pytest.approx(10 * (0.25 * 2 + 0.75 * np.log2(4 / 3)))
