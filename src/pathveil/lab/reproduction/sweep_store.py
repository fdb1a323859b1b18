"""Running sweeps, and the tables made from them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from pathveil.batching.worker_pool import Crew
from pathveil.errors import BadFile
from pathveil.files.atomic_write import write_aside
from pathveil.lab.recorded_work import Job, run_recorded
from pathveil.lab.reproduction.measures import Clock, Tally
from pathveil.lab.reproduction.run_chunks import run_task
from pathveil.lab.reproduction.sweep import Cell, Sweep, Task

TALLY = tuple(part.name for part in fields(Tally))
CLOCK = tuple(part.name for part in fields(Clock))
CELL = tuple(part.name for part in fields(Cell))

FEW_RUNS = 1_000
"""Fewer are sooner done in this process than workers are started."""


@dataclass(frozen=True)
class Row:
    """All finished runs of one cell."""

    cell: Cell
    tally: Tally
    clock: Clock


def run_sweeps(
    sweeps: Sequence[tuple[Sweep, Path | None]], crew: Crew | None = None
) -> list[tuple[Row, ...]]:
    """Return the results of several sweeps, each with its journal, one row for each cell.

    Tallies are sums of whole numbers, so the table made of them is the same bit for bit, whoever
    ran the tasks and however often the sweeps were stopped.

    Examples
    --------
    >>> sweep = Sweep("example", (Cell("exact", 5, 4),), runs=60)
    >>> run_sweeps([(sweep, None)])[0][0].tally.usable
    60
    """
    jobs = [
        Job(f"sweep,{sweep.fingerprint},{','.join((*TALLY, *CLOCK))}", list(sweep.tasks()), journal)
        for sweep, journal in sweeps
    ]
    runs = [len(sweep.cells) * sweep.runs for sweep, _ in sweeps]
    if crew and sum(runs) < FEW_RUNS and not any(sweep.timed for sweep, _ in sweeps):
        crew = replace(crew, workers=1)
    found = []
    for (sweep, _), job, parts in zip(
        sweeps, jobs, run_recorded(_numbers, jobs, crew), strict=True
    ):
        rows = [Row(cell, Tally(), Clock()) for cell in sweep.cells]
        for task, numbers in zip(job.items, parts, strict=True):
            for number, of_cell in zip(task.numbers, numbers, strict=True):
                row, tally = rows[number], Tally(*of_cell[: len(TALLY)])
                clock = row.clock + Clock(*of_cell[len(TALLY) :])
                rows[number] = Row(row.cell, row.tally + tally, clock)
        found.append(tuple(rows))
    return found


def _numbers(task: Task) -> list[list[int]]:
    return [[*astuple(tally), *astuple(clock)] for tally, clock in run_task(task)]


def write_table(path: str | Path, rows: Sequence[Row], *, replacing: bool = True) -> None:
    """Write the results, without the clock, one row for each cell, as CSV.

    The clock differs from run to run of the same sweep, so it goes to a file of its own: this one
    can be compared byte for byte.
    """
    cells = [(*row.cell.as_row().values(), *astuple(row.tally)) for row in rows]
    write_csv_file(path, (*CELL, *TALLY), cells, replacing=replacing)


def write_clock(path: str | Path, rows: Sequence[Row], *, replacing: bool = True) -> None:
    """Write the time spent in the engine, one row for each cell, as CSV."""
    times = [(*row.cell.as_row().values(), row.tally.runs, *astuple(row.clock)) for row in rows]
    write_csv_file(path, (*CELL, "runs", *CLOCK), times, replacing=replacing)


def read_table(path: str | Path, *, clock: str | Path | None = None) -> tuple[Row, ...]:
    """Return the results of a CSV table, with the clock of its sister file if given."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    clocks = {}
    if clock is not None:
        with Path(clock).open(encoding="utf-8", newline="") as file:
            clocks = {
                Cell.from_row(row): Clock(*(int(row[name]) for name in CLOCK))
                for row in csv.DictReader(file)
            }
    rows = []
    for place, row in enumerate(found, start=2):
        try:
            cell = Cell.from_row(row)
            tally = Tally(*(int(row[name]) for name in TALLY))
        except (KeyError, ValueError, TypeError) as error:
            raise BadFile(f"{path}: line {place}: is no result of a sweep: {error}") from None
        rows.append(Row(cell, tally, clocks.get(cell, Clock())))
    return tuple(rows)


def write_csv_file(
    path: str | Path,
    columns: Sequence[str],
    rows: Iterable[Iterable[object]],
    *,
    replacing: bool = True,
) -> None:
    """Write a table as CSV, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_aside(path, text.getvalue(), replacing=replacing, resuming=True)
