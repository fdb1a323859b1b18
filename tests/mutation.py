"""What the tests are worth: random mutations of the source, and how many of them are caught.

    python -m tests.mutation [--count 60] [--seed 1] [--rooms model chance layering reading]

A mutation is one small change of one line: a comparison turned, a sign changed, a number off by
one, a condition negated, a statement left out, a sentence changed (of an f-string each part by
itself). The tree is copied, the line is changed in the copy, and the tests are run against it:
first the module's own test file and doctests, and if those do not notice, the laws and the tests of
its room. A mutation nobody notices has survived: then a test of what the line is *for* is missing,
or the line is.

What cannot matter is not drawn: types, docstrings, reprs, words of errors, and assertions in either
form, ``assert`` and ``strict=True``, which nothing true ever trips over. And where the usual
change is none, another takes its place, in four cases, told by the syntax alone:

* A negative literal is one number: -1 is off by one as 0, an index that exists, and not as -2,
  another name for "none".
* The size of a new array is changed so that it is shorter. A longer one nobody sees; one too short
  is, in compiled kernels, somebody else's memory.
* A number of a hundred or more, written out or as a power like 1 << 20, that a module gives a name
  in capitals is a limit or a measure, and where exactly it lies was somebody's choice. It becomes
  1: a limit that lets nothing pass.
* ``return False`` becomes ``return True`` and not a bare ``return``: who asks whether takes None
  for False.

Kernels run in their plain form (Numba switched off), so that a changed line is the line that runs.
Tests count only if they pass without the mutation; those that need compiled kernels, or are slow
without it, are left out. Any other mutation that changes nothing anybody can see (the order of two
independent checks) is listed among the survivors like the rest.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import math
import os
import random
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

# What most tests import, once for all children.
import hypothesis.strategies
import networkx as nx
import numpy as np
import pytest

LIBRARIES = (hypothesis, nx, np, pytest)
ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pathveil"
LAWS = {
    "model": ["values_are_frozen", "round_trip", "nothing_else_leaks", "grouped_releases"],
    "chance": [
        "values_are_frozen",
        "certificate_exact",
        "certificate_answers",
        "round_trip",
        "series_exact",
    ],
    "layering": [
        "values_are_frozen",
        "rules_hold",
        "engines_agree",
        "kernels_stay_in_their_arrays",
    ],
    "reading": ["values_are_frozen", "round_trip", "series_round_trip"],
}
"""The rooms, and for each the laws that stand on it."""
COMPILING = "running.py"
"""The module about compiling; all others are run with Numba switched off."""
SLOW_SECONDS = 4
"""Tests that take longer than this without a mutation are no part of the judgement."""
TIMES_CLEAN, SPARE_SECONDS, TIMES_WAITING = 4, 4, 12
"""A run with a mutation may take this many times the processor's seconds of one without, and these
more; and this many times as long by the clock, for one that waits for what never comes."""
NONE_COLLECTED = 5
"""What pytest says if there was nothing to test."""

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

MAKERS = {"np.empty", "np.zeros", "np.ones", "np.full"}
MEASURE = 100
Change = tuple[ast.expr | ast.stmt, ast.AST]
"""What is to be replaced, and by what."""


@dataclass(frozen=True)
class Mutation:
    """One change of one place."""

    path: Path
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    before: str

    def applied(self, source: str) -> str:
        """Return the source with the change made."""
        lines = source.splitlines(keepends=True)
        # Columns of the syntax tree count bytes.
        head = lines[self.line - 1].encode()[: self.column].decode()
        tail = lines[self.end_line - 1].encode()[self.end_column :].decode()
        changed = [*lines[: self.line - 1], head + self.text + tail, *lines[self.end_line :]]
        return "".join(changed)

    def __str__(self) -> str:
        where = f"{self.path.relative_to(ROOT)}:{self.line}"
        return f"{where}: {self.before[:70]} -> {self.text.splitlines()[0][:70]}"


def mutations(path: Path) -> Iterator[Mutation]:
    """Yield every change this program knows for a module."""
    source = path.read_text(encoding="utf-8")
    lines, tree = source.splitlines(), ast.parse(source)
    skipped = {id(node) for node in _not_run(tree)}
    instead = _other_changes(tree)
    for node in ast.walk(tree):
        if id(node) in skipped or not isinstance(node, ast.expr | ast.stmt):
            continue
        for place, changed in instead[id(node)] if id(node) in instead else _changes(node):
            text = ast.unparse(ast.fix_missing_locations(changed))
            if isinstance(place, ast.expr):
                text = f"({text})"
            assert place.end_lineno is not None
            assert place.end_col_offset is not None
            end = place.end_lineno, place.end_col_offset
            before = lines[place.lineno - 1].strip()
            yield Mutation(path, place.lineno, place.col_offset, *end, text, before)


def _not_run(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what says nothing at run time, or whose text is nobody's business: types, docstrings,
    imports, reprs, assertions, messages of errors. Parts of an f-string are changed with it whole.
    """
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Raise | ast.Assert):
            parts.append(node)
        if isinstance(node, ast.JoinedStr):
            parts += node.values
        if isinstance(node, ast.AnnAssign | ast.arg):
            parts.append(node.annotation)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "cast":
            parts.append(node.args[0])
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
            parts += node.keywords
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


