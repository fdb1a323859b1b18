"""Law: every publication, of every engine, keeps the publishing rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil import Seeded
from pathveil.chance.coins import draw_release
from pathveil.chance.copies import draw_copies
from pathveil.layering import rules
from pathveil.layering.backtracking import draw_in_walk_order
from pathveil.layering.exact import layer_exactly
from pathveil.model.bits import Relation
from pathveil.model.layered import LAYERINGS, Layering
from tests.strategies import Task, tasks


@pytest.mark.parametrize("layering", LAYERINGS)
@given(data=st.data())
def test_rules_hold(layering: Layering, data: st.DataObject) -> None:
    network, walk, policy, seed = data.draw(tasks(few=layering == "backtracking"))
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


@given(tasks(few=True))
def test_all_engines_publish_the_same_bits(task: Task) -> None:
    exact, *others = (task.publish(layering=layering) for layering in LAYERINGS)
    for other in others:
        assert exact.packed.pairs == other.packed.pairs
        assert exact.positions == other.positions
