"""What the sampling audit can see, and that it does not cry wolf.

False alarms: every audit here runs at confidence 1 - 1e-6, so a sound mechanism is refuted once in
a million runs. Each sound mechanism has broken twins that the same audit must catch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from functools import partial
from math import exp, inf, log
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.chance.coins import draw_bits
from pathveil.chance.exponential import ExactProbability, bernoulli
from pathveil.chance.losses import Missing, losses_of
from pathveil.chance.source import Source
from pathveil.checking.auditing import Audit, audit
from pathveil.checking.release_audit import LinkRelease
from pathveil.model.bits import PairBits, Relation, link_places
from pathveil.model.positions import Positions
from pathveil.publishing.terms import ReleaseTerms
from studies import audit_power
from tests.paper.pages import rows

SURE = 1 - 1e-6
NETWORK = Network.parse("ab bc cd bd")
POSITIONS = Positions.uniform(NETWORK.vertices, 1)
WITH = Relation.of(POSITIONS, NETWORK, range(4))
# The same walk where b - c is no link: its pair gets a coin like any absent pair.
WITHOUT = Relation(4, np.setdiff1d(WITH.on_walk, [3]), WITH.off_walk)


class Coins:
    """The balanced coins of a small release, by their packed bits."""

    policy = Policy.balanced()

    def __call__(self, relation: Relation, source: Source) -> Hashable:
        return draw_bits(relation, self.policy, source).packed.tobytes()


class SkippedPair(Coins):
    """One pair is forgotten: it shows same branch unless it is a walk link."""

    def __call__(self, relation: Relation, source: Source) -> Hashable:
        flat = draw_bits(relation, self.policy, source).flat()
        if 3 not in {*relation.on_walk, *relation.off_walk}:
            flat[3] = True
        return PairBits.from_flat(4, flat).packed.tobytes()


class SecretSupport(Coins):
    """A stamp that only a walk with the link can get, once in ten."""

    def __call__(self, relation: Relation, source: Source) -> Hashable:
        bits = super().__call__(relation, source)
        rare = source.take(1)[0] < 26
        return (bits, rare and 3 in relation.on_walk)


CLAIM = (log(2), inf)


def audited(
    release: Any, *, samples: int, claimed: tuple[float, float] = CLAIM, seed: int = 1
) -> Audit:
    worlds, source = (WITH, WITHOUT), Seeded(seed)
    return audit(release, worlds, claimed=claimed, samples=samples, confidence=SURE, source=source)


def test_the_sound_mechanism_is_not_refuted() -> None:
    for seed in range(2):
        found = audited(Coins(), samples=2000, seed=seed)
        assert found.verdict == "inconclusive"
        assert 0.4 < found.forward.epsilon <= log(2)
        assert found.backward.epsilon > 3


@pytest.mark.parametrize("broken", [SkippedPair, SecretSupport])
def test_broken_twins_are_caught(broken: type[Coins]) -> None:
    found = audited(broken(), samples=3000)
    assert found.verdict == "refuted"
    assert found.forward.refuted


class WrongRate(Coins):
    """The coin of one pair has another rate than certified, and a link there is never doubted."""

    def __init__(self, policy: Policy, rate: Fraction) -> None:
        self.policy, self.rate = policy, rate

    def __call__(self, relation: Relation, source: Source) -> Hashable:
        flat = draw_bits(relation, self.policy, source).flat()
        absent = 3 not in {*relation.on_walk, *relation.off_walk}
        coin = bernoulli(source, ExactProbability.rational(self.rate), 1)[0]
        flat[3] = bool(absent and not coin)
        return PairBits.from_flat(4, flat).packed.tobytes()


class Sound(Coins):
    def __init__(self, policy: Policy) -> None:
        self.policy = policy


def shown_bit(release: Any, given: Any, source: Source) -> bool:
    packed = np.frombuffer(release(given, source), np.uint8)
    return PairBits(4, packed).same_branch(1, 2)


@pytest.mark.parametrize(
    ("policy", "wrong"),
    [
        (Policy.sealed(), Fraction(4, 5)),
        (Policy.balanced(), Fraction(1, 4)),
        (Policy.frontier(walk_loss=1), Fraction(1, 6)),
        (Policy.paper(vertex=None, link=1), Fraction(1, 6)),
        (Policy.two_sided(epsilon=1), Fraction(1, 2)),
    ],
    ids=str,
)
def test_each_policy_passes_and_its_broken_twin_does_not(policy: Policy, wrong: Fraction) -> None:
    cost = losses_of(policy, Missing(on_walk=True))
    claimed = (float(cost.presence.loss()), float(cost.absence.loss()))
    verdicts = [
        audited(partial(shown_bit, release), samples=2500, claimed=claimed).verdict
        for release in (Sound(policy), WrongRate(policy, wrong))
    ]
    assert verdicts == ["inconclusive", "refuted"]


class Response:
    """Randomised response, drawn many at a time."""

    def __init__(self, epsilon: float) -> None:
        self.truth = exp(epsilon) / (1 + exp(epsilon))

    def __call__(self, secret: int, source: Source) -> int:
        return next(iter(self.counts(secret, 1, source)))

    def counts(self, secret: int, number: int, source: Source) -> Counter[int]:
        random = np.random.default_rng(int.from_bytes(source.take(16)))
        honest = int(random.binomial(number, self.truth))
        return +Counter({secret: honest, 1 - secret: number - honest})


@pytest.mark.parametrize(
    ("epsilon", "samples", "least"),
    [
        (0.5, 10**4, 0.38),
        (0.5, 10**6, 0.485),
        (0.5, 10**8, 0.498),
        (1.0, 10**4, 0.86),
        (1.0, 10**6, 0.985),
        (5.0, 10**4, 4.4),
        (5.0, 10**6, 4.92),
    ],
)
def test_power_on_randomised_response(epsilon: float, samples: int, least: float) -> None:
    """At 99.9 % the bound reaches this much of the loss, and never more than the loss."""
    for seed in range(10):
        found = audit(
            Response(epsilon), (1, 0), claimed=epsilon, samples=samples, source=Seeded(seed)
        )
        assert least < found.epsilon <= epsilon
        assert found.verdict == "inconclusive"


def test_false_alarms_are_as_rare_as_stated() -> None:
    """At confidence 0.9 a true claim is refuted in at most a tenth of the runs; here 400."""

    def alarms(epsilon: float, runs: int) -> int:
        audits = (
            audit(Response(epsilon), (1, 0), claimed=1.0, samples=1000, confidence=0.9, source=each)
            for each in (Seeded(f"alarm {run}") for run in range(runs))
        )
        return sum(found.verdict == "refuted" for found in audits)

    # 68 or more of 400 at rate 0.1 has probability below 1e-5.
    assert alarms(1.0, 400) < 68
    assert alarms(1.3, 20) > 10


# -- the table of power ---------------------------------------------------------------------------


def power() -> dict[str, dict[tuple[int, int], float]]:
    """Return by release the share of audits that caught each excess, by samples and percent."""
    found: dict[str, dict[tuple[int, int], float]] = {}
    for row in rows("audit_power.csv"):
        cell = int(row["samples"]), int(row["excess_percent"])
        share = int(row["caught"]) / int(row["audits"])
        found.setdefault(f"| {row['release']} | {row['loss']} |", {})[cell] = share
    return found


@pytest.mark.regression("what power an audit has: +5, +10, +20, +50 %; copies; rare rates")
def test_the_table_of_power_is_what_the_study_measures() -> None:
    """No honest release is caught; and a few audits played again agree."""
    table = power()
    assert len(table) == len(audit_power.SETTINGS) == 7
    for cells in table.values():
        assert cells[20_000, 0] == cells[100_000, 0] == 0
    for name, over, least in (("balanced, 2 copies", 0.5, 1), ("balanced, walk link", 0.0, 0)):
        setting = audit_power.SETTINGS[name]
        assert sum(audit_power.caught(setting, over, 2000, run) for run in range(1)) == least


@pytest.mark.parametrize("name", ["balanced, 2 copies, joint", "frontier 3 (rate 0.050)"])
def test_the_study_draws_by_the_law_of_publish(name: str) -> None:
    """Own bits of real releases without the link; false alarm below 1e-6: five standard errors."""
    setting, runs = audit_power.SETTINGS[name], 600
    network, walk = Network.parse("ab bc cd bd ad"), Walk("abcd")
    release = LinkRelease(network, walk, ReleaseTerms(setting.policy), ("c", "d"))
    fixed = release.with_fixed_copies(Seeded(1))
    released = (fixed(False, Seeded(run)) for run in range(runs))
    places = link_places(fixed(False, Seeded(0)).positions, ("c", "d"))
    real = Counter(tuple(found.packed.pairs.at(places).tolist()) for found in released)
    drawn = audit_power.absent_bits(setting, 100_000, np.random.default_rng(1))
    law = Counter(map(tuple, drawn.tolist()))
    assert real.keys() <= law.keys()
    for shown, times in law.items():
        share = times / 100_000
        spread = (share * (1 - share) * (1 / runs + 1e-5)) ** 0.5
        assert abs(real[shown] / runs - share) < 5 * spread
