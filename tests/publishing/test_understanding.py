"""Python that helps: what people write first works, or says what to write."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd
import pytest

import pathveil as pv


def test_a_list_and_a_name_are_enough() -> None:
    network = pv.Network.parse("ab bc cd bd")
    publication = pv.publish(network, ["a", "b", "c"], policy="sealed")  # type: ignore[arg-type]
    assert pv.reconstruct(publication, network).walk[0] == "a"
    links: Any = list(network.links)
    assert pv.reconstruct(publication, links).walk == pv.Walk("abc")
    assert pv.plan(links, walks=1, length=2) == pv.plan(network, walks=1, length=2)
    with pytest.raises(pv.errors.BadBudget):
        pv.publish(network, ["a", "b"], policy="frontier")  # type: ignore[arg-type]


def test_a_networkx_graph_is_a_network() -> None:
    graph = nx.path_graph(4)
    publication = pv.publish(graph, [0, 1, 2])  # type: ignore[arg-type]
    assert pv.reconstruct(publication, pv.Network.from_networkx(graph)).walk.vertices == tuple(
        "012"
    )
    assert pv.reconstruct(publication, graph).labels == (0, 1, 2)
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
    assert pv.draw(publication, tmp_path / "x.png") == pv.draw(publication)
    assert (tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG"
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
    walk, fits = pv.Walk(range(40)), pv.plan(network, walks=3, length=4)
    policies = [
        pv.Policy.balanced(),
        pv.Policy.paper(vertex="0.125", link="0.125"),
        pv.Policy.remembering(usage="1/7"),
    ]
    for policy in policies:
        publication = pv.publish(network, walk, policy=policy, source=pv.Seeded(3))
        found = pv.reconstruct(publication, network)
        promise, place = publication.certificate, publication.series or policy
        checked = pv.verify(publication)
        values = (publication, found, network, walk, policy, checked, promise, place)
        for value in (*values, promise.rows[0], fits):
            assert len(repr(value)) <= 120, repr(value)
            assert "\n" not in repr(value)
        assert "0" not in repr(found).replace("40", ""), "a reading's repr shows no visit"
    small, missing = pv.Network.parse("ab bc cd bd de"), ("c", "d")
    held = pv.Knowledge(small.without(missing))
    inference = pv.attack(pv.publish(small, pv.Walk("abcd"), source=pv.Seeded(4)), held)
    assert len(repr(inference)) <= 120
    assert f"{inference.success:.1%} ({inference.control:.1%} without" in str(inference)


def test_a_partner_reads_its_own_places_by_its_own_names() -> None:
    network = pv.Network.from_links([(1, 2), (2, 3), (3, 4), (2, 4)])
    publication = pv.publish(network, pv.Walk([1, 2, 4]))
    status = pv.read_vertex(publication, 2, [1, 3, 4])
    assert [link.there[0] for link in status.links] == ["1", "4"]
    assert pv.read_link(publication, 4, 2).on_walk
    assert not pv.read_link(publication, 3, 2).on_walk


def test_a_grouping_takes_the_recommended_number_of_classes() -> None:
    ring = nx.cycle_graph(400)
    assert pv.group(ring, source=pv.Seeded(1)).terms.classes == 64


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


def test_links_somebody_lacks_are_given_as_people_write_them() -> None:
    network = pv.Network.from_links([(1, 2), (2, 3), (3, 4), (4, 5), (2, 4)])
    published = pv.publish(network, pv.Walk([1, 2, 3, 4, 5]), policy="sealed")
    ways: list[Any] = [("2", "3"), (2, 3), [(2, 3)], [("3", "2")], [(2, 3), (3, 2), ("2", 3)]]
    for lacking in ways:
        inference = pv.attack(published, network, lacking=lacking)
        assert inference.posterior_of((3, 2)) == inference.posterior_of([(3, 2)]) == 0.25
    graph: Any = network.to_networkx()
    assert pv.attack(published, graph, lacking=[(2, 3)]) == inference
    two = network.without((2, 3), (4, 2))
    assert two == network.without([("2", "3"), ("2", "4")]) == network.without([(3, 2), [2, 4]])
    assert network.without(2, 3) == network.without((2, 3))
    grid = pv.Network.from_networkx(nx.grid_2d_graph(2, 2))
    assert grid.without(((0, 0), (0, 1))) == grid.without([((0, 1), (0, 0))])


@pytest.mark.regression("publish advised arguments it does not have; a set passed for a walk")
def test_what_is_no_network_walk_or_publication_is_said_to_be_none() -> None:
    network, walk = pv.Network.parse("ab bc cd bd"), pv.Walk("abc")
    published: Any = pv.publish(network, walk)
    verbs: Any = pv
    graph: Any = network.to_networkx()
    lacks: Any = [("a", "b")]
    mistakes: list[Callable[[], object]] = [
        verbs.Network,
        lambda: verbs.Network(nx.path_graph(3)),
        lambda: verbs.Network([("a", "b")]),
        lambda: verbs.Network(["a", "b"], [("a", "b")]),
        lambda: verbs.Network.from_links("ab"),
        lambda: verbs.Network.from_links([("a", "b", "c")]),
        lambda: verbs.Network.from_networkx(network.links),
        lambda: verbs.Network.from_pandas(network.links),
        lambda: verbs.Walk(7),
        lambda: verbs.publish("network.csv", walk),
        lambda: verbs.publish(walk, network),
        lambda: verbs.publish(network, 7),
        lambda: verbs.publish(network, "walk.txt"),
        lambda: verbs.publish(["a", "b"], graph),
        *(
            partial(verbs.publish, graph, wrong)
            for wrong in (
                *("a b c", ["ab", ["b", "c"]], [walk], graph, {"a": 1, "b": 2}, {"a", "b"}),
                *(pd.DataFrame({"a": [1]}), [["a", "b"], ["b", "c"]]),
            )
        ),
        lambda: published.same_branch("a", "b"),
        lambda: published.save(5),
        lambda: verbs.read_vertex(network, "a", "b"),
        lambda: verbs.attack([published, published], network, lacking=lacks),
        lambda: verbs.publish(network, walk, policy=7),
        lambda: verbs.publish(network, walk, source=7),
        lambda: verbs.publish(network, walk, layering="exakt"),
        lambda: verbs.publish(network, walk, direction=True),
        lambda: verbs.publish(network, walk, form="sketched"),
        lambda: verbs.publish(network, walk, universe=7),
        lambda: verbs.publish(network, walk, grouping="groups.json"),
        lambda: verbs.publish(network, walk, after=published),
        lambda: verbs.publish(network, walk, after=["first.veil.json"]),
        lambda: verbs.reconstruct(network, published),
        lambda: verbs.reconstruct(published, "network.csv"),
        lambda: verbs.verify("route.veil.json"),
        lambda: verbs.attack(published, network),
        lambda: verbs.attack(published, pv.Knowledge(network), lacking=lacks),
        lambda: verbs.attack(published, network, lacking=[]),
        lambda: verbs.attack(published, network, lacking="ab"),
        lambda: verbs.attack(published, network, lacking=[("a", "b", "c")]),
        lambda: verbs.attack(network, published, lacking=lacks),
        lambda: verbs.audit(7, (1, 2)),
        lambda: verbs.draw(published, "x.jpeg"),
        lambda: verbs.draw(published, walk=walk),
        lambda: verbs.draw(network, walk),
        lambda: verbs.Policy("sealed"),
        lambda: verbs.Publication(network, walk),
    ]
    for number, mistake in enumerate(mistakes):
        with pytest.raises(pv.errors.BadArgument):
            pytest.fail(f"mistake {number} gave {mistake()!r}")
    says: list[tuple[Callable[[], object], str]] = [
        (lambda: verbs.draw(published.certificate), "type Certificate; draw.. draws a pub"),
        (lambda: verbs.publish(walk, network), "swapped"),
        (lambda: verbs.publish(["a", "b"], graph), "swapped"),
        (lambda: verbs.publish(graph, [("a", "b"), ("b", "c")]), "list of links"),
        (lambda: verbs.Network.from_links(pd.DataFrame({"u": [1], "v": [2]})), "from_pandas"),
        (lambda: verbs.publish(network, walk, direction=False), "'public' or 'hidden'"),
        (lambda: verbs.Network.from_links([(1, 2), (3, 4)]), "largest_component=True"),
        (lambda: verbs.reconstruct(published, network.without("b", "c")), "pv.read_vertex"),
    ]
    for links in ([(1, 1), (1, 2)], [(1, 2), (3, 4)], [(1, 2), (2, 1)]):
        torn = partial(verbs.publish, nx.DiGraph(links), [1, 2])
        says.append((torn, "pv.Network.from_networkx.graph, "))
    published = pv.publish(network, pv.Walk("abcd"))
    for mistake, hint in says:
        with pytest.raises(pv.errors.PathveilError, match=hint):
            mistake()
    for unlinked in (("a", "d"), ("a", "a")):
        with pytest.raises(pv.errors.BadNetwork):
            network.without(unlinked)


def test_an_existing_file_is_replaced_only_if_that_is_said(tmp_path: Path) -> None:
    network, path = pv.Network.parse("ab bc cd bd"), tmp_path / "x.veil.json"
    first, second = (pv.publish(network, pv.Walk(walk)) for walk in ("abc", "abd"))
    first.save(path)
    with pytest.raises(pv.errors.FileTaken):
        second.save(path)
    assert pv.Publication.load(path) == first
    second.save(path, overwrite=True)
    assert pv.Publication.load(path) == second
    grouping = pv.Grouping.of(["ad", "be", "cf"])
    grouping.save(tmp_path / "groups.json")
    with pytest.raises(pv.errors.FileTaken):
        grouping.save(tmp_path / "groups.json")
