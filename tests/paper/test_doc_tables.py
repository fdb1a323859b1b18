"""Numbers on the pages that come from a result table are that table's, cell by cell.

Each test reads the page and the file, and says in its message which number to put there.
"""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from pathveil import Policy
from pathveil.chance.certify import join_chances
from pathveil.lab.reproduction.claims import judge_claims
from pathveil.lab.reproduction.evaluation import judge_tables, read_results, write_markdown
from pathveil.lab.reproduction.figures import STEP_LIMIT
from tests.paper.pages import RESULTS, ROOT, page, printed_table, rows, said

# -- the paper's engine ---------------------------------------------------------------------------


@pytest.mark.regression("README's 0.80 'on average over the 122 sizes'")
def test_no_page_says_080_of_the_sizes() -> None:
    """The false sentence of old: 0.80 "on average over the 122 sizes"."""
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        assert "0.80 on average over the 122 sizes" not in page(str(path.relative_to(ROOT)))
        assert "nobody can tell who was visited twice" not in page(str(path.relative_to(ROOT)))


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


# -- attacks --------------------------------------------------------------------------------------


def test_the_layout_attack_of_the_review() -> None:
    table = {(r["layering"], r["guess"]): r for r in rows("layout_attack.csv")}
    printed = printed_table("docs/paper-review.md", "| layering | bits and picture")
    for layering, name in (
        ("backtracking", "backtracking (the paper's)"),
        ("exact", "exact (canonical)"),
    ):
        wanted = [
            f"{float(r['rate']):.3f} [{float(r['low']):.3f}, {float(r['high']):.3f}]"
            for r in (table[layering, g] for g in ("bits and picture", "bits alone", "placebo"))
        ]
        apart = table[layering, "joins told apart"]["found"]
        assert printed[name] == [*wanted, f"in {apart} maps"]
    shares = {key: f"{100 * float(r['rate']):.1f} %" for key, r in table.items() if r["rate"]}
    said(
        f"in {shares['backtracking', 'bits and picture']} of releases, against "
        f"{shares['backtracking', 'bits alone']} from the bits",
        "docs/paper-review.md",
    )


def test_repetition_in_the_review() -> None:
    (row,) = [r for r in rows("attacks.csv") if r["release"] == "balanced, 10 times"]
    said(
        f"tell the whole network in {100 * float(row['found']):.0f} % of {row['trials']} cases",
        "docs/paper-review.md",
    )


# -- known limits ---------------------------------------------------------------------------------


@pytest.mark.regression("reading with a link too few or too many: silently wrong")
def test_reading_with_a_network_that_is_not_quite_right() -> None:
    printed = printed_table("docs/known-limits.md", "| the reader's network has |")
    kinds = ("right", "refused", "wrong")
    assert printed["the reader's network has"] == ["right", "refused", "wrong unnoticed"]
    found = rows("incomplete_networks.csv")
    assert [row["mistake"] for row in found] == ["one link too few", "one link too many"]
    for row in found:
        total = sum(int(row[kind]) for kind in kinds)
        said(f"Readings of {total} releases", "docs/known-limits.md")
        assert printed[row["mistake"]] == [f"{100 * int(row[k]) / total:.0f} %" for k in kinds]


def test_two_sided_reading_can_be_wrong() -> None:
    def listed(reading: str) -> list[str]:
        shares = [r["share"] for r in rows("two_sided_recovery.csv") if r["reading"] == reading]
        return [f"{Decimal(share):.2f}".removeprefix("0") for share in shares]

    printed = printed_table("docs/known-limits.md", "| read by |")
    assert printed["read by"] == [f"ε = {budget}" for budget in (1, 2, 3, 4)]
    assert printed["likelihood, `spanning` promised"] == listed("likelihood, spanning")
    assert printed["likelihood, not promised"] == listed("likelihood")
    assert printed["raw bits"] == listed("raw bits")


def test_which_link_is_it_in_the_promise() -> None:
    """Balanced: guessed right and left alone among two, three and four joins."""
    policy = Policy.balanced()
    chances = [join_chances(policy, policy.law(), joins) for joins in (2, 3, 4)]
    right = [round(100 * float(after)) for _, after, _ in chances]
    alone = [100 * float(left) for _, _, left in chances]
    said(
        f"guessed right {right[0]} %, {right[1]} %, {right[2]} %; left alone "
        f"{alone[0]:g} %, {alone[1]:g} %, {alone[2]:g} %",
        "docs/privacy-promise.md",
    )


# -- participants ---------------------------------------------------------------------------------


def test_rounds_and_bytes_of_the_exchange_keep_to_the_pages_formula() -> None:
    """n + 8 rounds of at most 8 n (m - 1) bytes a party, and the inputs: not more, not far less."""
    said(
        "n + 8 rounds; each party sends about 8 n (m - 1) bytes a round at", "docs/participants.md"
    )
    table = printed_table("docs/participants.md", "| copies | parties | rounds")
    for copies in (10, 50, 200, 500):
        parties, rounds, sent, *_ = table[str(copies)]
        assert int(rounds) == copies + 8
        megabytes = sent.removesuffix(" MB").split(" / ")
        for m, found in zip(map(int, parties.split(" / ")), megabytes, strict=True):
            most = 8 * copies * (m - 1) * (m * (copies + 8) + copies) / 1e6
            assert 0.7 * most < float(found) < 1.01 * most, (copies, m, most)


# -- scale ----------------------------------------------------------------------------------------


def test_what_a_million_links_take_on_the_page_of_sketches() -> None:
    """Sizes do not depend on the machine. README's words are held by tests/test_readme.py."""
    scale = page("benchmarks/scale.md")
    (size,) = re.findall(r"\| 1,000,000 links: bytes / a bit a link \| ([\d,]+) B", scale)
    assert int(size.replace(",", "")) < 140_000
    said("# Sketches: a million links in less than 140 kilobytes", "docs/sketches.md")


# -- the evaluation, judged -----------------------------------------------------------------------


def test_the_reviews_verdicts_on_the_evaluation() -> None:
    """Every claim that does not hold, or holds in part, with what was found; and no other."""
    lines = (ROOT / "docs" / "paper-review.md").read_text("utf-8").splitlines()
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
        "docs/paper-review.md",
    )
    longest = max(row.tally.steps_most for row in paper if row.cell.vertices <= 8)
    said(f"the longest run takes {longest:,} placements", "docs/paper-review.md")
    struck = max(row.tally.struck / row.tally.runs for row in paper)
    said(f"a limit of {STEP_LIMIT:,} struck in up to {100 * struck:.1f} %", "docs/paper-review.md")
    said('higher, but less than twice, which is what we call "much"', "docs/paper-review.md")
