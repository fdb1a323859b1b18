from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil import Network
from pathveil.errors import DoesNotFit, UnknownVertex
from pathveil.model.bits import Relation, unflatten
from pathveil.model.positions import Positions, linear_forest
from tests.strategies import networks


@given(networks(), st.data())
def test_every_copy_inherits_every_connection(network: Network, data: st.DataObject) -> None:
    counts = data.draw(
        st.lists(st.integers(1, 3), min_size=len(network), max_size=len(network)).map(tuple)
    )
    positions = Positions(network.vertices, counts)
    lifted = {tuple(sorted(pair)) for pair in positions.lifted(network.pairs).tolist()}
    expected = {
        tuple(sorted(pair))
        for u, v in network.links
        for pair in product(positions.copies_of(u), positions.copies_of(v))
    }
    assert lifted == expected


def test_labels_and_numbers_are_inverse() -> None:
    positions = Positions(("a", "b", "c"), (2, 1, 3))
    for number in range(len(positions)):
        assert positions.index(*positions.label(number)) == number
    with pytest.raises(UnknownVertex, match=r"copies 0\.\.1"):
        positions.index("a", 2)
    with pytest.raises(UnknownVertex, match="'x' is none of the 3"):
        positions.copies_of("x")


def test_every_vertex_has_a_copy() -> None:
    with pytest.raises(ValueError, match="at least one copy"):
        Positions(("a",), (0,))
    with pytest.raises(ValueError, match="1 vertices but 2"):
        Positions(("a",), (1, 1))


def test_relation_of_the_cyclic_example() -> None:
    network = Network.parse("ab bc")
    positions = Positions(network.vertices, (2, 2, 1))
    visits = [positions.index(v, i) for v, i in (("a", 0), ("b", 1), ("a", 1), ("b", 0))]
    relation = Relation.of(positions, network, visits)
    on_walk = {tuple(pair) for pair in unflatten(relation.on_walk, 5).tolist()}
    assert on_walk == {(0, 3), (1, 3), (1, 2)}
    assert len(relation.off_walk) == 1 + 2
    assert (len(relation.on_walk), len(relation.off_walk)) == (3, 3)


def test_some_vertices_alone() -> None:
    positions = Positions(("a", "b", "c"), (2, 1, 3))
    some = positions.only(["c", "a", "c"])
    assert some == Positions(("a", "c"), (2, 3))
    assert positions.places_of(some).tolist() == [0, 1, 3, 4, 5]
    assert positions.only("cba") is positions
    assert positions.places_of(positions).tolist() == list(range(6))


@pytest.mark.parametrize("counts", [(1, 1, 1), (2, 2, 2), (3, 1, 2), (1,), ()])
def test_each_vertex_starts_where_the_one_before_it_ends(counts: tuple[int, ...]) -> None:
    positions = Positions(tuple("abc"[: len(counts)]), counts)
    assert positions.starts.tolist() == [sum(counts[:k]) for k in range(len(counts) + 1)]
    assert positions.vertex_of.tolist() == [v for v, k in enumerate(counts) for _ in range(k)]


SIX = Positions(("a", "b", "c"), (1, 2, 3))


def forest(*links: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    return linear_forest(np.array(links, dtype=np.int64).reshape(-1, 2), SIX)


@given(st.permutations(range(12)), st.sets(st.integers(1, 11)), st.randoms())
def test_cut_and_shuffled_paths_come_back(order: list[int], cuts: set[int], random: object) -> None:
    places = [0, *sorted(cuts), 12]
    pieces = [order[a:b] for a, b in pairwise(places)]
    links = [step if random.random() < 0.5 else step[::-1] for p in pieces for step in pairwise(p)]  # type: ignore[attr-defined]
    random.shuffle(links)  # type: ignore[attr-defined]
    found = linear_forest(
        np.array(links, dtype=np.int64).reshape(-1, 2), Positions.uniform(tuple("abcdefghijkl"), 1)
    )
    wanted = [p if p[0] < p[-1] else p[::-1] for p in map(tuple, pieces) if len(p) > 1]
    assert found == tuple(sorted(wanted))


def test_a_crowded_visit_is_named() -> None:
    with pytest.raises(DoesNotFit, match=r"^one visit of 'b' has 3 walk links, expected at most 2"):
        forest((2, 0), (2, 1), (2, 3))


def test_rings_are_refused_beside_paths_or_alone() -> None:
    with pytest.raises(DoesNotFit, match="3 visits are joined in rings"):
        forest((0, 1), (3, 4), (4, 5), (5, 3))
    with pytest.raises(DoesNotFit, match="6 visits"):
        forest((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3))