def _other_changes(tree: ast.Module) -> dict[int, list[Change]]:
    """Return, by the node they are for, the changes that take the place of the usual ones."""
    instead: dict[int, list[Change]] = {}
    for node in ast.walk(tree):
        number = _number(node)
        if isinstance(node, ast.UnaryOp) and number is not None:
            instead |= _parts(node)
            instead[id(node)] = [(node, node.operand), (node, ast.Constant(number + 1))]
        elif isinstance(node, ast.Return) and _constant(node.value) is False:
            instead[id(node)] = []
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in MAKERS and node.args:
            instead |= _shorter(node.args[0], longer=1)
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and _is_capital(statement.targets[0]):
            for part in _values(statement.value):
                number = _number(part)
                if number is not None and number >= MEASURE:
                    instead |= _parts(part) | {id(part): [(part, ast.Constant(1))]}
    return instead


def _shorter(size: ast.expr, *, longer: int) -> dict[int, list[Change]]:
    """Return changes of a size that only make it smaller; ``longer`` is -1 in what is taken off."""
    number = _number(size)
    if number is not None:
        changes: list[Change] = [(size, ast.Constant(number - longer))] if number else []
        return _parts(size) | {id(size): changes}
    if isinstance(size, ast.Tuple):
        return {key: c for part in size.elts for key, c in _shorter(part, longer=longer).items()}
    if not isinstance(size, ast.BinOp):
        return {}
    falls = isinstance(size.op, ast.Sub | ast.FloorDiv | ast.RShift)
    found = _shorter(size.left, longer=longer)
    found |= _shorter(size.right, longer=-longer if falls else longer)
    if falls == (longer > 0):
        found[id(size)] = []
    return found


def _parts(node: ast.AST) -> dict[int, list[Change]]:
    """Return no changes at all for what a node is made of: it is changed as a whole."""
    return {id(part): [] for part in ast.walk(node)}


