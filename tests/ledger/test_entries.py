"""Plain values of a ledger: what is over a budget, what is left, and that no log tells a walk."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from pathveil import Network, Walk
from pathveil.ledger.entries import Charge, DrawnRelease, ReleaseRow, Request, Standing, exceeds
from pathveil.model.certificate import NO_LOSS, Loss

TWO = Loss("3 ln 2", "2.0795")


@pytest.mark.parametrize(
    ("budget", "over"),
    [
        (Fraction("2.0794"), True),
        (Fraction("2.0795"), False),
        (Fraction(20795, 10000) - Fraction(1, 10**30), True),
        (None, False),
    ],
)
def test_a_budget_is_held_against_the_loss_rounded_up(
    budget: Fraction | None,
    over: bool,  # noqa: FBT001
) -> None:
    """3 ln 2 is 2.07944...: a budget between that and what is printed is refused, not passed."""
    assert exceeds(TWO, budget) is over


def test_what_is_infinite_is_over_any_budget() -> None:
    assert exceeds(Loss("infinite", "inf"), Fraction(10**9))
    assert not exceeds(Loss("infinite", "inf"), None)


def test_what_is_left() -> None:
    row = ReleaseRow(3, 1, 1, "balanced", None, "", "", TWO)
    stands = Standing(1, 8, Fraction(5, 2), {0: 5, 1: 2, 4: 1}, (row,))
    assert stands.left == Decimal("0.4205")
    free = Standing(1, 0, None, {})
    assert (free.left, free.spent) == (None, NO_LOSS)


def test_no_log_shows_what_is_secret() -> None:
    """Requests hold the walk, drawn releases what it is charged for."""
    network = Network.from_links([("north-gate", "harbour"), ("harbour", "mill")])
    request = Request(network, Walk(["north-gate", "harbour"]), Path("x"), "terms", "balanced")
    drawn = DrawnRelease("harbour", "off", {("harbour", "north-gate"): Charge("on", 1)})
    for value in (request, drawn):
        assert "harbour" not in repr(value)
        assert "gate" not in repr(value)
