"""What the shapes of our file formats are built from: strict parts, and the schema they make."""

from __future__ import annotations

import json

from pydantic import BaseModel, ConfigDict


class StrictPart(BaseModel):
    """A part of a file: no key too many, none too few, no value bent into shape."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def json_schema(model: type[StrictPart], name: str) -> str:
    """Return the JSON Schema of a file format as the text that is committed beside it."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": name,
        **model.model_json_schema(by_alias=True),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
