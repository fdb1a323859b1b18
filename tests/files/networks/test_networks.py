"""Networks from files: what is read, what is refused, and with which words."""

from __future__ import annotations

import gzip
import json
import pickle
import re
from functools import partial
from pathlib import Path
from typing import Literal

import networkx as nx
import pytest

from pathveil.errors import (
    BadFile,
    BadNetwork,
    NameClash,
    NotConnected,
    NotSimple,
    PathveilError,
    UnknownVertex,
)
from pathveil.files.networks import graph_files, network_reader
from pathveil.files.networks.network_reader import parse_network, read_network, read_row
from pathveil.files.networks.network_writer import network_content
from pathveil.files.networks.raw_network import finish
from pathveil.files.walks import parse_walk

TRIANGLE = (("a", "b"), ("a", "c"), ("b", "c"))
HERE, REAL = Path(__file__).parent, Path(__file__).parents[2] / "data"
GRAPHML, GEXF, GML, NODE_LINK = (
    (HERE / f"triangle.{kind}").read_text("utf-8") for kind in ("graphml", "gexf", "gml", "json")
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", "source,target\na,b\nb,c\nc,a\n"),
        ("x.csv", "id,from,to,weight\n1,a,b,2\n2,b,c,2\n3,c,a,1\n"),
        ("x.csv", "a;b;1,5\nb;c;2,5\nc;a;3,5\n"),
        ("x.csv", '"a", b\nb ,"c"\r\n\n# x "y\nc,a'),
        ("x.tsv", "a\tb\nb\tc\nc\ta\n"),
        ("x.txt", "a b\nb  c 7\nc a\n"),
        ("x.edges", "\n\n# only comments first\n\na,b\nb,c\nc,a\n"),
        ("x.csv", "\ufeffa,b\nb,c\nc,a\n"),
        ("x.graphml", GRAPHML),
        ("x.xml", GRAPHML),
        ("x.gexf", GEXF),
        ("x", GEXF),
        ("x.gml", GML),
        ("x.dat", GML),
        ("x.json", NODE_LINK),
        ("x.dat", NODE_LINK.replace("links", "edges")),
        ("x.json", '[["a","b"],["b","c"],["c","a"]]'),
    ],
)
def test_every_format_gives_the_same_network(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    names: Literal["id"] | None = "id" if content.startswith("<") else None
    assert read_network(path, names=names).links == TRIANGLE
    if names is None:
        assert read_row(path, "b") == ("a", "c")


def test_wide_text_is_read() -> None:
    assert parse_network("a\tb\nb\tc\n".encode("utf-16")).links == (("a", "b"), ("b", "c"))


@pytest.mark.parametrize("content", [GEXF, GML, NODE_LINK])
def test_positions_are_kept(content: str) -> None:
    names: Literal["id"] | None = "id" if content == GEXF else None
    assert parse_network(content, names=names).coordinates == {
        "a": (1, 2),
        "b": (3, 4),
        "c": (5, 6),
    }


def test_latitude_and_longitude_are_positions_and_labels_may_name() -> None:
    by_id = parse_network(GRAPHML, names="id")
    assert by_id.coordinates == {"a": (2, 1.5), "b": (3, 1), "c": (0, 0)}
    assert parse_network(GRAPHML).vertices == ("Aix", "Bar", "Ci")
    assert parse_network(GEXF).vertices == ("A", "B", "C")
    assert parse_network(GEXF.replace('"C"', '"B"')).vertices == ("a", "b", "c")
    assert parse_network(GML, names="id").vertices == ("1", "2", "3")


def test_half_a_map_is_kept() -> None:
    for text in (GEXF.replace('<viz:position x="1" y="2"/>', ""), GEXF.replace('x="1"', 'x="nan"')):
        network = parse_network(text)
        assert network.coordinates == {"B": (3, 4), "C": (5, 6)}
        again = parse_network(network_content(network, "x.json"))
        assert again.coordinates == network.coordinates


def test_a_header_that_is_a_vertex_is_an_edge() -> None:
    assert parse_network("u,v\nv,w\n").links == (("u", "v"), ("v", "w"))
    assert parse_network("u,v\na,b\n").links == (("a", "b"),)


@pytest.mark.regression("one label on two vertices took their labels from all")
def test_vertices_that_share_a_label_are_named_by_label_and_id() -> None:
    labels = ("Rome", "Rome", "Bari", "Pisa")
    graph = {"nodes": [{"id": i, "label": label} for i, label in enumerate(labels)]}
    text = json.dumps({**graph, "links": [[0, 2], [2, 1], [1, 3]]})
    network = parse_network(text)
    assert network.vertices == ("Bari", "Pisa", "Rome (0)", "Rome (1)")
    with pytest.raises(UnknownVertex, match=r"did you mean 'Rome \(0\)' or 'Rome \(1\)'"):
        parse_walk("Rome\nBari\nRome (1)\n", network=network)


@pytest.mark.regression("one missing label took their labels from all, without a word")
def test_vertices_without_a_label_are_named_by_id() -> None:
    for labels, vertices, said in (
        (("Rome", "Bari", "", ""), ("2", "3", "Bari", "Rome"), 2),
        (("Rome", "3", "Bari", ""), ("0", "1", "2", "3"), 1),  # "3" would be two vertices
        (("Rome", "", "", ""), ("0", "1", "2", "3"), 1),
        (("", "", "", ""), ("0", "1", "2", "3"), 0),
    ):
        graph = {"nodes": [{"id": i, "label": label} for i, label in enumerate(labels)]}
        text = json.dumps({**graph, "links": [[0, 1], [1, 2], [2, 3]]})
        raw = graph_files.raw_of_json(text, "x.json")
        assert (tuple(sorted(raw.names)), len(raw.remarks)) == (vertices, said)


BAD: list[tuple[str, str, type[PathveilError], str]] = [
    ("x.csv", "", BadFile, ""),
    ("x.csv", "# a\n\n", BadFile, ""),
    ("x.csv", ",,,\n", BadFile, ""),
    ("x.csv", "source,target\n", BadFile, "line 1"),
    ("x.csv", "a,b\nb,c\nc", BadFile, "line 3"),
    ("x.csv", "a\nb\n", BadFile, "line 1"),
    ("x.csv", "a,b\n,b\n", BadFile, "line 2"),
    ("x.csv", 'a,b\n"b,c\nc,d\n', BadFile, "line 2"),
    ("x.csv", 'a,b\nb,"c"d\n', BadFile, "line 2"),
    ("x.csv", "a,b\nb;c\n", BadFile, "line 2"),
    ("x.csv", "a,b\nb,b\n", NotSimple, "line 2"),
    ("x.csv", "a,b\n\n# x\nb,c\nb,a\n", NotSimple, "line 5"),
    ("x.csv", "a,b\nb,c\nx,y\n", NotConnected, ""),
    ("x.graphml", " ", BadFile, ""),
    ("x.graphml", GRAPHML[:400], BadFile, "line 7"),
    ("x.graphml", "<html></html>", BadFile, "line 1"),
    ("x.xml", "<svg/>", BadFile, "line 1"),
    ("x.graphml", GRAPHML.replace('target="a"', 'target="z"'), UnknownVertex, "line 11"),
    ("x.graphml", GRAPHML.replace('node id="c"', 'node id="a"'), NameClash, "line 9"),
    (
        "x.graphml",
        '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<graphml>&b;</graphml>',
        BadFile,
        "line 1",
    ),
    (
        "x.gexf",
        '<!DOCTYPE g [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<gexf>&a;</gexf>',
        BadFile,
        "line 1",
    ),
    ("x.graphml", "<graphml><graph/><graph/></graphml>", BadFile, "line 1"),
    ("x.graphml", "<graphml><graph><hyperedge/></graph></graphml>", BadFile, ""),
    ("x.graphml", "<graphml>" + "<a>" * 2000, BadFile, "line 1"),
    ("x.gexf", "<gexf><node/></gexf>", BadFile, "line 1"),
    ("x.gexf", '<gexf><edge source="a"/></gexf>', BadFile, "line 1"),
    ("x.gexf", "<gexf/>", BadFile, ""),
    ("x.gexf", '<gexf xmlns="http://www.gexf.net/1.2draft">\n<y:graph/></gexf>', BadFile, "line 2"),
    ("x.graphml", "<graphml>\n<y:graph/></graphml>", BadFile, "line 2"),
    ("x.gml", "", BadFile, ""),
    ("x.gml", "graph [ node [ ] ]", BadFile, ""),
    ("x.gml", GML[:150], BadFile, "line 6"),
    ("x.gml", GML[:42], BadFile, "line"),
    ("x.gml", "graph [\n  node ]\n", BadFile, "line 2"),
    ("x.gml", "node [ id 1 ]", BadFile, ""),
    ("x.gml", "graph [ node [ " * 9000, BadFile, ""),
    ("x.gml", GML.replace("target 1", "target 9"), BadFile, ""),
    ("x.gml", GML.replace("target 1", ""), BadFile, ""),
    ("x.gml", "graph [ node [ id " + "1" * 5000 + " ] ]", BadFile, ""),
    ("x.json", "", BadFile, ""),
    ("x.json", NODE_LINK[:50], BadFile, "line 1"),
    ("x.json", '"abc"', BadFile, ""),
    ("x.json", '{"nodes": []}', BadFile, ""),
    ("x.json", '{"edges": [], "links": []}', BadFile, ""),
    ("x.json", '{"edges": 7}', BadFile, "edges"),
    ("x.json", '{"nodes": {}, "edges": []}', BadFile, "nodes"),
    ("x.json", '{"nodes": [{}], "edges": []}', BadFile, "nodes[0]"),
    ("x.json", '{"nodes": [null], "edges": []}', BadFile, "nodes[0]"),
    ("x.json", '{"edges": [{"target": 1}]}', BadFile, "edges[0]"),
    ("x.json", '{"edges": [5]}', BadFile, "edges[0]"),
    ("x.json", '[["", "a"]]', BadFile, "edges[0]"),
    ("x.json", '{"nodes": ["a"], "edges": [["a", "z"]]}', UnknownVertex, "edges[0]"),
    ("x.json", '{"nodes": [1, "1"], "edges": []}', NameClash, "nodes[1]"),
    ("x.json", '[[1, 2], ["1", 2]]', NameClash, "edges[1]"),
    ("x.json", "[[1,2],[2,1]]", NotSimple, "edges[1]"),
    ("x.json", '{"nodes": ["a"], "edges": []}', BadNetwork, ""),
    ("x.pickle", "hello", BadFile, ""),
]


def test_bad_files_are_refused_with_the_place(tmp_path: Path) -> None:
    for name, content, error, place in BAD:
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        with pytest.raises(error) as caught:
            read_network(path)
        said = str(caught.value)
        assert said.startswith(f"{path}, {place}" if place else f"{path}:"), said
        assert "\n" not in said


def test_binary_files_are_refused(tmp_path: Path) -> None:
    for name, content, place in (
        ("x.csv", b"a,b\nb,\x00\n", ", line 2"),
        ("x.csv", b"a,b\nb,\x81\n", ", line 2"),
        ("x.json", b'["\xff"]', ", line 1"),
        ("x.gml", b"graph [\n\x00", ", line 2"),
        ("x.graphml", b"<graphml>\n\x00</graphml>", ", line 2"),
        ("x.csv", gzip.compress(b"a,b", mtime=0), ""),
        ("x.csv", b"PK\x03\x04rest", ""),
        ("x.csv", b"\xff\xfe\x00", ""),
        ("x.dat", pickle.dumps([1, 2]), ", line 1"),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(BadFile, match=re.escape(f"{path}{place}")):
            read_network(path)


def test_size_limit_missing_file_and_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, graph = tmp_path / "x.csv", tmp_path / "x.json"
    table.write_text("a,b\nb,c\n")
    graph.write_text('[["a", "b"]]')
    monkeypatch.setattr(graph_files, "GRAPH_LIMIT", 7)
    assert len(read_network(table)) == 3
    for wrong in (graph, tmp_path / "none.csv", tmp_path):
        with pytest.raises(BadFile, match=str(wrong)):
            read_network(wrong)
    monkeypatch.setattr(network_reader, "STREAM_LIMIT", 7)
    with pytest.raises(BadFile, match="limit is 7"):
        read_network(table)
    with pytest.raises(BadFile, match="has no labels"):
        parse_network("a,b", names="label")
    with pytest.raises(BadFile, match="is no table"):
        parse_network('[["a", "b"]]', columns=("a", "b"))


def test_decisions_are_told() -> None:
    notes: list[str] = []
    labelled = [{"id": 1, "label": "x"}, {"id": 2, "label": "y"}, {"id": 3, "label": "z"}]
    links = [[1, 2], [2, 1], [3, 3], [2, 3]]
    graph = {"directed": True, "nodes": labelled, "links": links}
    read = partial(graph_files.raw_of_json, json.dumps(graph), "x.json")
    network = finish(read(), simplify=True, note=notes.append)
    assert network.links == (("x", "y"), ("y", "z"))
    assert len(notes) == 4
    with pytest.raises(NotSimple):
        finish(read(), simplify="parallel")
    one = parse_network("from,to\na,b\nb,a\n", simplify="parallel")
    assert one.links == (("a", "b"),)


def test_simplify_and_largest_component_repair_on_demand() -> None:
    text = "a,b\nb,a\nb,b\nb,c\nx,y\n"
    network = parse_network(text, simplify=True, largest_component=True)
    assert network.links == (("a", "b"), ("b", "c"))
    tie = parse_network("c,d\na,b\n", largest_component=True, columns=("1", "2"))
    assert tie.vertices == ("a", "b")
    directed = '{"directed": true, "edges": [["a","b"],["b","a"]]}'
    assert parse_network(directed, simplify=True).links == (("a", "b"),)


def test_a_participant_needs_only_its_row(tmp_path: Path) -> None:
    path = tmp_path / "row.csv"
    path.write_text("b,a\nb,c\nx,y\nx,y\nz,z\n")
    assert read_row(path, "b") == ("a", "c")
    assert read_row(path, "x") == ("y",)
    with pytest.raises(NotSimple, match="line 5"):
        read_row(path, "z")
    with pytest.raises(UnknownVertex):
        read_row(path, "q")
    path = tmp_path / "row.json"
    path.write_text('{"nodes": ["a","b","c"], "edges": [["a","b"],["b","a"],["c","c"]]}')
    assert read_row(path, "a") == ("b",)


def test_what_networkx_writes_is_read(tmp_path: Path) -> None:
    graph = nx.relabel_nodes(nx.petersen_graph(), {i: f"Ort é {i}" for i in range(10)})
    expected = tuple(sorted(tuple(sorted(edge)) for edge in graph.edges()))
    nx.write_graphml(graph, tmp_path / "g.graphml")
    nx.write_gexf(graph, tmp_path / "g.gexf")
    nx.write_gml(graph, tmp_path / "g.gml")
    (tmp_path / "g.json").write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    nx.write_edgelist(graph, tmp_path / "g.tsv", delimiter="\t", data=False)
    for name in ("g.graphml", "g.gexf", "g.gml", "g.json", "g.tsv"):
        assert read_network(tmp_path / name).links == expected, name


def test_real_networks_are_read() -> None:
    sizes = {
        "Abilene": (11, 14),
        "Dataxchange": (6, 11),
        "AttMpls": (25, 56),
        "Geant2012": (40, 61),
    }
    for name, size in sizes.items():
        network = read_network(REAL / f"{name}.graphml", simplify=True)
        assert (len(network), len(network.links)) == size
        if name != "AttMpls":
            assert read_network(REAL / f"{name}.graphml") == network
    with pytest.raises(NotSimple):
        read_network(REAL / "AttMpls.graphml")


def test_streets_come_with_their_coordinates() -> None:
    """A file as OSMnx writes it: arcs both ways, two roads between two crossings, a loop."""
    path = HERE / "streets.graphml"
    network = read_network(path, simplify=True, largest_component=True)
    assert network.links == (("101", "102"), ("102", "103"))
    assert network.coordinates == {
        "101": (-104.25, 39.5),
        "102": (-104.5, 39.5),
        "103": (-104.5, 39.75),
    }


def test_labels_of_json_may_name() -> None:
    nodes = [{"id": 1, "label": "Aix"}, {"id": 2, "name": "Bar"}]
    text = json.dumps({"nodes": nodes, "edges": [[1, 2]]})
    assert parse_network(text, names="label").vertices == ("Aix", "Bar")
    for text in ('{"nodes": [1, 2], "edges": [[1, 2]]}', "[[1, 2]]", GML.replace("label", "no")):
        with pytest.raises(NameClash):
            parse_network(text, names="label")


def test_gexf_attributes_and_graphml_defaults_may_be_coordinates() -> None:
    gexf = """<gexf xmlns="http://gexf.net/1.3"><graph><attributes class="node">
    <attribute id="0" title="Lat" type="double"/><attribute id="1" title="Lng" type="double"/>
    </attributes><nodes>
    <node id="a"><attvalues><attvalue for="0" value="1"/><attvalue for="1" value="2"/></attvalues>
    </node><node id="b"><attvalues><attvalue for="0" value="3"/><attvalue for="1" value="4"/>
    </attvalues></node></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>"""
    assert parse_network(gexf).coordinates == {"a": (2, 1), "b": (4, 3)}
    graphml = """<graphml><key id="x" for="node" attr.name="x"><default>7</default></key>
    <key id="y" for="node" attr.name="y"/><graph><node id="a"><data key="y">1</data></node>
    <node id="b"><data key="y">2</data></node><edge source="a" target="b"/></graph></graphml>"""
    assert parse_network(graphml).coordinates == {"a": (7, 1), "b": (7, 2)}


def test_odd_but_valid_files_are_read() -> None:
    assert parse_network("graph [ w NAN node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]")
    assert parse_network("a,b\n\nb,c\n ,\n".replace(" ,\n", "")).links == (("a", "b"), ("b", "c"))


def test_reading_says_how_far_it_is(tmp_path: Path) -> None:
    file, seen = tmp_path / "map.csv", list[tuple[int, int]]()
    file.write_text("".join(f"v{i},v{i + 1}\n" for i in range(2000)))
    read_network(file, progress=lambda done, total: seen.append((done, total)))
    size = file.stat().st_size
    assert {total for _, total in seen} == {size}
    assert seen[-1] == (size, size)
