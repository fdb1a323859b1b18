"""Anyone with the file: inspect and draw tell what is public, and refuse what they cannot show."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from pathveil import Network, Seeded, Walk, publish
from pathveil.cli.main import run
from pathveil.model.universe import Universe
from tests.cli.conftest import promise_no_loss
from tests.cli.json_schemas import parsed


def test_inspect_tells_what_a_file_holds(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", "route.veil.json", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["form"], found["vertices"], found["copies"]) == ("packed", 6, 6)
    assert found["pieces"] >= 6
    assert found["bytes"] == Path("route.veil.json").stat().st_size
    assert found["certificate_earned"] is True
    assert run(["inspect", "route.veil.json"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "policy balanced(copies=1)" in said
    assert f"pieces {found['pieces']} layers" in said
    assert "from the end that sorts first to the other" in said
    assert "unsafe: the coins came from a seed" in said


def test_inspect_refuses_a_false_certificate_unless_told_to_trust(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    promise_no_loss(example / "route.veil.json")
    assert run(["inspect", "route.veil.json"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "route.veil.json" in shown.err
    assert run(["inspect", "route.veil.json", "--trust"]) == 0
    assert "not earned" in capsys.readouterr().out
    assert run(["inspect", "route.veil.json", "--trust", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["certificate_earned"] is False


def test_an_untold_direction_is_said_to_be_untold(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["publish", "network.csv", "walk.txt", "-o", "x.veil.json", "-q"]
    assert run([*command, "--direction", "hidden"]) == 0
    assert run(["inspect", "x.veil.json"]) == 0
    assert "not told: either end may be the first" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["svg", "dot", "tex", "txt"])
def test_a_picture_is_of_the_kind_its_name_says(example: Path, kind: str) -> None:
    openings = {"svg": "<svg", "dot": "graph publication", "tex": "\\begin{tikzpicture}", "txt": ""}
    assert run(["draw", "route.veil.json", "-o", f"x.{kind}"]) == 0
    text = Path(f"x.{kind}").read_text("utf-8")
    assert openings[kind] in text
    assert text.strip()


@pytest.mark.regression("a picture of the network alone was readable by all")
def test_a_picture_of_the_network_is_the_owners_alone(example: Path) -> None:
    """Its links are secret too; without the walk it had mode 0644."""
    assert run(["draw", "route.veil.json", "-o", "p.svg"]) == 0
    assert stat.S_IMODE(Path("p.svg").stat().st_mode) != 0o600
    assert run(["draw", "network.csv", "--network", "-o", "n.svg"]) == 0
    assert stat.S_IMODE(Path("n.svg").stat().st_mode) == 0o600
    assert run(["draw", "network.csv", "--network", "--walk", "walk.txt", "-o", "w.svg"]) == 0
    assert stat.S_IMODE(Path("w.svg").stat().st_mode) == 0o600
    assert Path("n.svg").read_bytes() != Path("w.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["route.veil.json", "-o", "x.bmp"], "follows from its name"),
        (["network.csv", "--network", "-o", "x.tex"], "follows from its name"),
        (["route.veil.json", "--walk", "walk.txt", "-o", "x.svg"], "never shows its walk"),
        (["route.veil.json", "-o", "there.svg"], "--force"),
        (["network.csv", "-o", "x.svg"], "network.csv"),
        (["network.csv", "--story", "-o", "x.svg"], "--walk"),
        (["network.csv", "--publication", "route.veil.json", "-o", "x.svg"], "--story"),
    ],
)
def test_what_cannot_be_drawn_is_one_line_and_no_file(
    example: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    Path("there.svg").write_text("mine")
    before = {path.name: path.read_bytes() for path in example.iterdir()}
    assert run(["draw", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error
    assert {path.name: path.read_bytes() for path in example.iterdir()} == before


@pytest.mark.regression("`inspect` did not say that readers bring the universe")
@pytest.mark.parametrize("by_digest", [False, True])
def test_inspect_says_which_pairs_had_coins(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    by_digest: bool,  # noqa: FBT001
) -> None:
    """The screen did not name the universe, nor JSON whether a reader has to bring it."""
    monkeypatch.chdir(tmp_path)
    network = Network.parse("ab bc cd")
    near = Universe.of([*network.links, ("a", "c")], by_digest=by_digest)
    publish(network, Walk("abc"), universe=near, source=Seeded(1)).save("near.veil.json")
    assert run(["inspect", "near.veil.json"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "universe 4 public pairs, " in said
    assert ("readers bring their file, --universe" in said) is by_digest
    assert run(["inspect", "near.veil.json", "--json"]) == 0
    told = parsed("inspect", capsys.readouterr().out)["universe"]
    assert told == {"carried": not by_digest, "count": 4, "digest": near.digest}


def test_the_story_is_told_of_a_file_or_of_fresh_coins(example: Path) -> None:
    told = ["draw", "network.csv", "--story", "--walk", "walk.txt"]
    assert run([*told, "-o", "fresh.svg"]) == 0
    assert run([*told, "--publication", "route.veil.json", "-o", "file.svg"]) == 0
    assert run([*told, "--publication", "route.veil.json", "-o", "file.png"]) == 0
    for name in ("fresh.svg", "file.svg"):
        assert "What you publish" in Path(name).read_text("utf-8")
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600
    assert Path("file.png").read_bytes()[:4] == b"\x89PNG"
