"""Numbers on the pages that come from a result table are that table's, cell by cell.

Each test reads the page and the file, and says in its message which number to put there.
"""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from pathlib import Path

import pytest

from pathveil import Policy, Seeded, group
from pathveil.chance.colouring_cost import guess_right
from pathveil.chance.identification import join_chances
from pathveil.reproduction.claims import judge_claims
from pathveil.reproduction.evaluation import read_results
from pathveil.reproduction.figures import STEP_LIMIT
from pathveil.reproduction.judges.picking import pooled, rows_at, sum_tallies
from pathveil.reproduction.judges.trends import contrast
from pathveil.reproduction.measures import Tally
from pathveil.reproduction.report import judge_tables, write_markdown
from studies import grouping_dial

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


# -- the paper's engine ---------------------------------------------------------------------------


def test_readmes_order_is_said_with_what_it_is_a_mean_of() -> None:
    """0.84 over the sizes, 0.80 over usable maps, 0.47 with unusable ones as failures."""
    paper = [r for r in read_results(RESULTS)["quality"] if r.cell.engine == "backtracking"]
    by_size = [row.tally.order_share().value for row in paper if row.tally.outputs]
    total = sum_tallies(paper)
    assert len(by_size) == 122
    said(
        f"{sum(by_size) / 122:.2f} on average over the 122 sizes "
        f"({total.order_share().value:.2f} over all usable maps, "
        f"{total.overall_order().value:.2f} if unusable maps count as failures), "
        f"{min(by_size):.2f} at worst",
        "README.md",
    )


def test_no_page_says_080_of_the_sizes() -> None:
    """The false sentence of old: 0.80 "on average over the 122 sizes"."""
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        assert "0.80 on average over the 122 sizes" not in page(str(path.relative_to(ROOT)))
        assert "nobody can tell who was visited twice" not in page(str(path.relative_to(ROOT)))


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


def test_the_layout_attack_of_review_and_readme() -> None:
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
    cells = [
        f"{shares[layering, 'bits and picture']} (bits alone: {shares[layering, 'bits alone']})"
        for layering in ("backtracking", "exact")
    ]
    said(f"| missing link found from bits and picture | {' | '.join(cells)} |", "README.md")
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


def test_reading_with_a_network_that_is_not_quite_right() -> None:
    few, many = rows("incomplete_networks.csv")
    total = sum(int(few[kind]) for kind in ("right", "wrong", "refused"))
    per = [
        [f"{100 * int(row[kind]) / total:.0f} %" for kind in ("right", "refused", "wrong")]
        for row in (few, many)
    ]
    said(
        f"the reading was right in {per[0][0]} of {total} cases, refused in {per[0][1]} and "
        f"*wrong unnoticed* in {per[0][2]}; with one link too many {per[1][0]}, {per[1][1]} and "
        f"{per[1][2]}",
        "docs/known-limits.md",
    )


def test_two_sided_reading_can_be_wrong() -> None:
    def listed(reading: str) -> list[str]:
        shares = [r["share"] for r in rows("two_sided_recovery.csv") if r["reading"] == reading]
        return [f"{Decimal(share):.2f}".removeprefix("0") for share in shares]

    spanning, free, raw = map(listed, ("likelihood, spanning", "likelihood", "raw bits"))
    said(
        f"about {', '.join(spanning[:3])} and {spanning[3]} at ε = 1, 2, 3, 4",
        "docs/known-limits.md",
    )
    said(f"(raw bits: {', '.join(raw)})", "docs/known-limits.md")
    said(f"need not span: {', '.join(free[:3])} and {free[3]}", "docs/known-limits.md")


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


# -- many walks -----------------------------------------------------------------------------------


def share(text: str) -> str:
    """Return a share as the pages print it: two digits, no zero before the point."""
    value = round(float(text), 2)
    return f"{value:g}" if value in (0, 1) else f"{value:.2f}".removeprefix("0")


