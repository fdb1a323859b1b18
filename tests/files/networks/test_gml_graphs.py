"""GML: labels name where they can, ids where they must, and every fault has its line."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadFile, NameClash, UnknownVertex
from pathveil.files.networks.gml_graphs import draft_of_gml
from pathveil.files.networks.raw_network import finish

TWINS = """graph [
  node [ id 0 label "Ulm" ]
  node [ id 1 label "Bonn" ]
  node [ id 2 label "Ulm" ]
  edge [ source 0 target 1 ]
  edge [ source 1 target 2 ]
]"""


def test_labels_that_repeat_give_way_to_ids() -> None:
    assert finish(draft_of_gml(TWINS, "x.gml")).vertices == ("0", "1", "2")
    distinct = TWINS.replace('id 2 label "Ulm"', 'id 2 label "Trier"')
    assert finish(draft_of_gml(distinct, "x.gml")).vertices == ("Bonn", "Trier", "Ulm")
    assert finish(draft_of_gml(distinct, "x.gml", labels=False)).vertices == ("0", "1", "2")


def test_who_insists_on_labels_is_told_what_to_say_instead() -> None:
    with pytest.raises(NameClash, match=r"line 4: vertex 'Ulm' was declared before .*--names id"):
        draft_of_gml(TWINS, "x.gml", labels=True)
    with pytest.raises(BadFile, match=r"line 2: a node without a label.*--names id"):
        draft_of_gml("graph [\nnode [ id 0 ]\n]", "x.gml", labels=True)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("graph [\nnode [ label 1 ]\n]", BadFile, "line 2: a node without an id"),
        ("graph [\nnode [ id 1 ]\nedge [ source 1 ]\n]", BadFile, "line 3: an edge without a t"),
        ("graph [\nnode [ id 1 ]\nedge [ source 1 target 9 ]\n]", UnknownVertex, "line 3"),
        ("graph [\nnode [ id 1 ]", BadFile, "line 2: the file ends before the graph opened on li"),
        ("graph [ node ]", BadFile, "found '\\]', expected a value"),
        ("graph [ ] graph [ ]", BadFile, "holds 2 graphs"),
        ("creator 7", BadFile, "holds 0 graphs"),
        ("graph [ id " + "9" * 500 + " ]", BadFile, "a number of 500 digits"),
        ("graph [ ; ]", BadFile, "cannot make sense of"),
    ],
)
def test_faults_have_their_line(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        draft_of_gml(text, "x.gml")


def test_a_place_may_stand_in_graphics() -> None:
    nodes = "node [ id 1 graphics [ x 1.5 y -2 ] ] node [ id 2 x 0 y 0 ]"
    text = f"graph [ {nodes} edge [ source 1 target 2 ] ]"
    network = finish(draft_of_gml(text, "x.gml"))
    assert network.coordinates == {"1": (1.5, -2.0), "2": (0.0, 0.0)}


def test_lists_do_not_lie_too_deep_in_one_another() -> None:
    """No recursion of ours ends at any depth; but ten megabytes of open lists took a thousand."""
    deep = "graph [ " + "a [ " * 900 + "] " * 900 + "]"
    assert draft_of_gml(deep, "x.gml").names == []
    with pytest.raises(BadFile, match="line 2: lists lie 1001 deep in one another"):
        draft_of_gml("graph [\n" + "a [ " * 20_000, "x.gml")


PRINTABLE = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])


@given(st.lists(st.text(PRINTABLE, min_size=1), min_size=2, max_size=6, unique=True))
def test_what_networkx_writes_is_read(names: list[str]) -> None:
    """Quotes, ampersands and all that is not ASCII are written as entities."""
    text = "\n".join(nx.generate_gml(nx.path_graph(names)))
    assert set(draft_of_gml(text, "x.gml").names) == set(names)
