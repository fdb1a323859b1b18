"""GraphML and GEXF: nothing is expanded, ids name, labels on demand, faults with their line."""

from __future__ import annotations

import io

import networkx as nx
import pytest

from pathveil.errors import BadFile, NameClash, UnknownVertex
from pathveil.files.networks.raw_network import finish
from pathveil.files.networks.xml_graphs import draft_of_xml

GRAPH = """<graphml>
<key id="d0" for="node" attr.name="label"/>
<graph>
<node id="0"><data key="d0">Ulm</data></node>
<node id="1"><data key="d0">Bonn</data></node>
<node id="2"><data key="d0">Ulm</data></node>
<edge source="0" target="1"/>
<edge source="1" target="2"/>
</graph>
</graphml>"""


def read(text: str, **options: object) -> object:
    return draft_of_xml(io.BytesIO(text.encode()), "x.xml", **options)  # type: ignore[arg-type]


def test_ids_name_because_labels_repeat() -> None:
    draft = draft_of_xml(io.BytesIO(GRAPH.encode()), "x.graphml")
    assert finish(draft).vertices == ("0", "1", "2")
    with pytest.raises(NameClash, match=r"line 6: vertex 'Ulm' .*line 4.*--names id"):
        read(GRAPH, labels=True)
    distinct = GRAPH.replace('<node id="2"><data key="d0">Ulm', '<node id="2"><data key="d0">Trier')
    draft = draft_of_xml(io.BytesIO(distinct.encode()), "x.graphml", labels=True)
    assert finish(draft).vertices == ("Bonn", "Trier", "Ulm")
    with pytest.raises(BadFile, match=r"line 4: <node> without a label or name.*--names id"):
        read(GRAPH.replace('<data key="d0">Ulm</data>', ""), labels=True)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        (GRAPH.replace(' id="1"', ""), BadFile, "line 5: <node> without an id"),
        (GRAPH.replace(' target="1"', ""), BadFile, "line 7: <edge> without a target"),
        (GRAPH.replace('target="2"', 'target="9"'), UnknownVertex, "line 8.*'9'"),
        (GRAPH.replace('id="1"', 'id="0"'), NameClash, r"line 5.*declared before \(line 4\)"),
        (GRAPH.replace("</graph>", "<graph></graph></graph>"), BadFile, "line 9: a second or nes"),
        (GRAPH.replace("<edge", "<hyperedge", 1), BadFile, "line 7: a hyperedge"),
        (GRAPH[:-12], BadFile, "cut off|well-formed"),
        ("<svg/>", BadFile, "the document is <svg>"),
        ("  ", BadFile, "is empty"),
    ],
)
def test_faults_have_their_line(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        read(text)


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE graphml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE graphml [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_nothing_is_expanded_and_no_file_is_reached_for(declared: str) -> None:
    with pytest.raises(BadFile, match="none is ever expanded"):
        read(declared + GRAPH.replace("Bonn", "&a;"))


def test_gexf_has_labels_and_places_of_its_own() -> None:
    graph = nx.Graph([("a", "b")])
    graph.nodes["a"]["viz"] = {"position": {"x": 1.5, "y": 2.0, "z": 0.0}}
    graph.nodes["b"]["viz"] = {"position": {"x": 0.0, "y": 0.0, "z": 0.0}}
    text = "\n".join(nx.generate_gexf(graph))
    network = finish(draft_of_xml(io.BytesIO(text.encode()), "x.gexf", root="gexf"))
    assert network.coordinates == {"a": (1.5, 2.0), "b": (0.0, 0.0)}
    with pytest.raises(BadFile, match="expected <graphml>"):
        read(text, root="graphml")


def test_elements_do_not_lie_deep_in_one_another() -> None:
    """Ten megabytes of open elements took 535."""
    with pytest.raises(BadFile, match="line 2: elements lie 1001 deep in one another"):
        read("<graphml>\n" + "<a>" * 5000)