def _number(node: ast.AST) -> int | None:
    """Return the whole number a literal or a power of literals stands for, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _number(node.operand)
        return None if number is None else -number
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift | ast.Pow):
        base, power = _number(node.left), _number(node.right)
        if base is not None and power is not None:
            return base << power if isinstance(node.op, ast.LShift) else int(base**power)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def _values(value: ast.expr) -> list[ast.expr]:
    """Return what an assignment names: one value, or several in a tuple or by keys."""
    if isinstance(value, ast.Dict):
        return value.values
    return value.elts if isinstance(value, ast.Tuple) else [value]


def _is_capital(target: ast.expr) -> bool:
    names = [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
    return all(name.isupper() for name in names)


def _changes(node: ast.expr | ast.stmt) -> Iterator[Change]:
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
    elif isinstance(node, ast.JoinedStr):
        yield from _other_words(node)
    elif isinstance(node, ast.If | ast.While):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield node, ast.Pass()
    elif isinstance(node, ast.Return) and _constant(node.value) is not None:
        yield node, ast.Return(None)


def _other_words(text: ast.JoinedStr) -> Iterator[Change]:
    """Yield an f-string with one of its constant parts changed, if that part is words."""
    for place, part in enumerate(text.values):
        words = part.value if isinstance(part, ast.Constant) else None
        if not isinstance(words, str) or " " not in words.strip():
            continue
        other = ast.Constant(words[:1] + words[1:].replace(" ", " never ", 1))
        changed = ast.JoinedStr([*text.values[:place], other, *text.values[place + 1 :]])
        try:
            ast.unparse(ast.fix_missing_locations(changed))
        except ValueError:  # quotes within quotes, which cannot be written
            continue
        yield text, changed


def _constant(value: ast.expr | None) -> object:
    """Return what is returned, if that is written out; of anything else, its tree."""
    return value.value if isinstance(value, ast.Constant) else value


def own_tests(path: Path) -> list[str]:
    """Return the module's own tests: the file that mirrors it, and its doctests."""
    inside = path.relative_to(SOURCE)
    mirror = Path("tests") / inside.parent / f"test_{path.stem}.py"
    if path.stem == "__init__":
        mirror = Path("tests") / inside.parent.parent / f"test_{inside.parent.name}.py"
    files = [mirror, path.relative_to(ROOT)]
    return [str(file) for file in files if (ROOT / file).exists()]


def room_tests(path: Path) -> list[str]:
    """Return the wider net: the tests of the room and the laws that stand on it."""
    room = path.relative_to(SOURCE).parts[0]
    return [*(f"tests/laws/test_{law}.py" for law in LAWS[room]), f"tests/{room}"]


class Outing(NamedTuple):
    """One run of tests: whether they passed, and the processor's seconds it took."""

    passed: bool
    seconds: float


class Quick:
    """Leaves out of a run with a mutation what took long in the run without: seconds suffice."""

    def __init__(self, *, keep: bool) -> None:
        self.keep = keep
        self.slow = Path("slow.txt")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note a test that is slow without a mutation."""
        begun = time.process_time()
        yield
        if self.keep and time.process_time() - begun > SLOW_SECONDS:
            with self.slow.open("a", encoding="utf-8") as notes:
                notes.write(f"{item.nodeid}\n")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what was noted, unless it is all there is."""
        if not self.keep and self.slow.exists():
            noted = set(self.slow.read_text(encoding="utf-8").splitlines())
            items[:] = [item for item in items if item.nodeid not in noted] or items


