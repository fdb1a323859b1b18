"""Outsiders who hold every file of a series and no network: one counts, one looks for paths.

The *counting* outsider ranks pairs by how often they were shown: fresh coins show chaff half of the
time and links rarely, so a few dozen releases part the two. Chaff that remembers, centred at the
share of walks a link lies on, leaves him less.

The *structural* outsider uses what no chaff drawn pair by pair can imitate: in every release the
links shown form one path. He looks for a network that explains all releases at once, by simulated
annealing (:mod:`pathveil.attacks.series.annealing_kernels`). The energy is the log posterior of
a candidate network up to a constant: a candidate link with pattern x would as chaff have been seen
with chance Q(x), and as a link on k walks about b^-k times the chance of a walk, b being the
choices a walk has at each vertex. What he reads is a lower bound on what can be read.

Both get more than an outsider would have: the number of links. The structural one may be told
the longest walk as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from pathveil.attacks.series.annealing_kernels import SCALE, Cooling, anneal_network
from pathveil.attacks.series.observed_pairs import ChaffLaw, FloatArray, Sightings, pattern_chances
from pathveil.attacks.success_rates import generator
from pathveil.chance.source import Seeded, Source
from pathveil.layering.kernels.running import run
from pathveil.model.bits import IndexArray
from pathveil.wording import counted

MOST_EVIDENCE = 1000.0
"""Nats for or against a pair: certain, for all purposes."""

LEVELS = 64
"""Temperatures of an annealing."""

DECLINES = -np.log((np.arange(4096) + 0.5) / 4096)
"""-ln u for evenly spread u: by how much the energy may grow in a move, at heat one."""


@dataclass(frozen=True)
class Effort:
    """How long the structural outsider looks.

    Attributes
    ----------
    steps, restarts
        Moves of one annealing, and how many annealings there are; the best is kept.
    source
        Keys the pseudo-random moves; an attack needs replay, not secrecy.
    """

    steps: int = 3_000_000
    restarts: int = 3
    source: Source | None = None


@dataclass(frozen=True, repr=False)
class SeriesReading:
    """What an outsider makes of a series.

    Attributes
    ----------
    pairs
        The pairs he takes for links, as places in ``names``; known ones first.
    places
        Layer by layer the walk he reads, as such places in one direction; None if no one path.
    names
        Of the vertices; ``links`` and ``walks`` have the same by name.
    """

    pairs: tuple[tuple[int, int], ...]
    places: tuple[tuple[int, ...] | None, ...]
    names: tuple[str, ...] = ()

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """The pairs he takes for links, by name."""
        return tuple((self.names[i], self.names[j]) for i, j in self.pairs)

    @property
    def walks(self) -> tuple[tuple[str, ...] | None, ...]:
        """Layer by layer the walk he reads, by name; None if no one path."""
        return tuple(
            None if walk is None else tuple(self.names[i] for i in walk) for walk in self.places
        )

    def __str__(self) -> str:
        read = sum(walk is not None for walk in self.places)
        return f"{read} of {counted(len(self.places), 'file')} read as one path, right or wrong"

    def __repr__(self) -> str:
        return f"<SeriesReading: {self}; {counted(len(self.pairs), 'pair')} taken for links>"


# -- counting -----------------------------------------------------------------------------------


def usage_chances(sightings: Sightings, law: ChaffLaw, links: int) -> FloatArray:
    """Return ln of the chance of one pattern with k uses for a link, fitted to the files.

    The counts of all pairs are a mixture: ``links`` of them follow the law of links, the others
    the public law of chaff. The law of links is taken from the Beta family by maximum likelihood.
    """
    from scipy.special import betaln, logsumexp

    total, k = sightings.releases, np.arange(sightings.releases + 1)
    shown, chaff, many = _alike(sightings, law)
    share = min(links / len(sightings.pairs), 1 - 1e-9)
    best, chances = -np.inf, np.zeros(total + 1)
    for mean in np.geomspace(0.5 / total, 0.6, 24):
        for weight in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0):
            on, off = mean * weight, (1 - mean) * weight
            link = betaln(k + on, total - k + off) - betaln(on, off)
            mixed = logsumexp([link[shown] + np.log(share), chaff + np.log1p(-share)], axis=0)
            fit = float(many @ mixed)
            if fit > best:
                best, chances = fit, link
    fitted: FloatArray = chances
    return fitted


def _alike(sightings: Sightings, law: ChaffLaw) -> tuple[IndexArray, FloatArray, FloatArray]:
    """Return the kinds of pairs there are: how often shown, ln chance as chaff, how many pairs."""
    both = np.empty(len(sightings.pairs), dtype=np.complex128)
    # One complex number for two numbers sorts faster than rows of two.
    both.real, both.imag = sightings.shown, sightings.chaff(law)
    kinds, many = np.unique(both, return_counts=True)
    return kinds.real.astype(np.int64), kinds.imag, many.astype(float)


def counting_outsider(sightings: Sightings, law: ChaffLaw, links: int) -> SeriesReading:
    """Return the likeliest links by counting alone, and the walks they would be read as.

    Parameters
    ----------
    sightings
        What the files show.
    law
        How chaff was drawn: public.
    links
        How many links there are; told to the outsider.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from pathveil.model.bits import PairBits
    >>> from pathveil.model.positions import Positions
    >>> positions = Positions.uniform(("a", "b", "c"), 1)
    >>> same = PairBits.from_pairs(3, [(0, 1)])        # a - b never, the others always on a walk
    >>> seen = Sightings.of(positions, [same] * 9)
    >>> counting_outsider(seen, Fraction(1, 2), 2).links
    (('a', 'c'), ('b', 'c'))
    """
    usage = usage_chances(sightings, law, links)
    evidence = _bounded(usage[sightings.shown] - sightings.chaff(law))
    return _reading(sightings, _filled(_NONE, evidence, links))


# -- structure ----------------------------------------------------------------------------------


def pattern_evidence(sightings: Sightings, law: ChaffLaw, links: int) -> FloatArray:
    """Return for each pair what its pattern says for a link, were all walks explained by it."""
    share = min(links / len(sightings.pairs), 1 - 1e-9)
    choices = log(sightings.choices(links))
    rarity = log(share / (1 - share))
    return _bounded(rarity - sightings.chaff(law) - choices * sightings.shown)


def structural_outsider(
    sightings: Sightings,
    law: ChaffLaw,
    links: int,
    *,
    known: IndexArray | None = None,
    longest: int | None = None,
    effort: Effort | None = None,
) -> SeriesReading:
    """Return the network that best explains all releases as paths, and the walks it reads.

    Parameters
    ----------
    sightings, law, links
        As for :func:`counting_outsider`.
    known
        Links he knows, as ``(k, 2)`` vertex indices.
    longest
        The most steps a walk has, if the outsider is told; one for each vertex if not.
    effort
        How long he looks.

    *Cost*: a few hundred nanoseconds a move, compiled.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from pathveil.model.bits import PairBits
    >>> from pathveil.model.positions import Positions
    >>> positions = Positions.uniform(("a", "b", "c", "d"), 1)
    >>> path = PairBits.from_pairs(4, [(0, 2), (0, 3), (1, 3)])      # a - b - c - d on the walk
    >>> seen, brief = Sightings.of(positions, [path]), Effort(steps=1_000)
    >>> structural_outsider(seen, Fraction(1, 4), 3, effort=brief).walks
    (('a', 'b', 'c', 'd'),)
    """
    effort = effort or Effort()
    evidence = pattern_evidence(sightings, law, links)
    fixed = _NONE if known is None else sightings.numbers_of(known)
    random = generator(effort.source or Seeded("structural outsider"))
    weight = 1.5 + 0.8 * _gain(sightings, law, links)
    cooling = Cooling(
        _whole(DECLINES),
        _whole(np.geomspace(1.3 * weight, weight / 6, LEVELS)),
        int(weight * SCALE),
        longest or len(sightings.positions),
        effort.steps,
        seed=0,
    )
    start, results = _filled(fixed, evidence, links).astype(np.int32), []
    for _ in range(effort.restarts):
        chosen, once = start.copy(), cooling._replace(seed=int(random.integers(1 << 31)))
        _, energy = run(
            anneal_network,
            4 * effort.steps,
            chosen,
            len(fixed),
            sightings.arrays,
            _whole(evidence),
            once,
        ).tolist()
        results.append((energy, chosen.astype(np.int64)))
    return _reading(sightings, min(results, key=lambda result: result[0])[1])


def _gain(sightings: Sightings, law: ChaffLaw, links: int) -> float:
    """Return what one more sighting of a candidate adds to its evidence, about."""
    rarity = _bounded(-pattern_chances(sightings.releases, law))
    last = min(2, sightings.releases)
    slope = float(rarity[last] - rarity[0]) / max(last, 1)
    return float(np.clip(np.nan_to_num(slope) - log(sightings.choices(links)), 0.0, 8.0))


# -- shared -------------------------------------------------------------------------------------


def _bounded(evidence: FloatArray) -> FloatArray:
    bounded: FloatArray = np.clip(np.nan_to_num(evidence), -MOST_EVIDENCE, MOST_EVIDENCE)
    return bounded


def _whole(values: FloatArray) -> IndexArray:
    return np.round(values * SCALE).astype(np.int64)


_NONE: IndexArray = np.zeros(0, dtype=np.int64)
"""No link is known."""


def _filled(chosen: IndexArray, evidence: FloatArray, links: int) -> IndexArray:
    """Return the chosen pairs and the best others, up to the number of links; ties by number."""
    order = np.argsort(-evidence, kind="stable")
    others = order[~np.isin(order, chosen)]
    return np.concatenate([chosen, others[: max(links - len(chosen), 0)]]).astype(np.int64)


def _reading(sightings: Sightings, chosen: IndexArray) -> SeriesReading:
    pairs = tuple((int(i), int(j)) for i, j in sightings.pairs[chosen])
    return SeriesReading(pairs, sightings.walks(chosen), sightings.positions.vertices)


def walks_right(reading: SeriesReading, walks: Sequence[Sequence[int]]) -> int:
    """Return how many walks are read, in either direction.

    >>> walks_right(SeriesReading((), ((3, 2, 1), None)), [(1, 2, 3), (1, 2)])
    1
    """
    return sum(
        read is not None and tuple(read) in (tuple(walk), tuple(walk)[::-1])
        for read, walk in zip(reading.places, walks, strict=True)
    )
