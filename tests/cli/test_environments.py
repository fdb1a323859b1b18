"""Every command in every surrounding: narrow and wide terminals, a pipe, no colour, ASCII, no home.

In each of them: no traceback, the right exit code, and every number that a wide screen shows.
"""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pathveil
from pathveil.cli import console
from pathveil.cli.main import run
from tests.cli.conftest import LINKS, commands

PROGRAM = [sys.executable, "-c", "from pathveil.cli.main import main; main()"]


# Each command, and the exit code it ends with. {} is the folder of files, [] one for each run.
CASES = {
    "demo": ("--seed 1", 0),
    "plan": ("--vertices 12 --links 18 --walks 2 --length 3", 0),
    "publish": ("{}/net.csv {}/walk.txt -o []/p.veil.json --unsafe-seed 1 --notes", 0),
    "batch": ("{}/net.csv {}/walks.txt -o []/out --workers 1 --policy balanced", 2),
    "group": ("{}/ring.csv --classes 30 -o []/groups.json", 0),
    "verify": ("{}/a.veil.json {}/ring.csv", 1),
    "ledger init": ("[]/l.db --budget 5", 0),
    "ledger show": ("{}/l.db", 0),
    "ledger export": ("{}/l.db -o []/entries.jsonl", 0),
    "ledger verify": ("{}/l.db", 0),
    "keys": ("-o []/my.key", 0),
    "policies": ("", 0),
    "studio": ("{}/none.csv --no-browser", 2),
    "network clean": ("{}/net.csv -o []/clean.csv", 0),
    "network digest": ("{}/net.csv", 0),
    "network part": ("{}/net.csv a -o []/part.csv", 0),
    "reconstruct": ("{}/a.veil.json {}/net.csv", 0),
    "party init": ("ann --at 127.0.0.1:7101 --holds a -o []", 0),
    "party run": ("{}/a.veil.json {}/net.csv --cards {} --key {}/none.pem", 2),
    "party rehearse": ("{}/a.veil.json {}/net.csv --parties 2", 2),
    "inspect": ("{}/a.veil.json --certificate", 0),
    "draw": ("{}/a.veil.json -o []/a.svg", 0),
    "attack": ("{}/a.veil.json {}/net.csv --lacking c d", 0),
    "lab audit": ("{}/net.csv {}/walk.txt --lacking c nowhere", 2),
    "lab compare": ("--system nobody -o []/cmp", 2),
    "lab reproduce": ("--figure nobody -o []/res", 2),
}


def test_every_command_is_tried() -> None:
    assert {words for words, one in commands() if not hasattr(one, "commands")} == set(CASES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("surroundings")
    rows = [(link[0], link[1]) for link in LINKS.split()]
    ring = [(f"v{i:02d}", f"v{(i + 1) % 90:02d}") for i in range(90)]
    for name, links in (("net.csv", rows), ("ring.csv", ring)):
        text = "".join(f"{u},{v}\n" for u, v in links)
        (folder / name).write_text(f"source,target\n{text}", encoding="utf-8")
    (folder / "walk.txt").write_text("a\nb\nc\nd\ne\nf\n", encoding="utf-8")
    (folder / "walks.txt").write_text("a,b,c,d\nb,c,d,nowhere\n", encoding="utf-8")
    names = [str(folder / name) for name in ("net.csv", "walk.txt")]
    release = ["publish", *names, "-o", str(folder / "a.veil.json"), "--unsafe-seed", "7", "-q"]
    assert run(release) == 0
    assert run(["ledger", "init", str(folder / "l.db"), "--budget", "50", "--quiet"]) == 0
    return folder


def words_of(command: str, folder: Path, here: Path) -> list[str]:
    words = CASES[command][0].replace("{}", str(folder)).replace("[]", str(here))
    return [*command.split(), *words.split()]


def numbers(said: str) -> set[str]:
    """Numbers with a point or a percent sign, such as no name of a file has."""
    return set(re.findall(r"\d+\.\d+%?|\d+%", re.sub(r"\S*/\S*|\b\w+\.\w*[a-z]\w*", "", said)))


def shown(
    words: list[str], *, width: int, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str]:
    """Run in this process on screens of this width; return code and what was on them."""
    screen = io.StringIO()
    for one in (console.console, console.notes):
        monkeypatch.setattr(one, "_width", width, raising=True)
        monkeypatch.setattr(one, "_force_terminal", terminal, raising=True)
        monkeypatch.setattr(one, "_file", screen, raising=True)
    code = run(words)
    return code, screen.getvalue()


@pytest.mark.parametrize("command", sorted(CASES))
def test_no_width_loses_a_number(
    folder: Path, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = CASES[command][1]
    seen = {}
    screens = [(200, True), (80, True), (50, True), (80, False)]
    for width, terminal in screens[2:] if command in RANDOM else screens:
        here = tmp_path / "run"
        here.mkdir()
        words = words_of(command, folder, here)
        with monkeypatch.context() as patch:
            code, said = shown(words, width=width, terminal=terminal, monkeypatch=patch)
        assert code == wanted, said
        assert "Traceback" not in said
        if terminal and width < 200 and command not in DRAWN:
            longest = max(map(len, re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said).split("\n")))
            assert longest <= width + len(str(folder)) + 3 * len(str(tmp_path)) + 40, said
        seen[width, terminal] = numbers(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said))
        shutil.rmtree(here)
    if command not in RANDOM:
        for found in seen.values():
            assert seen[200, True] <= found, seen[200, True] - found


