"""What the command line says of a release: both things, and never "held" of the wrong one."""

from __future__ import annotations

import json
import stat
from itertools import pairwise
from pathlib import Path

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.cli.main import run

HOSTILE = ["[red]a[/]", "b[/nonsense]", "c\x1b[2J", "d\x1b]0;owned\x07", "e\u202ef", "[link=x]"]


def written(folder: Path, names: list[str], *, policy: Policy | None = None) -> tuple[str, str]:
    network = Network.from_links(pairwise(names))
    publication = publish(network, Walk(names), policy=policy, source=Seeded(1))
    publication.save(folder / "x.veil.json")
    graph = folder / "network.json"
    links = [{"source": u, "target": v} for u, v in network.links]
    nodes = [{"id": name} for name in network.vertices]
    graph.write_text(json.dumps({"nodes": nodes, "links": links}), encoding="utf-8")
    return str(folder / "x.veil.json"), str(graph)


@pytest.mark.regression("the command line said 'held' of it")
def test_odds_are_not_called_held(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, network = written(tmp_path, list("abcdef"))
    assert run(["attack", file, network, "--lacking", "c", "d"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert ": held" not in said
    assert "without any release" in said
    assert "nothing about which" in said


def test_a_known_step_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, network = written(tmp_path, list("cefdba"), policy=Policy.sealed())
    asked = ["attack", file, network, "--lacking", "f", "d", "--json"]
    assert run(asked) == 0
    assert json.loads(capsys.readouterr().out)["candidates"][0]["posterior"] == 0.25
    assert run([*asked, "--knows-last", "a"]) == 0
    assert json.loads(capsys.readouterr().out)["candidates"][0]["posterior"] == 0.5
    for more in (["--knows-step", "c>e"], ["--knows-first", "c"]):
        assert run([*asked, *more]) == 0
        found = json.loads(capsys.readouterr().out)
        best = found["candidates"][0]
        assert (best["candidate"], best["posterior"]) == ("d - f", 1.0)
        assert found["left_out"] == []
    assert run([*asked, "--knows-step", "c-e"]) == 2
    assert "U>V" in capsys.readouterr().err


@pytest.mark.regression("Rich markup, ESC, OSC and U+202E in vertex names")
@pytest.mark.parametrize(
    "command",
    [
        ["inspect", "FILE"],
        ["inspect", "FILE", "--json"],
        ["verify", "FILE", "NETWORK"],
        ["reconstruct", "FILE", "NETWORK"],
        ["reconstruct", "FILE", "NETWORK", "--json"],
        ["reconstruct", "FILE", "NETWORK", "--as", HOSTILE[2]],
        ["reconstruct", "FILE", "NETWORK", "--as-link", HOSTILE[2], HOSTILE[3]],
        ["attack", "FILE", "NETWORK", "--lacking", HOSTILE[2], HOSTILE[3]],
        ["attack", "FILE", "NETWORK", "--lacking", HOSTILE[2], HOSTILE[4]],
        ["attack", "FILE", "NETWORK", "--lacking", HOSTILE[2], HOSTILE[3], "--json"],
        ["reconstruct", "FILE", "NETWORK", "--as", "[/x]\x1b[1m"],
        ["attack", "FILE", "NETWORK", "--lacking", "[/x]\x1b[1m", "a\u202e"],
        ["inspect", "[/x]\x1b[1m"],
    ],
    ids=lambda command: " ".join(command[:1] + command[3:4]),
)
def test_hostile_names_reach_no_terminal(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rich markup ended in tracebacks; ESC, OSC and U+202E reached the terminal."""
    file, network = written(tmp_path, HOSTILE)
    places = {"FILE": file, "NETWORK": network}
    run([places.get(word, word) for word in command])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    for sign in "\x1b\x07\u202e":
        assert sign not in out + err


@pytest.mark.regression("the same in policy names")
def test_hostile_policy_names_are_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, _ = written(tmp_path, list("abc"))
    found = json.loads(Path(file).read_text(encoding="utf-8"))
    found["policy"]["name"] = "[/b]\x1b[2J"
    found["policy"]["parameters"] = {"[red]": "[/"}
    Path(file).write_text(json.dumps(found), encoding="utf-8")
    for command in (["inspect", file], ["inspect", file, "--trust"], ["verify", file]):
        run(command)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert "\x1b" not in out + err


@pytest.mark.regression("pictures that show the secret: mode 0600")
def test_pictures_that_show_the_secret_are_the_owners(tmp_path: Path) -> None:
    _, network = written(tmp_path, list("abcdef"))
    (tmp_path / "walk.txt").write_text("a\nb\nc\n", encoding="utf-8")
    target = tmp_path / "secret.svg"
    walk = ["--walk", str(tmp_path / "walk.txt")]
    assert run(["draw", network, "--network", *walk, "-o", str(target)]) == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.regression("per walk link its joins and chances, worst first")
def test_the_custodian_sees_which_links_are_told_worst_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, network = written(tmp_path, list("abcdef"))
    (tmp_path / "walk.txt").write_text("a\nb\nc\nd\ne\nf\n", encoding="utf-8")
    target = str(tmp_path / "new.veil.json")
    command = ["publish", network, str(tmp_path / "walk.txt"), "-o", target, "--force"]
    assert run([*command, "--no-notes"]) == 0
    assert "For your eyes only" not in "".join(capsys.readouterr())
    assert run([*command, "--notes"]) == 0
    said = capsys.readouterr().err
    assert "For your eyes only" in said
    assert "joins" in said
    assert "certain in" in " ".join(said.split())
    assert (
        run(["publish", network, str(tmp_path / "walk.txt"), "-o", target, "--force", "--json"])
        == 0
    )
    assert "joins" not in json.dumps(json.loads(capsys.readouterr().out).get("custodian", ""))
