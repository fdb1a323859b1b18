"""A release as a sketch: which policies can, in how many bits, and which equations hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.chance.copies import draw_copies
from pathveil.errors import BadBudget, TooLarge
from pathveil.files.atomic_write import SIZE_LIMIT
from pathveil.model.bits import pattern_rows
from pathveil.model.sketch import MOST_BYTES, MOST_KEYS
from pathveil.sketching import sketch_release
from pathveil.sketching.sketch_release import (
    _joint_states,
    _keys,
    _other_links,
    _uses,
    draw_sketches,
    keys_of,
    most_capacity,
    policy_in_sketch,
    require_capacity,
    shape_of,
)

NETWORK = Network.parse("ab bc cd de bd ae")


@pytest.mark.parametrize(
    ("policy", "bits"),
    [
        (Policy.balanced(), 1),
        (Policy.balanced(copies=2), 1),
        (Policy.balanced().together(3), 2),
        (Policy.balanced().together(7), 3),
        (Policy.balanced().together(255), 8),
        (Policy.balanced().together(511), 13),  # one in 512 is dyadic, but finer than need be
        (Policy.balanced(copies=2, link_uses=1), 8),
        (Policy.frontier(walk_loss="0.5"), 8),
        (Policy.frontier(walk_loss="5"), 12),
        (Policy.frontier(walk_loss="0.01"), 11),  # off the walk a pair is shown one in a hundred
    ],
)
def test_as_few_bits_as_keep_the_chances(policy: Policy, bits: int) -> None:
    kept = policy_in_sketch(policy)
    assert kept.value_bits == bits
    assert policy_in_sketch(kept).value_bits == bits
    exact, rounded = policy.law().chance(on_walk=True), kept.law().chance(on_walk=True)
    assert rounded.as_fraction is not None
    assert (rounded.as_fraction * 2**bits).denominator == 1
    assert abs(float(rounded) / float(exact) - 1) < 1 / 16


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (Policy.two_sided(epsilon=1), "which a two-sided promise does not allow"),
        (Policy.sealed(), "a sketch cannot be sealed"),
        (Policy.paper(vertex=1, link=1), "with a vertex budget has no sketch"),
        (
            Policy.labelled(dict.fromkeys("abcde", "x"), {("x", "x"): Fraction(1, 2)}),
            "its labels list every vertex by name",
        ),
    ],
)
def test_what_cannot_be_a_sketch_is_refused_with_the_reason(policy: Policy, said: str) -> None:
    with pytest.raises(BadBudget, match=said):
        policy_in_sketch(policy)


def test_a_series_of_sketches_has_so_many_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    assert policy_in_sketch(Policy.remembering(), releases=20).value_bits is not None
    monkeypatch.setattr(sketch_release, "MOST_SKETCHES", 3)
    assert policy_in_sketch(Policy.remembering(), releases=2).value_bits is not None
    with pytest.raises(BadBudget, match="a series of sketches has 3 releases at most"):
        policy_in_sketch(Policy.remembering(), releases=3)


def test_keys_are_copy_pairs_or_links() -> None:
    assert keys_of(Policy.balanced(), 7) == 7
    assert keys_of(Policy.balanced(copies=3), 7) == 63
    assert keys_of(Policy.balanced(copies=3, link_uses=1), 7) == 7
    assert shape_of(policy_in_sketch(Policy.balanced(copies=3)), 7).planes == 1
    with pytest.raises(ValueError, match="use policy_in_sketch"):
        shape_of(Policy.balanced(), 7)
    ends, numbers = _keys(NETWORK, copies=2)
    assert ends[:5].tolist() == [[0, 1]] * 4 + [[0, 4]]
    assert numbers is not None
    assert numbers[:5].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [0, 0]]
    assert _keys(NETWORK, copies=1)[1] is None
    three, numbers = _keys(NETWORK, copies=3)
    assert numbers is not None
    assert len({(*e, *n) for e, n in zip(three.tolist(), numbers.tolist(), strict=True)}) == 6 * 9
    assert three[8:10].tolist() == [[0, 1], [0, 4]], "all of a link, then the next"
    others = _other_links(NETWORK, ends, ("e", "a"))
    assert np.flatnonzero(~others).tolist() == [4, 5, 6, 7]


@pytest.mark.parametrize(
    ("capacity", "error", "said"),
    [
        (None, BadBudget, r"needs a capacity.*\(it has 6; do not publish that number"),
        (0, BadBudget, "capacity is 0; expected a whole number of links, 1 or more"),
        (True, BadBudget, "capacity is True"),
        (6.0, BadBudget, r"capacity is 6\.0"),
        (5, TooLarge, "has 6 links, more than the capacity of 5"),
        (MOST_KEYS + 1, TooLarge, "a file holds a sketch of 2,147,483,648 at most: give a smaller"),
    ],
)
def test_a_capacity_is_a_public_number_that_suffices(
    capacity: object, error: type[Exception], said: str
) -> None:
    policy = policy_in_sketch(Policy.balanced())
    with pytest.raises(error, match=said):
        require_capacity(NETWORK, policy, capacity)  # type: ignore[arg-type]
    assert require_capacity(NETWORK, policy, 6) == 6
    assert require_capacity(Network.parse("ab"), policy, 1) == 1


@pytest.mark.parametrize("policy", [Policy.frontier(walk_loss="0.3"), Policy.balanced(copies=3)])
def test_a_sketch_that_no_file_holds_is_refused_before_it_is_drawn(policy: Policy) -> None:
    """It was drawn, dozens of bytes for each link of the capacity, until memory ran out."""
    kept = policy_in_sketch(policy)
    most = most_capacity(kept)
    shape = shape_of(kept, most)
    assert shape.bytes + (1 << 20) <= SIZE_LIMIT, "with room for the header"
    beyond = keys_of(kept, most + 1)
    assert beyond > MOST_KEYS or shape_of(kept, most + 1).bytes > MOST_BYTES
    with pytest.raises(TooLarge, match=rf"a file holds a sketch of {most:,} at most"):
        publish(NETWORK, Walk("abc"), policy=policy, form="sketch", capacity=most + 1)


def test_uses_are_the_copy_pairs_of_the_steps() -> None:
    walk, copies = Walk("abdbc"), 2
    policy = Policy.balanced(copies=copies)
    lifted = draw_copies(NETWORK, walk, policy, Seeded(3))
    state = _uses(NETWORK, lifted, copies)
    ends, numbers = _keys(NETWORK, copies=copies)
    assert numbers is not None
    positions = lifted.positions
    used = set()
    for key in np.flatnonzero(state == 0).tolist():
        used.add(frozenset((positions.starts[ends[key]] + numbers[key]).tolist()))
    assert used == {frozenset(step) for step in pairwise(lifted.visits)}
    assert set(state.tolist()) == {0, -1}


def test_joint_states_number_pattern_and_walk() -> None:
    policy = Policy.balanced(copies=2, link_uses=2).together(2)
    lifted = [
        draw_copies(NETWORK, Walk(names), policy, Seeded(k))
        for k, names in enumerate(("abc", "deae"))
    ]
    state = _joint_states(NETWORK, lifted, policy, 2)
    rows = pattern_rows(2, 2)
    on = {link: s for link, s in zip(NETWORK.links, state.tolist(), strict=True) if s >= 0}
    assert set(on) == {("a", "b"), ("b", "c"), ("d", "e"), ("a", "e")}
    assert {link: s // len(rows) for link, s in on.items()} == {
        ("a", "b"): 0, ("b", "c"): 0, ("d", "e"): 1, ("a", "e"): 1,
    }  # fmt: skip
    assert rows[on["a", "e"] % len(rows)].sum() == 2, "there and back: two copy pairs"
    assert rows[on["a", "b"] % len(rows)].sum() == 1
    for copies in (1, 3):
        policy = Policy.balanced(copies=copies, link_uses=1).together(2)
        lifted = [draw_copies(NETWORK, Walk(names), policy, Seeded(1)) for names in ("abc", "dea")]
        state = _joint_states(NETWORK, lifted, policy, copies)
        walks = [s // copies**2 for s in state.tolist() if s >= 0]
        assert walks == [0, 1, 0, 1], "ab, ae, bc, de; bd and cd are off"


@pytest.mark.parametrize(
    "policy",
    [Policy.balanced(), Policy.frontier(walk_loss="1/2"), Policy.balanced(copies=2, link_uses=1)],
)
def test_every_link_shows_its_state_and_without_one_nothing_is_said_of_it(policy: Policy) -> None:
    kept = policy_in_sketch(policy)
    lifted = draw_copies(NETWORK, Walk("abc"), kept, Seeded(1))
    on = {tuple(sorted(step)) for step in pairwise(lifted.visits)}
    each = [(a, b) for a in range(kept.copies or 1) for b in range(kept.copies or 1)]
    shown = []
    for seed in range(16):
        (bits,) = draw_sketches(NETWORK, [lifted], kept, 12, Seeded(seed))
        asked = bits.positions_of(NETWORK.vertices)
        pairs = [(i + a, j + b) for i, j in asked.starts[NETWORK.pairs].tolist() for a, b in each]
        same = bits.same_branch(asked, np.array(pairs)).tolist()
        assert same == [pair not in on for pair in pairs]
        (without,) = draw_sketches(NETWORK, [lifted], kept, 12, Seeded(seed), without=[("b", "a")])
        again = without.same_branch(asked, np.array(pairs)).tolist()
        assert again[len(each) :] == same[len(each) :]
        shown.append(tuple(again[: len(each)]))
    assert len(set(shown)) > 1, "the link that is none reads a coin"


def test_a_vertex_visited_twice_needs_a_policy_with_copies() -> None:
    kept = policy_in_sketch(Policy.paper(link="1/2", vertex=None))
    assert kept.copies is None
    twice = draw_copies(NETWORK, Walk("abdcb"), kept, Seeded(1))
    assert max(twice.positions.counts) == 2
    with pytest.raises(BadBudget, match="gives a revisited vertex copies of its own"):
        draw_sketches(NETWORK, [twice], kept, 9, Seeded(1))
    once = draw_copies(NETWORK, Walk("abd"), kept, Seeded(1))
    assert len(draw_sketches(NETWORK, [once], kept, 9, Seeded(1))) == 1
