"""The picture as a witness: against the paper's layout, and in vain against the canonical one."""

from __future__ import annotations

import pytest

from pathveil import Policy, Seeded
from pathveil.lab.attacks.known_answers import layout_consistency
from pathveil.model.layered import Layering
from studies.layout_attack import publisher
from tests.attacks.maps import cases

LOW = Policy.paper(vertex=None, link=1)


def test_the_papers_layout_gives_the_edge_away() -> None:
    outcome = layout_consistency(
        cases(40, LOW, "backtracking"), publisher("backtracking"), source=Seeded(1)
    )
    assert outcome.beats_control
    assert outcome.found.value > 0.85
    assert outcome.sound
    assert outcome.differs > 10


@pytest.mark.parametrize("policy", [LOW, Policy.balanced(), Policy.sealed()], ids=str)
def test_the_canonical_layout_tells_no_joins_apart(policy: Policy) -> None:
    layering: Layering = "exact"
    outcome = layout_consistency(cases(40, policy, layering), publisher(layering), source=Seeded(1))
    assert outcome.differs == 0
    assert not outcome.beats_control
