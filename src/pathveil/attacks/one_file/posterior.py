"""What an adversary believes after the release: candidates with prior and posterior.

*Without* the release every set of missing links that leaves the network connected is as likely as
the others. The *prior* of a candidate is what the known links' bits already say: uniform over the
worlds that agree with them; it uses the release, but only where the adversary is a participant. The
*posterior* uses everything published. *Odds* is the factor by which the release multiplies the odds
that a candidate's links are there against that the same pairs are no links: the ratio that the
certificate bounds, and no statement about which of several candidates is the true one.

What an adversary knows of the coins: how likely an unlinked pair shows what it shows.

Policies are public, so this is common knowledge. With independent coins every copy pair has its
own; with joint coins the copy pairs of a vertex pair show one of K states together. Chances are
floats: an adversary needs no more digits than he can act on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import Any, Literal

from pathveil.model.certificate import Certificate
from pathveil.model.network import pairs_given
from pathveil.policies import Policy
from pathveil.wording import KNOWING, counted, html_table, safe_text

Link = tuple[str, str]
Method = Literal["exact", "sampled"]

_SHOWN = 12
"""Candidates that are shown."""

_SLACK = 1e-9
"""Room for rounding where a loss is printed as a decimal."""


@dataclass(frozen=True)
class Candidate:
    """One answer to "which links are missing?".

    Attributes
    ----------
    links
        Missing links that are named: those the walk would use (in a two-sided release all).
    others
        How many more links are missing off the walk, anywhere among the pairs that may be links.
    prior, posterior
        Before and after the coins are read.
    odds
        Likelihood of the release with these links against without them.
    naming
        The chance that the likeliest choice of the ``others`` is the right one too, given that
        this answer is right.
    """

    links: tuple[Link, ...]
    others: int
    prior: float
    posterior: float
    odds: float
    naming: float = 1.0

    @property
    def label(self) -> str:
        """The answer in words."""
        named = ", ".join(f"{u} - {v}" for u, v in self.links)
        if not self.others:
            return named
        more = f"{self.others} off the walk"
        return f"{named} and {more}" if named else more


@dataclass(frozen=True)
class LinkBelief:
    """How likely a single pair is among the missing links."""

    link: Link
    prior: float
    posterior: float


@dataclass(frozen=True, repr=False)
class Inference:
    """The posterior over the missing links.

    Attributes
    ----------
    candidates
        Most likely first, ties by name. They add up to one, prior and posterior; in a sampled
        inference each is a single link and its chance to be among the missing.
    beliefs
        The same by single pair, most likely first.
    method
        "exact", or "sampled" beyond the size that can be enumerated.
    error
        Half-width of an interval of each prior, each posterior, ``control`` and ``success``, meant
        to hold with 99.9 % for each; 0 where exact.
    certificate
        The promise to compare with; it may be empty.
    control
        The chance that the best guess at all missing links is right by the bits of the known links
        alone.
    without
        The chance to name all missing links without the release.
    left_out
        What an adversary could use and this inference did not, in words.
    guess
        Where sampled: the chance that the best guess at all missing links is right, by the release.
    by_coins
        Where the drawing follows the walk and was used: what the coins alone leave open, so that
        the difference is what the drawing decides. None elsewhere.
    missing
        How many links are missing.
    """

    candidates: tuple[Candidate, ...]
    beliefs: tuple[LinkBelief, ...]
    method: Method
    error: float
    certificate: Certificate
    control: float
    without: float = 0.0
    left_out: tuple[str, ...] = ()
    guess: float | None = None
    by_coins: Inference | None = None
    missing: int = 1

    def __repr__(self) -> str:
        count = counted(len(self.candidates), "candidate")
        what = "best guess" if self.missing == 1 else "one link guessed"
        return (
            f"<Inference: {count}, {what} right: {self.link_success:.1%} "
            f"({self.link_control:.1%} {KNOWING.format('file')}), {self.method}>"
        )

    def _rows(self) -> list[tuple[str, str, str]]:
        return [(name, f"{one:.1%}", f"{two:.1%}") for name, one, two in self.rows()[:_SHOWN]]

    def _head(self) -> str:
        """Return how often one missing link is guessed right, then how often all of them are."""
        every = f"; all {self.missing} of them: {self.success:.1%} ({self.control:.1%})"
        return repr(self).strip("<>") + (every if self.missing > 1 else "")

    def _notes(self) -> list[str]:
        """Return how many rows are not shown, and what an adversary could use besides."""
        more = len(self.candidates) - _SHOWN
        rest = [f"and {more} more"] if more > 0 else []
        return rest + [f"not used: {what}" for what in self.left_out]

    def __str__(self) -> str:
        lines = [f"{after:>7} (was {before}) {name}" for name, before, after in self._rows()]
        return "\n".join([self._head(), *map(safe_text, lines), *self._notes()])

    def _repr_html_(self) -> str:
        heads = ("missing links", KNOWING.format("file"), "with it")
        notes = "".join(f"<p>{note}</p>" for note in self._notes())
        return f"<p>{self._head()}</p>{html_table(heads, self._rows())}{notes}"

    @property
    def best(self) -> Candidate:
        """The most likely answer; where sampled, the link that is likeliest among the missing."""
        return self.candidates[0]

    @property
    def on_walk(self) -> tuple[Candidate, ...]:
        """The answers of someone who knows that all missing links are on the walk.

        Their chances add up to one; there are none if the release rules all of them out.
        """
        used = [one for one in self.candidates if one.prior > 0 and not one.others]
        before, after = sum(one.prior for one in used), sum(one.posterior for one in used)
        if after == 0:
            return ()
        return tuple(
            replace(one, prior=one.prior / before, posterior=one.posterior / after) for one in used
        )

    @property
    def success(self) -> float:
        """The chance that the best guess at all missing links is right, given the release."""
        if self.guess is not None:
            return self.guess
        return max(candidate.posterior * candidate.naming for candidate in self.candidates)

    @property
    def link_success(self) -> float:
        """The chance that the best guess at a single missing link is right, given the release."""
        if self.missing == 1:
            return self.success
        return max(one.posterior for one in self.beliefs)

    @property
    def link_control(self) -> float:
        """The same by the bits of the known links alone."""
        return self.control if self.missing == 1 else max(one.prior for one in self.beliefs)

    def posterior_of(self, *links: Any) -> float:
        """Return the posterior that exactly these missing links are on the walk, or 0.

        Links are given one by one, or as a list.
        """
        given = links[0] if len(links) == 1 and isinstance(links[0], list) else links
        named = {tuple(sorted(map(str, link))) for link in pairs_given(given)}
        wanted = tuple(sorted(named))
        return next((c.posterior for c in self.candidates if c.links == wanted), 0.0)

    def rows(self) -> list[tuple[str, float, float]]:
        """Return (candidate, prior, posterior) for a table or bars, most likely first."""
        return [(c.label, c.prior, c.posterior) for c in self.candidates]

    @property
    def odds(self) -> float:
        """The largest factor by which the release raised the odds of a possible candidate."""
        return max((c.odds for c in self.candidates if c.posterior > 0), default=1.0)

    @property
    def certified(self) -> float | None:
        """The largest odds the certificate allows for this many links; None if it is silent.

        None too where worlds were sampled, as the odds of whole answers are not worked out there.
        """
        bounds = self._bounds()
        return max(bound for _, bound in bounds) if bounds else None

    @property
    def within_certificate(self) -> bool | None:
        """Whether no candidate gained more than was certified; None where that is not known."""
        bounds = self._bounds()
        return None if bounds is None else all(o <= bound * (1 + _SLACK) for o, bound in bounds)

    def _bounds(self) -> list[tuple[float, float]] | None:
        """Return the odds of each possible candidate and those certified; None if one is not."""
        bounds = []
        for c in self.candidates if self.method == "exact" else ():
            row = self.certificate.bound(walk_links=len(c.links), other_links=c.others)
            if c.posterior > 0 and row is None:
                return None
            if c.posterior > 0 and row is not None:
                bounds.append((c.odds, exp(float(row.presence))))
        return bounds if self.method == "exact" else None


@dataclass(frozen=True)
class CoinModel:
    """The law of pairs that are no link, seen in the bits of one walk."""

    policy: Policy

    def chance(self, *, clear: int, pairs: int) -> float:
        """Return the chance that a pair shows one given pattern of its copy pairs.

        Parameters
        ----------
        clear
            How many of them the pattern shows in different branches.
        pairs
            How many copy pairs there are.

        Examples
        --------
        >>> CoinModel(Policy.balanced()).chance(clear=1, pairs=1)
        0.5
        >>> CoinModel(Policy.balanced(copies=2, link_uses=1)).chance(clear=1, pairs=4)
        0.2
        """
        on, states = self._law
        if not self.policy.joint:
            return on**clear * (1 - on) ** (pairs - clear)
        if clear == 0:
            # The state may show in the bits of another walk of the same release.
            return 1 - on / self.policy.walks
        uses = self.policy.link_uses
        return 0.0 if uses is not None and clear > uses else on / states

    @cached_property
    def shows_everything(self) -> bool:
        """Whether every pattern has a chance, so that no bits prove a link."""
        if self.policy.joint and self.policy.link_uses is not None:
            return False
        return 0 < self._law[0] < 1

    @cached_property
    def _law(self) -> tuple[float, int]:
        law = self.policy.law()
        return float(law.on), law.states
