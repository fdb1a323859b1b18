"""How often one guess for each file is the walk, at the edge of the gate.

    python -m studies.best_paths -o studies/results

As many walks go out as the gate lets. The outsider knows the number of links and the length of the
walks. Each pair gets the odds of being a link by how often it is shown on a walk (``named``), or
also by what links are like (``learnt``): he takes the likeliest pairs for links, learns by
regression how many triangles and squares of other links they close, and weighs all pairs anew, some
times over. In each file the path with the best odds is the guess. He is never sure of it; the table
says how often it is right.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from math import log
from pathlib import Path

import networkx as nx
import numpy as np

from pathveil import Network, Policy, Seeded, Walk, publish, publish_series, read_network
from pathveil.lab.maps import random_map
from pathveil.model.bits import BoolArray, IndexArray, PackedBits
from pathveil.planning.capacity import usage_for
from pathveil.planning.cover import FloatArray, Life, cover
from pathveil.planning.gate import counted_release, law_of
from pathveil.planning.path_counts import PathCounts

BEAM, SERIES, LENGTH, ROUNDS = 2_000, 30, 5, 8
GEANT = Path("tests/data/Geant2012.graphml")


def networks() -> dict[str, Network]:
    """Return networks with and without a shape that could be learnt."""
    made = {"Geant2012": read_network(GEANT)}
    for size, links in ((40, 61), (60, 120), (40, 390)):
        made[f"random {size} {links}"] = random_map(size, links, np.random.default_rng(1))[0]
    shapes = {
        "small world": nx.connected_watts_strogatz_graph(60, 6, 0.1, seed=1),
        "circulant": nx.circulant_graph(50, [1, 2, 3]),
        "geometric": nx.random_geometric_graph(60, 0.25, seed=1),
        "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(8, 8)),
    }
    return made | {name: Network.from_networkx(graph) for name, graph in shapes.items()}


def let_out(network: Network, policy: Policy, seed: int) -> list[Walk]:
    """Return uniform paths, as many as the gate lets out."""
    sample = PathCounts(len(network), network.pairs).sample(LENGTH)
    random, life, walks = np.random.default_rng([8, seed]), Life(()), list[Walk]()
    while True:
        row = sample[int(random.integers(len(sample)))].tolist()
        walk = Walk([network.vertices[k] for k in row])
        life = life.and_then(counted_release(network, [walk], policy))
        if cover(life).closed:
            return walks
        walks.append(walk)


def shown_pairs(
    network: Network, policy: Policy, walks: Sequence[Walk], source: Seeded
) -> BoolArray:
    """Return for each file which pairs are shown on the walk, as square tables."""
    if policy.kind.urn is None:
        files = [publish(network, walk, policy=policy, source=source) for walk in walks]
    else:
        files = list(publish_series(network, walks, policy=policy, source=source))
    tables = []
    for file in files:
        assert isinstance(file.bits, PackedBits)
        assert file.vertices == network.vertices
        tables.append(~file.bits.pairs.matrix() & ~np.eye(len(network), dtype=bool))
    return np.array(tables)


def likely(odds: FloatArray) -> FloatArray:
    """Return odds as chances."""
    return 1 / (1 + np.exp(-np.clip(odds, -40, 40)))


def fitted(odds: FloatArray, more: FloatArray, links: int) -> FloatArray:
    """Return odds moved so that with more evidence they make this many links."""
    low, high = -60.0, 60.0
    for _ in range(40):
        middle = (low + high) / 2
        few = likely(odds + more + middle).sum() < links
        low, high = (middle, high) if few else (low, middle)
    return odds + low


def learnt_odds(size: int, pairs: tuple[IndexArray, ...], chance: FloatArray) -> FloatArray:
    """Return the odds of each pair by its likeness to links of these chances."""
    table = np.zeros((size, size))
    table[pairs] = chance
    table += table.T
    degrees, two = table.sum(axis=0), table @ table
    three = two @ table - table * (degrees[:, None] + degrees[None, :] - table)
    short, longer = two[pairs], np.maximum(three[pairs], 0.0)
    both = sum(np.log1p(np.maximum(degrees[end] - chance, 0.0)) for end in pairs)
    looks = np.stack(
        [
            *(np.ones(len(chance)), np.log1p(short), short / (1 + both), np.log1p(longer), both),
            *(short >= 1, longer / (1 + both) ** 2, short**2, np.minimum(longer, 6)),
        ]
    )
    looks[1:] /= looks[1:].std(axis=1, keepdims=True) + 1e-9
    weights = np.zeros(len(looks))
    for _ in range(15):
        now = likely(weights @ looks)
        bend = (looks * (now * (1 - now))) @ looks.T + np.eye(len(looks))
        slope = looks @ (chance - now) - weights
        weights += np.clip(np.linalg.lstsq(bend, slope, rcond=None)[0], -3, 3)
    found: FloatArray = weights @ looks
    return found


def odds_of_pairs(network: Network, policy: Policy, shown: BoolArray, *, learn: bool) -> FloatArray:
    """Return the odds of each pair of being a link, as a square table."""
    files, size, law, links = len(shown), len(network), law_of(policy), len(network.links)
    pairs, use = np.triu_indices(size, 1), LENGTH / links
    told = [
        k * log(use) + (files - k) * log(1 - use) + law.loss(k, files) for k in range(files + 1)
    ]
    evidence = np.array(told)[shown.sum(axis=0)[pairs]]
    odds = fitted(np.zeros(len(evidence)), evidence, links)
    for _ in range(ROUNDS if learn else 0):
        chance = likely(odds + evidence)
        best = np.argsort(-chance, kind="stable")[:links]
        taken = np.zeros(len(chance))
        taken[best] = np.minimum(1.0, 1.5 * chance[best] + 0.3)
        odds = fitted(learnt_odds(size, pairs, taken), evidence, links)
    table = np.full((size, size), -np.inf)
    table[pairs] = table.T[pairs] = odds + evidence
    return table


def best_path(odds: FloatArray) -> tuple[int, ...]:
    """Return the path with the best odds, found with a beam."""
    size = len(odds)
    paths, values = np.arange(size)[:, None], np.zeros(size)
    for _ in range(LENGTH):
        longer = values[:, None] + odds[paths[:, -1]]
        np.put_along_axis(longer, paths, -np.inf, axis=1)
        kept = np.argsort(-longer, axis=None)[:BEAM]
        paths = np.concatenate([paths[kept // size], (kept % size)[:, None]], axis=1)
        values = longer.ravel()[kept]
    return tuple(paths[0].tolist())


def walks_named(
    network: Network, policy: Policy, walks: Sequence[Walk], seed: int
) -> tuple[int, int]:
    """Return in how many files the best path is the walk: by patterns, and as learnt."""
    shown = shown_pairs(network, policy, walks, Seeded(f"best paths {seed}"))
    place = {name: k for k, name in enumerate(network.vertices)}
    right = []
    for learn in (False, True):
        odds = odds_of_pairs(network, policy, shown, learn=learn)
        guesses = [best_path(np.where(table, odds, -np.inf)) for table in shown]
        true = [tuple(place[name] for name in walk.vertices) for walk in walks]
        right.append(sum(g in (t, t[::-1]) for g, t in zip(guesses, true, strict=True)))
    return right[0], right[1]


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("studies/results"))
    folder = parser.parse_args().output
    with (folder / "best_paths.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["network", "policy", "length", "series", "walks", "named", "learnt"])
        for name, network in networks().items():
            usage = usage_for(LENGTH, len(network.links))
            for policy in (Policy.balanced(), Policy.remembering(usage=usage)):
                made = [let_out(network, policy, seed) for seed in range(SERIES)]
                many = [(k, walks) for k, walks in enumerate(made) if len(walks) > 1]
                named = [walks_named(network, policy, walks, k) for k, walks in many]
                right = [sum(one[k] for one in named) for k in range(2)]
                count = sum(len(walks) for _, walks in many)
                writer.writerow([name, policy, LENGTH, len(many), count, *right])
                file.flush()


if __name__ == "__main__":
    main()
