"""Law: what is known is frozen. Whoever holds a value can hand it on and need not look back."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

ROOMS = ("model", "chance", "policies", "sketching", "grouping", "layering", "reading", "exchange")


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
    assert not thawed


def flagged(flag: str) -> set[str]:
    """The names of values whose dataclass leaves something out."""
    values = [c for c in value_classes() if dataclasses.is_dataclass(c)]
    return {c.__name__ for c in values if not getattr(c.__dataclass_params__, flag)}  # type: ignore[attr-defined]


def test_values_that_hold_arrays_bring_their_own_equality() -> None:
    """What dataclasses write for == fails on arrays."""
    pytest.importorskip("mpyc")
    assert flagged("eq") == {
        "Adjacency",
        "Grouping",
        "History",
        "LayeredGraph",
        "Network",
        "PairBits",
        "Reduction",
        "Relation",
        "SketchedBits",
        "Split",
    }


def test_who_holds_much_or_a_secret_does_not_print_its_fields() -> None:
    pytest.importorskip("mpyc")
    assert flagged("repr") == {
        "Adjacency",
        "Certificate",
        "CertificateRow",
        "Credentials",
        "Equations",
        "Grouping",
        "History",
        "LayeredGraph",
        "LiftedWalk",
        "Network",
        "PairBits",
        "Policy",  # it prints as the call that makes it
        "Publication",
        "Reading",
        "Reduced",
        "Relation",
        "SeriesPlace",
        "SketchedBits",
        "Statuses",
        "Walk",
    }
