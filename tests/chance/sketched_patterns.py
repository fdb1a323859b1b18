"""The chance of a pattern in values of r bits, release by release: by the definition."""

from __future__ import annotations

from fractions import Fraction

from pathveil.sketching.sketched_urn import SketchedUrn


def pattern_chance(kept: SketchedUrn, pattern: tuple[bool, ...]) -> Fraction:
    """Return the chance of one pattern, one given state for each use."""
    chance, shown = Fraction(1), 0
    for release, on in enumerate(pattern):
        chance *= kept.chance(shown, release, on=on)
        shown += on
    return chance
