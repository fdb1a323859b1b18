"""The paper's lemmas about the drawing, each with its counterexample and a count anybody can redo.

``studies/results/refutations.csv`` holds the counts that the review quotes.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import exp, log

import networkx as nx
import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.chance.copies import copy_mechanism
from pathveil.chance.intervals import Interval, difference, proportion
from pathveil.lab.comparison.comparison_tables import read_csv
from pathveil.lab.reproduction.claims import rows_at
from pathveil.lab.reproduction.draws import draw_runs
from pathveil.lab.reproduction.evaluation import read_results
from pathveil.lab.reproduction.figures import WORST
from pathveil.lab.reproduction.measures import order_confirmed
from pathveil.lab.reproduction.refutations import (
    BranchCount,
    count_branches,
    edges_touched,
    first_is_root,
    first_root_cells,
    longest_branch,
    order_beyond_the_path,
    three_antichains,
)
from pathveil.lab.reproduction.sweep import Cell
from pathveil.layering import rules
from pathveil.layering.backtracking import draw_in_walk_order, insert_vertices
from pathveil.model.bits import PairBits, Relation, pair_count
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from studies.objections import ROWS, confirmed
from tests.paper.pages import RESULTS, ROOT, rows
from tests.paper.printed_coin import drawn_without_coins
from tests.strategies import absent_places

REVIEW = (ROOT / "docs" / "explanation" / "the-paper-reviewed.md").read_text("utf-8")


@cache
def quoted() -> dict[str, tuple[int, int]]:
    return {r["case"]: (int(r["counted"]), int(r["of"])) for r in rows("refutations.csv")}


@cache
def counted(vertex_budget: str | None) -> BranchCount:
    return count_branches(vertex_budget)


def row_of(claim: str) -> str:
    """Return the one row of the review that judges a claim."""
    (row,) = [line for line in REVIEW.splitlines() if line.startswith(f"| {claim}")]
    return row


def published(network: Network, counts: tuple[int, ...], coins: tuple[bool, ...]) -> LayeredGraph:
    """Draw as the paper does, with these copies and these coins on the absent pairs."""
    positions = Positions(network.vertices, counts)
    visits = tuple(int(start) for start in positions.starts[: len(counts)])
    relation = Relation.of(positions, network, visits)
    flat = np.zeros(pair_count(len(positions)), dtype=bool)
    flat[relation.off_walk] = True
    flat[absent_places(relation)] = coins
    graph = draw_in_walk_order(PairBits.from_flat(len(positions), flat), positions, visits)
    rules.check_relation(graph, relation)
    rules.check_roots(graph, visits)
    return graph


# -- Proposition 1 --------------------------------------------------------------------------------


@pytest.mark.regression("'at least 2/3' in the proof of Proposition 1")
@pytest.mark.parametrize("vertices", range(5, 11))
def test_two_thirds_of_proposition_1s_proof_fails_beyond_seven_vertices(vertices: int) -> None:
    """(n + 1) / (2 (n - 1)) on a path and one edge: 2/3 at seven vertices, one half in the end."""
    share = order_beyond_the_path(vertices)
    assert share == Fraction(vertices + 1, 2 * (vertices - 1))
    assert (share < Fraction(2, 3)) == (vertices > 7)
    assert quoted()[f"order told at |V| = |E| = {vertices}"] == share.as_integer_ratio()
    row = row_of('Proposition 1\'s proof: "at least 2/3"')
    assert (f"{share} at ({vertices}, {vertices})" in row) == (vertices >= 7)


# -- Lemma 3 and Proposition 2 --------------------------------------------------------------------


@pytest.mark.regression("Proposition 2 is false with fake copies")
def test_proposition_2_a_branch_of_three_from_one_link() -> None:
    """Two vertices, one link, a fake copy of each: three of four copies on one branch."""
    graph = published(Network.parse("ab"), (2, 2), (True, True))
    assert len(graph.positions) == 4
    assert longest_branch(graph) == 3


@pytest.mark.regression("Lemma 3 is false with fake copies")
def test_lemma_3_a_single_root_which_is_a_fake() -> None:
    """Four vertices, five links: the fake copy of b lies above all six others."""
    network = Network.parse("ab bc cd ac bd")
    graph = published(network, (1, 2, 2, 2), (False, True, True, False, True))
    (root,) = np.flatnonzero(graph.is_root).tolist()
    assert (graph.node(root).vertex, graph.node(root).copy) == ("b", 1)


@pytest.mark.regression("157 of 400 graphs have a longer branch, 2 of 400 a single root")
def test_fake_copies_break_lemma_3_and_proposition_2_as_often_as_the_review_says() -> None:
    found, row = counted("1"), row_of("Proposition 2")
    kind, of = "with fake copies", found.graphs
    assert quoted()[f"branch longer than half, {kind}"] == (found.longer, of)
    assert quoted()[f"branch longer than half rounded up, {kind}"] == (found.above_ceiling, of)
    assert f"{found.longer} of {of} graphs" in row
    assert f"{found.above_ceiling} even" in row
    assert quoted()[f"single root, {kind}"] == (found.single_root, of)
    assert quoted()[f"no two roots share a walk edge, {kind}"] == (found.roots_apart, of)
    assert f"{found.single_root} of {of} graphs have a single root" in row_of("Lemma 3")
    assert f"in {found.roots_apart} no two roots" in row_of("Lemma 3")
    assert 0 < found.single_root < found.above_ceiling < found.longer


def test_without_copies_the_half_rounded_up_and_two_roots_hold() -> None:
    """The control: the same maps' size and coins, no vertex budget."""
    found = counted(None)
    assert (found.above_ceiling, found.single_root) == (0, 0)
    assert found.roots_apart == quoted()["no two roots share a walk edge, without copies"][0] > 0
    assert f"in {found.roots_apart} of {found.graphs} without fake copies" in row_of("Lemma 3")


