"""The prior systems by name: each family once as the paper has it, all of them at each budget."""

from __future__ import annotations

from collections import Counter

import numpy as np

from pathveil.lab.baselines.location_sets import LocationSets
from pathveil.lab.comparison.games import Settings, make_trial
from pathveil.lab.comparison.systems import ALPHAS, FIVE, SYSTEMS


def test_the_five_are_the_paper_s() -> None:
    families = Counter(name.replace(",", "").split()[0] for name in FIVE)
    assert families == {"SDD": 1, "PIM": 1, "PriSTE": len(ALPHAS), "DPT": 1, "PTCS": 1}
    assert set(FIVE) <= set(SYSTEMS)


def test_a_delta_at_which_the_set_bites() -> None:
    """At 0.01 the set holds all ten vertices of a map; at 0.3 about six, often without the true."""
    sizes: dict[float, list[int]] = {0.01: [], 0.3: []}
    outside = []
    for delta, counted in sizes.items():
        mechanism = LocationSets(1.0, delta=delta)
        for number in range(20):
            instance = make_trial(number, Settings()).instance
            release = mechanism.publish(instance, np.random.default_rng(number))
            moments = mechanism.moments(instance.scene)
            sets = [next(moments).states, *(moments.send(z).states for z in release.points[:-1])]
            counted += map(len, sets)
            if delta == 0.3:
                outside += [v not in s for v, s in zip(instance.indices, sets, strict=True)]
    assert min(sizes[0.01]) == 10
    assert 5.5 < np.mean(sizes[0.3]) < 7
    assert 0.25 < np.mean(outside) < 0.45
