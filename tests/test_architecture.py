"""The arrows of the tree: who may import whom. Read it as DESIGN's list of rooms."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pathveil
from pathveil.chance.policy import KINDS

SOURCE = Path(pathveil.__file__).parent

ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "model": {"errors"},
    "chance": {"errors", "model", "intervals"},
    "layering": {"errors", "model"},
    "recovery": {"errors", "model"},
    "formats": {"errors", "model", "plain_files"},
    "understanding": {"errors", "model", "chance"},
    "terms": {"errors", "model", "understanding", "chance"},
    "sketching": {"errors", "model", "chance", "terms"},
    "publishing": {
        *("errors", "model", "understanding", "chance", "layering", "terms", "sketching"),
    },
    "earning": {"errors", "model", "chance"},
    "verifying": {"errors", "model", "earning", "layering", "recovery"},
    "verifying_series": {"errors", "model", "chance", "earning", "verifying"},
    "verifying_ledger": {"errors", "model", "formats", "ledger"},
    "adversary": {"errors", "model", "chance", "layering"},
    "baselines": {"errors", "model", "chance", "intervals"},
    "plain_files": set(),
    "journal": {"errors", "plain_files"},
    "charging": {"errors", "model", "chance", "ledger"},
    "releasing": {
        *("errors", "model", "chance", "formats", "ledger"),
        *("charging", "terms", "publishing", "gatekeeper"),
        *("batch_lines", "batch_output", "batch_report"),
    },
    "ledger": {
        "errors",
        "model",
        "plain_files",
    },  # it counts; whoever knows what coins cost does the composing
    "runners": {"errors"},
    "intervals": {"errors"},
    "maps": {"errors", "model"},
    "edge_release": {"errors", "model", "chance", "terms", "publishing"},
    "release_files": {"model", "chance", "formats", "edge_release"},
    "release_audit": {"model", "chance", "adversary", "edge_release", "release_files"},
    "chaff_fit": {"chance"},
    "gate_report": {"model", "chance", "adversary", "formats", "chaff_fit"},
    "gate": {"errors", "model", "chance", "adversary", "formats", "chaff_fit", "gate_report"},
    "gatekeeper": {
        "errors",
        "model",
        "chance",
        "formats",
        "recovery",
        "ledger",
        "gate",
        "gate_report",
    },
    "batch_journal": {"errors", "model", "formats", "journal", "ledger"},
    "batch_output": {"errors", "model", "formats"},
    "batch_report": {"model", "gate_report", "batch_lines"},
    "batch_draws": {
        *("errors", "model", "chance", "terms", "publishing", "recovery"),
        *("gate", "gate_report", "gatekeeper", "batch_journal", "batch_lines"),
    },
    "batch_lines": {"errors", "model", "formats"},
    "batch_layout": {"model", "formats", "runners", "batch_journal", "batch_output"},
    "batching": {
        *("model", "chance", "terms", "runners", "gate_report", "gatekeeper", "batch_draws"),
        *("batch_journal", "batch_layout", "batch_lines", "batch_output", "batch_report"),
    },
}
SHARED = {"journal", "runners", "intervals", "maps"}
ALLOWED["reproduction"] = {
    *("errors", "model", "chance", "layering", "publishing", "recovery", "formats"),
    *SHARED,
}
ALLOWED["comparison"] = {
    *("errors", "model", "chance", "publishing", "recovery", "formats", "baselines"),
    *SHARED,
}
ALLOWED["apps"] = {*ALLOWED, "pathveil"}  # the root: as users do
ALLOWED["pathveil"] = {*ALLOWED} - {"apps"}  # names of every room, but none of a command
ALLOWED["__main__"] = {"apps"}  # python -m pathveil

EXCEPTIONS = {
    # The contract promises Publication.save and .load; the codec knows the model, not the reverse.
    ("model/grouping.py", "pathveil.formats.groups"),
    ("model/publication.py", "pathveil.formats.publications"),
    # Loading checks the certificate, and only the room of chance knows what a policy earns.
    ("model/publication.py", "pathveil.earning"),
}

TABLES = {
    # A publication knows how to be laid out: layers are drawn the first time somebody looks, by
    # the engine that the one table of engines names.
    "model/engines.py": {"layering"},
    # A publication knows its form, and the one table of forms who draws, writes and reads it.
    "model/forms.py": {"formats", "publishing", "sketching"},
}

FREE = {
    # How a kernel is run, plain or compiled, is no room's theory: every room may ask.
    "pathveil.layering.kernels.running",
}

FORBIDDEN = {
    # The judge shares no code with the claimant.
    "adversary/auditing.py": {
        *("pathveil.chance.losses", "pathveil.chance.certification", "pathveil.publishing"),
    },
}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute in this project"
            found.add(node.module or "")
    return {name for name in found if name.split(".")[0] == "pathveil"}


def room(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "pathveil"


FILES = sorted(p.relative_to(SOURCE) for p in SOURCE.rglob("*.py"))
MODULES = [p for p in FILES if p.name != "__init__.py"]


def here_of(module: Path) -> str:
    """Return the room a file stands in; the package's own file is the root."""
    return "pathveil" if module == Path("__init__.py") else module.parts[0].removesuffix(".py")


@pytest.mark.parametrize("module", FILES, ids=str)
def test_arrows_point_up(module: Path) -> None:
    here = here_of(module)
    for name in imports(SOURCE / module):
        if name in FREE or (module.as_posix(), name) in EXCEPTIONS:
            continue
        there = room(name)
        if there in TABLES.get(module.as_posix(), set()):
            continue
        assert there == here or there in ALLOWED[here], f"{module} imports {name}"
        assert name not in FORBIDDEN.get(module.as_posix(), set()), f"{module} imports {name}"


