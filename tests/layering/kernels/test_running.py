from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from pathveil.layering.kernels import running
from pathveil.layering.kernels.partition import co_lexbfs
from pathveil.layering.kernels.running import (
    buy_at_once,
    chosen,
    compiled,
    is_kept,
    kernel,
    run,
    watch_compiling,
)

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1",
    reason="with Numba switched off nothing is compiled or kept",
)
STEP = 3


@kernel
def tripled(values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    total = 0
    for k in range(len(values)):
        total += STEP * values[k]
    return total


@kernel
def tripled_twice(values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    return tripled(values) + tripled(values)


@kernel
def counted(values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    return len(values)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing compiled, nothing rented, nothing kept: each test begins as a process does."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    for name in ("_COMPILED", "_rented"):
        monkeypatch.setattr(running, name, {})
    for name in ("_caching", "_buying"):
        monkeypatch.setattr(running, name, [name == "_caching"])
    is_kept.cache_clear()
    running._dispatcher.cache_clear()


def test_a_kernel_is_rented_until_it_would_have_paid_to_buy_it() -> None:
    cost = running._cost(tripled)
    assert cost == running.STEPS_A_BYTE * len(tripled.__code__.co_code)
    assert chosen(tripled, cost - 1) is tripled
    assert chosen(tripled, 1) is tripled
    assert chosen(tripled, 1) is not tripled
    assert chosen(tripled, 0) is compiled(tripled)


def test_one_kernel_s_rent_is_not_the_other_s() -> None:
    inner, outer = running._cost(tripled), running._cost(tripled_twice)
    assert outer > inner  # what it calls is compiled with it
    assert chosen(tripled, inner + 1) is not tripled
    assert chosen(tripled_twice, 1) is tripled_twice


def test_who_buys_at_once_rents_nothing() -> None:
    buy_at_once()
    assert chosen(tripled, 0) is compiled(tripled)


def test_plain_and_compiled_say_the_same_and_the_compiling_is_announced() -> None:
    values = np.arange(5, dtype=np.int64)
    told: list[str] = []
    with watch_compiling(told.append):
        assert run(tripled_twice, 0, values) == 60
        assert told == []
        assert compiled(tripled_twice)(values) == 60
        assert told == ["tripled_twice", ""]
        assert compiled(tripled_twice)(values) == 60
    assert told == ["tripled_twice", ""]
    compiled(counted)(values)
    assert told == ["tripled_twice", ""]  # nobody watches any more


def test_what_is_kept_is_neither_announced_nor_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.arange(4, dtype=np.int64)
    assert not is_kept(tripled)
    compiled(tripled)(values)
    is_kept.cache_clear()
    running._dispatcher.cache_clear()
    assert is_kept(tripled)
    assert not is_kept(co_lexbfs)
    assert running._cost(tripled) == 0
    monkeypatch.delitem(sys.modules, "numba")
    assert running._cost(tripled) == running.STEPS_OF_IMPORT
    monkeypatch.undo()


def test_changed_code_has_another_name() -> None:
    """Numba looks at the changed module only; a kernel may call others elsewhere."""
    before = running._digest(tripled)
    running._digest.cache_clear()
    tripled.__globals__["STEP"] = 4
    try:
        assert running._digest(tripled) != before
    finally:
        tripled.__globals__["STEP"] = 3
        running._digest.cache_clear()


def test_a_changed_kernel_renames_those_that_call_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = running._digest(tripled_twice)
    running._digest.cache_clear()
    monkeypatch.setitem(tripled_twice.__globals__, "tripled", counted)
    after = running._digest(tripled_twice)
    running._digest.cache_clear()
    assert after != before


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), AttributeError()])
def test_a_disk_that_takes_no_files_costs_the_keeping_only(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a file that names a class which is called otherwise now."""
    from numba.core import caching

    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)
    assert compiled(tripled_twice)(np.arange(5, dtype=np.int64)) == 60
    assert running._caching == [False]


def test_where_nothing_can_be_kept_kernels_run_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither the installation nor a home can be written to: Numba finds no place."""
    from numba.core import caching

    monkeypatch.setattr(caching.CompileResultCacheImpl, "_locator_classes", [])
    assert compiled(tripled_twice)(np.arange(5, dtype=np.int64)) == 60
    assert running._caching == [False]


def test_without_numba_all_runs_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert compiled(tripled)(np.arange(5, dtype=np.int64)) == 30
    assert running._dispatcher(tripled) is tripled


def test_small_graphs_are_layered_without_numba() -> None:
    script = (
        "import sys\n"
        "from pathveil.layering.adjacency import Adjacency\n"
        "from pathveil.layering.orientation import orient\n"
        "from pathveil.layering.exact import layered_arcs\n"
        "from pathveil.layering.exact import split_order\n"
        "ring = Adjacency.from_pairs(9, [(i, (i + 1) % 9) for i in range(9)])\n"
        "path = Adjacency.from_pairs(40, [(i, i + 1) for i in range(39)])\n"
        "orient(ring), orient(path), layered_arcs(ring, split_order(ring))\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
