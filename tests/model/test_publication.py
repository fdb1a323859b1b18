from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pathveil import (
    Grouping,
    Knowledge,
    Network,
    Publication,
    Seeded,
    Walk,
    attack,
    publish,
    reconstruct,
)
from pathveil.chance.source import System
from pathveil.errors import DoesNotFit, NoVertexList, TooLarge
from pathveil.layering.exact import layer_exactly
from pathveil.model.grouping import GroupedBits
from pathveil.model.layered import LayeredGraph
from pathveil.reading.participant import read_vertex

NETWORK = Network.parse("ab bc cd bd")


def test_only_the_papers_layering_carries_its_drawing() -> None:
    exact = publish(NETWORK, Walk("abcd"), source=Seeded(1))
    paper = publish(NETWORK, Walk("abcd"), layering="backtracking", source=Seeded(1))
    assert exact.drawing is None
    assert paper.drawing == paper.layered
    assert paper.drawing is not None
    policy = paper.policy
    read = Publication.of_drawing(paper.drawing, policy)
    assert read.bits == paper.bits
    assert read.drawing is paper.drawing
    seen = replace(exact).showing(exact.layered)
    assert seen == exact
    assert seen.layered is exact.layered
    with pytest.raises(ValueError, match="no drawing"):
        replace(paper, drawing=None)
    with pytest.raises(ValueError, match="no direction bit"):
        replace(paper, direction=True)
    with pytest.raises(ValueError, match="a drawing"):
        replace(exact, drawing=paper.drawing)


def test_layers_are_drawn_when_asked_for_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def watched(*given: Any, **tuned: Any) -> LayeredGraph:
        drawn.append(given)
        return layer_exactly(*given, **tuned)

    monkeypatch.setattr("pathveil.layering.exact.layer_exactly", watched)
    publication = publish(NETWORK, Walk("abcd"))
    assert reconstruct(publication, NETWORK).walk == Walk("abcd")
    publication.same_branch(("a", 0), ("b", 0))
    read_vertex(publication, "b", NETWORK.neighbours("b"))
    attack(publication, Knowledge(NETWORK.without(("b", "c"))))
    assert drawn == []
    assert publication.layers
    assert publication.arcs is not None
    assert len(drawn) == 1


def test_an_untold_direction_is_no_bit() -> None:
    there, back = (
        publish(NETWORK, walk, direction="hidden", source=Seeded(3))
        for walk in (Walk("abcd"), Walk("dcba"))
    )
    assert there == back
    assert there.direction is None
    assert reconstruct(there, NETWORK).order == "either_way"
    with pytest.raises(ValueError, match="direction is 'both'"):
        publish(NETWORK, Walk("abcd"), direction="both")  # type: ignore[arg-type]


def test_a_walk_that_goes_the_other_way_is_drawn_upside_down() -> None:
    exact = publish(NETWORK, Walk("abcd"), source=Seeded(1))
    drawn = {told: replace(exact, direction=told).layers for told in (True, False, None)}
    assert drawn[True] == drawn[None] != drawn[False]


def test_a_sketch_lists_no_vertices() -> None:
    sketch = publish(NETWORK, Walk("abcd"), form="sketch", capacity=9)
    for look in ("layers", "arcs", "positions", "vertices"):
        with pytest.raises(NoVertexList):
            getattr(sketch, look)


def test_a_part_of_what_lists_its_vertices_can_be_asked_for() -> None:
    exact = publish(NETWORK, Walk("abcd"), source=Seeded(1))
    part = exact.among("abd")
    assert part.vertices == ("a", "b", "d")
    for pair in (("a", "b"), ("a", "d"), ("b", "d")):
        first, second = ((name, 0) for name in pair)
        assert part.same_branch(first, second) == exact.same_branch(first, second)
    assert exact.among("dcba") is exact
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pathveil.model.publication.MOST_NAMED", 3)
        assert exact.among("abd") == part
        with pytest.raises(TooLarge, match="4 copies of vertices are named, the limit is 3"):
            exact.among("abcd")
    paper = publish(NETWORK, Walk("abcd"), layering="backtracking", source=Seeded(1))
    with pytest.raises(NoVertexList, match="of all its vertices"):
        paper.among("abd")


def test_only_a_seed_stamps_a_release() -> None:
    assert publish(NETWORK, Walk("abcd"), source=Seeded(1)).unsafe
    assert not publish(NETWORK, Walk("abcd"), source=System()).unsafe
    assert not publish(NETWORK, Walk("abcd")).unsafe


def test_a_grouping_is_brought_to_what_was_published_over_it_and_to_nothing_else() -> None:
    grouping = Grouping.of(["ad", "be", "cf"])
    path = Network.parse("ab bc cd")
    grouped = publish(path, Walk("abc"), grouping=grouping, source=Seeded(1))
    assert isinstance(grouped.bits, GroupedBits)
    bare = replace(grouped, bits=replace(grouped.bits, grouping=None))
    assert bare.over(None) is bare
    assert not bare.over(grouping).same_branch(("a", 0), ("b", 0)), "on the walk"
    with pytest.raises(DoesNotFit, match="omit it"):
        publish(NETWORK, Walk("abc"), source=Seeded(1)).over(grouping)
