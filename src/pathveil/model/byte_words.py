"""Texts that lie one after the other in memory, read as words of eight bytes.

A million names are a million objects all over the memory; laid end to end they are one array, and
eight letters of each are fetched at once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

WordArray = npt.NDArray[np.uint64]
IndexArray = npt.NDArray[np.int64]

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
