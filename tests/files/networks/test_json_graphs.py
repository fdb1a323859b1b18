"""JSON: node-link data of both dialects, plain pairs, and the path to whatever is wrong."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import pytest

from pathveil.errors import BadFile, NameClash, UnknownVertex
from pathveil.files.networks.json_graphs import draft_of_json
from pathveil.files.networks.raw_network import finish

PATH = (("a", "b"), ("b", "c"))


@pytest.mark.parametrize(
    "found",
    [
        [["a", "b"], ["b", "c"]],
        {"edges": [["a", "b"], ["b", "c", {"weight": 2}]]},
        {"links": [{"source": "a", "target": "b"}, {"source": "c", "target": "b"}]},
        {"nodes": ["a", "b", {"id": "c"}], "edges": [["a", "b"], ["b", "c"]]},
        nx.node_link_data(nx.path_graph(["a", "b", "c"]), edges="edges"),
        nx.node_link_data(nx.path_graph(["a", "b", "c"]), edges="links"),
    ],
)
def test_the_same_network_in_every_dress(found: Any) -> None:
    assert finish(draft_of_json(json.dumps(found), "x.json")).links == PATH


@pytest.mark.parametrize(
    ("found", "error", "said"),
    [
        (7, BadFile, "holds a number, expected an object"),
        ({}, BadFile, "neither edges nor links"),
        ({"edges": [], "links": []}, BadFile, "both edges and links"),
        ({"edges": "ab"}, BadFile, "edges: holds a text, expected a list"),
        ({"nodes": {}, "edges": []}, BadFile, "nodes: holds an object"),
        ({"nodes": [{"name": "a"}], "edges": []}, BadFile, r"nodes\[0\]: has no id"),
        ({"edges": [["a"]]}, BadFile, r"edges\[0\]: holds \['a'\]"),
        ({"edges": [{"source": "a"}]}, BadFile, r"edges\[0\]: has no target"),
        ({"edges": [["a", None]]}, BadFile, r"edges\[0\]\[1\]: holds nothing \(null\)"),
        ({"edges": [["a", True]]}, BadFile, r"edges\[0\]\[1\]: holds true or false"),
        ({"nodes": ["a"], "edges": [["a", "b"]]}, UnknownVertex, r"edges\[0\].*'b'"),
        ({"nodes": [1, "1"], "edges": []}, NameClash, "both called '1'"),
        ({"edges": [[1, 2], ["1", 2]]}, NameClash, r"edges\[1\].*both called '1'"),
    ],
)
def test_the_path_to_a_fault(found: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        draft_of_json(json.dumps(found), "x.json")


def test_labels_name_where_they_are_there_and_distinct() -> None:
    nodes = [{"id": 0, "label": "Ulm"}, {"id": 1, "name": "Bonn"}]
    given = {"nodes": nodes, "edges": [[0, 1]]}
    assert draft_of_json(json.dumps(given), "x.json", labels=True).names == ["Ulm", "Bonn"]
    nodes[1]["name"] = "Ulm"
    with pytest.raises(NameClash, match=r"nodes\[1\].*nodes\[0\].*--names id"):
        draft_of_json(json.dumps(given), "x.json", labels=True)
    del nodes[1]["name"]
    with pytest.raises(BadFile, match=r"nodes\[1\]: has no label or name.*--names id"):
        draft_of_json(json.dumps(given), "x.json", labels=True)
    with pytest.raises(BadFile, match=r"has no nodes.*--names id"):
        draft_of_json('[["a", "b"]]', "x.json", labels=True)
