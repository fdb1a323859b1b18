"""Results on disk: a journal that survives being killed, and the tables made from it.

The journal is a CSV file. Its first line names the sweep by its fingerprint, the second the
columns; every further line is one finished task: cell, first block, last block, the tally, the
clock, and a check sum of the line. A line is handed to the system with one call, so it outlives
this process, and forced to the disk every second, so that a power cut costs a second's work.

Killed at any moment, the file ends with a whole line, or with a part of one. On opening, everything
behind the last line that stands its check is cut off: the blocks in it were not done, and being
functions of their streams they come out the same again. A task reported twice (a worker that was
given up for lost) is recognised by its blocks and not counted again. So nothing is lost and nothing
is there twice; and since tallies are sums of whole numbers, the table is the same bit for bit.

One process at a time may hold a journal; a second one is refused.
"""

from __future__ import annotations

import csv
import io
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import BinaryIO, Self

from pathveil.errors import BadFile, MissingExtra
from pathveil.experiments.measures import Clock, Tally
from pathveil.experiments.sweep import Cell, Sweep, Task
from pathveil.formats.files import write_aside

TALLY = tuple(part.name for part in fields(Tally))
CLOCK = tuple(part.name for part in fields(Clock))
SYNC_SECONDS = 1.0
CELL = tuple(part.name for part in fields(Cell))


@dataclass(frozen=True)
class Row:
    """All finished runs of one cell."""

    cell: Cell
    tally: Tally
    clock: Clock


class Journal:
    """The record of a sweep, opened to go on with it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pathveil.experiments.blocks import run_task
    >>> sweep = Sweep("example", (Cell("exact", 5, 4),), runs=60)
    >>> with TemporaryDirectory() as folder:
    ...     with Journal(Path(folder) / "example.journal", sweep) as journal:
    ...         for task in journal.missing():
    ...             journal.append(*run_task(task))
    ...         journal.rows()[0].tally.usable
    60
    """

    def __init__(self, path: str | Path, sweep: Sweep) -> None:
        self.path = Path(path)
        self.sweep = sweep
        self._done: set[tuple[int, int]] = set()
        self._rows = [Row(cell, Tally(), Clock()) for cell in sweep.cells]
        self._file: BinaryIO | None = None
        self._synced = 0.0

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        hold(self._file, self.path)
        try:
            self._file.seek(0)
            self._recover(self._file.read())
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def _recover(self, data: bytes) -> None:
        """Read what stands, cut off what does not, and begin the file if there is none."""
        assert self._file is not None
        head = (
            f"pathveil sweep,{self.sweep.fingerprint}\n"
            f"cell,first,last,{','.join((*TALLY, *CLOCK))},check\n"
        ).encode()
        if len(data) < len(head) and head.startswith(data):
            good = 0
        elif data.startswith(head):
            good = len(head)
        else:
            raise BadFile(
                f"{self.path}: is the record of another sweep, grid or number of runs; "
                "give another folder, or remove it to start again"
            )
        if good:
            for line in data[good:].splitlines(keepends=True):
                if not self._accept(line):
                    break
                good += len(line)
        if good < len(data):
            self._file.truncate(good)
        if not good:
            self._write(head)

    def _accept(self, line: bytes) -> bool:
        """Count a line of the file; return whether it stands its check."""
        body, _, check = line.rstrip(b"\n").rpartition(b",")
        if not line.endswith(b"\n") or check != _check(body):
            return False
        numbers = [int(text) for text in body.split(b",")]
        number, first, last = numbers[:3]
        tally = Tally(*numbers[3 : 3 + len(TALLY)])
        self._count(number, first, last, tally, Clock(*numbers[3 + len(TALLY) :]))
        return True

    def _count(self, number: int, first: int, last: int, tally: Tally, clock: Clock) -> bool:
        blocks = {(number, block) for block in range(first, last)}
        if blocks & self._done:
            return False
        self._done |= blocks
        row = self._rows[number]
        self._rows[number] = Row(row.cell, row.tally + tally, row.clock + clock)
        return True

    def _write(self, data: bytes) -> None:
        assert self._file is not None, "the journal is closed"
        # Appending: whatever a recovery cut off, the next byte goes to the end.
        self._file.write(data)
        self._file.flush()
        if monotonic() - self._synced > SYNC_SECONDS:
            os.fsync(self._file.fileno())
            self._synced = monotonic()

    def append(self, task: Task, tally: Tally, clock: Clock) -> None:
        """Record a finished task; on return it outlives this process. Done twice it counts once."""
        if not self._count(task.number, task.first, task.last, tally, clock):
            return
        numbers = (task.number, task.first, task.last, *astuple(tally), *astuple(clock))
        body = ",".join(map(str, numbers)).encode()
        self._write(body + b"," + _check(body) + b"\n")

    def missing(self, *, blocks: int = 4) -> Iterator[Task]:
        """Return what is still to be run, in tasks of at most so many blocks."""
        return iter(list(self.sweep.tasks(blocks=blocks, done=self._done)))

    @property
    def done(self) -> int:
        """How many blocks are recorded."""
        return len(self._done)

    def rows(self) -> tuple[Row, ...]:
        """Return the results so far, in the order of the sweep's cells."""
        return tuple(self._rows)


def _check(body: bytes) -> bytes:
    return f"{zlib.crc32(body):08x}".encode()


def hold(file: BinaryIO, path: Path) -> None:
    """Make sure that no other process has this record open, or raise."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - no such lock on this system
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise BadFile(f"{path}: another process is at work on it; wait for that one") from None


def write_table(path: str | Path, rows: Sequence[Row]) -> None:
    """Write the results, without the clock, one row for each cell; ``.csv`` or ``.parquet``.

    The clock differs from run to run of the same sweep, so it goes to a file of its own: this one
    can be compared byte for byte.
    """
    _write(path, (*CELL, *TALLY), [_values(row) for row in rows])


def write_clock(path: str | Path, rows: Sequence[Row]) -> None:
    """Write the time spent in the engine, one row for each cell; ``.csv`` or ``.parquet``."""
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
    if str(path).endswith(".parquet"):
        _write_parquet(path, columns, rows)
        return
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_aside(path, text.getvalue())


def _write_parquet(path: str | Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("parquet", "pyarrow") from None
    whole = {"vertices", "edges", "visits", "step_limit", "runs", *TALLY, "blocks", "nanoseconds"}
    table = {}
    for place, name in enumerate(columns):
        texts = [row[place] for row in rows]
        table[name] = [int(text) for text in texts] if name in whole else texts
    aside = Path(f"{path}.aside")
    pq.write_table(pa.table(table), aside)
    aside.replace(path)
