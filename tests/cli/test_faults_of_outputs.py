"""Outputs: existing files are kept, whoever comes at the same time; the impossible comes first."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pathveil.cli.main import run
from pathveil.cli.publish import reader_lines
from pathveil.errors import BadFile
from pathveil.files.atomic_write import lock_file
from pathveil.files.codes import read_codes
from pathveil.files.networks.network_reader import read_network
from tests.cli.conftest import Typed

PUBLISH = ["publish", "network.csv", "walk.txt"]


def at_once(commands: list[list[str]]) -> list[tuple[int, str]]:
    """Return exit code and errors of commands that are run at the same time."""
    # Each waits for its own line, so that all claim the name at about the same moment.
    script = "import sys; from pathveil.cli.main import run; sys.stdin.read(); sys.exit(run())"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
        for words in commands
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
    errors = [process.communicate()[1] for process in started]
    return [(process.returncode, error) for process, error in zip(started, errors, strict=True)]


@pytest.mark.regression("four parallel publish -o same all ended with 0")
def test_of_several_that_want_one_name_one_gets_it(example: Path) -> None:
    done = at_once([[*PUBLISH, "-o", "same.veil.json"]] * 2)
    assert sorted(code for code, _ in done) == [0, 2]
    assert all("exists" in error for code, error in done if code)
    assert run(["verify", "same.veil.json", "network.csv", "walk.txt", "-q"]) == 0
    assert not list(example.glob(".*.pvpart"))


@pytest.mark.regression("four parallel publish -o same all ended with 0")
def test_with_a_ledger_the_release_of_the_loser_is_kept_and_named(
    example: Path, typed: Typed
) -> None:
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    through = ["--ledger", "l.db"]
    walks = ["a,b,c", "b,c,d"]
    for number, walk in enumerate(walks):
        Path(f"{number}.txt").write_text(walk)
    done = at_once(
        [
            ["publish", "network.csv", f"{number}.txt", "-o", "same.veil", *through]
            for number in range(len(walks))
        ]
    )
    assert sum(code == 0 for code, _ in done) == 1
    typed.read()
    assert run(["ledger", "show", "l.db", "--json"]) == 0
    releases = json.loads(typed.read().out)["networks"][0]["releases"]
    # Whoever looked after the winner had written was refused before anything was recorded.
    kept = [
        number for number, (_, error) in enumerate(done) if "kept there" in error.replace("\n", " ")
    ]
    assert len(releases) == 1 + len(kept)
    for number in kept:
        out = f"{number}.veil"
        assert run(["publish", "network.csv", f"{number}.txt", "-o", out, "-q", *through]) == 0
    assert run(["ledger", "show", "l.db", "--json"]) == 0
    after = json.loads(typed.read().out)["networks"][0]["releases"]
    assert len(after) == len(releases), "what was kept is handed out, and costs nothing"
    assert run(["ledger", "verify", "l.db", "same.veil", *(f"{n}.veil" for n in kept)]) == 0


@pytest.mark.regression("batch --ledger removed lists it had not written")
def test_a_batch_through_a_ledger_keeps_files_it_did_not_write(example: Path) -> None:
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    Path("walks.txt").write_text("a,b,c\n")
    words = ["batch", "network.csv", "walks.txt", "-o", "wk", "--ledger", "l.db", "-q"]
    words += ["--policy", "balanced"]
    for name in ("wk.errors.csv", "wk.lines.csv"):
        Path(name).write_text("precious")
        assert run(words) == 2
        assert Path(name).read_text() == "precious"
        Path(name).unlink()
    assert run(words) == 0


@pytest.mark.regression("refused batches left folders")
def test_a_batch_that_is_refused_leaves_no_folder(example: Path) -> None:
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    Path("walks.txt").write_text("a,b,c\n")
    batch = ["batch", "network.csv", "walks.txt", "--policy", "balanced", "-q"]
    before, linked = sorted(example.iterdir()), example / "linked"
    assert run([*batch, "-o", "wk", "--ledger", "l.db", "--to", "age1nobody"]) == 2
    assert run([*batch, "-o", "wk", "--ledger", "l.db", "--budget", "1/9"]) == 2
    assert run([*batch, "-o", "nope/out"]) == 2
    for target in ("linked", "walk.txt"):  # a link to itself, then one to a file
        linked.unlink(missing_ok=True)
        linked.symlink_to(target)
        assert run([*batch, "-o", "linked", "--force"]) == 2
    linked.unlink()
    assert sorted(example.iterdir()) == before


def test_names_that_are_no_names_are_refused(example: Path) -> None:
    assert run([*PUBLISH, "-o", "x.veil.json", "-q"]) == 0
    Path("walks.txt").write_text("a,b,c\n")
    before = sorted(example.iterdir())
    for name in (".", "", "..", "/"):
        for words in (
            PUBLISH,
            ["batch", "network.csv", "walks.txt", "--policy", "balanced"],
            ["draw", "x.veil.json"],
            ["group", "network.csv"],
            ["network", "clean", "network.csv"],
            ["lab", "compare", "--trials", "1"],
            ["lab", "reproduce", "--runs", "1"],
        ):
            assert run([*words, "-o", name]) == 2, (words, name)
    for words in (
        ["publish", "", "walk.txt", "-o", "y.veil"],
        ["ledger", "init", "\udcff.db"],
        ["ledger", "init", "/"],
    ):
        assert run(words) == 2, words
    assert sorted(example.iterdir()) == before


@pytest.mark.regression("a link that leads nowhere was refused after its release was recorded")
def test_what_is_impossible_is_refused_before_anything_is_recorded(
    example: Path, typed: Typed
) -> None:
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    Path("file").write_text("precious")
    names = [f"v{number}" for number in range(20_000)]
    Path("gone.veil").symlink_to("nothing")
    Path("loop.veil").symlink_to("loop.veil")
    Path("large.csv").write_text(
        "source,target\n" + "".join(f"{u},{v}\n" for u, v in pairwise(names))
    )
    Path("way.txt").write_text("v0,v1,v2\n")
    for words, code in (
        ([*PUBLISH, "-o", "missing/x.veil.json"], 2),
        ([*PUBLISH, "-o", "file/x.veil.json"], 2),
        ([*PUBLISH, "-o", "/dev/full"], 2),
        ([*PUBLISH, "-o", "/proc/x.veil"], 2),
        ([*PUBLISH, "-o", "gone.veil"], 2),
        ([*PUBLISH, "-o", "loop.veil"], 2),
        ([*PUBLISH, "-o", "x.veil.json", "--budget", "1/2"], 2),
        (["publish", "large.csv", "way.txt", "-o", "x.veil.json"], 2),
        ([*PUBLISH, "-o", "x.veil.json", "--universe", "network.csv"], 2),
    ):
        assert run([*words, "--ledger", "l.db"]) == code, words
    assert "does not go with a ledger" in typed.read().err
    with sqlite3.connect("l.db") as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (1,)
    assert not Path("x.veil.json").exists()
    assert run(["publish", "large.csv", "way.txt", "-o", "x.veil.json"]) == 2
    assert "use *.veil" in typed.read().err


@pytest.mark.regression("writing to a pipe waited for a reader who never came")
def test_a_pipe_without_a_reader_is_refused_and_one_with_a_reader_gets_all(example: Path) -> None:
    os.mkfifo("pipe.veil")
    assert run([*PUBLISH, "-o", "pipe.veil"]) == 2
    reader = os.open("pipe.veil", os.O_RDONLY | os.O_NONBLOCK)
    assert run([*PUBLISH, "-o", "pipe.veil"]) == 0
    Path("kept.veil").write_bytes(os.read(reader, 1 << 16))
    os.close(reader)
    assert run(["verify", "kept.veil", "network.csv", "walk.txt", "-q"]) == 0


@pytest.mark.regression("a refused network clean --codes --force replaced the table of codes")
def test_a_table_of_codes_is_never_replaced_and_a_refusal_leaves_none(example: Path) -> None:
    clean = ["network", "clean", "network.csv", "-q", "--codes", "codes.csv"]
    for output in ("c.txt", "/dev/full", "missing/c.csv"):
        assert run([*clean, "-o", output]) == 2
        assert not Path("codes.csv").exists()
    assert run([*clean, "-o", "c.csv"]) == 0
    table = Path("codes.csv").read_text()
    for output in ("c.txt", "/dev/full", "c.csv", "d.csv"):
        assert run([*clean, "-o", output, "--force"]) == 2
        assert Path("codes.csv").read_text() == table
    assert not Path("d.csv").exists()


@pytest.mark.regression("of several network clean --codes the table was another one's")
@pytest.mark.parametrize("outputs", [["c.csv"] * 2, ["0.csv", "1.csv"]])
def test_of_several_that_want_one_table_of_codes_one_gets_it(
    example: Path, outputs: list[str]
) -> None:
    clean = ["network", "clean", "network.csv", "-q", "--codes", "codes.csv"]
    done = at_once([[*clean, "-o", output] for output in outputs])
    assert sorted(code for code, _ in done) == [0, 2]
    table = read_codes("codes.csv")
    written = [path for path in set(outputs) if Path(path).exists()]
    names = read_network("network.csv").links
    assert [sorted(read_network(path).links) for path in written] == [
        sorted(tuple(sorted(table.encode(link))) for link in names)
    ]


@pytest.mark.regression("a name of 255 bytes was refused after its release was recorded")
def test_a_name_as_long_as_the_system_allows_is_written(example: Path) -> None:
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    name = f"{'ü' * 122}{'x' * 6}.veil"
    assert len(name.encode()) == 255
    assert run([*PUBLISH, "-o", name, "--ledger", "l.db", "-q"]) == 0
    assert run([*PUBLISH, "-o", f"x{name}", "--ledger", "l.db", "-q"]) == 2
    assert run(["ledger", "verify", "l.db", name, "-q"]) == 0
    assert not list(example.glob(".*.pvpart"))


@pytest.mark.regression("a disk without room for a byte was found only after recording")
def test_a_full_disk_is_found_before_anything_is_recorded(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    before = Path("l.db").read_bytes()
    monkeypatch.setattr("pathveil.files.atomic_write.os.write", lambda *_: 0)
    assert run([*PUBLISH, "-o", "x.veil", "--ledger", "l.db"]) == 2
    assert Path("l.db").read_bytes() == before
    assert not Path("x.veil").exists()
    assert not list(example.glob(".*.pvpart"))


@pytest.mark.regression("a full disk did not say that the release was recorded")
def test_a_recorded_release_that_cannot_be_written_is_named(
    example: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    def full(*_: object, **__: object) -> None:
        raise BadFile("x.veil: cannot be written (No space left on device)")

    assert run(["ledger", "init", "l.db", "-q"]) == 0
    publish = [*PUBLISH, "-o", "x.veil", "--ledger", "l.db"]
    with monkeypatch.context() as patched:
        patched.setattr("pathveil.ledger.release_walks.write_aside", full)
        assert run(publish) == 2
    assert "entry 3 of the ledger and is kept" in typed.read().err
    assert run([*publish, "--json"]) == 0
    assert json.loads(typed.read().out)["ledger"]["replayed"]


SMALL_DISK = """
import resource, sys
from pathveil.cli.main import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.exit(run(sys.argv[2:]))
"""


@pytest.mark.regression("a ledger or a key that found no room left an empty file")
@pytest.mark.parametrize(
    ("words", "room"),
    [
        ("ledger init l.db", 10),  # not even its key
        ("ledger init l.db", 8192),  # the key, and some of the tables
        ("party init ann --at h:1 --holds a", 100),
        (f"party init ann --at h:1 --holds {'a' * 300}", 900),  # the key, but not its card
    ],
)
def test_what_finds_no_room_leaves_nothing(example: Path, words: str, room: int) -> None:
    before = sorted(example.iterdir())
    command = [sys.executable, "-c", SMALL_DISK, str(room), *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert sorted(example.iterdir()) == before


@pytest.mark.regression("a note for readers that found no room hid that the file is written")
def test_a_note_that_finds_no_room_names_the_file_that_is_there(
    example: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    def full(*_: object, **__: object) -> None:
        raise BadFile("x.veil.readers.txt: cannot be written (No space left on device)")

    monkeypatch.setattr("pathveil.cli.publish.write_aside", full)
    assert run([*PUBLISH, "-o", "x.veil", "--for-readers"]) == 2
    assert "x.veil is written, and whole" in typed.read().err
    assert run(["verify", "x.veil", "network.csv", "walk.txt", "-q"]) == 0


@pytest.mark.regression("a note for readers that came meanwhile was replaced without --force")
@pytest.mark.parametrize("output", ["x.veil", "out"])
def test_a_note_that_comes_meanwhile_is_kept(
    example: Path, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    def late(*given: Any, **more: Any) -> list[str]:
        Path(f"{output}.readers.txt").write_text("precious")
        return reader_lines(*given, **more)

    for command in ("publish", "batch"):
        monkeypatch.setattr(f"pathveil.cli.{command}.reader_lines", late)
    Path("walks.txt").write_text("a,b,c\n")
    words = [*PUBLISH, "-o", output]
    if output == "out":
        words = ["batch", "network.csv", "walks.txt", "-o", output, "--policy", "balanced"]
    assert run([*words, "--for-readers"]) == 2
    assert Path(f"{output}.readers.txt").read_text() == "precious"
    assert run([*words, "--for-readers", "--force"]) == 0


@pytest.mark.regression("part files of killed commands stayed for ever")
def test_what_a_killed_command_left_goes_with_the_next_of_its_name(example: Path) -> None:
    dead, held = Path(".x.veil.0.pvpart"), Path(".x.veil.1.pvpart")
    dead.write_text("half a file")
    with held.open("w") as file:
        assert lock_file(file.fileno(), wait=False)
        assert run([*PUBLISH, "-o", "x.veil", "-q"]) == 0
    assert not dead.exists()
    assert held.exists(), "somebody is writing it"


@pytest.mark.regression("a link that leads to itself was a fault of the program")
def test_a_link_that_leads_to_itself_is_bad_input(example: Path) -> None:
    for name in ("loop", "loop.veil", "loop.json"):
        Path(name).symlink_to(name)
    before = sorted(example.iterdir())
    for words in (
        ["publish", "network.csv", "loop", "-o", "x.veil"],
        ["publish", "loop", "walk.txt", "-o", "x.veil"],
        [*PUBLISH, "-o", "loop.veil"],
        ["group", "network.csv", "-o", "loop.json"],
        ["batch", "network.csv", "loop", "-o", "out", "--policy", "balanced"],
        ["inspect", "loop.veil"],
        ["ledger", "init", "loop"],
        ["ledger", "show", "loop"],
    ):
        assert run(words) == 2, words
    assert sorted(example.iterdir()) == before


@pytest.mark.regression("lab computed for a folder that nothing can be written to")
def test_a_folder_is_asked_for_before_the_work(example: Path, typed: Typed) -> None:
    Path("gone").symlink_to("nothing")
    for command in ("compare", "reproduce"):
        for folder in ("/proc/results", "/proc", "gone", "walk.txt/results"):
            assert run(["lab", command, "-o", folder]) == 2  # a thousand runs would take minutes
            assert folder in typed.read().err


@pytest.mark.regression("lab said that matplotlib is missing after all its work")
def test_what_cannot_be_drawn_is_refused_before_the_work(
    example: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for command in ("compare", "reproduce"):
        assert run(["lab", command, "-o", "drawn"]) == 2  # a thousand runs would take minutes
        assert "pathveil[plot]" in typed.read().err
        assert not Path("drawn").exists()
