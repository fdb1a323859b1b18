"""The arrows of the tree: which room may import which. ARCHITECTURE.md says it in words."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pathveil

SOURCE = Path(pathveil.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

_VALUES = {"errors", "wording", "model"}
_LAWS = {*_VALUES, "chance", "policies"}
_RELEASES = {*_LAWS, "grouping", "sketching", "layering", "publishing"}

ALLOWED: dict[str, set[str]] = {
    "errors": {"wording"},
    "wording": set(),
    "model": {"errors", "wording"},
    "chance": {*_VALUES},
    "policies": {*_VALUES, "chance"},
    "grouping": {*_VALUES, "chance"},
    "sketching": {*_VALUES, "chance"},
    "layering": {*_VALUES},
    "reading": {*_VALUES},
    "files": {*_VALUES},
    "drawing": {*_VALUES, "files"},
    "publishing": _RELEASES,
    "attacks": {*_LAWS, "layering"},
    "planning": {*_LAWS, "grouping", "sketching"},
    "checking": {*_RELEASES, "files", "reading", "attacks", "planning"},
    "ledger": {*_RELEASES, "files", "reading", "planning"},
    "batching": {*_RELEASES, "files", "reading", "planning", "ledger"},
    "exchange": {*_VALUES, "files", "reading"},
    "lab": {*_RELEASES, "files", "reading", "drawing", "attacks", "batching"},
    "graphs": {*_VALUES, "layering"},
    "cli": {"any"},
    "studio": {"any"},
    "pathveil": {"any"},
    "__main__": {"cli"},
}

DOORS = {"pathveil.model.publication", "pathveil.model.grouping"}
"""Values that save, load and draw themselves, by imports inside functions: at most five.

Loading also leads to `checking`: a file whose certificate its policy does not earn is refused."""

FREE = {"pathveil.layering.kernels.running"}
"""How a kernel is run, plain or compiled: every room may ask."""


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "pathveil"


MODULES = {name_of(path): path for path in FILES}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path, *, doors: bool = False) -> set[str]:
    """Return the modules a file imports, at its top or inside functions; doors by themselves."""
    tree = parsed(path)
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and name_of(path) in DOORS
        for node in ast.walk(function)
    }
    names: set[str] = set()
    for node in ast.walk(tree):
        if (id(node) in inside) != doors:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute in this project"
            module = node.module or ""
            names |= {
                full if (full := f"{module}.{alias.name}") in MODULES else module
                for alias in node.names
            }
    return names & set(MODULES)


def test_arrows_point_up() -> None:
    wrong = []
    for name, path in MODULES.items():
        allowed = ALLOWED[room_of(name)]
        for other in imports(path) - FREE:
            there = room_of(other)
            if "any" not in allowed and there not in {*allowed, room_of(name)}:
                wrong.append(f"{name} imports {other}")
    assert wrong == []


def test_the_doors_are_few_and_lead_where_they_may() -> None:
    doors = [(name, other) for name in DOORS for other in imports(MODULES[name], doors=True)]
    assert len(doors) <= 5
    assert {room_of(other) for _, other in doors} <= {"files", "layering", "drawing", "checking"}


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {name: imports(path) for name, path in MODULES.items()}
    while graph:  # take away what imports nothing that is left; a cycle is what stays
        done = {name for name, others in graph.items() if not others & set(graph) - {name}}
        assert done, f"a cycle among {sorted(graph)}"
        graph = {name: others for name, others in graph.items() if name not in done}


def test_no_public_name_is_defined_twice() -> None:
    seen = Counter(
        node.name
        for name, path in MODULES.items()
        if room_of(name) != "cli"
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
        if not any("overload" in ast.dump(decorator) for decorator in node.decorator_list)
    )
    assert [name for name, count in seen.items() if count > 1] == []


def test_public_names_survive_the_import_of_every_module() -> None:
    """No room bears a public function's name: importing it would hide the function."""
    for name in MODULES:
        if not name.endswith("__main__"):
            importlib.import_module(name)
    for name in pathveil.__all__:
        assert callable(getattr(pathveil, name)), name


def test_no_module_is_called_after_nothing() -> None:
    assert not {path.stem for path in FILES} & {"utils", "util", "helpers", "common", "misc"}


def test_the_first_page_names_every_room() -> None:
    """The docstring of the package is the map: it names each room and root module."""
    named = set(re.findall(r"``(\w+)``", pathveil.__doc__ or ""))
    assert named == {room_of(name) for name in MODULES} - {"pathveil", "__main__"}


def test_importing_pathveil_is_light() -> None:
    """Heavy libraries are imported where they are used, not by ``import pathveil``."""
    heavy = ["matplotlib", "dask", "distributed", "fastapi", "mpyc", "numba", "scipy", "pandas"]
    heavy += ["sqlalchemy", "pyarrow"]
    code = f"import pathveil, sys; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_auditor_shares_no_code_with_the_claimant() -> None:
    claims = {"pathveil.chance.losses", "pathveil.chance.certify", "pathveil.publishing.release"}
    assert not imports(MODULES["pathveil.checking.auditing"]) & claims


def test_modules_name_files_that_are_there() -> None:
    root = Path(__file__).parents[1]
    known = {path.name for path in FILES} | {str(path.relative_to(SOURCE)) for path in FILES}
    for path in FILES:
        text = path.read_text("utf-8")
        for name in re.findall(r"``([\w/]+\.py)``", text):
            assert name in known or (root / name).exists(), (path.name, name)
        for name in re.findall(r"\b(?:docs/[\w-]+\.md|tests/[\w/]+\.py|studies/\w+\.py)", text):
            assert (root / name).exists(), (path.name, name)
