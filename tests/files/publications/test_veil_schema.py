from __future__ import annotations

import json

import jsonschema  # type: ignore[import-untyped]

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.files.publications.veil_json import publication_text
from pathveil.files.publications.veil_schema import FORMAT, SCHEMA_ID, SCHEMA_PATH, schema_text
from pathveil.files.strict_json import VERSION


def test_the_committed_schema_is_the_one_the_reader_uses() -> None:
    assert SCHEMA_PATH.read_text(encoding="utf-8") == schema_text()
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == SCHEMA_ID
    assert schema["properties"]["version"]["const"] == VERSION
    assert schema["properties"]["format"]["const"] == FORMAT


def test_publications_of_every_kind_have_its_shape() -> None:
    network, walk = Network.parse("ab bc cd bd"), Walk("abcd")
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    for publication in (
        publish(network, walk, source=Seeded(1)),
        publish(network, walk, policy=Policy.two_sided(epsilon=1), direction="hidden"),
        publish(network, walk, policy=Policy.paper(vertex=1, link=1), layering="backtracking"),
        publish(network, walk, universe=[*network.links, ("a", "c")]),
    ):
        found = json.loads(publication_text(publication))
        validator.validate(found)
        assert not validator.is_valid({**found, "walk": list(walk)})
        assert not validator.is_valid({key: found[key] for key in found if key != "bits"})
