"""Help fits a screen, nothing is cut, and every command can be quiet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.cli.main import names_apart, run
from pathveil.policies import KINDS
from tests.cli.conftest import commands


@pytest.mark.parametrize("words", [words for words, _ in commands()])
def test_help_is_of_one_screen(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for columns in ("50", "80", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        capsys.readouterr()
        assert run([*words.split(), "--help"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 80
        assert len(lines) <= (60 if columns != "50" else 120)
        assert "<" not in "".join(lines)  # no <bool>, no <str>
        assert not [line for line in lines if line.endswith("...") and "age1..." not in line]


def test_every_option_says_what_it_takes_and_what_it_does() -> None:
    for words, command in commands():
        for parameter in command.params:
            if parameter.name in {"help", "install_completion", "show_completion"}:
                continue
            assert parameter.help, (words, parameter.name)
        if hasattr(command, "commands"):
            continue
        assert any("--quiet" in parameter.opts for parameter in command.params), words


def test_policies_are_listed_as_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    from pathveil import Policy

    assert run(["policies", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [Policy.parse(row["policy"]).kind.name for row in rows] == [kind.name for kind in KINDS]
    assert all(row["summary"].endswith(".") for row in rows)


@given(
    st.lists(st.sampled_from(["-1", "-2", "a", "-x"]), max_size=4),
    st.sampled_from([[], ["--json"]]),
)
def test_names_after_lacking_may_look_like_options(names: list[str], tail: list[str]) -> None:
    apart = names_apart(["f", "n", "--lacking", *names, *tail])
    given = [f"--lacking={name}" for name in names] or ["--lacking"]
    assert apart == ["f", "n", *given, *tail]


def test_quiet_commands_print_results_and_errors_alone(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        "publish network.csv walk.txt -o x.veil.json",
        "inspect x.veil.json -o x.veil",
        "draw x.veil.json -o x.svg",
        "verify x.veil.json network.csv walk.txt",
        "inspect x.veil.json",
    ):
        assert run([*words.split(), "--quiet"]) == 0
        assert "".join(capsys.readouterr()) == "", words
    assert run(["reconstruct", "x.veil.json", "network.csv", "-q"]) == 0
    assert capsys.readouterr().out == "a → b → c → d → e → f\n"
    assert run(["reconstruct", "x.veil.json", "nowhere.csv", "-q"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err
    assert run(["inspect", "x.veil.json"]) == 0
    assert capsys.readouterr().out, "the next command is not quiet"
