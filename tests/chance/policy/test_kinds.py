"""Every kind of policy is listed once; who asks for another is told which there are."""

from __future__ import annotations

from pathlib import Path

import pytest

import pathveil.chance.policy as package
from pathveil.chance.policy.kinds import KINDS, kind_named
from pathveil.errors import BadBudget


def test_every_file_of_the_folder_is_a_kind_that_is_listed() -> None:
    folder = Path(package.__file__).parent
    modules = {p.stem for p in folder.glob("*.py")} - {
        "__init__",
        "kind",
        "kinds",
        "named",
        "numbers",
        "stated",
    }
    assert {kind.__module__.rsplit(".", 1)[1] for kind in KINDS} == modules
    assert KINDS[0].name == "balanced"  # the default


def test_a_name_nobody_knows_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadBudget, match=r"'blanced' is no policy .* balanced, sealed"):
        kind_named("blanced")


def test_names_are_one_each_and_lead_back() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert [kind_named(kind.name) for kind in KINDS] == list(KINDS)
