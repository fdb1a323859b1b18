"""Rows are found by what they say, never by their words; what is not promised is not answered."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from pathveil.chance.certify import certify
from pathveil.errors import BadArgument
from pathveil.model.certificate import (
    ENDLESS,
    NO_LOSS,
    Adversary,
    Certificate,
    CertificateRow,
    Loss,
    PolicyTerms,
)
from pathveil.policies import Policy

LN2, LN3 = Loss("ln 2", "0.6932"), Loss("ln 3", "1.0987")
HALF = Loss("1/2", "0.5000")
WALK, OTHER = Adversary(walk_links=1), Adversary(other_links=1)
CERTIFICATE = Certificate(
    (
        CertificateRow(WALK, LN2, ENDLESS),
        CertificateRow(OTHER, LN3, LN2),
        CertificateRow(Adversary(walk_links=1, uses=3), HALF, ENDLESS),
    )
)


def test_a_certificate_taken_on_trust_answers_by_its_rows_alone() -> None:
    found = CERTIFICATE.bound(walk_links=1)
    assert found is not None
    assert (found.presence, found.absence, found.notion) == (LN2, ENDLESS, "one-sided DP")
    assert CERTIFICATE.bound(walk_links=1, uses=3) == CERTIFICATE.rows[2]
    assert CERTIFICATE.bound(walk_links=2) is None
    assert CERTIFICATE.bound(walk_links=1, copies=(3, 2)) is None


@pytest.mark.regression("bound() answered a kind that there is not, and True links; None crashed")
@pytest.mark.parametrize(
    "asked",
    [
        *({"walk_links": -1}, {"walk_links": "1"}, {"uses": 0}, {"releases": 0}, {"on_walks": -1}),
        *({"walk_links": None}, {"walk_links": True}, {"other_links": None}, {"uses": True}),
        *({"kind": "x"}, {"kind": None}, {"kind": ["series"]}),
    ],
)
def test_impossible_numbers_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        CERTIFICATE.bound(**asked)
    series = certify(Policy.remembering(prior=("1/2", "1/2")), releases=3)
    with pytest.raises(BadArgument):
        series.bound(**asked)


def test_the_least_numbers_may_be_asked_about() -> None:
    assert CERTIFICATE.bound(walk_links=1, other_links=0, releases=1) == CERTIFICATE.rows[0]
    assert CERTIFICATE.bound(walk_links=0, uses=1, on_walks=0) is None


def test_losses() -> None:
    assert (str(LN2), str(ENDLESS)) == ("ln 2 = 0.6932", "infinite")
    assert float(LN2) == pytest.approx(0.6932)
    assert (LN2.times(0), ENDLESS.times(0), ENDLESS.times(2)) == (NO_LOSS, NO_LOSS, ENDLESS)
    assert LN2.times(3) == Loss("3 (ln 2)", "2.0796")
    assert (LN2.plus(NO_LOSS), NO_LOSS.plus(LN2)) == (LN2, LN2)
    assert LN2.plus(ENDLESS) == ENDLESS == ENDLESS.plus(LN2)
    rounded = [Loss.at_most(Decimal(text), "x") for text in ("0.69311", "0.5", "1.00001")]
    assert [loss.decimal for loss in rounded] == ["0.6932", "0.5000", "1.0001"], "never below"
    assert CertificateRow(WALK, ENDLESS, LN2).notion == "none"


def test_policy_terms_read_well() -> None:
    assert str(PolicyTerms("paper", (("link", "1/2"), ("vertex", "1")))) == (
        "paper:link=1/2,vertex=1"
    )
