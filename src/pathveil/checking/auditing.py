"""audit(): the loss of a mechanism, measured from outside.

The judge knows neither how a certificate was computed nor how a release is made: a mechanism is a
callable and a claim is a number.

By **enumeration**, where the mechanism can state its finite law: the loss is the largest log-ratio
of the two laws, exact, infinite where an output is possible on one side only. The verdict is then
"holds" or "refuted".

By **sampling**, for any callable: an event (a set of outputs) is chosen on one part of the samples
and its two probabilities are bounded on the other part, each by a one-sided Clopper-Pearson bound.
Both directions are tested, perhaps many pairs, so the error is divided by the number of tests
(Bonferroni). The ratio of the bounds is a lower bound of the loss that is wrong with probability
at most 1 - confidence. Sampling can refute a claim. It cannot prove one: then the verdict is
"inconclusive", and the bound says how much of the claim was reached. Nor can it prove that an
output is impossible.

Judging drawn releases: which views of their bits an audit holds against a claim.

Two piles of releases, one from the world with a link and one from the world without it, each a
table with one row for a release and one column for a pair of copies. Looked at are the link's own
columns; each of the few other columns that differed most in a first part of the rows, beside them;
and the direction. Rows of the first part choose and are then put away, so that choosing cannot
deceive. Nothing here knows how releases are made or what was promised of them: the claim comes in
as numbers, and the judge is :func:`pathveil.checking.auditing.audit`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log
from typing import Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from pathveil.attacks.success_rates import clopper_pearson
from pathveil.chance.source import Source, System
from pathveil.errors import BadArgument
from pathveil.model.bits import BoolArray, IndexArray

Input_contra = TypeVar("Input_contra", contravariant=True)
Given = TypeVar("Given")
Verdict = Literal["holds", "refuted", "inconclusive"]
Law = Mapping[Any, Any]
"""Output -> probability, each a fraction, a float or an ``arb`` ball."""

_ROUNDING = 1e-12


class Drawable(Protocol[Input_contra]):
    """Anything that draws an output for an input."""

    def __call__(self, given: Input_contra, source: Source, /) -> Hashable:
        """Return one output."""


@runtime_checkable
class Enumerable(Protocol[Input_contra]):
    """A mechanism that can state its law."""

    def law(self, given: Input_contra, /) -> Law:
        """Return the probability of every possible output."""


@dataclass(frozen=True)
class MeasuredLoss:
    """The loss one way round: how much likelier an event is on the one side than on the other.

    Attributes
    ----------
    epsilon
        The natural logarithm of the ratio; exact when enumerated, a lower bound when sampled.
    ratio
        The exact ratio where the law is rational; None where it is not, or is infinite.
    event
        A set of outputs that shows it.
    claimed
        What was claimed, if anything.
    """

    epsilon: float
    ratio: Fraction | None
    event: frozenset[Hashable]
    claimed: float | None

    @property
    def refuted(self) -> bool:
        """Whether the loss is above the claim."""
        return self.claimed is not None and self.epsilon > self.claimed + _ROUNDING


@dataclass(frozen=True)
class Audit:
    """What an audit found, both ways round.

    Attributes
    ----------
    forward, backward
        MeasuredLoss of the first input against the second, and of the second against the first.
    method
        "enumeration" or "sampling".
    samples
        Confirming samples on each side; 0 when enumerated.
    confidence
        The chance that no bound is wrong, at least; 1 when enumerated.
    """

    forward: MeasuredLoss
    backward: MeasuredLoss
    method: Literal["enumeration", "sampling"]
    samples: int
    confidence: float

    @property
    def epsilon(self) -> float:
        """The larger of the two losses: what symmetric differential privacy would cost."""
        return max(self.forward.epsilon, self.backward.epsilon)

    @property
    def verdict(self) -> Verdict:
        """Refuted if a loss is above its claim; holds if enumeration excluded that."""
        losses = (self.forward, self.backward)
        if any(loss.refuted for loss in losses):
            return "refuted"
        proven = self.method == "enumeration" and any(loss.claimed is not None for loss in losses)
        return "holds" if proven else "inconclusive"

    def __str__(self) -> str:
        sign = "=" if self.method == "enumeration" else ">="
        return (
            f"{self.verdict}: loss {sign} {self.forward.epsilon:.4f} forward, "
            f"{sign} {self.backward.epsilon:.4f} backward"
        )


def audit(
    release: Drawable[Given] | Enumerable[Given],
    pair: tuple[Given, Given],
    *,
    claimed: float | tuple[float | None, float | None] | None = None,
    samples: int | None = None,
    confidence: float = 0.999,
    tests: int = 1,
    source: Source | None = None,
) -> Audit:
    """Return the loss of a mechanism between two neighbouring inputs, and whether a claim stands.

    Parameters
    ----------
    release
        A callable of an input and a source; or an object with ``law``, to be enumerated. A
        callable that also has ``counts(given, number, source)``, how often each output came in that
        many independent draws, is sampled many at a time. Let it return what you look at: of large
        outputs a coarse view, which can only lose less.
    pair
        The neighbouring inputs, for example a network with a link and without it.
    claimed
        The claimed loss: one number for both ways round, or (forward, backward), where None claims
        nothing. ``math.inf`` claims no bound.
    samples
        How many samples on each side confirm the bound; half as many more choose the event.
        Not given: the law is enumerated.
    confidence
        The chance, at least, that no lower bound of this audit, or of all ``tests``, is wrong.
    tests
        How many pairs are audited under the same confidence.
    source
        Random bytes for the mechanism.

    *Privacy*: an audit can refute; only enumeration can confirm, and only for the pair given.

    Examples
    --------
    >>> class Response:
    ...     def law(self, secret: bool) -> dict[bool, Fraction]:
    ...         return {secret: Fraction(3, 4), not secret: Fraction(1, 4)}
    >>> found = audit(Response(), (True, False), claimed=log(3))
    >>> found.forward.ratio, found.verdict
    (Fraction(3, 1), 'holds')
    """
    claims = claimed if isinstance(claimed, tuple) else (claimed, claimed)
    if samples is None:
        if not isinstance(release, Enumerable):
            raise BadArgument("the mechanism cannot state its law; give samples=, a number")
        first, second = (_support(release.law(given)) for given in pair)
        both = [_enumerate(first, second, claims[0]), _enumerate(second, first, claims[1])]
        return Audit(both[0], both[1], "enumeration", 0, 1.0)
    if not callable(release):
        raise BadArgument("the mechanism is not callable, so it cannot be sampled; omit samples=")
    if samples < 1 or not 0 < confidence < 1 or tests < 1:
        raise ValueError(
            f"samples={samples}, confidence={confidence}, tests={tests}: expected a positive "
            "number, a probability and a positive number"
        )
    drawn = _Samples(release, pair, samples, source or System())
    error = (1 - confidence) / (2 * tests)
    both = [drawn.bound(side, claims[side], error) for side in (0, 1)]
    return Audit(both[0], both[1], "sampling", samples, confidence)


# -- enumeration --------------------------------------------------------------------------------


def _support(law: Law) -> dict[Hashable, Any]:
    """Return the outputs that are possible, with their chances."""
    exact = [chance for chance in law.values() if isinstance(chance, Fraction | int)]
    if len(exact) == len(law) and sum(exact) != 1:
        raise ValueError(f"the law adds up to {sum(exact)}, expected 1; it is not a law")
    return {output: chance for output, chance in law.items() if chance != 0}


def _enumerate(
    here: dict[Hashable, Any], there: dict[Hashable, Any], claim: float | None
) -> MeasuredLoss:
    proving = frozenset(output for output in here if output not in there)
    if proving:
        return MeasuredLoss(inf, None, proving, claim)
    best = max(here, key=lambda output: _log(here[output] / there[output]))
    quotient = here[best] / there[best]
    ratio = Fraction(quotient) if isinstance(quotient, Fraction | int) else None
    return MeasuredLoss(_log(quotient), ratio, frozenset([best]), claim)


def _log(quotient: Any) -> float:
    if isinstance(quotient, Fraction):
        # A ratio of long fractions may not fit a float; its parts' logarithms do.
        return log(quotient.numerator) - log(quotient.denominator)
    if isinstance(quotient, int | float):
        return log(quotient)
    return float(quotient.log().mid())


# -- sampling -----------------------------------------------------------------------------------


class _Samples(Generic[Given]):
    """Outputs counted on both sides, one part to choose events and one to confirm them."""

    def __init__(
        self, release: Drawable[Given], pair: tuple[Given, Given], samples: int, source: Source
    ) -> None:
        self.samples, self.part = samples, first_part(samples)

        counts = getattr(release, "counts", None)

        def count(given: Given, number: int) -> Counter[Hashable]:
            if counts is not None:
                return Counter(counts(given, number, source))
            return Counter(release(given, source) for _ in range(number))

        self.ranking, self.sizing, self.confirming = (
            [count(given, number) for given in pair] for number in (self.part, self.part, samples)
        )

    def bound(self, side: int, claim: float | None, error: float) -> MeasuredLoss:
        """Return the lower bound of the loss of one side against the other."""
        event = self._choose(side, error)
        hits = [sum(counts[output] for output in event) for counts in self.confirming]
        epsilon = max(self._log_ratio(hits[side], hits[1 - side], error), 0.0)
        return MeasuredLoss(epsilon, None, event, claim)

    def _choose(self, side: int, error: float) -> frozenset[Hashable]:
        """Return the event whose bound would be best, among sets of the outputs of largest ratio.

        By Neyman and Pearson the best event of every size is such a set. One part ranks the
        outputs, another sets the size, lest a lucky ranking be taken for a loss; the bound is
        judged at the size of the confirming part, so that rare outputs are not chosen in vain.
        """
        here, there = self.ranking[side], self.ranking[1 - side]
        ranked = sorted(
            here, key=lambda output: (-(here[output] + 0.5) / (there[output] + 0.5), repr(output))
        )
        scale = self.samples / self.part
        best, best_bound, hits, misses = 1, -inf, 0, 0
        for size, output in enumerate(ranked, start=1):
            hits += self.sizing[side][output]
            misses += self.sizing[1 - side][output]
            # Beyond the first sixty-four a few sizes are enough and keep the search cheap.
            if size > 64 and size % 64 and size != len(ranked):
                continue
            bound = self._log_ratio(round(hits * scale), round(misses * scale), error)
            if bound > best_bound:
                best, best_bound = size, bound
        return frozenset(ranked[:best])

    def _log_ratio(self, hits: int, misses: int, error: float) -> float:
        """Return ln of lower bound over upper bound of the two rates."""
        low, _ = clopper_pearson(hits, self.samples, below=error / 2, above=error / 2)
        _, high = clopper_pearson(misses, self.samples, below=error / 2, above=error / 2)
        return log(low / high) if low > 0 else -inf


OTHERS = 5
"""Other columns that are judged: those that differed most in a first part of the rows."""

VIEWS = OTHERS + 2
"""Views of one audit at most: the link's own bits, others beside them, the direction."""


