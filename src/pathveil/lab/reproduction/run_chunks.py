"""One stint of runs, from its stream to its tally: what every worker does.

The same draws go to either engine in compiled form. The clock runs while the engine does and at no
other time, and counts what the processor did for us, not what it did for others meanwhile. Runs the
kernels refuse (more than 64 pieces; too many sets to try) are done once more by the engines of the
package. A few runs that nobody times are done in plain Python, without a clock, as long as that
takes less than compiling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import thread_time_ns

import numpy as np
import numpy.typing as npt

from pathveil.chance.copies import LiftedWalk
from pathveil.lab.reproduction.draws import Draws, draw_runs
from pathveil.lab.reproduction.measures import Clock, Tally
from pathveil.lab.reproduction.run_kernels import (
    TIE,
    TOLD,
    WRONG,
    insert,
    layer_all,
    lift,
    read_all,
)
from pathveil.lab.reproduction.sweep import STINT, Cell, Task
from pathveil.layering.backtracking import insert_vertices, order_of_insertion, turn_roots_first
from pathveil.layering.exact import layer_exactly
from pathveil.layering.kernels.running import chosen, compiled
from pathveil.model.publication import Publication
from pathveil.reading.assemble import reconstruct

IntArray = npt.NDArray[np.int64]

# Elementary steps of a run in plain Python, in the mean over the paper's figures.
LIFT_STEPS, READ_STEPS, INSERT_STEPS, LAYER_STEPS = 130, 40, 5_000, 3_000

PLAIN_PLACEMENTS = 30_000
"""What a search may try in plain Python, in about a second, before it is begun anew compiled."""

MOST_TRIES = 200_000
"""Sets of cuts our engine's kernel may try: a fraction of a second."""


@dataclass(frozen=True, eq=False)
class Lifted:
    """The published bits of a stint as words, and what the walk is on them.

    ``read`` says for each run whether the bits give the walk back to a reader of the network. Where
    there are ``few`` runs, kernels are compiled only if that is the better bargain.
    """

    draws: Draws
    words: IntArray
    edges: IntArray
    order: IntArray
    sizes: IntArray
    read: IntArray
    few: bool

    @classmethod
    def of(cls, draws: Draws, *, few: bool = False) -> Lifted:
        """Return the bits of all runs of a stint."""
        sizes = draws.counts.sum(axis=1)
        shape = len(draws), int(sizes.max())
        if shape[1] > 64:
            raise ValueError(f"a run has {shape[1]} copies; the study's kernels take 64 at most")
        made = np.zeros((3, *shape), dtype=np.int64)
        kernel = _kernel(lift, LIFT_STEPS * len(draws), few=few)
        kernel(draws.linked, draws.visits, draws.counts, draws.coins, made)
        read = np.zeros(len(draws), dtype=np.int64)
        kernel = _kernel(read_all, READ_STEPS * len(draws), few=few)
        kernel(made[0], made[1], made[2], sizes, draws.visits.shape[1], read)
        return cls(draws, made[0], made[1], made[2], sizes, read, few)


def _kernel(function: Callable[..., None], work: int, *, few: bool) -> Callable[..., None]:
    return chosen(function, work) if few else compiled(function)


def run_task(task: Task) -> list[tuple[Tally, Clock]]:
    """Return the tally and the clock of each cell of a task.

    Any process on any machine gives the same tallies.
    """
    found = [(Tally(), Clock()) for _ in task.cells]
    few = task.runs < STINT and not task.timed
    for stint in range(task.first, task.last):
        draws = draw_runs(task.cells[0], task.stream(stint), task.stint_runs(stint))
        lifted = Lifted.of(draws, few=few)
        for place, cell in enumerate(task.cells):
            tally, clock = found[place]
            more, nanoseconds = run_engine(cell, lifted)
            found[place] = tally + more, clock + (Clock.of(nanoseconds) if nanoseconds else Clock())
    return found


def run_stint(cell: Cell, stream: str, runs: int) -> tuple[Tally, int]:
    """Return the tally of a stint and the nanoseconds its engine took.

    Examples
    --------
    >>> tally, _ = run_stint(Cell("exact", 6, 5), "example", 10)
    >>> tally.usable, tally.told
    (10, 10)
    """
    return run_engine(cell, Lifted.of(draw_runs(cell, stream, runs)))


def run_engine(cell: Cell, lifted: Lifted) -> tuple[Tally, int]:
    """Return the tally of a stint that is drawn, and the nanoseconds the cell's engine took.

    In plain Python an engine counts none.
    """
    engine = _by_insertion if cell.engine == "backtracking" else _by_orientation
    outcomes, nanoseconds = engine(cell, lifted)
    return _tally(lifted, outcomes), nanoseconds


