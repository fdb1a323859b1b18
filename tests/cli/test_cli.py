from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

import pathveil
from pathveil import Publication
from pathveil.cli.main import app, run
from tests.cli.json_schemas import parsed

LINKS = "a,b\na,f\nb,c\nb,d\nb,e\nb,f\nc,d\nc,e\nc,f\nd,e\nd,f\ne,f\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "network.csv").write_text(LINKS)
    (tmp_path / "walk.txt").write_text("a\nb\nc\nd\ne\nf\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def published(folder: Path, *options: str) -> Path:
    file = folder / "route.veil.json"
    assert run(["publish", "network.csv", "walk.txt", "-o", str(file), "--json", *options]) == 0
    return file


def test_publish_and_reconstruct(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = published(folder)
    summary = json.loads(capsys.readouterr().out)
    assert summary["policy"] == "balanced(copies=1)"
    assert summary["unsafe"] is False
    assert run(["reconstruct", str(file), "network.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["order"], found["walk"]) == ("known", list("abcdef"))
    assert run(["reconstruct", str(file), "network.csv"]) == 0
    assert "a → b → c → d → e → f" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        ["--policy", "sealed"],
        ["--policy", "frontier:walk_loss=0.5,copies=2"],
        ["--policy", "paper:vertex=1,link=0.5"],
        ["--policy", "paper:vertex=off,link=off"],
        ["--layering", "backtracking"],
        ["--seed", "7", "--unsafe"],
    ],
)
def test_every_policy_from_the_command_line(
    folder: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = published(folder, *options)
    capsys.readouterr()
    assert run(["reconstruct", str(file), "network.csv", "--json"]) == 0
    walk = json.loads(capsys.readouterr().out)["walk"]
    assert walk in (list("abcdef"), list("fedcba"))
    assert run(["verify", str(file), "network.csv", "walk.txt"]) == 0
    assert "fails" not in capsys.readouterr().out


def test_what_the_walk_decides_is_told_to_the_custodian_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """2 x 2 copies at link budget 1 cost 2.40; it stands on the screen, in no file and no JSON."""
    (folder / "walk.txt").write_text("b,c,d,b,f,c")
    paper = ["--policy", "paper:vertex=off,link=1"]
    command = ["publish", "network.csv", "walk.txt", "-o", "x.veil.json", "--force", *paper]
    assert run(command) == 0
    assert "For your eyes" not in "".join(capsys.readouterr())  # nobody looks: it may be a log
    assert run([*command, "--notes"]) == 0
    said = capsys.readouterr()
    assert "For your eyes" not in said.out
    shown = " ".join(said.err.split())
    assert "For your eyes only: the dearest walk link here is b - c, used 1 time" in shown
    assert "2 x 2 copies" in shown
    assert "= 2.39" in shown
    assert run([*command, "--json", "--notes"]) == 0
    assert "dearest" not in "".join(capsys.readouterr()) + (folder / "x.veil.json").read_text()


def test_two_sided_readings_say_how_sure_they_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = published(folder, "--policy", "two_sided:epsilon=8")
    capsys.readouterr()
    assert run(["reconstruct", str(file), "network.csv"]) == 0
    assert "likel" in capsys.readouterr().out
    assert run(["reconstruct", str(file), "network.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gap"] == 0
    assert run(["reconstruct", str(file), "network.csv", "--as", "c"]) == 2


def test_joint_coins_from_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "walk.txt").write_text("b,c,d,b")
    file = published(folder, "--policy", "balanced:copies=2,link_uses=1")
    losses = json.loads(capsys.readouterr().out)["certificate"]["rows"]
    assert losses[0]["presence"]["expression"] == "ln 5"
    assert run(["reconstruct", str(file), "network.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["walk"] == list("bcdb")


def test_participants_read_their_own_row(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = published(folder)
    (folder / "row.csv").write_text("c,b\nc,d\nc,e\nc,f\n")
    capsys.readouterr()
    assert run(["reconstruct", str(file), "row.csv", "--as", "c"]) == 0
    assert "between b and d" in capsys.readouterr().out
    assert run(["reconstruct", str(file), "row.csv", "--as-link", "c", "e"]) == 0
    assert "does not use c - e" in capsys.readouterr().out
    assert run(["reconstruct", str(file), "row.csv", "--as-link", "c", "d", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["on_walk"] is True


def test_inspect_draw_verify(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = published(folder)
    capsys.readouterr()
    assert run(["inspect", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "pieces" in shown
    assert "at least" in shown
    assert run(["inspect", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["vertices"] == 6
    for name in ("x.svg", "x.dot", "x.tex", "x.txt"):
        assert run(["draw", str(file), "-o", name]) == 0
        assert (folder / name).stat().st_size > 100
    assert run(["draw", "network.csv", "--network", "--walk", "walk.txt", "-o", "n.svg"]) == 0
    assert run(["verify", str(file), "--json"]) == 0


def test_verify_tells_another_walk(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = published(folder)
    (folder / "other.txt").write_text("a\nb\nc\nd\nf\ne\n")
    assert run(["verify", str(file), "network.csv", "other.txt"]) == 1
    assert "another walk reads back" in capsys.readouterr().out


def test_verify_tells_a_layout_that_is_not_canonical(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = published(folder)
    publication = Publication.load(file)
    turned = publication.showing(publication.layered.upside_down())
    turned.save(file)
    assert run(["verify", str(file)]) == 1
    assert "drawn again from its bits" in " ".join(capsys.readouterr().out.split())


BAD_NETWORKS = {
    "empty.csv": (b"", "empty.csv"),
    "binary.csv": (b"\x00\x01\x02\xff" * 40, "binary.csv"),
    "torn.graphml": (b"<graphml><graph><node id='a'/>", "torn.graphml"),
    "loop.csv": (b"a,b\nb,b\n", "line 2"),
    "twice.csv": (b"a,b\nb,a\n", "line"),
    "apart.csv": (b"a,b\nb,e\nc,d\n", "2 components"),
    "json.json": (b'{"nodes": [{"id": 1}, {"id": "1"}], "edges": []}', "1"),
    "unknown.json": (b'{"nodes": [{"id": "a"}], "edges": [{"source": "a", "target": "q"}]}', "q"),
}


@pytest.mark.parametrize("name", BAD_NETWORKS)
def test_bad_networks(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    content, words = BAD_NETWORKS[name]
    (folder / name).write_bytes(content)
    refused(folder, ["publish", name, "walk.txt", "-o", "out.veil.json"], words, capsys)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a\nc\n", "'a' -> 'c'"),
        ("a\nb\nq\n", "'q'"),
        ("a\n", "expected two or more"),
        ("", "walk.txt"),
        ("a\nb\na\n", "copies=2"),
    ],
)
def test_bad_walks(
    folder: Path, content: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "walk.txt").write_text(content)
    refused(folder, ["publish", "network.csv", "walk.txt", "-o", "out.veil.json"], words, capsys)


@pytest.mark.parametrize("budget", ["0", "-1", "nan", "inf", "much", "1e999999", ""])
def test_bad_budgets(folder: Path, budget: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--policy", "frontier", f"--walk-loss={budget}"]
    command = ["publish", "network.csv", "walk.txt", "-o", "out.veil.json", *options]
    refused(folder, command, "walk loss", capsys)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seed", "1"], "--unsafe"),
        (["--unsafe"], "--seed"),
        (["--policy", "frontier"], "--walk-loss"),
        (["--policy", "paper:link=1"], "--epsilon-vertex"),
        (["--walk-loss", "1"], "frontier"),
        (["--policy", "balanced:copies=0"], "copies"),
        (["--policy", "other"], "other"),
    ],
)
def test_bad_options(
    folder: Path, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["publish", "network.csv", "walk.txt", "-o", "out.veil.json", *options]
    refused(folder, command, words, capsys)


def test_missing_files_and_folders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(folder, ["publish", "no.csv", "walk.txt", "-o", "out.veil.json"], "no.csv", capsys)
    (folder / "sub").mkdir()
    refused(folder, ["publish", "sub", "walk.txt", "-o", "out.veil.json"], "sub", capsys)
    command = ["publish", "network.csv", "walk.txt", "-o", "nowhere/out.veil.json"]
    refused(folder, command, "nowhere", capsys)


def test_a_release_is_not_replaced_unnoticed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = published(folder)
    before = file.read_bytes()
    assert run(["publish", "network.csv", "walk.txt", "-o", str(file)]) == 2
    assert "--force" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert run(["publish", "network.csv", "walk.txt", "-o", str(file), "--force"]) == 0


def test_a_publication_of_another_network_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = published(folder, "--policy", "sealed")
    (folder / "other.csv").write_text(LINKS.replace("c,d\n", ""))
    assert run(["reconstruct", str(file), "other.csv"]) == 2
    assert "form 2 paths" in capsys.readouterr().err


def refused(
    folder: Path, command: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bad input: one clear message, exit code 2, no traceback, nothing written."""
    before = sorted(p.name for p in folder.rglob("*"))
    assert run(command) == 2
    told = capsys.readouterr()
    message = " ".join(told.err.replace("│", " ").split())
    assert words in message, message
    assert "Traceback" not in told.err + told.out
    assert sorted(p.name for p in folder.rglob("*")) == before


def test_the_program_itself(folder: Path) -> None:
    """The real command in a real process: no colour in a pipe, exit codes as promised."""
    program = Path(sys.executable).with_name("pathveil")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("pathveil ")
    bad = subprocess.run(
        [program, "inspect", "network.csv"], capture_output=True, text=True, check=False
    )
    assert bad.returncode == 2
    assert bad.stdout == ""
    assert bad.stderr.count("\n") == 1
    assert "\x1b" not in bad.stderr


def test_demo_tells_the_whole_story(folder: Path) -> None:
    program = Path(sys.executable).with_name("pathveil")
    done = subprocess.run(
        [program, "demo"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "100"},
    )
    for words in ("a → b → c → d → e → f", "between b and d", "misses (c, d)", "route.svg"):
        assert words in done.stdout
    assert "\x1b" not in done.stdout
    assert (folder / "demo-output" / "route.svg").exists()
    assert run(["verify", "demo-output/route.veil.json"]) == 0


def test_attack_shows_prior_and_posterior(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = published(folder)
    capsys.readouterr()
    command = ["attack", str(file), "network.csv", "--lacking", "c", "d"]
    assert run([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {c["candidate"] for c in found["candidates"]} == {"a - d", "c - d"}
    assert found["within_certificate"] is True
    assert run(command) == 0
    assert "c - d (true)" in capsys.readouterr().out
    assert run(["attack", str(file), "network.csv", "--lacking", "c"]) == 2
    assert run(["attack", str(file), "network.csv", "--lacking", "a", "d"]) == 2


def test_audit_measures_and_refutes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["lab", "audit", "network.csv", "walk.txt", "--lacking", "c", "d", "--samples", "500"]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert "not refuted" in shown
    assert "frontier" in shown
    paper = ["--policy", "paper:vertex=off,link=1", "--json"]
    assert run([*command, *paper]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "refuted"


def test_a_batch_reports_bad_walks_and_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "walks.txt").write_text('a,b,c,d\na,c\n["a","b","d"]\n')
    arguments = ["batch", "network.csv", "walks.txt", "-o", "out.jsonl", "--workers", "1"]
    assert run([*arguments, "--policy", "balanced"]) == 2
    shown = " ".join(capsys.readouterr().out.split())
    assert "2 walks published" in shown
    assert "walks.txt, line 2: step 1 goes 'a' -> 'c'" in shown
    lines = (folder / "out.jsonl").read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [1, 2]
    assert (folder / "out.jsonl.lines.csv").read_text() == "number,line\n1,1\n2,3\n"
    (folder / "walks.txt").write_text("a,b,c\na,b,c\n")
    assert run([*arguments[:3], "-o", "again", "--workers", "1", "--policy", "balanced"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "line 2: is the walk of line 1 once more" in shown
    assert run([*arguments[:3], "-o", "again", "--workers", "1", "--policy", "balanced"]) == 2
    assert "should not be replaced unnoticed" in capsys.readouterr().err


def test_reproduce_and_compare_write_what_they_say(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    command = ["lab", "reproduce", "--figure", "10", "--runs", "50", "-o", "res", "--workers", "1"]
    assert run(command) == 0
    assert (folder / "res" / "report.md").exists()
    shown = capsys.readouterr().out
    assert "Cyclic walks" in shown
    assert "the paper's engine" in shown  # whom the verdicts are on
    assert "Cyclic walks get more copies" in (folder / "res" / "report.md").read_text("utf-8")
    assert run([*command, "--json", "--force"]) == 0  # goes on where it was: nothing is left to do
    assert parsed("lab reproduce", capsys.readouterr().out)["findings"]
    assert run(["lab", "reproduce", "--figure", "3", "-o", "res"]) == 2
    command = ["lab", "compare", "--trials", "5", "--budgets", "1", "--systems", "SDD", "-o", "cmp"]
    assert run([*command, "--workers", "1", "--json"]) == 0
    shown = capsys.readouterr().out
    assert "too few for a verdict" in " ".join(parsed("lab compare", shown)["verdict"])
    assert (folder / "cmp" / "comparison.journal").exists()
    assert run(["lab", "compare", "--systems", "nobody"]) == 2


def test_the_package_runs_as_a_program() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "pathveil", "--version"], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip().endswith(pathveil.__version__)


def test_every_option_says_what_it_is_for() -> None:
    """``reproduce --engine`` was listed without a word."""

    def bare(command: Any, words: tuple[str, ...]) -> Iterator[str]:
        for name, inner in getattr(command, "commands", {}).items():
            yield from bare(inner, (*words, name))
        for parameter in command.params:
            if parameter.param_type_name == "option" and not (parameter.help or parameter.hidden):
                yield " ".join((*words, *parameter.opts))

    assert list(bare(typer.main.get_command(app), ())) == []
