"""A series of sketches costs what its certificate says: whole laws of tiny systems, enumerated.

As in ``test_sketch_law``: seeds are all assignments of rows to the pairs, solutions all settings of
the free bits, values all that read as the truth; rates, thresholds, true values and kernels are the
program's. What a release shows decides the thresholds of the next, for links and others. Values
have one or two bits, so that rounding matters. In every output that the missing link allows the
ratio of probabilities must *equal* the price at the rates in use, the seeds' terms included. Broken
twins do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import log, prod

import numpy as np
import pytest

from pathveil.chance.losses import seed_loss
from pathveil.chance.urn import Urn
from pathveil.model.sketch import SketchShape
from pathveil.policies import Policy
from pathveil.sketching import sketched_urn
from pathveil.sketching.sketch_release import policy_in_sketch, true_values
from pathveil.sketching.sketched_series import sketched_rows
from pathveil.sketching.sketched_urn import SketchedUrn
from tests.chance.sketched_patterns import pattern_chance
from tests.laws.test_sketch_law import Row, all_rows, echelon, read, solutions

Status = bool | None  # a link on the walk, off the walk; None: no link
Step = tuple[Status, ...]  # of each pair
Output = tuple[tuple[Row, ...], tuple[int, ...]]
Counts = tuple[int, ...]

EVEN = Urn(Fraction(1), Fraction(1))
LEANING = Urn(Fraction(1, 2), Fraction(3, 2))
URNS = [Urn(), EVEN, LEANING]


@pytest.fixture(autouse=True)
def tiny_values(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Values of two bits at most, so that everything can be listed."""
    caches = (
        sketched_urn._table,
        sketched_urn._least_chances,
        release_law,
    )
    monkeypatch.setattr(sketched_urn, "FINEST", 2)
    monkeypatch.setattr(sketched_urn, "LEAST", 1)
    for kept in caches:
        kept.cache_clear()
    yield
    for kept in caches:
        kept.cache_clear()


def shape_at(urn: Urn, release: int) -> SketchShape:
    return SketchShape(starts=1, width=2, planes=SketchedUrn(urn).bits(release))


@cache
def release_law(
    step: Step, counts: Counts, urn: Urn, release: int, *, zero: bool = False, least: bool = False
) -> tuple[dict[Output, Fraction], Fraction]:
    """Return the chance of every (seed, solution) of one release, and of a seed to be kept."""
    kept, shape = SketchedUrn(urn), shape_at(urn, release)
    links = [place for place, status in enumerate(step) if status is not None]
    state = np.array([0 if step[place] else -1 for place in links], dtype=np.int32)
    each = np.array([kept.each(release)[counts[place]] for place in links], dtype=np.uint32)
    low, size = true_values(state, each, 1, shape.planes)
    choices = [
        range(int(a), int(a) + (1 if least else int(b))) for a, b in zip(low, size, strict=True)
    ]
    found: dict[Output, Fraction] = defaultdict(Fraction)
    seeds = list(product(all_rows(shape), repeat=len(step)))
    total = Fraction(0)
    for seed in seeds:
        rows = [seed[place] for place in links]
        if echelon(rows, (0,) * len(rows), shape)[1] >= 0:
            continue
        total += Fraction(1, len(seeds))
        weight = Fraction(1, len(seeds) * prod(map(len, choices)))
        for values in product(*choices):
            every = solutions(echelon(rows, values, shape)[0], zero=zero)
            for words in every:
                found[seed, words] += weight / len(every)
    return {output: chance / total for output, chance in found.items()}, total


def after(counts: Counts, output: Output, urn: Urn, release: int) -> Counts:
    """Return how often each pair was shown once this release is out, read off the file."""
    each, (seed, words) = SketchedUrn(urn).each(release), output
    return tuple(
        count + (read(words, row) < each[count]) for count, row in zip(counts, seed, strict=True)
    )


