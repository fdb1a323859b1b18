"""Where the print cannot be followed to the letter: each departure with what shows it is needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.attacks.one_file.completions import read_fragments
from pathveil.chance.coins import draw_bits
from pathveil.chance.copies import draw_copies
from pathveil.lab.reproduction.draws import draw_runs
from pathveil.lab.reproduction.sweep import Cell
from pathveil.layering.backtracking import draw_in_walk_order, insert_vertices, order_of_insertion
from pathveil.layering.exact import layer_exactly
from pathveil.layering.rules import walk_distances
from pathveil.model.bits import PairBits, Relation
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from tests.paper.printed_coin import coin_mechanism, edge_sensitivity
from tests.strategies import NAMES, absent_places, pair_bits


def one_each(size: int) -> Positions:
    return Positions.uniform(tuple(NAMES[:size]), 1)


def complete_map(size: int) -> PairBits:
    """The off-walk pairs of a complete map: all but the steps from one vertex to the next."""
    steps = set(pairwise(range(size)))
    return PairBits.from_pairs(size, [p for p in combinations(range(size), 2) if p not in steps])


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_alg_4_in_printed_order_finds_no_complete_map_usable(size: int) -> None:
    """dequeue, then pop: v1, vn, vn-1, ... The paper's prose says complete maps always are."""
    bits, printed = complete_map(size), [0, *range(size - 1, 0, -1)]
    assert insert_vertices(bits, one_each(size), printed, splitting=False).layered is None
    found = insert_vertices(bits, one_each(size), range(size), splitting=False)
    assert found.layered is not None


@given(pair_bits())
def test_alg_4_inserts_every_vertex_and_covers_are_the_reduction(bits: PairBits) -> None:
    """The printed loop ends before the last vertex is placed; "duplicate edges" says no more."""
    found = insert_vertices(bits, one_each(bits.size), range(bits.size)).layered
    assert found is not None
    assert set(found.position_of.tolist()) == set(range(bits.size))
    drawn: nx.DiGraph[int] = nx.DiGraph(found.arcs.tolist())
    assert set(nx.transitive_reduction(drawn).edges) == set(drawn.edges)


def test_alg_5_must_look_at_every_child() -> None:
    """a has children b and c; d is a mate of a and b. By b alone d might stand above a.

    There it would lie above c as well, which is no mate of it: Rule 1 or 3 would be broken.
    """
    bits = PairBits.from_pairs(4, [(0, 1), (0, 2), (0, 3), (1, 3)])
    above = LayeredGraph.build(one_each(4), range(4), [1, 2, 2, 0], [(3, 0), (0, 1), (0, 2)])
    assert above.bits().same_branch(2, 3)
    assert not bits.same_branch(2, 3)
    found = insert_vertices(bits, one_each(4), range(4), splitting=False).layered
    assert found is not None
    assert found.bits() == bits


def test_alg_6_pieces_mean_their_union() -> None:
    """The five-cycle: e is cut in two; each piece has one of its mates, and both count."""
    bits = PairBits.from_pairs(5, [(0, 2), (1, 2), (1, 3), (3, 4), (4, 0)])
    found = insert_vertices(bits, one_each(5), range(5)).layered
    assert found is not None
    assert len(found.position_of) == 6
    mates = [
        {m for m in range(4) if found.bits().same_branch(4, m)},
        {m for m in range(4) if bits.same_branch(4, m)},
    ]
    assert mates[0] == mates[1] == {0, 3}


def test_alg_6_does_not_go_back_behind_a_split() -> None:
    """What was placed before a cut stays where it is, so more is cut than need be."""
    draws = draw_runs(Cell("backtracking", 8, 16, edge_budget="1"), "behind a split", 60)
    more = 0
    for run in range(60):
        bits, positions = draws.bits(run), draws.positions(run)
        paper = draw_in_walk_order(bits, positions, draws.lifted_visits(run))
        ours = layer_exactly(bits, positions, upright=True)
        assert len(paper.position_of) >= len(ours.position_of)
        more += len(paper.position_of) > len(ours.position_of)
    assert more > 10


def test_alg_1_counts_copies_by_visits_as_the_text_says() -> None:
    """Up to the most visits, and two at least; the algorithm prints the largest degree in P.

    c is visited twice, and its degree in the walk is 4: no vertex ever gets three copies.
    """
    network, walk = Network.parse("ab bc cd de ce cf"), Walk("abcdecf")
    policy = Policy.paper(vertex="0.1", link=1)
    counts = {
        max(draw_copies(network, walk, policy, Seeded(k)).positions.counts) for k in range(40)
    }
    assert counts == {2}


def test_alg_1_hands_copy_i_to_visit_i_and_fakes_come_last() -> None:
    network, walk = Network.parse("ab bc ca cd"), Walk("abcacd")
    lifted = draw_copies(network, walk, Policy.paper(vertex="0.1", link=1), Seeded(3))
    labels = [lifted.positions.label(p) for p in lifted.visits]
    assert labels == [("a", 0), ("b", 0), ("c", 0), ("a", 1), ("c", 1), ("d", 0)]
    order = order_of_insertion(lifted.visits, len(lifted.positions))
    assert order[: len(labels)] == list(lifted.visits)
    assert sorted(order) == list(range(len(lifted.positions)))


