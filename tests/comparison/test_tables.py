from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from pathveil.comparison.games import Row, Settings, prior_systems, run_trials
from pathveil.comparison.tables import (
    _styles,
    comparison_table,
    draw_comparison,
    strongest,
)
from pathveil.errors import BadFile, MissingExtra
from pathveil.maps import random_map


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    settings = Settings(seed=3, make_map=partial(random_map, 7, 10))
    names = ["SDD", "PIM", "DPT", "PTCS"]
    return run_trials(prior_systems([1.0, 20.0], names), range(40), settings)


def test_the_table_says_what_the_rows_say(rows: list[Row]) -> None:
    table = comparison_table(rows)
    mine = [r for r in rows if r["system"] == "PIM" and r["budget"] == 20.0]
    (record,) = [
        t for t in table if (t["system"], t["budget"], t["attack"]) == ("PIM", 20.0, "completion")
    ]
    assert record["trials"] == 40
    assert record["success"] == np.mean([float(r["completion"]) for r in mine])
    assert record["g1"] == np.mean([float(r["g1"]) for r in mine])
    assert record["difference"] == pytest.approx(record["success"] - record["g1"])
    assert record["low"] <= record["success"] <= record["high"]
    assert record["difference_low"] <= record["difference"] <= record["difference_high"]
    assert record["verdict"] == "leaks"
    assert record["advantage"] > 0.9
    assert record["unit"] == "location within delta-set, per time"


def test_the_literal_attack_shows_no_leak_where_there_is_none(rows: list[Row]) -> None:
    verdicts = {t["verdict"] for t in comparison_table(rows) if t["system"] == "DPT"}
    assert verdicts == {"no leak shown"}


def test_rows_may_come_in_any_order(rows: list[Row]) -> None:
    def ordered(table: list[dict[str, object]]) -> list[str]:
        return sorted(repr(record) for record in table)

    assert ordered(comparison_table(rows[::-1])) == ordered(comparison_table(rows))


def test_the_table_can_be_split(rows: list[Row]) -> None:
    split = comparison_table(rows, by=("segment",))
    ends = [t for t in split if t["segment"] == 1]
    assert ends
    assert len({t["segment"] for t in split}) > 1
    assert (
        sum(t["trials"] for t in split if t["attack"] == "nearest" and t["system"] == "SDD") == 80
    )
    assert all(t["g1"] >= 0.5 for t in ends)  # a first or last edge has two candidates at most


def test_the_strongest_attack_is_named(rows: list[Row]) -> None:
    best = {(t["system"], t["budget"]): t["attack"] for t in strongest(comparison_table(rows))}
    assert best["SDD", 1.0] in {"endpoints", "likelihood"}
    assert len(best) == 8


def test_a_contestant_without_placebo_is_judged_by_its_difference() -> None:
    bare: list[Row] = [
        {
            "system": "x",
            "unit": "u",
            "budget": 1.0,
            "trial": i,
            "candidates": 2,
            "segment": 1,
            "g0": 0.1,
            "g1": 0.5,
            "claimed": 1.0,
            "exact": 1.0,
            "distance": float("nan"),
            "recovered": 1.0,
            "a": 0.5,
            "a/fallback": 0.5,
            "a/abstained": 0.0,
        }
        for i in range(5)
    ]
    (record,) = comparison_table(bare)
    assert record["verdict"] == "no leak shown"
    assert np.isnan(record["placebo"])


def test_the_picture_is_drawn(rows: list[Row], tmp_path: Path) -> None:
    for name in ("x.png", "x.svg"):
        draw_comparison(rows, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 20_000
    few = [row for row in rows if row["system"] == "DPT"]  # two attacks and two measures
    draw_comparison(few, tmp_path / "few.pdf")
    three = [row for row in rows if row["system"] == "PTCS"]
    draw_comparison(three, tmp_path / "three.png")
    with pytest.raises(BadFile, match="no rows"):
        draw_comparison([], tmp_path / "y.png")


def test_no_two_systems_look_alike() -> None:
    styles = _styles([str(i) for i in range(14)])
    assert len({tuple(sorted(style.items())) for style in styles.values()}) == 14


def test_the_pip_line_is_given(
    rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match="pip install"):
        draw_comparison(rows, tmp_path / "x.png")
