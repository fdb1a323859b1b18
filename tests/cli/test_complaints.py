"""Errors in one style: one line, what, a colon, the fact, what to do."""

from __future__ import annotations

import re

import pytest

from pathveil.cli.error_text import reworded
from pathveil.cli.main import run

CASES = [
    (["publish"], "NETWORK: is missing; see pathveil publish --help"),
    (["publish", "n", "w"], "-o, --output: is missing; see pathveil publish --help"),
    (["publish", "--polcy", "x"], "--polcy: no such option; did you mean --policy? See"),
    (["inspect", "--zzz", "x"], "--zzz: no such option; see pathveil inspect --help"),
    (["batch", "n", "w", "-o", "o", "--workers", "0"], "--workers: should be greater"),
    (["frobnicate"], "frobnicate: no such command; see pathveil --help"),
    (["inspect", "a", "b", "c"], "b c: more words than are expected"),
    (["publish", "-o"], "-o: needs an argument"),
    (["publish", "n", "w", "-o", "x", "--seed", "1"], "--seed and --unsafe go together"),
    (["publish", "n", "w", "-o", "x", "--policy", "sealde"], "--policy: 'sealde' is not one of"),
    (["attack", "a.veil", "n", "--lacking", "u"], "--lacking U V ...; see pathveil attack --help"),
    (["inspect", "not-there.veil"], "not-there.veil: "),
]


@pytest.mark.parametrize(("words", "said"), CASES, ids=[" ".join(words) for words, _ in CASES])
def test_one_style(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert told.err.startswith("pathveil: ")
    assert said in told.err
    assert not re.search(r"Invalid value|Input should|Value error|Traceback", told.err)


def test_a_message_of_several_lines_becomes_one() -> None:
    assert reworded("Invalid value: one\n  two.") == "one two"
    assert reworded("write U V ...") == "write U V ..."