def test_two_copies_of_one_vertex_are_an_absent_pair() -> None:
    positions = Positions(("a", "b"), (2, 1))
    relation = Relation.of(positions, Network.parse("ab"), (0, 2))
    assert absent_places(relation).tolist() == [0]  # the pair of a's copies; a-b are edges


def test_alg_1_gives_a_vertex_without_a_visit_one_copy_at_least() -> None:
    """The range begins at the visits, and d has none; without a copy it could not be shown."""
    network, policy = Network.parse("ab bc ca cd"), Policy.paper(vertex="0.5", link=1)
    lifted = [draw_copies(network, Walk("abca"), policy, Seeded(k)) for k in range(40)]
    assert {one.positions.counts[network.index("d")] for one in lifted} == {1, 2}


def test_alg_2_keeps_its_coin_with_one_or_two_edges() -> None:
    """Two: the quotient is 0/0. One: |q_e(1) - q_e(2)| is 1, and (|E| - 2)/|E| is -1."""
    assert edge_sensitivity(2) == 0
    assert edge_sensitivity(1) == 1
    larger = coin_mechanism(50, Fraction(1)).law()[0].digits(100)
    # Ours knows no number of edges: it is the coin of the print with three of them or more.
    ours = Policy.paper(vertex=None, link=1).law()
    assert ours.on.digits(100) == larger
    for few in ("ab", "ab bc"):
        network = Network.parse(few)
        made = publish(network, Walk("ab"), policy=Policy.paper(vertex=None, link=1))
        assert reconstruct(made, network).walk == Walk("ab")


def test_alg_2_throws_one_coin_for_an_unordered_pair() -> None:
    """r_uv and r_vu are one relation: two coins for it could contradict each other."""
    network, positions = Network.parse("ab bc cd de"), one_each(5)
    bits = draw_bits(
        Relation.of(positions, network, range(5)), Policy.paper(vertex=None, link=1), Seeded(1)
    )
    assert 0 < bits.flat().sum() < 6
    assert (bits.matrix() == bits.matrix().T).all()


def test_without_an_edge_budget_absent_pairs_count_as_on_the_walk() -> None:
    """The figures without DP on edges: nothing is faked off the walk."""
    network, walk = Network.parse("ab bc cd de"), Walk("abcde")
    release = publish(network, walk, policy=Policy.paper(vertex=None, link=None), source=Seeded(1))
    assert not release.packed.pairs.matrix().any()


def test_rule_5_counts_along_the_walk_and_a_tie_is_left_as_it_stands() -> None:
    """A leaf that is closer to the first vertex turns the graph; one that is as close does not."""
    turned = tied = 0
    for cell in (Cell("backtracking", 8, 11, edge_budget="1"), Cell("backtracking", 6, 7)):
        draws = draw_runs(cell, "Rule 5", 40)
        for run in range(40):
            bits, positions = draws.bits(run), draws.positions(run)
            visits = draws.lifted_visits(run)
            plain = insert_vertices(bits, positions, visits).layered
            assert plain is not None
            to_root, to_leaf = walk_distances(plain, visits)
            expected = plain.upside_down() if to_leaf < to_root else plain
            assert draw_in_walk_order(bits, positions, visits) == expected
            turned, tied = turned + (to_leaf < to_root), tied + (to_leaf == to_root)
    assert turned > 0
    assert tied > 0


@given(pair_bits())
def test_g_and_g_p_are_equivalent(bits: PairBits) -> None:
    """Section 4.1: the layered graph says what the same-branch graph says, and no more."""
    for drawn in (
        layer_exactly(bits, one_each(bits.size), upright=True),
        draw_in_walk_order(bits, one_each(bits.size), range(bits.size)),
    ):
        assert drawn.bits() == bits


def test_the_adversary_of_section_3_3_holds_all_but_one_edge() -> None:
    """He knows V, E less e, and reads E_P less e: two pieces of the walk, whatever the coins."""
    network, walk = Network.parse("ab bc cd de ef bd ce af"), Walk("abcdef")
    for seed, step in enumerate(walk.steps):
        release = publish(
            network, walk, policy=Policy.paper(vertex=None, link=1), source=Seeded(seed)
        )
        known = network.without(step)
        assert set(known.links) == set(network.links) - {step}
        read = read_fragments(release.packed.pairs, release.positions, known)
        pieces = sorted(
            ["".join(network.vertices[p] for p in piece) for piece in read.paths]
            + [network.vertices[p] for p in read.loose]
        )
        cut = np.flatnonzero([one == step for one in walk.steps])[0] + 1
        assert {min(p, p[::-1]) for p in pieces} == {"abcdef"[:cut], "abcdef"[cut:]}
