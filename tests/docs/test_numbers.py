"""Numbers on the pages are those of a file or a formula."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from math import ceil, lgamma, log
from pathlib import Path

import pytest

import pathveil
from pathveil import Network, Policy, Seeded, Walk, group, publish, read_network
from pathveil.attacks.link_risk import identify_links
from pathveil.chance.certify import join_chances
from pathveil.chance.intervals import proportion
from pathveil.checking.release_audit import SAMPLES
from pathveil.planning.capacity import ExpectedSeries
from pathveil.planning.cover import Coins, Urns
from studies import grouping_dial
from tests.paper.pages import ROOT, page, printed_table, rows, said

EXPLANATION = "docs/explanation"


def chances(policy: str) -> tuple[int, int]:
    """Return in how many of 100 releases one link is guessed right, and is certain.

    Rounded up, as the program prints it.
    """
    made = Policy.parse(policy)
    _, right, certain = join_chances(made, made.law(), 4)
    return ceil(100 * Decimal(right)), ceil(100 * Decimal(certain))


def test_the_docs_are_short() -> None:
    """A word has a letter: bars of tables and numbers are none; what programs print counts."""
    made = {"commands.md", "errors.md", "policies.md"}
    words = {
        str(path): sum(
            1 for word in path.read_text("utf-8").split() if re.search(r"[^\W\d_]", word)
        )
        for path in (ROOT / "docs").rglob("*.md")
        if path.name not in made and "_build" not in path.parts
    }
    assert sum(words.values()) <= 17_000, words
    (longest,) = [name for name, count in words.items() if count > 2000]
    assert longest.endswith("the-paper-reviewed.md")


def test_what_each_policy_leaves_to_someone_who_lacks_one_link() -> None:
    name = "docs/how-to/choose-a-policy.md"
    printed = {cells[0]: cells for cells in printed_table(name, "| you fear |").values()}
    for policy, right, certain in (
        ("balanced", "47 %", "13 %"),
        ("sealed", "25 %", "never"),
        ("two_sided:epsilon=2", "44 %", "never"),
        ("remembering:usage=0.15", "at 0.15: 80 %", "62 %"),
        ("paper:link=1,vertex=off", "57 %", "25 %"),
    ):
        found = chances(policy)
        assert right.endswith(f"{found[0]} %")
        assert certain == (f"{found[1]} %" if found[1] else "never")
        (cells,) = [c for key, c in printed.items() if key.startswith(f"`{policy[:6]}")]
        assert cells[1:] == [right, certain]
    said(f"certain in up to {chances('balanced:copies=2')[1]} of 100 releases", name)
    said(f"costs less: {chances('balanced:copies=2,link_uses=1')[1]} of 100", name)
    gallery = [chances(policy) for policy in ("sealed", "balanced", "frontier:walk_loss=2")]
    right, certain = ("{}, {} and {}".format(*numbers) for numbers in zip(*gallery, strict=True))
    said(f"right {right} times in 100", "docs/gallery/index.md")
    said(f"certain {certain} times", "docs/gallery/index.md")


def block(name: str, file: str) -> str:
    """Return the text of a file that a page tells the reader to save."""
    (found,) = re.findall(
        rf"^```text {file}\n(.*?)^```", (ROOT / name).read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return str(found)


def files_with_a_certain_link(network: Network, walk: Walk, policy: str) -> int:
    """Draw 200 files, and return how many leave a link certain to someone who lacks it."""
    made = Policy.parse(policy)
    files = (publish(network, walk, policy=made, source=Seeded(f"{k}")) for k in range(200))
    return sum(any(risk.certain for risk in identify_links(file, network, walk)) for file in files)


@pytest.mark.slow
def test_how_often_a_file_makes_some_link_certain() -> None:
    name = "docs/tutorial/first-route.md"
    links = (line.split(",") for line in block(name, "suppliers.csv").splitlines())
    network = Network.from_links((first, second) for first, second in links)
    walk = Walk(block(name, "route.txt").splitlines())
    count = files_with_a_certain_link(network, walk, "balanced")
    assert round(count / 20) == 3
    said("About three files of ten make some link certain", name)
    name = "docs/how-to/a-month-of-releases.md"
    network = read_network(ROOT / "tests" / "data" / "Geant2012.graphml")
    walks = [Walk(block(name, f"week-{week}.txt").strip().split(" > ")) for week in (1, 2)]
    counts = [files_with_a_certain_link(network, walk, "remembering:usage=0.1") for walk in walks]
    assert [round(count / 20) for count in counts] == [9, 9]
    said("In about nine files of ten, some link is certain", name)


def test_a_link_on_none_of_a_hundred_walks() -> None:
    def log_beta(a: float, b: float) -> float:
        return lgamma(a) + lgamma(b) - lgamma(a + b)

    unused = log_beta(0.5, 0.5) - log_beta(0.5, 100.5)
    sentence = f"loses {unused:.2f}, where fresh fair coins cost {100 * log(2):.1f}"
    said(sentence, f"{EXPLANATION}/what-is-promised.md")


def test_how_many_walks_fit_geant() -> None:
    """Walks of four links, spread evenly, by the gate's own rule."""
    series = ExpectedSeries(read_network(ROOT / "tests" / "data" / "Geant2012.graphml"), 4, None)
    fits = (series.most_walks(Coins(log(2), log(2))), series.most_walks(Urns(4, 36)))
    printed = printed_table(f"{EXPLANATION}/how-many-walks-fit.md", "| policy | walks that fit")
    low = chances("remembering:usage=0.1")
    assert printed["`balanced`"] == [f"about {fits[0]}", "47 of 100", "13"]
    assert printed["`remembering:usage=0.1`"] == [
        f"about {fits[1]}",
        f"{low[0]} of 100",
        f"{low[1]}",
    ]


