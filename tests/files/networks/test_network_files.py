"""A cleaned network: canonical bytes that read back to the same network without any option."""

from __future__ import annotations

import stat
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil import Network
from pathveil.errors import BadFile
from pathveil.files.networks.network_reader import parse_network, read_network, read_row
from pathveil.files.networks.network_writer import edge_table, network_content, save_network
from pathveil.files.text_tables import KNOWN_WORDS

NAMES = st.lists(
    st.one_of(
        st.sampled_from(["source", "u", "from", "#x", '"', "a,b", "c;d", "e\tf", " g", "1", "id"]),
        st.text(max_size=4).filter(bool),
    ),
    min_size=2,
    max_size=6,
    unique=True,
)


@given(NAMES, st.sampled_from(["x.csv", "x.tsv", "x.json"]))
def test_what_is_written_reads_back_or_is_refused(names: list[str], file: str) -> None:
    network = Network.from_links(pairwise(names))
    try:
        content = network_content(network, file)
    except BadFile:
        assert file != "x.json", "JSON holds every name"
        return
    again = parse_network(content, format="json" if file == "x.json" else "table")
    assert again == network
    assert network_content(again, file) == content


def test_the_order_of_the_input_does_not_matter(tmp_path: Path) -> None:
    one = parse_network("source,target\nb,a\nb,c\n")
    two = parse_network("c b 7\na b 9\n")
    save_network(one, tmp_path / "one.csv")
    assert (tmp_path / "one.csv").read_bytes() == network_content(two, "two.csv")
    assert read_network(tmp_path / "one.csv").digest == two.digest


@pytest.mark.regression("a cleaned network was readable by all")
def test_a_cleaned_network_is_the_owners_alone(tmp_path: Path) -> None:
    save_network(parse_network("a,b"), tmp_path / "one.csv")
    assert stat.S_IMODE((tmp_path / "one.csv").stat().st_mode) == 0o600


def test_a_vertex_called_like_a_header_does_not_become_an_edge() -> None:
    network = Network.from_links([("source", "a"), ("a", "b")])
    content = network_content(network, "x.csv")
    assert content.startswith(b"from,to\n")
    assert parse_network(content) == network
    everything = sorted({pair[0] for pair in KNOWN_WORDS} | {pair[1] for pair in KNOWN_WORDS})
    with pytest.raises(BadFile, match=r"write it as \.json"):
        network_content(Network.from_links(pairwise(everything)), "x.csv")


def test_other_names_are_refused() -> None:
    with pytest.raises(BadFile, match=r"written as \.csv, \.tsv or \.json"):
        network_content(Network.parse("ab"), "x.graphml")


def test_a_partys_rows_are_read_by_what_they_are(tmp_path: Path) -> None:
    """Rows of a vertex called "source" stood under the header source,target: one link too many."""
    content = edge_table([("a", "source"), ("b", "source")])
    assert content is not None
    (tmp_path / "rows.csv").write_bytes(content)
    assert read_row(tmp_path / "rows.csv", "source") == ("a", "b")
