"""What the wheel and the sdist hold: all of the package, and nothing of the workshop."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]


def test_the_wheel_holds_the_package_and_nothing_else() -> None:
    files = {item.distribution_path for item in WheelBuilder(str(ROOT)).recurse_included_files()}
    package = ROOT / "src" / "pathveil"
    expected = {
        path.relative_to(ROOT / "src").as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files == expected
    assert "pathveil/py.typed" in files


@pytest.mark.regression("the sdist left out the Makefile, and files that its README links to")
def test_the_sdist_can_be_tested_and_its_readme_leads_somewhere() -> None:
    files = {item.relative_path for item in SdistBuilder(str(ROOT)).recurse_included_files()}
    linked = re.findall(r"\]\(([^):#]+)[^):]*\)", (ROOT / "README.md").read_text("utf-8"))
    expected = {"LICENSE", "Makefile", "constraints.txt", "tests/conftest.py", *linked}
    assert expected - files == set()
