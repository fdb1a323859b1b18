from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from pathveil.layering import reasons
from pathveil.layering.adjacency import Adjacency
from pathveil.layering.backtracking import insert_vertices
from pathveil.layering.exact import layer_exactly
from pathveil.layering.reasons import Reason, position_names, why_cut
from pathveil.model.bits import PairBits, pair_count
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from tests.layering.graphs import consistent, networkx_of, watched_work


def places(size: int) -> Positions:
    return Positions.uniform(tuple(f"v{i:02}" for i in range(size)), 1)


def drawn(seed: int, size: int, share: float) -> tuple[PairBits, Adjacency]:
    flat = np.random.default_rng(seed).random(pair_count(size)) < share
    bits = PairBits.from_flat(size, flat)
    return bits, Adjacency.from_bits(bits)


def test_every_cut_of_a_fewest_drawing_has_a_reason_that_holds() -> None:
    told = 0
    for seed in range(25):
        bits, graph = drawn(seed, 11, (0.3, 0.5, 0.7)[seed % 3])
        layered = layer_exactly(bits, places(11), upright=True)
        for position in layered.position_of[layered.piece == 1].tolist():
            reason = why_cut(bits, layered, position)
            assert reason is not None
            assert reason.check(graph)
            assert position in reason.centres
            # The oracle agrees: these centres cannot all be whole, and without one they can.
            assert not consistent(networkx_of(graph), reason.centres)
            others = set(layered.position_of[layered.piece == 1].tolist()) - {position}
            assert not others & set(reason.centres)
            told += 1
    assert told > 30


def test_the_sentences_name_each_step_and_who_must_be_cut() -> None:
    bits = PairBits.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    layered = layer_exactly(bits, Positions.uniform(tuple("abcde"), 1), upright=True)
    (cut,) = layered.position_of[layered.piece == 1].tolist()
    reason = why_cut(bits, layered, cut)
    assert reason is not None
    names = position_names(layered.positions)
    lines = reason.sentences(names)
    assert len(lines) == len(reason.arcs) + 1
    for line, (centre, known, other) in zip(lines[1:-1], reason.steps, strict=True):
        assert bits.same_branch(centre, known)
        assert bits.same_branch(centre, other)
        assert not bits.same_branch(known, other)
        assert f"{names[known]} and {names[other]} are in different branches" in line
        assert f"so {names[centre]}, if whole" in line
    assert lines[-1].endswith(
        f"of a, b, c, d, e at least one must be cut. The others are whole here, so {names[cut]} is."
    )


def test_a_reason_for_other_bits_or_an_altered_one_does_not_hold() -> None:
    bits, graph = drawn(3, 11, 0.5)
    layered = layer_exactly(bits, places(11), upright=True)
    position = int(layered.position_of[layered.piece == 1][0])
    reason = why_cut(bits, layered, position)
    assert reason is not None
    assert not reason.check(Adjacency.from_bits(drawn(4, 11, 0.5)[0]))
    assert not Reason(position, reason.arcs[:-1]).check(graph)
    outside = next(v for v in range(11) if v not in reason.centres)
    assert not Reason(outside, reason.arcs).check(graph)


def test_whole_vertices_have_no_reason_to_be_cut() -> None:
    bits = PairBits.from_pairs(4, [(0, 1), (1, 2), (2, 3)])
    layered = layer_exactly(bits, places(4), upright=True)
    with pytest.raises(ValueError, match="position 2 is whole"):
        why_cut(bits, layered, 2)


def test_a_drawing_that_cuts_too_much_is_told_by_none() -> None:
    """The paper's engine cuts vertices of maps that need fewer cuts, or none there."""
    answers = []
    for seed in range(60):
        bits, _ = drawn(seed, 9, 0.5)
        found = insert_vertices(bits, places(9), list(range(9))).layered
        assert found is not None
        cut = sorted(set(found.position_of[found.piece > 0].tolist()))
        answers += [why_cut(bits, found, position) for position in cut]
    assert None in answers
    assert any(answer is not None for answer in answers)


def test_walks_are_short_enough_to_follow() -> None:
    ring = nx.cycle_graph(7)
    bits = PairBits.from_pairs(7, [(min(e), max(e)) for e in ring.edges])
    layered = layer_exactly(bits, places(7), upright=False)
    (cut,) = layered.position_of[layered.piece == 1].tolist()
    reason = why_cut(bits, layered, cut)
    assert reason is not None
    assert len(reason.arcs) == 8
    assert reason.centres == tuple(range(7))


def test_a_chain_is_looked_for_from_64_mates_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub with 80 mates, cut for no reason: each search says it may take every entry."""
    hub = [(0, v) for v in range(1, 81)]
    bits = PairBits.from_pairs(81, hub)
    layered = LayeredGraph.build(places(81), [*range(81), 0], [0, *[1] * 80, 2], hub)
    noted = watched_work(monkeypatch, reasons)
    assert why_cut(bits, layered, 0) is None
    assert noted[0] == ("opposite_entries", 2 * 160)
    assert noted[1:] == [("forced_chain_by_lists", 4 * 160)] * 64
