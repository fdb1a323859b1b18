"""The terms of a policy: text, exact, and the same throughout a series."""

from __future__ import annotations

from pathveil.model.certificate import PolicyTerms


def test_policy_terms_read_well() -> None:
    assert str(PolicyTerms("paper", (("link", "1/2"), ("vertex", "1")))) == (
        "paper:link=1/2,vertex=1"
    )
