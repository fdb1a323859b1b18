"""Many walks over one network: what is left to who knows every link but one.

    python studies/many_walks_insiders.py -o studies/results

Series are drawn over random maps. Each link in turn is the missing one; the insider holds
all others and every release. Rows are by how many walks the link lies on: candidates left with and
without the coins, and how often the best guess is right, beside what one release alone would leave
of a link used in it (the formula (1 - (1 - q)^c) / (c q), c = 4).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from pathveil.attacks.series.insider import joining_insider
from pathveil.attacks.series.observed_pairs import ChaffLaw, Sightings
from pathveil.chance.source import Seeded, Source
from pathveil.chance.urn import Urn
from pathveil.lab.maps import random_map
from pathveil.lab.reproduction.sweep_store import write_csv_file
from pathveil.model.bits import PairBits, pair_count, pair_places
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.policies.remembering import Remembering

VISITS = 8
"""Walks are simple and have up to so many visits."""

FAIR, REMEMBERING, CENTRED = "fair coins", "remembering", "remembering, centred"
SIZES = ((20, 32, 6), (60, 120, 2), (120, 240, 1))
USES = ("0.5", "1", "2", "4")
MOST = 3
"""Links on so many walks or more share a row."""

Sums = dict[int, list[float]]


def random_walk(network: Network, random: np.random.Generator) -> tuple[int, ...]:
    """Return a simple walk from a uniform vertex to uniform neighbours, up to the visits."""
    while True:
        path = [int(random.integers(len(network)))]
        while len(path) < VISITS:
            here = network.vertices[path[-1]]
            near = [network.index(name) for name in network.neighbours(here)]
            onward = [vertex for vertex in near if vertex not in path]
            if not onward:
                break
            path.append(onward[int(random.integers(len(onward)))])
        if len(path) > 1:
            return tuple(path)


def draw_walks(
    network: Network, uses: Fraction, random: np.random.Generator
) -> list[tuple[int, ...]]:
    """Return walks until a link lies on so many of them on average."""
    walks: list[tuple[int, ...]] = []
    steps = 0
    while steps < uses * len(network.links) or len(walks) < 2:
        walks.append(random_walk(network, random))
        steps += len(walks[-1]) - 1
    return walks


def chaff_law(chaff: str, network: Network, walks: Sequence[Sequence[int]]) -> ChaffLaw:
    """Return the public law of chaff; centred at the true share, rounded, or at one that is off."""
    if chaff == FAIR:
        return Fraction(1, 2)
    if chaff == REMEMBERING:
        return Urn()
    steps = sum(len(walk) - 1 for walk in walks)
    usage = Fraction(steps, len(walks) * len(network.links)).limit_denominator(1000)
    return Remembering.of(usage=usage).urn


def draw_series(
    network: Network,
    walks: Sequence[Sequence[int]],
    law: ChaffLaw,
    source: Source,
) -> list[PairBits]:
    """Return the bits of each release."""
    size = len(network)
    links = pair_places(network.pairs[:, 0], network.pairs[:, 1], size)
    shown = np.zeros(pair_count(size), dtype=np.int64)
    releases: list[PairBits] = []
    for walk in walks:
        if isinstance(law, Urn):
            on = law.coins(source, shown, len(releases))
        else:
            on = Urn(law, 1 - law).coins(source, np.zeros_like(shown), 0)
        on[links] = False
        steps = np.asarray(walk)
        on[pair_places(steps[:-1], steps[1:], size)] = True
        shown += on
        releases.append(PairBits.from_flat(size, ~on))
    return releases


def measure(vertices: int, links: int, uses: str, chaff: str, runs: int) -> Sums:
    """Return sums by uses of the missing link: links, unique joins, guesses right, controls."""
    sums: Sums = defaultdict(lambda: [0.0] * 6)
    for number in range(runs):
        name = f"insider {vertices} {uses} {number}"
        random = np.random.default_rng(list(name.encode()))
        network, _ = random_map(vertices, links, random)
        walks = draw_walks(network, Fraction(uses), random)
        law = chaff_law(chaff, network, walks)
        releases = draw_series(network, walks, law, Seeded(f"{name} {chaff}"))
        seen = Sightings.of(Positions.uniform(network.vertices, 1), releases)
        for place, (u, v) in enumerate(network.pairs.tolist()):
            known = np.delete(network.pairs, place, axis=0)
            found = joining_insider(seen, law, known)
            used = int(seen.shown[seen.index[u, v]])
            row = sums[min(used, MOST)]
            row[0] += 1
            row[1] += found.control == 1
            row[2] += 1 / found.control
            row[3] += len(found.pairs) == 1
            chance = dict(zip(found.pairs, found.posterior, strict=True)).get((u, v), 0.0)
            likeliest = [one for one in found.posterior if one >= found.posterior[0] * (1 - 1e-9)]
            row[4] += 1 / len(likeliest) if chance in likeliest else 0.0
            row[5] += chance
    return sums


def rows() -> Iterator[dict[str, object]]:
    """Yield the table."""
    for vertices, links, runs in SIZES:
        for uses in USES:
            for chaff in (CENTRED, REMEMBERING, FAIR):
                sums = measure(vertices, links, uses, chaff, runs)
                for used in sorted(sums):
                    count, alone, control, unique, right, belief = sums[used]
                    yield {
                        "vertices": vertices,
                        "links": links,
                        "uses_per_link": uses,
                        "chaff": chaff,
                        "link_on_walks": f"{used}" if used < MOST else f"{used} or more",
                        "cases": int(count),
                        "one_join_without_coins": int(alone),
                        "right_without_coins": f"{control / count:.4f}",
                        "one_candidate": int(unique),
                        "right": f"{right / count:.4f}",
                        "belief_in_truth": f"{belief / count:.4f}",
                    }


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    found = list(rows())
    cells = [row.values() for row in found]
    write_csv_file(given.output / "many_walks_insiders.csv", list(found[0]), cells)


if __name__ == "__main__":
    main()
