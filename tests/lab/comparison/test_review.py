"""The review's section is what the committed table gives, letter by letter."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pathveil.errors import BadFile
from pathveil.lab.comparison.result_tables import read_csv, share
from pathveil.lab.comparison.review import BEGIN, END, review_section, rewrite_section, with_section
from pathveil.lab.comparison.verdicts import LITERAL

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "studies" / "results" / "comparison.csv"
REVIEW = ROOT / "docs" / "paper-review.md"


@pytest.mark.regression("the comparison table was stale against its CSV")
def test_the_review_says_what_the_table_says() -> None:
    """If this fails: python studies/comparison.py --redraw."""
    text = REVIEW.read_text(encoding="utf-8")
    assert with_section(text, read_csv(TABLE)) == text


def test_halves_are_rounded_up() -> None:
    """735 of 1000 was printed as 0.73, and 985 as 0.98: the nearest floats lie below."""
    records = read_csv(TABLE)
    ties = [r for r in records if Fraction(str(r["success"])) * 1000 % 10 == 5]
    assert ties
    for record in records:
        record["success"] = 0.735 if record["attack"] == LITERAL else 0.985
    section = review_section(records)
    assert "| 0.74 | 0.99 | 0.99" in section
    assert {share(k / 1000) for k in range(5, 1000, 10)} == {
        f"{(k + 5) // 10 / 100:.2f}" for k in range(5, 1000, 10)
    }


def test_no_number_has_an_exponent() -> None:
    """99.6 was printed as 1e+02."""
    assert "e+" not in review_section(read_csv(TABLE))


def test_other_numbers_give_another_section(tmp_path: Path) -> None:
    records = read_csv(TABLE)
    before = review_section(records)
    for record in records:
        if record["system"] == "SDD":
            record["verdict"], record["recovered"] = "no leak shown", 0.0
    assert review_section(records) != before
    path = tmp_path / "review.md"
    path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    rewrite_section(path, records)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith(f"{END}\nafter\n")
    assert "old" not in text.split("\n")


def test_a_document_without_the_marks_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "review.md"
    path.write_text("nothing here", encoding="utf-8")
    with pytest.raises(BadFile, match="put the marks in"):
        rewrite_section(path, read_csv(TABLE))
    assert path.read_text(encoding="utf-8") == "nothing here"