def test_no_module_is_called_after_nothing() -> None:
    for module in MODULES:
        assert module.stem not in {"utils", "util", "helpers", "common", "misc"}, module


def definitions(path: Path) -> tuple[set[str], set[str]]:
    """Functions and classes a module defines for others."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    functions = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    return functions, {node.name for node in body if isinstance(node, ast.ClassDef)}


@pytest.mark.parametrize("module", FILES, ids=str)
def test_no_module_bears_the_name_of_a_function_it_exports(module: Path) -> None:
    """Otherwise ``import pathveil.publish`` would silently yield the function."""
    functions, _ = definitions(SOURCE / module)
    name = module.parent.name if module.name == "__init__.py" else module.stem
    assert name not in functions


def test_no_two_classes_have_one_name() -> None:
    seen: dict[str, Path] = {}
    for module in FILES:
        for name in definitions(SOURCE / module)[1]:
            assert name not in seen, f"{name} in {seen.get(name)} and {module}"
            seen[name] = module


NAMES = {kind.name for kind in KINDS}
"""What policies are called. ``paper`` is the name of a layering and of an audit too."""


def told_by_name(text: str) -> list[str]:
    """Return where code tells policies apart by their names: compared, matched, looked up."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Compare | ast.match_case | ast.Dict):
            continue
        looked = [key for key in node.keys if key] if isinstance(node, ast.Dict) else [node]
        words = {
            part.value
            for here in looked
            for part in ast.walk(here.pattern if isinstance(here, ast.match_case) else here)
            if isinstance(part, ast.Constant)
        }
        said = ast.unparse(node)
        asks = any(word in said for word in ("policy.name", "kind.name", "terms.name"))
        about = any(word in said for word in ("policy", "kind"))
        if (
            (asks and isinstance(node, ast.Compare))
            or words & (NAMES - {"paper"})
            or ("paper" in words and about)
        ):
            found.append(said)
    return found


def test_policies_are_known_by_name_to_nobody_but_themselves() -> None:
    """Whoever asks a policy for its name wants to know something it should say itself."""
    for module in FILES:
        if module.parts[:2] == ("chance", "policy"):
            continue
        found = told_by_name((SOURCE / module).read_text(encoding="utf-8"))
        assert not found, f"{module}: {found}"


@pytest.mark.parametrize(
    "text",
    [
        "if policy.name == other.name: pass",
        'if self.kind == "two-sided": pass',
        'both = self.kind in {"sealed", "x"}',
        'if self.kind == "paper": pass',
        'unit = {"balanced": 1}[self.kind]',
        'match name:\n    case "sealed":\n        pass',
    ],
)
def test_whoever_tells_policies_by_name_is_found(text: str) -> None:
    assert told_by_name(text)


def test_a_layering_may_be_called_after_the_paper() -> None:
    assert not told_by_name('if layering == "paper": pass')


def test_engines_are_known_by_name_to_nobody_but_their_table() -> None:
    """Whoever compares the name of an engine wants to know a fact that the table should say.

    The paper's evaluation is about two of them, and may.
    """
    for module in MODULES:
        if module.as_posix() == "model/engines.py" or module.parts[0] == "reproduction":
            continue
        for node in ast.walk(ast.parse((SOURCE / module).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                text = ast.unparse(node)
                assert "layering ==" not in text, f"{module}: {text}"
                assert "layering !=" not in text, f"{module}: {text}"


def test_forms_of_bits_are_known_by_class_to_nobody_but_who_makes_them() -> None:
    """Whoever asks for a class wants to know what the bits, or the table of forms, should say.

    Over a grouping is no form: the model alone looks for that wrapper, and the others ask it.
    """
    classes = ("PackedBits", "SketchedBits", "GroupedBits")
    for module in MODULES:
        for node in ast.walk(ast.parse((SOURCE / module).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                asked = ast.unparse(node.args[1])
                own = module.parts[0] == "model"
                assert own or not any(name in asked for name in classes), f"{module}: {asked}"
            if isinstance(node, ast.Compare):
                text = ast.unparse(node)
                assert ".form == '" not in text, f"{module}: {text}"
                assert ".form != '" not in text, f"{module}: {text}"


def test_results_become_json_in_one_place() -> None:
    """What a command prints with --json is made in ``apps/results``: one tongue."""
    for module in MODULES:
        if module.parts[0] != "apps" or module.parts[1] == "results":
            continue
        functions, _ = definitions(SOURCE / module)
        made = {name for name in functions if name.endswith(("_data", "_json"))}
        made -= {name for name in made if "print" in name}
        assert not made, f"{module}: {made} belongs into apps/results"
        for node in ast.walk(ast.parse((SOURCE / module).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "print_json":
                assert not isinstance(node.args[0], ast.Dict), f"{module}: {ast.unparse(node)}"


def test_the_first_page_names_every_room() -> None:
    """The docstring of the package is the map: who opens it finds each room and root module."""
    named = set(re.findall(r"``(\w+)``", pathveil.__doc__ or ""))
    rooms = {p.parts[0].removesuffix(".py") for p in FILES} - {"__init__", "__main__"}
    assert named == rooms


def test_importing_pathveil_is_light() -> None:
    """Heavy libraries are imported where they are used, not by ``import pathveil``."""
    heavy = ["matplotlib", "dask", "distributed", "fastapi", "mpyc", "numba", "scipy", "pandas"]
    code = f"import pathveil, sys; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_exceptions_are_still_needed() -> None:
    for module, name in EXCEPTIONS:
        assert name in imports(SOURCE / module)
