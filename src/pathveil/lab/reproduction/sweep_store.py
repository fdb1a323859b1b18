"""Running sweeps: the record they go on from, the workers, and the tables made from it.

A task is a function of its streams, so one that was lost with its worker is run again and gives
the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Self
from zlib import crc32

from pathveil.batching.worker_pool import Progress, run_all
from pathveil.errors import BadFile
from pathveil.files.atomic_write import write_aside
from pathveil.files.journal import Journal
from pathveil.lab.reproduction.measures import Clock, Tally
from pathveil.lab.reproduction.run_chunks import run_task
from pathveil.lab.reproduction.sweep import STINT, Cell, Sweep, Task

TALLY = tuple(part.name for part in fields(Tally))
CLOCK = tuple(part.name for part in fields(Clock))
CELL = tuple(part.name for part in fields(Cell))


@dataclass(frozen=True)
class Row:
    """All finished runs of one cell."""

    cell: Cell
    tally: Tally
    clock: Clock


class SweepRecord:
    """The journal of a sweep, opened to go on with it. A task recorded twice counts once.

    Tallies are sums of whole numbers, so the table made of them is the same bit for bit, whoever
    ran the tasks and however often the sweep was stopped.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> sweep = Sweep("example", (Cell("exact", 5, 4),), runs=60)
    >>> with TemporaryDirectory() as folder:
    ...     with SweepRecord(Path(folder) / "example.journal", sweep) as record:
    ...         for task in record.missing():
    ...             record.append(*run_task(task))
    ...         record.rows()[0].tally.usable
    60
    """

    def __init__(self, path: str | Path, sweep: Sweep) -> None:
        self.sweep = sweep
        self._done: set[tuple[int, int]] = set()
        self._rows = [Row(cell, Tally(), Clock()) for cell in sweep.cells]
        self._journal = Journal(
            path,
            f"pathveil sweep,{sweep.fingerprint},{','.join((*TALLY, *CLOCK))}",
            mismatch="is the record of another sweep, grid or number of runs; "
            "give another folder, or remove it to start again",
        )

    def __enter__(self) -> Self:
        for payload in self._journal.__enter__().found:
            numbers = [int(text) for text in payload.split(b",")]
            tally = Tally(*numbers[3 : 3 + len(TALLY)])
            number, first, last = numbers[:3]
            self._count(number, first, last, tally, Clock(*numbers[3 + len(TALLY) :]))
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    def _count(self, number: int, first: int, last: int, tally: Tally, clock: Clock) -> bool:
        stints = {(number, stint) for stint in range(first, last)}
        if stints & self._done:
            return False
        self._done |= stints
        row = self._rows[number]
        self._rows[number] = Row(row.cell, row.tally + tally, row.clock + clock)
        return True

    def append(self, task: Task, tally: Tally, clock: Clock) -> None:
        """Record a finished task; on return it outlives this process. Done twice it counts once."""
        if not self._count(task.number, task.first, task.last, tally, clock):
            return
        numbers = (task.number, task.first, task.last, *astuple(tally), *astuple(clock))
        self._journal.append([",".join(map(str, numbers)).encode()])

    def missing(self, *, stints: int = 4) -> Iterator[Task]:
        """Return what is still to be run, in tasks of at most so many stints."""
        return iter(list(self.sweep.tasks(stints=stints, done=self._done)))

    @property
    def done(self) -> int:
        """How many stints are recorded."""
        return len(self._done)

    def rows(self) -> tuple[Row, ...]:
        """Return the results so far, in the order of the sweep's cells."""
        return tuple(self._rows)


def run_sweeps(
    sweeps: Sequence[tuple[Sweep, str | Path]],
    *,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
    chunk: int | None = None,
) -> list[tuple[Row, ...]]:
    """Return the results of several sweeps, one row for each cell, run by the same workers.

    Starting workers and reading their compiled kernels takes seconds: it is done once.

    Parameters
    ----------
    sweeps
        Each with its journal: finished tasks are recorded there, an interrupted sweep goes on.
    workers
        Processes on this machine; 1 runs the sweeps in this process.
    scheduler
        Address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``, used instead of processes
        here. Its workers need this package.
    chunk
        Runs a task has at least; by default a quarter of a cell's, and 50 or more.

    *Cost*: a task costs about 2 ms besides its runs, with a pool or with Dask.
    """
    with ExitStack() as stack:
        records = [stack.enter_context(SweepRecord(path, sweep)) for sweep, path in sweeps]
        tasks = [
            (place, task)
            for place, record in enumerate(records)
            for task in record.missing(stints=_stints(record.sweep, chunk))
        ]
        # Slow and fast cells mixed, always in the same way: the time left can be told by the share
        # of stints done, and no worker is left with all the slow ones.
        tasks.sort(key=lambda item: crc32(f"{item[0]} {item[1].number} {item[1].first}".encode()))
        total = sum(record.sweep.stints * len(record.sweep.cells) for record in records)
        done = sum(record.done for record in records)
        if progress is not None:
            progress(done, total)
        for place, task, tally, clock in run_all(
            _run_placed, tasks, workers=workers, scheduler=scheduler
        ):
            before = records[place].done
            records[place].append(task, tally, clock)
            done += records[place].done - before
            if progress is not None:
                progress(done, total)
        return [record.rows() for record in records]


def _stints(sweep: Sweep, chunk: int | None) -> int:
    return max(1, (chunk or sweep.runs // 4) // STINT)


def _run_placed(placed: tuple[int, Task]) -> tuple[int, Task, Tally, Clock]:
    place, task = placed
    return (place, *run_task(task))


def write_table(path: str | Path, rows: Sequence[Row]) -> None:
    """Write the results, without the clock, one row for each cell, as CSV.

    The clock differs from run to run of the same sweep, so it goes to a file of its own: this one
    can be compared byte for byte.
    """
    _write(path, (*CELL, *TALLY), [_values(row) for row in rows])


def write_clock(path: str | Path, rows: Sequence[Row]) -> None:
    """Write the time spent in the engine, one row for each cell, as CSV."""
    _write(path, (*CELL, "runs", *CLOCK), [_times(row) for row in rows])


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


def _values(row: Row) -> list[str]:
    return [*row.cell.as_row().values(), *map(str, astuple(row.tally))]


def _times(row: Row) -> list[str]:
    return [*row.cell.as_row().values(), str(row.tally.runs), *map(str, astuple(row.clock))]


def _write(path: str | Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_aside(path, text.getvalue())