class Bench:
    """A copy of the tree in which one line at a time is changed and tests are run.

    Modules are compiled to bytecode once; a changed one is compiled anew in each run and nothing
    of it is kept, as two changes may have the same size and the same second.
    """

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        self.kept = folder / "bytecode"
        self.clean: dict[tuple[object, ...], Outing] = {}
        for name in ("src", "tests"):
            shutil.copytree(
                ROOT / name, self.tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.nbc")
            )
        for name in ("pyproject.toml", "README.md", "docs", "studies", "examples", "benchmarks"):
            (self.tree / name).symlink_to(ROOT / name)

    def is_caught(self, mutation: Mutation, tests: list[str]) -> bool:
        """Return whether the tests fail with the mutation in place, and only then.

        An endless loop is noticed, too: by a limit far above what the tests take without the
        mutation. It counts the processor's time, not the clock's, which a busy machine stretches.
        """
        plain = mutation.path.name != COMPILING
        key = (plain, *tests)
        if key not in self.clean:
            self.clean[key] = self._run(tests, plain=plain, limit=None)
        if not self.clean[key].passed:
            print(f"    {' '.join(tests)}: fail without any mutation and judge none", flush=True)
            return False
        target = self.tree / mutation.path.relative_to(ROOT)
        source = target.read_text(encoding="utf-8")
        for stale in self.kept.rglob(f"{target.stem}.*.pyc"):
            stale.unlink()
        target.write_text(mutation.applied(source), encoding="utf-8")
        limit = SPARE_SECONDS + TIMES_CLEAN * math.ceil(self.clean[key].seconds)
        try:
            return not self._run(tests, plain=plain, limit=limit).passed
        finally:
            target.write_text(source, encoding="utf-8")

    def _run(self, tests: list[str], *, plain: bool, limit: int | None) -> Outing:
        """Run the tests in the copy, in a child that has the libraries at hand already."""
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                os.setsid()
                if limit is not None:
                    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
                os._exit(self._test(tests, plain=plain, keep=limit is None))
            os._exit(1)
        begun = time.monotonic()
        while True:
            found, status, used = os.wait4(child, os.WNOHANG)
            if found:
                passed = status == 0 or os.waitstatus_to_exitcode(status) == NONE_COLLECTED
                return Outing(passed, used.ru_utime + used.ru_stime)
            if limit is not None and time.monotonic() - begun > TIMES_WAITING * limit:
                # It waits for what never comes: end it with all it has started.
                os.killpg(child, signal.SIGKILL)
            time.sleep(0.02)

    def _test(self, tests: list[str], *, plain: bool, keep: bool) -> int:
        """Return what pytest says of the tests; what is imported may be kept as bytecode."""
        places = [str(self.tree / "src"), str(self.tree)]
        os.environ["PYTHONPATH"] = os.pathsep.join(places)
        os.environ["NUMBA_DISABLE_JIT"] = "1" if plain else "0"
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # to processes that tests start
        os.chdir(self.tree)
        os.dup2(os.open("said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        sys.path[:0] = places
        del sys.argv[1:]  # a library of the exchange reads them as its own
        sys.pycache_prefix, sys.dont_write_bytecode = str(self.kept), not keep
        for name in [
            name for name in sys.modules if name.partition(".")[0] in {"tests", "pathveil"}
        ]:
            del sys.modules[name]
        options = ["-q", "-x", "-p", "no:cacheprovider"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        # Words of 64 bits wrap round in compiled kernels without a sound; plain ones warn.
        options += ["-W", "ignore:overflow encountered:RuntimeWarning"]
        options += ["-m", "not compiled"] if plain else []
        return int(pytest.main([*options, *tests], plugins=[Quick(keep=keep)]))


def modules_of(rooms: list[str]) -> list[Path]:
    """Return the modules of rooms; a room may be narrowed to a folder or one module of it."""
    places = [SOURCE / room for room in rooms]
    return sorted(
        {path for place in places for path in ([place] if place.is_file() else place.rglob("*.py"))}
    )


def main() -> None:
    """Draw mutations, run the tests against each, print what survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", default=list(LAWS))
    parser.add_argument("--own", action="store_true", help="the module's own tests only")
    given = parser.parse_args()
    modules = modules_of(given.rooms)
    known = [mutation for path in modules for mutation in mutations(path)]
    drawn = random.Random(given.seed).sample(known, min(given.count, len(known)))
    print(f"{len(known)} mutations known in {len(modules)} modules; {len(drawn)} drawn", flush=True)
    own = {mutation.path: own_tests(mutation.path) for mutation in drawn}
    with TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        missed = judged(bench, drawn, own.__getitem__, "its own tests")
        alone = len(drawn) - len(missed)
        if not given.own:
            missed = judged(bench, missed, room_tests, "the room and its laws")
    caught = len(drawn) - len(missed)
    print(f"seed {given.seed}: caught {caught} of {len(drawn)}, {alone} by the module's own tests")
    for mutation in missed:
        print(f"survived: {mutation}")


def judged(
    bench: Bench, drawn: list[Mutation], tests: Callable[[Path], list[str]], whose: str
) -> list[Mutation]:
    """Return the mutations that these tests do not notice; print each."""
    missed = []
    for number, mutation in enumerate(drawn, start=1):
        begun = time.monotonic()
        if bench.is_caught(mutation, tests(mutation.path)):
            word = "caught by"
        else:
            word = "MISSED by"
            missed.append(mutation)
        spent = time.monotonic() - begun
        print(f"{number:3d} {word} {whose} ({spent:.0f} s): {mutation}", flush=True)
    return missed


if __name__ == "__main__":
    main()