def _by_insertion(cell: Cell, lifted: Lifted) -> tuple[IntArray, int]:
    """Run the paper's engine; return the outcomes of each run and the nanoseconds.

    Columns: pieces, steps, cut vertices, whether the limit struck, usable, and the order confirmed,
    doubled, or -1 where there is no output.
    """
    found = np.zeros((len(lifted.words), 6), dtype=np.int64)
    kernel = _kernel(insert, INSERT_STEPS * len(found), few=lifted.few)
    tuning = lifted.order, lifted.sizes, cell.visits, cell.splitting
    limit = min(cell.step_limit, PLAIN_PLACEMENTS) if kernel is insert else cell.step_limit
    nanoseconds = _clocked(kernel, lifted.words, *tuning, limit, found)
    if limit < cell.step_limit and found[:, 3].any():
        nanoseconds = _clocked(compiled(insert), lifted.words, *tuning, cell.step_limit, found)
    for run in np.flatnonzero(found[:, 0] < 0).tolist():
        found[run] = _insert_one(cell, lifted.draws, run)
    if not cell.splitting:
        found[found[:, 4] == 0, 5] = -1
    return found, nanoseconds


def _clocked(kernel: Callable[..., None], words: IntArray, *rest: object) -> int:
    """Run a kernel on all runs; return the nanoseconds, or 0 if it is not compiled."""
    if kernel in {insert, layer_all}:
        kernel(words, *rest)
        return 0
    # No run at all first: compiling, or reading from the cache, is no part of the engine's time.
    kernel(words[:0], *rest)
    started = thread_time_ns()
    kernel(words, *rest)
    return thread_time_ns() - started


def _insert_one(cell: Cell, draws: Draws, run: int) -> tuple[int, int, int, int, int, int]:
    """Return a row of outcomes from the plain search, for runs with many pieces."""
    lifted = LiftedWalk(draws.positions(run), draws.lifted_visits(run))
    found = insert_vertices(
        draws.bits(run),
        lifted.positions,
        order_of_insertion(lifted.visits, len(lifted.positions)),
        splitting=cell.splitting,
        step_limit=cell.step_limit,
        at_limit="split",
        compiled=False,
    )
    if found.layered is None:
        return 0, found.steps, found.splits, int(found.struck), 0, WRONG
    published = Publication.of_drawing(
        turn_roots_first(found.layered, lifted.visits), cell.policy.terms()
    )
    reading = reconstruct(published, draws.network(run))
    told = TOLD if reading.walk == draws.walk(run) else WRONG
    return (
        len(found.layered.position_of),
        found.steps,
        found.splits,
        int(found.struck),
        int(found.splits == 0),
        TIE if reading.order == "either_way" else told,
    )


def _by_orientation(cell: Cell, lifted: Lifted) -> tuple[IntArray, int]:
    """Run our engine; return the same. The order is judged by reading the walk back."""
    draws = lifted.draws
    found = np.zeros((len(draws), 4), dtype=np.int64)
    kernel = _kernel(layer_all, LAYER_STEPS * len(draws), few=lifted.few)
    nanoseconds = _clocked(kernel, lifted.words, lifted.sizes, MOST_TRIES, found)
    for run in np.flatnonzero(found[:, 0] < 0).tolist():
        started = thread_time_ns()
        layered = layer_exactly(draws.bits(run), draws.positions(run), upright=True)
        nanoseconds += thread_time_ns() - started
        found[run, 0] = len(layered.position_of)
        found[run, 2] = len(layered.position_of) - len(layered.positions)
    pieces, steps, cuts, _ = found.T
    usable = (cuts == 0).astype(np.int64)
    order = np.where(lifted.read == 1, TOLD, WRONG)
    if not cell.splitting:
        order = np.where(usable == 1, order, -1)
    struck = np.zeros_like(cuts)
    return np.column_stack([pieces, steps, cuts, struck, usable, order]), nanoseconds


def _tally(lifted: Lifted, outcomes: IntArray) -> Tally:
    pieces, steps, cuts, struck, usable, order = outcomes.T
    return Tally(
        runs=len(lifted.words),
        usable=int(usable.sum()),
        told=int((order == TOLD).sum()),
        tied=int((order == TIE).sum()),
        wrong=int((order == WRONG).sum()),
        read=int(lifted.read.sum()),
        struck=int(struck.sum()),
        copies=int(lifted.sizes.sum()),
        copies_squared=int((lifted.sizes**2).sum()),
        pieces=int(pieces.sum()),
        cuts=int(cuts.sum()),
        steps=int(steps.sum()),
        steps_squared=int((steps**2).sum()),
        steps_most=int(steps.max()),
    )
