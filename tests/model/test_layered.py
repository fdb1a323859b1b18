from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadPublication
from pathveil.model import layered
from pathveil.model.layered import LayeredGraph, Node
from pathveil.model.positions import Positions

ABC = Positions(("a", "b", "c"), (1, 1, 1))


def test_building_puts_everything_in_order() -> None:
    built = LayeredGraph.build(ABC, [2, 0, 1, 0], [7, 3, 5, 9], [(1, 2), (2, 0)])
    assert built.layers == (
        (Node("a", 0, 0),),
        (Node("b", 0, 0),),
        (Node("c", 0, 0),),
        (Node("a", 0, 1),),
    )
    assert [(built.nodes[a], built.nodes[b]) for a, b in built.arcs.tolist()] == [
        (Node("a", 0, 0), Node("b", 0, 0)),
        (Node("b", 0, 0), Node("c", 0, 0)),
    ]
    assert built == LayeredGraph.build(ABC, [0, 1, 2, 0], [0, 1, 2, 3], [(1, 2), (0, 1)])
    assert built != LayeredGraph.build(ABC, [0, 1, 2, 0], [0, 1, 2, 3], [(1, 2)])
    others = Positions(("a", "b", "x"), (1, 1, 1))
    assert built != LayeredGraph.build(others, [0, 1, 2, 0], [0, 1, 2, 3], [(1, 2), (0, 1)])


def test_pieces_have_union_meaning() -> None:
    split = LayeredGraph.build(ABC, [0, 0, 1, 2], [0, 1, 1, 0], [(0, 2), (3, 1)])
    assert split.bits().same_branch(0, 1)
    assert split.bits().same_branch(0, 2)
    assert not split.bits().same_branch(1, 2)


@pytest.mark.parametrize(
    ("owner", "layer", "arcs", "words"),
    [
        ([0, 1], [0, 0], [], "pieces of 2 copies"),
        ([0, 2], [0, 0], [], "pieces of 2 copies"),
        ([1, 2], [0, 0], [], "pieces of 2 copies"),
        ([0, 1, 2], [0, 1, 1], [(1, 2)], "from layer 1 to layer 1"),
        ([0, 1, 2], [0, 1, 2], [(1, 0)], "expected downwards"),
        ([0, 1, 2], [0, 1, 2], [(0, 1), (0, 1)], "given once"),
    ],
)
def test_contradictions_are_refused(
    owner: list[int], layer: list[int], arcs: list[tuple[int, int]], words: str
) -> None:
    with pytest.raises(BadPublication, match=words):
        LayeredGraph.build(ABC, owner, layer, arcs)


def test_contradictions_are_refused_across_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layered, "_CHUNK", 2)
    arcs = np.array([(0, 1), (0, 2), (1, 2)], dtype=np.int32)
    owner, piece = np.arange(3, dtype=np.int32), np.zeros(3, dtype=np.int32)
    assert len(LayeredGraph(ABC, owner, piece, owner, arcs).arcs) == 3
    for spoiled, words in ((arcs[[0, 2, 1]], "sorted"), (arcs[[0, 1, 1]], "given once")):
        with pytest.raises(BadPublication, match=words):
            LayeredGraph(ABC, owner, piece, owner, spoiled)
    upwards = np.array([(0, 1), (0, 2), (2, 1)], dtype=np.int32)
    with pytest.raises(BadPublication, match="expected downwards"):
        LayeredGraph(ABC, owner, piece, owner, upwards)


@st.composite
def layered_graphs(draw: st.DrawFn) -> LayeredGraph:
    size = draw(st.integers(1, 7))
    owner = list(range(size)) + draw(st.lists(st.integers(0, size - 1), max_size=4))
    layer = [draw(st.integers(0, 4)) for _ in owner]
    downwards = [
        (a, b) for a in range(len(owner)) for b in range(len(owner)) if layer[a] < layer[b]
    ]
    arcs = draw(st.lists(st.sampled_from(downwards), unique=True)) if downwards else []
    return LayeredGraph.build(Positions.uniform(tuple("abcdefg"[:size]), 1), owner, layer, arcs)


@given(layered_graphs())
def test_branches_agree_with_networkx(drawn: LayeredGraph) -> None:
    graph: nx.DiGraph[int] = nx.DiGraph(drawn.arcs.tolist())
    graph.add_nodes_from(range(len(drawn.position_of)))
    expected = {
        tuple(sorted((int(drawn.position_of[a]), int(drawn.position_of[b]))))
        for a in graph
        for b in nx.descendants(graph, a)
        if drawn.position_of[a] != drawn.position_of[b]
    }
    assert {tuple(pair) for pair in drawn.bits().pairs().tolist()} == expected


@given(layered_graphs())
def test_turning_twice_is_turning_not_at_all(layered: LayeredGraph) -> None:
    turned = layered.upside_down()
    assert turned.upside_down() == layered
    assert turned.bits() == layered.bits()
    assert (turned.is_root == layered.is_leaf).all()


def test_what_is_published_cannot_be_changed_afterwards() -> None:
    built = LayeredGraph.build(ABC, [0, 1, 2], [0, 1, 2], [(0, 1), (1, 2)])
    for array in (built.position_of, built.piece, built.layer, built.arcs):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
