"""Outsiders on small series whose answer is known, with controls and placebos.

The runs are seeded, so these figures are fixed; what they show at full size is in
studies/results/many_walks_*.csv.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pathveil.attacks.series.annealing_kernels import Cooling, anneal_network
from pathveil.attacks.series.observed_pairs import ChaffLaw, Sightings
from pathveil.attacks.series.outsider import (
    Effort,
    SeriesReading,
    counting_outsider,
    pattern_evidence,
    structural_outsider,
    walks_right,
)
from pathveil.chance.source import Seeded
from pathveil.chance.urn import Urn
from pathveil.lab.maps import random_map
from pathveil.layering.kernels.running import compiled
from pathveil.model.bits import IndexArray, PairBits, pair_count, pair_places
from pathveil.model.network import Network
from pathveil.model.positions import Positions

CENTRED = Urn(Fraction(4), Fraction(16))
HALF = Fraction(1, 2)


def walk_on(network: Network, random: np.random.Generator, visits: int = 8) -> list[int]:
    path = [int(random.integers(len(network)))]
    while len(path) < visits:
        near = network.neighbours(network.vertices[path[-1]])
        onward = [i for i in map(network.index, near) if i not in path]
        if not onward:
            break
        path.append(onward[int(random.integers(len(onward)))])
    return path if len(path) > 1 else walk_on(network, random, visits)


def series(
    releases: int, law: ChaffLaw, *, seed: int = 1, placebo: bool = False
) -> tuple[Network, list[list[int]], Sightings]:
    random = np.random.default_rng(seed)
    network, _ = random_map(20, 32, random)
    walks = [walk_on(network, random) for _ in range(releases)]
    links = pair_places(network.pairs[:, 0], network.pairs[:, 1], 20)
    shown, source, bits = np.zeros(pair_count(20), dtype=np.int64), Seeded(seed), []
    for number, walk in enumerate(walks):
        if isinstance(law, Urn):
            on = law.coins(source, shown, number)
        elif law == 1:
            on = np.ones(len(shown), dtype=bool)
        else:
            on = Urn(law, 1 - law).coins(source, np.zeros_like(shown), 0)
        if not placebo:
            steps = np.array(walk)
            on[links] = False
            on[pair_places(steps[:-1], steps[1:], 20)] = True
        shown += on
        bits.append(PairBits.from_flat(20, ~on))
    return network, walks, Sightings.of(Positions.uniform(network.vertices, 1), bits)


class Judgement(NamedTuple):
    """Hidden links that were named, how many there are, how many luck names, walks read."""

    links_found: int
    links_hidden: int
    luck: float
    walks_read: int


def score_reading(
    reading: SeriesReading,
    seen: Sightings,
    truth: IndexArray,
    walks: list[list[int]],
    *,
    known: IndexArray | None = None,
) -> Judgement:
    held = set() if known is None else set(map(tuple, known.tolist()))
    hidden = set(map(tuple, truth.tolist())) - held
    named = set(reading.pairs) - held
    luck = len(named) * len(hidden) / (len(seen.pairs) - len(held))
    return Judgement(len(named & hidden), len(hidden), luck, walks_right(reading, walks))


def counted(releases: int, law: ChaffLaw, **given: bool) -> Judgement:
    network, walks, seen = series(releases, law, **given)
    return score_reading(counting_outsider(seen, law, 32), seen, network.pairs, walks)


def searched(
    releases: int, law: ChaffLaw, *, known: int = 0, placebo: bool = False, longest: int | None = 7
) -> Judgement:
    network, walks, seen = series(releases, law, placebo=placebo)
    held = network.pairs[:known] if known else None
    found = structural_outsider(
        seen, law, 32, known=held, longest=longest, effort=Effort(1_000_000, 2)
    )
    return score_reading(found, seen, network.pairs, walks, known=held)


def test_counting_reads_fresh_coins_after_sixty_releases() -> None:
    found = counted(60, HALF)
    assert found.links_found >= 31
    assert found.walks_read >= 54


def test_counting_reads_no_walk_of_chaff_that_remembers() -> None:
    found = counted(60, CENTRED)
    assert found.walks_read == 0
    assert found.links_found < 2.5 * found.luck


def test_counting_finds_nothing_in_a_placebo() -> None:
    for law in (HALF, CENTRED):
        found = counted(60, law, placebo=True)
        assert found.walks_read == 0
        assert found.links_found < 2.5 * found.luck


def test_structure_reads_chaff_that_remembers_at_eleven_uses_a_link() -> None:
    found = searched(60, CENTRED)
    assert (found.links_found, found.walks_read) == (32, 60)


def test_structure_reads_nothing_under_one_use_a_link() -> None:
    found = searched(4, CENTRED)
    assert found.walks_read == 0
    assert found.links_found < 2 * found.luck


def test_structure_reads_nothing_in_a_placebo() -> None:
    found = searched(60, CENTRED, placebo=True)
    assert found.walks_read == 0
    assert found.links_found < 2 * found.luck


def test_known_links_stay_and_are_not_counted_as_found() -> None:
    found = searched(20, CENTRED, known=16)
    assert found.links_hidden == 16
    assert found.links_found >= 14


def test_plain_and_compiled_searches_agree() -> None:
    _, _, seen = series(6, CENTRED)
    evidence = np.round(pattern_evidence(seen, CENTRED, 32) * 1024).astype(np.int64)
    results = []
    for run in (anneal_network, compiled(anneal_network)):
        chosen = np.arange(32, dtype=np.int32)
        heats, declines = np.array([4096, 2048, 600]), np.arange(0, 8192, 64)
        cooling = Cooling(declines, heats, 3000, 7, 3000, 12345)
        found = run(chosen, 2, seen.arrays, evidence, cooling)
        results.append((chosen.tolist(), found.tolist()))
    assert results[0] == results[1]
    assert results[0][0][:2] == [0, 1], "known links stay"


def test_a_sealed_pile_gives_the_links_away() -> None:
    """Chaff that is always shown: what is ever hidden is a link."""
    network, walks, seen = series(3, Fraction(1))
    found = score_reading(counting_outsider(seen, Fraction(1), 32), seen, network.pairs, walks)
    assert found.links_found >= 28
