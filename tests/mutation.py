"""What the tests are worth: random mutations of the source, and how many of them are caught.

    python -m tests.mutation [--count 60] [--seed 1] [--rooms model chance layering recovery]

A mutation is one small change of one line: a comparison turned, a sign changed, a number off by
one, a condition negated, a statement left out, a sentence changed. The tree is copied, the line is
changed in the copy, and the tests are run against it: first the module's own test file and
doctests, and if those do not notice, the laws and the tests of its room. A mutation nobody notices
has survived: then a test of what the line is *for* is missing, or the line is.

Kernels run in their plain form (Numba switched off), so that a changed line is the line that runs.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
ROOMS = ("model", "chance", "layering", "recovery")
SECONDS = 300
"""How long one run may take before it counts as caught: an endless loop is noticed, too."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutation:
    """One change of one place."""

    path: Path
    line: int
    column: int
    end_line: int
    end_column: int
    text: str

    def applied(self, source: str) -> str:
        """Return the source with the change made."""
        lines = source.splitlines(keepends=True)
        # Columns of the syntax tree count bytes.
        head = lines[self.line - 1].encode()[: self.column].decode()
        tail = lines[self.end_line - 1].encode()[self.end_column :].decode()
        changed = [*lines[: self.line - 1], head + self.text + tail, *lines[self.end_line :]]
        return "".join(changed)

    def __str__(self) -> str:
        source = self.path.read_text(encoding="utf-8").splitlines()
        return (
            f"{self.path.relative_to(ROOT)}:{self.line}: {source[self.line - 1].strip()[:70]} "
            f"-> {self.text.splitlines()[0][:70]}"
        )


def mutations(path: Path) -> Iterator[Mutation]:
    """Yield every change this program knows for a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(node) for node in _not_run(tree)}
    for node in ast.walk(tree):
        if id(node) in skipped or not isinstance(node, ast.expr | ast.stmt):
            continue
        for place, changed in _changes(node):
            text = ast.unparse(ast.fix_missing_locations(changed))
            if isinstance(place, ast.expr):
                text = f"({text})"
            assert place.end_lineno is not None
            assert place.end_col_offset is not None
            yield Mutation(
                path, place.lineno, place.col_offset, place.end_lineno, place.end_col_offset, text
            )


def _not_run(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what says nothing at run time, or whose text is nobody's business: types, docstrings,
    imports, reprs, messages of errors, f-strings (whose parts cannot be changed alone).
    """
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Raise | ast.JoinedStr | ast.Assert):
            parts.append(node)
        if isinstance(node, ast.AnnAssign | ast.arg):
            parts.append(node.annotation)
        if isinstance(node, ast.FunctionDef):
            parts.append(node.returns)
            parts += [*node.decorator_list, node if node.name == "__repr__" else None]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts.append(node)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
            names = [t.id for t in node.targets if isinstance(t, ast.Name)]
            if any(name[:1].isupper() and not name.isupper() for name in names):
                parts.append(node)  # an alias of a type
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            parts.append(node)
        for part in parts:
            if part is not None:
                yield from ast.walk(part)


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """Yield what could stand instead of a node, or of a part of it."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        ops = [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
        yield node, ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield node, ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, ast.BoolOp(other, node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert | ast.USub):
        yield node, node.operand
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield node, ast.Constant(not node.value)
        elif isinstance(node.value, int):
            yield node, ast.Constant(node.value + 1)
        elif isinstance(node.value, str) and " " in node.value:
            yield node, ast.Constant(node.value.replace(" ", " never ", 1))
    elif isinstance(node, ast.If | ast.While):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield node, ast.Pass()
    elif isinstance(node, ast.Return) and node.value is not None:
        yield node, ast.Return(None)


def own_tests(path: Path) -> list[str]:
    """Return the module's own tests: its doctests and the file that mirrors it."""
    inside = path.relative_to(ROOT / "src" / "pathveil")
    mirror = ROOT / "tests" / inside.parent / f"test_{path.stem}.py"
    if path.stem == "__init__":
        mirror = ROOT / "tests" / inside.parent.parent / f"test_{inside.parent.name}.py"
    return [str(path), *([str(mirror)] if mirror.exists() else [])]


def room_tests(path: Path) -> list[str]:
    """Return the wider net: the tests of the room, the laws, publishing and the paper's figures."""
    room = path.relative_to(ROOT / "src" / "pathveil").parts[0]
    nets = (f"tests/{room}", "tests/laws", "tests/test_publishing.py", "tests/paper")
    return [str(ROOT / net) for net in nets]


def is_caught(mutation: Mutation, tests: list[str]) -> bool:
    """Return whether the tests fail with the mutation in place."""
    with TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in ("src", "tests"):
            shutil.copytree(
                ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.nbc")
            )
        for name in ("pyproject.toml", "README.md", "docs", "studies"):
            (tree / name).symlink_to(ROOT / name)
        target = tree / mutation.path.relative_to(ROOT)
        target.write_text(mutation.applied(target.read_text(encoding="utf-8")), encoding="utf-8")
        moved = [str(tree / Path(test).relative_to(ROOT)) for test in tests]
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *moved]
        paths = os.pathsep.join([str(tree / "src"), str(tree)])
        environment = {
            **os.environ,
            "PYTHONPATH": paths,
            "NUMBA_DISABLE_JIT": "1",
            "HYPOTHESIS_DATABASE_FILE": str(tree / ".hypothesis"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            done = subprocess.run(
                command,
                cwd=tree,
                env=environment,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def main() -> None:
    """Draw mutations, run the tests against each, print what survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", default=list(ROOMS))
    parser.add_argument("--own", action="store_true", help="the module's own tests only")
    given = parser.parse_args()
    modules = sorted(
        path for room in given.rooms for path in (ROOT / "src" / "pathveil" / room).rglob("*.py")
    )
    known = [mutation for path in modules for mutation in mutations(path)]
    drawn = random.Random(given.seed).sample(known, min(given.count, len(known)))
    print(f"{len(known)} mutations known in {len(modules)} modules; {len(drawn)} drawn", flush=True)
    alone = caught = 0
    survivors = []
    for number, mutation in enumerate(drawn, start=1):
        if is_caught(mutation, own_tests(mutation.path)):
            alone += 1
            word = "caught by its own tests"
        elif not given.own and is_caught(mutation, room_tests(mutation.path)):
            caught += 1
            word = "caught by the room"
        else:
            survivors.append(mutation)
            word = "SURVIVED"
        print(f"{number:3d} {word}: {mutation}", flush=True)
    total = len(drawn)
    print(f"caught {alone + caught} of {total}, {alone} by the module's own tests")
    for mutation in survivors:
        print(f"survived: {mutation}")


if __name__ == "__main__":
    main()