Ratios = dict[tuple[Counts, ...], set[Fraction]]


def series_ratios(
    steps: Sequence[Step], others: Sequence[Step], urn: Urn, **broken: bool
) -> Ratios | None:
    """Return by what the files show every ratio of the chances of a series in two worlds.

    None if the other world never publishes something this one does. Outputs with the same counts
    are followed once: the next release depends on the past through the counts alone.
    """
    found: Ratios = {((0,) * len(steps[0]),): {Fraction(1)}}
    for release, (step, other) in enumerate(zip(steps, others, strict=True)):
        grown: Ratios = defaultdict(set)
        for past, before in found.items():
            here, _ = release_law(step, past[-1], urn, release, **broken)
            there, _ = release_law(other, past[-1], urn, release, **broken)
            for output, chance in here.items():
                if output not in there:
                    return None
                then = (*past, after(past[-1], output, urn, release))
                grown[then] |= {ratio * chance / there[output] for ratio in before}
        found = grown
    return found


def seeds_term(steps: Sequence[Step], others: Sequence[Step], urn: Urn) -> Fraction:
    """Return what the seeds add: those that suit fewer links are a little more."""
    term = Fraction(1)
    for release, (step, other) in enumerate(zip(steps, others, strict=True)):
        none = (0,) * len(step)
        term *= release_law(other, none, urn, release)[1] / release_law(step, none, urn, release)[1]
    return term


ALONE = [p for total in (1, 2, 3) for p in product([False, True], repeat=total)]


@pytest.mark.parametrize("urn", URNS, ids=str)
def test_every_pattern_of_up_to_three_walks(urn: Urn) -> None:
    for pattern in ALONE:
        steps: list[Step] = [(on,) for on in pattern]
        others: list[Step] = [(None,) for _ in pattern]
        found = series_ratios(steps, others, urn)
        assert found is not None
        price = 1 / pattern_chance(SketchedUrn(urn), pattern)
        assert set().union(*found.values()) == {price * seeds_term(steps, others, urn)}
    for release in range(3):
        assert sum(release_law((None,), (0,), urn, release)[0].values()) == 1


@pytest.mark.parametrize("pattern", [(True, True), (True, False), (False, True), (False, False)])
@pytest.mark.parametrize("other", [True, False])
def test_a_link_among_others(pattern: tuple[bool, ...], *, other: bool) -> None:
    steps: list[Step] = [(on, other) for on in pattern]
    others: list[Step] = [(None, other) for _ in pattern]
    found = series_ratios(steps, others, Urn())
    assert found is not None
    price = 1 / pattern_chance(SketchedUrn(Urn()), pattern)
    assert set().union(*found.values()) == {price * seeds_term(steps, others, Urn())}
    assert seeds_term(steps, others, Urn()) > 1


@pytest.mark.parametrize("urn", URNS, ids=str)
def test_a_link_that_appears_late_pays_for_its_history(urn: Urn) -> None:
    keeper, worst = SketchedUrn(urn), Fraction(0)
    others: list[Step] = [(None,)] * 3
    for pattern in product([False, True], repeat=2):
        steps: list[Step] = [(None,), *((on,) for on in pattern)]
        found = series_ratios(steps, others, urn)
        assert found is not None
        for shown, seen in found.items():
            counts, price = shown[1][0], Fraction(1)
            for release, on in enumerate(pattern, start=1):
                price /= keeper.chance(counts, release, on=on)
                counts += on
            assert seen == {price * seeds_term(steps, others, urn)}
            worst = max(worst, price)
    assert worst <= 1 / keeper.latest_chance(3)[0]


