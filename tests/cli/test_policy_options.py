"""The command line offers what the policies say of themselves, and nothing else."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
import typer

from pathveil.cli import attack as auditor
from pathveil.cli import batch as batches
from pathveil.cli import publish as custodian
from pathveil.cli.main import run
from pathveil.cli.policy_options import OPTIONS, policy_from_options, takes_policy
from pathveil.errors import BadBudget
from pathveil.policies import KINDS, Policy


def test_every_policy_can_be_asked_for(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("a,x\n")
    given: dict[str, dict[str, Any]] = {
        "balanced": {},
        "sealed": {},
        "frontier": {"walk_loss": "1"},
        "two-sided": {"epsilon": "1", "spanning": True},
        "labelled": {"labels": str(labels), "rates": "x-x=1/2"},
        "paper": {"epsilon_vertex": "off", "epsilon_link": "1"},
    }
    for kind in KINDS:
        if kind.name in given:
            assert policy_from_options(kind.name, **given[kind.name]).kind.name == kind.name
    assert policy_from_options("balanced", copies=2, link_uses=1) == Policy.balanced(
        copies=2, link_uses=1
    )


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("frontier", {}, "--policy frontier needs --walk-loss"),
        ("paper", {"epsilon_link": "1"}, "--policy paper needs --epsilon-vertex"),
        ("balanced", {"epsilon": "1"}, "--epsilon belongs to --policy two-sided"),
        ("sealed", {"spanning": True}, "--spanning belongs to --policy two-sided"),
        (
            "two-sided",
            {"epsilon": "1", "link_uses": 1, "copies": 2},
            "--link-uses does not go with --policy two-sided",
        ),
        (
            "paper",
            {"epsilon_vertex": "1", "epsilon_link": "1", "copies": 2},
            "--copies: the paper policy draws the number of copies",
        ),
    ],
)
def test_options_that_do_not_go_together(name: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(typer.BadParameter) as caught:
        policy_from_options(name, **given)
    assert said in str(caught.value)


def test_a_policy_nobody_knows_is_refused() -> None:
    with pytest.raises(BadBudget, match="no policy this version knows"):
        policy_from_options("blanced")


@pytest.mark.parametrize("command", [custodian.publish, batches.batch, auditor.audit])
def test_commands_that_take_a_policy_show_all_of_its_options(command: object) -> None:
    shown = inspect.signature(command).parameters  # type: ignore[arg-type]
    assert {"policy", "copies", "link_uses", *(option.name for option in OPTIONS)} <= set(shown)
    assert shown["policy"].default == ("balanced" if command is auditor.audit else None)


def test_a_command_is_handed_the_policy() -> None:
    seen: list[object] = []

    @takes_policy
    def command(name: str, *, policy: Policy, loud: bool = False) -> None:
        seen.append((name, policy, loud))

    command("x", policy="frontier", walk_loss="1/2", copies=1, link_uses=None, loud=True)
    assert seen == [("x", Policy.frontier(walk_loss="1/2"), True)]
    names = list(inspect.signature(command).parameters)
    assert names[:2] == ["name", "policy"]
    assert names[-1] == "loud"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["labelled", "--labels", "labels.csv", "--rates", "x-x=1/2,x-y=1/4,y-y=1/3"], "labelled"),
        (["two-sided", "--epsilon", "40", "--spanning"], "two-sided"),
    ],
)
def test_labels_and_spanning_from_the_command_line(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.csv").write_text("a,b\nb,c\nc,d\nb,d\n")
    Path("walk.txt").write_text("a\nb\nc\nd\n")
    Path("labels.csv").write_text("a,x\nb,x\nc,y\nd,y\n")
    publish = ["publish", "net.csv", "walk.txt", "-o", "x.veil.json", "--json", "--policy"]
    assert run([*publish, *words]) == 0
    assert json.loads(capsys.readouterr().out)["policy"].startswith(said)
    assert run(["reconstruct", "x.veil.json", "net.csv", "-q"]) == 0
    assert capsys.readouterr().out == "a → b → c → d\n"
    assert run(["verify", "x.veil.json", "net.csv", "-q"]) == 0
