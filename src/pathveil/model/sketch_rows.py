"""Rows: where a pair of names looks in a sketch. A keyed hash, public once its seed is.

Theory of operation. Each name is normalised (Unicode NFC, so that one spelling has one key) and
hashed once to a key of 128 bits: AES under the seed in the CBC-MAC mode, the length of the name in
front, which makes it a pseudo-random function of names of any length. A pair is the two-block
message *lower key, higher key* in the same mode under a second key; its last block, with the copy
numbers added to it, is stretched by AES to a start and 256 coefficients. So rows of distinct pairs
look like independent random rows to anybody who chose the names before the seed was drawn.

Two traps are avoided. The keys of two names are never combined linearly: with an XOR of two
keys the rows of every cycle of links would add up to zero. What is added is the *encrypted* lower
key to the plain higher key, and that sum is only the input of a permutation. And keys have 128
bits: a million vertices have 10^12 pairs, which would collide in 64 bits.

Everything is array work on whole blocks through the library's AES: a million names or pairs cost
tenths of a second, and nothing is compiled, so the first reading does not wait either.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from hashlib import sha256

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

WordArray = npt.NDArray[np.uint64]
IndexArray = npt.NDArray[np.int64]

SEED_BYTES = 16
WIDTH = 256
"""Coefficients of a row: four words."""

CHUNK = 1 << 15
"""Names or pairs hashed in one go; memory follows it, not the network."""

_HEAD = 12  # bytes of a name beside its length in the first block
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_COUNTERS = np.arange(1, 4, dtype=np.uint64) << np.uint64(56)


class RowHash:
    """The hash of one seed: names to keys, pairs of keys to rows.

    Examples
    --------
    >>> rows = RowHash(bytes(16))
    >>> keys = rows.keys(["a", "b", "c"])
    >>> ends = np.array([[0, 1], [1, 0]])
    >>> ((_, starts, found),) = rows.rows(keys, ends, np.zeros((2, 2), dtype=np.int64), 100)
    >>> bool((found[0] == found[1]).all()), found.shape
    (True, (2, 4))
    """

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"the seed of a sketch has {SEED_BYTES} bytes, found {len(seed)}")
        # Names and pairs have keys of their own: no pair's message is ever a name's.
        self._names = _cipher(sha256(b"pathveil sketch names" + seed).digest())
        self._pairs = _cipher(sha256(b"pathveil sketch pairs" + seed).digest())

    def keys(self, names: Sequence[str]) -> WordArray:
        """Return the keys of names, ``(n, 2)`` words.

        *Cost*: about 0.3 s for a million names; memory 16 bytes a name.
        """
        found = np.empty((len(names), 2), dtype=np.uint64)
        for start in range(0, len(names), CHUNK):
            part = names[start : start + CHUNK]
            found[start : start + len(part)] = self._some_keys(part)
        return found

    def _some_keys(self, names: Sequence[str]) -> WordArray:
        # Numpy turns plain ASCII into bytes by itself, several times faster than we could.
        plain = "".join(names).isascii()
        data: Sequence[str | bytes] = names if plain else [spelled(name) for name in names]
        lengths = np.fromiter(map(len, data), dtype=np.int64, count=len(data))
        first = np.zeros((len(data), 16), dtype=np.uint8)
        first[:, :4] = lengths.astype("<u4").view(np.uint8).reshape(-1, 4)
        first[:, 4:] = _padded(data, _HEAD)
        state = _blocks(first)
        state = self._names(state)
        # Longer names take further blocks; fewer and fewer are left to take them.
        left = np.flatnonzero(lengths > _HEAD)
        offset = _HEAD
        while len(left):
            more = _padded([data[i][offset : offset + 16] for i in left.tolist()], 16)
            state[left] = self._names(state[left] ^ _blocks(more))
            offset += 16
            left = left[lengths[left] > offset]
        return state

    def rows(
        self, keys: WordArray, ends: IndexArray, copies: IndexArray | None, starts: int
    ) -> Iterator[tuple[slice, IndexArray, WordArray]]:
        """Yield, chunk by chunk, which pairs of copies these are, their starts and coefficients.

        Parameters
        ----------
        keys
            Of the names.
        ends
            ``(k, 2)`` places in ``keys``, in either order.
        copies
            ``(k, 2)`` copy numbers of the two ends; None: all zero.
        starts
            How many starts there are.
        """
        hidden = self._pairs(keys)  # the first block of every pair's message, once a name
        for first in range(0, len(ends), CHUNK):
            part = slice(first, min(first + CHUNK, len(ends)))
            state = _mixed(keys, hidden, ends[part], None if copies is None else copies[part])
            # Three blocks each from one state: a counter in the second word tells them apart.
            wide = np.empty((len(state), 3, 2), dtype=np.uint64)
            wide[:, :, 0] = state[:, :1]
            wide[:, :, 1] = state[:, 1:] ^ _COUNTERS
            stretched = self._pairs(wide).reshape(-1, 6)
            yield part, _scaled(stretched[:, 0], starts), stretched[:, 2:]


def _mixed(
    keys: WordArray, hidden: WordArray, ends: IndexArray, copies: IndexArray | None
) -> WordArray:
    """Return the encrypted lower key plus the higher key plus the copy numbers of both."""
    one, other = ends[:, 0], ends[:, 1]
    swapped = later(keys, ends)
    lower, higher = np.where(swapped, other, one), np.where(swapped, one, other)
    mixed: WordArray = hidden.take(lower, axis=0)
    mixed ^= keys.take(higher, axis=0)
    if copies is not None:  # adding zero changes nothing
        mixed ^= np.where(swapped[:, None], copies[:, ::-1], copies).astype(np.uint64)
    return mixed


def spelled(name: str) -> bytes:
    r"""Return the bytes of a name that are hashed: normalised, so one spelling has one key.

    >>> spelled("e\u0301") == spelled("\u00e9")
    True
    """
    if name.isascii():
        return name.encode()
    return unicodedata.normalize("NFC", name).encode("utf-8", "surrogatepass")


def later(keys: WordArray, ends: IndexArray) -> npt.NDArray[np.bool_]:
    """Return for each pair whether its first end has the higher key: pairs have no order."""
    one, other = keys[ends[:, 0], 0], keys[ends[:, 1], 0]
    higher: npt.NDArray[np.bool_] = one > other
    for tie in np.flatnonzero(one == other).tolist():
        i, j = ends[tie].tolist()
        higher[tie] = keys[i, 1] > keys[j, 1]
    return higher


class _cipher:  # noqa: N801 - a function with a key
    """AES on whole arrays of blocks."""

    def __init__(self, key: bytes) -> None:
        self._cipher = Cipher(algorithms.AES(key), modes.ECB())  # noqa: S305 - one block at a time

    def __call__(self, blocks: WordArray) -> WordArray:
        # Words are little-endian on every machine: rows are part of the file format.
        data = np.ascontiguousarray(blocks, dtype="<u8")
        out = np.empty(data.size + 2, dtype="<u8")  # the library asks for room for a block more
        if data.size:
            self._cipher.encryptor().update_into(data.data.cast("B"), out.data.cast("B"))
        return out[: data.size].reshape(blocks.shape).astype(np.uint64, copy=False)


def _padded(pieces: Sequence[str | bytes], width: int) -> npt.NDArray[np.uint8]:
    """Return the first ``width`` bytes of each piece as rows, filled up with zeros."""
    return np.array(pieces, dtype=f"S{width}").view(np.uint8).reshape(-1, width)


def _blocks(data: npt.NDArray[np.uint8]) -> WordArray:
    return np.ascontiguousarray(data).view("<u8").astype(np.uint64)


def _scaled(word: WordArray, bound: int) -> IndexArray:
    """Return the high word of ``word * bound``: uniform below the bound, but for bound / 2^64."""
    times = np.uint64(bound)
    high = (word >> _HALF) * times + ((word & _LOW) * times >> _HALF)
    return (high >> _HALF).astype(np.int64)
