"""No room without a door: what is defined in the package is reached by the package.

Or by a study, a benchmark, the Makefile or the public interface. What only tests call belongs to
the tests. The scan goes by names: a function is reached if its name is used anywhere outside
itself, docstrings left out. So a name that stands for several things can hide one that is dead;
what the scan names is dead for certain, but for what the list below explains.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import pathveil

ROOT = Path(__file__).parents[1]
SOURCE = Path(pathveil.__file__).parent
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

REACHED_OTHERWISE = {
    # Called by libraries, by these names.
    "_Pass": {"setDocumentLocator", "startElement", "endElement"},
    "WatchedFile": {"readinto"},
    "_PlainLines": {"readable"},
    "_Impatient": {"connection_made"},
    "_OneKind": {"result_processor"},
    "PlainCommand": {"collect_usage_pieces", "format_options", "format_epilog"},
    "PlainGroup": {"collect_usage_pieces", "format_options"},
    "SafeConsole": {"render", "on_broken_pipe"},
    "StrictPart": {"_one_stranger"},
    "Closed": {"typed_dict_schema", "dataclass_schema", "field_is_required"},
    "Certificate": {"to_pandas"},
    "": {
        # Only tests call these today: each is to be called again by a command, or to go.
        "result_schema",
        "reproduce",
    },
    # What the verbs of the public interface return is public as well.
    "Inference": {"posterior_of"},
}
BY_TAG = "_start_"
"""Methods of the XML reader that are found by the name of a tag."""


def without_docstrings(tree: ast.Module) -> ast.Module:
    """Return the tree without the texts that examples stand in."""
    for node in ast.walk(tree):
        if isinstance(node, Definition | ast.Module) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def names_in(tree: ast.AST) -> Counter[str]:
    """Return how often each name is used: as such, as an attribute, as the text of one."""
    found = Counter[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found[node.id] += 1
        elif isinstance(node, ast.Attribute):
            found[node.attr] += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found[node.value] += 1
    return found


def defined_in(tree: ast.Module) -> Iterator[tuple[str, Definition]]:
    """Yield what a module defines, with the class it stands in, if any."""
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Definition):
                yield (node.name if isinstance(node, ast.ClassDef) else ""), child


def is_registered(node: Definition) -> bool:
    """Return whether a decorator hands it to somebody: a command, a route."""
    return any(
        isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute)
        for mark in node.decorator_list
    )


def unreached(sources: dict[str, ast.Module], users: Counter[str]) -> list[str]:
    """Return what is defined in the sources and used neither there nor by the users."""
    used = Counter(users)
    for tree in sources.values():
        used.update(names_in(tree))
    found = []
    for module, tree in sources.items():
        for owner, node in defined_in(tree):
            known = node.name in REACHED_OTHERWISE.get(owner, set())
            public = owner in pathveil.__all__ and not node.name.startswith("_")
            special = node.name.startswith(("__", "_repr_", BY_TAG)) or is_registered(node)
            if known or public or special:
                continue
            if used[node.name] <= names_in(node)[node.name]:
                found.append(f"{module}: {owner or 'the module'}: {node.name}")
    return found


@cache
def read(path: Path) -> ast.Module:
    return without_docstrings(ast.parse(path.read_text(encoding="utf-8")))


def test_what_only_tests_call_stands_in_the_tests() -> None:
    sources = {
        path.relative_to(SOURCE).as_posix(): read(path) for path in sorted(SOURCE.rglob("*.py"))
    }
    outside = [*(ROOT / "studies").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    users = Counter(re.findall(r"\w+", (ROOT / "Makefile").read_text(encoding="utf-8")))
    for path in outside:
        users.update(names_in(read(path)))
    assert unreached(sources, users) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def dead(): pass", ["m: the module: dead"]),
        ("def dead():\n    return dead()", ["m: the module: dead"]),
        ('def dead():\n    """dead()"""', ["m: the module: dead"]),
        ("class Live:\n    def dead(self): pass\nLive()", ["m: Live: dead"]),
        ("def live(): pass\nlive()", []),
        ("TABLE = {'a': 'live'}\ndef live(): pass", []),
        ("@app.command()\ndef live(): pass", []),
    ],
)
def test_the_scan_finds_what_is_dead(text: str, found: list[str]) -> None:
    tree = without_docstrings(ast.parse(text))
    assert unreached({"m": tree}, Counter()) == found


def test_what_is_excused_is_still_there() -> None:
    defined = {
        (owner, node.name)
        for path in SOURCE.rglob("*.py")
        for owner, node in defined_in(read(path))
    }
    for owner, names in REACHED_OTHERWISE.items():
        assert {(owner, name) for name in names} <= defined
