"""A sketch and a packed publication of the same walk say the same to who knows the network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil import Knowledge, Network, Policy, Seeded, Walk, attack, publish, reconstruct
from pathveil.chance.certify import certify
from pathveil.errors import BadArgument, DoesNotFit, Incompatible, TooLarge
from pathveil.model.bits import PackedBits
from pathveil.reading.participant import read_link, read_vertex
from pathveil.sketching.sketch_release import seed_loss
from tests.strategies import bound, networks, walks

NETWORK = Network.parse("ab bc cd de ef bd")
WALK = Walk("abcdef")


@st.composite
def released(draw: st.DrawFn) -> tuple[Network, Walk, Policy]:
    network = draw(networks(smallest=3))
    walk = draw(walks(network).filter(lambda walk: walk.is_simple))
    losses = st.sampled_from([Policy.frontier(walk_loss=loss) for loss in (1, 2, 4)])
    return network, walk, draw(st.one_of(st.just(Policy.balanced()), losses))


@settings(max_examples=60, deadline=None)
@given(released(), st.integers(0, 1 << 30), st.sampled_from(["public", "hidden"]))
def test_both_forms_read_the_same_walk(
    release: tuple[Network, Walk, Policy], seed: int, direction: Any
) -> None:
    network, walk, policy = release
    options: dict[str, Any] = {"policy": policy, "direction": direction}
    packed = publish(network, walk, source=Seeded(seed), **options)
    sketch = publish(network, walk, source=Seeded(seed), form="sketch", capacity=40, **options)
    found = reconstruct(sketch, network)
    assert found.order == reconstruct(packed, network).order
    expected = {walk} if direction == "public" else {walk, walk.reversed()}
    assert found.walk in expected
    assert reconstruct(packed, network).walk in expected


@settings(max_examples=30, deadline=None)
@given(released(), st.integers(0, 1 << 30))
def test_every_reading_path_gives_the_same_answers(
    release: tuple[Network, Walk, Policy], seed: int
) -> None:
    """Whole network, one vertex, one link, one pair, and the picture over named vertices."""
    network, walk, policy = release
    sketch = publish(network, walk, policy=policy, source=Seeded(seed), form="sketch", capacity=40)
    asked = sketch.bits.positions_of(network.vertices)
    pairs = asked.lifted(network.pairs)
    whole = dict(
        zip(map(tuple, pairs.tolist()), sketch.bits.same_branch(asked, pairs).tolist(), strict=True)
    )
    picture = sketch.among(network.vertices)
    assert isinstance(picture.bits, PackedBits)
    for (i, j), together in whole.items():
        here, there = asked.label(i), asked.label(j)
        assert sketch.same_branch(here, there) == sketch.same_branch(there, here) == together
        assert picture.packed.pairs.same_branch(i, j) == together
    for u, v in network.links:
        links = {(link.here, link.there) for link in read_link(sketch, u, v).links}
        apart = {
            (asked.label(i), asked.label(j))
            for (i, j), together in whole.items()
            if not together and (asked.label(i)[0], asked.label(j)[0]) == (u, v)
        }
        assert links == apart
    for vertex in network:
        status = read_vertex(sketch, vertex, network.neighbours(vertex))
        assert status.visits == walk.visits[vertex]


def test_the_certificate_is_that_of_the_rate_in_use_and_of_the_seed() -> None:
    sketch = publish(NETWORK, WALK, policy=Policy.frontier(walk_loss=1), form="sketch", capacity=20)
    row = bound(sketch.certificate, walk_links=1)
    assert str(row.presence) == "ln(128/47) + ln(2^37/(2^37 - 1)) = 1.0019"
    assert row.absence.is_infinite
    policy = Policy.from_terms(sketch.policy)
    assert policy == Policy.frontier(walk_loss=1).in_sketch()
    assert sketch.certificate == certify(policy, seed=seed_loss(20, 8))
    text = " ".join(sketch.certificate.not_protected)
    assert "capacity" in text
    assert "capacity" not in " ".join(publish(NETWORK, WALK).certificate.not_protected)


def test_missing_several_links_pays_for_the_seed_once() -> None:
    sketch = publish(NETWORK, WALK, form="sketch", capacity=20)
    texts = [row.presence.expression for row in sketch.certificate.rows]
    assert "5 ln 2 + ln(2^37/(2^37 - 1))" in texts
    assert "10 ln 2 + 10 ln(2^37/(2^37 - 1))" in texts


def test_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(TooLarge, match="6 links, more than the capacity of 5"):
        publish(NETWORK, WALK, form="sketch", capacity=5)
    with pytest.raises(TooLarge, match="a file holds a sketch of"):
        publish(NETWORK, WALK, form="sketch", capacity=1 << 40)
    with pytest.raises(Incompatible, match="needs none"):
        publish(NETWORK, WALK, capacity=5)
    with pytest.raises(BadArgument):
        publish(NETWORK, WALK, form="list")  # type: ignore[arg-type]


def test_a_large_network_is_sent_to_the_sketch(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = Network.from_links([(i, (i + 1) % 33_000) for i in range(33_000)])
    with pytest.raises(TooLarge, match="--form sketch --capacity N"):
        publish(ring, Walk([1, 2]))


def test_an_adversary_infers_from_a_sketch_what_he_would_from_its_picture() -> None:
    sketch = publish(NETWORK, WALK, form="sketch", capacity=20, source=Seeded(3))
    knowledge = Knowledge(NETWORK.without(("c", "d")))
    assert attack(sketch, knowledge).rows() == attack(sketch.among("abcdef"), knowledge).rows()


def test_another_network_does_not_fit() -> None:
    """Of 40 links that the walk does not know, some read as on the walk: no path, no wrong walk."""
    sketch = publish(NETWORK, WALK, form="sketch", capacity=20, source=Seeded(5))
    other = Network.from_links([(f"x{i}", f"x{j}") for i in range(10) for j in range(i)])
    with pytest.raises(DoesNotFit):
        reconstruct(sketch, other)


def test_the_bits_of_links_are_never_left_to_chance() -> None:
    for seed in range(30):
        sketch = publish(NETWORK, WALK, form="sketch", capacity=6, source=Seeded(seed))
        asked = sketch.bits.positions_of(NETWORK.vertices)
        shown = sketch.bits.same_branch(asked, NETWORK.pairs)
        assert np.flatnonzero(shown).tolist() == [NETWORK.links.index(("b", "d"))]
