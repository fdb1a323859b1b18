"""The terms of a policy: text, exact, and the same throughout a series."""

from __future__ import annotations

from pathveil.model.certificate import PolicyTerms


def test_policy_terms_read_well() -> None:
    assert str(PolicyTerms("paper", (("link", "1/2"), ("vertex", "1")))) == (
        "paper(link=1/2, vertex=1)"
    )


def test_the_terms_of_a_series_are_all_but_the_bits_that_grow_with_it() -> None:
    terms = PolicyTerms("remembering", (("on", "1/2"), ("value_bits", "8"), ("off", "1/2")))
    assert terms.of_series == PolicyTerms("remembering", (("on", "1/2"), ("off", "1/2")))
