"""Numbers that JSON has no form for."""

from __future__ import annotations

import json

from pathveil.cli.results import decimal_data, finite, loss_data
from pathveil.model.certificate import ENDLESS


def test_what_has_no_bound_is_a_text_and_what_is_no_number_null() -> None:
    assert [finite(value) for value in (float("inf"), float("nan"), 1.5, "x", None)] == [
        *("inf", None, 1.5, "x", None)
    ]


def test_losses_have_a_closed_form_or_none() -> None:
    assert decimal_data(1.5) == {"expression": None, "decimal": "1.5"}
    assert loss_data(ENDLESS)["decimal"] == "inf"
    json.dumps(decimal_data(float("inf")), allow_nan=False)