# -- Corollary 1 ----------------------------------------------------------------------------------


@pytest.mark.regression("Corollary 1: one search touches about 0.11 of the square of the vertices")
def test_corollary_1_grows_faster_than_the_vertices() -> None:
    """third (third - 1) arcs of 3 third vertices: 0.11 V^2 in the end, no constant times V."""
    for third in (5, 10, 20, 40):
        touched, vertices = edges_touched(third)
        assert (touched, vertices) == (third * (third - 1), 3 * third)
        case = f"cover edges touched by one search, |V| = {vertices}"
        assert quoted()[case] == (touched, vertices**2)
    assert touched / vertices**2 == pytest.approx(1 / 9, abs=0.003)
    assert "about 0.11 V^2" in row_of("Corollary 1")


def test_corollary_1_both_engines_draw_the_antichains() -> None:
    """Three layers, and the same arcs by the paper's engine and by ours; read back."""
    network, walk = three_antichains(4)
    drawn = []
    for layering in ("backtracking", "exact"):
        publication = publish(
            network,
            walk,
            policy=Policy.paper(vertex=None, link=None),
            layering=layering,
            source=Seeded(0),
        )
        graph = publication.layered
        assert longest_branch(graph) == 3
        drawn.append(
            {
                frozenset((graph.node(upper).vertex, graph.node(lower).vertex))
                for upper, lower in graph.arcs.tolist()
            }
        )
        found = reconstruct(publication, network)
        assert found.walk.vertices in {walk.vertices, walk.vertices[::-1]}
    assert drawn[0] == drawn[1]


# -- sentences of the text -------------------------------------------------------------------------


def share_of_roots(case: str) -> Interval:
    return proportion(*quoted()[f"first vertex a root, {case}"])


def test_the_first_vertex_is_a_root_less_often_with_more_edges() -> None:
    """Section 5.2.2 explains Figure 8(b) by the opposite. Usable maps of seven vertices."""
    case = "first vertex a root, |V| = 7, |E| = 11"
    assert first_is_root(first_root_cells()[case]) == quoted()[case]
    shares = [share_of_roots(f"|V| = 7, |E| = {edges}") for edges in (10, 13, 15, 19)]
    assert all(fewer.low > more.high for fewer, more in pairwise(shares[:3]))
    row = row_of('More edges give "higher probability')
    assert ", ".join(f"{share.value:.2f}" for share in shares) in row


