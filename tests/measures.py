"""Figures of the house: modules, long functions, mirrored tests, comments (``make measures``).

A function's length is counted without its docstring; a module is mirrored if a test file of its
name stands in the same folder under tests.
"""

from __future__ import annotations

import ast
import sys
from itertools import combinations
from pathlib import Path
from statistics import median

LONG = 40
SAME = 6
SOURCE, TESTS = Path("src/pathveil"), Path("tests")


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file."""
    return path.read_text(encoding="utf-8").splitlines()


def function_lengths(path: Path) -> list[tuple[int, str]]:
    """Return the functions of a module with their lengths, docstrings left out."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            is_docstring = ast.get_docstring(node, clean=False) is not None
            doc = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
            found.append(((node.end_lineno or 0) - node.lineno + 1 - doc, node.name))
    return found


def code_lines(path: Path) -> list[str]:
    """Return the lines of a module that do something: no docstrings, imports, comments, blanks."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out: set[int] = set()
    for node in ast.walk(tree):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if text or isinstance(node, ast.Import | ast.ImportFrom):
            left_out |= set(range(node.lineno, (node.end_lineno or 0) + 1))  # type: ignore[attr-defined]
    lines = (line.strip() for n, line in enumerate(lines_of(path), start=1) if n not in left_out)
    return [line for line in lines if line and not line.startswith("#")]


def pairs_that_stand_twice(modules: list[Path]) -> int:
    """Return how many pairs of places have the same ``SAME`` lines of code; a longer run is one."""
    code = [code_lines(path) for path in modules]
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for module, lines in enumerate(code):
        for start in range(len(lines) - SAME + 1):
            window = tuple(lines[start : start + SAME])
            if sum(any(c.isalpha() for c in line) for line in window) > SAME // 2:
                places.setdefault(window, []).append((module, start))
    return sum(
        not (i and j and code[a][i - 1] == code[b][j - 1])
        for found in places.values()
        for (a, i), (b, j) in combinations(found, 2)
    )


def figures() -> list[str]:
    """Return the figures, a line each."""
    code = sorted(SOURCE.rglob("*.py"))
    modules = [path for path in code if path.name != "__init__.py"]
    sizes = {path: len(lines_of(path)) for path in code}
    longest = max(modules, key=lambda path: sizes[path])
    lengths = [(length, path, name) for path in code for length, name in function_lengths(path)]
    names = [TESTS / p.relative_to(SOURCE).parent / f"test_{p.name}" for p in modules]
    mirrored = sum(name.exists() for name in names)
    tests = sum(len(lines_of(path)) for path in TESTS.rglob("*.py"))
    comments = sum("  # " in line or line.lstrip()[:1] == "#" for p in code for line in lines_of(p))
    total = sum(sizes.values())
    return [
        f"modules: {len(modules)}, median {median(sizes[path] for path in modules):g} lines",
        f"longest: {longest.relative_to(SOURCE)}, {sizes[longest]} lines",
        f"functions over {LONG} lines: {sum(n > LONG for n, *_ in lengths)} of {len(lengths)}",
        f"mirrored tests: {mirrored} of {len(modules)} modules",
        f"lines of tests to code: {tests} to {total}, {tests / total:.2f}",
        f"pairs of {SAME} lines that stand twice: {pairs_that_stand_twice(code)}",
        f"lines with a comment: {comments}, {comments / total:.1%}",
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(figures()) + "\n")
