"""Every page is run, block by block, and shows what the program prints.

A page is run in an empty folder, from top to bottom, with coins that are fixed for the page:

- ````` ```text NAME````` writes a file of that name, and ``<!-- file NAME ... -->`` one that the
  reader need not see;
- ````` ```python````` is executed; a ````` ```text````` block right after it is what it prints;
- ````` ```console````` runs each line that begins with ``$ pathveil``; the lines after it are what
  it prints, errors included.

``pytest tests/docs --write-docs`` writes the outputs into the pages; read the difference before you
commit it.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^(?:```|<!-- )(text|python|console|file)([^\n]*)\n(.*?)^(?:```|-->)$",
    re.DOTALL | re.MULTILINE,
)


class Page:
    """A page that is being run: its files, its Python names, what it prints."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__page__"}
        self.printed: str | None = None

    def run(self, kind: str, info: str, body: str) -> str:
        """Return the block as it should be."""
        if kind in {"text", "file"}:
            if info:
                target = Path(info)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(body, encoding="utf-8")
                self.printed = None
                return body
            shown, self.printed = self.printed, None
            return body if shown is None else shown
        self.printed = None
        if info.startswith("not run"):
            return body
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(body, "page", "exec"), self.names)  # noqa: S102
            self.printed = out.getvalue() or None
            return body
        return "".join(self._console(line) for line in _commands(body))

    @staticmethod
    def _console(line: str) -> str:
        from pathveil.cli.main import run

        words = shlex.split(line, comments=True)
        if words[:2] != ["$", "pathveil"]:
            return f"{line}\n"
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            run(words[2:])
        shown = "\n".join(said.rstrip() for said in out.getvalue().splitlines())
        return f"{line}\n{shown}\n" if shown else f"{line}\n"


def _commands(body: str) -> list[str]:
    """Return the lines that are typed; a page without outputs has no others."""
    return [line for line in body.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_shows_what_the_program_prints(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    text = path.read_text(encoding="utf-8")
    page, parts, last = Page(), [], 0
    for block in BLOCK.finditer(text):
        kind, info, body = block[1], block[2].strip(), block[3]
        parts += [text[last : block.start(3)], page.run(kind, info, body)]
        last = block.end(3)
    written = "".join([*parts, text[last:]])
    if pytestconfig.getoption("--write-docs"):
        path.write_text(written, encoding="utf-8")
    assert written == text


def test_links_between_pages_land() -> None:
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!https?://|#)([^)#\s]+)", text):
            assert (path.parent / target).exists(), f"{path.relative_to(ROOT)} links to {target}"


def test_pages_made_from_the_program_name_every_command() -> None:
    from docs.generated import commands_page, errors_page

    assert "## publish" in commands_page()
    assert "`NotAWalk`" in errors_page()
