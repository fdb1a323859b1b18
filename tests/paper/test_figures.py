"""The paper's worked figures as golden tests."""

from __future__ import annotations

from math import ceil

import numpy as np

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.chance.copies import draw_copies
from pathveil.lab.reproduction.refutations import longest_branch
from pathveil.layering import rules
from pathveil.layering.backtracking import draw_in_walk_order, insert_vertices, turn_roots_first
from pathveil.model.bits import PairBits, Relation
from pathveil.model.certificate import PolicyTerms
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from tests.paper.printed_coin import drawn_without_coins
from tests.strategies import absent_places

RUNNING = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WALK = Walk("abcdef")
CYCLIC = Network.parse("ab ae be bc bf ef ed cd cf")
CYCLIC_WALK = Walk("abcdebcf")


def indices(words: str) -> list[tuple[int, int]]:
    return [("abcdef".index(word[0]), "abcdef".index(word[1])) for word in words.split()]


FIGURE_3_BITS = PairBits.from_pairs(6, indices("ac af bd be bf ce cf df"))
SIX = Positions.uniform(tuple("abcdef"), 1)


def figure_3() -> LayeredGraph:
    layers = {"b": 0, "c": 0, "a": 1, "d": 1, "e": 1, "f": 2}
    return LayeredGraph.build(
        SIX, range(6), [layers[v] for v in "abcdef"], indices("ca ce bd be af df")
    )


def test_figure_2_network_and_walk() -> None:
    WALK.require_in(RUNNING)
    assert len(RUNNING.links) == 12
    assert len(WALK.links) == 5


def test_figure_3_layered_graph_passes_the_checker() -> None:
    layered = figure_3()
    rules.check_shape(layered)
    rules.check_bits(layered, FIGURE_3_BITS)
    relation = Relation.of(SIX, RUNNING, range(6))
    rules.check_relation(layered, relation)
    assert FIGURE_3_BITS.at(absent_places(relation)).tolist() == [True, False, False]  # ac, ad, ae


def test_figure_3_reads_back_as_the_walk() -> None:
    publication = Publication.of_drawing(figure_3(), PolicyTerms("paper"))
    found = reconstruct(publication, RUNNING)
    assert found.walk.vertices in {WALK.vertices, WALK.vertices[::-1]}


def test_figure_4_copies_of_the_cyclic_walk() -> None:
    """The printed network, d_1 included: seven links on the walk and thirteen others."""
    lifted = draw_copies(CYCLIC, CYCLIC_WALK, Policy.paper(vertex=1, link=1), Seeded(12))
    labels = [lifted.positions.label(position) for position in lifted.visits]
    assert labels == [
        ("a", 0), ("b", 0), ("c", 0), ("d", 0), ("e", 0), ("b", 1), ("c", 1), ("f", 0),
    ]  # fmt: skip
    assert dict(zip("abcdef", lifted.positions.counts, strict=True)) == {
        "a": 1, "b": 2, "c": 2, "d": 2, "e": 1, "f": 1,
    }  # fmt: skip
    relation = Relation.of(lifted.positions, CYCLIC, lifted.visits)
    on_walk, others = (
        {" ".join(f"{v}{copy}" for v, copy in pair) for pair in _pairs(places, lifted.positions)}
        for places in (relation.on_walk, relation.off_walk)
    )
    assert on_walk == {"a0 b0", "b0 c0", "c0 d0", "d0 e0", "b1 e0", "b1 c1", "c1 f0"}
    assert others == {
        "a0 b1", "a0 e0", "b0 e0", "b0 c1", "b0 f0", "c0 d1", "b1 c0", "c0 f0", "c1 d0", "e0 f0",
        "d1 e0", "b1 f0", "c1 d1",
    }  # fmt: skip


def _pairs(
    places: np.ndarray[tuple[int], np.dtype[np.int64]], positions: Positions
) -> list[tuple[tuple[str, int], ...]]:
    from pathveil.model.bits import unflatten

    return [
        tuple(positions.label(p) for p in pair)
        for pair in unflatten(places, len(positions)).tolist()
    ]


def test_figure_4_walk_is_published_and_read_back() -> None:
    for seed in range(20):
        publication = publish(
            CYCLIC,
            CYCLIC_WALK,
            policy=Policy.paper(vertex=1, link=1),
            layering="backtracking",
            source=Seeded(seed),
        )
        found = reconstruct(publication, CYCLIC)
        assert found.walk.vertices in {CYCLIC_WALK.vertices, CYCLIC_WALK.vertices[::-1]}


def test_figure_5_a_bad_placement_is_taken_back() -> None:
    """y between u and x leaves no layer for v, a mate of y alone; moved outside, it does."""
    u, y, x, v = range(4)
    bits = PairBits.from_pairs(4, [(u, y), (u, x), (y, x), (y, v)])
    four = Positions.uniform(tuple("uyxv"), 1)
    found = insert_vertices(bits, four, [u, y, x, v], splitting=False)
    assert found.layered is not None
    assert found.steps > 4  # something was taken back
    layer = dict(zip(found.layered.position_of.tolist(), found.layered.layer, strict=True))
    assert not min(layer[u], layer[x]) < layer[y] < max(layer[u], layer[x])
    assert found.layered.bits() == bits


