from __future__ import annotations

from fractions import Fraction
from math import log

import pytest

from pathveil import Policy
from pathveil.chance.exponential import ExactProbability
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.sketching.sketch_release import kept_urn
from pathveil.sketching.sketched_series import sketched_pattern_loss, sketched_rows
from tests.chance.written import require_as_written

SEED = ExactLoss.of(ExactProbability.rational(Fraction(9, 8)))
"""What the seed of one release adds, here, to be seen: ln 9/8."""


@pytest.mark.parametrize("policy", [Policy.remembering(), Policy.remembering(prior=(1, 3))])
def test_rows_are_the_dearest_patterns_and_a_seed_for_each_release(policy: Policy) -> None:
    kept, seed = kept_urn(policy), log(9 / 8)
    for releases in (1, 2, 4, 9):
        rows = sketched_rows(policy, releases, SEED)
        last = releases - 1
        assert [row.bound for row in rows] == [True] * (len(rows) - 1) + [False]
        walk, other = rows[:2]
        assert (walk.adversary.walk_links, other.adversary.other_links) == (1, 1)
        on, off = kept.chance(0, last, on=True), kept.chance(last, last, on=False)
        assert float(walk.presence) == pytest.approx(-log(on) + seed, abs=2e-4)
        assert float(other.presence) == pytest.approx(-log(off) + seed, abs=2e-4)
        least = kept.least_chances(releases)
        series = [row for row in rows if row.adversary.kind == "series"]
        counts = [row.adversary.on_walks for row in series]
        typical = min(releases, int(kept.urn.rate(0, 0) * releases + Fraction(1, 2)))
        dearest = least.index(min(least))
        assert counts == sorted({0, 1, min(2, releases), typical, dearest})
        for row, shown in zip(series, counts, strict=True):
            assert shown is not None
            expected = -log(least[shown]) + releases * seed
            assert float(row.presence) == pytest.approx(expected, abs=2e-4)
            assert row.presence == sketched_pattern_loss(policy, shown, releases, SEED)
        late = [row for row in rows if row.adversary.kind == "late-link"]
        assert len(late) == (releases > 1)
        for row in late:
            chance, uses = kept.latest_chance(releases)
            assert row.adversary.on_walks == uses
            expected = -log(chance) + releases * seed
            assert float(row.presence) == pytest.approx(expected, abs=2e-4)
        assert rows[-1].adversary.kind == "fresh-coins"


def test_a_loss_is_written_as_shortly_as_it_can_be_read() -> None:
    policy = Policy.remembering()
    short = sketched_pattern_loss(policy, 1, 1, SEED)
    assert short.expression == "ln 2 + ln(9/8)"
    long = sketched_pattern_loss(policy, 30, 60, SEED)
    assert long.expression == "ln(1/Q), Q the least chance to look like it + 60 ln(9/8)"


def test_all_that_it_says_is_written_down_and_was_read() -> None:
    require_as_written("remembering")
