"""A comparison that is stopped goes on where it was, and never with another's record."""

from __future__ import annotations

from pathlib import Path

import pytest

from pathveil import Network
from pathveil.errors import PathveilError
from pathveil.lab.comparison.games import Row
from pathveil.lab.comparison.records import CHUNK, TrialRecord, fingerprint
from pathveil.lab.comparison.veiled import own_systems

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
        fingerprint(one, seed=1, trials=40, board=board + ", 20 edges"),
        fingerprint(one, seed=1, trials=40, board=board, network=network),
        fingerprint(own_systems([2.0]), seed=1, trials=40, board=board),
        fingerprint(own_systems([1.0], universe=True), seed=1, trials=40, board=board),
    ]
    assert len(set(digests)) == len(digests)
    assert digests[0] == fingerprint(own_systems([1.0]), seed=1, trials=40, board=board)
