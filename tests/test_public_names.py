"""The package root: a dozen names, sorted, and no more than it says."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import types
from pathlib import Path

import pathveil


def test_all_is_what_is_public() -> None:
    public = [
        name
        for name in dir(pathveil)
        if not name.startswith("_") and not isinstance(getattr(pathveil, name), types.ModuleType)
    ]
    assert pathveil.__all__ == public


def test_every_public_name_is_the_one_of_its_module() -> None:
    for name in pathveil.__all__:
        found = getattr(pathveil, name)
        assert getattr(sys.modules[found.__module__], found.__name__) is found, name
        assert vars(pathveil)[name] is found, name  # read once, then an attribute like any other


def test_a_type_checker_reads_the_same_names_from_the_same_places() -> None:
    """Names are read when they are asked for; the imports a type checker sees must say the same."""
    told: dict[str, tuple[str | None, str]] = {}
    for node in ast.walk(ast.parse(Path(pathveil.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pathveil."):
            told |= {one.asname or one.name: (node.module, one.name) for one in node.names}
    assert sorted(told) == pathveil.__all__
    for name, (module, there) in told.items():
        assert getattr(importlib.import_module(str(module)), there) is getattr(pathveil, name)


def test_rooms_and_the_version_are_found_and_nothing_else() -> None:
    code = (
        "import pathveil, sys; assert 'numpy' not in sys.modules\n"
        "assert pathveil.errors.BadFile.__module__ == 'pathveil.errors'\n"
        "assert pathveil.__version__ and '__version__' in dir(pathveil)\n"
        "print([hasattr(pathveil, n) for n in ('nothing', '_nothing', '__nothing__', 'os')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([False] * 4)


def test_every_public_name_says_in_one_line_what_it_gives_and_has_an_example() -> None:
    for name in pathveil.__all__:
        first, *others = (getattr(pathveil, name).__doc__ or "").splitlines()
        assert len(first) > 20, name
        assert first.endswith((".", ":")), name
        assert ">>>" in "".join(others), name
