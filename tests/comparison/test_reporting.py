from __future__ import annotations

import csv
from pathlib import Path

from pathveil.comparison.reporting import compare, judge, write_comparison


def test_a_small_comparison_is_written_whole(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    comparison, _ = compare(
        budgets=(1, 20),
        trials=25,
        systems=("SDD", "PIM"),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen[-1] == (25, 25)
    assert "definitely" in comparison.verdict
    table, picture, page = write_comparison(comparison, tmp_path / "out")
    with table.open(encoding="utf-8") as handle:
        records = list(csv.DictReader(handle))
    assert {r["system"] for r in records} >= {"SDD", "PIM", "pathveil balanced"}
    assert "<svg" in picture.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8").count("<tr>") == len(comparison.best) + 1


def test_chunks_and_workers_do_not_matter() -> None:
    one, first = compare(budgets=(1,), trials=22, systems=("CNoise",))
    two, second = compare(budgets=(1,), trials=22, systems=("CNoise",), workers=2)
    assert [str(row) for row in first] == [str(row) for row in second]
    assert one.verdict == two.verdict


def test_without_the_five_nothing_is_judged() -> None:
    assert "not tested" in judge([])
