"""Law: the enumerated loss of a series equals its certificate, for every pattern of up to 4 walks.

The *program itself* is run (``draw_release`` with its history) with a scripted source of chance
that takes every branch once. The law of a whole series is found release by release: what is shown
decides the next rates. Networks of two and three vertices, every pattern of uses of the missing
link, several priors, links that appear late, adversaries who see only some releases, two copies.
Broken twins (an urn that forgets, one that counts a release too many) must be told from the
certificate by the same enumeration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import log

import numpy as np
import pytest

from pathveil.chance import coins as throws
from pathveil.chance import urn
from pathveil.chance.coins import draw_release
from pathveil.chance.losses import pattern_loss
from pathveil.chance.source import Seeded, Source
from pathveil.chance.urn import History, Urn
from pathveil.model.bits import IndexArray, PackedBits, PairBits, Relation
from pathveil.model.certificate import Loss
from pathveil.model.positions import Positions
from pathveil.model.publication import SALT_BYTES, Publication, SeriesPlace
from pathveil.model.series import release_digest
from pathveil.policies import Policy
from tests.chance.choices import Script, every_run
from tests.chance.late_links import history_loss, late_loss

HALF = (Fraction(1, 2), Fraction(1, 2))
EVEN = (Fraction(1), Fraction(1))
PRIORS = [HALF, EVEN, (Fraction(1, 3), Fraction(2)), (Fraction(2), Fraction(1))]

SALTS = Seeded("salts are no coins")

Outputs = dict[tuple[bytes, ...], Fraction]


def scripted_below(source: Source, bound: int, count: int) -> IndexArray:
    assert isinstance(source, Script)
    return np.array([source.below(bound) for _ in range(count)], dtype=np.int64)


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urn, "below_many", scripted_below)
    monkeypatch.setattr(throws, "below_many", scripted_below)
    monkeypatch.setattr(
        throws, "bernoulli", lambda _source, p, count: np.full(count, p.as_fraction == 1)
    )


@dataclass(frozen=True)
class Step:
    """One release: which pairs are links on the walk, and which are other links."""

    on_walk: tuple[int, ...]
    off_walk: tuple[int, ...]

    def without(self, places: set[int]) -> Step:
        return Step(
            tuple(p for p in self.on_walk if p not in places),
            tuple(p for p in self.off_walk if p not in places),
        )


def branches(
    step: Step, positions: Positions, policy: Policy, history: History
) -> Iterator[tuple[PairBits, Fraction]]:
    """Yield what a release may show and with which chance, every draw taken once."""
    relation = Relation(
        len(positions),
        np.array(step.on_walk, dtype=np.int64),
        np.array(step.off_walk, dtype=np.int64),
    )
    for (bits,), weight in every_run(
        lambda script: draw_release([relation], positions, policy, script, history=history)
    ):
        yield bits, Fraction(weight)


def placed(file: Publication, history: History) -> Publication:
    """The file as the next release of a series, with another salt each time."""
    file = replace(file, salt=SALTS.take(SALT_BYTES).hex())
    place, before = len(history) + 1, history.last
    return replace(file, series=SeriesPlace(place, before, release_digest(place, before, file)))


def series_law(steps: Sequence[Step], positions: Positions, policy: Policy) -> Outputs:
    """Return the chance of everything a series may show."""
    states: dict[tuple[bytes, ...], tuple[Fraction, History]] = {(): (Fraction(1), History())}
    for step in steps:
        grown: dict[tuple[bytes, ...], tuple[Fraction, History]] = {}
        for shown, (chance, history) in states.items():
            found: dict[PairBits, Fraction] = {}
            for bits, weight in branches(step, positions, policy, history):
                found[bits] = found.get(bits, Fraction(0)) + weight
            for bits, weight in found.items():
                file = Publication(PackedBits(positions, bits), policy.terms())
                release = placed(file, history)
                key = (*shown, bits.packed.tobytes())
                grown[key] = chance * weight, history.then(release)
        states = grown
    return {shown: chance for shown, (chance, _) in states.items()}


def worst_ratio(one: Outputs, other: Outputs) -> Fraction:
    return max(chance / other[shown] for shown, chance in one.items())


def rounded_up(ratio: Fraction, loss: Loss) -> bool:
    """Whether the printed decimal is ln(ratio), rounded up in the fourth place."""
    return 0 <= float(loss) - log(ratio) < 1.0001e-4


def missing_link(pattern: Sequence[bool]) -> list[Step]:
    """On three vertices: link 0-1 (place 0) as the pattern says, link 1-2 (place 2) never used."""
    return [Step((0,), (2,)) if on else Step((), (0, 2)) for on in pattern]


THREE, TWO = Positions.uniform(("a", "b", "c"), 1), Positions.uniform(("a", "b"), 1)


@pytest.mark.parametrize("prior", PRIORS, ids=str)
def test_every_pattern_of_up_to_four_walks(prior: tuple[Fraction, Fraction]) -> None:
    policy = Policy.remembering(prior=prior)
    laws = {}
    for total in range(1, 5):
        # Without the link its pair is drawn like any other: one law for all patterns.
        laws[total] = series_law([Step((), ())] * total, TWO, policy)
        assert sum(laws[total].values()) == 1
        for pattern in product([False, True], repeat=total):
            steps = [Step((0,), ()) if on else Step((), (0,)) for on in pattern]
            ratio = worst_ratio(series_law(steps, TWO, policy), laws[total])
            assert ratio == 1 / Urn(*prior).chance(sum(pattern), total)
            assert rounded_up(ratio, pattern_loss(Urn(*prior), sum(pattern), total))


@pytest.mark.parametrize(
    ("prior", "pattern"), [(EVEN, (1, 0, 1)), (HALF, (0, 1)), (HALF, (0, 0)), (HALF, (1, 1))]
)
def test_a_link_among_others(prior: tuple[Fraction, Fraction], pattern: tuple[int, ...]) -> None:
    policy = Policy.remembering(prior=prior)
    steps = missing_link([bool(on) for on in pattern])
    known = series_law(steps, THREE, policy)
    missing = series_law([step.without({0}) for step in steps], THREE, policy)
    assert worst_ratio(known, missing) == 1 / Urn(*prior).chance(sum(pattern), len(pattern))


@pytest.mark.parametrize("prior", PRIORS, ids=str)
@pytest.mark.parametrize("since", [0, 1, 2, 3])
def test_links_that_appear_late(prior: tuple[Fraction, Fraction], since: int) -> None:
    policy, ball = Policy.remembering(prior=prior), Urn(*prior)
    absent = series_law([Step((), ())] * 4, TWO, policy)
    for pattern in product([False, True], repeat=4 - since):
        after = [Step((0,), ()) if on else Step((), (0,)) for on in pattern]
        late = series_law([Step((), ())] * since + after, TWO, policy)
        ratios = []
        for shown, chance in late.items():
            before = sum(
                not PairBits(2, np.frombuffer(b, np.uint8)).same_branch(0, 1) for b in shown[:since]
            )
            rest = ball.after(before, since)
            assert chance / absent[shown] == 1 / rest.chance(sum(pattern), 4 - since)
            told = late_loss(ball, (before, since), sum(pattern), 4 - since)
            assert rounded_up(chance / absent[shown], told)
            ratios.append(chance / absent[shown])
        assert max(ratios) <= 1 / ball.chance(ball.costliest(4), 4)


def test_a_link_that_comes_and_goes() -> None:
    policy = Policy.remembering(prior=("1/2", "1/2"))
    on, off, none = Step((0,), ()), Step((), (0,)), Step((), ())
    absent = series_law([none] * 4, TWO, policy)
    for steps in ([on, none, off, none], [none, on, none, on], [off, none, none, on]):
        linked = [step != none for step in steps]
        for shown, chance in series_law(steps, TWO, policy).items():
            bits = [not PairBits(2, np.frombuffer(b, np.uint8)).same_branch(0, 1) for b in shown]
            told = history_loss(Urn(), bits, linked)
            assert rounded_up(chance / absent[shown], told.loss())


@pytest.mark.parametrize("seen", [s for k in (1, 2) for s in combinations(range(3), k)])
def test_who_sees_only_some_releases(seen: tuple[int, ...]) -> None:
    """Their loss is that of the releases they see, whatever the others show."""
    policy = Policy.remembering(prior=("1/2", "1/2"))

    def marginal(law: Outputs) -> Outputs:
        found: Outputs = {}
        for shown, chance in law.items():
            part = tuple(shown[i] for i in seen)
            found[part] = found.get(part, Fraction(0)) + chance
        return found

    absent = marginal(series_law([Step((), ())] * 3, TWO, policy))
    for pattern in product([False, True], repeat=3):
        steps = [Step((0,), ()) if on else Step((), (0,)) for on in pattern]
        ratio = worst_ratio(marginal(series_law(steps, TWO, policy)), absent)
        assert ratio == 1 / Urn().chance(sum(pattern[i] for i in seen), len(seen))


@pytest.mark.parametrize("pattern", [(0,), (1,), (0, 1), (1, 1), (0, 0)])
def test_copies_pay_for_their_pattern(pattern: tuple[int, ...]) -> None:
    """Two copies, each link used once: an on/off urn times one of four copy pairs."""
    policy, copied = (
        Policy.remembering(prior=("1/2", "1/2"), copies=2, link_uses=1),
        Positions.uniform(("a", "b"), 2),
    )
    between = (1, 2, 3, 4)  # places of the copy pairs of a and b among those of four positions
    steps = [Step((2,), (1, 3, 4)) if on else Step((), between) for on in pattern]
    known = series_law(steps, copied, policy)
    missing = series_law([Step((), ())] * len(pattern), copied, policy)
    uses = sum(pattern)
    exact = 4**uses / Urn().chance(uses, len(pattern))
    assert worst_ratio(known, missing) == exact
    assert rounded_up(exact, pattern_loss(Urn(), uses, len(pattern), states=policy.states))


# -- broken twins ---------------------------------------------------------------------------------


def test_an_urn_that_forgets_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Urn.coins
    monkeypatch.setattr(
        Urn, "coins", lambda self, source, shown, _: honest(self, source, np.zeros_like(shown), 0)
    )
    assert not _equals_certificate()


def test_an_urn_that_counts_one_release_too_many_is_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = Urn.coins
    monkeypatch.setattr(
        Urn,
        "coins",
        lambda self, source, shown, releases: honest(
            self, source, shown, releases + (releases > 0)
        ),
    )
    assert not _equals_certificate()


def test_the_honest_urn_passes_the_same_check() -> None:
    assert _equals_certificate()


def _equals_certificate() -> bool:
    policy = Policy.remembering(prior=("1/2", "1/2"))
    absent = series_law([Step((), ())] * 3, TWO, policy)
    found = [
        worst_ratio(
            series_law([Step((0,), ()) if on else Step((), (0,)) for on in pattern], TWO, policy),
            absent,
        )
        == 1 / Urn().chance(sum(pattern), 3)
        for pattern in product([False, True], repeat=3)
    ]
    return all(found)
