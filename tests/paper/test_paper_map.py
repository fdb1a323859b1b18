"""The map is true: every file it names exists, every name it gives is found there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_named_in_the_docs_exists(page: Path) -> None:
    for name in re.findall(
        r"`([a-z0-9_/]+\.(?:py|md))`|\]\((?!http)([^)#]+)", page.read_text("utf-8")
    ):
        path = next(filter(None, name))
        places = [ROOT / path, ROOT / "src" / "pathveil" / path, page.parent / path]
        assert any(place.exists() for place in places), f"{page.name} names {path}"


def test_every_function_named_in_the_map_is_in_its_module() -> None:
    text = (ROOT / "docs" / "paper-map.md").read_text(encoding="utf-8")
    for module, names in re.findall(r"`([a-z0-9_/]+\.py)`: ((?:`[\w.]+`(?:, )?)+)", text):
        source = (ROOT / "src" / "pathveil" / module).read_text(encoding="utf-8")
        for name in re.findall(r"`([\w.]+)`", names):
            last = name.split(".")[-1]
            assert re.search(rf"(?:def|class) {last}\b", source), f"{module} has no {name}"
