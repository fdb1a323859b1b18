from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pathveil import Grouping, Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.errors import DoesNotFit
from pathveil.model.certificate import PolicyTerms
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.reading.assemble import Reading, assemble
from tests.paper.printed_coin import drawn_without_coins

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WALK = Walk("abcdef")


def published(network: Network, walk: Walk, seed: int = 1) -> Publication:
    return publish(
        network, walk, policy=Policy.sealed(), layering="backtracking", source=Seeded(seed)
    )


def test_another_networks_vertices_do_not_fit() -> None:
    with pytest.raises(DoesNotFit, match="'f' is in the publication only"):
        reconstruct(published(NETWORK, WALK), Network.parse("ab bc cd de"))


def test_an_extra_link_makes_no_path() -> None:
    """Sealed coins put every absent pair on the walk: a wrong link gives a vertex three links."""
    more = Network.from_links([*NETWORK.links, ("a", "c"), ("a", "d")])
    with pytest.raises(DoesNotFit, match="expected at most 2"):
        reconstruct(published(NETWORK, WALK), more)


def test_a_missing_link_makes_two_paths() -> None:
    with pytest.raises(DoesNotFit, match="form 2 paths over 6 visits"):
        reconstruct(published(NETWORK, WALK), NETWORK.without(("c", "d")))


def test_an_extra_link_may_close_a_ring() -> None:
    with pytest.raises(DoesNotFit, match="joined in rings"):
        reconstruct(
            published(Network.parse("ab bc cd"), Walk("abcd")), Network.parse("ab bc cd ad")
        )


def test_a_path_and_a_ring_are_not_one_path() -> None:
    network = Network.parse("ab bc cd de ce")
    flat = LayeredGraph.build(
        Positions.uniform(tuple("abcde"), 1), range(5), [0, 0, 1, 0, 0], [(1, 2)]
    )
    publication = Publication.of_drawing(flat, PolicyTerms("paper"))
    with pytest.raises(DoesNotFit, match="joined in rings"):
        reconstruct(publication, network)


def test_the_papers_rule_can_tell_the_wrong_end() -> None:
    """Rule 5 puts a near vertex of the first end on top, and on this map the last end too."""
    network = Network.parse("ab ac af bc bd cd cf de df ef")
    publication = drawn_without_coins(network, WALK)
    assert publication.layers[0][0].vertex == "f"
    found = reconstruct(publication, network)
    assert found.order == "known"
    assert found.walk == WALK.reversed()


def test_a_bare_path_is_a_tie() -> None:
    publication = drawn_without_coins(Network.parse("ab bc cd"), Walk("dcba"))
    found = reconstruct(publication, Network.parse("ab bc cd"))
    assert found.order == "either_way"
    assert found.walk == Walk("abcd")  # one of the two, told to be no more than that


def test_a_reading_is_certain_if_nothing_fits_as_well() -> None:
    walk = Walk("ab")
    assert Reading(walk, "known", (0, 0)).certain
    assert not Reading(walk, "known", (0, 0), gap=1).certain
    assert not Reading(walk, "known", (0, 0), rivals=1).certain
    assert not Reading(walk, "known", (0, 0), rivals=None).certain


def test_links_in_any_order_are_assembled() -> None:
    network, walk = Network.parse("ab bc cd de ce"), Walk("edcba")
    publication = publish(network, walk, source=Seeded(1))
    asked = publication.positions
    links = np.array([[2, 3], [1, 0], [4, 3], [1, 2]])
    assert assemble(asked, links, publication).walk == walk
    with pytest.raises(DoesNotFit, match=r"the 3 walk links .* form 2 paths over 5 visits"):
        assemble(asked, links[[0, 1, 2]], publication)
    with pytest.raises(DoesNotFit, match="form 0 paths"):
        assemble(asked, links[:0], publication)


@pytest.mark.parametrize("visits", ["abc", "cba", "cd", "dc", "ab", "ba", "abcd", "dcba"])
def test_over_a_grouping_a_walk_is_read_the_way_it_went(visits: str) -> None:
    """Which end sorts first is said by the classes, and b's comes before a's."""
    network = Network.parse("ab bc cd")
    grouping = Grouping.of(["be", "ad", "cf"])
    found = reconstruct(publish(network, Walk(visits), grouping=grouping), network)
    assert (found.walk, found.order) == (Walk(visits), "known")


@pytest.mark.regression("a reader who lacks a bridge was told to keep the largest part")
def test_a_network_in_parts_does_not_fit() -> None:
    publication = publish(Network.parse("ab bc cd"), Walk("abcd"))
    torn: Any = [("a", "b"), ("c", "d")]
    with pytest.raises(DoesNotFit, match="you lack some of its links; with only your own"):
        reconstruct(publication, torn)


@pytest.mark.regression("labels in the file and ids in the graph were refused without a hint")
def test_networks_without_a_common_name_are_told_how_names_are_chosen() -> None:
    publication = publish(Network.parse("ab bc"), Walk("abc"))
    with pytest.raises(DoesNotFit, match="no name is in both: read_network takes a file's labels"):
        reconstruct(publication, Network.parse("12 23"))
    with pytest.raises(DoesNotFit, match=r"the walk was published over$"):
        reconstruct(publication, Network.parse("ab bd"))
