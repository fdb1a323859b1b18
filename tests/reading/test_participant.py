from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import pandas as pd
import pytest
from hypothesis import given

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.errors import BadArgument, DoesNotFit, UnknownVertex
from pathveil.model.bits import BoolArray, IndexArray, PackedBits
from pathveil.model.positions import Positions
from pathveil.model.publication import Bits
from pathveil.reading.participant import read_link, read_vertex
from tests.strategies import Task, tasks

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")


@given(tasks(largest=7, longest=8, few=True))
def test_a_vertex_reads_its_own_links_and_no_more(task: Task) -> None:
    network, walk = task.network, task.walk
    publication = task.publish(layering="backtracking")
    for vertex in network:
        status = read_vertex(publication, vertex, network.neighbours(vertex))
        assert status.visits == walk.visits[vertex]
        expected = sorted(
            other for step in walk.steps for me, other in (step, step[::-1]) if me == vertex
        )
        assert sorted(link.there[0] for link in status.links) == expected
    # A copy with a single link is an end of the walk.
    seen = Counter(
        link.here
        for vertex in network
        for link in read_vertex(publication, vertex, network.neighbours(vertex)).links
    )
    ends = sorted(name for (name, _), links in seen.items() if links == 1)
    assert ends == sorted([walk.vertices[0], walk.vertices[-1]])


@given(tasks(largest=7, longest=8, few=True))
def test_a_link_reads_its_own_place(task: Task) -> None:
    network, walk = task.network, task.walk
    publication = task.publish(layering="backtracking")
    for u, v in network.links:
        status = read_link(publication, u, v)
        uses = sum(1 for step in walk.steps if set(step) == {u, v})
        assert len(status.links) == uses
        assert status.on_walk == (uses > 0)


def test_noisy_bits_are_not_read_alone() -> None:
    publication = publish(NETWORK, Walk("abcdef"), policy=Policy.two_sided(epsilon=3))
    with pytest.raises(DoesNotFit, match="whole network"):
        read_vertex(publication, "a", ["b", "f"])
    with pytest.raises(DoesNotFit, match="whole network"):
        read_link(publication, "a", "b")


def test_a_foreign_row_is_refused() -> None:
    publication = publish(
        NETWORK, Walk("abcdef"), policy=Policy.sealed(), layering="backtracking", source=Seeded(1)
    )
    with pytest.raises(DoesNotFit, match=r"^one visit of 'a' has 4 walk links"):
        read_vertex(publication, "a", ["b", "c", "d", "e"])
    with pytest.raises(UnknownVertex):
        read_vertex(publication, "z", ["a"])


class _Counting:
    """Bits that count what they are asked."""

    def __init__(self, bits: Bits) -> None:
        self.bits = bits
        self.named: set[str] = set()
        self.tests = 0

    def listed(self) -> PackedBits:
        raise AssertionError("a participant enumerates nothing")

    def require_over(self, network: Network) -> None:
        raise AssertionError("a participant has no network")

    def content(self) -> bytes:
        raise AssertionError("a participant asks about its links")

    def positions_of(self, names: Iterable[str]) -> Positions:
        chosen = list(names)
        self.named |= set(chosen)
        return self.bits.positions_of(chosen)

    def same_branch(self, asked: Positions, pairs: IndexArray) -> BoolArray:
        self.tests += len(pairs)
        return self.bits.same_branch(asked, pairs)


@pytest.mark.parametrize("copies", [1, 3])
def test_as_many_tests_as_links_and_nothing_else_is_asked(copies: int) -> None:
    """A participant asks about its own links only: one test for each pair of their copies."""
    publication = publish(NETWORK, Walk("abcdef"), policy=Policy.balanced(copies=copies))
    for vertex in NETWORK:
        counting = _Counting(publication.bits)
        read_vertex(
            replace(publication, bits=cast("Bits", counting)), vertex, NETWORK.neighbours(vertex)
        )
        assert counting.tests == len(NETWORK.neighbours(vertex)) * copies**2
        assert counting.named == {vertex, *NETWORK.neighbours(vertex)}
    for u, v in NETWORK.links:
        counting = _Counting(publication.bits)
        read_link(replace(publication, bits=cast("Bits", counting)), u, v)
        assert (counting.tests, counting.named) == (copies**2, {u, v})


@pytest.mark.regression("a reader's link outside the universe lengthened the walk")
def test_a_reader_whose_link_is_outside_the_universe_is_not_given_a_walk() -> None:
    """What is outside always looks walked, so one link too many would give a longer walk."""
    network, walk = Network.parse("ab bc cd de ea"), Walk("abc")
    near = [*network.links, ("a", "c"), ("b", "d")]
    file = publish(network, walk, universe=near, source=Seeded(1))
    assert reconstruct(file, network).walk == walk
    more = Network.from_links([*network.links, ("c", "e")])
    assert read_vertex(file, "c", network.neighbours("c")).links
    for read in (
        lambda: reconstruct(file, more),
        lambda: read_vertex(file, "c", more.neighbours("c")),
        lambda: read_link(file, "c", "e"),
    ):
        with pytest.raises(DoesNotFit):
            read()


@pytest.mark.regression("a vertex took every node of a networkx graph for its neighbour")
def test_a_vertex_takes_its_own_row_of_a_network() -> None:
    network = Network.parse("ab bc cd bd")
    publication = publish(network, Walk("abd"), source=Seeded(1))
    by_row = read_vertex(publication, "b", network.neighbours("b"))
    graph = network.to_networkx()
    ways: list[Any] = [network, graph, graph["b"], graph.neighbors("b"), graph.edges("b")]
    for known in (*ways, [("a", "b"), "c", "d"]):
        assert read_vertex(publication, "b", known) == by_row
    for wrong in ("acd", 7, Walk("abd"), pd.DataFrame({"a": [1]}), graph.nodes):
        with pytest.raises(BadArgument):
            read_vertex(publication, "b", wrong)  # type: ignore[arg-type]


def test_what_was_read_is_said_in_a_sentence() -> None:
    publication = publish(NETWORK, Walk("abcd"), source=Seeded(1))
    assert str(read_vertex(publication, "b", NETWORK)) == "the walk visits b once"
    assert str(read_vertex(publication, "e", NETWORK)) == "the walk does not visit e by these links"
    assert str(read_link(publication, "c", "b")) == "the walk uses c - b once, if that is a link"
    assert str(read_link(publication, "c", "f")) == "the walk does not use c - f, if that is a link"
