"""A policy on the command line is one text, the same as in Python."""

from __future__ import annotations

import pytest
from pathveil.cli.policy_options import policy_of

from pathveil import Policy
from pathveil.errors import BadBudget


def test_the_option_is_the_text_of_a_policy() -> None:
    assert policy_of(None) is None
    for policy in (Policy.sealed(copies=2), Policy.remembering(usage="0.15")):
        assert policy_of(str(policy)) == policy


def test_what_is_no_policy_is_refused() -> None:
    with pytest.raises(BadBudget):
        policy_of("blanced")
