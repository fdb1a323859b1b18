"""Law: what is known is frozen. Whoever holds a value can hand it on and need not look back."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

ROOMS = ("model", "chance", "layering", "recovery")
AT_WORK = {"pathveil.layering.placements.Placements"}
"""The state of a search that is still running."""


def value_classes() -> Iterator[type]:
    for room in ROOMS:
        package = importlib.import_module(f"pathveil.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            for thing in vars(module).values():
                if isinstance(thing, type) and thing.__module__ == found.name:
                    yield thing


def test_values_cannot_be_changed() -> None:
    pytest.importorskip("mpyc")
    found = {c: f"{c.__module__}.{c.__name__}" for c in value_classes()}
    values = {name: c for c, name in found.items() if dataclasses.is_dataclass(c)}
    assert len(values) > 50
    thawed = {name for name, c in values.items() if not c.__dataclass_params__.frozen}  # type: ignore[attr-defined]
    assert thawed == AT_WORK
