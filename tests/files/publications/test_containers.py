"""The container of compact files: round trips, canonical bytes, and every kind of damage."""

from __future__ import annotations

import json
import tracemalloc
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadFile, BadPublication
from pathveil.files.publications import container as containers
from pathveil.files.publications.container import (
    CHUNK,
    Container,
    Section,
    contained,
    decode_chunk,
    encode_chunk,
    pack,
)


def coins(rate: float, size: int) -> np.ndarray:
    return np.packbits(np.random.default_rng(5).random(8 * size) < rate)


def entropy(rate: float) -> float:
    return float(-rate * np.log2(rate) - (1 - rate) * np.log2(1 - rate))


@pytest.mark.parametrize("rate", [0, 800])
@pytest.mark.parametrize("size", [0, 1, CHUNK, 2 * CHUNK + 7])
def test_round_trip(rate: int, size: int) -> None:
    data = coins(0.2, size)
    parts = [data[start : start + CHUNK] for start in range(0, size, CHUNK)]
    section = Section("x", size, rate, [encode_chunk(part, rate) for part in parts])
    file = Container(contained([section]), "x.veil")
    assert np.array_equal(file.read("x", limit=size), data)
    for number, part in enumerate(parts):
        assert np.array_equal(file.chunk("x", number), part)


def test_the_shorter_coding_is_taken() -> None:
    for rate, ranged in ((0.5, False), (0.378, False), (0.076, True)):
        section = pack("x", coins(rate, 2 * CHUNK))
        assert (section.rate > 0) == ranged
        assert sum(map(len, section.chunks)) <= 1.01 * entropy(rate) * 2 * CHUNK


SMALL = contained([pack("x", b"some bytes"), pack("y", coins(0.1, 300))])


def opened(data: bytes) -> None:
    file = Container(data, "x.veil")
    assert bytes(file.read("x", limit=10)) == b"some bytes"
    assert np.array_equal(file.read("y", limit=300), coins(0.1, 300))


def test_every_truncation_and_every_flipped_bit_is_refused() -> None:
    for length in range(len(SMALL)):
        with pytest.raises(BadPublication):
            opened(SMALL[:length])
    for bit in range(0, 8 * len(SMALL), 3):
        data = bytearray(SMALL)
        data[bit >> 3] ^= 1 << (bit & 7)
        with pytest.raises(BadPublication):
            opened(bytes(data))


@given(data=st.binary(max_size=200), ranged=st.booleans())
def test_a_decoder_gives_what_was_encoded_or_nothing(data: bytes, *, ranged: bool) -> None:
    raw = np.frombuffer(data, dtype=np.uint8)
    rate = containers.bit_rate(raw) if ranged else 0
    stored = encode_chunk(raw, rate)
    found = decode_chunk(stored, rate, len(data))
    assert found is not None
    assert found.tobytes() == data
    if not ranged:  # the bytes of the range coder state no size, which the header of a file does
        assert decode_chunk(stored, rate, len(data) + 1) is None
        assert not data or decode_chunk(stored, rate, len(data) - 1) is None


@given(st.binary(max_size=200), st.integers(1, containers.RATES - 1), st.integers(0, 64))
def test_the_range_coder_survives_anything(stored: bytes, rate: int, size: int) -> None:
    found = decode_chunk(stored, rate, size)
    assert found is None or len(found) == size


def test_bytes_behind_the_end_are_refused() -> None:
    with pytest.raises(BadPublication, match="3 bytes follow"):
        opened(SMALL + b"abc")


def forged(change: dict[str, object], chunks: list[bytes], *, sections: object = None) -> bytes:
    """A file with a valid checksum whose section says what we like."""
    section: dict[str, object] = {
        "name": "x",
        "size": 10,
        "rate": 0,
        "stored": [len(chunk) for chunk in chunks],
        "digests": [blake2b(chunk, digest_size=16).hexdigest() for chunk in chunks],
    }
    section.update(change)
    header = json.dumps([section] if sections is None else sections).encode()
    return with_header(header) + b"".join(chunks)


def with_header(header: bytes, version: int = 1) -> bytes:
    front = containers.MAGIC + version.to_bytes(4, "little") + len(header).to_bytes(4, "little")
    return front + header + blake2b(front + header, digest_size=16).digest()


def bomb(size: int) -> bytes:
    packed: bytes = encode_chunk(np.zeros(size, dtype=np.uint8), 0)
    return packed


def test_a_bomb_stops_at_the_size_it_was_given_room_for() -> None:
    data = forged({}, [bomb(1 << 28)])
    assert len(data) < 1 << 16
    tracemalloc.start()
    try:
        with pytest.raises(BadPublication, match="cannot be decoded"):
            Container(data, "x.veil").read("x", limit=10)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20


LIES: list[tuple[dict[str, object], list[bytes]]] = [
    ({"size": 1 << 40}, [b"1"]),
    ({"size": -1}, []),
    ({"size": True}, [b"1"]),
    ({"stored": [1 << 50]}, [b"1"]),
    ({"stored": ["1"]}, [b"1"]),
    ({"rate": 4096}, [b"1"]),
    ({"rate": 9}, [b"1"]),
    ({"rate": 9}, [bytes(4000)]),
    ({}, [b"no zstd"]),
    ({}, [bomb(10) + b"x"]),
    ({}, [bomb(9)]),
    ({"more": 1}, [b"1"]),
    ({"name": 3}, [b"1"]),
]


def test_a_section_that_lies_is_refused() -> None:
    for change, chunks in LIES:
        with pytest.raises(BadFile):
            Container(forged(change, chunks), "x.veil").read("x", limit=10)
    for sections in (3, [3], [{"name": "x"}]):
        with pytest.raises(BadFile):
            Container(forged({}, [], sections=sections), "x.veil")


def test_a_section_larger_than_agreed_or_given_twice_is_refused() -> None:
    section = pack("x", b"12345")
    with pytest.raises(BadPublication, match="says it has 5 bytes, expected at most 4"):
        Container(contained([section]), "x.veil").read("x", limit=4)
    with pytest.raises(BadPublication):
        Container(contained([section, section]), "x.veil")


def test_other_headers_and_versions_are_refused() -> None:
    for header in (b"{}", b"\xff", b"[1e999]", b"[", b""):
        with pytest.raises(BadFile):
            Container(with_header(header), "x.veil")
    with pytest.raises(BadPublication, match="version 2"):
        Container(with_header(b"[]", version=2), "x.veil")
    with pytest.raises(BadPublication):
        Container(containers.MAGIC + (1).to_bytes(4, "little") + b"\xff" * 4, "x.veil")
