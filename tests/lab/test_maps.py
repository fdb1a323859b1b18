from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pathveil.errors import BadNetwork, NotAWalk
from pathveil.lab.maps import (
    EARTH_RADIUS,
    _spanning_sequence,
    are_degrees,
    in_metres,
    local_route,
    random_map,
    random_route,
    vertex_names,
)
from pathveil.model.network import Network
from tests.attacks.maps import cyclic_walk


@settings(deadline=None)
@given(st.integers(2, 12), st.floats(0, 1), st.integers(0, 2**32))
def test_maps_have_what_was_asked_for(n: int, density: float, seed: int) -> None:
    most = n * (n - 1) // 2
    edges = n - 1 + round(density * (most - n + 1))
    network, walk = random_map(n, edges, np.random.default_rng(seed))
    walk.require_in(network)
    assert (len(network), len(network.pairs), len(walk)) == (n, edges, n)
    assert walk.is_simple
    assert network.vertices == vertex_names(n)
    assert network.coordinates is not None
    assert set(network.coordinates) == set(network.vertices)
    assert all(0 <= x < 1 for place in network.coordinates.values() for x in place)


def test_the_order_of_the_path_is_uniform() -> None:
    """Chi-square over the 24 orders of four vertices; false alarm 1e-6."""
    runs = [random_map(4, 5, np.random.default_rng(seed))[1].vertices for seed in range(2400)]
    counts = Counter(runs)
    assert len(counts) == 24
    assert stats.chisquare(list(counts.values())).pvalue > 1e-6
    twin = Counter(min(order, order[::-1]) for order in runs)  # one direction only
    assert stats.chisquare([*twin.values(), *[0] * 12]).pvalue < 1e-6


def test_other_edges_are_uniform() -> None:
    """Each absent pair is added equally often; false alarm 1e-6."""
    added: Counter[tuple[int, int]] = Counter()
    for seed in range(3000):
        network, walk = random_map(5, 5, np.random.default_rng(seed))
        place = {v: i for i, v in enumerate(walk)}
        for u, v in set(network.links) - walk.links:
            i, j = sorted((place[u], place[v]))
            added[i, j] += 1
    assert len(added) == 6
    assert stats.chisquare(list(added.values())).pvalue > 1e-6


@settings(deadline=None)
@given(st.integers(2, 7), st.integers(1, 5), st.integers(0, 2**32))
def test_cyclic_walks_visit_all_and_revisit(n: int, more: int, seed: int) -> None:
    edges = n * (n - 1) // 2
    network, walk = cyclic_walk(n, edges, np.random.default_rng(seed), visits=n + more)
    walk.require_in(network)
    assert set(walk.vertices) == set(network.vertices)
    assert len(walk) == n + more
    assert not walk.is_simple
    assert len(network.pairs) == edges


def test_cyclic_walks_are_uniform() -> None:
    """All sequences of five visits to three vertices that see all and never stay."""
    every = [
        order
        for order in product(range(3), repeat=5)
        if len(set(order)) == 3 and all(u != v for u, v in zip(order, order[1:], strict=False))  # noqa: RUF007
    ]
    rng = np.random.default_rng(0)
    counts = Counter(tuple(_spanning_sequence(3, 5, rng)) for _ in range(60 * len(every)))
    assert set(counts) == set(every)
    assert stats.chisquare(list(counts.values())).pvalue > 1e-6
    # the broken twin: a permutation first, then free steps
    twin: Counter[tuple[int, ...]] = Counter()
    for _ in range(60 * len(every)):
        order = rng.permutation(3).tolist()
        while len(order) < 5:
            order.append(int(rng.choice([v for v in range(3) if v != order[-1]])))
        twin[tuple(order)] += 1
    assert stats.chisquare([twin[order] for order in every]).pvalue < 1e-6


def test_walks_that_need_too_many_edges_are_drawn_again_or_refused() -> None:
    network, walk = cyclic_walk(4, 3, np.random.default_rng(1), visits=6)
    assert len(network.pairs) == 3
    assert len(walk.links) == 3
    with pytest.raises(BadNetwork, match="no walk of 6 visits"):
        cyclic_walk(4, 2, np.random.default_rng(0), visits=6)


def test_impossible_sizes_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(BadNetwork, match="2 or more"):
        random_map(1, 0, rng)
    for edges in (3, 11):
        with pytest.raises(BadNetwork, match=f"not {edges}"):
            random_map(5, edges, rng)
    with pytest.raises(NotAWalk, match="more visits"):
        cyclic_walk(5, 8, rng, visits=5)


def test_routes_on_a_given_network() -> None:
    network, _ = random_map(12, 20, np.random.default_rng(0))
    same, route = random_route(network, 7, np.random.default_rng(1))
    assert same is network
    route.require_in(network)
    assert route.is_simple
    assert len(route) == 7
    with pytest.raises(NotAWalk, match="fewer visits"):
        random_route(network, 13, np.random.default_rng(1))


def test_a_local_route_spans_the_part_of_the_network_it_brings() -> None:
    rng = np.random.default_rng(4)
    whole, _ = random_map(40, 70, rng)
    for _ in range(20):
        network, walk = local_route(whole, 8, rng)
        walk.require_in(network)
        assert set(network.vertices) == set(walk)
        assert network.coordinates is not None
        for u, v in network.links:
            assert whole.has_edge(u, v)
        inside = sum(1 for u, v in whole.links if u in network and v in network)
        assert inside == len(network.links)


def great_circle(one: tuple[float, float], two: tuple[float, float]) -> float:
    """Haversine, the other way to a distance on the sphere."""
    (x, y), (u, v) = np.radians(one), np.radians(two)
    half = np.sin((v - y) / 2) ** 2 + np.cos(y) * np.cos(v) * np.sin((u - x) / 2) ** 2
    return float(2 * EARTH_RADIUS * np.arcsin(np.sqrt(half)))


@pytest.mark.parametrize(
    ("middle", "spread", "error"),
    [((-104.98, 39.75), 0.02, 1e-6), ((5.3, 52.1), 1.5, 1e-3), ((179.99, -17.0), 0.05, 1e-5)],
)
def test_degrees_become_metres(middle: tuple[float, float], spread: float, error: float) -> None:
    """A city, a country, and a place where longitude jumps; raw degrees are stretched sideways."""
    rng = np.random.default_rng(0)
    places: dict[Hashable, tuple[float, float]] = {
        name: (
            float((middle[0] + rng.uniform(-spread, spread) + 180) % 360 - 180),
            float(middle[1] + rng.uniform(-spread, spread)),
        )
        for name in "abcdef"
    }
    network = Network.from_links([("a", c) for c in "bcdef"], coordinates=places)
    flat = in_metres(network).coordinates
    assert flat is not None
    assert in_metres(network).links == network.links
    for u in "abc":
        for v in "def":
            true = great_circle(places[u], places[v])
            found = float(np.hypot(*np.subtract(flat[u], flat[v])))
            assert found == pytest.approx(true, rel=error)


def test_only_degrees_are_projected() -> None:
    places: dict[Hashable, tuple[float, float]] = {"a": (0.0, 0.0), "b": (5000.0, 3.0)}
    network = Network.from_links([("a", "b")], coordinates=places)
    assert not are_degrees(network)
    with pytest.raises(BadNetwork, match="no coordinates"):
        in_metres(Network.parse("ab"))
    assert not are_degrees(Network.parse("ab"))