def read_shares(part: str, **cell: str) -> dict[str, str]:
    """Return by uses per link the share of walks the structural outsider read."""
    found = [r for r in rows(f"many_walks_{part}.csv") if all(r[k] == v for k, v in cell.items())]
    return {
        r["uses"]: share(str(float(r["structure_walks"]) / float(r["releases"]))) for r in found
    }


def compare_by_uses(printed: list[str], uses: list[str], found: dict[str, str], name: str) -> None:
    for at, cell in zip(uses, printed, strict=True):
        if cell:
            assert cell == found[at], f"{name} at {at} uses: {found[at]}, printed {cell}"


@pytest.mark.parametrize(
    ("row", "chaff"),
    [
        ("fair coins", "fair coins"),
        ("remembering", "remembering"),
        ("remembering, centred", "remembering, centred"),
    ],
)
def test_many_walks_small(row: str, chaff: str) -> None:
    table = printed_table("docs/many-walks.md", "| chaff | 0.5 |")
    compare_by_uses(table[row], table["chaff"], read_shares("small", chaff=chaff, known="0"), row)


def test_many_walks_small_by_counting() -> None:
    table = printed_table("docs/many-walks.md", "| chaff | 0.5 |")
    found = {
        r["uses"]: share(str(float(r["counting_walks"]) / float(r["releases"])))
        for r in rows("many_walks_small.csv")
        if (r["chaff"], r["known"]) == ("fair coins", "0")
    }
    compare_by_uses(table["fair coins, by counting alone"], table["chaff"], found, "counting")


def test_many_walks_large() -> None:
    table = printed_table("docs/many-walks.md", "| vertices, chaff | 0.5 |")
    uses = table.pop("vertices, chaff")
    del table["---"]
    assert len(table) == 6
    for row, printed in table.items():
        vertices, _, chaff = row.partition(", ")
        found = read_shares("large", vertices=vertices, chaff=chaff, known="0")
        compare_by_uses(printed, uses, found, row)


def test_many_walks_by_links_known() -> None:
    table = printed_table("docs/many-walks.md", "| vertices, knows | 0.5 |")
    uses = table.pop("vertices, knows")
    del table["---"]
    words = {"a tenth": "tenth", "half": "half", "none": "0"}
    for row, printed in table.items():
        vertices, _, knows = row.partition(", ")
        part = {"20": "small", "60": "large", "120": "large", "1,000": "huge"}[vertices]
        cell = {"vertices": vertices.replace(",", ""), "known": words[knows]}
        if part != "huge":
            cell["chaff"] = "remembering, centred"
        compare_by_uses(printed, uses, read_shares(part, **cell), row)


def test_a_thousand_walks_over_a_grouping() -> None:
    lines = (ROOT / "docs" / "grouping.md").read_text("utf-8").splitlines()
    (start,) = [n for n, line in enumerate(lines) if line.startswith("| network | classes | knows")]
    printed = [[c.strip() for c in line.split("|")[1:-1]] for line in lines[start + 2 : start + 6]]
    table = [row for row in rows("grouped_series.csv") if row["rule"] == "by name"]
    for row, cells in zip(table, printed, strict=True):
        assert cells[0].startswith(row["network"])
        asked, chance = f"{int(row['asked']):,}", f"{float(row['by_chance']):.1f}"
        permuted = f"{row['low']}–{row['high']}"
        wanted = [row["classes"], row["knows"], asked, row["right"], chance, permuted]
        assert cells[1:] == wanted
        assert row["read_exactly"] == row["walks"] == "1000"


def test_the_dial_of_a_grouping() -> None:
    """If this fails: python studies/grouping_dial.py --show."""
    lines = (ROOT / "docs" / "grouping.md").read_text("utf-8").splitlines()
    (start,) = [
        n for n, line in enumerate(lines) if line.startswith("| network | classes | members")
    ]
    wanted = grouping_dial.printed(grouping_dial.read())
    assert lines[start + 2 : start + 2 + len(wanted)] == wanted
    assert not lines[start + 2 + len(wanted)].startswith("|")


