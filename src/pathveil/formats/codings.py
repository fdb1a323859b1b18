"""How bytes of a section are coded: as they are, by zstd, or by a range coder at a given bit rate.

Whatever is decoded is hostile until shown otherwise: a decoder gives the bytes asked for or None,
and never makes more of them.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

RATES = 4096
"""Rates of the range coder are whole 4096ths."""

Coding = Literal["raw", "zstd", "range"]
ByteArray = npt.NDArray[np.uint8]


def encode_chunk(part: ByteArray, coding: Coding, rate: int) -> bytes:
    """Return a chunk as it stands in a file; only the range coder looks at the rate.

    >>> encode_chunk(np.frombuffer(b"ab", dtype=np.uint8), "raw", 0)
    b'ab'
    """
    if coding == "raw":
        return part.tobytes()
    if coding == "zstd":
        packed: bytes = _zstd().compress(part.tobytes(), 1)  # for coins the best is 1
        return packed
    return _range_encoded(part, rate)


def decode_chunk(stored: memoryview, coding: Coding, rate: int, size: int) -> ByteArray | None:
    """Return exactly ``size`` bytes, or None if there are fewer or more."""
    if coding == "raw":
        return np.frombuffer(stored, dtype=np.uint8) if len(stored) == size else None
    if coding == "zstd":
        return _unpacked(bytes(stored), size)
    return _range_decoded(bytes(stored), rate, size)


def bit_rate(raw: ByteArray) -> int:
    """Return the share of set bits, in 4096ths, neither none nor all."""
    share = int(np.bitwise_count(raw).sum()) / max(8 * len(raw), 1)
    return min(max(round(share * RATES), 1), RATES - 1)


def entropy(raw: ByteArray) -> float:
    """Return the bytes that independent bits at this rate take at least."""
    share = bit_rate(raw) / RATES
    bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    return float(bits) * len(raw)


def _zstd() -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from backports import zstd
    return zstd


def _unpacked(stored: bytes, size: int) -> ByteArray | None:
    zstd = _zstd()
    reader = zstd.ZstdDecompressor()
    try:
        # One byte more than there may be: a bomb stops there, whatever it says of itself.
        found = reader.decompress(stored, max_length=size + 1)
    except zstd.ZstdError:
        return None
    if len(found) != size or not reader.eof or reader.unused_data:
        return None
    return np.frombuffer(found, dtype=np.uint8)


def _model(rate: int) -> Any:
    import constriction

    return constriction.stream.model.Bernoulli(rate / RATES, perfect=False)


def _range_encoded(part: ByteArray, rate: int) -> bytes:
    import constriction

    coder = constriction.stream.queue.RangeEncoder()
    coder.encode(np.unpackbits(part).astype(np.int32), _model(rate))
    words: npt.NDArray[np.uint32] = coder.get_compressed()
    return words.astype("<u4").tobytes()


def _range_decoded(stored: bytes, rate: int, size: int) -> ByteArray | None:
    import constriction

    if len(stored) % 4 or len(stored) > 8 * size + 8:
        return None
    words = np.frombuffer(stored, dtype="<u4").astype(np.uint32)
    try:
        coder = constriction.stream.queue.RangeDecoder(words)
        bits = coder.decode(_model(rate), 8 * size)
    except (AssertionError, ValueError):
        return None
    found = np.packbits(bits.astype(np.uint8))
    # Only what the encoder writes is accepted: one content, one chunk.
    return found if _range_encoded(found, rate) == stored else None
