from __future__ import annotations

from dataclasses import replace

import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.model.engines import LAYERINGS, Layering
from pathveil.model.layered import LayeredGraph
from pathveil.verifying import verify_publication

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WALK = Walk("abcdef")


@pytest.mark.parametrize("layering", LAYERINGS)
def test_an_honest_publication_holds(layering: Layering) -> None:
    publication = publish(NETWORK, WALK, layering=layering, source=Seeded(3))
    assert all(f.holds for f in verify_publication(publication))
    findings = verify_publication(publication, NETWORK, WALK)
    assert all(f.holds for f in findings), findings
    assert len(findings) == 7


def failing(publication: Publication, network: Network, walk: Walk) -> list[str]:
    return [f.claim for f in verify_publication(publication, network, walk) if not f.holds]


def test_a_turned_direction_bit_is_found() -> None:
    publication = publish(NETWORK, WALK, source=Seeded(3))
    lying = replace(publication, direction=not publication.direction).showing(publication.layered)
    assert failing(lying, NETWORK, WALK) == [
        "the layout is the canonical one of its bits and direction",
        "the walk reads back exactly",
    ]


def test_an_extra_cover_edge_is_found() -> None:
    publication = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(3))
    layered = publication.layered
    covers = [(a, b) for a, b in layered.covers.tolist()]
    implied = next((a, d) for a, b in covers for c, d in covers if b == c)
    more = LayeredGraph.build(
        layered.positions,
        layered.position_of,
        layered.layer,
        [*covers, implied],
        piece=layered.piece,
    )
    assert failing(publication.showing(more), NETWORK, WALK) == [
        "branches are chains, covers a transitive reduction",
        "the layout is the canonical one of its bits and direction",
    ]


def test_a_foreign_network_is_found() -> None:
    publication = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(3))
    assert failing(publication, NETWORK.without(("c", "d")), WALK) == [
        "the walk edges read with the network form one path"
    ]
