"""Findings as data, and JSON can hold them."""

from __future__ import annotations

import json

from pathveil import Knowledge, Network, Policy, Seeded, Walk, attack, publish
from pathveil.checking.verification import verify_publication
from pathveil.cli.results import findings_data, inference_data, table_data

NETWORK, WALK = Network.parse("ab bc cd bd"), Walk("abcd")
PUBLICATION = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))


def test_what_auditors_find_can_be_written_as_json() -> None:
    found = attack(PUBLICATION, Knowledge(NETWORK.without(("b", "c"))))
    for value in (
        inference_data(found),
        findings_data(verify_publication(PUBLICATION, NETWORK, WALK)),
    ):
        json.dumps(value, allow_nan=False)
    assert findings_data([])["holds"] is True


def test_what_is_no_number_has_no_value() -> None:
    (found,) = table_data([{"a": float("nan"), "b": 1.5, "c": "x", "d": float("inf")}])
    assert found == {"a": None, "b": 1.5, "c": "x", "d": "inf"}
    json.dumps(found, allow_nan=False)
