"""Names are text on a terminal, whoever made them up, in files, policies and on command lines."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from pathveil import Network, Seeded, Walk, publish
from pathveil.cli.main import run

HOSTILE = ["[red]a[/]", "b[/nonsense]", "c\x1b[2J", "d\x1b]0;owned\x07", "e\u202ef", "[link=x]"]
COMMANDS = [
    ["inspect", "FILE"],
    ["inspect", "FILE", "--json"],
    ["verify", "FILE", "NETWORK"],
    ["publish", "NETWORK", "WALK", "-o", "new.veil", "--force", "--notes"],
    ["publish", "NETWORK", "WALK", "-o", "[/x]\x1b[1m.veil", "--force"],
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
]


@pytest.mark.regression("Rich markup, ESC, OSC and U+202E in vertex names")
def test_hostile_names_reach_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rich markup ended in tracebacks; ESC, OSC and U+202E reached the terminal."""
    monkeypatch.chdir(tmp_path)
    network = Network.from_links(pairwise(HOSTILE))
    publish(network, Walk(HOSTILE), source=Seeded(1)).save("x.veil.json")
    links = [{"source": u, "target": v} for u, v in network.links]
    nodes = [{"id": name} for name in network.vertices]
    Path("network.json").write_text(json.dumps({"nodes": nodes, "links": links}), "utf-8")
    Path("walk.json").write_text(json.dumps(HOSTILE), "utf-8")
    places = {"FILE": "x.veil.json", "NETWORK": "network.json", "WALK": "walk.json"}
    for command in COMMANDS:
        assert run([places.get(word, word) for word in command]) in (0, 1, 2), command
        shown = "".join(capsys.readouterr())
        assert "Traceback" not in shown, command
        assert not set("\x1b\x07\u202e") & set(shown), command


@pytest.mark.regression("the same in policy names")
def test_hostile_policy_names_are_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.veil.json"
    publish(Network.parse("ab bc"), Walk("abc"), source=Seeded(1)).save(file)
    content = json.loads(file.read_text("utf-8"))
    content["policy"]["name"] = "[/b]\x1b[2J"
    content["policy"]["parameters"] = {"[red]": "[/"}
    file.write_text(json.dumps(content), "utf-8")
    for more in (["inspect"], ["inspect", "--trust", "--certificate"], ["verify"]):
        run([more[0], str(file), *more[1:]])
        shown = "".join(capsys.readouterr())
        assert "Traceback" not in shown
        assert "\x1b" not in shown
