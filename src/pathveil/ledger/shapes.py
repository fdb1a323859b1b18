"""same_shape(): whether two networks are one network under other names.

Vertices are told apart by the vertices around them, as far as that goes. Where several still look
alike, one is marked in the first network, and each that looks like it in the second is tried as its
counterpart.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pathveil.model.network import Network

MOST_MARKED, MOST_TRIED = 20, 10_000
"""Vertices that are marked at a time, and counterparts that are tried in all, at most; networks
that still look alike then are taken for one."""

Colours = npt.NDArray[np.int64]


def same_shape(first: Network, second: Network) -> bool:
    """Return whether no difference is found between two networks but their names.

    >>> prism, coded = Network.parse("ab bc ca de ef fd ad be cf"), "uv vw wu xy yz zx ux vy wz"
    >>> same_shape(prism, Network.parse(coded))
    True
    >>> same_shape(prism, Network.parse("ux uy uz vx vy vz wx wy wz"))
    False
    """
    if (len(first), len(first.pairs)) != (len(second), len(second.pairs)):
        return False
    both = np.concatenate([first.pairs, second.pairs + len(first)])
    ends = np.concatenate([both, both[:, ::-1]])
    return _is_one(ends, np.zeros(2 * len(first), dtype=np.int64), 0, iter(range(MOST_TRIED)))


def _is_one(ends: Colours, colours: Colours, marked: int, tries: Iterator[int]) -> bool:
    """Return whether the first half of the vertices looks like the second, given some colours."""
    half = len(colours) // 2
    told = _told_apart(ends, colours)
    if told is None:
        return False
    alike = np.bincount(told[:half])
    if alike.max() == 1 or marked == MOST_MARKED or next(tries, None) is None:
        return True
    few = np.flatnonzero(told == np.where(alike > 1, alike, half + 1).argmin())
    for other in few[few >= half]:
        trial = told.copy()
        trial[[few[0], other]] = len(alike)
        if _is_one(ends, trial, marked + 1, tries):
            return True
    return False


def _told_apart(ends: Colours, colours: Colours) -> Colours | None:
    """Return finer colours: alike is who has neighbours alike; None if the halves then differ."""
    half, known = len(colours) // 2, 0
    while True:
        marks = (colours.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        marks = (marks ^ (marks >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        around = marks * np.uint64(3)
        np.add.at(around, ends[:, 0], marks[ends[:, 1]] ^ (marks[ends[:, 1]] >> np.uint64(32)))
        found, colours = np.unique(around, return_inverse=True)
        many = len(found)
        if not np.array_equal(np.sort(colours[:half]), np.sort(colours[half:])):
            return None
        if many == known:
            return colours
        known = many
