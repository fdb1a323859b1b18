"""What every command prints with --json fits the schema that its type makes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.cli.main import run
from pathveil.cli.results import RESULTS, result_schema
from tests.cli.conftest import LINKS, commands
from tests.cli.json_schemas import parsed

SEEDED = ["--unsafe-seed", "7"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands below read, made once."""
    folder = tmp_path_factory.mktemp("schemas")
    (folder / "net.csv").write_text(
        "source,target\n" + "".join(f"{u},{v}\n" for u, v in map(tuple, LINKS.split())),
        encoding="utf-8",
    )
    wide = [(i, (i + step) % 60) for i in range(60) for step in (1, 7)]
    (folder / "wide.csv").write_text(
        "source,target\n" + "".join(f"v{u:03d},v{v:03d}\n" for u, v in wide), encoding="utf-8"
    )
    (folder / "walk.txt").write_text("a\nb\nc\nd\ne\nf\n", encoding="utf-8")
    (folder / "way.txt").write_text("".join(f"v{i:03d}\n" for i in range(12)), encoding="utf-8")
    (folder / "ways.txt").write_text(
        ",".join(f"v{i:03d}" for i in range(30, 42)) + "\nv000,nowhere\n", encoding="utf-8"
    )
    release = ["publish", str(folder / "net.csv"), str(folder / "walk.txt"), "--quiet"]
    for name, more in {
        "a.veil.json": [],
        "noisy.veil.json": ["--policy", "two_sided:epsilon=3"],
        "paper.veil.json": ["--policy", "paper:vertex=1,link=1"],
        "old.veil.json": ["--layering", "backtracking"],
        "sketch.veil": ["--form", "sketch", "--capacity", "20"],
        "copies.veil": ["--policy", "balanced:copies=2", "--direction", "hidden"],
    }.items():
        assert run([*release, "-o", str(folder / name), *more, *SEEDED]) == 0, name
    network, walk = Network.parse(LINKS), Walk("abcdef")
    first = publish(network, walk, policy=Policy.remembering(usage="1/2"), source=Seeded(1))
    first.save(folder / "b.veil.json")
    publish(network, walk, after=[first], source=Seeded(2)).save(folder / "c.veil.json")
    assert run(["ledger", "init", str(folder / "l.db"), "--budget", "50", "--quiet"]) == 0
    kept = ["wide.csv", "way.txt", "-o", "kept.veil.json", "--ledger", "l.db"]
    words = [word if word[0] == "-" else str(folder / word) for word in kept]
    assert run(["publish", *words, *FRONTIER.split(), "--quiet"]) == 0
    return folder


FRONTIER = "--policy frontier:walk_loss=3.5"
# Each command line, and the exit code it ends with. {} is the folder of files.
CASES = [
    ("publish", "{}/net.csv {}/walk.txt -o {}/p.veil.json", 0),
    ("publish", "{}/net.csv {}/walk.txt -o {}/p.veil", 0),
    ("publish", f"{{}}/wide.csv {{}}/way.txt -o {{}}/k.veil --ledger {{}}/l.db {FRONTIER}", 0),
    ("publish", "{}/net.csv {}/walk.txt -o {}/s.veil --form sketch --capacity 20", 0),
    ("batch", "{}/wide.csv {}/ways.txt -o {}/out --workers 1 --policy remembering:usage=1/20", 2),
    ("batch", f"{{}}/wide.csv {{}}/ways.txt -o {{}}/led --ledger {{}}/l.db {FRONTIER}", 2),
    ("group", "{}/wide.csv --classes 20 -o {}/groups.json", 0),
    ("verify", "{}/a.veil.json {}/net.csv {}/walk.txt", 0),
    ("verify", "{}/a.veil.json {}/wide.csv", 1),
    ("ledger show", "{}/l.db", 0),
    ("ledger verify", "{}/l.db {}/kept.veil.json", 0),
    ("ledger verify", "{}/l.db {}/a.veil.json", 1),
    ("network clean", "{}/net.csv -o {}/clean.csv", 0),
    ("network digest", "{}/net.csv", 0),
    ("reconstruct", "{}/a.veil.json {}/net.csv", 0),
    ("reconstruct", "{}/noisy.veil.json {}/net.csv", 0),
    ("reconstruct", "{}/copies.veil {}/net.csv", 0),
    ("reconstruct", "{}/a.veil.json {}/net.csv --as b", 0),
    ("reconstruct", "{}/a.veil.json {}/net.csv --as-link a b", 0),
    ("party init", "ann --at 127.0.0.1:7101 --holds a -o {}", 0),
    ("inspect", "{}/a.veil.json", 0),
    ("inspect", "{}/c.veil.json", 0),
    ("inspect", "{}/paper.veil.json", 0),
    ("inspect", "{}/old.veil.json", 0),
    ("inspect", "{}/sketch.veil", 0),
    ("inspect", "{}/a.veil.json -o {}/a2.veil", 0),
    ("attack", "{}/a.veil.json {}/net.csv --lacking c d", 0),
    ("attack", "{}/copies.veil {}/net.csv --lacking c d", 0),
    ("attack", "{}/b.veil.json {}/c.veil.json {}/net.csv --lacking c d", 0),
    ("attack", "{}/b.veil.json {}/c.veil.json {}/net.csv", 0),
    ("keys", "-o {}/new.key", 0),
    ("policies", "", 0),
    ("plan", "{}/net.csv --walks 3 --length 4", 0),
    ("lab audit", "{}/net.csv {}/walk.txt --lacking c d --samples 100", 0),
]
ELSEWHERE = {"party run", "party rehearse", "lab compare", "lab reproduce"}
"""Commands that take long: their own tests hold them against their schemas."""


def test_what_is_printed_is_what_the_schema_says(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pathveil.checking.release_audit.FILES", 30)
    for command, words, code in CASES:
        given = [word.replace("{}", str(folder)) for word in words.split()]
        capsys.readouterr()
        assert run([*command.split(), *given, "--json"]) == code, (words, capsys.readouterr().err)
        parsed(command, capsys.readouterr().out)


def test_every_command_with_json_has_a_type_and_is_run() -> None:
    offered = {
        words
        for words, command in commands()
        if any("--json" in parameter.opts for parameter in command.params)
    }
    assert set(RESULTS) == offered == {command for command, _, _ in CASES} | ELSEWHERE


def test_a_schema_leaves_no_key_to_chance(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["reconstruct", f"{folder}/a.veil.json", f"{folder}/net.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    checked = Draft202012Validator(result_schema("reconstruct"))
    assert checked.is_valid(found)
    for damaged in ({**found, "more": 1}, {**found, "gap": "0"}, {"walk": found["walk"]}):
        assert not checked.is_valid(damaged)