def test_who_sees_only_some_releases_pays_those_in_full() -> None:
    """Values, unlike packed bits, tell what came before: his price is no shorter series'."""
    keeper, urn = SketchedUrn(Urn()), Urn()
    for pattern in product([False, True], repeat=2):
        used = int(pattern[0])
        here, kept = release_law((pattern[1],), (used,), urn, 1)
        # Without the link the count is chance, and each count leaves the file the same law.
        there, before = release_law((None,), (0,), urn, 1)
        assert there == release_law((None,), (1,), urn, 1)[0]
        price = 1 / keeper.chance(used, 1, on=pattern[1])
        assert {chance / there[out] for out, chance in here.items()} == {price * before / kept}
    # Never used and then used: four to one from the second file alone, two to one if packed.
    assert 1 / keeper.chance(0, 1, on=True) == 4
    assert 1 / Urn().rate(0, 0) == 2


def test_the_certificate_states_the_dearest_order() -> None:
    for urn, total in product(URNS, (2, 3, 4)):
        keeper = SketchedUrn(urn)
        least = keeper.least_chances(total)
        for uses in range(total + 1):
            pattern = (True,) * uses + (False,) * (total - uses)
            orders = {pattern_chance(keeper, order) for order in permutations(pattern)}
            assert least[uses] == min(orders)
        dearest = min(
            keeper_chance(keeper, k0, t0, rest)
            for t0 in range(total)
            for k0 in range(t0 + 1)
            for rest in product([False, True], repeat=total - t0)
        )
        assert keeper.latest_chance(total)[0] == dearest


def keeper_chance(
    keeper: SketchedUrn, shown: int, release: int, rest: tuple[bool, ...]
) -> Fraction:
    chance = Fraction(1)
    for on in rest:
        chance *= keeper.chance(shown, release, on=on)
        shown, release = shown + on, release + 1
    return chance


def test_rounding_can_make_the_order_matter() -> None:
    """Why the dearest order is stated: rounded rates are no urn, orders no longer cancel."""
    keeper = SketchedUrn(LEANING)
    orders = {pattern_chance(keeper, order) for order in permutations((True, False, False))}
    assert len(orders) > 1


def test_the_rows_are_made_of_these_prices() -> None:
    policy = policy_in_sketch(Policy.remembering(), releases=3)
    seed = seed_loss(policy, 100).presence
    rows = {(r.adversary.kind, r.adversary.on_walks): r for r in sketched_rows(policy, 4, seed)}
    least = SketchedUrn(Urn()).least_chances(4)
    for uses in (0, 1, 2):
        told = float(rows["series", uses].presence)
        assert 0 <= told - -log(least[uses]) < 1.1e-4
    late = SketchedUrn(Urn()).latest_chance(4)[0]
    assert 0 <= float(rows["late-link", 2].presence) - -log(late) < 1.1e-4


# -- broken twins ---------------------------------------------------------------------------------


def is_certified(**broken: bool) -> bool:
    steps: list[Step] = [(True, True), (True, True)]
    others: list[Step] = [(None, True), (None, True)]
    found = series_ratios(steps, others, Urn(), **broken)
    price = 1 / pattern_chance(SketchedUrn(Urn()), (True, True))
    owed = {price * seeds_term(steps, others, Urn())}
    return found is not None and set().union(*found.values()) == owed


def test_the_honest_series_passes_the_check_of_the_twins() -> None:
    assert is_certified()


def test_broken_twin_with_free_variables_zero_is_caught() -> None:
    assert not is_certified(zero=True)


def test_broken_twin_that_always_takes_the_first_true_value_is_caught() -> None:
    assert not is_certified(least=True)


def test_broken_twin_that_states_the_unrounded_urn_is_caught() -> None:
    patterns = [p for p in ALONE if len(p) == 3]
    assert any(pattern_chance(SketchedUrn(EVEN), p) != EVEN.chance(sum(p), 3) for p in patterns)


def test_no_law_of_patterns_beats_kraft() -> None:
    for urn, total in product(URNS, range(1, 5)):
        patterns = product([False, True], repeat=total)
        assert sum(pattern_chance(SketchedUrn(urn), p) for p in patterns) == 1
