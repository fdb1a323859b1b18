"""Beliefs about missing links by weighted samples of worlds, where there are too many to list.

Worlds are drawn part by part, among the parts that fit, and weighed by one over the chance to be
drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pathveil.attacks.one_file.completions import Completions, Pair, World
from pathveil.attacks.one_file.enumerated import best_before
from pathveil.attacks.one_file.likelihood import Judge
from pathveil.attacks.one_file.posterior import Candidate, Inference, LinkBelief
from pathveil.errors import TooLarge
from pathveil.model.publication import Publication

_NORMAL_999 = 3.2905
_UNSEEN_999 = 6.9078
"""ln 1000: what never came in n draws has, with 99.9 %, a chance of less than this over n."""

MOST_SETS = 100
"""Sets of links on the walk, those that came most, among which the best guess is sought."""


def infer_by_samples(
    judge: Judge,
    completions: Completions,
    samples: int,
    random: np.random.Generator,
    publication: Publication,
    *,
    left_out: tuple[str, ...],
) -> Inference:
    """Return the beliefs by weighted samples of worlds, with the half-width of their interval."""
    priors = _sample(judge, completions, samples, random, release=False)
    posteriors = _sample(judge, completions, samples, random, release=True)
    (before, before_error), (after, error) = priors.estimates(), posteriors.estimates()
    guess, guess_error = posteriors.best_guess()
    control, control_error = priors.best_guess()
    beliefs = [
        LinkBelief(judge.read.names(pair), before.get(pair, 0.0), after.get(pair, 0.0))
        for pair in sorted({*before, *after})
    ]
    beliefs.sort(key=lambda belief: (-belief.posterior, belief.link))
    candidates = tuple(Candidate((b.link,), 0, b.prior, b.posterior, 0.0) for b in beliefs)
    return Inference(
        candidates,
        tuple(beliefs),
        "sampled",
        min(max(error, before_error, guess_error, control_error), 1.0),
        publication.certificate,
        control,
        without=1 / judge.sets_before(()),
        guess=guess,
        left_out=left_out,
        missing=judge.missing,
    )


@dataclass
class _Drawn:
    """Worlds that were drawn: weights, and where each pair is on the walk or perhaps off it."""

    judge: Judge
    release: bool
    weights: npt.NDArray[np.float64]
    marks: dict[Pair, list[int]] = field(default_factory=dict)
    sets: dict[tuple[Pair, ...], list[int]] = field(default_factory=dict)
    kinds: dict[tuple[object, ...], list[int]] = field(default_factory=dict)
    shares: dict[tuple[object, ...], dict[Pair, float]] = field(default_factory=dict)

    def note(self, place: int, world: World, weight: float) -> None:
        """Count a world in: its own links for certain, those off its walk by their chances."""
        judge, release = self.judge, self.release
        self.weights[place] = weight
        self.sets.setdefault(world.links, []).append(place)
        for pair in world.links:
            self.marks.setdefault(pair, []).append(place)
        if len(world.links) < judge.missing:
            plain = not release and (judge.rough or not max(judge.parts(world.links)))
            parts = () if plain else judge.parts(world.links)
            # Worlds of one kind give the pairs off their walks the same chances: found once.
            key: tuple[object, ...] = (parts, len(world.links) if release or plain else world.links)
            if key not in self.shares:
                self.shares[key] = _shares(judge, world.links, release=release, plain=plain)
            self.kinds.setdefault(key, []).append(place)

    def estimates(self) -> tuple[dict[Pair, float], float]:
        """Return the chance of each pair, and the half-width of the interval of all of them.

        The error is that of a ratio of sums, and besides what may have been missed: a share of the
        weight that no draw met.
        """
        weights = self.weights / self.weights.sum()
        found, error = {}, 0.0
        for pair in {*self.marks, *(pair for listed in self.shares.values() for pair in listed)}:
            inside = np.zeros(len(weights))
            for kind, places in self.kinds.items():
                inside[places] = self.shares[kind].get(pair, 0.0)
            inside[self.marks.get(pair, [])] = 1.0
            found[pair] = float(weights @ inside)
            spread = float(np.sqrt((weights**2 * (inside - found[pair]) ** 2).sum()))
            error = max(error, _NORMAL_999 * spread)
        return found, error + _UNSEEN_999 * float((weights**2).sum())

    def best_guess(self) -> tuple[float, float]:
        """Return the chance that the best guess at all missing links is right, and its half-width.

        A share of the weight for each set of links on the walk, and of it the part of the likeliest
        links more. The release tells which of them are on the walk; the known links do not.
        """
        weights = self.weights / self.weights.sum()
        shares = {links: float(weights[places].sum()) for links, places in self.sets.items()}
        often = sorted(shares, key=lambda links: (-shares[links], links))[:MOST_SETS]
        if self.release:
            best = max(shares[links] * self.judge.naming_after(links) for links in often)
        else:
            best = best_before(self.judge, {frozenset(links): shares[links] for links in often})
        inside = np.zeros(len(weights))
        inside[self.sets[often[0]]] = 1.0
        spread = float(np.sqrt((weights**2 * (inside - shares[often[0]]) ** 2).sum()))
        return best, _NORMAL_999 * spread + _UNSEEN_999 * float((weights**2).sum())


def _sample(
    judge: Judge,
    completions: Completions,
    samples: int,
    random: np.random.Generator,
    *,
    release: bool,
) -> _Drawn:
    """Return weighted samples of worlds."""
    found = _Drawn(judge, release, np.zeros(samples))
    for place in range(samples):
        drawn = completions.draw(random, judge.bits if release else None)
        if drawn is None:
            continue
        world, factor = drawn
        weight = judge.posterior(world) if release else judge.prior(world)
        if weight:
            found.note(place, world, weight * factor)
    if not found.weights.any():
        raise TooLarge(
            f"none of {samples} sampled ways to join the known pieces of the walk agrees with the "
            "publication; raise samples or limit, or check how many links are missing"
        )
    return found


def _shares(
    judge: Judge, links: tuple[Pair, ...], *, release: bool, plain: bool
) -> dict[Pair, float]:
    """Return the chances of links off the walk beside these; plainly, of all pairs but these."""
    if release:
        return judge.shares_after(links)
    if not plain:
        return judge.shares_before(links)
    others = judge.missing - len(links)
    return dict.fromkeys(judge.read.absent, others / (len(judge.read.absent) - len(links)))
