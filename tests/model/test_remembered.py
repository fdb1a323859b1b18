from __future__ import annotations

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.errors import DoesNotFit
from pathveil.model.remembered import Remembered, shown_before
from pathveil.model.sketch import SketchedBits

NETWORK = Network.parse("ab bc cd de bd ae")
NAMES = NETWORK.vertices


def sketches() -> list[SketchedBits]:
    found: list[Publication] = []
    for number, names in enumerate(("abc", "bde", "eab")):
        found.append(
            publish(
                NETWORK,
                Walk(names),
                policy=Policy.remembering(),
                form="sketch",
                capacity=20,
                after=found,
                source=Seeded(number),
            )
        )
    bits = [publication.bits for publication in found]
    assert all(isinstance(one, SketchedBits) for one in bits)
    return bits  # type: ignore[return-value]


def test_a_threshold_follows_how_often_a_pair_was_shown() -> None:
    earlier = sketches()
    shown = shown_before(earlier, NAMES, NETWORK.pairs)
    # Links show the truth: ab lies on two of the walks, cd on none.
    on = dict(zip(NETWORK.links, shown.tolist(), strict=True))
    assert on == {
        ("a", "b"): 2, ("a", "e"): 1, ("b", "c"): 1, ("b", "d"): 1, ("c", "d"): 0, ("d", "e"): 1,
    }  # fmt: skip
    rule = Remembered((3, 5, 7, 11)).following(earlier)
    assert rule.of(NAMES, NETWORK.pairs).tolist() == [(3, 5, 7, 11)[k] for k in shown]
    assert shown_before([], NAMES, NETWORK.pairs).tolist() == [0] * 6


def test_the_first_release_needs_none_before_it_and_a_later_one_all() -> None:
    assert Remembered((4,)).of(NAMES, NETWORK.pairs).tolist() == [4] * 6
    with pytest.raises(DoesNotFit, match=r"release 3 of a series .* the 2 before it; bring them"):
        Remembered((1, 2, 3)).of(NAMES, NETWORK.pairs)
    with pytest.raises(ValueError, match="1 earlier releases, 3 thresholds"):
        Remembered((1, 2, 3)).following(sketches()[:1])


def test_a_state_without_a_value_is_no_threshold() -> None:
    for each in ((), (0,), (3, 0)):
        with pytest.raises(ValueError, match="every state needs a value of its own"):
            Remembered(each)


def test_with_the_earlier_ones_or_without_it_is_the_same_rule() -> None:
    rule = Remembered((1, 2, 3, 4))
    assert rule == rule.following(sketches()) != Remembered((1, 2, 3, 5))
    assert rule != Remembered((1, 2, 3, 4), states=2)


def test_a_sketch_that_does_not_remember_is_in_no_series() -> None:
    fresh = publish(NETWORK, Walk("abc"), form="sketch", capacity=20, source=Seeded(1)).bits
    assert isinstance(fresh, SketchedBits)
    with pytest.raises(DoesNotFit, match="part of no series"):
        shown_before([fresh], NAMES, np.array([[0, 1]]))
