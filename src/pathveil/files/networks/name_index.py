"""Names numbered by array work: what a dictionary does, without an object for each name met.

Theory of operation. A name is a few words of eight bytes, zeros after its end. Its key is the word
itself, or a mix of all of them; keys are sorted and searched in sorted order, so that memory is
read from front to back however many names there are, where a dictionary would wait for the memory
at each look-up. Keys are kept in runs, each less than half as long as the one before; where two
come too near they are merged, so that no name is moved often. Two names with one key are noticed,
for the words are compared as well: then the caller takes a dictionary.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pathveil.model.bits import IndexArray
from pathveil.model.sketch import WordArray, eight_bytes

LONGEST = 32
"""Bytes of a name at most."""

_TIMES = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93],
    dtype=np.uint64,
)


class NameIndex:
    """Numbers of names, in the order in which they are first met.

    Examples
    --------
    >>> from pathveil.model.sketch import words_of
    >>> index = NameIndex()
    >>> words, begins = words_of(b"beta|alpha|beta|"), np.array([0, 5, 11])
    >>> index.numbers(words, begins, np.array([4, 5, 4])).tolist(), index.names()
    ([0, 1, 0], ['beta', 'alpha'])
    """

    def __init__(self) -> None:
        self._count = 0
        self._table = np.zeros((1 << 10, 1), dtype=np.uint64)
        self._runs: list[_Run] = []

    def numbers(
        self, words: WordArray, begins: IndexArray, lengths: IndexArray
    ) -> IndexArray | None:
        """Return the number of each name; None if one is too long or two share a key.

        Parameters
        ----------
        words
            Of the bytes in which the names lie (:func:`pathveil.model.sketch.words_of`).
        begins, lengths
            Where each name begins, and its bytes; none holds a zero.
        """
        longest = int(lengths.max(initial=1))
        if longest > LONGEST:
            return None
        parts = [
            eight_bytes(words, begins + first, lengths - first) for first in range(0, longest, 8)
        ]
        keys, first, which = np.unique(_mixed(parts), return_index=True, return_inverse=True)
        self._widen(len(parts))
        found = self._looked_up(keys)
        new = np.flatnonzero(found < 0)
        found[new[np.argsort(first[new])]] = np.arange(self._count, self._count + len(new))
        self._add(keys[new], found[new], [part[first[new]] for part in parts])
        single = [part[first] for part in parts]
        if not all(map(np.array_equal, (one[which] for one in single), parts)):
            return None
        known = self._table[found]
        known[:, : len(parts)] ^= np.stack(single, axis=1)
        if known.any():
            return None
        numbers: IndexArray = found[which]
        return numbers

    def names(self) -> list[str]:
        """Return all names by their numbers."""
        rows = np.ascontiguousarray(self._table[: self._count], dtype="<u8")
        texts = rows.view(f"S{8 * rows.shape[1]}").ravel().tolist()
        # No name holds the end of a line.
        return b"\n".join(texts).decode().split("\n") if texts else []

    def _widen(self, width: int) -> None:
        more = width - self._table.shape[1]
        if more > 0:
            self._table = np.pad(self._table, ((0, 0), (0, more)))

    def _looked_up(self, keys: WordArray) -> IndexArray:
        found = np.full(len(keys), -1, dtype=np.int64)
        for run in self._runs:
            missing = np.flatnonzero(found < 0)
            found[missing] = run.find(keys[missing])
        return found

    def _add(self, keys: WordArray, numbers: IndexArray, parts: list[WordArray]) -> None:
        count = self._count + len(keys)
        if count > len(self._table):
            larger = np.zeros((2 * count, self._table.shape[1]), dtype=np.uint64)
            larger[: self._count] = self._table[: self._count]
            self._table = larger
        for place, part in enumerate(parts):
            self._table[numbers, place] = part
        self._count = count
        if not len(keys):
            return
        self._runs.append(_Run(keys, numbers))
        while len(self._runs) > 1 and 2 * len(self._runs[-1].keys) > len(self._runs[-2].keys):
            last = self._runs.pop()
            self._runs[-1] = self._runs[-1].with_more(last.keys, last.numbers)


@dataclass(frozen=True)
class _Run:
    """Keys, one at least, ascending, and the number of each."""

    keys: WordArray
    numbers: IndexArray

    def find(self, keys: WordArray) -> IndexArray:
        """Return the number of each key, -1 for one that is not there."""
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.numbers[at], -1)

    def with_more(self, keys: WordArray, numbers: IndexArray) -> _Run:
        """Return these and others, which are ascending too and none of these."""
        at = np.searchsorted(self.keys, keys)
        return _Run(np.insert(self.keys, at, keys), np.insert(self.numbers, at, numbers))


def _mixed(parts: list[WordArray]) -> WordArray:
    """Return one word for each name. Words of zeros do not count: a short name has one key."""
    mixed = parts[0].copy()
    for part, times in zip(parts[1:], _TIMES, strict=False):
        mixed ^= _stirred(part * times)
    return mixed


def _stirred(words: WordArray) -> WordArray:
    stirred: WordArray = (words ^ (words >> np.uint64(29))) * _TIMES[-1]
    return stirred
