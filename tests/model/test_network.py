from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import pathveil as pv
from pathveil import Network
from pathveil.errors import BadArgument, BadNetwork, NameClash, NotConnected, NotSimple
from pathveil.model.network import ends_of_frame
from tests.strategies import networks


@pytest.mark.parametrize(
    ("links", "error", "words"),
    [
        ([("a", "b"), ("b", "b")], NotSimple, "link 2 joins 'b' to itself"),
        ([("a", "b"), ("b", "a")], NotSimple, "'a' - 'b' is given 2 times"),
        ([("a", "b"), ("c", "d")], NotConnected, "2 components"),
        ([(1, 2), ("1", 3)], NameClash, "both called '1'"),
        ([], BadNetwork, "no vertex"),
        ([("", "a")], BadNetwork, "empty name"),
    ],
)
def test_unusable_networks_say_why(
    links: list[tuple[object, object]], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Network.from_links(links)


def test_missing_links_leave_the_rest() -> None:
    network = Network.parse("ab bc ca")
    assert network.without(("c", "b")).links == (("a", "b"), ("a", "c"))
    assert network.without(("a", "b"), ("a", "c")).components() == 2
    with pytest.raises(BadNetwork, match="'z' is not a vertex"):
        network.without(("a", "z"))
    with pytest.raises(BadNetwork, match="is not a link"):
        network.without(("a", "b")).without(("a", "b"))


def test_a_network_is_taken_as_it_is() -> None:
    assert len(Network.from_links([(1, 2), (1.0, 2)])) == 3, "equal, but 1 and 1.0 are two names"
    network = Network.parse("ab bc")
    assert Network.of(network) is network


def test_rows_of_a_frame_are_merged_or_left_out_only_if_asked() -> None:
    pandas = pytest.importorskip("pandas")
    twice = pandas.DataFrame({"source": [1, 2], "target": [2, 1]})
    with pytest.raises(NotSimple, match="simplify=True"):
        Network.from_pandas(twice)
    assert Network.from_pandas(twice, simplify=True).links == (("1", "2"),)
    apart = pandas.DataFrame({"source": [1, 3, 4], "target": [2, 4, 5]})
    with pytest.raises(NotConnected):
        Network.from_pandas(apart)
    assert len(Network.from_pandas(apart, largest_component=True)) == 3
    assert len(Network.from_pandas(apart, connected=False)) == 5


def test_positions_come_from_networkx() -> None:
    graph: nx.Graph[str] = nx.Graph([("a", "b")])
    graph.nodes["a"]["pos"] = (0, 1)
    graph.nodes["b"].update(x=2, y=3)
    network = Network.from_networkx(graph)
    assert network.coordinates == {"a": (0.0, 1.0), "b": (2.0, 3.0)}
    assert network.to_networkx().nodes["b"]["pos"] == (2.0, 3.0)


def test_vertices_without_a_place_have_no_coordinates() -> None:
    graph: nx.Graph[str] = nx.Graph([("a", "b"), ("b", "c")])
    graph.nodes["a"].update(Latitude=52.1, Longitude=5.3)
    graph.nodes["b"].update(Latitude=52.1)
    network = Network.from_networkx(graph)
    assert network.coordinates == {"a": (5.3, 52.1)}
    assert network.without(("a", "b")).coordinates == network.coordinates
    assert Network.parse("ab").coordinates is None


def test_what_is_given_as_a_network_hangs_together_unless_told() -> None:
    torn = nx.Graph([("a", "b"), ("c", "d")])
    with pytest.raises(NotConnected):
        Network.of(torn)
    assert Network.of(torn, connected=False).vertices == ("a", "b", "c", "d")


def test_a_vertex_may_be_there_without_a_link() -> None:
    assert Network.from_links([("a", "b")], vertices="bz", connected=False).vertices == (
        "a",
        "b",
        "z",
    )
    with pytest.raises(NotConnected):
        Network.from_links([("a", "b")], vertices="bz")


def test_vertices_go_to_networkx_by_name_or_as_they_came() -> None:
    network = Network.from_links([(1, 2), (2, 30)])
    assert sorted(network.to_networkx()) == ["1", "2", "30"]
    assert sorted(network.to_networkx(labels=True)) == [1, 2, 30]


@given(networks())
def test_networkx_round_trip(network: Network) -> None:
    assert Network.from_networkx(network.to_networkx()) == network
    alone = network.without(network.links[0])
    assert tuple(sorted(alone.to_networkx())) == network.vertices, "those without a link as well"


def test_places_may_be_known_for_all_for_some_or_for_none() -> None:
    pairs, called = np.array([[0, 1]]), {"1": 1, "2": 2}
    for places in ({"1": (0.0, 0.0), "2": (1.0, 0.0)}, {"2": (1.0, 0.0)}, {}):
        made = Network.placed(("1", "2"), pairs, places, labels=called)
        assert made.coordinates == (places or None)
        assert made.labels == called
        assert Network.placed(("1", "2"), pairs, places).labels == {}


def test_a_network_in_one_piece_is_its_own_largest_component() -> None:
    whole = Network.parse("ab bc")
    assert whole.largest_component() is whole


def test_numbers_come_back_as_numbers() -> None:
    frame = pd.DataFrame({"supplier": [7, 8, 9], "customer": [8, 9, 10], "tons": [1.5, 2, 3]})
    network = pv.Network.from_pandas(frame, source="supplier", target="customer")
    assert network.vertices == ("10", "7", "8", "9")
    found = pv.reconstruct(pv.publish(network, [7, 8, 9], source=pv.Seeded(1)), network)  # type: ignore[arg-type]
    assert found.walk.vertices == ("7", "8", "9")
    assert found.labels == (7, 8, 9)
    assert all(type(label) is int for label in found.labels)


@pytest.mark.regression("after dropna 2.0 and 2 were two vertices")
def test_whole_floats_are_whole_numbers_and_others_are_refused() -> None:
    frame = pd.DataFrame({"source": [1.0, 2.0, None], "target": [2, 3, 4]})
    assert pv.Network.from_pandas(frame.dropna()).links == (("1", "2"), ("2", "3"))
    frame.loc[2, "source"] = 2.5
    with pytest.raises(BadNetwork):
        pv.Network.from_pandas(frame)


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA, pd.NaT])
def test_a_gap_is_refused_with_its_row(gap: Any) -> None:
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", gap]}, dtype=object)
    with pytest.raises(BadNetwork, match=r"row 2 .*column 'target'.*dropna"):
        pv.Network.from_pandas(frame)


def test_what_is_no_frame_or_lacks_the_column() -> None:
    with pytest.raises(BadNetwork, match=r"no column 'source', its columns are 'u', 'v'"):
        pv.Network.from_pandas(pd.DataFrame({"u": ["a"], "v": ["b"]}))
    with pytest.raises(BadNetwork, match=r"columns are 0, 1, .*, 11; name") as wide:
        pv.Network.from_pandas(pd.DataFrame([range(5_000)]))
    assert len(str(wide.value)) < 250, "as many columns as can be read"
    with pytest.raises(TypeError, match=r"write pv\.Network\.from_links"):
        ends_of_frame([("a", "b")], "source", "target")
    with pytest.raises(NameClash):
        pv.Network.from_pandas(pd.DataFrame({"source": [1, "1"], "target": ["a", "a"]}))


@pytest.mark.parametrize("link", [["a"], ["a", "b", "c"], ("a",), "ab", 7])
def test_what_is_no_pair_is_no_link(link: object) -> None:
    assert len(Network.from_links([["a", "b"]]).links) == 1  # type: ignore[list-item]
    with pytest.raises(BadArgument, match=r"link 2 is .* expected a pair"):
        Network.from_links([("a", "b"), link])  # type: ignore[list-item]
