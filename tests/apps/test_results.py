"""Results as data: they say what the objects say, and JSON can hold them."""

from __future__ import annotations

import json

from pathveil import Knowledge, Network, Policy, Seeded, Walk, attack, publish, reconstruct
from pathveil.apps.results import (
    certificate_data,
    edge_data,
    findings_data,
    inference_data,
    publication_data,
    reading_data,
    table_data,
    vertex_data,
)
from pathveil.recovery.participant import read_edge, read_vertex
from pathveil.verifying import verify_publication

NETWORK, WALK = Network.parse("ab bc cd bd"), Walk("abcd")
PUBLICATION = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))


def test_a_certificate_is_its_rows_with_their_words() -> None:
    found = certificate_data(PUBLICATION.certificate)
    first = found["rows"][0]
    assert first["adversary"]["walk_edges"] == 1
    assert first["words"] == "one walk edge"
    assert first["presence"] == {"expression": "0", "decimal": "0.0000"}
    assert first["notion"] == "symmetric DP"
    assert found["not_protected"] == list(PUBLICATION.certificate.not_protected)


def test_a_publication_says_everything_but_its_bits() -> None:
    found = publication_data(PUBLICATION)
    assert found["policy"] == "sealed(copies=1)"
    assert (found["layering"], found["direction"], found["unsafe"]) == ("exact", True, True)
    assert found["universe"] is None
    with_universe = publish(NETWORK, WALK, universe=NETWORK)
    assert publication_data(with_universe)["universe"]["count"] == 4


def test_what_participants_read() -> None:
    reading = reconstruct(PUBLICATION, NETWORK)
    exact = {"walk": list("abcd"), "order": "told", "gap": None, "rivals": None, "path_only": None}
    assert reading_data(reading, noisy=False) == exact
    assert set(reading_data(reading, noisy=True)) == set(exact)
    vertex = vertex_data(read_vertex(PUBLICATION, "b", NETWORK.neighbours("b")))
    assert (vertex["visits"], len(vertex["links"])) == (1, 2)
    assert vertex["links"][0] == {
        "here": {"vertex": "b", "copy": 0},
        "there": {"vertex": "a", "copy": 0},
    }
    assert edge_data(read_edge(PUBLICATION, "b", "d")) == {
        "edge": ["b", "d"],
        "on_walk": False,
        "links": [],
    }


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
