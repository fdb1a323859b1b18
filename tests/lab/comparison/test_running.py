from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pathveil import Network
from pathveil.errors import BadFile, PathveilError
from pathveil.lab.comparison.comparison_run import (
    CHUNK,
    TrialRecord,
    compare,
    fingerprint,
    write_comparison,
)
from pathveil.lab.comparison.comparison_tables import read_csv
from pathveil.lab.comparison.games import Row
from pathveil.lab.comparison.ours import ROWS, own_systems
from pathveil.lab.maps import random_map


def test_a_small_comparison_is_written_whole(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    comparison, _ = compare(
        budgets=(1, 20),
        trials=25,
        lessons=5,
        systems=("SDD", "PriSTE presence, alpha 5"),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen[0] == (0, 25)
    assert seen[-1] == (25, 25)
    assert "too few" in comparison.verdict
    table, picture, page = write_comparison(comparison, tmp_path / "out")
    assert {r["system"] for r in read_csv(table)} >= {"SDD", "pathveil balanced"}
    assert "<svg" in picture.read_text(encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    assert "| SDD | one location |" in text
    assert "alpha used on average" in text


def test_chunks_and_workers_do_not_matter() -> None:
    one, first = compare(budgets=(1,), trials=22, systems=("SDD",), lessons=5)
    two, second = compare(budgets=(1,), trials=22, systems=("SDD",), lessons=5, workers=2)
    assert [str(row) for row in first] == [str(row) for row in second]
    assert one.verdict == two.verdict


def test_a_budget_given_twice_counts_once() -> None:
    comparison, rows = compare(budgets=(1, 1.0, 0.5), trials=2, systems=("SDD",), lessons=5)
    assert {r["budget"] for r in comparison.records} == {0.5, 1.0}
    assert len(rows) == 2 * 2 * (1 + len(ROWS))


def test_a_comparison_that_was_stopped_goes_on(tmp_path: Path) -> None:
    class Stop(Exception): ...

    def stop(done: int, _total: int) -> None:
        if done:
            raise Stop

    given = {"budgets": (1,), "trials": 45, "systems": ("SDD",), "lessons": 5}
    whole, rows = compare(**given)  # type: ignore[arg-type]
    journal = tmp_path / "comparison.journal"
    with pytest.raises(Stop):
        compare(**given, journal=journal, progress=stop)  # type: ignore[arg-type]
    # killed in the middle of a line: what is not whole was not done
    journal.write_bytes(journal.read_bytes() + b"00000000 20,half a li")
    seen: list[int] = []
    again, more = compare(
        **given,  # type: ignore[arg-type]
        journal=journal,
        progress=lambda done, _: seen.append(done),
    )
    assert seen == [20, 40, 45]  # the first chunk was not played again
    assert [str(row) for row in rows] == [str(row) for row in more]
    assert again.verdict == whole.verdict
    with pytest.raises(BadFile, match="another comparison"):
        compare(**{**given, "trials": 46}, journal=journal)  # type: ignore[arg-type]


def test_a_real_map_is_played_with_its_reach(tmp_path: Path) -> None:
    network, _ = random_map(30, 45, np.random.default_rng(0))
    comparison, _ = compare(
        network=network,
        name="town",
        visits=6,
        reach=1.5,
        budgets=(1,),
        trials=3,
        lessons=5,
        systems=("SDD",),
        journal=tmp_path / "town.journal",
    )
    assert {r["map"] for r in comparison.records} == {"town, paths of 6"}


ROW: Row = {"trial": 0, "system": "x", "credit": 0.5}


def test_what_was_recorded_is_there_again_and_the_rest_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "comparison.journal"
    with TrialRecord(path, "digest", 2 * CHUNK + 3) as record:
        assert [len(chunk) for chunk in record.missing] == [CHUNK, CHUNK, 3]
        record.append(range(CHUNK, 2 * CHUNK), [ROW])
        record.append(range(CHUNK, 2 * CHUNK), [ROW, ROW])
    with TrialRecord(path, "digest", 2 * CHUNK + 3) as record:
        assert (record.rows, record.done) == ([ROW], CHUNK), "a chunk recorded twice counts once"
        assert [chunk.start for chunk in record.missing] == [0, 2 * CHUNK]
        record.append(range(7, 9), [ROW])
        assert record.done == CHUNK, "what is no chunk of this comparison is not counted"


def test_a_line_cut_off_by_a_kill_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "comparison.journal"
    with TrialRecord(path, "digest", 2 * CHUNK) as record:
        record.append(range(CHUNK), [ROW])
        record.append(range(CHUNK, 2 * CHUNK), [ROW])
    path.write_bytes(path.read_bytes()[:-5])
    with TrialRecord(path, "digest", 2 * CHUNK) as record:
        assert [chunk.start for chunk in record.missing] == [CHUNK]


def test_the_record_of_another_comparison_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "comparison.journal"
    with TrialRecord(path, "one", CHUNK) as record:
        record.append(range(CHUNK), [ROW])
    with pytest.raises(PathveilError, match="another comparison"), TrialRecord(path, "two", CHUNK):
        pass


def test_everything_that_decides_a_row_decides_the_digest() -> None:
    network = Network.parse("ab bc")
    board = "random maps, 12 vertices"
    one = own_systems([1.0])
    digests = [
        fingerprint(one, seed=1, trials=40, board=board),
        fingerprint(one, seed=2, trials=40, board=board),
        fingerprint(one, seed=1, trials=60, board=board),
        fingerprint(one, seed=1, trials=40, board=board + ", 20 links"),
        fingerprint(one, seed=1, trials=40, board=board, network=network),
        fingerprint(own_systems([2.0]), seed=1, trials=40, board=board),
    ]
    assert len(set(digests)) == len(digests)
    assert digests[0] == fingerprint(own_systems([1.0]), seed=1, trials=40, board=board)
