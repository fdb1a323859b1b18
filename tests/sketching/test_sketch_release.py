"""A release as a sketch: in how many bits, within which capacity, and which equations hold."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.chance.copies import draw_copies
from pathveil.errors import BadBudget, TooLarge
from pathveil.files.atomic_write import SIZE_LIMIT
from pathveil.model.sketch import MOST_BYTES, MOST_KEYS, SketchShape
from pathveil.sketching.sketch_release import draw_sketch, require_capacity

NETWORK = Network.parse("ab bc cd de bd ae")


@pytest.mark.parametrize(
    ("policy", "bits"),
    [
        (Policy.balanced(), 1),
        (Policy.frontier(walk_loss="0.5"), 8),
        (Policy.frontier(walk_loss="5"), 12),
        (Policy.frontier(walk_loss="0.01"), 11),  # off the walk a pair is shown one in a hundred
    ],
)
def test_as_few_bits_as_keep_the_chances(policy: Policy, bits: int) -> None:
    kept = policy.in_sketch()
    assert kept.value_bits == kept.in_sketch().value_bits == bits
    rounded = kept.law().on
    assert rounded.as_fraction is not None
    assert (rounded.as_fraction * 2**bits).denominator == 1
    assert abs(float(rounded) / float(policy.law().on) - 1) < 1 / 16


@pytest.mark.parametrize(
    ("capacity", "error", "said"),
    [
        (None, BadBudget, r"needs a capacity.*\(it has 6; do not publish that number"),
        (0, BadBudget, "capacity is 0; expected a whole number of links, 1 or more"),
        (True, BadBudget, "capacity is True"),
        (6.0, BadBudget, r"capacity is 6\.0"),
        (5, TooLarge, "has 6 links, more than the capacity of 5"),
        (MOST_KEYS + 1, TooLarge, "a sketch of 2,147,483,648 at most: give a smaller"),
    ],
)
def test_a_capacity_is_a_public_number_that_suffices(
    capacity: object, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        require_capacity(NETWORK, capacity, 1)  # type: ignore[arg-type]
    assert require_capacity(NETWORK, 6, 1) == 6


def test_a_sketch_that_no_file_holds_is_refused_before_it_is_drawn() -> None:
    """It was drawn, dozens of bytes for each link of the capacity, until memory ran out."""
    policy = Policy.frontier(walk_loss="0.3")
    bits = policy.in_sketch().value_bits or 0
    most = SketchShape.most_keys(planes=bits)
    assert SketchShape.holding(most, planes=bits).bytes + (1 << 20) <= SIZE_LIMIT
    assert SketchShape.holding(most + 1, planes=bits).bytes > MOST_BYTES
    with pytest.raises(TooLarge, match=rf"a sketch of {most:,} at most"):
        publish(NETWORK, Walk("abc"), policy=policy, form="sketch", capacity=most + 1)


@pytest.mark.parametrize("policy", [Policy.balanced(), Policy.frontier(walk_loss="1/2")], ids=str)
def test_every_link_shows_its_state_and_without_one_nothing_is_said_of_it(policy: Policy) -> None:
    kept = policy.in_sketch()
    path = draw_copies(NETWORK, Walk("abc"), kept, Seeded(1))
    on = [sorted(step) for step in pairwise(path.visits)]
    shape = SketchShape.holding(12, planes=kept.value_bits or 0)
    gone = NETWORK.links.index(("a", "b"))
    shown = set()
    for seed in range(16):
        whole, less = (
            draw_sketch(
                NETWORK, path, kept.law(), shape, Seeded(seed), capacity=12, without=without
            )
            for without in ((), [("b", "a")])
        )
        asked = whole.positions_of(NETWORK.vertices)
        same = whole.same_branch(asked, NETWORK.pairs).tolist()
        assert same == [pair not in on for pair in NETWORK.pairs.tolist()]
        again = less.same_branch(asked, NETWORK.pairs).tolist()
        shown.add(again.pop(gone))
        assert again == [bit for place, bit in enumerate(same) if place != gone]
    assert shown == {True, False}, "the link that is none reads a coin"


def test_a_hidden_direction_is_not_in_the_sketch() -> None:
    told, hidden = (
        publish(NETWORK, Walk("abc"), form="sketch", capacity=9, direction=way, source=Seeded(1))
        for way in ("public", "hidden")
    )
    assert (told.direction, hidden.direction) == (True, None)
    assert told.bits == hidden.bits
    assert reconstruct(hidden, NETWORK).order == "either_way"