def test_the_dial_is_what_the_program_says_of_the_random_network() -> None:
    """One row drawn again from its source; the topologies themselves are no part of the project."""
    (row,) = [r for r in grouping_dial.read() if (r["network"], r["classes"]) == ("random", "126")]
    network = grouping_dial.network_named("random", Path())
    source = Seeded("dial random 126")
    grouping = group(network, classes=126, source=source)
    assert (len(network), len(network.edges)) == (int(row["vertices"]), int(row["links"]))
    assert int(grouping.sizes.min()) == int(row["smallest"])
    assert f"{grouping.load_of(network):.4f}" == row["load"]
    before, after = (guess_right(4, (1 - float(row["load"])) * p) for p in (1.0, 0.5))
    assert before == pytest.approx(float(row["insider_before"]), abs=1e-4)
    assert after == pytest.approx(float(row["insider_after"]), abs=1e-4)


# -- participants ---------------------------------------------------------------------------------


def test_rounds_and_bytes_of_the_exchange_keep_to_the_pages_formula() -> None:
    """n + 8 rounds of at most 8 n (m - 1) bytes a party, and the inputs: not more, not far less."""
    said("n + 8 rounds; each party sends at most 8 n (m - 1) bytes a round", "docs/participants.md")
    table = printed_table("docs/participants.md", "| copies | parties | rounds")
    for copies in (10, 50, 200, 500):
        parties, rounds, sent, *_ = table[str(copies)]
        assert int(rounds) == copies + 8
        megabytes = sent.removesuffix(" MB").split(" / ")
        for m, found in zip(map(int, parties.split(" / ")), megabytes, strict=True):
            most = 8 * copies * (m - 1) * (m * (copies + 8) + copies) / 1e6
            assert 0.7 * most < float(found) < 1.01 * most, (copies, m, most)


# -- scale ----------------------------------------------------------------------------------------


def test_bits_a_link_of_the_readme_are_those_of_the_benchmark() -> None:
    """Sizes do not depend on the machine; times are the benchmark's own."""
    scale = page("benchmarks/scale.md")
    bits = {
        links: float(found)
        for links, found in re.findall(r"\| ([\d,]+) links: bits a link \| ([\d.]+) bits", scale)
    }
    said(f"at {bits['3,000,000']:.3f} bits a link", "README.md")
    kilobytes = bits["1,000,000"] * 1_000_000 / 8 / 1000
    said(f"**A million links cost {kilobytes:.0f} kilobytes", "README.md")
    said(f"# Sketches: a million links in {kilobytes:.0f} kilobytes", "docs/sketches.md")


# -- the rest of many walks -----------------------------------------------------------------------


def test_many_walks_insiders() -> None:
    """20 vertices, one use per link: no coin published, then the three kinds of chaff."""
    table = printed_table("docs/many-walks.md", "| the missing link lies on |")
    on = {"none of the walks": "0", "one walk": "1", "two walks": "2", "three or more": "3 or more"}
    for row, times in on.items():
        found = {
            r["chaff"]: r
            for r in rows("many_walks_insiders.csv")
            if (r["vertices"], r["uses_per_link"], r["link_on_walks"]) == ("20", "1", times)
        }
        kinds = [found[kind] for kind in ("fair coins", "remembering", "remembering, centred")]
        wanted = [kinds[0]["right_without_coins"], *(kind["right"] for kind in kinds)]
        # None of few cases is printed as .00, as are two in a thousand.
        assert table[row] == [share(text) if share(text) != "0" else ".00" for text in wanted]


