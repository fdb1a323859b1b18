"""Every command with --json gives one vocabulary: run, and held against its schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pathveil.cli.main import app, run
from tests.cli.json_schemas import SCHEMAS, parsed, schema_of

LINKS = "ab af bc bd be bf cd ce cf de df ef"
SEEDED = ["--seed", "schema", "--unsafe"]


def commands() -> Iterator[str]:
    """The commands that offer --json, found by asking the command line itself."""

    def offered(command: Any, words: tuple[str, ...]) -> Iterator[str]:
        for name, inner in getattr(command, "commands", {}).items():
            yield from offered(inner, (*words, name))
        if any("--json" in parameter.opts for parameter in command.params):
            yield " ".join(words)

    yield from offered(typer.main.get_command(app), ())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands below read, made once."""
    folder = tmp_path_factory.mktemp("schemas")
    (folder / "net.csv").write_text(
        "source,target\n" + "".join(f"{u},{v}\n" for u, v in map(tuple, LINKS.split())),
        encoding="utf-8",
    )
    ring = [(i, (i + 1) % 90) for i in range(90)]
    (folder / "ring.csv").write_text(
        "source,target\n" + "".join(f"v{u:02d},v{v:02d}\n" for u, v in ring), encoding="utf-8"
    )
    (folder / "walk.txt").write_text("a\nb\nc\nd\ne\nf\n", encoding="utf-8")
    (folder / "walks.txt").write_text("a,b,c,d\nb,c,d,nowhere\n", encoding="utf-8")
    (folder / "apart.txt").write_text("a,b,c\nd,e,f\n", encoding="utf-8")
    release = ["publish", str(folder / "net.csv"), str(folder / "walk.txt"), "--quiet"]
    for name, more in {
        "a.veil.json": [],
        "b.veil.json": ["--policy", "remembering:on=1/2,off=1/2"],
        "c.veil.json": ["--after", str(folder / "b.veil.json")],
        "noisy.veil.json": ["--policy", "two_sided:epsilon=3"],
        "paper.veil.json": ["--policy", "paper:vertex=1,link=1"],
        "old.veil.json": ["--layering", "backtracking"],
        "sketch.veil": ["--form", "sketch", "--capacity", "20"],
        "copies.veil": ["--policy", "balanced:copies=2", "--direction", "hidden"],
    }.items():
        assert run([*release, "-o", str(folder / name), *more, *SEEDED]) == 0, name
    assert run(["ledger", "init", str(folder / "l.db"), "--budget", "50", "--quiet"]) == 0
    kept = ["--ledger", str(folder / "l.db")]
    assert run([*release, "-o", str(folder / "kept.veil.json"), *kept]) == 0
    return folder


# Each command line, and the exit code it ends with. {} is the folder of files.
CASES = [
    ("publish", "{}/net.csv {}/walk.txt -o {}/p.veil.json", 0),
    ("publish", "{}/net.csv {}/walk.txt -o {}/p.veil", 0),
    (
        "publish",
        "{}/net.csv {}/walk.txt -o {}/k.veil.json --ledger {}/l.db --fresh",
        0,
    ),
    ("publish", "{}/net.csv {}/walk.txt -o {}/s.veil --form sketch --capacity 20", 0),
    ("batch", "{}/net.csv {}/walks.txt -o {}/out --workers 1 --policy balanced", 2),
    (
        "batch",
        "{}/net.csv {}/apart.txt -o {}/kept --workers 1 --ledger {}/l.db --policy balanced",
        0,
    ),
    ("plan", "{}/ring.csv --walks 3 --length 4", 0),
    ("group", "{}/ring.csv", 0),
    ("group", "{}/ring.csv --classes 30 -o {}/groups.json", 0),
    ("verify", "{}/a.veil.json {}/net.csv {}/walk.txt", 0),
    ("verify", "{}/a.veil.json {}/ring.csv", 1),
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
    ("keys", "-o {}/my.key", 0),
    ("policies", "", 0),
    ("attack", "{}/a.veil.json {}/net.csv --lacking c d", 0),
    ("attack", "{}/copies.veil {}/net.csv --lacking c d", 0),
    ("attack", "{}/b.veil.json {}/c.veil.json {}/net.csv --lacking c d", 0),
    ("attack", "{}/b.veil.json {}/c.veil.json --links 12 --steps 1000", 0),
    ("attack", "{}/b.veil.json {}/c.veil.json {}/net.csv --steps 1000", 0),
    ("lab audit", "{}/net.csv {}/walk.txt --lacking c d --samples 100", 0),
]
ELSEWHERE = {"party run", "party rehearse", "lab compare", "lab reproduce"}
"""Commands that take long: their own tests hold them against their schemas."""


@pytest.mark.parametrize(
    ("command", "words", "code"), CASES, ids=[f"{c} {w}".replace("{}/", "") for c, w, _ in CASES]
)
def test_what_is_printed_is_what_the_schema_says(
    folder: Path, command: str, words: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word.replace("{}", str(folder)) for word in words.split()]
    capsys.readouterr()
    assert run([*command.split(), *given, "--json"]) == code, capsys.readouterr().err
    parsed(command, capsys.readouterr().out)


def test_every_command_with_json_has_a_schema_and_is_run() -> None:
    offered = set(commands())
    named = {c.replace(" ", "-") for c in offered} | {"inspect-output"}
    assert {path.stem for path in SCHEMAS.glob("*.json")} == named
    assert offered == {command for command, _, _ in CASES} | ELSEWHERE


def test_what_is_written_again_has_a_schema(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    words = ["inspect", f"{folder}/a.veil.json", "-o", f"{folder}/a2.veil", "--json"]
    assert run(words) == 0
    parsed("inspect-output", capsys.readouterr().out)


@pytest.mark.parametrize("command", sorted(commands()))
def test_a_schema_leaves_no_key_to_chance(command: str) -> None:
    schema = schema_of(command)
    Draft202012Validator.check_schema(schema)

    def objects(part: Any) -> Iterator[dict[str, Any]]:
        if isinstance(part, dict):
            if "properties" in part:
                yield part
            for inner in part.values():
                yield from objects(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from objects(inner)

    for part in objects(schema):
        assert part["additionalProperties"] is False
        assert set(part["required"]) == set(part["properties"])


BREAKS: list[Callable[[dict[str, Any]], object]] = [
    lambda found: found.pop("order"),
    lambda found: found.update(more=1),
    lambda found: found.update(gap="0"),
]


@pytest.mark.parametrize("damage", BREAKS)
def test_the_schemas_can_fail(
    folder: Path, damage: Callable[[dict[str, Any]], object], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert (
        run(["reconstruct", *(f"{folder}/{n}" for n in ("a.veil.json", "net.csv")), "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    damage(found)
    assert not Draft202012Validator(schema_of("reconstruct")).is_valid(found)
