"""Strict parts bend nothing, and the schema they make says the same."""

from __future__ import annotations

import json

import jsonschema  # type: ignore[import-untyped]
import pytest
from pydantic import ValidationError

from pathveil.files.publications.veil_schema import StrictPart, json_schema


class Part(StrictPart):
    number: int


@pytest.mark.parametrize("found", [{"number": "1"}, {"number": 1.0}, {"number": 1, "x": 2}, {}])
def test_nothing_is_bent_into_shape(found: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Part.model_validate(found)
    schema = json.loads(json_schema(Part, "urn:part"))
    if found != {"number": 1.0}:  # to JSON Schema 1.0 is a whole number
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(found, schema)


def test_a_part_does_not_change() -> None:
    part = Part.model_validate({"number": 1})
    with pytest.raises(ValidationError, match="frozen"):
        part.number = 2


def test_the_schema_is_named_and_ends_its_last_line() -> None:
    text = json_schema(Part, "urn:part")
    assert text.endswith("}\n")
    assert json.loads(text)["$id"] == "urn:part"
    jsonschema.Draft202012Validator.check_schema(json.loads(text))
