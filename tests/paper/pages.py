"""Pages, result tables and the sentences and tables that tie the two together."""

from __future__ import annotations

import csv
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "studies" / "results"


def page(name: str) -> str:
    """Return a page as one line, so that a sentence is found wherever it is broken."""
    return re.sub(r"\s+", " ", (ROOT / name).read_text("utf-8"))


def rows(name: str) -> list[dict[str, str]]:
    with (RESULTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def said(sentence: str, name: str) -> None:
    assert sentence in page(name), f"{name} should say: {sentence}"


def printed_table(name: str, head: str) -> dict[str, list[str]]:
    """Return the Markdown table whose head begins so: first cell -> the other cells."""
    lines = (ROOT / name).read_text("utf-8").splitlines()
    (start,) = [number for number, line in enumerate(lines) if line.startswith(head)]
    found: dict[str, list[str]] = {}
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        first, *rest = (cell.strip() for cell in line.split("|")[1:-1])
        found[first] = rest
    return found