def test_fake_vertices_push_the_first_vertex_from_the_roots() -> None:
    """Section 5.2.3, on the maps of Figure 9 with six, seven and eight vertices, budgets 1."""
    row = row_of("Fake vertices push")
    for size, sure in (((6, 14), True), ((7, 17), True), ((8, 23), False)):
        none, fakes, coins = (
            share_of_roots(f"{size}, {kind}, with splitting")
            for kind in ("no DP", "DP on vertices", "DP on edges")
        )
        assert fakes.high < coins.low
        assert (difference(none, fakes).low > 0) == sure
        said = ", ".join(f"{share.value:.2f}" for share in (none, fakes, coins))
        assert f"{said} at {size}" in row


def test_steps_fall_in_the_dense_half_without_any_coin() -> None:
    """Section 5.2.1: fewer topologies, less time. Without coins a map has one topology."""
    tables = read_results(RESULTS)
    row = row_of('"Less spaces')

    def steps(name: str, vertices: int, links: int) -> float:
        (found,) = rows_at(
            tables[name],
            engine="backtracking",
            vertices=vertices,
            edges=links,
            vertex_budget=None,
            edge_budget="0.5" if name == "run-time" else None,
        )
        return found.tally.mean_steps().value

    for vertices in (7, 8, 9, 10):
        ends = vertices - 1, 2 * vertices, vertices * (vertices - 1) // 2
        alone, coins = (
            [steps(name, vertices, e) for e in ends] for name in ("quality", "run-time")
        )
        assert alone[1] > 5 * max(alone[0], alone[2])
        assert coins[0] > coins[1] > coins[2]
        if vertices == 8:
            for three in (alone, coins):
                assert ", ".join(f"{mean:.0f}" for mean in three) in row


def walks_along(network: Network, used: set[frozenset[str]], visits: int) -> list[str]:
    """Return the walks of so many visits that use exactly these links."""
    walks = list(network.vertices)
    for _ in range(visits - 1):
        walks = [w + v for w in walks for v in network.neighbours(w[-1]) if {w[-1], v} in used]
    return [w for w in walks if {frozenset(s) for s in pairwise(w)} == used]


def test_a_cyclic_walk_cannot_be_read_without_copies() -> None:
    """Figure 4's walk: with one copy each, three walks from a to f show the same bits."""
    network, walk = Network.parse("ab ae be bc bf ef ed cd cf"), Walk("abcdebcf")
    used = {frozenset(step) for step in walk.steps}
    left = [w for w in walks_along(network, used, 8) if (w[0], w[-1]) == ("a", "f")]
    assert sorted(left) == ["abcbedcf", "abcdebcf", "abedcbcf"]
    # b's first successor is c in two of them and e in the third: "cannot recognise whether e or c".
    assert {w[2] for w in left} == {"c", "e"}
    relations = {
        Relation.of(positions, network, [network.index(v) for v in w]).on_walk.tobytes()
        for w in left
        for positions in [Positions.uniform(network.vertices, 1)]
    }
    assert len(relations) == 1


def test_lemma_1_composes_two_draws_not_one() -> None:
    """Parallel composition needs disjoint data; one link is the degree of both its ends.

    If the degree counted, as Eq. 1 wants it to, the two draws would cost twice eps_v. It cancels,
    so the lemma is true all the same.
    """

    def chance(degree: int) -> float:
        """A draw that does depend on the degree, by a budget of 1."""
        return 1 / (1 + exp(-degree))

    alone = log(chance(3) / chance(2))
    pair = log(chance(3) * chance(3) / (chance(2) * chance(2)))
    assert pair == pytest.approx(2 * alone)
    for budget in (Fraction(1, 2), Fraction(5)):
        laws = {
            tuple(
                p.digits(100)
                for p in copy_mechanism(1, 2, degree, largest_degree=4, budget=budget).law()
            )
            for degree in (1, 2, 4)
        }
        assert len(laws) == 1


def test_the_visiting_order_with_high_probability() -> None:
    """Sections 1, 4.1 and 6: tied on a bare path, 11/18 with one edge more, 3/4 at (10, 15)."""
    names = "abcdefghij"
    network, walk = Network.from_links(pairwise(names)), Walk(names)
    bare = drawn_without_coins(network, walk)
    told = [order_confirmed(bare, network, walk), order_beyond_the_path(10)]
    records = [
        r
        for r in read_csv(RESULTS / "comparison.csv")
        if r["map"].startswith("random") and r["system"] in ROWS.values() and r["budget"] <= 1
    ]
    at_15 = sorted(r["recovered"] for r in records)
    row = row_of('Visiting order "with high probability"')
    for share, place in zip(told, ("on a bare path", "at (10, 10)"), strict=True):
        assert f"{float(share):.2f} {place}" in row
    assert f"{at_15[0]:.2f} to {at_15[-1]:.2f} at (10, 15)" in row


