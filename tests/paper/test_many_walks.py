"""docs/many-walks.md is run, and what it says of the study is what the tables say."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from pathveil.planning.gate_report import Effort

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "studies" / "results"


def table(part: str) -> list[dict[str, str]]:
    path = RESULTS / f"many_walks_{part}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def share(part: str, attack: str = "structure", **cell: str) -> float:
    """Return the share of walks read in the one cell with these values."""
    (row,) = [row for row in table(part) if all(row[k] == v for k, v in cell.items())]
    return float(row[f"{attack}_walks"]) / float(row["releases"])


CENTRED, PLAIN, FAIR = "remembering, centred", "remembering", "fair coins"


def test_the_python_of_the_page_runs() -> None:
    text = (ROOT / "docs" / "many-walks.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "many-walks.md", "exec"), {})  # noqa: S102


@pytest.mark.parametrize("uses", ["0.5", "1", "1.5", "2", "3"])
def test_centred_chaff_holds_under_one_use_and_beyond_at_twenty_vertices(uses: str) -> None:
    assert share("small", chaff=CENTRED, uses=uses, known="0") == 0


def test_centred_chaff_fails_at_eleven_uses() -> None:
    assert share("small", chaff=CENTRED, uses="11", known="0") == 1


def test_fresh_coins_are_read_by_counting_after_some_fifty_releases() -> None:
    assert share("small", "counting", chaff=FAIR, uses="11", known="0") > 0.8
    (row,) = [
        row
        for row in table("small")
        if (row["chaff"], row["uses"], row["known"]) == (FAIR, "11", "0")
    ]
    assert int(row["counting_links"]) / int(row["hidden"]) > 0.98


def test_where_it_begins_to_fail_on_larger_networks() -> None:
    for vertices in ("60", "120"):
        for uses in ("0.5", "0.75", "1"):
            given = {"vertices": vertices, "uses": uses, "known": "0"}
            assert share("large", chaff=CENTRED, **given) == 0
    assert share("large", vertices="60", chaff=CENTRED, uses="2", known="0") > 0.5
    assert share("large", vertices="120", chaff=CENTRED, uses="1.5", known="0") > 0.3
    assert share("huge", vertices="1000", uses="0.5", known="half") > 0.5


def test_the_plain_prior_and_fresh_coins_fail_below_one_use() -> None:
    """The reason why the advice is to give usage=."""
    assert share("large", vertices="60", chaff=PLAIN, uses="0.75", known="0") > 0.5
    assert share("large", vertices="60", chaff=FAIR, uses="0.75", known="0") == 1


def test_placebos_read_no_walk() -> None:
    for part in ("small", "large"):
        rows = [row for row in table(part) if row["placebo_structure_links"]]
        assert rows
        for row in rows:
            assert float(row["placebo_structure_walks"]) == 0
            assert float(row["placebo_counting_walks"]) == 0
        found = sum(float(row["placebo_structure_links"]) for row in rows)
        luck = sum(float(row["placebo_structure_luck"]) for row in rows)
        assert found < 1.25 * luck


def test_grouped_links_are_named_by_chance_only() -> None:
    rows = table("grouped")
    right = sum(int(row["right"]) for row in rows)
    chance = sum(float(row["right_by_chance"]) for row in rows)
    assert abs(right - chance) < 5 * chance**0.5


@pytest.mark.parametrize(
    ("usage", "shares"),
    [
        (", usage a fifth", [0.56, 0.54, 0.78, 0.73, 0.97]),
        (", usage a half", [0, 0.08, 0.11, 0.50, 0.69]),
        ("", [0, 0, 0, 0, 0.60]),
        (", usage twice", [0, 0, 0, 0, 0.91]),
        (", usage five times", [0, 0, 0.67, 1, 1]),
    ],
)
def test_a_usage_that_is_guessed_wrong(usage: str, shares: list[float]) -> None:
    """Rather twice too high than too low: the figures of the page, and of the gate's advice."""
    for uses, expected in zip(("0.5", "0.75", "1", "1.5", "2"), shares, strict=True):
        found = share("usage", chaff=CENTRED + usage, uses=uses)
        assert abs(found - expected) <= 0.005


def test_four_walks_by_plain_batch_are_released_and_none_is_read_at_full_effort() -> None:
    with (RESULTS / "gated_batches.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["vertices"] for row in rows] == ["20"] * 10 + ["60"] * 10
    effort = Effort()
    for row in rows:
        assert row["walks"] == "4"
        assert int(row["moves"]) == effort.steps * effort.restarts
        assert (row["released"], row["structure_walks"], row["counting_walks"]) == (
            "True",
            "0",
            "0",
        )


@pytest.mark.parametrize(("uses", "expected"), [("1", 0.03), ("2", 0.23), ("12", 0.94)])
def test_where_it_begins_to_fail_at_a_thousand_vertices(uses: str, expected: float) -> None:
    """Told a tenth of the links; without any the same search found nothing, which is its limit."""
    assert abs(share("distant", uses=uses, known="tenth") - expected) <= 0.005
    for few in ("0.5", "1", "2", "3"):
        assert share("huge", uses=few, known="0") == 0
