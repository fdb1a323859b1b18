"""What the shapes of our file formats are built from: strict parts, and the schema they make.

Who collects every fault of a hostile file holds a thousand bytes for each of its signs: so lists
are given up at their first fault (:data:`Listed`), mappings have few keys (:data:`Mapped`), and of
the keys that a part does not know one is looked at.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

MOST_KEYS = 64
"""Keys of a mapping: policies state a dozen parameters at most."""

Item = TypeVar("Item")
Key = TypeVar("Key")


def _require_few(given: Any) -> Any:
    if isinstance(given, dict) and len(given) > MOST_KEYS:
        raise PydanticCustomError(
            "too_many",
            "has {found} keys, expected at most {most}",
            {"found": len(given), "most": MOST_KEYS},
        )
    return given


Listed = Annotated[list[Item], Field(fail_fast=True)]
"""A list that is given up at its first fault."""

Mapped = Annotated[dict[Key, Item], BeforeValidator(_require_few)]
"""A mapping of few keys."""


class StrictPart(BaseModel):
    """A part of a file: no key too many, none too few, no value bent into shape."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _one_stranger(cls, given: Any) -> Any:
        """Return what is given with one unknown key at most: one is enough to refuse the file."""
        if not isinstance(given, dict) or len(given) <= len(cls.model_fields):
            return given
        known = {field.alias or name for name, field in cls.model_fields.items()}
        stranger = next(key for key in given if key not in known)
        return {key: given[key] for key in (*known, stranger) if key in given}


def json_schema(model: type[StrictPart], name: str) -> str:
    """Return the JSON Schema of a file format as the text that is committed beside it."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": name,
        **model.model_json_schema(by_alias=True),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