def test_the_proof_of_proposition_1_counted() -> None:
    """How often its one case comes up, and whether there is another."""
    count = {r["case"]: (float(r["counted"]), int(r["of"])) for r in rows("objections.csv")}
    few, case, chance, unsure, beside = (
        count[f"proof of Proposition 1: {what}"]
        for what in ("fewer than four", "the case", "chance", "open", "open beside the case")
    )
    assert few[0] == 0
    assert (
        f"{beside[0]:.0f} of {unsure[0]:,.0f} outputs that do not confirm the order are another "
        f"case. The proof's case comes up in {case[0] / case[1]:.2f} of {case[1]:,} usable maps; "
        f"the formula gives {chance[0] / chance[1]:.2f}."
    ) in row_of('"Only one case"')
    # The same maps as nobody's: the share of unconfirmed outputs is that of the paper's table.
    (table,) = rows_at(
        read_results(RESULTS)["quality"],
        engine="backtracking",
        vertices=6,
        edges=10,
        splitting=False,
    )
    again, tally = confirmed(6, 10, 200), table.tally
    assert again["open"] / again["usable"] == pytest.approx(
        (tally.tied + tally.wrong) / tally.outputs, abs=0.12
    )


def test_the_longest_branch_is_the_largest_clique() -> None:
    """Proof of Proposition 2; a vertex in pieces may be on a longer branch of G_P than in G."""
    draws = draw_runs(Cell("backtracking", 7, 12, splitting=False), "cliques", 60)
    seen = 0
    for run in range(60):
        bits = draws.bits(run)
        drawn = insert_vertices(
            bits, draws.positions(run), draws.lifted_visits(run), splitting=False
        ).layered
        if drawn is not None:
            seen += 1
            graph = nx.from_numpy_array(bits.matrix())
            assert longest_branch(drawn) == max(map(len, nx.find_cliques(graph)))
    assert seen > 30


def test_figure_6_has_two_topologies_one_the_other_turned_over() -> None:
    """Of the eight ways to direct ac, bc and bd two are transitive, each the other's reverse."""
    kept = []
    for ways in product((False, True), repeat=3):
        pairs = zip(("ac", "bc", "bd"), ways, strict=True)
        arcs = {pair[::-1] if turned else pair for pair, turned in pairs}
        if not any(one[1] == two[0] for one in arcs for two in arcs):
            kept.append(arcs)
    assert kept == [{"ac", "bc", "bd"}, {"ca", "cb", "db"}]


def test_a_forest_of_single_edges_keeps_every_relation() -> None:
    """The worst case of Theorem 3's proof: a piece of each end for each edge of G."""
    for pairs in ([(0, 2), (1, 2), (1, 3), (3, 4), (4, 0)], list(combinations(range(5), 2))):
        bits = PairBits.from_pairs(5, pairs)
        forest = LayeredGraph.build(
            Positions.uniform(tuple("abcde"), 1),
            [end for pair in pairs for end in pair],
            [0, 1] * len(pairs),
            [(2 * k, 2 * k + 1) for k in range(len(pairs))],
        )
        rules.check_bits(forest, bits)
        assert forest.bits() == bits


def test_figure_9_is_run_on_the_minima_of_other_maps() -> None:
    """:data:`WORST` was chosen by 8000 maps; of the committed table other sizes are the least."""
    usable = {
        (r.cell.vertices, r.cell.edges): r.tally.usable
        for r in rows_at(read_results(RESULTS)["quality"], engine="backtracking", splitting=False)
    }
    least = [min((n for n in usable if n[0] == v), key=lambda n: usable[n]) for v in WORST]
    others = [size for size in least if size not in WORST.items()]
    assert f"other sizes are the minima: {', '.join(map(str, others))}." in row_of('"Maps ...')
