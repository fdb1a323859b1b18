"""Ctrl-C at any moment: exit 130, and nothing half made, out of compiled code too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pathveil.files.codes import read_codes
from pathveil.files.networks.network_reader import read_network

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")

COMPILING = """
import sys
from pathveil.layering.kernels.running import buy_at_once
buy_at_once()
from pathveil.cli.main import main
sys.argv = ["pathveil", *sys.argv[1:]]
print("imported", flush=True)
main()
"""
"""A command whose kernels are compiled at their first use, so that it spends its time in them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ring of 1,500 vertices with chords, and a walk along it."""
    made = tmp_path_factory.mktemp("interrupted")
    size = 1500
    links = {(v, (v + step) % size) for v in range(size) for step in (1, 17, 303)}
    lines = "".join(f"v{a:04d},v{b:04d}\n" for a, b in sorted(links))
    (made / "net.csv").write_text(f"source,target\n{lines}")
    (made / "walk.txt").write_text("".join(f"v{v:04d}\n" for v in range(40)))
    (made / "walks.csv").write_text(
        "walk,vertex\n" + "".join(f"w{w},v{v:04d}\n" for w in range(8) for v in range(w, w + 12))
    )
    return made


def begun(folder: Path, *words: str, **more: str) -> subprocess.Popen[str]:
    """Start a program that can be interrupted; return when it has said its first line."""
    process = subprocess.Popen(
        [sys.executable, "-c", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(  # noqa: PLW1509 - no threads here yet
            signal.SIGINT, signal.default_int_handler
        ),
        env={**os.environ, **more},
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


def interrupted(folder: Path, arguments: list[str], after: float) -> tuple[int, str]:
    """Run a command, interrupt it after some seconds; return its exit code and what it said."""
    process = begun(folder, COMPILING, *arguments, NUMBA_CACHE_DIR=str(folder / "compiled"))
    started = time.monotonic()
    while process.poll() is None and time.monotonic() - started < after:
        time.sleep(0.01)
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    return process.wait(600), process.communicate()[1]


@pytest.mark.parametrize(
    "words",
    ["publish net.csv walk.txt -o a.veil.json", "group net.csv --classes 200 -o groups.json"],
)
def test_an_interrupted_command_leaves_130_and_no_file(folder: Path, words: str) -> None:
    output = folder / words.rsplit(maxsplit=1)[-1]
    for moment in (0.4, 1.5):
        code, said = interrupted(folder, words.split(), moment)
        left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        assert left == [], "a part file was left"
        assert "Traceback" not in said
        # A machine in a hurry is done before the interrupt comes.
        assert code in {0, 130}, said
        assert output.exists() == (code == 0)
        output.unlink(missing_ok=True)


def test_what_was_made_goes_and_what_was_there_stays(tmp_path: Path) -> None:
    """The file of another process under the same name is not ours to remove."""
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from pathveil.files.atomic_write import drop_unfinished, part_of, write_aside\n"
        "write_aside('ours', 'x'); write_aside('lost', 'x')\n"
        "os.replace('theirs', 'lost')\n"
        "part = part_of(Path('half'))\n"
        "part.__enter__()\n"
        "assert len(list(Path().glob('.half.*'))) == 1\n"
        "drop_unfinished([Path('ours'), Path('lost'), Path('never')])\n"
        "os._exit(0)\n"
    )
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / "kept").write_text("kept")
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "lost": "theirs",
        "kept": "kept",
    }


ANNOUNCED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
from pathlib import Path
from pathveil.cli.console import console, print_json
from pathveil.cli.interrupts import note_output, run_until_interrupted
from pathveil.files.atomic_write import write_aside

def command():
    note_output(Path("made"))
    if sys.argv[1] == "begun":
        console.print("what comes")
    write_aside("made", "x", replacing=True)
    {"text": console.print, "json": print_json}.get(sys.argv[1], str)("made is there")
    os.kill(os.getpid(), signal.SIGINT)
    import time
    time.sleep(0.5)
    return 0

sys.exit(run_until_interrupted(command))
"""


