"""Which columns are the ends: known words are found, others are asked for, none becomes an edge."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from pathveil.cli.main import run
from pathveil.errors import BadFile
from pathveil.files.networks.headers import KNOWN_WORDS, MOST_COLUMNS, end_columns, parse_columns


@pytest.mark.parametrize(
    ("header", "ends"),
    [
        ("source,target", (0, 1)),
        ("origin,destination", (0, 1)),
        ("supplier,customer", (0, 1)),
        ("source_id,target_id", (0, 1)),
        ("id,supplier,customer", (1, 2)),
        ("Target Node,Weight,Source Node", (2, 0)),
        ("from-station,to-station,minutes", (0, 1)),
        ("source_id,source_name,target_id,target_name", (0, 2)),
        ("nodeFrom,nodeTo", (0, 1)),
    ],
)
def test_known_words_are_a_header(header: str, ends: tuple[int, int]) -> None:
    cells = header.split(",")
    found = end_columns(cells, "x.csv")
    assert (found.left, found.right) == ends
    assert found.header == (cells[ends[0]], cells[ends[1]])


def test_no_word_is_a_counter_of_another_pair() -> None:
    """Each pair finds itself, so that a new pair cannot shadow an old one unnoticed."""
    for first, second in KNOWN_WORDS:
        found = end_columns(["weight", second, first], "x.csv")
        assert found.header == (first, second)


def test_other_words_are_no_header() -> None:
    found = end_columns(["ida", "vera"], "x.csv")
    assert (found.left, found.right, found.header) == (0, 1, ())
    assert not found.doubtful


def test_asked_by_name_leaves_no_doubt() -> None:
    found = end_columns(["No", "Left", "Right"], "x.csv", ("right", "Left"))
    assert (found.left, found.right, found.header) == (2, 1, ("Right", "Left"))
    assert found.asked
    assert not end_columns(["u", "v"], "x.csv", ("u", "v")).doubtful
    assert end_columns(["u", "v"], "x.csv").doubtful == {"u", "v"}


def test_asked_by_number() -> None:
    assert end_columns(["1", "2", "3"], "x.csv", ("2", "3")).header == ()
    # A header of known words is one whichever way its columns are named.
    assert end_columns(["source", "target"], "x.csv", ("2", "1")).header == ("target", "source")


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (("x", "b"), "no columns are called 'x'"),
        (("a", "A"), "two different columns"),
        (("B", "a"), "2 columns are called 'B'"),
        (("1", "4"), "no columns 1 and 4"),
        (("0", "1"), "no columns 0 and 1"),
    ],
)
def test_what_is_not_there_is_refused(chosen: tuple[str, str], said: str) -> None:
    cells = ["a", "b", "b"] if said.startswith("2") else ["a", "b", "c"]
    with pytest.raises(BadFile, match=said):
        end_columns(cells, "x.csv", chosen)


@pytest.mark.parametrize("text", ["a", "a,b,c", "a,", ",b", "a,a", ""])
def test_two_columns_are_written_with_a_comma(text: str) -> None:
    with pytest.raises(BadFile, match="expected two columns with a comma"):
        parse_columns(text)


def test_the_first_of_two_columns_of_one_name_is_meant() -> None:
    found = end_columns(["x", "target", "Source", "target", "source"], "x.csv")
    assert (found.left, found.right) == (2, 1)


def test_no_words_are_looked_for_in_an_endless_first_line() -> None:
    class Untouched(list[str]):
        """Cells that may be counted, and taken by place; going through them all is a fault."""

        def __iter__(self) -> NoReturn:
            raise AssertionError("each cell was looked at")

    cells = Untouched([""] * (MOST_COLUMNS + 1))
    with pytest.raises(BadFile, match=r"more than 10000 columns.*--columns 1,2"):
        end_columns(cells, "x.csv")
    assert end_columns(cells, "x.csv", ("3", "1")).need == 3  # who says which is heard
    widest = ["from", *[""] * (MOST_COLUMNS - 2), "to"]
    assert end_columns(widest, "x.csv").right == MOST_COLUMNS - 1


def test_a_file_of_commas_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "n.csv").write_text("," * (MOST_COLUMNS + 5) + "\n")
    assert run(["network", "digest", str(tmp_path / "n.csv")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "n.csv: found more than 10000 columns" in said
