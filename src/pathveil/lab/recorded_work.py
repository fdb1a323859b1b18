"""Long work in parts: however often it is stopped, and whoever does it, each part counts once.

What is made of an item depends on the item alone, so a part that was lost with its worker is done
again and comes out the same. Finished parts are recorded in journals, from which stopped work goes
on. A journal that is not there yet is begun with its first part: work that is interrupted before
leaves nothing behind.

A journal is checked lines under a title, which a kill at any moment cannot spoil. The first line of
the file is a title that names exactly this work; every further line is a check sum and a payload,
handed to the system with one call, so it outlives this process. Killed at any moment, the file ends
with a whole line or with a part of one. Everything behind the last line that passes its check is
cut off when the work goes on: that part is done again. One process at a time may hold a journal; a
second one is refused. The file is the owner's alone, a plain file, and is never reached through a
symbolic link somebody planted.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from pathveil.batching.worker_pool import Crew, run_all
from pathveil.errors import BadFile
from pathveil.files.atomic_write import hold_alone
from pathveil.files.safe_open import NotPlain, open_plain

Given = TypeVar("Given")
Made = TypeVar("Made")


class Journal:
    """Payloads recorded so far, open for more.

    Parameters
    ----------
    title
        One line that names the work; a journal with another title is refused.

    Attributes
    ----------
    found
        The payloads that were recorded whole.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "work.journal"
    ...     with Journal(path, "example") as journal:
    ...         journal.append(b"one")
    ...     with Journal(path, "example") as journal:
    ...         print(journal.found)
    (b'one',)
    """

    def __init__(self, path: Path, title: str) -> None:
        self.path, self._title = path, f"{title}\n".encode()
        self.found: tuple[bytes, ...] = ()

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            number = open_plain(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        except NotPlain as error:
            raise BadFile(
                f"{self.path}: {error.strerror}, and a journal is a plain file of its owner: "
                "remove it, or give another name"
            ) from None
        self._file = FileIO(number, "r+")
        try:
            os.fchmod(number, 0o600)
            hold_alone(number, self.path)
            self._recover()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _recover(self) -> None:
        """Keep what was recorded whole, cut off the rest, and begin the file if it is empty."""
        first, *lines = self._file.read().splitlines(keepends=True) or [b""]
        if first != self._title:
            if not self._title.startswith(first):
                raise BadFile(
                    f"{self.path}: is the record of other work (other systems, budgets, figures, "
                    "map, or another number of runs or trials); give another folder, or remove it "
                    "to start again"
                )
            self._file.truncate(0)
            self._write(self._title)
            return
        payloads = []
        for line in lines:
            payload = line[9:-1]
            if line != _line(payload):
                break
            payloads.append(payload)
        self._file.truncate(sum(map(len, [first, *lines[: len(payloads)]])))
        self.found = tuple(payloads)

    def append(self, payload: bytes) -> None:
        """Record a payload, which holds no line end; on return it outlives this process."""
        self._write(_line(payload))

    def _write(self, data: bytes) -> None:
        try:
            written, why = self._file.write(data), os.strerror(errno.ENOSPC)
        except OSError as error:
            written, why = 0, error.strerror or str(error)
        if written != len(data):
            raise BadFile(
                f"{self.path}: cannot be written ({why}); what was recorded before is kept: make "
                "room and run again to go on"
            )


def _line(payload: bytes) -> bytes:
    return b"%08x %b\n" % (zlib.crc32(payload), payload)


@dataclass(frozen=True)
class Job(Generic[Given]):
    """Items to be worked on, under a title that tells this job from every other.

    ``journal`` is where finished parts are recorded; without one nothing is.
    """

    title: str
    items: Sequence[Given]
    journal: Path | None = None


class _Record:
    """What was made of a job's items, by number, and the journal that holds it."""

    def __init__(self, job: Job[Any], stack: ExitStack) -> None:
        self.made: dict[int, Any] = {}
        self._job, self._stack = job, stack
        self._journal: Journal | None = None
        if job.journal is not None and job.journal.exists():
            self._open(job.journal)

    def _open(self, path: Path) -> Journal:
        self._journal = self._stack.enter_context(Journal(path, f"pathveil {self._job.title}"))
        for payload in self._journal.found:
            number, _, packed = payload.partition(b",")
            self.made[int(number)] = json.loads(zlib.decompress(b64decode(packed)))
        return self._journal

    def add(self, number: int, made: Any) -> None:
        """Record a part; on return it outlives this process."""
        if self._job.journal is not None:
            journal = self._journal or self._open(self._job.journal)
            packed = b64encode(zlib.compress(json.dumps(made).encode()))
            journal.append(f"{number},".encode() + packed)
        self.made[number] = made


def run_recorded(
    work: Callable[[Given], Made], jobs: Sequence[Job[Given]], crew: Crew | None = None
) -> list[list[Made]]:
    """Return what was made of each job's items, in their order, all by the same crew.

    Without a crew the work is done in this process.

    What the journals hold is not made again. Starting workers and reading their compiled kernels
    takes seconds: it is done once for all jobs.

    Parameters
    ----------
    work
        What to do with an item; what it makes must be plain numbers, texts, lists and dicts.

    *Cost*: a part costs about 2 ms besides its work, with a pool or with Dask.

    Examples
    --------
    >>> run_recorded(abs, [Job("example", [-3, 4])])
    [[3, 4]]
    """
    crew = crew or Crew(workers=1)
    with ExitStack() as stack:
        records = [_Record(job, stack) for job in jobs]
        missing = [
            (place, number, item)
            for place, (job, record) in enumerate(zip(jobs, records, strict=True))
            for number, item in enumerate(job.items)
            if number not in record.made
        ]
        # Slow and fast parts mixed, always in the same way: the time left can be told by the share
        # done, and no worker is left with all the slow ones.
        missing.sort(key=lambda part: zlib.crc32(f"{part[0]} {part[1]}".encode()))
        total = sum(len(job.items) for job in jobs)
        done = total - len(missing)
        report = crew.progress or (lambda _done, _total: None)
        report(done, total)
        workers = min(crew.workers, len(missing) or 1)
        for place, number, made in run_all(
            partial(_do_part, work), missing, workers=workers, scheduler=crew.scheduler
        ):
            records[place].add(number, made)
            done += 1
            report(done, total)
        return [
            [record.made[number] for number in range(len(job.items))]
            for job, record in zip(jobs, records, strict=True)
        ]


def _do_part(work: Callable[[Given], Made], part: tuple[int, int, Given]) -> tuple[int, int, Made]:
    place, number, item = part
    return place, number, work(item)
