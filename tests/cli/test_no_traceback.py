"""Whatever goes wrong: one line that says where, what and what to do; the right code; no traceback.

Processes are real where it matters: signals, limits of the operating system, workers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pathveil.cli.main import run


def one_line(said: str) -> str:
    assert "Traceback" not in said
    assert said.startswith("pathveil: ")
    assert said.count("\n") == 1
    return said


def test_memory_that_ran_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The advice holds for who asked for a sketch as well: its capacity takes memory."""

    def run_out(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("pathveil.cli.main._program", lambda: run_out)
    assert run(["publish", "network.csv"]) == 2
    assert "a --capacity just above its links" in one_line(capsys.readouterr().err)


@pytest.mark.parametrize("address", ["foo", "tcp://127.0.0.1:1", "tcp://", "nonsense://x:1"])
def test_a_scheduler_that_is_none_or_does_not_answer(
    folder: Path, address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was a traceback, or ``input/output: None`` after 20 seconds."""
    pytest.importorskip("distributed")
    monkeypatch.setattr("pathveil.batching.worker_pool.CONNECT_SECONDS", 0.2)
    words = ["lab", "reproduce", "--figure", "10", "--runs", "2", "-o", "out"]
    words += ["--scheduler", address]
    assert run(words) == 2
    said = one_line(capsys.readouterr().err)
    assert f"--scheduler {address}: no Dask scheduler answers there" in said
    assert "--workers 2" in said


SMALL_FILES = """
import resource, signal, sys
from pathveil.cli.main import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
main()
"""


@pytest.mark.parametrize(
    "words",
    [
        "publish net.csv walk.txt -o x.veil.json",
        "batch net.csv walks.txt --policy balanced --workers 1 -o x.jsonl",
    ],
)
def test_a_full_disk_is_told_with_the_name_of_the_file(folder: Path, words: str) -> None:
    """It was ``input or output: No space left on device``."""
    before, output = {path.name for path in folder.iterdir()}, words.rsplit(maxsplit=1)[-1]
    done = subprocess.run(
        [sys.executable, "-c", SMALL_FILES, *words.split()],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        # A measurement of coverage would write a large file itself.
        env={name: value for name, value in os.environ.items() if "COVERAGE" not in name},
    )
    assert done.returncode == 2, done.stderr
    assert f"{output}: cannot be written (File too large)" in one_line(done.stderr)
    left = {path.name for path in folder.iterdir()} - before
    assert all(name.startswith("x.jsonl.journal") for name in left), "nothing is half written"


WORKING = """
import signal, sys, time
from multiprocessing import util
from pathveil.cli import main as cli
from pathveil.batching.worker_pool import run_all

forget = util._run_finalizers
# Time enough to start a pool in place of the one whose workers were just ended.
util._run_finalizers = lambda least: (forget(least), time.sleep(2))

@cli.app.command("work")
def work():
    busy = "import pathlib, time; pathlib.Path({!r}).touch(); time.sleep(3600)"
    for _ in run_all(exec, [busy.format(name) for name in ("one", "two")], workers=2):
        pass

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
if __name__ == "__main__":
    cli.main()
"""


def wait_until(what: str, happened: object) -> None:
    assert callable(happened)
    for _ in range(2400):
        if happened():
            return
        time.sleep(0.05)
    raise AssertionError(what)


def workers_of(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def is_gone(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed in /proc")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL], ids=["interrupt", "kill"])
def test_work_that_is_stopped_leaves_no_worker(tmp_path: Path, sent: signal.Signals) -> None:
    """An interrupt waited for an hour of work, and kill -9 left idle workers behind; workers that
    an interrupt had ended were replaced, and Python complained of what the new pool left."""
    script = tmp_path / "working.py"
    script.write_text(WORKING)
    process = subprocess.Popen(
        [sys.executable, str(script), "work"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    marks = [tmp_path / "one", tmp_path / "two"]
    wait_until("the workers work", lambda: all(mark.exists() for mark in marks))
    workers = workers_of(process.pid)
    assert len(workers) >= 2
    process.send_signal(sent)
    _, said = process.communicate(timeout=600)
    if sent == signal.SIGINT:
        assert process.returncode == 130
        assert "run again to go on" in one_line(said)
    else:
        assert process.returncode == -signal.SIGKILL
    wait_until("no worker is left", lambda: all(map(is_gone, workers)))


def test_a_fault_of_ours_is_one_line_too(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr("pathveil.files.networks.network_writer.save_network", break_down)
    assert run(["network", "clean", "net.csv", "-o", "x.csv"]) == 70
    said = one_line(capsys.readouterr().err)
    assert "ZeroDivisionError: two lines" in said
    assert "PATHVEIL_TRACEBACK=1" in said
