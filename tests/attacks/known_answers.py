"""Releases whose answer is known, and what they leave possible.

The outsider knows no edge at all and counts the walks that could be hidden in the release.

Every walk edge is in different branches, so a walk that visits all vertices is a spanning path of
the graph H of pairs in different branches. Chaff in H is the only thing that hides it: with
p_on = 1 every path that uses no link off the walk is possible, with few coins in H the walk may
stand alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pathveil.attacks.one_file.completions import Completions, Link, World, read_fragments
from pathveil.attacks.one_file.two_sided_posterior import path_sums
from pathveil.model.bits import PairBits
from pathveil.model.knowledge import Knowledge
from pathveil.model.publication import Publication


@dataclass(frozen=True)
class Case:
    """One trial: what the adversary gets, and the walk edge he should name."""

    publication: Publication
    knowledge: Knowledge
    truth: Link

    @property
    def answer(self) -> Link:
        """The missing edge, ends sorted."""
        first, second = self.truth
        return (first, second) if first < second else (second, first)


def possible_joins(case: Case) -> dict[Link, World]:
    """Return the single edges that could complete a walk through all vertices, each with it.

    A pair outside the public universe of the release is known to be no edge.
    """
    knowledge, public = case.knowledge, case.publication.universe
    pairs = None if public is None else public.pairs
    bits = case.publication.packed.pairs
    read = read_fragments(bits, case.publication.positions, knowledge.network, universe=pairs)
    worlds = Completions(read, knowledge.missing, spanning=True).listed(200_000)
    assert worlds is not None, "one missing link joins two pieces"
    return {read.names(w.links[0]): w for w in worlds if len(w.links) == 1 and len(w.joins) == 1}


def possible_walks(bits: PairBits) -> int:
    """Return how many undirected spanning walks a release leaves possible to an outsider.

    *Cost*: 2^n n^2.

    >>> possible_walks(PairBits.from_pairs(4, []))
    12
    """
    apart = (~bits.matrix()).astype(np.float64)
    np.fill_diagonal(apart, 0.0)
    return int(path_sums(apart)[-1]) // 2
