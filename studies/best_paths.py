"""How often one guess for each file is the walk, at the edge of the gate.

    python -m studies.best_paths -o studies/results

As many walks go out as the gate lets. The outsider knows the number of links and the length of the
walks. Each pair gets the odds of being a link by how often it is shown on a walk, and in each file
the path with the best odds is the guess. He is never sure of it; the table says how often it is
right.
"""

from __future__ import annotations

import argparse
import csv
import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import log
from pathlib import Path

import numpy as np

from pathveil import (
    Network,
    Policy,
    Publication,
    Seeded,
    Walk,
    publish,
    publish_series,
    read_network,
)
from pathveil.lab.maps import random_map
from pathveil.planning.capacity import usage_for
from pathveil.planning.cover import Life, cover
from pathveil.planning.gate import counted_release
from pathveil.planning.path_counts import PathCounts

Pair = tuple[str, str]
BEAM, SERIES = 3_000, 30
GEANT = Path("tests/data/Geant2012.graphml")


def let_out(network: Network, policy: Policy, length: int, seed: int) -> list[Walk]:
    """Return uniform paths, as many as the gate lets out."""
    sample = PathCounts(len(network), network.pairs).sample(length)
    random, life, walks = np.random.default_rng([7, seed]), Life(()), list[Walk]()
    while True:
        row = sample[int(random.integers(len(sample)))].tolist()
        walk = Walk([network.vertices[k] for k in row])
        life = life.and_then(counted_release(network, [walk], policy))
        if cover(life).closed:
            return walks
        walks.append(walk)


def best_path(shown: Sequence[Pair], odds: dict[Pair, float], length: int) -> tuple[str, ...]:
    """Return the path of this length with the best odds, found with a beam."""
    near = defaultdict[str, list[tuple[str, float]]](list)
    for u, v in shown:
        near[u].append((v, odds[u, v]))
        near[v].append((u, odds[u, v]))
    beam: list[tuple[float, tuple[str, ...]]] = [(0.0, (name,)) for name in near]
    for _ in range(length):
        longer = [
            (value + more, (*path, name))
            for value, path in beam
            for name, more in near[path[-1]]
            if name not in path
        ]
        beam = heapq.nlargest(BEAM, longer)
    return max(beam, default=(0.0, ()))[1]


def same_branch(file: Publication, pair: Pair) -> bool:
    """Whether a file says that two vertices are in one branch: not a step of the walk."""
    u, v = pair
    return file.same_branch((u, 0), (v, 0))


def walks_named(network: Network, policy: Policy, walks: Sequence[Walk], seed: int) -> int:
    """Return in how many files the best path is the walk."""
    source, length = Seeded(f"best paths {seed}"), len(walks[0].links)
    if policy.kind.urn is None:
        files = [publish(network, walk, policy=policy, source=source) for walk in walks]
    else:
        files = list(publish_series(network, walks, policy=policy, source=source))
    shown = [
        [pair for pair in combinations(file.vertices, 2) if not same_branch(file, pair)]
        for file in files
    ]
    times = Counter(pair for pairs in shown for pair in pairs)
    links, count = len(network.links), len(network) * (len(network) - 1) // 2
    use, rate = length / links, float(policy.chaff)
    on, off = log(use / rate), log((1 - use) / (1 - rate))
    odds = {pair: log(links / count) + k * on + (len(files) - k) * off for pair, k in times.items()}
    guesses = [best_path(pairs, odds, length) for pairs in shown]
    true = [walk.vertices for walk in walks]
    return sum(guess in (t, t[::-1]) for guess, t in zip(guesses, true, strict=True))


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("studies/results"))
    folder = parser.parse_args().output
    networks = {"Geant2012": read_network(GEANT)}
    for size, links in ((40, 61), (60, 120), (40, 390)):
        networks[f"random {size} {links}"] = random_map(size, links, np.random.default_rng(1))[0]
    with (folder / "best_paths.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["network", "policy", "length", "series", "with_a_walk", "walks", "named"])
        for name, network in networks.items():
            usage = usage_for(5, len(network.links))
            for policy in (Policy.balanced(), Policy.remembering(usage=usage)):
                made = [let_out(network, policy, 5, seed) for seed in range(SERIES)]
                named = [walks_named(network, policy, walks, k) for k, walks in enumerate(made)]
                right = sum(one > 0 for one in named)
                row = [name, policy, 5, SERIES, right, sum(map(len, made)), sum(named)]
                writer.writerow(row)
                file.flush()


if __name__ == "__main__":
    main()
