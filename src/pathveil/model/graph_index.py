"""What a network is made with: labels of any kind as distinct names; pairs as single numbers, which
sort and search fast; and which vertices hang together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadNetwork, NameClash

IndexArray = npt.NDArray[np.int64]


class VertexNames:
    """Labels as text and numbers, refusing two labels that would become the same name."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.labels: dict[str, Hashable] = {}  # those that are not texts

    def add(self, label: Hashable) -> int:
        """Return the number of a label, a new one if it is new."""
        text = label if isinstance(label, str) else str(label)
        number = self.number.get(text)
        if number is None:
            if not text:
                raise BadNetwork("a vertex has an empty name; every vertex needs a name")
            number = self.number[text] = len(self.number)
            if not isinstance(label, str):
                self.labels[text] = label
            return number
        known = self.labels.get(text, text)
        if known is not label and (type(known) is not type(label) or known != label):
            raise NameClash(
                f"labels {known!r} and {label!r} are both called {text!r}; "
                "vertex names must stay distinct as text, rename one"
            )
        return number


def sorted_names(names: Sequence[str]) -> tuple[tuple[str, ...], IndexArray]:
    """Return distinct names sorted, and the rank of each.

    >>> sorted_names(["c", "a", "b"])
    (('a', 'b', 'c'), array([2, 0, 1]))
    """
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return _side_by_side([names[i] for i in order.tolist()]), rank


def _side_by_side(names: list[str]) -> tuple[str, ...]:
    """Return the same names, made anew one after the other.

    Names are met in the order of a file and kept in another. Made anew, names that follow each
    other are neighbours in memory, so that going through a million of them is fast.
    """
    between = "\0"
    made = between.join(names).split(between)
    return tuple(made if len(made) == len(names) else names)


def with_lengths(names: Iterable[str]) -> bytes:
    r"""Return names as bytes, their lengths in front: no two lists of names give the same.

    >>> with_lengths(["a", "bc"])
    b'\x00\x00\x00\x01a\x00\x00\x00\x02bc'
    """
    texts = (name.encode("utf-8", "surrogatepass") for name in names)
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def link_keys(ends: IndexArray, size: int) -> IndexArray:
    """Return each pair of vertex places as one number, lower end times ``size`` plus higher end.

    >>> link_keys(np.array([[2, 1], [0, 2]]), 3).tolist()
    [5, 2]
    """
    first, second = ends[:, 0], ends[:, 1]
    keys: IndexArray = np.minimum(first, second) * np.int64(size) + np.maximum(first, second)
    return keys


def pairs_of_keys(keys: IndexArray, size: int) -> IndexArray:
    """Return the pairs of such numbers.

    >>> pairs_of_keys(np.array([5, 2]), 3).tolist()
    [[1, 2], [0, 2]]
    """
    pairs = np.empty((len(keys), 2), dtype=np.int64)
    np.divmod(keys, np.int64(size), out=(pairs[:, 0], pairs[:, 1]))
    return pairs


def connected_parts(size: int, pairs: IndexArray) -> tuple[int, IndexArray]:
    """Return how many connected components there are, and which one each vertex is in.

    Components are numbered in the order of their first vertices.

    *Cost.* Linear in vertices and pairs, times the square of a logarithm at worst; the rounds on
    real networks are about five. Three million pairs take two thirds of a second.

    Examples
    --------
    >>> count, part = connected_parts(5, np.array([[3, 1], [0, 2], [4, 3]]))
    >>> count, part.tolist()
    (2, [0, 1, 0, 1, 1])
    """
    first = np.arange(size, dtype=np.int64)  # for each vertex the first one of its component
    while True:
        a, b = first[pairs[:, 0]], first[pairs[:, 1]]
        apart = a != b
        if not apart.any():
            break
        # Both ends stand at roots here, so the later root is hung below the earlier one; never the
        # other way round, hence no circles, and the root that is left is the first vertex.
        np.minimum.at(first, np.maximum(a, b)[apart], np.minimum(a, b)[apart])
        while True:
            shorter = first[first]
            if np.array_equal(shorter, first):
                break
            first = shorter
    firsts = np.flatnonzero(first == np.arange(size))
    return len(firsts), firsts.searchsorted(first)
