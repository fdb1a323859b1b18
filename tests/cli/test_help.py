"""Help fits a screen, nothing is cut, and every command can be quiet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from hypothesis import given
from hypothesis import strategies as st

from pathveil.cli.main import ORDER, app, run
from pathveil.cli.options import names_apart
from pathveil.policies import KINDS


def commands(command: Any = None, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command and group with its words."""
    command = typer.main.get_command(app) if command is None else command
    yield " ".join(words), command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*words, name))


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


def test_commands_come_in_the_order_of_a_story(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    places = [shown.index(f"\n  {name} ") for name in ORDER]
    assert places == sorted(places)


def test_only_network_clean_has_options_about_reading() -> None:
    asked = {"--names", "--columns", "--simplify", "--largest-component"}
    for words, command in commands():
        options = {word for parameter in command.params for word in parameter.opts}
        assert (options & asked == asked) == (words == "network clean"), words
        assert words == "network clean" or not options & asked, words


def test_publish_has_two_examples_and_its_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["publish", "--help"]) == 0
    shown = capsys.readouterr().out
    titles = [line for line in shown.splitlines() if line.endswith(":") and line[0] != " "]
    assert titles == ["Arguments:", "Options:", "Several walks:", "Expert:", "Examples:"]
    assert shown.count("\n  pathveil publish ") == 2


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
