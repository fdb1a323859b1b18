"""Every kind of policy is listed once; who asks for another is told which there are."""

from __future__ import annotations

import pytest

from pathveil.errors import BadBudget
from pathveil.policies.policy import KINDS, kind_named


def test_a_name_nobody_knows_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadBudget, match=r"'blanced' is no policy .* balanced, sealed"):
        kind_named("blanced")


def test_names_are_one_each_and_lead_back() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert [kind_named(kind.name) for kind in KINDS] == list(KINDS)
