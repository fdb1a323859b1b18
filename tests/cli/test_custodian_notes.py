"""What is for the custodian's eyes: on standard error, to who looks, where it says something."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pytest
from pathveil.cli.custodian_notes import are_wanted, tell_dearest, tell_joins, tell_links

from pathveil.chance.source import Seeded
from pathveil.cli import custodian_notes
from pathveil.cli.console import SafeConsole
from pathveil.cli.main import run
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.publishing.release import publish


def terminal(monkeypatch: pytest.MonkeyPatch) -> SafeConsole:
    seen = SafeConsole(file=io.StringIO(), force_terminal=True, width=100, color_system=None)
    monkeypatch.setattr(custodian_notes, "notes", seen)
    return seen


def said(seen: SafeConsole) -> str:
    assert isinstance(seen.file, io.StringIO)
    return " ".join(seen.file.getvalue().split())


def test_notes_are_for_who_looks_or_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not are_wanted(None)  # a test's standard error is no terminal
    assert are_wanted(True)
    terminal(monkeypatch)
    assert are_wanted(None)
    assert not are_wanted(False)


def test_a_usual_link_is_not_worth_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    network, walk = Network.parse("ab bc cd bd"), Walk("abcd")
    seen = terminal(monkeypatch)
    tell_dearest(publish(network, walk, source=Seeded("usual")), network, walk)
    assert said(seen) == ""
    again = Walk("abcb")
    twice = publish(network, again, policy=Policy.balanced(copies=2), source=Seeded("twice"))
    tell_dearest(twice, network, again)
    assert "the dearest walk link here is b - c, used 2 times" in said(seen)


@pytest.mark.parametrize(
    ("steps", "words"), [(8, "of 8 links the series used, someone"), (70, None)]
)
def test_links_that_were_not_looked_at_are_not_counted_as_if(
    monkeypatch: pytest.MonkeyPatch, steps: int, words: str | None
) -> None:
    """Of a long series only the 60 links used most are looked at, and it says so."""
    names = [f"v{i:02}" for i in range(steps + 1)]
    network, policy = (
        Network.from_links(list(pairwise(names))),
        Policy.remembering(prior=("1/2", "1/2")),
    )
    first = publish(network, Walk(names), policy=policy, source=Seeded(1))
    second = publish(network, Walk(names), after=[first], source=Seeded(2))
    seen = terminal(monkeypatch)
    tell_joins([first, second], network)
    assert (words or "of 60 links the series used most, someone") in said(seen)


def test_a_walk_of_too_many_links_is_told_that_nothing_was_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Silence looked like a walk whose links are all as well hidden as before."""
    names = [f"v{i:02}" for i in range(62)]
    network, walk = Network.from_links(list(pairwise(names))), Walk(names)
    seen = terminal(monkeypatch)
    tell_links(publish(network, walk, source=Seeded(1)), network, walk)
    assert "was not worked out: the walk has 61 links" in said(seen)
    assert "pathveil attack FILE NETWORK --lacking U V" in said(seen)


def test_no_link_of_the_walk_gets_into_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The attack: read the log of a nightly job that ran publish."""
    names = [f"depot{i}" for i in range(6)]
    (tmp_path / "net.csv").write_text(
        "source,target\n"
        + "".join(f"{a},{b}\n" for i, a in enumerate(names) for b in names[i + 1 :]),
        encoding="utf-8",
    )
    (tmp_path / "walk.txt").write_text("\n".join(names), encoding="utf-8")
    command = ["publish", *(str(tmp_path / n) for n in ("net.csv", "walk.txt"))]
    target = str(tmp_path / "x.veil.json")
    assert run([*command, "-o", target]) == 0
    told = capsys.readouterr()
    assert not any(name in told.out + told.err for name in names)
    assert run([*command, "-o", target, "--force", "--notes"]) == 0
    told = capsys.readouterr()
    assert not any(name in told.out for name in names)


def test_links_that_take_too_long_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network, walk = Network.parse("ab bc cd de ef bd ac"), Walk("abcdef")
    monkeypatch.setattr("pathveil.attacks.link_risk.LIMIT", 1)
    seen = terminal(monkeypatch)
    tell_links(publish(network, walk, source=Seeded(3)), network, walk)
    assert "of 5 walk links it was too much to work out" in said(seen)
