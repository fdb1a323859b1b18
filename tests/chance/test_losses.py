from __future__ import annotations

from fractions import Fraction
from math import log, prod

import pytest

from pathveil import Policy
from pathveil.chance.losses import (
    Missing,
    exact_pattern_loss,
    fresh_loss,
    losses_of,
    pattern_loss,
    series_rows,
    urn_of,
)
from pathveil.chance.urn import Urn
from tests.chance.late_links import late_loss


def test_losses_add_up() -> None:
    policy = Policy.frontier(walk_loss=1)
    walk, other = (losses_of(policy, Missing(on_walk=kind)) for kind in (True, False))
    both = walk.times(2) + other.times(3)
    assert both.presence.loss().expression == "2 - 3 ln(1 - exp(-1))"


def test_impossible_uses_are_refused() -> None:
    with pytest.raises(ValueError, match="2 uses of a link with 1 x 1 copies"):
        losses_of(Policy.balanced(), Missing(on_walk=True, uses=2))


def test_a_link_of_drawn_copies_is_one_pair_unless_its_copies_are_told() -> None:
    policy = Policy.paper(vertex=1, link=1)
    for on_walk in (True, False):
        alone = losses_of(policy, Missing(on_walk=on_walk))
        assert alone == losses_of(policy, Missing(on_walk=on_walk, copies=(1, 1)))
        assert alone != losses_of(policy, Missing(on_walk=on_walk, copies=(1, 2)))


def test_each_copy_pair_of_a_link_has_a_coin_of_its_own() -> None:
    """Five of six are walked: each costs as a walk link, the sixth as another."""
    policy = Policy.frontier(walk_loss=1)
    on, off = (losses_of(policy, Missing(on_walk=kind)) for kind in (True, False))
    for uses in (1, 5):
        missing = Missing(on_walk=True, uses=uses, copies=(2, 3))
        assert losses_of(policy, missing) == on.times(uses) + off.times(6 - uses)
    assert losses_of(policy, Missing(on_walk=False, copies=(2, 3))) == off.times(6)


URNS = [Urn(), Urn(Fraction(4), Fraction(16)), Urn(Fraction(2), Fraction(1, 3))]


def rest(urn: Urn, t0: int, k0: int, k: int, releases: int, states: int) -> Fraction:
    """The chance of k uses first, then none: a product of rates, release by release."""
    urn_rates = []
    shown = k0
    for t in range(t0, releases):
        rate = (shown + urn.on) / (t + urn.on + urn.off)
        on = t - t0 < k
        urn_rates.append(rate / states if on else 1 - rate)
        shown += on
    return prod(urn_rates, start=Fraction(1))


@pytest.mark.parametrize("urn", URNS)
@pytest.mark.parametrize("states", [1, 4])
def test_a_loss_is_minus_the_logarithm_of_the_product_of_rates(urn: Urn, states: int) -> None:
    for releases, k in ((1, 0), (1, 1), (5, 0), (5, 2), (5, 5)):
        expected = -log(rest(urn, 0, 0, k, releases, states))
        assert float(pattern_loss(urn, k, releases, states=states)) == pytest.approx(
            expected, abs=1e-4
        )
        exact = exact_pattern_loss(urn, k, releases, states=states)
        assert exact.loss().decimal == pattern_loss(urn, k, releases, states=states).decimal
        assert exact_pattern_loss(urn, k, 5) == exact_pattern_loss(urn, k, 5, states=1)
    late = late_loss(urn, (2, 3), 1, 2, states=states)
    assert float(late) == pytest.approx(-log(rest(urn, 3, 2, 1, 5, states)), abs=1e-4)


def test_a_loss_is_written_as_shortly_as_it_can_be_read() -> None:
    assert str(pattern_loss(Urn(), 0, 0)) == "0 = 0.0000"
    assert str(pattern_loss(Urn(), 1, 1, states=4)) == "ln 8 = 2.0795"
    assert str(pattern_loss(Urn(), 0, 4)) == "ln(128/35) = 1.2967"
    assert str(pattern_loss(Urn(), 0, 60, states=4)).startswith(
        "ln B(1/2, 1/2) - ln B(1/2, 121/2) ="
    )
    assert str(pattern_loss(Urn(), 2, 60, states=4)).startswith(
        "ln B(1/2, 1/2) - ln B(5/2, 117/2) + 2 ln 4 ="
    )
    assert " + 2 ln 2 =" in str(pattern_loss(Urn(), 2, 60, states=2))
    assert " ln 1" not in str(pattern_loss(Urn(), 2, 60))


@pytest.mark.parametrize("urn", URNS)
@pytest.mark.parametrize("states", [1, 3])
def test_no_late_link_is_rarer_than_the_rarest_that_always_was(urn: Urn, states: int) -> None:
    """Every release to become a link in, all that was shown before, and all that comes after."""
    for releases in (2, 3, 6):
        every = [
            rest(urn, t0, k0, k, releases, states)
            for t0 in range(releases)
            for k0 in range(t0 + 1)
            for k in range(releases - t0 + 1)
        ]
        dearest = urn.costliest(releases, states=states)
        assert min(every) == rest(urn, 0, 0, dearest, releases, states)


def rows_of(policy: Policy, releases: int) -> list[tuple[str, int | None, str, bool]]:
    return [
        (row.adversary.kind, row.adversary.on_walks, str(row.presence), row.bound)
        for row in series_rows(policy, releases)
    ]


def test_rows_of_a_series_are_the_counts_people_ask_for() -> None:
    policy = Policy.remembering(prior=(1, 3))
    urn = urn_of(policy)
    rows = rows_of(policy, 8)
    counts = [on for kind, on, _, _ in rows if kind == "series"]
    # None, one, two, the mean of a quarter, and the dearest.
    assert counts == sorted({0, 1, 2, urn.costliest(8)})
    for kind, on, loss, bound in rows:
        if kind == "series":
            assert on is not None
            assert bound
            assert loss == str(pattern_loss(urn, on, 8))
    assert rows[-2][0] == "late-link"
    dearest = urn.costliest(8)
    assert rows[-2][1:] == (dearest, str(pattern_loss(urn, dearest, 8)), True)
    assert rows[-1][0] == "fresh-coins"
    assert rows[-1][2:] == ("8 ln 2 = 5.5452", False)
    assert [kind for kind, *_ in rows_of(policy, 1)] == ["series", "series", "fresh-coins"]
    assert "late-link" in [kind for kind, *_ in rows_of(policy, 2)]
    typical = rows_of(Policy.remembering(prior=(3, 3)), 9)
    assert 5 in [on for _, on, _, _ in typical], "half of nine, rounded up"


def test_copies_and_walks_together_are_states() -> None:
    policy = Policy.remembering(prior=("1/2", "1/2"), copies=2, link_uses=1)
    assert str(fresh_loss(policy, 3)) == "3 ln 5 = 4.8284"
    shown = {on: loss for kind, on, loss, _ in rows_of(policy, 3) if kind == "series"}
    assert shown[2] == str(pattern_loss(urn_of(policy), 2, 3, states=4))
