"""Laws: what the exact publication says beyond bits, names and direction is nothing."""

from __future__ import annotations

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from pathveil import Network, Seeded, Walk, publish
from pathveil.formats.veil import publication_text
from tests.strategies import journeys, networks, policies_for, walks


@given(journeys(), st.data(), st.integers(0, 1 << 32))
def test_turning_the_walk_round_turns_the_layers_and_the_bit(
    journey: tuple[Network, Walk], data: st.DataObject, seed: int
) -> None:
    network, walk = journey
    assume(walk != walk.reversed())
    policy = data.draw(policies_for(walk).filter(lambda p: p.name != "paper"))
    there = publish(network, walk, policy=policy, source=Seeded(seed))
    back = publish(network, walk.reversed(), policy=policy, source=Seeded(seed))
    assert there.direction is not None
    assert back.direction is (not there.direction)
    assert back.layered == there.layered.upside_down()
    assert (back.policy, back.certificate, back.unsafe) == (
        there.policy,
        there.certificate,
        there.unsafe,
    )


@given(journeys(), st.data(), st.integers(0, 1 << 32))
def test_the_order_in_which_the_network_was_given_does_not_matter(
    journey: tuple[Network, Walk], data: st.DataObject, seed: int
) -> None:
    network, walk = journey
    policy = data.draw(policies_for(walk))
    edges = [(v, u) for u, v in network.edges]
    random.Random(seed).shuffle(edges)
    other = Network.from_edges(edges, vertices=reversed(network.vertices))
    first = publication_text(publish(network, walk, policy=policy, source=Seeded(seed)))
    second = publication_text(publish(other, walk, policy=policy, source=Seeded(seed)))
    assert first == second


@given(networks(smallest=3, largest=6), st.data(), st.integers(0, 1 << 32))
def test_two_walks_with_the_same_bits_and_direction_give_the_same_file(
    network: Network, data: st.DataObject, seed: int
) -> None:
    """The file is a function of bits, names, policy and direction: the reader's whole list."""
    first, second = (
        data.draw(walks(network, longest=6).filter(lambda w: w.is_simple)) for _ in "12"
    )
    one = publish(network, first, source=Seeded(seed))
    two = publish(network, second, source=Seeded(seed))
    if one.bits() == two.bits() and one.direction == two.direction:
        assert publication_text(one) == publication_text(two)
    else:
        assert publication_text(one) != publication_text(two)