@pytest.mark.regression("a file was announced as written, and then removed")
def test_what_is_announced_stays(tmp_path: Path) -> None:
    for said, code in (("text", 0), ("json", 0), ("begun", 130), ("nothing", 130)):
        script = [sys.executable, "-c", ANNOUNCED, said]
        assert subprocess.run(script, cwd=tmp_path, check=False).returncode == code, said
        assert (tmp_path / "made").exists() == (code == 0), said
        (tmp_path / "made").unlink(missing_ok=True)


@pytest.mark.regression("an interrupt did not say that a file had been replaced")
def test_what_was_replaced_is_named(tmp_path: Path) -> None:
    (tmp_path / "made").write_text("old")
    script = [sys.executable, "-c", ANNOUNCED, "nothing"]
    done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert "made is whole, and new" in done.stderr
    assert (tmp_path / "made").read_text() == "x"


CODING = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
from pathveil.cli.main import main
from pathveil.files.networks import network_writer

save = network_writer.save_network

def saved_and_interrupted(*args, **given):
    save(*args, **given)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)

network_writer.save_network = saved_and_interrupted
sys.argv = "pathveil network clean network.csv -o c.csv --codes t.csv --force".split()
main()
"""


@pytest.mark.regression("an interrupt took the table of codes from a network just written")
def test_a_network_in_codes_keeps_its_table(example: Path) -> None:
    Path("c.csv").write_text("a,b\n")
    done = subprocess.run([sys.executable, "-c", CODING], capture_output=True, check=False)
    assert done.returncode == 0
    assert set(read_network("c.csv").vertices) == set(read_codes("t.csv").code_of.values())


REHEARSING = """
import sys, threading, time
from multiprocessing import active_children
from pathveil.cli.main import main

def tell():
    while not active_children():
        time.sleep(0.01)
    print("started", flush=True)

threading.Thread(target=tell, daemon=True).start()
sys.argv = ["pathveil", "party", "rehearse", "route.veil.json", "network.csv"]
main()
"""


@pytest.mark.regression("a rehearsal that was cut off left private keys, and its parties running")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_rehearsal_cut_off_leaves_no_key_and_no_process(example: Path, number: int) -> None:
    pytest.importorskip("cryptography")
    (example / "tmp").mkdir()
    process = begun(example, REHEARSING, TMPDIR=str(example / "tmp"))
    process.send_signal(number)
    # Every party has standard error open, so this ends when they have ended.
    said = process.communicate(timeout=600)[1]
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert number == signal.SIGTERM or "Traceback" not in said
    assert not list((example / "tmp").iterdir())


RENDERING = """
import ctypes

def svg_to_bytes(**_):
    print("begun", flush=True)
    ctypes.PyDLL(None).sleep(600)  # with the interpreter's lock, as resvg works
"""


@pytest.mark.regression("an interrupt waited until the dots of a PNG were made")
def test_a_picture_that_is_being_made_is_left_at_once(folder: Path) -> None:
    (folder / "resvg_py.py").write_text(RENDERING)
    script = f"import sys; sys.path.insert(0, {str(folder)!r}); from pathveil.cli.main import main"
    (folder / "ring.csv").write_text("".join(f"v{v},v{(v + 1) % 99}\n" for v in range(99)))
    process = begun(folder, f"{script}; main()", "draw", "ring.csv", "-o", "ring.png")
    process.send_signal(signal.SIGINT)
    try:
        # Whoever made the dots has the streams open, so this ends when it has ended.
        said = process.communicate(timeout=600)[1]
    finally:
        process.kill()
    assert process.returncode == 130, said
    assert not (folder / "ring.png").exists()


EARLY = """
import os, runpy, signal, sys
del sys.modules["signal"]

class Interrupting:
    def find_spec(self, name, *_):
        if not name.startswith("pathveil.__main__"):
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
import pathveil
sys.meta_path.insert(0, Interrupting())
runpy.run_module("pathveil", run_name="__main__")
"""


@pytest.mark.regression("an interrupt within the first moments showed a traceback")
def test_an_interrupt_while_the_command_line_is_imported_says_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
