"""Shared options: what can be chosen is what the model knows, under the same names."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import pytest

from pathveil.cli.main import run
from pathveil.cli.options import (
    EXACT,
    PACKED,
    TOLD,
    DirectionChoice,
    FormChoice,
    LayeringChoice,
    direction_named,
    form_named,
    layering_named,
)
from pathveil.model.bits import FORMS
from pathveil.model.layered import LAYERINGS
from pathveil.model.publication import DIRECTIONS
from pathveil.publishing.terms import ReleaseTerms


@pytest.mark.parametrize(
    ("choices", "known"),
    [(LayeringChoice, LAYERINGS), (DirectionChoice, DIRECTIONS), (FormChoice, FORMS)],
)
def test_every_name_of_the_model_can_be_chosen(
    choices: type[StrEnum], known: tuple[str, ...]
) -> None:
    assert [choice.value for choice in choices] == list(known)


def test_a_choice_stands_for_the_name_it_shows() -> None:
    assert [layering_named(choice) for choice in LayeringChoice] == list(LAYERINGS)
    assert [direction_named(choice) for choice in DirectionChoice] == list(DIRECTIONS)
    assert [form_named(choice) for choice in FormChoice] == list(FORMS)


def test_what_is_not_said_is_what_the_library_takes() -> None:
    usual = ReleaseTerms()
    assert layering_named(EXACT) == usual.layering
    assert direction_named(TOLD) == usual.direction
    assert form_named(PACKED) == usual.form


@pytest.mark.parametrize(
    ("option", "known"),
    [("--layering", LAYERINGS), ("--direction", DIRECTIONS), ("--form", FORMS)],
)
def test_another_name_is_refused_with_those_there_are(
    example: Path, capsys: pytest.CaptureFixture[str], option: str, known: tuple[str, ...]
) -> None:
    assert run(["publish", "network.csv", "walk.txt", "-o", "x.veil.json", option, "odd"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert option in said
    assert all(name in said for name in known)
    assert not Path("x.veil.json").exists()
