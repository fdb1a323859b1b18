"""Rows: where a pair of names looks in a sketch. A keyed hash, public once its seed is.

Theory of operation. Each name is normalised (Unicode NFC, so that one spelling has one key) and
hashed once to a key of 128 bits: AES under the seed in the CBC-MAC mode, the length of the name in
front, which makes it a pseudo-random function of names of any length. A pair is the message
*lower key, higher key* in the same mode under a second key; what comes out last, with the copy
numbers added to it, is stretched by AES to a start and 256 coefficients. So rows of distinct pairs
look like independent random rows to anybody who chose the names before the seed was drawn.

Two traps are avoided. The keys of two names are never combined linearly: with an XOR of two
keys the rows of every cycle of links would add up to zero. What is added is the *encrypted* lower
key to the plain higher key, and that sum is only the input of a permutation. And keys have 128
bits: a million vertices have 10^12 pairs, which would collide in 64 bits.

Everything is array work through the library's AES: a million names or pairs cost
tenths of a second, and nothing is compiled, so the first reading does not wait either.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from hashlib import sha256

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from pathveil.model.byte_words import IndexArray, WordArray, eight_bytes, words_of

SEED_BYTES = 16
WIDTH = 256
"""Coefficients of a row: four words."""

CHUNK = 1 << 15
"""Names or pairs hashed in one go; memory follows it, not the network."""

_BETWEEN = "\0"  # between names that are laid out together
_HEAD = 12  # bytes of a name beside its length in the first 16
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
        words, begins, lengths = _laid_out(names)
        first = np.empty((len(names), 2), dtype=np.uint64)
        first[:, 0] = lengths.astype(np.uint64) | eight_bytes(words, begins, lengths) << _HALF
        first[:, 1] = eight_bytes(words, begins + 4, lengths - 4)
        state = self._names(first)
        # Longer names take 16 bytes more, and again; fewer and fewer are left to take them.
        left = np.flatnonzero(lengths > _HEAD)
        offset = _HEAD
        while len(left):
            here, rest = begins[left] + offset, lengths[left] - offset
            more = np.stack(
                [eight_bytes(words, here, rest), eight_bytes(words, here + 8, rest - 8)], axis=1
            )
            state[left] = self._names(state[left] ^ more)
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
        # Beside each key the first half of its pairs' messages, encrypted once: the two are
        # fetched together, for where memory is large a fetch costs more than the arithmetic.
        both = np.concatenate([keys, self._pairs(keys)], axis=1)
        for first in range(0, len(ends), CHUNK):
            part = slice(first, min(first + CHUNK, len(ends)))
            state = _mixed(both, ends[part], None if copies is None else copies[part])
            # Three outputs each from one state: a counter in the second word tells them apart.
            wide = np.empty((len(state), 3, 2), dtype=np.uint64)
            wide[:, :, 0] = state[:, :1]
            wide[:, :, 1] = state[:, 1:] ^ _COUNTERS
            stretched = self._pairs(wide).reshape(-1, 6)
            yield part, _scaled(stretched[:, 0], starts), stretched[:, 2:]


def _mixed(both: WordArray, ends: IndexArray, copies: IndexArray | None) -> WordArray:
    """Return the encrypted lower key plus the higher key plus the copy numbers of both."""
    one, other = both.take(ends[:, 0], axis=0), both.take(ends[:, 1], axis=0)
    swapped = later(one, other)
    mixed: WordArray = np.where(swapped[:, None], other[:, 2:], one[:, 2:])
    mixed ^= np.where(swapped[:, None], one[:, :2], other[:, :2])
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


def later(one: WordArray, other: WordArray) -> npt.NDArray[np.bool_]:
    """Return for each two keys whether the first is the higher one: pairs have no order."""
    (high, low), (other_high, other_low) = one.T[:2], other.T[:2]
    higher: npt.NDArray[np.bool_] = (high > other_high) | ((high == other_high) & (low > other_low))
    return higher


class _cipher:  # noqa: N801 - a function with a key
    """AES on whole arrays, 16 bytes at a time."""

    def __init__(self, key: bytes) -> None:
        self._cipher = Cipher(algorithms.AES(key), modes.ECB())  # noqa: S305 - chained by hand

    def __call__(self, messages: WordArray) -> WordArray:
        # Words are little-endian on every machine: rows are part of the file format.
        data = np.ascontiguousarray(messages, dtype="<u8")
        out = np.empty(data.size + 2, dtype="<u8")  # the library asks for room for 16 bytes more
        if data.size:
            self._cipher.encryptor().update_into(data.data.cast("B"), out.data.cast("B"))
        return out[: data.size].reshape(messages.shape).astype(np.uint64, copy=False)


def _laid_out(names: Sequence[str]) -> tuple[WordArray, IndexArray, IndexArray]:
    """Return what stands from each byte on, of all names together, their beginnings and lengths.

    Names are objects all over the memory, so they are touched once, by one join. It is parted again
    at the signs between them; a name that holds that sign makes us go name by name.
    """
    text = _BETWEEN.join(names)
    if not text.isascii():
        # The sign between composes with nothing: this is each name normalised by itself.
        text = unicodedata.normalize("NFC", text)
    data = text.encode("utf-8", "surrogatepass")
    stops = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord(_BETWEEN))
    if len(stops) != len(names) - 1:
        single = [spelled(name) for name in names]
        data = _BETWEEN.encode().join(single)
        stops = np.cumsum([len(name) + 1 for name in single])[:-1] - 1
    begins = np.concatenate([[0], stops + 1])
    return words_of(data), begins, np.append(stops, len(data)) - begins


def _scaled(word: WordArray, bound: int) -> IndexArray:
    """Return the high word of ``word * bound``: uniform below the bound, but for bound / 2^64."""
    times = np.uint64(bound)
    high = (word >> _HALF) * times + ((word & _LOW) * times >> _HALF)
    return (high >> _HALF).astype(np.int64)
