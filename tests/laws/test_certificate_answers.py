"""Law: a certificate asked about a row says that row, and asked for less never says less.

Every policy and form of release has rows; each is turned back into the question it answers, and
then into questions that leave something open. And what is answered is a bound: never below the
exact loss of what it speaks of, computed here from the law of the pairs.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil import Policy
from pathveil.chance.certify import certify
from pathveil.chance.losses import NOTHING, Missing, losses_of, pattern_loss, urn_of
from pathveil.model.certificate import AdversaryKind, Certificate, CertificateRow
from pathveil.sketching.sketch_release import seed_loss
from tests.strategies import bound

POLICIES = [
    Policy.balanced(),
    Policy.balanced(copies=2),
    Policy.balanced(copies=3, link_uses=1),
    Policy.balanced().together(2),
    Policy.sealed(),
    Policy.sealed(copies=2),
    Policy.frontier(walk_loss="1/2"),
    Policy.frontier(walk_loss=3, copies=2),
    Policy.remembering(prior=("1/2", "1/2")),
    Policy.remembering(prior=(1, 4)),
    Policy.remembering(prior=(3, "1/2"), copies=2, link_uses=1),
    Policy.two_sided(epsilon=2),
    Policy.paper(vertex=1, link=1),
    Policy.paper(vertex=None, link=None),
]
SKETCHED = [Policy.balanced(), Policy.frontier(walk_loss=1)]
LENGTHS = (1, 2, 3, 6)


@cache
def certificates() -> list[tuple[Policy, int, Certificate]]:
    """Return certificates of every policy and form, at several places of a series."""
    made = []
    for policy in POLICIES:
        for releases in LENGTHS if policy.kind.urn else (1,):
            told = certify(policy, releases=releases)
            untold = certify(policy, direction_public=False, releases=releases)
            made += [(policy, releases, found) for found in (told, untold)]
    for kept in (policy.in_sketch() for policy in SKETCHED):
        made.append((kept, 1, certify(kept, seed=seed_loss(50, kept.value_bits or 1))))
    return made


any_certificate = st.deferred(lambda: st.sampled_from(certificates()))


def both(row: CertificateRow) -> tuple[float, float]:
    return float(row.presence), float(row.absence)


def question(row: CertificateRow) -> dict[str, Any]:
    return asdict(row.adversary)


def test_who_asks_by_all_that_a_row_says_gets_that_row() -> None:
    for _, _, certificate in certificates():
        for row in certificate.rows:
            assert certificate.bound(**question(row)) == row


@given(any_certificate, st.data())
def test_who_asks_for_less_is_never_told_less(
    made: tuple[Policy, int, Certificate], data: st.DataObject
) -> None:
    """Left open, added to, or taken for what everybody is who misses links: never below the row."""
    _, length, certificate = made
    for row in certificate.rows:
        asked = question(row)
        fields = ["uses", "copies", "on_walks"]
        if row.adversary.kind != "lacks-links" or length > 1:
            fields.append("releases")  # all of the series; of fresh ones a number, or one is meant
        for left_open in data.draw(st.sets(st.sampled_from(fields))):
            asked[left_open] = None
        asked["walk_links"] += data.draw(st.integers(0, 2))
        found = certificate.bound(**asked)
        least = both(row)
        if found is None:  # only drawn copies that are not named leave a row without an answer
            assert row.adversary.copies is not None
            assert asked["copies"] is None
            continue
        assert all(a >= b for a, b in zip(both(found), least, strict=True))
        if row.adversary.kind not in {"series", "late-link"}:
            continue
        # A link of a series is on this walk or on none of it: both askers are told enough.
        on_walk = row.adversary.on_walks != 0
        off_walk = row.adversary.on_walks != length
        sides = [(1, 0)] * on_walk + [(0, 1)] * off_walk
        for walk_links, other_links in sides:
            plain = bound(certificate, walk_links=walk_links, other_links=other_links)
            assert all(a >= b for a, b in zip(both(plain), least, strict=True))


@given(any_certificate, st.data())
def test_what_is_answered_is_no_less_than_the_exact_loss(
    made: tuple[Policy, int, Certificate], data: st.DataObject
) -> None:
    """Of links of any uses, by fresh releases, or on any number of a series' walks."""
    policy, length, certificate = made
    if policy.kind.urn is not None:
        urn = urn_of(policy)
        shown = data.draw(st.integers(0, length))
        loss = pattern_loss(urn, shown, length, states=policy.states)
        found = bound(certificate, kind="series", on_walks=shown)
        assert found.presence == loss
        late = bound(certificate, walk_links=1, releases=length, on_walks=shown)
        assert length == 1 or float(late.presence) >= float(loss)
        assert certificate.bound(walk_links=1, releases=length + 1) is None
        return
    walk, other, releases = (data.draw(st.integers(0, 3)) for _ in range(3))
    releases += 1
    most = 1 if policy.joint or policy.copies is None else 2 * policy.copies - 1
    used = data.draw(st.integers(1, most))
    copied = (1, 1) if policy.kind.draws_copies else None
    found = bound(
        certificate,
        walk_links=walk,
        other_links=other,
        uses=data.draw(st.sampled_from([None, used])),
        copies=copied,
        releases=releases,
    )
    parts = [
        losses_of(policy, Missing(on_walk=on, uses=used, copies=copied)).times(count)
        for on, count in ((True, walk), (False, other))
        if count
    ]
    exact = sum(parts, NOTHING).times(releases)
    assert float(found.presence) >= float(exact.presence.loss()) - 1e-4
    assert float(found.absence) >= float(exact.absence.loss()) - 1e-4


