"""How many links of the network outsiders name who only count how many files show each pair.

Under chaff that is not rare, links that walks seldom use are shown on a walk by fewer files than
other pairs, and links that most walks use by more. So whoever knows how many links there are names
as many pairs from both ends: those that the fewest files show, and those that the most do, in the
best proportion. Whoever also looks at hubs, at what links are like, or at which pairs join to one
path may name more.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import IndexArray

FloatArray = npt.NDArray[np.float64]


def named_links(links: IndexArray, chaff: FloatArray, pairs: int) -> float:
    """Return how many links such an outsider names on average, or by luck if that is more.

    Parameters
    ----------
    links
        How many links no file shows on a walk, one file shows, two files show and so on.
    chaff
        The chance of a pair without a link to be shown by so many. Pairs that show what no link
        does are left out.
    pairs
        How many pairs may be links.

    Examples
    --------
    Of 45 pairs 9 are links, and one file of fair coins shows 3 or 8 of these on a walk.

    >>> [round(named_links(np.array(links), np.full(2, 0.5), 45), 2) for links in ([6, 3], [1, 8])]
    [2.25, 2.77]
    """
    count = int(links.sum())
    alike = links + (pairs - count) * chaff
    # How many pairs he names from an end on, and how many of them are links.
    (low, low_right), (high, high_right) = (
        np.cumsum(np.stack([np.append(0, alike[way]), np.append(0, links[way])]), axis=1)
        for way in (slice(None), slice(None, None, -1))
    )
    from_low = np.clip(np.append(low, count - high), 0, count)
    right = np.interp(from_low, low, low_right) + np.interp(count - from_low, high, high_right)
    return max(float(right.max()), count**2 / max(float(alike.sum()), 1))


def chaff_counts(files: int, on: float, off: float, more: float = 0.0) -> FloatArray:
    """Return the chance that 0, 1, 2 and so on of some files show a pair without a link on a walk.

    They are drawn from an urn with ``on`` and ``off`` balls, to which ``more`` of the kind drawn
    are added each time: none for fresh coins, one where chaff remembers.

    >>> chaff_counts(2, 1, 1).tolist(), chaff_counts(2, 1, 1, more=1).round(3).tolist()
    ([0.25, 0.5, 0.25], [0.333, 0.333, 0.333])
    """
    shown, tiny = np.arange(files), np.finfo(np.float64).tiny
    rise = (files - shown) / (shown + 1) * (on + more * shown)
    logs = np.cumsum(np.log(rise) - np.log(np.maximum(off + more * (files - 1 - shown), tiny)))
    chances = np.exp(np.append(0.0, logs) - max(float(logs.max()), 0.0))
    counts: FloatArray = chances / chances.sum()
    return counts
