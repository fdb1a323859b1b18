"""What commands print with --json, held against the schemas that are shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import pathveil.files

SCHEMAS = Path(pathveil.files.__file__).parent / "schemas"


def schema_of(command: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (SCHEMAS / f"{command.replace(' ', '-')}.json").read_text("utf-8")
    )
    return found


def parsed(command: str, printed: str) -> Any:
    """Return what a command printed, once it is strict JSON and fits the command's schema."""
    found = json.loads(printed, parse_constant=_refuse)
    Draft202012Validator(schema_of(command)).validate(found)
    return found


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")
