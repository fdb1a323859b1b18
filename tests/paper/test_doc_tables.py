"""Numbers of the review that come from a result table are that table's, cell by cell.

Each test reads the page and the file, and says in its message which number to put there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pathveil.lab.comparison.comparison_tables import read_csv, share
from pathveil.lab.reproduction.claims import judge_claims
from pathveil.lab.reproduction.evaluation import judge_tables, read_results, write_markdown
from pathveil.lab.reproduction.figures import STEP_LIMIT
from tests.paper.pages import RESULTS, ROOT, rows, said

REVIEW = "docs/explanation/the-paper-reviewed.md"

# -- the paper's engine ---------------------------------------------------------------------------


@pytest.mark.regression("the report is made from the tables")
def test_the_report_is_what_the_tables_give(tmp_path: Path) -> None:
    """If this fails: python studies/redraw.py."""
    tables = read_results(RESULTS)
    report = judge_tables(tables, runs=1000)
    (tmp_path / "figures").mkdir()
    pictures = sorted((RESULTS / "figures").glob("figure*.svg"))
    copies = [tmp_path / "figures" / picture.name for picture in pictures]
    write_markdown(report, tmp_path / "report.md", copies)
    assert (tmp_path / "report.md").read_text("utf-8") == (RESULTS / "report.md").read_text("utf-8")


def found(system: str, attack: str, column: str = "success") -> dict[float, float]:
    """Return a column of the comparison on random maps, by budget."""
    records = read_csv(RESULTS / "comparison.csv")
    return {
        r["budget"]: r[column]
        for r in records
        if (r["system"], r["attack"], r["map"]) == (system, attack, records[0]["map"])
    }


def test_the_layout_attack() -> None:
    drawn = "the paper without copies, its layering"
    layout, bits = found(drawn, "layout"), found(drawn, "likelihood")
    said(
        f"names the missing link in {share(layout[1.0])} of 1000 releases at edge budget 1, "
        f"against {share(bits[1.0])} from the bits ([prior systems](prior-systems.md)); in a "
        f"placebo, {share(found(drawn, 'layout', 'placebo')[1.0])}.",
        REVIEW,
    )


def test_prior_systems_hide_the_link_better_than_the_papers_mechanism() -> None:
    paper = found("the paper, its copies and layering", "layout", "low")
    for system in ("SDD, noisy ends", "PTCS, expmech", "PriSTE link, alpha 5"):
        for budget in (0.5, 1.0):
            assert found(system, "likelihood", "high")[budget] < paper[budget]


def test_repetition_in_the_review() -> None:
    (row,) = [r for r in rows("attacks.csv") if r["release"] == "balanced, 10 times"]
    said(
        f"tell the whole network in {100 * float(row['found']):.0f} % of {row['trials']} cases",
        REVIEW,
    )


def test_the_reviews_verdicts_on_the_evaluation() -> None:
    """Every claim that does not hold, or holds in part, with what was found; and no other."""
    lines = (ROOT / REVIEW).read_text("utf-8").splitlines()
    start = lines.index("| figure | the paper says | printed | verdict | found |") + 2
    wanted = [
        f"| {one.figure} | {one.claim} | {one.printed or '-'} | **{one.verdict}** | {one.found} |"
        for one in judge_claims(read_results(RESULTS))
        if one.verdict in ("in part", "disagrees")
    ]
    printed = [line.replace("\\|", "|") for line in lines[start : start + len(wanted)]]
    assert printed == wanted
    assert not lines[start + len(wanted)].startswith("|")


@pytest.mark.regression("Figure 7's step limit decided a verdict")
def test_the_reviews_words_on_figure_7s_step_limit() -> None:
    """Ratios by |V| where nothing was struck, and the longest run there is."""
    paper = [r for r in read_results(RESULTS)["run-time"] if r.cell.engine == "backtracking"]
    (claim,) = [
        one
        for one in judge_claims({"run-time": paper})
        if one.claim.startswith("Vertex budget 0.5")
    ]
    ratios = re.findall(r"([\d.]+) \((\d+)\)", claim.found)
    *first, last = [ratio for ratio, _ in ratios]
    sizes = ", ".join(size for _, size in ratios)
    said(
        f"takes {', '.join(first)} and {last} times the steps at |V| = {sizes}",
        REVIEW,
    )
    longest = max(row.tally.steps_most for row in paper if row.cell.vertices <= 8)
    said(f"the longest run takes {longest:,} placements", REVIEW)
    struck = max(row.tally.struck / row.tally.runs for row in paper)
    said(f"a limit of {STEP_LIMIT:,} struck in up to {100 * struck:.1f} %", REVIEW)
    said('higher, but less than twice, which is what we call "much"', REVIEW)
