"""How well chaff fits the walks: a pair that is no link should be shown as often as a link is.

To one who counts, and to one who looks for paths, chaff that is shown much more or much less often
than links are used is no cover. What is written here was measured (``docs/many-walks.md``): on
networks of 60 and 120 vertices chaff that fits held up to one use per link, the prior 1/2, 1/2 was
read from between half and three quarters of a use on, fresh fair coins at half a use.

*Privacy*: all of it looks at the network and the walks, for the custodian's screen alone. What he
then states as ``usage`` is public, and must be chosen from what is public.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pathveil.policies import Policy

SMALL = 40
"""Up to so many vertices the gate's own outsider sees what chaff that does not fit gives away."""

STEPS = tuple(Fraction(step, 10) for step in (10, 15, 20, 30, 50, 70, 100))
"""A usage is advised in so few steps a decade."""


@dataclass(frozen=True)
class ChaffFit:
    """Chaff beside the links it has to hide.

    Attributes
    ----------
    share
        The share of walks that a link lies on. Secret.
    shown
        The share of releases in which a pair that is no link is shown on the walk, at first.
    remembers
        Whether chaff follows what was shown before.
    vertices
        Of the network.

    Examples
    --------
    >>> ChaffFit(Fraction(1, 17), Fraction(1, 2), remembers=True, vertices=60).most_uses
    Fraction(1, 2)
    >>> ChaffFit(Fraction(1, 17), Fraction(1, 12), remembers=True, vertices=60).most_uses
    Fraction(1, 1)
    """

    share: Fraction
    shown: Fraction
    remembers: bool
    vertices: int

    @classmethod
    def of(cls, policy: Policy, share: Fraction, vertices: int) -> ChaffFit:
        """Return how the chaff of a policy fits links that lie on this share of the walks."""
        urn = policy.kind.urn
        if urn is not None:
            return cls(share, urn.rate(0, 0), remembers=True, vertices=vertices)
        shown = Fraction(float(policy.chaff)).limit_denominator(1 << 20)
        return cls(share, shown, remembers=False, vertices=vertices)

    @property
    def fits(self) -> bool:
        """Whether chaff remembers and is shown as often as links are used, or up to twice that.

        A usage guessed twice too high was as good as the true one up to one and a half uses per
        link; one guessed twice too low was read from three quarters of a use on.
        """
        return self.remembers and Fraction(9, 10) <= self.shown / self.share <= Fraction(9, 4)

    @property
    def most_uses(self) -> Fraction:
        """Uses per link above which the gate is closed, if nobody says otherwise."""
        if self.fits or self.vertices <= SMALL:
            return Fraction(1)
        return Fraction(1, 2) if self.remembers else Fraction(1, 4)

    @property
    def usage(self) -> Fraction:
        """A usage to begin a series with: the share, rounded up to one of a few numbers.

        >>> ChaffFit(Fraction(1, 17), Fraction(1, 2), remembers=True, vertices=60).usage
        Fraction(7, 100)
        """
        decade = Fraction(1)
        while self.share < decade:
            decade /= 10
        found = next(step * decade for step in STEPS if step * decade >= self.share)
        return min(found, Fraction(1, 2))

    def sentence(self) -> str:
        """Return what is wrong with the fit and what to give, in words; nothing if it fits."""
        if self.fits:
            return ""
        kind = "Chaff" if self.remembers else "Chaff, drawn afresh each time,"
        return (
            f"{kind} is shown in {float(self.shown):.0%} of first releases, a link lies on "
            f"{float(self.share):.1%} of these walks: that helps to tell them apart. On networks "
            "of 60 and 120 vertices chaff like the default was read from between half and three "
            "quarters of a use per link on (62 of 100 walks at three quarters); chaff that fits "
            f"from one and a half on. Begin such a series with --usage {float(self.usage):g} "
            "(usage=): a public number, so take it from what is public, steps of a typical walk by "
            "links of a typical network; rather twice too high than too low, and not five times."
        )
