"""The map is true: every part has a row, every name is found where it says, verdicts agree."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import pathveil
from pathveil.lab.reproduction.claims import judge_claims
from pathveil.lab.reproduction.evaluation import read_results
from pathveil.lab.reproduction.verdicts import VERDICTS
from tests.paper.parts import NOTATIONS, PANELS, PARTS, UNLABELLED

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts),
]
MAP, REVIEW = "explanation/paper-map.md", "explanation/the-paper-reviewed.md"
REFERENCE = re.compile(r"`([a-z0-9_/]+\.py)`(?:: ((?:`[\w.]+`(?:, )?)+))?")
CLAIMS = [name for name in PARTS.values() if re.match("Lemma|Theorem|Proposition|Corollary", name)]


def rows(page: str) -> list[list[str]]:
    """Return the cells of every row of every table of a page, heads left out."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    cells = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines
        if line.startswith("|")
    ]
    return [row for row in cells if row[0] not in {"paper", "departure", "claim", "---"}]


def row_of(part: str, page: str = MAP) -> list[str]:
    """Return the one row that is about a part of the paper."""
    found = [r for r in rows(page) if re.match(rf"{re.escape(part)}(,| \(|:|$)", r[0])]
    exact = [
        row for row in found if not any(u != part and row[0].startswith(u) for u in UNLABELLED)
    ]
    assert len(exact) == 1, f"{page} has {len(exact)} rows for {part}"
    return exact[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_named_in_the_docs_exists(page: Path) -> None:
    for name, link in re.findall(
        r"`([a-z0-9_/]+\.(?:py|md))`|\]\((?!http)([^)#]+)", page.read_text("utf-8")
    ):
        places = [ROOT / name, ROOT / "src" / "pathveil" / name] if name else []
        places.append(page.parent / (name or link))
        assert any(place.exists() for place in places), f"{page.name} names {name or link}"


@pytest.mark.regression("the paper map lists every part")
@pytest.mark.parametrize("part", [*PARTS.values(), *UNLABELLED])
def test_every_part_of_the_paper_has_its_row(part: str) -> None:
    row = row_of(part)
    for panel in PANELS.get(part, ""):
        assert f"({panel})" in row[0]


def test_every_row_names_code_and_a_test_but_for_headings() -> None:
    """A row without either is a heading of the paper, and there are three."""
    bare = [row[0].split(",")[0] for row in rows(MAP) if "`" not in "".join(row)]
    assert bare == ["Section 3", "Section 4", "Section 6"]
    for row in rows(MAP):
        if row[0].split(",")[0] not in bare:
            assert "`tests/" in row[-1], f"no test shows {row[0]}"
            named = REFERENCE.findall(row[-1])
            assert all(names for path, names in named), f"{row[0]}: a file, but no test in it"


def resolve(module: str, name: str) -> object:
    """Return what a name of a module is, by import."""
    dotted = ".".join(["pathveil", *module.removesuffix(".py").split("/")])
    found: object = importlib.import_module(dotted)
    for part in name.split("."):
        found = getattr(found, part)
    return found


@cache
def named_tests(path: str) -> frozenset[str]:
    """Return the tests pytest collects from a file: functions that say so, at its top level."""
    assert Path(path).name.startswith("test_"), f"pytest collects nothing from {path}"
    body = ast.parse((ROOT / path).read_text("utf-8")).body
    return frozenset(
        node.name
        for node in body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


@pytest.mark.regression("the map's names are looked up, not only its files")
@pytest.mark.parametrize(
    "page", [MAP, REVIEW, "explanation/prior-systems.md", "how-to/the-papers-mechanism.md"]
)
def test_every_name_the_docs_give_resolves(page: str) -> None:
    """Functions and classes by import, tests by name: a renamed one turns this red."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    found = REFERENCE.findall(text)
    assert found
    for path, names in found:
        for name in re.findall(r"`([\w.]+)`", names):
            if path.startswith("tests/"):
                assert name in named_tests(path), f"{page}: {path} has no test {name}"
            else:
                assert resolve(path, name) is not None, f"{page}: {path} has no {name}"


def test_a_name_that_is_not_there_is_noticed() -> None:
    """The broken twins: a function that was renamed, a test that is only mentioned."""
    with pytest.raises(AttributeError):
        resolve("publishing/release.py", "publish_as_of_old")
    assert "test_that_never_was" not in named_tests("tests/paper/test_claims.py")
    assert "row_of" not in named_tests("tests/paper/test_paper_map.py")


def bold(cell: str) -> list[str]:
    return re.findall(r"\*\*(.+?)\*\*", cell)


@pytest.mark.regression("review, map and program give one verdict")
@pytest.mark.parametrize("claim", CLAIMS)
def test_map_and_review_give_one_verdict(claim: str) -> None:
    verdict = bold(row_of(claim)[1])
    assert verdict
    assert bold(row_of(claim, REVIEW)[1]) == verdict


def test_verdicts_of_figures_are_those_of_the_code() -> None:
    """If this fails: the counts of ``judge_claims`` on the committed tables have changed."""
    findings = judge_claims(read_results(ROOT / "studies" / "results"))
    for number in (7, 8, 9, 10):
        counts = Counter(one.verdict for one in findings if one.figure == number)
        said = ", ".join(f"{counts[word]} {word}" for word in VERDICTS if counts[word])
        assert row_of(f"Figure {number}")[1] == said


def test_the_programs_words_on_the_lemmas_are_the_reviews() -> None:
    """What ``inspect`` says of Lemma 1 and 2 beside a row is what the review says."""
    policy = pathveil.Policy.paper(vertex=1, link=1)
    rows_of_file = pathveil.publish(
        pathveil.Network.parse("ab bc"),
        pathveil.Walk("abc"),
        policy=policy,
        source=pathveil.Seeded(1),
    ).certificate.rows
    said = " ".join(policy.kind.paper_claim(row) for row in rows_of_file)
    assert "holds one way" in said
    assert "refuted the other" in said
    assert bold(row_of("Lemma 2")[1]) == ["one-sided only"]
    assert "Lemma 1" in said
    assert "holds between worlds of the same visits" in said
    assert bold(row_of("Lemma 1")[1]) == ["holds, emptily"]


@pytest.mark.regression("each departure is in the map")
def test_every_departure_of_the_engine_is_in_the_map() -> None:
    """The docstring numbers eight; the map says each, and those of Alg. 1 to 3."""
    from pathveil.layering import backtracking

    numbered = re.findall(
        r"^\d\. (Alg\. \d|A step limit|The search)", backtracking.__doc__ or "", re.MULTILINE
    )
    assert len(numbered) == 8
    told = [row[0] for row in rows(MAP) if row[0].startswith(("Alg. ", "A step limit"))]
    for algorithm, least in (("Alg. 4", 3), ("Alg. 5", 1), ("Alg. 6", 3), ("A step limit", 1)):
        assert sum(text.startswith(algorithm) for text in told) >= least
    assert {text[:6] for text in told if text.startswith("Alg.")} == {
        f"Alg. {k}" for k in range(1, 7)
    }


@pytest.mark.regression("Table 1 is in the glossary")
def test_table_1_is_in_the_glossary() -> None:
    symbols = {
        symbol.strip()
        for row in rows("reference/glossary.md")
        for symbol in re.split(r"[,:=]", row[2])
    }
    assert set(NOTATIONS) <= symbols, set(NOTATIONS) - symbols


def test_every_claim_the_review_judges_has_a_test() -> None:
    """ "Each with a test" is what the README says: no row without one."""
    text = (ROOT / "docs" / REVIEW).read_text("utf-8")
    _, *found = text.split("| claim | verdict | why | test |")
    assert len(found) == 3
    for table in (part.split("\n\n")[0].splitlines()[2:] for part in found):
        assert len(table) >= 6
        for line in table:
            named = REFERENCE.findall(re.split(r"(?<!\\)\|", line)[-2])
            assert any(path.startswith("tests/") for path, _ in named), line
