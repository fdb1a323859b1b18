"""What a benchmark section returns, how it is timed, and how noisy this machine is.

``--quick`` runs every section on small inputs, to see that it still runs: its figures mean nothing,
and nothing is compiled for it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from pathveil.layering.kernels.running import buy_at_once

T = TypeVar("T")

QUICK = "PATHVEIL_BENCH_QUICK"
"""Set in the environment, so that processes started by a section know it too."""


def sized(full: T, quick: T) -> T:
    """Return what to measure: all of it, or little of it with ``--quick``."""
    return quick if os.environ.get(QUICK) else full


def compile_kernels() -> None:
    """Have every kernel compiled at its first use, but not for a quick look."""
    if sized(full=True, quick=False):
        buy_at_once()


@dataclass(frozen=True)
class Row:
    """One measurement beside its limit or peer.

    Attributes
    ----------
    ratio
        As the goal states it: how many times faster, or how many times the limit.
    goal
        Text of the goal, such as ">= 200x"; empty where there is none.
    met
        Whether the ratio meets the goal; None where there is none.
    """

    name: str
    ours: str
    peer: str
    ratio: str
    goal: str = ""
    met: bool | None = None


def best_of(work: Callable[[], object], *, times: int = 3) -> float:
    """Return the shortest of a few runs in one thread, in processor seconds."""
    found = []
    for _ in range(sized(full=times, quick=1)):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def faster(name: str, ours: float, peer: float, *, at_least: float | None = None) -> Row:
    """Return the row of a race: how many times faster than the peer."""
    ratio = peer / ours
    return Row(
        name,
        seconds(ours),
        seconds(peer),
        f"{ratio:.3g}x faster",
        "" if at_least is None else f">= {at_least:g}x",
        None if at_least is None else ratio >= at_least,
    )


def within(name: str, ours: float, limit: float, *, unit: str = "s") -> Row:
    """Return the row of a measurement against a limit."""
    return Row(
        name,
        seconds(ours) if unit == "s" else f"{ours:g} {unit}",
        seconds(limit) if unit == "s" else f"{limit:g} {unit}",
        f"{ours / limit:.3f} of the limit",
        "<= 1",
        ours <= limit,
    )


def seconds(value: float) -> str:
    """Return a time as people read it."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} us"


def noise() -> str:
    """Return how much the same work varies here and now."""
    data = np.arange(2_000_000, dtype=np.int64)
    times = []
    for _ in range(sized(25, 1)):
        start = time.perf_counter()
        int((data * 3 + 1).sum())
        times.append(time.perf_counter() - start)
    times.sort()
    middle = times[len(times) // 2]
    return (
        f"same work 25 times: {seconds(times[0])} to {seconds(times[-1])}, median {seconds(middle)}"
    )
