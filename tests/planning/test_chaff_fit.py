"""Whether chaff fits the walks, and what the gate makes of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pathveil import Policy
from pathveil.batching.batch_run import batch
from pathveil.errors import GateClosed
from pathveil.planning.chaff_fit import ChaffFit
from pathveil.planning.gate_report import Effort, GateReport, Limits, report_sentences
from tests.grouping.test_colouring import random_network
from tests.planning.test_gate import COUNTING, walks_over

SHARE = Fraction(7, 120)  # walks of 7 steps over 120 links, as measured


def fit(policy: Policy, vertices: int = 60) -> ChaffFit:
    return ChaffFit.of(policy, SHARE, vertices)


@pytest.mark.parametrize(
    ("policy", "fits", "limit"),
    [
        (Policy.remembering(prior=("1/2", "1/2")), False, Fraction(1, 2)),
        (Policy.remembering(usage=SHARE), True, Fraction(1)),
        (Policy.remembering(usage=2 * SHARE), True, Fraction(1)),
        (Policy.remembering(usage=SHARE / 2), False, Fraction(1, 2)),
        (Policy.remembering(usage=5 * SHARE), False, Fraction(1, 2)),
        (Policy.balanced(), False, Fraction(1, 4)),
    ],
    ids=str,
)
def test_chaff_fits_if_it_is_shown_about_as_often_as_links_are_used(
    policy: Policy, limit: Fraction, *, fits: bool
) -> None:
    found = fit(policy)
    assert found.fits is fits
    assert found.most_uses == limit
    assert bool(found.sentence()) is not fits
    assert fit(policy, vertices=20).most_uses == 1  # there the outsider himself sees it


def test_the_usage_that_is_advised_fits() -> None:
    for top in range(1, 200):
        share = Fraction(top, 400)
        advised = ChaffFit(share, Fraction(1, 2), remembers=True, vertices=60).usage
        if share <= Fraction(45, 100):
            assert ChaffFit.of(Policy.remembering(usage=advised), share, 60).fits
        assert advised <= Fraction(1, 2)


def test_the_gate_warns_of_the_default_prior_and_says_what_to_give(tmp_path: Path) -> None:
    network = random_network(60, 120, 3)
    walks = walks_over(network, 12, 8, 3)
    with pytest.raises(GateClosed) as refused:
        batch(network, walks, tmp_path / "out", workers=1, effort=COUNTING, seed=1)
    report = refused.value.report
    assert isinstance(report, GateReport)
    assert Fraction(1, 2) < report.uses_per_link < 1
    assert "more than 0.5" in str(refused.value)
    assert "chaff that fits: --usage 0.07" in str(refused.value)
    said = " ".join(report_sentences(report))
    assert "Begin such a series with --usage 0.07" in said
    assert "62 of 100 walks at three quarters" in said
    # With chaff that fits the same walks pass, and nothing is said of it.
    fitting = Policy.remembering(usage="0.07")
    found = batch(
        network, walks, tmp_path / "fits", workers=1, effort=COUNTING, seed=1, policy=fitting
    )
    assert found.gate is not None
    assert "Begin such a series" not in " ".join(report_sentences(found.gate))
    # A limit that is given is the limit.
    own = Limits(uses_per_link=Fraction(1))
    batch(network, walks, tmp_path / "own", workers=1, effort=COUNTING, seed=1, limits=own)


def test_one_walk_is_no_series(tmp_path: Path) -> None:
    network = random_network(60, 120, 3)
    walks = walks_over(network, 1, 8, 3)
    found = batch(network, walks, tmp_path / "out", workers=1, seed=1, effort=COUNTING)
    assert found.gate is not None
    assert found.gate.fit is None


def test_the_default_effort_is_that_of_the_study_of_gated_batches() -> None:
    assert Effort() == Effort(bits=4_000_000, steps=2_000_000, restarts=2)
