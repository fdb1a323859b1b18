"""Words follow from the table: change the numbers and the sentences and the page change."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pathveil.lab.comparison.comparison_tables import read_csv, share
from pathveil.lab.comparison.report import LITERAL, comparison_section, opinions


def record(**more: Any) -> dict[str, Any]:
    return {
        "map": "town",
        "system": "SDD",
        "budget": 1.0,
        "attack": "nearest",
        "trials": 1000,
        "success": 0.2,
        "low": 0.17,
        "high": 0.23,
        "g0": 0.03,
        "g1": 0.36,
        "control": "any candidate",
        "control_success": 0.36,
        "difference": -0.16,
        "difference_low": -0.2,
        "over_g0_low": 0.1,
        "over_g1_low": -0.2,
        "verdict": "no leak shown",
        "recovered": 0.5,
        "exact": 0.5,
        "unit": "one location",
        **more,
    }


def cell(system: str, budget: float, verdict: str, **more: Any) -> list[dict[str, Any]]:
    """The literal attack, its restricted form, and a best attack with a verdict."""
    base = {"system": system, "budget": budget, **more}
    return [
        record(**base),
        record(**base, attack="joins", difference=0.0, difference_low=-0.1),
        record(**base, attack="likelihood", difference=0.4, difference_low=0.3, verdict=verdict),
    ]


def test_the_literal_attack_is_held_to_each_control() -> None:
    table = cell("SDD", 1.0, "leaks") + cell("PIM", 20.0, "leaks")
    table[3]["over_g0_low"] = -0.1
    table[4]["over_g1_low"] = table[4]["difference_low"] = 0.05
    (literal, *_) = opinions(table)
    assert "definitely in 0 of 2 cells" in literal
    assert "(G0) in 1 of 2 cells (1 at 1)" in literal
    assert "(G1) in 0 of 2 cells." in literal
    assert "it beats G1 in 1 of 2 cells (1 at 20)" in literal
    for row in table:
        row["low"] = 0.995
    assert "definitely in 2 of 2 cells" in opinions(table)[0]


def test_too_few_trials_get_no_sentence_and_few_cannot_show_certainty() -> None:
    assert opinions(cell("SDD", 1.0, "leaks", trials=40)) == [
        "town: 40 trials are too few for a verdict; 100 are needed."
    ]
    assert (
        "fewer than 741 trials cannot show" in opinions(cell("SDD", 1.0, "leaks", trials=200))[-1]
    )


def test_an_unsound_attack_is_not_counted() -> None:
    said = opinions(cell("SDD", 1.0, "attack unsound: it finds the edge in a placebo"))[1]
    assert "not to be trusted" in said
    assert "definitely on" not in said


ROOT = Path(__file__).parents[3]
TABLE = ROOT / "studies" / "results" / "comparison.csv"
PAGE = ROOT / "studies" / "results" / "comparison.md"


@pytest.mark.regression("the comparison table was stale against its CSV")
def test_the_page_says_what_the_table_says() -> None:
    """If this fails: python studies/comparison.py --redraw."""
    assert comparison_section(read_csv(TABLE)) == PAGE.read_text(encoding="utf-8")


def test_halves_are_rounded_up() -> None:
    """735 of 1000 was printed as 0.73, and 985 as 0.98: the nearest floats lie below."""
    records = read_csv(TABLE)
    ties = [r for r in records if Fraction(str(r["success"])) * 1000 % 10 == 5]
    assert ties
    for record in records:
        record["success"] = 0.735 if record["attack"] == LITERAL else 0.985
    section = comparison_section(records)
    assert "| 0.74 | 0.99 | 0.99" in section
    assert {share(k / 1000) for k in range(5, 1000, 10)} == {
        f"{(k + 5) // 10 / 100:.2f}" for k in range(5, 1000, 10)
    }
