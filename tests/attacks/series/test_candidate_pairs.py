"""Which pairs could be links: what every universe leaves open, of the vertices it names."""

from __future__ import annotations

import numpy as np
import pytest
from pathveil.model.named_universes import bring_universes

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.attacks.series.candidate_pairs import possible_pairs, with_coins
from pathveil.attacks.series.observed_pairs import MixedLaw
from pathveil.attacks.series.release_pile import collect
from pathveil.errors import DoesNotFit
from pathveil.model.universe import Universe

NETWORK = Network.parse("ab bc cd bd")
PAIRS = [*NETWORK.links, ("a", "c")]


def test_pairs_not_brought_are_never_taken_for_all_pairs() -> None:
    file = publish(NETWORK, Walk("abc"), universe=Universe.of(PAIRS, by_digest=True))
    assert file.universe is not None
    for infer in (
        lambda: collect([file]),
        lambda: possible_pairs([file.universe], "abcd"),
        lambda: with_coins(file.universe, "abcd"),
    ):
        with pytest.raises(DoesNotFit, match="by digest only"):
            infer()
    (whole,), lacking = bring_universes([file], [PAIRS])
    assert not lacking
    found = collect([whole])
    assert found is not None
    assert len(found.sightings.pairs) == 5


@pytest.mark.parametrize("copies", [1, 2])
def test_outside_its_universe_a_file_shows_nothing_for_or_against_a_link(copies: int) -> None:
    grown = Network.parse("ab bc cd bd ad")
    policy = Policy.balanced(copies=copies)
    files = [
        publish(NETWORK, Walk("abc"), policy=policy, universe=PAIRS, source=Seeded(1)),
        publish(grown, Walk("abc"), policy=policy, source=Seeded(2)),
    ]
    found = collect(files, today=grown)
    assert found is not None
    assert isinstance(found.law, MixedLaw)
    seen, (before, _) = found.sightings, found.law.stretches
    late = seen.index[0, 3]
    assert before.shown[late] == 0
    assert before.held is not None
    assert np.flatnonzero(~before.held).tolist() == [late]
    alone = collect(files[:1], today=grown)
    assert alone is not None
    assert isinstance(alone.law, MixedLaw)
    # Who does not have the network believes the universe.
    believed = collect(files)
    assert believed is not None
    assert (0, 3) not in believed.sightings.index
