"""What the auditor sees: beliefs, losses against claims, and a code that says who is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pathveil import Network, Policy, Walk, publish
from pathveil.chance.source import Seeded
from pathveil.checking import release_audit
from pathveil.cli.attack import _sorted_arguments, _step
from pathveil.cli.main import run
from pathveil.errors import PathveilError
from tests.cli.conftest import promise_no_loss
from tests.cli.json_schemas import parsed

ATTACK = ["attack", "route.veil.json", "network.csv"]


def test_arguments_are_told_apart_by_their_names() -> None:
    """A vertex may be called like a publication: after the network nothing is a file."""
    found = _sorted_arguments(["x.txt", "y.veil", "z.veil.json", "n.csv", "u", "v.veil"])
    files = [Path("x.txt"), Path("y.veil"), Path("z.veil.json")]
    assert found == (files, Path("n.csv"), ["u", "v.veil"])
    assert _sorted_arguments(["x.veil"]) == ([Path("x.veil")], None, [])


def test_a_step_is_read_whatever_signs_the_names_hold() -> None:
    assert _step("a > b", {"a", "b"}) == ("a", "b")
    assert _step("a>b>c", {"a>b", "c"}) == ("a>b", "c")
    for text, names in (("a>b>c", {"a", "a>b", "b>c", "c"}), ("a>x", {"a"}), ("ab", {"ab"})):
        with pytest.raises(PathveilError, match="write it U>V"):
            _step(text, names)


def test_an_attack_marks_the_truth_and_says_what_a_seed_is(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*ATTACK, "--lacking", "c", "d"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "c - d (true)" in said
    assert "not exceeded" in said
    assert "unsafe: the coins came from a seed" in said


def test_an_exceeded_certificate_is_code_one(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that promises less loss than its policy earns: refused, and caught if trusted."""
    promise_no_loss(example / "route.veil.json")
    assert run([*ATTACK, "--lacking", "c", "d", "--json"]) == 2
    assert capsys.readouterr().out == ""
    assert run([*ATTACK, "--lacking", "c", "d", "--json", "--trust"]) == 1
    assert json.loads(capsys.readouterr().out)["within_certificate"] is False


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--lacking", "c"], "a link has two"),
        (["--lacking", "a", "d"], "'a' - 'd'"),
        (["--lacking", "c", "d", "--knows-step", "b"], "write it U>V"),
        (["--lacking", "c", "d", "--knows-first", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_attacked_is_one_line(
    example: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    assert run([*ATTACK, *more]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert said in shown.err


@pytest.fixture
def seeded_audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits with a fixed source, of a small network, with few whole files written out."""
    (tmp_path / "n.csv").write_text("a,b\nb,c\nc,d\n")
    (tmp_path / "w.txt").write_text("a\nb\nc\nd\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(release_audit, "FILES", 30)
    real = release_audit.audit_release

    def audited(*args: Any, **given: Any) -> Any:
        return real(*args, **given, source=Seeded(5))

    monkeypatch.setattr(release_audit, "audit_release", audited)


AUDIT = ["lab", "audit", "n.csv", "w.txt", "--samples", "200"]


@pytest.mark.usefixtures("seeded_audits")
def test_an_audit_refutes_or_does_not_and_the_code_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([*AUDIT, "--lacking", "d", "c", "--json"]) == 0
    honest = json.loads(capsys.readouterr().out)
    assert honest["verdict"] != "refuted"
    assert honest["direction"] == "public"
    assert honest["drawn"] == 2 * (350 + 30)
    paper = ["--policy", "paper:vertex=off,link=1"]
    assert run([*AUDIT, "--lacking", "d", "c", *paper]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "refuted" in said
    assert "never prove it" in said


@pytest.mark.regression("`audit` had no direction")
@pytest.mark.usefixtures("seeded_audits")
def test_an_audit_takes_the_direction(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*AUDIT, "--lacking", "c", "d", "--direction", "hidden", "--json"]) == 0
    found = parsed("lab audit", capsys.readouterr().out)
    assert (found["direction"], found["verdict"]) == ("hidden", "inconclusive")
    assert (found["samples"], found["drawn"]) == (200, 760)


def test_an_audit_asks_for_one_link(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*AUDIT, "--lacking", "c", "d", "e"]) == 2
    assert "3 ends of a link; expected two" in capsys.readouterr().err


@pytest.mark.usefixtures("seeded_audits")
def test_an_audit_takes_a_universe(capsys: pytest.CaptureFixture[str]) -> None:
    Path("near.csv").write_text("a,b\nb,c\nc,d\na,c\n")
    Path("far.csv").write_text("a,b\nb,c\na,c\n")
    over = [*AUDIT, "--lacking", "c", "d", "--json", "--universe"]
    assert run([*over, "near.csv"]) == 0
    assert parsed("lab audit", capsys.readouterr().out)["universe"]["count"] == 4
    assert run([*over, "far.csv"]) == 2
    assert "'c' - 'd' of the network is not among the 3 pairs" in capsys.readouterr().err


@pytest.mark.usefixtures("example")
@pytest.mark.parametrize("option", ["--knows-first=a", "--knows-step=a>b", "--spanning"])
def test_an_attack_on_several_files_refuses_what_it_would_not_use(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*ATTACK, "--lacking", "c", "d", "--with", "./route.veil.json", option]) == 2
    assert "--knows-first" in capsys.readouterr().err


@pytest.mark.usefixtures("example")
def test_an_attack_on_the_papers_layering_tells_layers_from_coins(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Seed 5 with copies: the coins leave two candidates, the layers one."""
    network, walk = Network.parse("ab af bc bd be bf cd ce cf de df ef"), Walk("abcdef")
    policy = Policy.paper(vertex=1, link=1)
    publish(network, walk, policy=policy, layering="backtracking", source=Seeded("5")).save(
        "paper.veil.json"
    )
    assert run(["attack", "paper.veil.json", "network.csv", "--lacking", "c", "d"]) in (0, 1)
    said = " ".join(capsys.readouterr().out.split())
    assert "layering backtracking: the coins leave 2 candidates" in said
    assert "drawn again for each of them, leave 1" in said
