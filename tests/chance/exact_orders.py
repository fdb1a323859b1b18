"""What a link did to a colouring in one order, exactly: by the definition, for small networks.

The reference for the compiled kernel of ``pathveil.grouping.grouping_loss``, which it shares no
code
with.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pathveil import Network
from pathveil.model.grouping import Grouping


def order_ratios(
    network: Network, grouping: Grouping, order: Sequence[int]
) -> tuple[Fraction, ...]:
    """Return, link by link, P(grouping | order) over P(grouping | order, link away), exactly.

    ``order`` lists vertex indices.
    """
    colours = [int(number) for number in grouping.class_of]
    whole = allowed_colours(network.pairs.tolist(), colours, grouping, order)
    ratios = []
    for gone in range(len(network.pairs)):
        kept = [pair for e, pair in enumerate(network.pairs.tolist()) if e != gone]
        ratio = Fraction(1)
        for now, then in zip(whole, allowed_colours(kept, colours, grouping, order), strict=True):
            ratio *= Fraction(then, now)
        ratios.append(ratio)
    return tuple(ratios)


def allowed_colours(
    pairs: Sequence[Sequence[int]], colours: Sequence[int], grouping: Grouping, order: Sequence[int]
) -> list[int]:
    """Return how many colours were allowed to each vertex in turn, the rest being as it is."""
    rows: dict[int, list[int]] = {v: [] for v in order}
    for u, v in pairs:
        rows[u].append(v)
        rows[v].append(u)
    terms, done = grouping.terms, set[int]()
    used: set[frozenset[int]] = set()
    members = [0] * terms.classes
    counts = []
    for v in order:
        counts.append(
            sum(
                members[c] < terms.cap
                and _fits(c, rows[v], rows, {u: colours[u] for u in done}, used)
                for c in range(terms.classes)
            )
        )
        done.add(v)
        members[colours[v]] += 1
        used |= {frozenset((colours[v], colours[u])) for u in rows[v] if u in done}
    return counts


def _fits(
    c: int,
    neighbours: Sequence[int],
    rows: dict[int, list[int]],
    coloured: dict[int, int],
    used: set[frozenset[int]],
) -> bool:
    """Return whether a vertex with these neighbours may have a colour, said plainly."""
    for u in neighbours:
        if u in coloured:
            if c == coloured[u] or frozenset((c, coloured[u])) in used:
                return False
        elif any(coloured.get(w) == c for w in rows[u]):
            return False
    return True
