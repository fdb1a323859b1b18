"""A network as its file states it, and the checks that every format shares.

Readers of single formats give a :class:`RawNetwork`; :func:`finish` makes it a
:class:`~pathveil.model.network.Network` or refuses it with the place in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadFile, BadNetwork, NotConnected, NotSimple, UnknownVertex
from pathveil.files.atomic_write import shorten
from pathveil.model.graph_index import pairs_of_keys, sorted_names
from pathveil.model.network import Network
from pathveil.wording import MOST_COMPARED, counted, did_you_mean

Ends = npt.NDArray[np.integer[Any]]
LONGEST_NAME = 20_000
"""Characters of the name of a vertex, at most: longer ones are a fault or an attack."""
Simplify = bool | Literal["parallel"]
"""What may be repaired: nothing, everything, or parallel links alone."""
Note = Callable[[str], None]
"""Takes a sentence about something that was decided while reading."""


@dataclass
class RawNetwork:
    """A network as its file states it.

    Parameters
    ----------
    where
        What messages call the file.
    names
        Distinct names of the vertices.
    left, right
        The two ends of each link, as places in ``names``.
    place
        Returns where the file states a link: ``"line 7"``, ``"edges[3]"``.
    points
        Coordinates by place in ``names``, as far as the file gives them.
    remarks
        What a user should know about how the file was read.
    """

    where: str
    names: Sequence[str]
    left: Ends
    right: Ends
    place: Callable[[int], str]
    points: dict[int, tuple[float, float]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        longest = max(self.names, key=len, default="")
        if len(longest) > LONGEST_NAME:
            raise BadFile(
                f"{self.where}: the name {shorten(longest)} has {len(longest):,} characters, "
                f"expected at most {LONGEST_NAME:,}; shorten it, or check the file"
            )

    def link(self, number: int) -> tuple[str, str]:
        """Return the names at the ends of a link."""
        return self.names[int(self.left[number])], self.names[int(self.right[number])]


def finish(
    raw: RawNetwork,
    *,
    simplify: Simplify = False,
    largest_component: bool = False,
    note: Note | None = None,
) -> Network:
    """Return the network in its canonical form; its links are taken out of ``raw``.

    Parameters
    ----------
    simplify
        True to drop self-loops and merge parallel links, ``"parallel"`` to merge parallel links
        alone; else both are refused.
    largest_component
        Keep the largest component (of equals, the one with the first name) instead of refusing a
        network in several parts.
    note
        Called with a sentence for everything that was decided.

    *Cost*: beside the network, about 20 bytes for each link while it works.
    """
    if not len(raw.names):
        raise BadFile(f"{raw.where}: holds no vertex, expected at least one link")
    tell = note or (lambda _: None)
    for remark in raw.remarks:
        tell(remark)
    names, left, right = tuple(raw.names), raw.left, raw.right
    if names != tuple(sorted(names)):
        names, rank = sorted_names(raw.names)
        left, right = rank[left], rank[right]
    size = len(names)
    keys = np.minimum(left, right).astype(np.int64)
    keys *= size
    keys += np.maximum(left, right)
    loops = np.flatnonzero(left == right)
    if len(loops):
        if simplify is not True:
            raise _self_loop(raw, int(loops[0]))
        keys = np.delete(keys, loops)
        tell(f"{raw.where}: {counted(len(loops), 'self-loop')} dropped")
    del left, right
    keys.sort()
    again = keys[1:] == keys[:-1]
    merged = int(again.sum())
    if merged and not simplify:
        raise _parallel(raw)
    # No message needs them any more, and they are large.
    raw.left = raw.right = np.zeros(0, dtype=np.int64)
    if merged:
        keys = keys[np.concatenate([[True], ~again])]
        tell(f"{raw.where}: {counted(merged, 'parallel link')} merged")
    del again
    pairs = pairs_of_keys(keys, size)
    del keys
    if not len(pairs):
        raise BadNetwork(f"{raw.where}: the network has no link; a walk needs at least one")
    points = {raw.names[i]: point for i, point in raw.points.items()}
    network = Network.placed(names, pairs, points)
    looked_at = names[:MOST_COMPARED] if note is not None else ()
    alike = Counter(" ".join(name.split()).casefold() for name in looked_at)
    if (word := next((word for word, many in alike.items() if many > 1), None)) is not None:
        two = [name for name in names if " ".join(name.split()).casefold() == word][:2]
        more = sum(many * (many - 1) // 2 for many in alike.values()) - 1
        others = f" (and {counted(more, 'more pair')})" if more else ""
        tell(f"{raw.where}: {' and '.join(map(shorten, two))} are two vertices, not one{others}")
    count, part = network.parts
    if count > 1 and not largest_component:
        lone = names[int(np.flatnonzero(part == np.argmin(np.bincount(part)))[0])]
        raise NotConnected(
            f"{raw.where}: the network of {counted(size, 'vertex', 'vertices')} has {count} "
            f"components (the smallest holds {shorten(lone)}), expected one; add the missing "
            f"links, or keep the largest component: {_CLEAN} --largest-component"
        )
    if count > 1:
        network = network.largest_component()
        tell(f"{raw.where}: {counted(size - len(network), 'vertex', 'vertices')} left out")
    return network


def row_of(raw: RawNetwork, vertex: str, note: Note | None = None) -> tuple[str, ...]:
    """Return the sorted neighbours of one vertex; the rest of the file may be anything.

    ``note`` is told if every link is one of another vertex, whose own file this seems to be.
    """
    if vertex not in raw.names:
        raise UnknownVertex(
            f"{raw.where}: holds no vertex {shorten(vertex)}; check its spelling (names are "
            "compared letter by letter) or whether this is the right file"
            + did_you_mean(vertex, raw.names)
        )
    here = raw.names.index(vertex)
    others = np.union1d(raw.right[raw.left == here], raw.left[raw.right == here])
    if here in others:
        raise _self_loop(raw, int(np.flatnonzero((raw.left == here) & (raw.right == here))[0]))
    if note is not None and len(others) == 1 and len(raw.left) > 1:
        (other,) = others.tolist()
        if ((raw.left == other) | (raw.right == other)).all():
            note(
                f"every link in {raw.where} is one of {shorten(raw.names[other])}; the answer is "
                f"right only if {shorten(vertex)} has no further link"
            )
    return tuple(sorted(raw.names[i] for i in others.tolist()))


_CLEAN = "pathveil network clean FILE -o NEW.csv"


def _self_loop(raw: RawNetwork, link: int) -> NotSimple:
    return NotSimple(
        f"{raw.where}, {raw.place(link)}: a link joins {shorten(raw.link(link)[0])} to itself; a "
        f"network has no self-loops: remove it, or drop all of them with {_CLEAN}"
    )


def _parallel(raw: RawNetwork) -> NotSimple:
    """Return the error for the first link of the file that was given before."""
    low, high = np.minimum(raw.left, raw.right), np.maximum(raw.left, raw.right)
    keys = low.astype(np.int64) * len(raw.names) + high
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order[1:]] == keys[order[:-1]]) + 1
    at = again[np.argmin(order[again])]
    first, second = int(order[at - 1]), int(order[at])
    u, v = raw.link(second)
    return NotSimple(
        f"{raw.where}, {raw.place(second)}: link {shorten(u)} - {shorten(v)} was given before "
        f"({raw.place(first)}); a network has no parallel links and no directions: keep one of "
        f"them, or merge all of them with {_CLEAN}"
    )