def test_many_walks_on_real_networks() -> None:
    read = {
        name: read_shares("real", topology=name, chaff="remembering, centred", known="0")
        for name in ("Geant2012", "Cogentco")
    }
    one, two = read["Geant2012"], read["Cogentco"]
    said(
        f"Geant2012 (40 vertices, 61 links) {one['1']} at one use, {one['2']} at two, {one['4']} "
        f"at four; Cogentco (197, 243) {two['1']}, {two['2']} and {two['4']}.",
        "docs/many-walks.md",
    )


def test_many_walks_over_a_grouping() -> None:
    found = {(r["topology"], r["classes"]): r for r in rows("many_walks_grouped.csv")}
    kdl, random = found["Kdl", "86"], found["random", "128"]
    said(
        f"Kdl (754 vertices, 895 links) over 86 classes {kdl['right']} links right, "
        f"{float(kdl['right_by_chance']):.1f} by chance; a random map of 1,000 vertices over 128 "
        f"classes {random['right']} right, {float(random['right_by_chance']):.1f} by chance.",
        "docs/many-walks.md",
    )


def test_left_alone_in_the_limits() -> None:
    """Fair coins and four joins: 47 % and 12.5 %; two copies with coins of their own: 82 %."""
    plain, copied = Policy.balanced(), Policy.balanced(copies=2)
    _, right, alone = join_chances(plain, plain.law(), 4)
    _, _, apart = join_chances(copied, copied.law(), 4)
    said(f"guessed right with {100 * float(right):.0f} %", "docs/known-limits.md")
    said(f"hence certain, with {100 * float(alone):.1f} %", "docs/known-limits.md")
    said(f"it is left alone with {100 * float(apart):.0f} %", "docs/known-limits.md")


# -- the evaluation, judged -----------------------------------------------------------------------


def test_the_reviews_verdicts_on_the_evaluation() -> None:
    """Every claim that does not hold, or holds in part, with what was found; and no other."""
    lines = (ROOT / "docs" / "paper-review.md").read_text("utf-8").splitlines()
    start = lines.index("| figure | the paper says | verdict | found |") + 2
    wanted = [
        f"| {one.figure} | {one.claim} | **{one.verdict}** | {one.found} |"
        for one in judge_claims(read_results(RESULTS))
        if one.verdict in ("in part", "disagrees")
    ]
    printed = [line.replace("\\|", "|") for line in lines[start : start + len(wanted)]]
    assert printed == wanted
    assert not lines[start + len(wanted)].startswith("|")


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
    doubtful = [
        size
        for size in (5, 6, 7, 8)
        if contrast(
            [
                (x, pooled(rows_at(paper, vertices=size, vertex_budget=budget), Tally.mean_steps))
                for x, budget in ((0.0, "0.5"), (1.0, "1"))
            ],
            of=4,
        ).high
        >= 0
    ]
    assert doubtful == [8]
    said("at eight vertices not beyond doubt", "docs/paper-review.md")


def test_the_readmes_words_on_scale_are_those_of_the_benchmark() -> None:
    """A fraction of the reader's time and the largest size that was run."""
    scale = page("benchmarks/scale.md")
    (ratio,) = re.findall(
        r"\| 3,000,000 links: publish and save / reading the CSV \|[^|]*\|[^|]*\| ([\d.]+) \|",
        scale,
    )
    assert float(ratio) < 0.25
    said("written in less than a quarter of the time it takes to read them", "README.md")
    sizes = [int(n.replace(",", "")) for n in re.findall(r"\| ([\d,]+) links: open", scale)]
    said(f"{max(sizes):,} links as a sketch, 10,000 vertices packed", "README.md")


def test_thirteen_fair_releases_gave_every_walk() -> None:
    (row,) = [
        r
        for r in rows("many_walks_large.csv")
        if (r["vertices"], r["chaff"], r["uses"], r["known"]) == ("60", "fair coins", "0.75", "0")
    ]
    assert row["releases"] == row["structure_walks"] == "13"
    said("60 vertices thirteen `balanced` releases, in the series we measured", "README.md")
    said("every walk to who looks for paths (13 releases at 60 vertices", "docs/known-limits.md")
