from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pathveil.errors import BadFile
from pathveil.lab.comparison.comparison_tables import COLUMNS, comparison_table, read_csv, write_csv
from pathveil.lab.comparison.games import Row, Settings, run_trials
from pathveil.lab.comparison.systems import prior_systems
from pathveil.lab.maps import random_map

TRIALS = 100


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    settings = Settings(seed=3, make_map=partial(random_map, 7, 10))
    names = ["SDD", "PIM", "DPT"]
    return run_trials(prior_systems([1.0, 20.0], names), range(TRIALS), settings)


def test_the_table_says_what_the_rows_say(rows: list[Row]) -> None:
    table = comparison_table(rows, map_="small")
    mine = [r for r in rows if r["system"] == "PIM" and r["budget"] == 20.0]
    (record,) = [
        t for t in table if (t["system"], t["budget"], t["attack"]) == ("PIM", 20.0, "completion")
    ]
    assert set(record) == set(COLUMNS)
    assert record["trials"] == TRIALS
    assert record["success"] == np.mean([float(r["attack/completion"]) for r in mine])
    assert record["g1"] == np.mean([float(r["g1"]) for r in mine])
    assert record["control"] == "any candidate"
    assert record["difference"] == pytest.approx(record["success"] - record["g1"])
    assert record["over_g0"] == pytest.approx(record["success"] - record["g0"])
    assert record["low"] <= record["success"] <= record["high"]
    assert record["difference_low"] <= record["difference"] <= record["difference_high"]
    assert record["verdict"] == "leaks"
    assert record["unit"] == "location within delta-set, per time"
    assert "delta 0.01" in record["parameters"]


def test_intervals_and_verdicts_have_one_level(rows: list[Row]) -> None:
    """The verdict can be read off the printed interval."""
    table = comparison_table(rows)
    assert {t["level"] for t in table if t["system"] == "DPT"} == {1 - 0.05 / 3}
    for t in table:
        assert (t["verdict"] in {"leaks", "definitely"}) == (t["difference_low"] > 0)


def test_where_another_control_is_better_it_is_the_baseline(rows: list[Row]) -> None:
    """As if lengths told everything: then an attack that is always right has learned nothing."""
    told = [{**row, "control/shortest": 1.0} for row in rows]
    for t in comparison_table(told):
        assert (t["control"], t["control_success"]) == ("shortest", 1.0)
        assert t["verdict"] == "no leak shown"


def test_the_literal_attack_shows_no_leak_where_there_is_none(rows: list[Row]) -> None:
    verdicts = {t["verdict"] for t in comparison_table(rows) if t["system"] == "DPT"}
    assert verdicts == {"no leak shown"}


def test_what_is_not_read_has_no_value(rows: list[Row]) -> None:
    table = comparison_table(rows)
    assert all(np.isnan(t["recovered"]) for t in table if t["system"] == "DPT")
    assert all(t["recovered_low"] > 0 for t in table if t["system"] == "PIM")


def test_the_table_survives_its_file(rows: list[Row], tmp_path: Path) -> None:
    table = comparison_table(rows, map_="small, with a comma")
    path = tmp_path / "table.csv"
    path.write_text(write_csv(table), encoding="utf-8")
    back = read_csv(path)
    assert write_csv(back) == write_csv(table)
    assert isinstance(back[0]["trials"], int)
    path.write_text(write_csv(table).replace(",SDD,", ",SDD,", 1)[:-40], encoding="utf-8")
    with pytest.raises(BadFile, match="line"):
        read_csv(path)


def bare(**more: Any) -> Row:
    return {
        "system": "x",
        "unit": "u",
        "budget": 1.0,
        "g0": 0.1,
        "g1": 0.5,
        "exact": 1.0,
        "distance": float("nan"),
        "recovered": 1.0,
        "attack/a": 0.5,
        **more,
    }


def test_a_contestant_without_placebo_or_controls_is_judged_by_its_difference() -> None:
    (record,) = comparison_table([bare(trial=i) for i in range(120)])
    assert record["verdict"] == "no leak shown"
    assert record["control"] == "any candidate"
    assert np.isnan(record["placebo"])


def test_an_attack_that_reads_the_answer_is_caught_by_its_placebo() -> None:
    """It is right on the placebo too, where the release tells of another edge."""
    (record,) = comparison_table(
        [bare(trial=i, **{"attack/a": 1.0, "placebo/a": 1.0}) for i in range(120)]
    )
    assert "unsound" in record["verdict"]
