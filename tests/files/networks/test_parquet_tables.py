"""Networks from Parquet tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pathveil.errors import BadFile, NotSimple, PathveilError
from pathveil.files.networks import parquet_tables
from pathveil.files.networks.network_reader import read_network, read_row

TRIANGLE = (("a", "b"), ("a", "c"), ("b", "c"))


def table(folder: Path, columns: dict[str, Any], name: str = "x.parquet") -> Path:
    pq.write_table(pa.table(columns), folder / name)
    return folder / name


@pytest.mark.parametrize(
    "columns",
    [
        {"source": ["a", "b", "c"], "target": ["b", "c", "a"]},
        {"weight": [1.0, 2.0, 3.0], "u": ["a", "b", "c"], "v": ["b", "c", "a"]},
        {"first": ["a", " b ", "c"], "second": ["b", "c", "a"]},
        {"u": pa.array(["a", "b", "c"]).dictionary_encode(), "v": ["b", "c", "a"]},
    ],
)
def test_a_table_is_a_network(
    tmp_path: Path, columns: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_tables, "_ROWS", 2)
    assert read_network(table(tmp_path, columns)).links == TRIANGLE
    assert read_network(table(tmp_path, columns, "x.dat")).links == TRIANGLE
    assert read_row(tmp_path / "x.parquet", "a") == ("b", "c")


def test_whole_numbers_become_their_text(tmp_path: Path) -> None:
    assert read_network(table(tmp_path, {"u": [1, 2], "v": [2, 3]})).vertices == ("1", "2", "3")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"u": ["a"]}, "1 columns, expected two"),
        ({"u": ["a"], "v": [1.5]}, "expected the names"),
        ({"u": ["a", None], "v": ["b", "c"]}, "row 2: column 'u' is empty"),
        ({"u": ["a", " "], "v": ["b", "c"]}, "row 2: column 'u' is empty"),
        ({"u": pa.array([], pa.string()), "v": pa.array([], pa.string())}, "no row"),
    ],
)
def test_a_table_that_is_none_is_refused(
    tmp_path: Path, columns: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadFile, match=said):
        read_network(table(tmp_path, columns))


def test_parallel_edges_are_named_by_their_row(tmp_path: Path) -> None:
    path = table(tmp_path, {"u": ["a", "b", "b"], "v": ["b", "c", "a"]})
    with pytest.raises(NotSimple, match="row 3"):
        read_network(path)


@pytest.mark.parametrize("length", [4, 20, 200])
def test_a_file_cut_off_is_refused(tmp_path: Path, length: int) -> None:
    path = table(tmp_path, {"u": ["a", "b"], "v": ["b", "c"]})
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(PathveilError, match="cannot be read as Parquet"):
        read_network(path)
    with pytest.raises(BadFile, match="no labels"):
        read_network(table(tmp_path, {"u": ["a"], "v": ["b"]}), names="label")


def test_columns_of_unknown_words_are_asked_for(tmp_path: Path) -> None:
    """The first two were taken, and a number of the row became a vertex."""
    path = table(tmp_path, {"nr": [1, 2], "firma": ["a", "b"], "kunde": ["b", "c"]})
    with pytest.raises(BadFile, match=r"'nr', 'firma', 'kunde'.*--columns A,B"):
        read_network(path)
    assert read_network(path, columns=("firma", "kunde")).links == (("a", "b"), ("b", "c"))
    known = table(tmp_path, {"id": [1], "supplier": ["a"], "customer": ["b"]})
    assert read_network(known).vertices == ("a", "b")
    assert read_network(table(tmp_path, {"x": ["a"], "y": ["b"]})).vertices == ("a", "b")
