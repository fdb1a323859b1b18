"""The container of ``*.veil``: a list of sections, then their chunks, each with its checksum.

Layout: eight bytes of magic; version and length of the header, little-endian; the header, JSON; a
checksum of all that; then the chunks of the sections, one after the other, nothing between. Blanks
may follow: envelopes fill files up with them. The header says of each section how many bytes it has
and how they are coded, and of each chunk how many bytes it takes in the file, and its checksum
(BLAKE2b, 128 bits: it finds damage, it is no signature).

Files are hostile until shown otherwise. Before a byte of a chunk is looked at, the sizes of all
chunks must add up to the size of the file, but for the blanks; a chunk is decoded into the bytes
its place in the section leaves room for, not one more; so memory is bounded by the sizes a reader
has agreed to. Chunks are decoded when they are asked for, from a memory map: one participant's
links cost the chunks they are in.

Chunks are coded by zstd, or by a range coder for bits that are set at a given rate, for rates at
which bytes are poor symbols. A decoder gives the bytes asked for or None, and never makes more of
them.
"""

from __future__ import annotations

import mmap
import re
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadPublication
from pathveil.files.atomic_write import decode, shorten
from pathveil.files.strict_json import VERSION, bring_into_shape, json_text, parse_json

if TYPE_CHECKING:
    from pathveil.files.publications.veil_schema import SectionPart

RATES = 4096
"""Rates of the range coder are whole 4096ths."""

ByteArray = npt.NDArray[np.uint8]


def encode_chunk(part: ByteArray, rate: int) -> bytes:
    """Return a chunk as it is in a file: by the range coder if there is a rate, else by zstd."""
    if rate:
        return _range_encoded(part, rate)
    packed: bytes = _zstd().compress(part.tobytes(), 1)  # for coins the best is 1
    return packed


def decode_chunk(stored: bytes, rate: int, size: int) -> ByteArray | None:
    """Return exactly ``size`` bytes, or None if there are fewer or more."""
    return _range_decoded(stored, rate, size) if rate else _unpacked(stored, size)


def bit_rate(raw: ByteArray) -> int:
    """Return the share of set bits, in 4096ths, neither none nor all."""
    share = int(np.bitwise_count(raw).sum()) / max(8 * len(raw), 1)
    return min(max(round(share * RATES), 1), RATES - 1)


def entropy(raw: ByteArray) -> float:
    """Return the bytes that independent bits at this rate take at least."""
    share = bit_rate(raw) / RATES
    bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    return float(bits) * len(raw)


@cache
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
    return np.packbits(bits.astype(np.uint8))


MAGIC = b"\x89VEIL\r\n\n"
CHUNK = 1 << 17
"""Bytes of a section in one chunk."""

HEADER_LIMIT = 1 << 24
_FRONT = len(MAGIC) + 8
_DIGEST = 16
_BLANKS = re.compile(rb" *")
_ENTRY = 2 * _DIGEST + 12  # what the header says of a chunk: digest and length, with their commas
_WORTH = 0.98  # the range coder is four times slower than zstd: it must save two per cent

Buffer = bytes | mmap.mmap


class Section(NamedTuple):
    """A section to be written: its bytes when decoded, and one rate for all its chunks."""

    name: str
    size: int
    rate: int
    chunks: list[bytes]

    def facts(self) -> dict[str, Any]:
        """Return what the header says of the section."""
        return {
            "name": self.name,
            "size": self.size,
            "rate": self.rate,
            "stored": [len(chunk) for chunk in self.chunks],
            "digests": [_digest(chunk) for chunk in self.chunks],
        }


def pack(name: str, data: ByteArray | bytes) -> Section:
    """Return a section, coded in the way that takes fewer bytes.

    >>> pack("facts", b"a" * 1000).rate
    0
    """
    raw = np.frombuffer(data, dtype=np.uint8)
    parts = [raw[start : start + CHUNK] for start in range(0, len(raw), CHUNK)]
    chunks, rate = [encode_chunk(part, 0) for part in parts], bit_rate(raw)
    if entropy(raw) < _WORTH * sum(map(len, chunks)):
        coded = [encode_chunk(part, rate) for part in parts]
        if sum(map(len, coded)) < sum(map(len, chunks)):
            return Section(name, len(raw), rate, coded)
    return Section(name, len(raw), 0, chunks)


