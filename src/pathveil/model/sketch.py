"""Sketched bits: the question of a publication, answered from about one bit for each *link*.

Theory of operation. A sketch is the solution z of one linear equation over GF(2) for each link: the
row of the link (:mod:`pathveil.model.sketch`) times z is the link's value. Every other pair
has a row too, independent of those of the links, so it reads a coin. Nothing else is stored: no
list of vertices, no number of them, no name. With two names one can ask for their pair; with the
network one knows which answers are not coins.

A value has ``planes`` bits; a pair is shown on the walk where its value is below a threshold.

This module reads. Where z comes from is a matter of chance: :mod:`pathveil.sketching.equations`.

Texts that lie one after the other in memory, read as words of eight bytes.

A million names are a million objects all over the memory; laid end to end they are one array, and
eight letters of each are fetched at once.

Rows: where a pair of names looks in a sketch. A keyed hash, public once its seed is.

Theory of operation. Each name is normalised (Unicode NFC, so that one spelling has one key) and
hashed once to a key of 128 bits: AES under the seed in the CBC-MAC mode, the length of the name in
front, which makes it a pseudo-random function of names of any length. A pair is the message
*lower key, higher key* in the same mode under a second key; what comes out last is stretched by AES
to a start and 256 coefficients. So rows of distinct pairs
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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from operator import lt

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from pathveil.errors import NoVertexList
from pathveil.model.bits import BoolArray, IndexArray, PackedBits
from pathveil.model.network import Network
from pathveil.model.positions import Positions

WordArray = npt.NDArray[np.uint64]

_KEPT = np.array([(1 << 8 * kept) - 1 for kept in range(9)], dtype=np.uint64)


def words_of(data: bytes) -> WordArray:
    r"""Return the word that begins at each byte, and one after the last; zeros follow the data.

    >>> [hex(word) for word in words_of(b"\1\2").tolist()]
    ['0x201', '0x2', '0x0']
    """
    followed = data + bytes(8)
    # As many as begin and end in it: the last ends with it, seven bytes after its first.
    return np.ndarray(len(followed) - 7, "<u8", followed, strides=(1,))


def eight_bytes(words: WordArray, begins: IndexArray, lengths: IndexArray) -> WordArray:
    """Return the bytes from each beginning as one word: eight, or as many as there are.

    >>> words = words_of(b"abcdefghij")
    >>> texts = eight_bytes(words, np.array([0, 8, 9]), np.array([9, 2, 0]))
    >>> [int(text).to_bytes(8, "little").rstrip(bytes(1)) for text in texts]
    [b'abcdefgh', b'ij', b'']
    """
    kept = _KEPT[np.clip(lengths, 0, 8)]
    # Where nothing is left there may be no word any more: any will do.
    taken: WordArray = words[np.minimum(begins, len(words) - 1)] & kept
    return taken


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
    >>> ((_, starts, found),) = rows.rows(keys, ends, 100)
    >>> bool((found[0] == found[1]).all()), found.shape
    (True, (2, 4))
    """

    def __init__(self, seed: bytes) -> None:
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
        self, keys: WordArray, ends: IndexArray, starts: int
    ) -> Iterator[tuple[slice, IndexArray, WordArray]]:
        """Yield, chunk by chunk, which pairs these are, their starts and coefficients.

        Parameters
        ----------
        keys
            Of the names.
        ends
            ``(k, 2)`` places in ``keys``, in either order.
        starts
            How many starts there are.
        """
        # Beside each key the first half of its pairs' messages, encrypted once: the two are
        # fetched together, for where memory is large a fetch costs more than the arithmetic.
        both = np.concatenate([keys, self._pairs(keys)], axis=1)
        for first in range(0, len(ends), CHUNK):
            part = slice(first, min(first + CHUNK, len(ends)))
            state = _mixed(both, ends[part])
            # Three outputs each from one state: a counter in the second word tells them apart.
            wide = np.empty((len(state), 3, 2), dtype=np.uint64)
            wide[:, :, 0] = state[:, :1]
            wide[:, :, 1] = state[:, 1:] ^ _COUNTERS
            stretched = self._pairs(wide).reshape(-1, 6)
            yield part, _scaled(stretched[:, 0], starts), stretched[:, 2:]


