from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pathveil.errors import BadFile
from pathveil.lab.comparison.reporting import compare, write_comparison
from pathveil.lab.comparison.result_tables import read_csv
from pathveil.lab.maps import random_map


def test_a_small_comparison_is_written_whole(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    comparison, _ = compare(
        budgets=(1, 20),
        trials=25,
        lessons=5,
        systems=("SDD", "PriSTE presence, alpha 5"),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen[0] == (0, 25)
    assert seen[-1] == (25, 25)
    assert "too few" in comparison.verdict
    table, picture, page = write_comparison(comparison, tmp_path / "out")
    assert {r["system"] for r in read_csv(table)} >= {"SDD", "pathveil balanced"}
    assert "<svg" in picture.read_text(encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    assert text.count("<tr>") == len(comparison.best) + 1
    assert "<td>5 / " in text  # alpha asked and used


def test_chunks_and_workers_do_not_matter() -> None:
    one, first = compare(budgets=(1,), trials=22, systems=("CNoise",), lessons=5)
    two, second = compare(budgets=(1,), trials=22, systems=("CNoise",), lessons=5, workers=2)
    assert [str(row) for row in first] == [str(row) for row in second]
    assert one.verdict == two.verdict


def test_a_budget_given_twice_counts_once() -> None:
    comparison, rows = compare(budgets=(1, 1.0, 0.5), trials=2, systems=("CNoise",), lessons=5)
    assert {r["budget"] for r in comparison.records} == {0.5, 1.0}
    assert len(rows) == 2 * 2 * 5


def test_a_comparison_that_was_stopped_goes_on(tmp_path: Path) -> None:
    class Stop(Exception): ...

    def stop(done: int, _total: int) -> None:
        if done:
            raise Stop

    given = {"budgets": (1,), "trials": 45, "systems": ("CNoise",), "lessons": 5}
    whole, rows = compare(**given)  # type: ignore[arg-type]
    journal = tmp_path / "comparison.journal"
    with pytest.raises(Stop):
        compare(**given, journal=journal, progress=stop)  # type: ignore[arg-type]
    # killed in the middle of a line: what is not whole was not done
    journal.write_bytes(journal.read_bytes() + b"00000000 20,half a li")
    seen: list[int] = []
    again, more = compare(
        **given,  # type: ignore[arg-type]
        journal=journal,
        progress=lambda done, _: seen.append(done),
    )
    assert seen == [20, 40, 45]  # the first chunk was not played again
    assert [str(row) for row in rows] == [str(row) for row in more]
    assert again.verdict == whole.verdict
    with pytest.raises(BadFile, match="another comparison"):
        compare(**{**given, "trials": 46}, journal=journal)  # type: ignore[arg-type]


def test_a_real_map_is_played_with_its_reach(tmp_path: Path) -> None:
    network, _ = random_map(30, 45, np.random.default_rng(0))
    comparison, _ = compare(
        network=network,
        name="town",
        visits=6,
        reach=1.5,
        budgets=(1,),
        trials=3,
        lessons=5,
        systems=("SDD",),
        journal=tmp_path / "town.journal",
    )
    assert {r["map"] for r in comparison.records} == {"town, paths of 6"}
    assert "pathveil balanced, universe" in {r["system"] for r in comparison.records}
