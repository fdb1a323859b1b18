"""The package root: a dozen names, sorted, and no more than it says."""

from __future__ import annotations

import types

import pathveil


def test_all_is_what_is_public() -> None:
    public = sorted(
        name
        for name, value in vars(pathveil).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    )
    assert pathveil.__all__ == public


def test_every_public_name_is_documented() -> None:
    for name in pathveil.__all__:
        assert getattr(pathveil, name).__doc__, name


def test_contract() -> None:
    contract = {
        "Knowledge",
        "Network",
        "Policy",
        "Publication",
        "Seeded",
        "Walk",
        "attack",
        "audit",
        "publish",
        "read_network",
        "reconstruct",
    }
    assert contract <= set(pathveil.__all__)


def test_every_public_name_has_an_example() -> None:
    for name in pathveil.__all__:
        assert ">>>" in (getattr(pathveil, name).__doc__ or ""), name
