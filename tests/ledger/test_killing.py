"""Publishers killed at random instants; the long run is ``python -m tests.ledger.killing``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.ledger.killing import judge

ROOT = Path(__file__).parents[2]
KILLS = "5"


def killed(folder: Path, *options: str) -> dict[str, Any]:
    """Return the verdict on a short run, made by a process of its own: it forks."""
    command = [sys.executable, "-m", "tests.ledger.killing", "--kills", KILLS, "--folder"]
    done = subprocess.run(
        [*command, str(folder), *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ,
    )
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_killed_at_random_nothing_is_lost(folder: Path) -> None:
    run = folder / "run"
    verdict = killed(run)
    assert verdict["wrong"] == []
    assert verdict["files"] > 0
    # The broken twin: a release that nobody recorded is found by the same judge.
    name = min((run / "out").glob("*.veil.json")).name
    text = (run / "out" / name).read_text().replace('"unsafe": false', '"unsafe": true')
    (run / "out" / name.replace(".veil.json", "9.veil.json")).write_text(text)
    wrong = judge(run / "out", str(run / "ledger.db"), run / "ledger.key")["wrong"]
    assert isinstance(wrong, list)
    assert len(wrong) == 1
    assert "unrecorded" in wrong[0]
