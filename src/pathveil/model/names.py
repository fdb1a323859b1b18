"""Names of vertices: labels of any kind as distinct texts, and what a wrong one may mean."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from difflib import get_close_matches

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadNetwork, NameClash

IndexArray = npt.NDArray[np.int64]

MOST_COMPARED = 20_000
"""Names up to which a wrong one is compared with all of them: about a tenth of a second."""

LONGEST_COMPARED = 1000
"""Signs up to which a wrong name is compared: comparing takes fifty bytes for each of them."""


class VertexNames:
    """Labels as text and numbers, refusing two labels that would become the same name."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.labels: dict[str, Hashable] = {}  # those that are no text

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

    Names are met in the order of a file and kept in another, so that every later walk over a
    million of them would wait for the memory at each; made anew they lie there in their order.
    """
    between = "\0"
    made = between.join(names).split(between)
    return tuple(made if len(made) == len(names) else names)


def did_you_mean(name: str, known: Collection[str]) -> str:
    """Return a question that ends a message about an unknown name; nothing where none is like it.

    Examples
    --------
    >>> did_you_mean("Colonge", ["Aachen", "Cologne"])
    "; did you mean 'Cologne'?"
    >>> did_you_mean("x", ["Aachen", "Cologne"])
    ''
    """
    found = _closest(name, known) if len(name) <= LONGEST_COMPARED else None
    return "" if found is None else f"; did you mean {found!r}?"


def _closest(name: str, known: Collection[str]) -> str | None:
    bare = _bare(name)
    alike = next((other for other in known if _bare(other) == bare and other != name), None)
    if alike is not None or len(known) > MOST_COMPARED:
        return alike
    return next(iter(get_close_matches(name, known, cutoff=0.75)), None)


def _bare(name: str) -> str:
    return "".join(name.casefold().split())