def test_how_many_walks_fit_by_plan_by_gate_and_at_the_edge() -> None:
    """If this fails: python -m studies.cover_closing, .cover_edge, .best_paths."""
    name = f"{EXPLANATION}/how-many-walks-fit.md"
    printed = printed_table(name, "| network | vertices, links")
    drawn = [row for row in rows("cover_closing.csv") if row["walks"] == "random"]
    for row in drawn:
        plan, gate = int(row["most_walks"]), float(row["median"])
        assert abs(plan - gate) <= max(0.15 * plan, 1.5), row["network"]
        cells = [f"{row['vertices']}, {row['links']}", str(plan), f"{gate:g}"]
        assert printed.get(row["network"], cells) == cells
    assert printed.keys() <= {row["network"] for row in drawn} | {"network", "---"}
    table = [row for row in rows("cover_closing.csv") if row["walks"] == "shortest"]
    fewest = min(float(row["median"]) / int(row["most_walks"]) for row in table)
    assert 0.45 <= fewest <= 0.55
    said("mostly fewer fit than `plan` says: in the median of 20 such series down to half", name)
    edge = [row for row in rows("cover_edge.csv") if int(row["walks"]) > 1]
    read = sum(int(row["read"]) > 0 for row in edge)
    assert len(edge) >= 300
    share = proportion(read, len(edge))
    assert read <= 0.02 * len(edge)
    said(
        f"read a walk in {read} of {len(edge)} series (95 %: {100 * share.low:.1f} to "
        f"{100 * share.high:.1f} %)",
        name,
    )
    plain = [row for row in edge if row["kind"] != "grouped"]
    walks, right = (sum(int(row[key]) for row in plain) for key in ("walks", "read"))
    said(f"{right} of {walks:,} walks without a grouping", name)
    coins = [row for row in plain if row["law"] == "fair"]
    held, none = (sum(int(row["from_truth"]) for row in part) for part in (plain, coins))
    drawn_fairly = sum(int(row["walks"]) for row in coins)
    said(f"still had {held:,} of these walks right after a million steps", name)
    said(f"({none} of the {drawn_fairly} with fair coins)", name)
    geant = [row for row in rows("best_paths.csv") if row["network"] == "Geant2012"]
    asked, *named = (sum(int(row[key]) for row in geant) for key in ("walks", "named", "learnt"))
    said(f"right for {max(named)} of {asked} walks over GÉANT", name)
    shapes = ("small world", "circulant", "geometric", "grid")
    like = [row for row in rows("best_paths.csv") if row["network"] in shapes]
    sums = [sum(int(row[key]) for row in like) for key in ("named", "learnt", "walks")]
    said(f"for {max(sums[:2])} of {sums[2]:,} at most over a small world", name)


@pytest.mark.regression("reading with a link too few or too many: silently wrong")
def test_reading_with_a_network_that_is_not_quite_right() -> None:
    printed = printed_table(f"{EXPLANATION}/what-is-not.md", "| the reader's network has |")
    for row in rows("incomplete_networks.csv"):
        counts = [int(row[kind]) for kind in ("right", "refused", "wrong")]
        assert sum(counts) == 1000
        assert printed[row["mistake"]] == [f"{count / 10:.0f} %" for count in counts]


def test_two_sided_reading_can_be_wrong() -> None:
    def listed(reading: str) -> list[str]:
        shares = [r["share"] for r in rows("two_sided_recovery.csv") if r["reading"] == reading]
        return [f"{Decimal(share):.2f}".removeprefix("0") for share in shares]

    printed = printed_table(f"{EXPLANATION}/what-is-not.md", "| read by |")
    assert printed["likelihood, `spanning` promised"] == listed("likelihood, spanning")
    assert printed["likelihood"] == listed("likelihood")
    assert printed["raw bits"] == listed("raw bits")


def test_someone_who_knows_more_than_an_outsider() -> None:
    ranges = []
    for uses in ("1", "2"):
        table = [row for row in rows("many_walks_insiders.csv") if row["link_on_walks"] == uses]
        right = [round(100 * float(row["right"])) for row in table]
        ranges.append(f"{min(right)} to {max(right)}")
    once, twice = ranges
    name = f"{EXPLANATION}/what-is-not.md"
    said(f"named a link on one walk in {once} of 100 cases, by chaff, network", name)
    said(f"a link on two walks in {twice}", name)