def _mixed(both: WordArray, ends: IndexArray) -> WordArray:
    """Return the encrypted lower key plus the higher key."""
    one, other = both.take(ends[:, 0], axis=0), both.take(ends[:, 1], axis=0)
    swapped = later(one, other)
    mixed: WordArray = np.where(swapped[:, None], other[:, 2:], one[:, 2:])
    mixed ^= np.where(swapped[:, None], one[:, :2], other[:, :2])
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
    at the separators; a name that holds a separator makes us go name by name.
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


ValueArray = npt.NDArray[np.uint32]

MOST_PLANES = 32
MOST_KEYS = 1 << 31
"""Equations a sketch may have; starts are scaled by products of 32 bits."""

MOST_BYTES = 511 << 20
"""Bytes the values of a sketch may have: a file of 512 MiB, the most that is read back, holds them
and its header."""


@dataclass(frozen=True)
class SketchShape:
    """The public numbers that fix the size of a sketch.

    Parameters
    ----------
    starts
        Columns at which a row may start.
    planes
        Bits of a value.
    width
        Coefficients of a row. Smaller ones than the usual are for tests on tiny systems.

    Examples
    --------
    >>> shape = SketchShape.holding(1_000_000)
    >>> shape.starts, shape.columns, shape.bytes
    (1080001, 1080256, 135032)
    """

    starts: int
    planes: int = 1
    width: int = WIDTH

    def __post_init__(self) -> None:
        if not (1 <= self.planes <= MOST_PLANES and 1 <= self.width <= WIDTH and self.starts >= 1):
            raise ValueError(f"no sketch has the shape {self}")

    @classmethod
    def holding(cls, keys: int, *, planes: int = 1) -> SketchShape:
        """Return the shape for at most ``keys`` equations: 1.08 columns each, and a row more."""
        if not 1 <= keys <= MOST_KEYS:
            raise ValueError(f"a sketch holds 1 to {MOST_KEYS} equations, not {keys}")
        return cls(-(-27 * keys // 25) + 1, planes)

    @staticmethod
    def most_keys(*, planes: int) -> int:
        """Return for how many equations at most values of ``planes`` bits fit a file.

        >>> SketchShape.most_keys(planes=1), SketchShape.most_keys(planes=8)
        (2147483648, 496131555)
        """
        starts = 8 * (MOST_BYTES // planes) - WIDTH + 1
        return min(MOST_KEYS, (starts - 1) * 25 // 27)

    @property
    def columns(self) -> int:
        """Bits of a plane."""
        return self.starts + self.width - 1

    @property
    def words(self) -> int:
        """Words of a plane."""
        return (self.columns + 63) // 64

    @property
    def bytes(self) -> int:
        """Bytes of all planes together, whole bytes each."""
        return self.planes * ((self.columns + 7) // 8)

    @property
    def spare(self) -> int:
        """Bits of a plane's last word that belong to no column."""
        return 64 * self.words - self.columns

    def masked(self, rows: WordArray) -> WordArray:
        """Return rows without the coefficients beyond the width."""
        if self.width == WIDTH:
            return rows
        whole = (1 << self.width) - 1
        mask = [(whole >> shift) & 0xFFFFFFFFFFFFFFFF for shift in range(0, WIDTH, 64)]
        return rows & np.array(mask, dtype=np.uint64)


@dataclass(frozen=True, eq=False, repr=False)
class SketchedBits:
    """Bits that any pair of names can be asked for; every vertex has one copy.

    Parameters
    ----------
    seed
        Public, of the hash.
    shape
        The public size.
    words
        ``(planes, shape.words)``: column c of a plane is bit ``c % 64`` of word ``c // 64``.
    capacity
        The public number of links there may be at most.
    threshold
        A pair is shown on the walk where its value is below.

    Examples
    --------
    >>> shape = SketchShape.holding(10)
    >>> bits = SketchedBits(bytes(16), shape, np.zeros((1, shape.words), dtype=np.uint64))
    >>> asked = bits.positions_of(["b", "a"])
    >>> asked.vertices, bits.same_branch(asked, np.array([[0, 1]])).tolist()
    (('a', 'b'), [False])
    """

    seed: bytes
    shape: SketchShape
    words: WordArray
    capacity: int = 0
    threshold: int = 1

    def __post_init__(self) -> None:
        expected = (self.shape.planes, self.shape.words)
        if self.words.dtype != np.uint64 or self.words.shape != expected:
            raise ValueError(
                f"a sketch of this shape has {expected} words, found {self.words.shape} "
                f"of {self.words.dtype}"
            )
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"the seed of a sketch has {SEED_BYTES} bytes, not {len(self.seed)}")
        if self.shape.spare and (self.words[:, -1] >> np.uint64(64 - self.shape.spare)).any():
            raise ValueError("the spare bits of a plane's last word must be clear")
        self.words.setflags(write=False)

    def listed(self) -> PackedBits:
        """Raise :class:`NoVertexList`: there is no list of pairs."""
        raise NoVertexList(
            "this publication lists no vertices, so it cannot be drawn or enumerated as it is; "
            "name the vertices (publication.among(names)), or ask it about the pairs you know"
        )

    def require_over(self, network: Network) -> None:
        """Do nothing: a sketch answers for every network."""

    def positions_of(self, names: Iterable[str]) -> Positions:
        """Return the public copies of some vertices; a sketch knows no name and refuses none."""
        chosen = tuple(names)
        if not all(map(lt, chosen, islice(chosen, 1, None))):
            chosen = tuple(sorted(set(chosen)))
        return Positions.uniform(chosen, 1)

    def same_branch(self, asked: Positions, pairs: IndexArray) -> BoolArray:
        """Return for each pair of asked positions whether it is shown in one branch.

        *Cost*: one hash for each asked name and pair and one inner product of 256 bits;
        a million pairs in about 0.2 s.
        """
        found: BoolArray = self.pair_values(asked.vertices, pairs) >= self.threshold
        return found

    def pair_values(self, names: tuple[str, ...], ends: IndexArray) -> ValueArray:
        """Return the value of each pair of names."""
        keys, places = self._keys(names, ends)
        values = np.empty(len(ends), dtype=np.uint32)
        for part, starts, rows in self._hash.rows(keys, places, self.shape.starts):
            values[part] = read_values(self.words, starts, self.shape.masked(rows))
        return values

    @cached_property
    def _hash(self) -> RowHash:
        return RowHash(self.seed)

    def _keys(self, names: tuple[str, ...], ends: IndexArray) -> tuple[WordArray, IndexArray]:
        """Return keys of the names that are asked for, and the ends as places among them."""
        if 2 * len(ends) >= len(names):
            return self._hash.keys(names), ends
        used, places = np.unique(ends, return_inverse=True)
        return self._hash.keys([names[i] for i in used.tolist()]), places.reshape(ends.shape)

    def content(self) -> bytes:
        """Return all that it says as bytes, the same for equal bits and for no others."""
        shape = (self.shape.starts, self.shape.planes, self.shape.width)
        numbers = (*shape, self.capacity, self.threshold)
        head = b"sketch" + b"".join(number.to_bytes(8, "big") for number in numbers)
        return head + self.seed + np.ascontiguousarray(self.words, dtype="<u8").tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SketchedBits):
            return NotImplemented
        return self._facts() == other._facts() and np.array_equal(self.words, other.words)

    def __hash__(self) -> int:
        return hash((self.seed, self.shape))

    def _facts(self) -> tuple[object, ...]:
        return self.seed, self.shape, self.capacity, self.threshold

    def __repr__(self) -> str:
        return f"<SketchedBits: {self.shape.bytes} bytes>"


def read_values(words: WordArray, starts: IndexArray, rows: WordArray) -> ValueArray:
    """Return the inner products of rows with every plane of a sketch.

    >>> words = np.array([[0b110]], dtype=np.uint64)
    >>> row = np.array([[0b11, 0, 0, 0]], dtype=np.uint64)
    >>> read_values(words, np.array([1]), row).tolist(), read_values(words, np.array([2]), row)
    ([0], array([1], dtype=uint32))
    """
    base, shift = starts >> 6, (starts & 63).astype(np.uint64)
    back = np.uint64(63) - shift
    values = np.zeros(len(starts), dtype=np.uint32)
    for plane, line in enumerate(words):
        mixed = np.zeros(len(starts), dtype=np.uint64)
        # Clipped where a row ends with the plane: what is read twice there has no coefficient.
        upper = line.take(base, mode="clip")
        for place in range(rows.shape[1]):
            lower, upper = upper, line.take(base + (place + 1), mode="clip")
            # Shifted in two steps, because a shift by a whole word is not defined.
            mixed ^= ((lower >> shift) | (upper << np.uint64(1) << back)) & rows[:, place]
        values |= (np.bitwise_count(mixed) & 1).astype(np.uint32) << np.uint32(plane)
    return values
