"""Who is asked about decides: rows are covered or spanned, and a series is never multiplied."""

from __future__ import annotations

import pytest

from pathveil.model.certificate import ENDLESS, Adversary, Certificate, CertificateRow, Loss

LOW, MID, HIGH = Loss("1/2", "0.5000"), Loss("ln 2", "0.6932"), Loss("ln 3", "1.0987")


def certificate(*rows: tuple[Adversary, Loss]) -> Certificate:
    return Certificate(tuple(CertificateRow(who, loss, loss) for who, loss in rows))


def answer(asked: Certificate, **who: object) -> str | None:
    row = asked.bound(**who)  # type: ignore[arg-type]
    return None if row is None else row.presence.expression


ONE = certificate(
    (Adversary(walk_links=1), MID),
    (Adversary(walk_links=1, uses=1), LOW),
    (Adversary(walk_links=1, copies=(2, 3)), HIGH),
    (Adversary(other_links=1), HIGH),
    (Adversary("knows-direction"), ENDLESS),
)
SERIES = certificate(
    (Adversary(walk_links=1), LOW),
    (Adversary(other_links=1), LOW),
    (Adversary("series", on_walks=0, releases=3), LOW),
    (Adversary("series", on_walks=1, releases=3), MID),
    (Adversary("late-link", on_walks=1, releases=3), HIGH),
)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"uses": 1}, "1/2"),
        ({"uses": 2}, "ln 2"),  # no row of its own: the one that leaves it open
        ({"copies": (3, 2)}, "ln 3"),
        ({"copies": (3, 2), "uses": 1}, "ln 3"),
        ({"copies": (1, 1)}, None),
        ({"kind": "knows-direction"}, "infinite"),
        ({"kind": "knows-direction", "releases": 5}, "infinite"),
        ({"kind": "counts-copies"}, None),
        ({"kind": "series"}, None),
        ({"releases": 3, "uses": 1}, "3 (1/2)"),
    ],
)
def test_one_walk_link(asked: dict[str, object], said: str | None) -> None:
    assert answer(ONE, **{"walk_links": 1, **asked}) == said


def test_uses_left_open_are_the_worst() -> None:
    assert answer(ONE, other_links=1, uses=1) == "ln 3"  # uses are of walk links
    assert answer(ONE, walk_links=1, other_links=1, uses=1) == "1/2 + ln 3"


def test_a_row_for_certain_copies_counts_where_these_are_left_open() -> None:
    assert answer(ONE, walk_links=1) == "ln 3"  # as with 2 x 3 copies


def test_presence_and_absence_are_answered_each_by_itself() -> None:
    asked = Certificate(
        (
            CertificateRow(Adversary(walk_links=1), LOW, HIGH),
            CertificateRow(Adversary(other_links=1), MID, LOW),
        )
    )
    found = asked.bound(walk_links=2, other_links=1, releases=3)
    assert found is not None
    assert found.presence.expression == "3 (2 (1/2) + ln 2)"
    assert found.absence.expression == "3 (2 (ln 3) + 1/2)"


def test_a_sum_that_is_a_row_is_taken_from_it() -> None:
    listed = certificate((Adversary(walk_links=1), MID), (Adversary(walk_links=2), HIGH))
    assert answer(listed, walk_links=2) == "ln 3"
    assert answer(listed, walk_links=3) == "3 (ln 2)"
    assert answer(listed, walk_links=2, uses=1) == "2 (ln 2)"


def test_a_series_costs_no_less_than_one_of_its_files() -> None:
    odd = certificate(
        (Adversary(walk_links=1), HIGH), (Adversary("series", on_walks=1, releases=2), LOW)
    )
    assert answer(odd, walk_links=1) == "ln 3"
    assert answer(odd, other_links=1) == "1/2"


def test_a_row_is_never_undercut_by_one_that_leaves_more_open() -> None:
    """Rows that contradict each other: the larger counts for whoever it speaks of."""
    wrong = certificate((Adversary(walk_links=1), LOW), (Adversary(walk_links=1, uses=2), MID))
    assert answer(wrong, walk_links=1) == "ln 2"
    assert answer(wrong, walk_links=1, uses=1) == "1/2"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"walk_links": 1}, "ln 3"),  # it may have become a link late
        ({"walk_links": 1, "on_walks": 0}, "ln 3"),
        ({"walk_links": 1, "releases": 3}, "ln 3"),
        ({"walk_links": 1, "releases": 2}, "ln 3"),
        ({"walk_links": 1, "releases": 1}, "1/2"),
        ({"walk_links": 1, "releases": 4}, None),
        ({"walk_links": 2, "other_links": 1}, "3 (ln 3)"),
        ({"walk_links": 1, "copies": (2, 2)}, None),
        ({}, "0"),
        ({"kind": "series"}, "ln 2"),
        ({"kind": "series", "on_walks": 0}, "1/2"),
        ({"kind": "series", "on_walks": 2}, "ln 2"),  # not listed: the dearest is
        ({"kind": "series", "on_walks": 0, "releases": 2}, "ln 2"),  # the hidden walk may use it
        ({"kind": "series", "on_walks": 0, "releases": 4}, None),
        ({"kind": "late-link"}, "ln 3"),
        ({"kind": "fresh-coins"}, None),
    ],
)
def test_a_series_is_counted_together(asked: dict[str, object], said: str | None) -> None:
    assert answer(SERIES, **asked) == said


def test_the_first_of_a_series_is_no_fresh_release() -> None:
    first = certificate(
        (Adversary(walk_links=1), MID), (Adversary("series", on_walks=1, releases=1), MID)
    )
    assert answer(first, walk_links=1) == answer(first, walk_links=1, releases=1) == "ln 2"
    assert answer(first, walk_links=1, releases=2) is None
    assert answer(first, kind="series") == "ln 2"


def test_who_is_answered_is_said() -> None:
    row = SERIES.bound(walk_links=1)
    assert row is not None
    assert (
        str(row.adversary) == "one link on any of the 3 walks of the series, by who sees all of it"
    )
    alone = SERIES.bound(walk_links=1, releases=1)
    assert alone is not None
    assert str(alone.adversary) == "one walk link"
    compared = Certificate((CertificateRow(Adversary("fresh-coins", releases=3), MID, MID, False),))
    assert compared.bound(kind="fresh-coins") is None  # of no series
    both = Certificate((*SERIES.rows, *compared.rows)).bound(kind="fresh-coins")
    assert both is not None
    assert not both.bound


@pytest.mark.parametrize(
    "asked",
    [{"walk_links": -1}, {"other_links": -1}, {"uses": 0}, {"releases": 0}, {"on_walks": -1}],
    ids=str,
)
def test_nobody_misses_fewer_than_no_links(asked: dict[str, int]) -> None:
    """It was answered with a negative loss."""
    found = ONE
    (name,) = asked
    with pytest.raises(ValueError, match=f"{name}=.*nobody is so"):
        found.bound(**asked)  # type: ignore[arg-type]
