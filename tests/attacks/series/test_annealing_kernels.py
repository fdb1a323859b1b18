"""The search for a network keeps its books: strain is recounted from nothing after every move."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from pathveil.attacks.series.annealing_kernels import Books, strain_of, toggle
from pathveil.attacks.series.observed_pairs import Sightings
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
