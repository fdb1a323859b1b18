"""Publish and read back: the exact engine against the paper's, on the same maps."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.rows import Row, best_of, faster, sized, within
from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.chance.coins import draw_bits
from pathveil.chance.copies import draw_copies
from pathveil.errors import SearchExhausted
from pathveil.lab.maps import random_map
from pathveil.lab.reproduction.run_chunks import run_stint
from pathveil.lab.reproduction.sweep import Cell, Engine
from pathveil.layering.backtracking import insert_vertices, order_of_insertion, turn_roots_first
from pathveil.model.bits import Relation
from pathveil.model.publication import Publication

Map = tuple[Network, Walk]
ALL_SIZES = [(n, m) for n in range(5, 11) for m in range(n - 1, n * (n - 1) // 2 + 1)]


def paper_round(
    network: Network, walk: Walk, policy: Policy, *, compiled: bool, step_limit: int
) -> None:
    """Publish with the paper's engine and read back."""
    source = Seeded(1)
    lifted = draw_copies(network, walk, policy, source)
    bits = draw_bits(Relation.of(lifted.positions, network, lifted.visits), policy, source)
    found = insert_vertices(
        bits,
        lifted.positions,
        order_of_insertion(lifted.visits, len(lifted.positions)),
        compiled=compiled,
        step_limit=step_limit,
    )
    assert found.layered is not None
    layered = turn_roots_first(found.layered, lifted.visits)
    reconstruct(Publication.of_drawing(layered, policy.terms()), network)


def exact_round(network: Network, walk: Walk, policy: Policy) -> None:
    """Publish with the exact engine and read back."""
    publication = publish(network, walk, policy=policy, source=Seeded(1))
    assert reconstruct(publication, network).walk == walk


def _mean(work: Callable[..., None], maps: list[Map], **options: object) -> float:
    """Return the seconds a map takes."""

    def all_maps() -> None:
        for network, walk in maps:
            work(network, walk, **options)

    return best_of(all_maps, times=2) / len(maps)


def _sizes() -> list[tuple[int, int]]:
    return sized(ALL_SIZES, ALL_SIZES[:3])


def _batch_mean(engine: Engine, link: str | None) -> float:
    """Return the seconds a run takes in the batch kernels: draw, layer, read back, check."""
    cells = [Cell(engine, n, m, edge_budget=link) for n, m in _sizes()]
    runs = sized(50, 2)
    for cell in cells[:1]:
        run_stint(cell, "warm", 2)

    def all_cells() -> None:
        for cell in cells:
            run_stint(cell, "bench", runs)

    return best_of(all_cells, times=2) / (len(cells) * runs)


def small_maps() -> list[Row]:
    """The paper's 122 sizes: one map each through the public functions, many each in batch."""
    rng = np.random.default_rng(1)
    maps = [random_map(n, m, rng) for n, m in _sizes()]
    rows = []
    for title, link in (("no coins", None), ("link budget 1", "1")):
        policy = Policy.paper(vertex=None, link=link)
        _mean(exact_round, maps, policy=policy)  # compile, fill caches
        ours = _mean(exact_round, maps, policy=policy)
        plain = _mean(paper_round, maps, policy=policy, compiled=False, step_limit=10**8)
        fast = _mean(
            paper_round,
            maps,
            policy=policy,
            compiled=sized(full=True, quick=False),
            step_limit=10**8,
        )
        batch, theirs = _batch_mean("exact", link), _batch_mean("backtracking", link)
        rows += [
            faster(f"{title}: in batch, vs the paper's engine", batch, plain, at_least=20),
            faster(f"{title}: in batch, vs the paper's engine compiled, in batch", batch, theirs),
            faster(f"{title}: publish() + reconstruct(), vs the paper's engine", ours, plain),
            faster(f"{title}: publish() + reconstruct(), vs it compiled", ours, fast),
        ]
    return rows


def exploding_search() -> list[Row]:
    """20 vertices without coins, where the paper's search explodes; it is stopped at a limit."""
    rng = np.random.default_rng(2)
    policy = Policy.paper(vertex=None, link=None)
    maps = [random_map(20, m, rng) for m in sized((45, 60, 75), (45,))]
    rows = []
    for network, walk in maps:
        exact_round(network, walk, policy)
        ours = best_of(partial(exact_round, network, walk, policy))
        start = time.process_time()
        limit, stopped = sized(1_000_000, 1_000), False
        try:
            paper_round(network, walk, policy, compiled=False, step_limit=limit)
        except SearchExhausted:
            stopped = True
        peer = time.process_time() - start
        name = f"20 vertices, {len(network.pairs)} links, no coins"
        if stopped:
            name += f" (peer stopped after {limit:,} steps: a lower bound)"
        rows.append(faster(name, ours, peer, at_least=1000))
    return rows


def large_map() -> list[Row]:
    """2,000 vertices, balanced: drawing, layering and reading back."""
    size = sized(2000, 30)
    network, walk = random_map(size, 3 * size, np.random.default_rng(3))
    publish(network, walk)
    took = best_of(lambda: publish(network, walk))
    publication = publish(network, walk)
    back = best_of(lambda: reconstruct(publication, network))
    return [
        within(f"publish, {size:,} vertices, {3 * size:,} links, balanced", took, 3.0),
        within("reconstruct the same", back, 3.0),
    ]


SECTIONS = [
    ("Publish and read back, the paper's sizes", small_maps),
    ("Where the paper's search explodes", exploding_search),
    ("Publish, larger", large_map),
]
