"""Python that helps: what people write first works, or says what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import pathveil as pv


def test_a_list_and_a_name_are_enough() -> None:
    network = pv.Network.parse("ab bc cd bd")
    publication = pv.publish(network, ["a", "b", "c"], policy="sealed")  # type: ignore[arg-type]
    assert pv.reconstruct(publication, network).walk[0] == "a"
    with pytest.raises(TypeError, match=r"the network is a list; write pv\.Network\.from_links"):
        pv.publish([("a", "b")], ["a", "b"])  # type: ignore[arg-type]
    with pytest.raises(pv.errors.BadBudget, match="write for instance frontier:walk_loss=1/2"):
        pv.publish(network, ["a", "b"], policy="frontier")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the policy is a int"):
        pv.publish(network, ["a", "b"], policy=3)  # type: ignore[arg-type]


def test_a_networkx_graph_is_a_network() -> None:
    graph = nx.path_graph(4)
    publication = pv.publish(graph, [0, 1, 2])  # type: ignore[arg-type]
    assert pv.reconstruct(publication, pv.Network.from_networkx(graph)).walk.vertices == tuple(
        "012"
    )
    assert pv.reconstruct(publication, graph).labels == (0, 1, 2)
    with pytest.raises(TypeError, match=r"write pv\.Network\.from_links"):
        pv.reconstruct(publication, "graph.csv")  # type: ignore[arg-type]
    streets: nx.MultiDiGraph[str] = nx.MultiDiGraph(
        [("b", "a"), ("a", "b"), ("a", "a"), ("x", "y")]
    )
    found = pv.Network.from_networkx(streets, simplify=True, largest_component=True)
    assert found.links == (("a", "b"),)
    with pytest.raises(pv.errors.NotSimple):
        pv.Network.from_networkx(streets)


def test_the_root_has_what_a_day_needs(tmp_path: Path) -> None:
    network, walk = pv.Network.parse("ab bc cd bd"), pv.Walk("abcd")
    (tmp_path / "walk.txt").write_text("a\nb\nc\nd\n")
    assert pv.read_walk(tmp_path / "walk.txt") == walk
    publication = pv.publish(network, walk)
    assert all(finding.holds for finding in pv.verify(publication, network, walk))
    for name in ("x.svg", "x.dot", "x.tex", "x.txt"):
        assert pv.draw(publication, tmp_path / name) == (tmp_path / name).read_text()
    assert pv.draw(publication, tmp_path / "x.png") == (tmp_path / "x.png").read_bytes()
    assert pv.draw(network, walk=walk).startswith("<svg")
    with pytest.raises(ValueError, match="expected svg, png, dot, tex, txt"):
        pv.draw(publication, tmp_path / "x.bmp")
    with pytest.raises(ValueError, match="never shows its walk"):
        pv.draw(publication, walk=walk)
    assert pv.__version__.count(".") == 2


def test_labels_of_any_kind_come_back() -> None:
    graph = nx.grid_2d_graph(3, 3)
    network = pv.Network.from_networkx(graph)
    walk = [(0, 0), (0, 1), (1, 1), (2, 1)]
    found = pv.reconstruct(pv.publish(network, walk, source=pv.Seeded(2)), network)  # type: ignore[arg-type]
    assert found.labels == tuple(walk)
    assert found.walk[0] == "(0, 0)"
    assert set(network.to_networkx(labels=True)) == set(graph)
    assert set(network.to_networkx()) == set(network.vertices)
    kept = network.without(("(0, 0)", "(0, 1)")).largest_component()
    assert kept.label("(2, 2)") == (2, 2)
    # Labels decorate: they change no value, and a network of texts has none.
    assert network == pv.Network.from_links(network.links)
    assert pv.Network.parse("ab").labels == {}


def test_every_repr_fits_a_line() -> None:
    network = pv.Network.from_links((i, i + 1) for i in range(60))
    walk = pv.Walk(range(40))
    policies = [
        pv.Policy.balanced(),
        pv.Policy.paper(vertex="0.125", link="0.125"),
        pv.Policy.remembering(usage="1/7"),
    ]
    for policy in policies:
        publication = pv.publish(network, walk, policy=policy, source=pv.Seeded(3))
        found = pv.reconstruct(publication, network)
        for value in (publication, found, network, walk, policy):
            assert len(repr(value)) <= 120, repr(value)
            assert "\n" not in repr(value)
        assert "0" not in repr(found).replace("40", ""), "a reading's repr shows no visit"
    small, missing = pv.Network.parse("ab bc cd bd de"), ("c", "d")
    held = pv.Knowledge(small.without(missing))
    inference = pv.attack(pv.publish(small, pv.Walk("abcd"), source=pv.Seeded(4)), held)
    assert len(repr(inference)) <= 120
    assert repr(inference).startswith("<Inference: ")


def test_every_verb_takes_what_publish_takes_or_says_what_to_write() -> None:
    network = pv.Network.parse("ab bc cd bd")
    graph: Any = nx.Graph(network.links)  # what people write, whatever the types say
    walk: Any = ["a", "b", "c"]
    other: Any = ["b", "d"]
    publication = pv.publish(graph, walk, source=pv.Seeded(1))
    assert all(finding.holds for finding in pv.verify(publication, graph, walk))
    assert pv.draw(graph, walk=walk).startswith("<svg")
    path = nx.path_graph(20)
    assert pv.group(path, classes=8, source=pv.Seeded(1)).classes == 8
    both = pv.publish_together(graph, [walk, other])
    assert len(both) == 2
    graph.remove_edge("b", "c")
    graph.remove_edge("b", "d")  # what an adversary holds may be torn
    assert pv.attack(publication, pv.Knowledge(graph, missing=2)).candidates
    unlike: Any = 7
    told: list[tuple[str, Any]] = [
        (r"write attack\(publication, network, lacking=", lambda: pv.attack(publication, unlike)),
        (r"write pv\.Walk", lambda: pv.publish(network, unlike)),
        (r"pv\.Seeded\(7\)", lambda: pv.publish(network, walk, source=unlike)),
        (r"write pv\.Publication\.load", lambda: pv.reconstruct(unlike, network)),
        (r"pv\.read_network", lambda: pv.publish(unlike, walk)),
    ]
    for words, mistake in told:
        with pytest.raises(TypeError, match=words):
            mistake()
