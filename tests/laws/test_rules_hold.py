"""Law: every publication, of every engine, keeps the publishing rules."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pathveil import Network, Seeded, Walk, publish
from pathveil.chance.coins import draw_release
from pathveil.chance.copies import draw_copies
from pathveil.layering import rules
from pathveil.layering.backtracking import draw_in_walk_order
from pathveil.layering.exact import layer_exactly
from pathveil.model.bits import Relation
from pathveil.model.layered import LAYERINGS, Layering
from tests.strategies import few_positions, journeys, policies_for


@pytest.mark.parametrize("layering", LAYERINGS)
@given(journey=journeys(), data=st.data(), seed=st.integers(0, 1 << 32))
def test_rules_hold(
    layering: Layering, journey: tuple[Network, Walk], data: st.DataObject, seed: int
) -> None:
    network, walk = journey
    policy = data.draw(policies_for(walk))
    assume(layering == "exact" or few_positions(network, walk, policy))
    source = Seeded(seed)
    lifted = draw_copies(network, walk, policy, source)
    relation = Relation.of(lifted.positions, network, lifted.visits)
    (bits,) = draw_release([relation], lifted.positions, policy, source)
    if layering == "backtracking":
        layered = draw_in_walk_order(bits, lifted.positions, lifted.visits)
    else:
        layered = layer_exactly(bits, lifted.positions, upright=lifted.direction)
    rules.check_shape(layered)
    rules.check_bits(layered, bits)
    rules.check_relation(layered, relation)
    assert len(set(lifted.visits)) == len(lifted.visits), "rule 4: each visit has its own copy"
    named = [layered.positions.label(position)[0] for position in lifted.visits]
    assert tuple(named) == walk.vertices
    if layering == "backtracking":
        rules.check_roots(layered, lifted.visits)
    else:
        assert len(layered.position_of) <= 2 * len(layered.positions)


@given(journeys(), st.data(), st.integers(0, 1 << 32))
def test_all_engines_publish_the_same_bits(
    journey: tuple[Network, Walk], data: st.DataObject, seed: int
) -> None:
    network, walk = journey
    policy = data.draw(policies_for(walk))
    assume(few_positions(network, walk, policy))
    exact, *others = (
        publish(network, walk, policy=policy, layering=layering, source=Seeded(seed))
        for layering in LAYERINGS
    )
    for other in others:
        assert exact.packed.pairs == other.packed.pairs
        assert exact.positions == other.positions
