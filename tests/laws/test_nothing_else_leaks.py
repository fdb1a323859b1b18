"""Laws: what the exact publication says beyond bits, names and direction is nothing."""

from __future__ import annotations

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from pathveil import Network, Publication, Seeded, publish, reconstruct
from pathveil.chance.certify import certify
from pathveil.chance.copies import draw_copies
from pathveil.errors import NotConnected
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.bits import PackedBits, Relation
from tests.strategies import Task, networks, tasks, walks


@given(tasks(told=True))
def test_turning_the_walk_round_turns_the_layers_and_the_bit(task: Task) -> None:
    assume(task.walk != task.walk.reversed())
    there, back = task.publish(), task._replace(walk=task.walk.reversed()).publish()
    assert there.direction is not None
    assert back.direction is (not there.direction)
    assert back.layered == there.layered.upside_down()
    assert (back.policy, back.certificate, back.unsafe) == (
        there.policy,
        there.certificate,
        there.unsafe,
    )


@given(tasks())
def test_the_order_in_which_the_network_was_given_does_not_matter(task: Task) -> None:
    links = [(v, u) for u, v in task.network.links]
    random.Random(task.seed).shuffle(links)
    other = Network.from_links(links, vertices=reversed(task.network.vertices))
    again = task._replace(network=other)
    assert publication_text(task.publish()) == publication_text(again.publish())


@given(tasks(told=True), st.data())
def test_other_worlds_with_the_same_bits_and_direction_give_the_same_file(
    task: Task, data: st.DataObject
) -> None:
    """The file is a function of bits, names, policy and direction: the reader's whole list.

    The other world has another network: some links off the walk are no links there, and a coin
    happens to show what the link did. Whoever published it hands out the same file.
    """
    network, walk, policy, seed = task
    one = task.publish()
    spare = [link for link in network.links if link not in walk.links]
    dropped = data.draw(st.lists(st.sampled_from(spare), unique=True)) if spare else []
    try:
        other = Network.from_links(
            [link for link in network.links if link not in dropped], vertices=network.vertices
        )
    except NotConnected:
        assume(False)
    lifted = draw_copies(other, walk, policy, Seeded(seed))
    relation = Relation.of(lifted.positions, other, lifted.visits)
    same = one.packed.pairs
    assert not same.at(relation.on_walk).any()
    assert same.at(relation.off_walk).all()
    two = Publication(
        PackedBits(lifted.positions, same),
        policy.terms(),
        direction=lifted.direction,
        certificate=certify(policy),
        unsafe=True,
    )
    assert publication_text(two) == publication_text(one)
    assert reconstruct(two, other).walk == walk


@given(networks(smallest=3, largest=6), st.data(), st.integers(0, 1 << 32))
def test_other_bits_or_another_direction_give_another_file(
    network: Network, data: st.DataObject, seed: int
) -> None:
    first, second = (
        data.draw(walks(network, longest=6).filter(lambda w: w.is_simple)) for _ in "12"
    )
    assume(first != second)
    one = publish(network, first, source=Seeded(seed))
    two = publish(network, second, source=Seeded(seed))
    assert publication_text(one) != publication_text(two)