@pytest.mark.regression("a link on all ten walks of a series was answered with the worst row")
def test_a_series_answers_by_the_formula_for_every_number_of_walks() -> None:
    """B(1/2, 1/2) / B(k + 1/2, T - k + 1/2), by hand; a late link may have been chaff before."""
    ten = certify(Policy.remembering(prior=("1/2", "1/2")), releases=10)
    for shown, alone, late in (
        (10, "1.7362", "1.7362"),
        (9, "4.6806", "4.6806"),
        (5, "8.3336", "8.3336"),
        (0, "1.7362", "8.3336"),
    ):
        kinds: tuple[tuple[AdversaryKind, str], ...] = (
            ("series", alone),
            ("lacks-links", late),
            ("late-link", late),
        )
        for kind, loss in kinds:
            row = bound(ten, kind=kind, walk_links=1, on_walks=shown)
            assert (kind, shown, row.presence.decimal) == (kind, shown, loss)
            assert row.absence.is_infinite
    two = bound(ten, kind="series", walk_links=2, on_walks=10)
    assert float(two.presence) == pytest.approx(2 * 1.7362)


def test_uses_and_copies_between_the_rows_are_exact() -> None:
    three = certify(Policy.balanced(copies=3))
    paper = certify(Policy.paper(vertex=1, link=1))
    for certificate, policy, copies in (
        (three, Policy.balanced(copies=3), None),
        (paper, Policy.paper(vertex=1, link=1), (2, 3)),
    ):
        for uses in (1, 2, 4):
            row = bound(certificate, walk_links=1, uses=uses, copies=copies)
            exact = losses_of(policy, Missing(on_walk=True, uses=uses, copies=copies))
            assert row.presence == exact.presence.loss()
    assert paper.bound(walk_links=1) is None, "nothing limits how many copies are drawn"


@pytest.mark.regression("`bound()` of the third file of a series answered as of the first")
def test_the_third_file_of_a_series_was_said_to_cost_as_little_as_the_first() -> None:
    """A link on one of three walks loses ln 16; 0.6932 was answered, or 2.0796 as a bound."""
    third = certify(Policy.remembering(prior=("1/2", "1/2")), releases=3)
    for releases, on_walks in ((None, None), (3, None), (2, None), (3, 1)):
        found = bound(third, walk_links=1, releases=releases, on_walks=on_walks)
        assert str(found.presence) == "ln 16 = 2.7726"
        assert found.adversary.kind == "series"
    alone = bound(third, walk_links=1, releases=1)
    assert str(alone.presence) == "ln 2 = 0.6932"
    assert third.bound(walk_links=1, releases=4) is None
    never = bound(third, kind="series", on_walks=0)
    assert str(never.presence) == "ln(16/5) = 1.1632"
    assert third.bound(kind="counts-copies") is None
