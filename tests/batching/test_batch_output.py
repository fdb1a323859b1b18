"""What a batch writes, in every form; what only its custodian may know is his alone."""

from __future__ import annotations

import csv
import json
import stat
from pathlib import Path

import pytest

from pathveil.batching import batch_output
from pathveil.batching.batch_run import read_walks
from pathveil.errors import BadFile, MissingExtra
from pathveil.files.publications.any_publication import read_publication
from pathveil.files.publications.veil_json import parse_publication
from pathveil.reading.assemble import reconstruct
from tests.batches import NETWORK, WANTED, batch, write_walks
from tests.files.test_part_files import left_by_the_dead


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    return write_walks(tmp_path / "walks.txt")


def test_tables_and_folders(walks: Path, tmp_path: Path) -> None:
    batch(NETWORK, walks, tmp_path / "out.csv", workers=1)
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["number"]) for row in rows] == list(WANTED)
    assert rows[0]["walk_link_loss"].startswith("ln 2")
    parse_publication(rows[0]["publication"])
    batch(NETWORK, walks, tmp_path / "out", workers=1)
    found = read_publication(tmp_path / "out" / "000002.veil.json")
    assert reconstruct(found, NETWORK).walk.vertices == tuple("fed")
    parquet = pytest.importorskip("pyarrow.parquet")
    batch(NETWORK, walks, tmp_path / "out.parquet", workers=1)
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == 3


def test_the_certificate_beside_a_batch_is_that_of_its_last(walks: Path, tmp_path: Path) -> None:
    batch(NETWORK, walks, tmp_path / "out.jsonl", workers=1)
    beside = json.loads((tmp_path / "out.jsonl.certificate.json").read_text(encoding="utf-8"))
    last = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    assert beside == json.loads(last)["publication"]["certificate"]
    assert beside["identification"]


def test_a_batch_clears_what_a_killed_one_left_half_written(tmp_path: Path) -> None:
    for name in ("out.jsonl", "out"):
        dead = [left_by_the_dead(tmp_path / name), left_by_the_dead(tmp_path / f"{name}.lines.csv")]
        batch(NETWORK, ["abc"], tmp_path / name, workers=1, force=True)
        assert not any(part.exists() for part in dead)


@pytest.mark.regression("a gap in line numbers told that a walk failed")
def test_a_gap_in_the_numbers_tells_no_failure(walks: Path, tmp_path: Path) -> None:
    """Releases count from 1 whatever failed; the custodian alone can tell which line each is."""
    folder = tmp_path / "out"
    batch(NETWORK, walks, folder, workers=1)
    assert [path.name for path in sorted(folder.iterdir())] == [
        *("000001.veil.json", "000002.veil.json", "000003.veil.json")
    ]
    for path in folder.iterdir():
        assert "line" not in json.loads(path.read_text())
    lines = tmp_path / "out.lines.csv"
    assert lines.read_text() == "number,line\n1,2\n2,4\n3,8\n"
    assert stat.S_IMODE(lines.stat().st_mode) == 0o600
    whole = batch(NETWORK, [*WANTED.values()], tmp_path / "whole", workers=1)
    assert whole.failures == ()
    names = [path.name for path in sorted((tmp_path / "whole").iterdir())]
    assert names == [path.name for path in sorted(folder.iterdir())]
    assert not (tmp_path / "whole.lines.csv").exists()


@pytest.mark.parametrize("ending", ["certificate.json", "lines.csv", "errors.csv"])
@pytest.mark.parametrize("name", ["out", "out.jsonl"])
def test_what_lies_beside_the_output_is_not_replaced_unasked(
    ending: str, name: str, walks: Path, tmp_path: Path
) -> None:
    other = tmp_path / f"{name}.{ending}"
    other.write_text("precious")
    with pytest.raises(BadFile, match=rf"{name}\.{ending}: exists, and a batch writes .*--force"):
        batch(NETWORK, walks, tmp_path / name, workers=1)
    assert {path.name for path in tmp_path.iterdir()} == {walks.name, other.name}
    assert other.read_text() == "precious"
    batch(NETWORK, walks, tmp_path / name, workers=1, force=True)
    assert not other.exists() or other.read_text() != "precious"


@pytest.mark.regression("lists of errors: mode 0600, no planted link")
def test_lists_for_the_custodian_follow_no_planted_link(walks: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("errors", "lines"):
        (tmp_path / f"out.{name}.csv").symlink_to(victim)
    batch(NETWORK, walks, tmp_path / "out", workers=1, force=True)
    assert victim.read_text() == "precious"
    for name in ("errors", "lines"):
        found = tmp_path / f"out.{name}.csv"
        assert not found.is_symlink()
        assert stat.S_IMODE(found.stat().st_mode) == 0o600


def test_bad_files_and_forms_are_refused_before_anything_is_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadFile, match=r"\.xlsx is no form"):
        batch(NETWORK, ["abc"], tmp_path / "out.xlsx")
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n")
    with pytest.raises(BadFile, match="holds no walk"):
        read_walks(empty)
    monkeypatch.setattr(batch_output, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pathveil\[parquet\]"):
        batch(NETWORK, ["abc"], tmp_path / "out.parquet")
    assert list(tmp_path.glob("out*")) == []
