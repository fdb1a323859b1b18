"""Every page is run, block by block, and shows what the program prints.

A page is run in an empty folder, from top to bottom, with coins that are fixed for the page:

- ````` ```text NAME````` writes a file of that name, ``<!-- file NAME ... -->`` one that the reader
  need not see, and ``<!-- copy PATH NAME -->`` one of this project;
- ``<!-- script PATH -->`` runs a script of this project; a ````` ```text````` block right after it
  is what it prints, and is left as it is where the script needs what is absent (exit code 77);
- ````` ```python````` is executed; a ````` ```text````` block right after it is what it prints;
- ````` ```console````` runs each line that begins with ``$ pathveil``; the lines after it are what
  it prints, errors included; ````` ```console first 3````` and ````` ```console last 3````` keep
  three lines of each.

A picture that a page draws and shows from ``docs/pictures`` is compared too. Public keys,
digests and times, which no seed decides, are made alike.

``pytest tests/docs --write-docs`` writes the outputs into the pages; read the difference before you
commit it.
"""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import coins_of

ROOT = Path(__file__).parents[2]
MADE = {"commands.md", "policies.md", "errors.md"}
PAGES = [
    ROOT / "README.md",
    *sorted(
        path
        for path in (ROOT / "docs").rglob("*.md")
        if path.name not in MADE and "_build" not in path.parts
    ),
]
BLOCK = re.compile(
    r"^(?:```|<!-- )(text|python|console|file|copy|script)([^\n]*)\n(.*?)^(?:```|-->)$",
    re.DOTALL | re.MULTILINE,
)
MAIN = "__main__"
ABSENT = 77
"""The exit code of a script whose data or package is not here."""


PICTURES = ROOT / "docs" / "pictures"


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
        if kind == "copy":
            origin, name = info.split()
            shutil.copy(ROOT / origin, name)
            return body
        if kind == "script":
            with coins_of(info, "script"):
                self.printed = _printed(lambda: runpy.run_path(f"{ROOT / info}", run_name=MAIN))
            return body
        if kind == "python":
            code = compile(body, "page", "exec")
            self.printed = _printed(lambda: exec(code, self.names))  # noqa: S102
            return body
        return "".join(self._console(line, info) for line in _commands(body))

    @staticmethod
    def _console(line: str, info: str) -> str:
        from pathveil.cli.main import run

        words = shlex.split(line, comments=True)
        if words[:2] != ["$", "pathveil"]:
            return f"{line}\n"
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            run(words[2:])
        said = [part.rstrip() for part in _fixed(out.getvalue()).splitlines()]
        which, _, most = info.partition(" ")
        if which == "first" and len(said) > int(most):
            said = [*said[: int(most)], "..."]
        elif which == "last" and len(said) > int(most):
            said = ["...", *said[-int(most) :]]
        shown = "\n".join(said)
        return f"{line}\n{shown}\n" if shown else f"{line}\n"


def _printed(run: Callable[[], object]) -> str | None:
    """Return what is printed; None if nothing is, or if what is needed is absent."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            run()
    except SystemExit as ended:
        if ended.code == ABSENT:
            return None
        raise
    return _fixed(out.getvalue()) or None


def _fixed(text: str) -> str:
    """Return what is printed without progress, keys, digests, times and sizes of envelopes."""
    text = re.sub(r"^.*about \d+ s left\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"age1[0-9a-z]{58}", "age1...", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "5e884898...", text)
    text = re.sub(r"(\.age[,:]) [\d,.]+ (bytes|kB)", r"\1 4.4 kB", text)
    return re.sub(r"20\d\d-\d\d-\d\d( \d\d:\d\d)?", "2026-01-31", text)


def _commands(body: str) -> list[str]:
    """Return the lines that are typed; a page without outputs has no others."""
    return [line for line in body.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_shows_what_the_program_prints(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(ROOT / "examples" / "gallery")
    monkeypatch.setenv("COLUMNS", "80")
    text = path.read_text(encoding="utf-8")
    page, parts, last = Page(), [], 0
    with coins_of(str(path.relative_to(ROOT)), "page"):
        for block in BLOCK.finditer(text):
            kind, info, body = block[1], block[2].strip(), block[3]
            parts += [text[last : block.start(3)], page.run(kind, info, body)]
            last = block.end(3)
    written = "".join([*parts, text[last:]])
    drawn = [PICTURES / name for name in re.findall(r"pictures/([\w-]+\.svg)", text)]
    drawn = [picture for picture in drawn if Path(picture.name).exists()]
    if pytestconfig.getoption("--write-docs"):
        path.write_text(written, encoding="utf-8")
        for picture in drawn:
            picture.write_bytes(Path(picture.name).read_bytes())
    assert written == text
    for picture in drawn:
        assert picture.read_bytes() == Path(picture.name).read_bytes(), picture.name


def test_pages_made_from_the_program_name_every_command() -> None:
    from docs.generated import commands_page, errors_page, policies_page

    assert "## publish" in commands_page()
    assert "| balanced, sketch |" in policies_page()
    assert "`NotAWalk`" in errors_page()
