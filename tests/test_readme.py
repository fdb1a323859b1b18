"""README and examples are run, so they stay true."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


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


SHIPPED = {path.name for path in [*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/**/*.md")]}


def test_no_text_points_to_a_document_that_is_not_here() -> None:
    """31 messages pointed to a list of theorems that only its authors had."""
    texts = [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")]
    texts += [*ROOT.glob("examples/*"), *ROOT.glob("studies/*.py"), *ROOT.glob("studies/*.md")]
    for path in texts:
        if not path.is_file():
            continue
        text = path.read_text("utf-8")
        assert not re.search(r"\b(THEORY|DESIGN|ALGORITHMS|BASELINES|ECOSYSTEM)\b", text), path
        for named in re.findall(r"\b([\w-]+\.md)\b", text):
            assert named in SHIPPED, f"{path} names {named}"