def test_a_thousand_walks_over_a_grouping() -> None:
    text = page(f"{EXPLANATION}/groups.md")
    for row in rows("grouped_series.csv"):
        assert row["read_exactly"] == row["walks"] == "1000"
        if row["rule"] == "by name" and row["knows"] == "nothing":
            cells = [row["classes"], f"{int(row['asked']):,}", row["right"]]
            assert f"| {' | '.join(cells)} | {float(row['by_chance']):.1f} |" in text


def test_the_dial_of_a_grouping() -> None:
    text = page(f"{EXPLANATION}/groups.md")
    table = {(row["network"], row["classes"]): row for row in grouping_dial.read()}
    for cell in (("Kdl", "67"), ("Kdl", "84"), ("Cogentco", "44")):
        row = table[cell]
        load, before, after = (
            f"{float(row[name]):.2f}".removeprefix("0")
            for name in ("load", "insider_before", "insider_after")
        )
        members = f"{row['smallest']}–{row['largest']}"
        assert f"| {cell[1]} | {members} | {load} | {before}, {after} |" in text
    for cell, loss in ((("Kdl", "84"), 0.5), (("random", "126"), 0.5), (("Cogentco", "44"), 1)):
        assert float(table[cell]["load"]) == pytest.approx(0.25, abs=0.01)
        assert float(table[cell]["one_time_loss"]) == pytest.approx(loss, abs=0.05)


def test_two_groupings_identify_most_vertices() -> None:
    """The lowest of 140 pairs was .759: Kdl in 55 classes, which is no part of the project."""
    network = grouping_dial.network_named("scale-free", Path())
    one, other = (
        group(network, classes=118, source=Seeded(f"alone scale-free {k}")) for k in (1, 2)
    )
    cells = Counter(zip(one.class_of.tolist(), other.class_of.tolist(), strict=True))
    assert sum(count == 1 for count in cells.values()) >= 0.75 * len(network)


def test_rounds_and_bytes_of_reading_together() -> None:
    """n + 8 rounds of at most 8 n (m - 1) bytes a party, and the inputs: not more, not far less."""
    for copies, megabytes in ((50, "1.9"), (500, "181")):
        most = 8 * copies * 9 * (10 * (copies + 8) + copies) / 1e6
        assert 0.7 * most < float(megabytes) < 1.01 * most
        said(f"{megabytes} MB", f"{EXPLANATION}/reading-together.md")


def test_a_million_links_take_less_than_140_kilobytes() -> None:
    scale = page("benchmarks/scale.md")
    (size,) = re.findall(r"\| 1,000,000 links: bytes / a bit a link \| ([\d,]+) B", scale)
    assert int(size.replace(",", "")) < 140_000
    said("less than 140 kB", f"{EXPLANATION}/sketches.md")


def test_the_power_of_an_audit() -> None:
    caught = {
        (int(row["samples"]), int(row["excess_percent"])): row["caught"]
        for row in rows("audit_power.csv")
        if row["release"] == "balanced, walk link"
    }
    assert caught[SAMPLES, 20] == caught[20_000, 10] == "200"
    said(
        f"200 of 200 were caught; at 10 %, {caught[SAMPLES, 10]}, "
        "and with `--samples 20000` all 200",
        "docs/how-to/audit-a-file.md",
    )


def test_the_zoo() -> None:
    """If this fails: python studies/zoo_plan.py."""
    table, printed = rows("zoo_plan.csv"), printed_table("docs/gallery/index.md", "| walks |")
    assert len(table) == 276
    for walks in ("1", "10", "100"):
        counts = Counter(row[f"way_{walks}"] for row in table)
        ways = ("once", "coins", "series", "grouping", "none")
        assert printed[walks] == [str(counts[way]) for way in ways]
    assert sorted(int(row["vertices"]) for row in table)[137] == 28  # as the review says


def test_prior_systems_are_the_full_tables() -> None:
    text = (ROOT / "studies" / "results" / "comparison.md").read_text("utf-8")
    random_maps = text[text.index("### Random maps") : text.index("1000 trials.")]
    full = {
        cells[1].strip(): [cell.strip().replace("**!**", "!") for cell in cells[2:-1]]
        for cells in (line.split("|") for line in random_maps.splitlines())
        if len(cells) > 2
    }
    short = printed_table(f"{EXPLANATION}/prior-systems.md", "| system | what its budget")
    for system, (about, named, read) in list(short.items())[2:]:
        given = [full[system][place].replace("!", "") for place in (0, 3, 5)]
        assert [about, named, read] == given


def test_every_public_name_is_on_the_page() -> None:
    text = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    named = set(re.findall(r"auto\w+:: (\w+)", text))
    assert named == {name for name in pathveil.__all__ if not name.startswith("_")}