DRAWN = {"demo", "inspect", "group"}
"""They draw pictures whose width follows from what is drawn, or leave wrapping to the screen."""
RANDOM = {"inspect", "batch", "group", "keys"}
"""Their numbers differ from run to run: times, and coins of the system."""


# -- true processes, one for each surrounding -----------------------------------------------------


def surrounding(**more: str | None) -> dict[str, str]:
    source = str(Path(pathveil.__file__).parents[1])
    found = {**os.environ, "PYTHONPATH": source}
    for name in ("NO_COLOR", "COLUMNS", "PYTHONIOENCODING", "FORCE_COLOR"):
        found.pop(name, None)
    for name, value in more.items():
        found.pop(name, None)
        if value is not None:
            found[name] = value
    return found


def on_a_terminal(words: list[str], columns: int) -> tuple[int, str]:
    """Run in a real pseudo-terminal with this number of columns."""
    import fcntl
    import struct
    import termios

    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen(
        [*PROGRAM, *words],
        stdin=side,
        stdout=side,
        stderr=side,
        env=surrounding(TERM="xterm-256color"),
    )
    os.close(side)
    said = b""
    while True:
        ready, _, _ = select.select([main], [], [], 600)
        try:
            part = os.read(main, 65536) if ready else b""
        except OSError:  # the other side is closed
            break
        if not part:
            break
        said += part
    os.close(main)
    return process.wait(), said.decode()


def test_on_a_real_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run([*words_of("attack", folder, folder), "--json"]) == 0
    believed = json.loads(capsys.readouterr().out)["candidates"]
    code, said = on_a_terminal(words_of("attack", folder, folder), 50)
    assert code == 0, said
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said)
    assert max(len(line.rstrip()) for line in plain.splitlines()) <= 50
    for row in believed[:12]:
        assert f"{row['prior']:.1%}" in plain
        assert f"{row['posterior']:.1%}" in plain
    assert "\x1b[" in said


SURROUNDINGS: dict[str, dict[str, str | None]] = {
    "pipe without colour": {"NO_COLOR": "1", "PYTHONIOENCODING": "cp1252"},
    "ascii, no home": {
        "PYTHONIOENCODING": "ascii",
        "HOME": None,
        "XDG_CACHE_HOME": None,
        "NUMBA_CACHE_DIR": None,
    },
    "home not writable": {"HOME": "/proc", "XDG_CACHE_HOME": "/proc"},
}


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_as_a_process_of_its_own(folder: Path, tmp_path: Path, name: str) -> None:
    words = ["inspect", str(folder / "a.veil.json")]
    done = subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        check=False,
        env=surrounding(**SURROUNDINGS[name]),
        cwd=tmp_path,
        timeout=600,
    )
    said = done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
    assert done.returncode == 0, said
    assert "Traceback" not in said
    assert "\x1b[" not in said
    assert "readers" in said
    if "ascii" in name:
        assert done.stdout.isascii()
