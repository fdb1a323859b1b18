"""Losses of pairs that were no link all the time, straight from the urn: what rows must cover."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.losses import pattern_loss
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.chance.urn import Urn
from pathveil.model.certificate import Loss


def late_loss(
    urn: Urn, before: tuple[int, int], shown: int, releases: int, *, states: int = 1
) -> Loss:
    """Return the loss of a link that was chaff at first.

    Parameters
    ----------
    before
        In how many of how many releases it was shown while it was no link.
    shown, releases
        On how many walks it lies of how many published since.
    """
    return pattern_loss(urn.after(*before), shown, releases, states=states)


def history_loss(urn: Urn, shown: Sequence[bool], linked: Sequence[bool]) -> ExactLoss:
    """Return the loss of a pair by what was shown of it, and when it was a link."""
    chance, count = Fraction(1), 0
    for release, (on, link) in enumerate(zip(shown, linked, strict=True)):
        rate = urn.rate(count, release)
        if link:
            chance *= rate if on else 1 - rate
        count += on
    return ExactLoss.of(ExactProbability.rational(1 / chance))
