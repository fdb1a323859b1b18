from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil import Network
from pathveil.errors import NotConnected, UnknownVertex
from pathveil.model.graph_index import connected_parts, link_keys, pairs_of_keys
from tests.strategies import networks


def bare(network: Network) -> Network:
    return Network(network.vertices, network.pairs)


@given(networks())
def test_asking_agrees_with_networkx(network: Network) -> None:
    graph = network.to_networkx()
    for u in network:
        assert network.neighbours(u) == tuple(sorted(graph[u]))
        assert network.degree(u) == graph.degree(u)
        for v in network:
            assert network.has_edge(u, v) == graph.has_edge(u, v)
    assert network.components() == nx.number_connected_components(graph)


@given(networks(), st.data())
def test_many_are_looked_up_as_one_by_one(network: Network, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from([*network.vertices, "nobody"]), max_size=60))
    single = [network.index(name) if name in network else -1 for name in names]
    assert network.places(names).tolist() == single
    size = len(network)
    ends = data.draw(st.lists(st.tuples(*[st.integers(-1, size - 1)] * 2), max_size=30))
    found = network.link_places(np.array(ends, dtype=np.int64).reshape(-1, 2)).tolist()
    for (i, j), at in zip(ends, found, strict=True):
        there = i >= 0 <= j and network.has_edge(network.vertices[i], network.vertices[j])
        assert (at >= 0) == there
        assert at < 0 or network.pairs[at].tolist() == sorted((i, j))


def test_a_large_graph_is_searched_without_a_table() -> None:
    """Above fifty thousand vertices names are found by halving; the answers are the same."""
    size = 50_001
    names = tuple(f"{i:05d}" for i in range(size))
    pairs = np.stack([np.arange(size - 1), np.arange(1, size)], axis=1)
    path = Network(names, pairs)
    assert [path.index(name) for name in ("00000", "25000", "50000")] == [0, 25_000, 50_000]
    assert ("50001" in path, "" in path, 3 in path) == (False, False, False)
    assert path.places(["50000", "x"]).tolist() == [50_000, -1]
    assert path.has_edge("00001", "00000")
    assert path._table is None
    assert Network(names[1:], pairs[:-1])._table is not None


def test_unknown_vertex_is_named() -> None:
    with pytest.raises(UnknownVertex, match="'z' is not a vertex"):
        bare(Network.parse("ab")).neighbours("z")
    assert not bare(Network.parse("ab")).has_edge("a", "z")


def test_the_same_facts_are_the_same_value() -> None:
    one, other = bare(Network.parse("ab bc")), bare(Network.parse("bc ab"))
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest == other.digest
    assert one.digest != bare(Network.parse("ab ac")).digest
    assert one.digest != bare(Network.parse("ax xy")).digest, "the same pairs of places"
    cut = [Network(names, np.array([[0, 1]])) for names in (("a", "bc"), ("ab", "c"))]
    assert cut[0].digest != cut[1].digest
    # Participants of different versions compare it.
    assert one.digest.startswith("805d4e8f39a3976e48515ce7")
    assert one != "ab bc"
    assert one != bare(Network.parse("ab ac")), "the same vertices"
    assert one != bare(Network.parse("ax xy")), "the same pairs of places"


def test_without_a_link_no_pair_is_one() -> None:
    apart = Network(("a", "b"), np.empty((0, 2), dtype=np.int64))
    assert apart.link_places(np.array([[0, 1], [1, 0]])).tolist() == [-1, -1]
    assert not apart.has_edge("a", "b")


def test_pieces_are_counted_and_refused() -> None:
    torn = Network(("a", "b", "c"), np.array([[0, 1]]))
    with pytest.raises(NotConnected, match="falls into 2 components"):
        torn.require_connected()


@given(st.integers(2, 2**31), st.data())
def test_there_and_back(size: int, data: st.DataObject) -> None:
    place = st.integers(0, size - 1)
    ends = np.array(data.draw(st.lists(st.tuples(place, place), min_size=1)), dtype=np.int64)
    keys = link_keys(ends, size)
    assert pairs_of_keys(keys, size).tolist() == np.sort(ends, axis=1).tolist()


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    size = draw(st.integers(1, 40))
    vertex = st.integers(0, size - 1)
    return size, draw(st.lists(st.tuples(vertex, vertex), max_size=60))


@given(graphs())
def test_components_are_those_of_networkx(graph: tuple[int, list[tuple[int, int]]]) -> None:
    size, links = graph
    count, part = connected_parts(size, np.array(links, dtype=np.int64).reshape(-1, 2))
    whole: nx.Graph[int] = nx.Graph(links)
    whole.add_nodes_from(range(size))
    found = [np.flatnonzero(part == number).tolist() for number in range(count)]
    assert found == sorted(sorted(each) for each in nx.connected_components(whole))


def test_a_long_path_in_any_order_is_one() -> None:
    order = np.random.default_rng(7).permutation(5_000).astype(np.int64)
    pairs = np.stack([order[:-1], order[1:]], axis=1)
    assert connected_parts(5_000, pairs)[0] == 1
    assert connected_parts(5_001, pairs)[0] == 2
    assert connected_parts(5_000, np.delete(pairs, 2_499, axis=0))[0] == 2
