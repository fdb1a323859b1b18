"""Edge lists: what is a header, what an edge, and what is asked rather than guessed."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadFile, UnknownVertex
from pathveil.files.networks.edge_lists import edges_of, row_of_edge_list
from pathveil.files.networks.network_reader import parse_network

TRIANGLE = "anna,bo\nbo,cy\ncy,anna\n"


@pytest.mark.parametrize(
    "header",
    ["origin,destination", "supplier,customer", "source_id,target_id", "Source ID;Target ID"],
)
def test_a_header_of_known_words_is_never_an_edge(header: str) -> None:
    body = TRIANGLE.replace(",", ";") if ";" in header else TRIANGLE
    assert parse_network(f"{header}\n{body}").vertices == ("anna", "bo", "cy")


def test_a_number_before_supplier_and_customer_is_no_vertex() -> None:
    text = "id,supplier,customer\n1,anna,bo\n2,bo,cy\n"
    assert parse_network(text).links == (("anna", "bo"), ("bo", "cy"))


@pytest.mark.parametrize("largest", [False, True])
def test_a_header_of_unknown_words_is_asked_about(largest: bool) -> None:  # noqa: FBT001
    """With --largest-component it was an edge of its own part, dropped or, in a tie, kept."""
    text = f"firma,kunde\n{TRIANGLE}"
    said = re.escape('columns=("firma", "kunde") (--columns firma,kunde)')
    with pytest.raises(BadFile, match=f"line 1: .*{said}"):
        parse_network(text, largest_component=largest)
    assert len(parse_network(text, columns=("firma", "kunde"))) == 3


def test_a_first_column_that_counts_lines_is_asked_about() -> None:
    body = "1,anna,bo\n2,bo,cy\n3,cy,dan\n"
    with pytest.raises(BadFile, match=r"merely counts the lines.*--columns 2,3"):
        parse_network(body)
    assert len(parse_network(body, columns=("2", "3"))) == 4
    with pytest.raises(BadFile, match=r"no other line names .*--columns firma,kunde"):
        parse_network("nr,firma,kunde\n" + body)
    # pandas writes its index without a name
    with pytest.raises(BadFile, match="has no name"):
        parse_network(",firma,kunde\n" + body)
    assert len(parse_network(",firma,kunde\n" + body, columns=("firma", "kunde"))) == 4


def test_a_path_of_numbers_with_weights_is_no_count() -> None:
    assert len(parse_network("0,1,0.5\n1,2,0.5\n2,3,0.5\n")) == 4


def test_an_edge_that_stands_alone_can_be_told_from_a_header() -> None:
    text = "x,y\na,b\nb,c\n"
    kept = parse_network(text, columns=("1", "2"), largest_component=True)
    assert kept.vertices == ("a", "b", "c")


def test_a_single_edge_is_an_edge() -> None:
    assert parse_network("anna,bo\n").links == (("anna", "bo"),)


def test_columns_belong_to_tables() -> None:
    with pytest.raises(BadFile, match="is no table"):
        parse_network('[["a", "b"]]', columns=("a", "b"))


@given(st.permutations(["a", "b", "c", "d", "e"]), st.booleans())
def test_asking_for_the_columns_changes_no_edge(
    order: list[str],
    swapped: bool,  # noqa: FBT001
) -> None:
    rows = [f"{order[i]},{i},{order[i + 1]}" for i in range(4)]
    chosen = ("right", "left") if swapped else ("left", "right")
    found = parse_network("\n".join(["left,nr,right", *rows]), columns=chosen)
    by_number = parse_network("\n".join(rows), columns=("3", "1") if swapped else ("1", "3"))
    assert found == by_number
    assert len(found.links) == 4


def test_a_participants_lines_are_read_by_the_same_columns() -> None:
    rows = b"nr,firma,kunde\n1,anna,bo\n2,cy,anna\n"
    with pytest.raises(BadFile, match="--columns firma,kunde"):
        row_of_edge_list(io.BytesIO(rows), "mine.csv", "1")
    found = row_of_edge_list(io.BytesIO(rows), "mine.csv", "anna", columns=("firma", "kunde"))
    assert found == ("bo", "cy")
    # Two columns, torn, and none of one's business: still no reason to refuse.
    torn = b"x,y\nanna,bo\nv,w\n"
    assert row_of_edge_list(io.BytesIO(torn), "mine.csv", "anna") == ("bo",)
    assert row_of_edge_list(io.BytesIO(b"anna,bo,7\n"), "mine.csv", "anna") == ("bo",)


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    text = b"# links\n\norigin\tdestination\n\na\tb\n"
    assert list(edges_of(io.BytesIO(text), "x.tsv")) == [(5, "a", "b")]


def test_who_is_not_in_the_file_is_told_so() -> None:
    with pytest.raises(UnknownVertex, match=r"x\.csv: holds no vertex 'zoe'"):
        row_of_edge_list(io.BytesIO(TRIANGLE.encode()), "x.csv", "zoe")
