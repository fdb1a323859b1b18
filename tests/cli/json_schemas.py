"""What commands print with --json, held against the schemas their types make."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pathveil.cli.results import result_schema


def parsed(command: str, printed: str) -> Any:
    """Return what a command printed, once it is strict JSON and fits the command's schema."""
    found = json.loads(printed, parse_constant=_refuse)
    Draft202012Validator(result_schema(command)).validate(found)
    return found


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")
