"""Every case of the page beside has its test: the file is there, and the function in it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = Path(__file__).with_name("cases.md")
ROW = re.compile(r"^\| (.+?) \| `(tests/\S+\.py)::(test_\w+)` \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text("utf-8"))


def test_every_row_of_the_page_is_read() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert len(ROWS) == len(rows) - 1  # the first is the header
    assert len({case for case, _, _ in ROWS}) == len(ROWS)


@pytest.mark.parametrize(("case", "file", "test"), ROWS, ids=[row[2] for row in ROWS])
def test_the_case_has_its_test(case: str, file: str, test: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    found = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert test in found, f"{case}: {file} has no {test}"
    assert any(isinstance(node, ast.Assert | ast.With) for node in ast.walk(found[test])) or any(
        isinstance(node, ast.Call) for node in ast.walk(found[test])
    )
