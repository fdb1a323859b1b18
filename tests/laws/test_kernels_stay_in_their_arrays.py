"""Law: no kernel reads or writes outside its arrays, nor comes round to their ends from below.

Compiled code checks no index: beyond the end lies somebody else's memory, and an index of -1 is the
last entry without a word. So the kernels run plain here, on arrays that refuse both.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pathveil.layering import kernels
from pathveil.layering.exact import (
    Split,
    annealed_order,
    bad_vertices,
    layered_arcs,
    searched_split,
)
from pathveil.layering.kernels import running
from pathveil.layering.kernels.bundle_annealing import Bundled
from pathveil.layering.kernels.paper_search import search
from pathveil.layering.orientation import orient
from tests.layering.graphs import fixed_graphs, masks_of, networkx_of


class Guarded(np.ndarray[Any, Any]):
    """An array that has no entries before the first."""

    def __getitem__(self, key: Any) -> Any:
        _refuse_negative(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _refuse_negative(key)
        super().__setitem__(key, value)


def _refuse_negative(key: Any) -> None:
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, int | np.integer) and part < 0:
            raise IndexError(f"an index of {part} comes round to the end")


class Watched:
    """The library, but for what makes arrays: those are guarded."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def empty(self, *given: Any) -> Guarded:
        return np.empty(*given).view(Guarded)

    def zeros(self, *given: Any) -> Guarded:
        return np.zeros(*given).view(Guarded)

    def full(self, *given: Any) -> Guarded:
        return np.full(*given).view(Guarded)


@pytest.fixture
def _guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    for found in pkgutil.iter_modules(kernels.__path__, f"{kernels.__name__}."):
        module = importlib.import_module(found.name)
        if hasattr(module, "np"):
            monkeypatch.setattr(module, "np", Watched())
    monkeypatch.setattr(running, "chosen", lambda kernel, _work: on_guarded(kernel))


def on_guarded(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The plain kernel; what it is given is guarded, what it returns is not."""

    def called(*given: Any) -> Any:
        found = kernel(*(_seen_as(Guarded, part) for part in given))
        if isinstance(found, tuple):
            return tuple(_seen_as(np.ndarray, part) for part in found)
        return _seen_as(np.ndarray, found)

    return called


def _seen_as(kind: type[np.ndarray[Any, Any]], part: Any) -> Any:
    if isinstance(part, Bundled):
        return Bundled(*(_seen_as(kind, array) for array in part))
    return part.view(kind) if isinstance(part, np.ndarray) else part


def test_the_guard_refuses_what_it_shall() -> None:
    room = np.zeros(3).view(Guarded)
    assert room[2] == 0
    for index in (-1, np.int32(-1), 3):
        with pytest.raises(IndexError):
            room[index] = 1
    with pytest.raises(IndexError):
        _ = np.zeros((2, 2)).view(Guarded)[0, -1]


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.usefixtures("_guarded")
@pytest.mark.parametrize("number", range(7))
def test_orders_cuts_walks_and_pieces_are_found_inside_the_arrays(number: int) -> None:
    graph = list(fixed_graphs())[number]
    orient(graph)
    order = annealed_order(graph, work=6_000)
    layered_arcs(graph, Split(order, bad_vertices(graph, order)))
    searched_split(graph, tries=60)
    near = masks_of(networkx_of(graph))
    on_guarded(search)(near, True, 300, True, np.zeros((4, 64), dtype=np.int64))
