"""Killed at any moment, a journal gives the same table: every prefix of its bytes is tried."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pathveil.errors import BadFile
from pathveil.lab.reproduction.measures import Clock
from pathveil.lab.reproduction.run_chunks import run_task
from pathveil.lab.reproduction.sweep import Cell, Sweep
from pathveil.lab.reproduction.sweep_store import SweepRecord, read_table, write_clock, write_table

SWEEP = Sweep("store", (Cell("exact", 5, 7), Cell("exact", 5, 8)), runs=120)
RESULTS = {
    (task.number, task.first): (task, tally, Clock.of(5))
    for task, tally, _ in map(run_task, SWEEP.tasks(stints=1))
}


def finish(path: Path) -> str:
    """Take the journal up, do what is missing, and return its table as text."""
    with SweepRecord(path, SWEEP) as journal:
        for task in journal.missing(stints=1):
            journal.append(*RESULTS[task.number, task.first])
        table = path.with_suffix(".csv")
        write_table(table, journal.rows())
    return table.read_text()


def test_cut_off_at_any_byte_it_is_taken_up(tmp_path: Path) -> None:
    whole = tmp_path / "whole.journal"
    wanted = finish(whole)
    data = whole.read_bytes()
    path = tmp_path / "cut.journal"
    for end in range(len(data) + 1):
        path.write_bytes(data[:end])
        assert finish(path) == wanted
        assert sorted(path.read_bytes().splitlines()) == sorted(data.splitlines())


def test_a_damaged_line_and_all_behind_it_are_run_again(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    wanted = finish(path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b",", b";", 1)
    path.write_bytes(b"".join(lines))
    with SweepRecord(path, SWEEP) as journal:
        assert journal.done == 1
    assert finish(path) == wanted


def test_a_task_reported_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    with SweepRecord(path, SWEEP) as journal:
        result = RESULTS[0, 0]
        journal.append(*result)
        size = path.stat().st_size
        journal.append(*result)
        assert path.stat().st_size == size
        wider = replace(result[0], last=2)
        journal.append(wider, *result[1:])
        assert (journal.done, journal.rows()[0].tally.runs) == (1, 50)
    assert finish(path) == finish(tmp_path / "y.journal")


def test_the_record_of_another_sweep_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    finish(path)
    with pytest.raises(BadFile, match="another sweep"), SweepRecord(path, replace(SWEEP, runs=7)):
        pass


def test_two_processes_cannot_hold_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    with (
        SweepRecord(path, SWEEP),
        pytest.raises(BadFile, match="another process"),
        SweepRecord(path, SWEEP),
    ):
        pass


def test_tables_are_read_back(tmp_path: Path) -> None:
    finish(tmp_path / "x.journal")
    with SweepRecord(tmp_path / "x.journal", SWEEP) as journal:
        rows = journal.rows()
    write_table(tmp_path / "t.csv", rows)
    write_clock(tmp_path / "c.csv", rows)
    assert read_table(tmp_path / "t.csv", clock=tmp_path / "c.csv") == rows
    assert read_table(tmp_path / "t.csv")[0].clock == Clock()
    broken = (tmp_path / "t.csv").read_text().replace("exact,5,7", "exact,five,7")
    (tmp_path / "t.csv").write_text(broken)
    with pytest.raises(BadFile, match="line 2"):
        read_table(tmp_path / "t.csv")
