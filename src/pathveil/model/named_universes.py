"""Universes that files name by digest: whoever infers brings their pairs, once for all files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pathveil.model.publication import Publication
from pathveil.model.universe import Pairs, Universe


def bring_universes(
    publications: Sequence[Publication], universes: Iterable[Universe | Pairs] = ()
) -> tuple[list[Publication], tuple[Universe, ...]]:
    """Return files with the pairs of their universes, and the universes that nobody has brought.

    A file that carries its pairs brings them for all others that name the same ones by digest.

    Examples
    --------
    >>> from pathveil import Network, Walk, publish
    >>> pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    >>> named = Universe.of(pairs, by_digest=True)
    >>> file = publish(Network.parse("ab bc"), Walk("abc"), universe=named)
    >>> (whole,), lacking = bring_universes([file], [pairs])
    >>> file.universe.pairs, whole.universe.pairs, lacking
    (None, (('a', 'b'), ('a', 'c'), ('b', 'c')), ())
    >>> [one.count for one in bring_universes([file])[1]]
    [3]
    """
    given = [one if isinstance(one, Universe) else Universe.of(one) for one in universes]
    named = [one.universe for one in publications if one.universe is not None]
    known = {one.digest: one for one in (*named, *given) if one.pairs is not None}
    lacking = {one.digest: one for one in named if one.digest not in known}
    whole = [
        replace(one, universe=known[one.universe.digest])
        if one.universe is not None and one.universe.pairs is None and one.universe.digest in known
        else one
        for one in publications
    ]
    return whole, tuple(lacking.values())