FIVE_CYCLE = PairBits.from_pairs(5, [(0, 2), (1, 2), (1, 3), (3, 4), (4, 0)])
FIVE = Positions.uniform(tuple("abcde"), 1)


def test_figure_6_five_cycle_cannot_be_layered() -> None:
    assert insert_vertices(FIVE_CYCLE, FIVE, range(5), splitting=False).layered is None


def test_figure_6_is_resolved_by_splitting_one_vertex_in_two() -> None:
    found = insert_vertices(FIVE_CYCLE, FIVE, range(5))
    assert found.layered is not None
    assert found.splits == 1
    assert len(found.layered.position_of) == 6
    assert [node.vertex for node in found.layered.nodes if node.piece == 1] == ["e"]
    rules.check_bits(found.layered, FIVE_CYCLE)


def test_proposition_2_depth_is_the_ceiling_of_half() -> None:
    """The paper says n/2; a complete map of five vertices has a branch of three."""
    for size in range(3, 9):
        names = "abcdefgh"[:size]
        complete = Network.from_links((u, v) for i, u in enumerate(names) for v in names[i + 1 :])
        publication = drawn_without_coins(complete, Walk(names))
        assert longest_branch(publication.layered) == ceil(size / 2)


def test_lemma_3_two_roots_always_but_they_need_not_share_a_walk_edge() -> None:
    """At least two roots holds; "two of the roots share an edge of the path" does not.

    The only two layerings of this map's same-branch graph (the path d-a-c-e-b) have roots {a, e}
    or {b, c, d}; Rule 5 chooses the first, whose members are the two ends of the walk.
    """
    network = Network.parse("ab ac ad bc be cd ce de")
    publication = drawn_without_coins(network, Walk("abcde"))
    below = {lower for _, lower in publication.arcs}
    roots = {node.vertex for node in publication.layered.nodes if node not in below}
    assert roots == {"a", "e"}
    assert not any(set(step) <= roots for step in Walk("abcde").steps)


# -- the drawings themselves ----------------------------------------------------------------------

Drawing = tuple[list[list[str]], list[str]]


def by_depth(layered: LayeredGraph) -> Drawing:
    """Return rows of vertices by their depth below the roots, and arcs, pieces without a mark.

    Alg. 4 puts a vertex on the largest layer that fits, so its layers go deeper than the figures,
    which draw each vertex as high as its arcs allow.
    """
    depth = [0] * len(layered.position_of)
    for upper, lower in sorted(layered.arcs.tolist(), key=lambda arc: layered.layer[arc[0]]):
        depth[lower] = max(depth[lower], depth[upper] + 1)
    names = [node.vertex for node in layered.nodes]
    rows: list[list[str]] = [[] for _ in range(max(depth) + 1)]
    for name, row in zip(names, depth, strict=True):
        rows[row].append(name)
    return [sorted(row) for row in rows], sorted(names[a] + names[b] for a, b in layered.arcs)


def test_figure_3_is_drawn_as_printed_but_for_the_largest_layer() -> None:
    """Same arcs, same roots on top; Alg. 4's own rule would not put b and c side by side."""
    drawn = draw_in_walk_order(FIGURE_3_BITS, SIX, range(6))
    assert by_depth(drawn) == by_depth(figure_3())
    assert by_depth(figure_3())[0] == [["b", "c"], ["a", "d", "e"], ["f"]]
    layer = {node.vertex: int(row) for node, row in zip(drawn.nodes, drawn.layer, strict=True)}
    assert layer == {"c": 0, "b": 1, "a": 2, "d": 2, "e": 2, "f": 3}


def test_figure_5_comes_out_upside_down_and_rule_5_may_turn_it() -> None:
    """Inserted as in the figure, u, y, x and then v: the adjusted graph, turned over.

    The figure's four vertices are part of a walk; Rule 5 turns the graph if it begins nearest to y.
    """
    u, y, x, v = range(4)
    bits = PairBits.from_pairs(4, [(u, y), (u, x), (y, x), (y, v)])
    drawn = insert_vertices(bits, Positions.uniform(tuple("uyxv"), 1), [u, y, x, v]).layered
    assert drawn is not None
    figure = ([["y"], ["u", "v"], ["x"]], ["ux", "yu", "yv"])
    assert by_depth(drawn) == ([["v", "x"], ["u"], ["y"]], ["uy", "vy", "xu"])
    assert by_depth(turn_roots_first(drawn, [y, u, x, v])) == figure
    assert turn_roots_first(drawn, [v, u, x, y]) == drawn


def test_figure_6_has_the_printed_arcs_over_five_layers() -> None:
    """One piece of e below a, one above d; by depth a, b, e on top and c, d, e below, as printed.

    The largest-layer rule spreads them over five layers where the figure draws two.
    """
    drawn = insert_vertices(FIVE_CYCLE, FIVE, range(5)).layered
    assert drawn is not None
    assert by_depth(drawn) == ([["a", "b", "e"], ["c", "d", "e"]], ["ac", "ae", "bc", "bd", "ed"])
    rows: dict[int, list[str]] = {}
    for node, layer in zip(drawn.nodes, drawn.layer, strict=True):
        rows.setdefault(int(layer), []).append(node.vertex)
    assert [sorted(rows[layer]) for layer in sorted(rows)] == [
        ["a"],
        ["b"],
        ["c", "e"],
        ["d"],
        ["e"],
    ]