def most_stored(size: int) -> int:
    """Return how many bytes a section of so many takes at most, with its place in the header.

    >>> most_stored(0) < most_stored(1_000) < 1_400
    True
    """
    chunks = -(-size // CHUNK)
    return 128 + size + size // 256 + chunks * (64 + _ENTRY)  # zstd's bound, and the header's


def contained(sections: list[Section]) -> bytes:
    """Return the bytes of a file: the same sections give the same bytes."""
    header = json_text([section.facts() for section in sections], BadPublication).encode()
    front = MAGIC + VERSION.to_bytes(4, "little") + len(header).to_bytes(4, "little") + header
    body = [chunk for section in sections for chunk in section.chunks]
    return b"".join([front, blake2b(front, digest_size=_DIGEST).digest(), *body])


class Container:
    """A file that was opened and whose header was checked; its chunks are not decoded yet.

    Attributes
    ----------
    length
        Its bytes, without the blanks behind them.
    """

    length: int

    def __init__(self, data: Buffer, where: str) -> None:
        self.where = where
        self._data = memoryview(data)
        self._sections: dict[str, tuple[SectionPart, int]] = {}
        self._lay_out(*self._header())

    @classmethod
    def open(cls, handle: BinaryIO, where: str) -> Container:
        """Return the container in an opened file, mapped into memory where it is a regular one."""
        try:
            data: Buffer = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # a pipe that was read already, or an empty file
            data = handle.read()
        return cls(data, where)

    def _header(self) -> tuple[object, int]:
        """Return what the header states, and where it ends."""
        data = self._data
        version = int.from_bytes(data[8:12], "little")
        if len(data) >= _FRONT and version != VERSION:
            raise BadPublication(
                f"{self.where}: has format version {version}, this program reads {VERSION}; "
                "use the version that wrote it"
            )
        length = int.from_bytes(data[12:16], "little")
        end = _FRONT + length
        if length > HEADER_LIMIT or len(data) < end + _DIGEST:
            raise self.damaged(f"ends after {len(self._data):,} bytes, too early")
        if blake2b(data[:end], digest_size=_DIGEST).digest() != bytes(data[end : end + _DIGEST]):
            raise self.damaged("the header does not have its checksum")
        text = decode(bytes(data[_FRONT:end]), f"{self.where}: header")
        return parse_json(text, f"{self.where}: header"), end + _DIGEST

    def _lay_out(self, listed: object, start: int) -> None:
        """Check the table of sections, and that their chunks are what is left of the file."""
        from pathveil.files.publications.veil_schema import SectionPart

        if not isinstance(listed, list):
            raise self.damaged("the header lists no sections")
        for facts in listed:
            section = bring_into_shape(SectionPart, facts, f"{self.where}: sections")
            sizes = (len(section.stored), len(section.digests))
            if section.name in self._sections or sizes != (-(-section.size // CHUNK),) * 2:
                raise self.damaged(f"section {shorten(section.name)} is not what it says of itself")
            self._sections[section.name] = (section, start)
            start += sum(section.stored)
        if start > len(self._data):
            raise self.damaged(f"ends after {len(self._data):,} bytes, too early")
        if not _BLANKS.fullmatch(self._data, start):
            raise self.damaged(f"{len(self._data) - start} bytes follow the last section")
        self.length = start

    def size(self, name: str) -> int:
        """Return how many bytes a section has when decoded."""
        return self._sections[name][0].size

    def names(self) -> frozenset[str]:
        """Return the names of the sections."""
        return frozenset(self._sections)

    def read(self, name: str, *, limit: int) -> ByteArray:
        """Return a whole section, which may have at most ``limit`` bytes."""
        section, _ = self._sections[name]
        if section.size > limit:
            raise self.damaged(
                f"section {shorten(name)} says it has {section.size:,} bytes, expected at most "
                f"{limit:,}"
            )
        whole = np.empty(section.size, dtype=np.uint8)
        for number in range(len(section.stored)):
            part = self.chunk(name, number)
            whole[number * CHUNK : number * CHUNK + len(part)] = part
        return whole

    def chunk(self, name: str, number: int) -> ByteArray:
        """Return one chunk of a section, decoded."""
        section, start = self._sections[name]
        start += sum(section.stored[:number])
        stored = self._data[start : start + section.stored[number]]
        if _digest(stored) != section.digests[number]:
            raise self.damaged(f"chunk {number} of section {shorten(name)} fails its checksum")
        size = min(CHUNK, section.size - number * CHUNK)
        decoded = decode_chunk(bytes(stored), section.rate, size)
        if decoded is None:
            raise self.damaged(f"chunk {number} of section {shorten(name)} cannot be decoded")
        return decoded

    def damaged(self, why: str) -> BadPublication:
        """Return the error for a file whose parts do not fit together."""
        return BadPublication(f"{self.where}: {why}; the file is damaged: get it again")


def _digest(chunk: bytes | memoryview) -> str:
    return blake2b(chunk, digest_size=_DIGEST).hexdigest()