def rows_needed(samples: int) -> int:
    """Return how many rows each world needs for ``samples`` confirming samples.

    >>> rows_needed(20_000)
    35000
    """
    return samples + 3 * first_part(samples)


def first_part(samples: int) -> int:
    """Return how many rows choose views: as many as rank events, and as many as size them."""
    return max(samples // 4, 1)


@dataclass(frozen=True, eq=False)
class Pile:
    """Releases of one world.

    Attributes
    ----------
    bits
        One row for each release, one column for each pair of copies: True in one branch.
    directions
        The direction bit of each release: 0 or 1, and -1 where none is told.
    own
        The columns of the link in question.
    """

    bits: BoolArray
    directions: npt.NDArray[np.int8]
    own: IndexArray


def judge_piles(
    piles: Mapping[bool, Pile],
    claimed: tuple[float, float],
    *,
    samples: int,
    confidence: float,
    tests: int,
    source: Source,
) -> list[Audit]:
    """Return one audit for each view of the releases with the link (True) and without (False).

    ``tests`` is how many audits share the confidence, :data:`VIEWS` of them here at most.

    Examples
    --------
    >>> from pathveil.chance.source import Seeded
    >>> coins = np.random.default_rng(1).random((1750, 1)) < 0.5
    >>> own, told = np.zeros(1, dtype=np.int64), np.zeros(1750, dtype=np.int8)
    >>> piles = {True: Pile(np.ones_like(coins), told, own), False: Pile(coins, told, own)}
    >>> found = judge_piles(
    ...     piles, (0.5, 0.0), samples=1000, confidence=0.999, tests=2, source=Seeded(1)
    ... )
    >>> [one.verdict for one in found]                   # own bits; own bits and the direction
    ['refuted', 'refuted']
    """
    part = first_part(samples)
    own = piles[True].own.tolist()
    columns = [own, *([*own, place] for place in _most_different(piles, part))]
    views = [
        {known: _codes(pile.bits[part:, chosen]) for known, pile in piles.items()}
        for chosen in columns
    ]
    views.append({known: _with_direction(pile, part) for known, pile in piles.items()})
    return [
        audit(
            _dealt(rows),
            (True, False),
            claimed=claimed,
            samples=samples,
            confidence=confidence,
            tests=tests,
            source=source,
        )
        for rows in views
    ]


def _most_different(piles: Mapping[bool, Pile], part: int) -> list[int]:
    """Return the other columns that differ most between the worlds."""
    here, there = (piles[known].bits[:part] for known in (True, False))
    gap = np.abs(here.mean(axis=0) - there.mean(axis=0))
    gap[piles[True].own] = -1
    order = np.argsort(-gap, kind="stable")
    return [int(place) for place in order[:OTHERS] if gap[place] >= 0]


def _with_direction(pile: Pile, part: int) -> list[bytes]:
    own, told = pile.bits[part:, pile.own], pile.directions[part:]
    return _codes(np.column_stack([own, told == 1, told < 0]))


def _codes(rows: BoolArray) -> list[bytes]:
    """Return one value for each row, the same for the same bits."""
    packed = np.packbits(rows, axis=1)
    padded = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
    return [row.tobytes() for row in padded]


def _dealt(view: Mapping[bool, Sequence[bytes]]) -> Drawable[bool]:
    """Return what hands out the rows behind the first part, as one view sees them, in order."""
    left = {known: iter(rows) for known, rows in view.items()}
    return lambda known, _source: next(left[known])


def worst(found: list[Audit], samples: int, confidence: float) -> Audit:
    """Return several audits as one: the largest loss found, each way round."""
    forward, backward = (
        max(losses, key=lambda loss: loss.epsilon)
        for losses in zip(*((one.forward, one.backward) for one in found), strict=True)
    )
    return Audit(forward, backward, "sampling", samples, confidence)
