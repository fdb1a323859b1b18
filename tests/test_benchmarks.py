"""Every section of ``make bench`` still runs; its figures are not looked at here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import MODULES

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.compiled
def test_every_section_runs_on_small_inputs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Many walks: a batch beside" in done.stdout
    named = {path.stem for path in (ROOT / "benchmarks").glob("*_sections.py")}
    assert named == set(MODULES), "every module of sections is run"
