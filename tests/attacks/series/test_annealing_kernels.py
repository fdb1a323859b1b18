"""The search for a network keeps its books: strain is recounted from nothing after every move."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from pathveil.attacks.series.annealing_kernels import (
    ENDS,
    EXCESS,
    LINKS,
    Books,
    loose_pair,
    rival_of,
    strain_of,
    toggle,
)
from pathveil.attacks.series.observed_pairs import Sightings
from pathveil.layering.kernels.running import compiled
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions

SIX = Positions.uniform(tuple("abcdef"), 1)
LONGEST = 4


def sightings(seed: int) -> Sightings:
    random = np.random.default_rng(seed)
    return Sightings.of(SIX, [PairBits.from_flat(6, random.random(15) < 0.5) for _ in range(3)])


def empty_books(seen: Sightings) -> Books:
    nodes = np.zeros(seen.releases * len(SIX), dtype=np.int32)
    return Books(nodes, np.zeros((seen.releases, 3), dtype=np.int32), LONGEST)


def strain_by_hand(seen: Sightings, chosen: set[int], layer: int) -> int:
    """The formula of the module, from the links of the layer alone."""
    graph: nx.Graph[int] = nx.Graph()
    for pair in chosen:
        for at, x, y in seen.table[seen.starts[pair] : seen.starts[pair + 1]].tolist():
            if at == layer:
                graph.add_edge(x, y)
    degrees = [degree for _, degree in graph.degree()]
    excess = sum(max(0, degree - 2) for degree in degrees)
    over = max(0, graph.number_of_edges() - LONGEST)
    return 2 * excess + abs(degrees.count(1) - 2) + over


@pytest.mark.parametrize("seed", range(4))
def test_strain_is_what_it_would_be_counted_anew(seed: int) -> None:
    seen, random = sightings(seed), np.random.default_rng(seed)
    books = empty_books(seen)
    chosen: set[int] = set()
    strain = 2 * seen.releases
    for pair in random.integers(0, 15, 60).tolist():
        change = -1 if pair in chosen else 1
        chosen ^= {pair}
        strain += toggle(pair, change, seen.arrays, books)
        each = [strain_by_hand(seen, chosen, layer) for layer in range(seen.releases)]
        assert [strain_of(books, layer) for layer in range(seen.releases)] == each
        assert strain == sum(each)


def test_one_path_is_without_strain_and_so_is_nothing_else_but_rings_beside_it() -> None:
    """Over all sets of pairs that one layer shows in full."""
    seen = Sightings.of(SIX, [PairBits.from_pairs(6, [])])
    for size in (1, 2, 3, 4):
        for chosen in combinations(range(15), size):
            books = empty_books(seen)
            for pair in chosen:
                toggle(pair, 1, seen.arrays, books)
            graph: nx.Graph[int] = nx.Graph(seen.pairs[list(chosen)].tolist())
            parts = [graph.subgraph(part) for part in nx.connected_components(graph)]
            simple = max(degree for _, degree in graph.degree()) <= 2
            paths = sum(nx.is_tree(part) for part in parts)
            assert (strain_of(books, 0) == 0) == (simple and paths == 1)


def test_what_is_put_in_and_taken_out_leaves_no_trace() -> None:
    seen = sightings(9)
    books = empty_books(seen)
    for change in (1, -1):
        for pair in range(15):
            toggle(pair, change, seen.arrays, books)
    assert not books.links_at.any()
    assert not books.tallies[:, [ENDS, EXCESS, LINKS]].any()


def test_proposals_come_from_strained_layers_and_rivals_are_no_known_links() -> None:
    seen = sightings(3)
    books = empty_books(seen)
    slots = np.full(15, -1, dtype=np.int32)
    for slot, pair in enumerate((0, 4, 7)):
        toggle(pair, 1, seen.arrays, books)
        slots[pair] = slot
    state = np.array([7], dtype=np.int64)
    strained = {k for k in range(seen.releases) if strain_of(books, k)}
    assert strained
    for _ in range(200):
        found = loose_pair(state, seen.arrays, books)
        if found >= 0:
            here = {row[0] for row in seen.table[seen.starts[found] : seen.starts[found + 1]]}
            assert here & strained
    for pair in range(15):
        for _ in range(20):
            rival = rival_of(state, pair, 1, seen.arrays, slots)
            assert rival == -1 or (rival != pair and slots[rival] >= 1), "slot 0 is known"


@pytest.mark.compiled
def test_compiled_and_plain_agree() -> None:
    seen = sightings(5)
    plain, quick = empty_books(seen), empty_books(seen)
    for pair in range(0, 15, 2):
        grown = toggle(pair, 1, seen.arrays, plain)
        assert grown == compiled(toggle)(pair, 1, seen.arrays, quick)
    assert (plain.links_at == quick.links_at).all()
    assert (plain.tallies == quick.tallies).all()
