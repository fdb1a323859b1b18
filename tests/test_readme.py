"""README and examples are run, so they stay true."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})  # noqa: S102


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(
    example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_every_command_of_the_readme_exists() -> None:
    from typer.main import get_command

    from pathveil.apps.cli import app

    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    text = (ROOT / "README.md").read_text("utf-8")
    named = set(re.findall(r"^\$ pathveil (\w+)", text, re.MULTILINE))
    assert named
    assert named <= known


def test_files_the_readme_links_to_exist() -> None:
    for path in re.findall(r"\]\((?!http)([^)#]+)\)", (ROOT / "README.md").read_text("utf-8")):
        assert (ROOT / path).exists(), path
