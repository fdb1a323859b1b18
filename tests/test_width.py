"""How many modules one command passes through: printed, for people; nothing is asserted of it.

Run ``pytest -s tests/test_width.py``. Each command runs in a process of its own; a module counts if
one of its functions is called while the command works. Importing a module does not count, nor do
kernels, which are compiled for larger inputs.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COUNT = """
import sys
import threading
from pathlib import Path

import pathveil
from pathveil.cli.main import main

root = str(Path(pathveil.__file__).parent)
seen = set()


def is_importing(frame):
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(root):
            return True
        frame = frame.f_back
    return False


def note(frame, event, _):
    file = frame.f_code.co_filename
    if event == "call" and file.startswith(root) and file not in seen and not is_importing(frame):
        seen.add(file)


threading.setprofile(note)
sys.setprofile(note)
try:
    main()
except SystemExit as end:
    if end.code not in (0, None):
        raise
finally:
    sys.setprofile(None)
print("\\n".join(sorted(file[len(root) + 1 :] for file in seen)), file=sys.stderr)
"""


def modules_of(folder: Path, *command: str) -> list[str]:
    """Return the modules whose functions a command calls."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    modules = [line for line in done.stderr.splitlines() if line.endswith(".py")]
    return [name for name in modules if "kernels" not in name or name.endswith("/running.py")]


def test_print_how_many_modules_publish_and_reconstruct_call(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("a,b\nb,c\nc,d\nd,e\nb,d\n", encoding="utf-8")
    (tmp_path / "w.txt").write_text("a\nb\nc\nd\ne\n", encoding="utf-8")
    for command, goal in (
        (("publish", "n.csv", "w.txt", "-o", "r.veil.json"), 45),
        (("reconstruct", "r.veil.json", "n.csv"), 35),
    ):
        modules = modules_of(tmp_path, *command)
        lines = [f"{command[0]} calls functions of {len(modules)} modules (goal: {goal})", *modules]
        sys.stdout.write("\n  ".join(["", *lines, ""]))
