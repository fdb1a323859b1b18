"""The container of compact files: round trips, canonical bytes, and every kind of damage."""

from __future__ import annotations

import json
import tracemalloc
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadFile, BadPublication
from pathveil.files.publications import container as containers
from pathveil.files.publications.container import (
    CHUNK,
    Coding,
    Container,
    contained,
    decode_chunk,
    encode_chunk,
    pack,
)


def coins(rate: float, size: int) -> np.ndarray:
    return np.packbits(np.random.default_rng(5).random(8 * size) < rate)


def entropy(rate: float) -> float:
    return float(-rate * np.log2(rate) - (1 - rate) * np.log2(1 - rate))


@pytest.mark.parametrize("coding", ["raw", "zstd", "range"])
@pytest.mark.parametrize("size", [0, 1, CHUNK, CHUNK + 1, 2 * CHUNK + 7])
def test_round_trip(coding: Coding, size: int) -> None:
    data = coins(0.2, size)
    file = Container(contained({"a": 1}, [pack("x", data, coding=coding)]), "x.veil")
    assert file.facts == {"a": 1}
    assert np.array_equal(file.read("x", limit=size), data)
    for number in range(-(-size // CHUNK)):
        part = file.chunk("x", number)
        assert np.array_equal(part, data[number * CHUNK : (number + 1) * CHUNK])


@pytest.mark.parametrize(
    ("rate", "coding", "above"), [(0.5, "raw", 1.0), (0.378, "zstd", 1.01), (0.076, "range", 1.01)]
)
def test_the_shortest_coding_is_taken(rate: float, coding: str, above: float) -> None:
    section = pack("x", coins(rate, 2 * CHUNK))
    assert section.coding == coding
    assert sum(map(len, section.chunks)) <= above * entropy(rate) * 2 * CHUNK


def test_same_content_same_bytes() -> None:
    one = contained({"b": "é", "a": [1]}, [pack("x", b"abc")])
    assert one == contained({"a": [1], "b": "é"}, [pack("x", b"abc")])


def test_a_file_is_mapped_not_read(tmp_path: Path) -> None:
    """Opening and reading one chunk of a file of 32 MB holds no 32 MB."""
    path = tmp_path / "x.veil"
    path.write_bytes(contained({}, [pack("x", bytes(1 << 25), coding="raw")]))
    tracemalloc.start()
    try:
        with path.open("rb") as handle:
            part = Container.open(handle, "x").chunk("x", 100)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(part) == CHUNK
    assert peak < 1 << 20


SMALL = contained({"a": 1}, [pack("x", b"some bytes", coding="zstd"), pack("y", coins(0.1, 300))])


def opened(data: bytes) -> None:
    file = Container(data, "x.veil")
    assert file.facts == {"a": 1}
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


@pytest.mark.parametrize("coding", ["raw", "zstd", "range"])
@given(data=st.binary(max_size=200))
def test_a_decoder_gives_what_was_encoded_or_nothing(coding: Coding, data: bytes) -> None:
    raw = np.frombuffer(data, dtype=np.uint8)
    rate = containers.bit_rate(raw)
    stored = encode_chunk(raw, coding, rate)
    found = decode_chunk(memoryview(stored), coding, rate, len(data))
    assert found is not None
    assert found.tobytes() == data
    for other in (len(data) + 100, len(data) - 8):
        more = decode_chunk(memoryview(stored), coding, rate, other) if other > 0 else None
        # Zeros that were nearly certain cost the range coder nothing: its bytes state no size,
        # which the header of a file does. But they are the only bytes of what they state.
        assert more is None or (coding, encode_chunk(more, coding, rate)) == ("range", stored)


@given(st.binary(max_size=200), st.integers(1, containers.RATES - 1), st.integers(0, 64))
def test_the_range_coder_survives_anything(stored: bytes, rate: int, size: int) -> None:
    found = decode_chunk(memoryview(stored), "range", rate, size)
    assert found is None or len(found) == size


def test_bytes_behind_the_end_are_refused() -> None:
    with pytest.raises(BadPublication, match="3 bytes follow"):
        opened(SMALL + b"abc")


def forged(change: dict[str, object], chunks: list[bytes], *, sections: object = None) -> bytes:
    """A file with a valid checksum whose section says what we like."""
    section: dict[str, object] = {
        "name": "x",
        "size": 10,
        "coding": "zstd",
        "rate": 0,
        "stored": [len(chunk) for chunk in chunks],
        "digests": [blake2b(chunk, digest_size=16).hexdigest() for chunk in chunks],
    }
    section.update(change)
    header = containers.canonical({"sections": [section] if sections is None else sections})
    front = containers.MAGIC + (1).to_bytes(4, "little") + len(header).to_bytes(4, "little")
    front += header
    return front + blake2b(front, digest_size=16).digest() + b"".join(chunks)


def bomb(size: int) -> bytes:
    packed: bytes = encode_chunk(np.zeros(size, dtype=np.uint8), "zstd", 0)
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
    ({"coding": "pickle"}, [b"1"]),
    ({"coding": "raw"}, [b"1"]),
    ({"coding": "range"}, [b"1"]),
    ({"coding": "range", "rate": 4096}, [b"1"]),
    ({"rate": 3}, [b"1"]),
    ({"coding": "range", "rate": 9}, [b"1"]),
    ({"coding": "range", "rate": 9}, [b"1234" * 2]),
    ({"coding": "range", "rate": 9}, [bytes(4000)]),
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


def test_a_section_larger_than_agreed_is_refused() -> None:
    file = Container(contained({}, [pack("x", b"12345")]), "x.veil")
    with pytest.raises(BadPublication, match="says it has 5 bytes, expected at most 4"):
        file.read("x", limit=4)
    with pytest.raises(BadPublication, match="'z' is missing"):
        file.size("z")


def test_a_section_twice_is_refused() -> None:
    section = pack("x", b"abc")
    with pytest.raises(BadPublication, match="listed twice"):
        Container(contained({}, [section, section]), "x.veil")


def test_a_header_in_another_form_is_refused() -> None:
    for header in (b'{"sections": []}', b'{"sections":[],"a":1}', b"[]", b"\xff", b'{"a":1e999}'):
        front = containers.MAGIC + (1).to_bytes(4, "little") + len(header).to_bytes(4, "little")
        front += header
        with pytest.raises(BadPublication):
            Container(front + blake2b(front, digest_size=16).digest(), "x.veil")


def test_other_versions_and_endless_headers_are_refused() -> None:
    front = containers.MAGIC + (2).to_bytes(4, "little") + bytes(4)
    with pytest.raises(BadPublication, match="version 2"):
        Container(front, "x.veil")
    front = containers.MAGIC + (1).to_bytes(4, "little") + b"\xff" * 4
    with pytest.raises(BadPublication):
        Container(front, "x.veil")


def test_the_header_is_readable_json() -> None:
    length = int.from_bytes(SMALL[12:16], "little")
    assert json.loads(SMALL[16 : 16 + length])["a"] == 1
