"""README and examples are run, so they stay true."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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

    from pathveil.cli.main import app

    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    text = (ROOT / "README.md").read_text("utf-8")
    named = set(re.findall(r"^\$ pathveil (\w+)", text, re.MULTILINE))
    assert named
    assert named <= known


def test_options_are_on_the_commands_the_readme_says() -> None:
    from typer.main import get_command

    from pathveil.cli.main import app

    def leaves(command: Any, name: str) -> Iterator[tuple[str, set[str], set[str]]]:
        if hasattr(command, "commands"):
            for word, part in command.commands.items():
                yield from leaves(part, f"{name} {word}".strip())
        else:
            words = {word for given in command.params for word in given.opts}
            yield name, words, {given.name for given in command.params}

    text = (ROOT / "README.md").read_text("utf-8")
    found = list(leaves(get_command(app), ""))
    assert all("--quiet" in words for _, words, _ in found)
    without = [f"`{name}`" for name, words, _ in found if "--json" not in words]
    assert f"all but {', '.join(without[:-1])} and {without[-1]} have `--json`" in text
    cleaning = {"--names", "--columns", "--simplify", "--largest-component"}
    assert all(f"`{word}" in text for word in cleaning)
    for name, words, _ in found:
        assert cleaning & words == (cleaning if name == "network clean" else set()), name


def test_files_the_readme_links_to_exist() -> None:
    for path in re.findall(r"\]\((?!http)([^)#]+)\)", (ROOT / "README.md").read_text("utf-8")):
        assert (ROOT / path).exists(), path


def test_the_readme_says_how_to_install_and_how_large_it_may_be() -> None:
    import tomllib

    from pathveil.files.atomic_write import SIZE_LIMIT, STREAM_LIMIT
    from pathveil.model.bits import PACKED_LIMIT
    from pathveil.model.sketch import MOST_KEYS

    text = (ROOT / "README.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - {"test", "dev", "bench"}
    assert "pip install" in text
    for extra in extras:
        assert f"`{extra}`" in text, extra
    assert "topohub:sndlib/germany50" in text
    assert f"{PACKED_LIMIT:,} copies of vertices" in text
    assert f"{SIZE_LIMIT >> 20} MiB" in text
    assert f"{STREAM_LIMIT >> 30} GiB" in text
    assert f"{MOST_KEYS:,} links at most" in text


SHIPPED = {path.name for path in [*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/**/*.md")]}


def test_no_text_points_to_a_document_that_is_not_here() -> None:
    """31 messages pointed to a list of theorems that only its authors had."""
    texts = [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("*.md")]
    texts += [*ROOT.glob("examples/*"), *ROOT.glob("studies/*.py"), *ROOT.glob("studies/*.md")]
    for path in texts:
        if not path.is_file():
            continue
        text = path.read_text("utf-8")
        assert not re.search(r"\b(THEORY|DESIGN|ALGORITHMS|BASELINES|ECOSYSTEM)\b", text), path
        for named in re.findall(r"\b([\w-]+\.md)\b", text):
            assert named in SHIPPED, f"{path} names {named}"


def table_at_scale() -> dict[str, tuple[str, str, str]]:
    """What was measured at scale: ours, limit and ratio, by name."""
    lines = (ROOT / "benchmarks" / "scale.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:5]] for line in lines if line[:2] == "| "]
    return {name: (ours, limit, ratio) for name, ours, limit, ratio in rows}


def seconds_of(text: str) -> float:
    number, unit = text.split()[:2]
    return float(number) * {"s": 1, "ms": 1e-3, "us": 1e-6}[unit]


def test_what_a_million_links_cost_is_what_was_measured() -> None:
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    found = table_at_scale()
    million, three = "1,000,000 links", "3,000,000 links"
    assert "With fair coins a million links fit in less than 140 kilobytes." in readme
    assert "less than half a second of processor time" in readme
    size = found[f"{million}: bytes / a bit a link"][0].split()[0].replace(",", "")
    assert int(size) < 140_000
    steps = (f"{million}: publish / reading the CSV", f"{million}: save / as many coins")
    assert sum(seconds_of(found[step][0]) for step in steps) < 0.5
    assert "less than half of the time it takes to read them from their CSV file" in readme
    assert float(found[f"{three}: publish and save / reading the CSV"][2]) < 0.5
    assert "less than 1.1 bits a link" in readme
    assert float(found[f"{three}: bits a link"][0].split()[0]) < 1.1
    assert "its ten links in less than half a millisecond" in readme
    assert seconds_of(found[f"{three}: one participant's ten links"][0]) < 0.5e-3
