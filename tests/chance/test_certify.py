from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from types import ModuleType

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.chance import certify as certification
from pathveil.chance import losses as exact_losses
from pathveil.chance.certify import certify, chances, identifications, join_chances
from pathveil.chance.losses import NOTHING, Missing, losses_of
from pathveil.model.bits import PairBits
from pathveil.policies import kinds, paper, remembering
from tests.chance.written import CASES, FOLDER, require_as_written
from tests.laws.test_series_exact import THREE, Step, scripted, series_law
from tests.strategies import bound

NETWORK, WALK = Network.parse("ab bc cd de ef bd"), Walk("abcdef")


def test_the_certificate_is_the_same_for_every_walk() -> None:
    one, two = (publish(NETWORK, w, source=Seeded(1)) for w in (WALK, Walk("cb")))
    assert one.certificate == two.certificate == certify(Policy.balanced())


def test_certificates_say_what_was_written_down_and_read() -> None:
    """Whole: every sentence, row and number of each policy and form."""
    for name in CASES:
        require_as_written(name)


def test_every_sentence_stands_in_a_certificate_that_was_read() -> None:
    read = "\n".join(file.read_text("utf-8") for file in FOLDER.glob("*.txt"))
    modules = (certification, exact_losses, kinds, paper, remembering)
    said = [text for module in modules for text in sentences(module)]
    assert len(said) > 20
    assert [text for text in said if text not in read] == []


def sentences(module: ModuleType) -> list[str]:
    """Return every sentence that is a constant of a module, as far as a certificate says it."""
    named = [text for name, text in vars(module).items() if name.isupper()]
    return [text for text in named if isinstance(text, str) and text.endswith(".") and " " in text]


def test_only_what_fresh_coins_would_have_cost_is_no_bound() -> None:
    """Two walk links and three others, or ten fresh releases: sums are what such a one loses."""
    assert all(row.bound for row in certify(Policy.balanced()).rows)
    for releases in (1, 3):
        rows = certify(Policy.remembering(prior=("1/2", "1/2")), releases=releases).rows
        compared = [row.adversary.kind for row in rows if not row.bound]
        assert compared == ["fresh-coins"]


@pytest.mark.parametrize(
    "policy",
    [
        Policy.balanced(),
        Policy.balanced(copies=2),
        Policy.balanced(copies=2, link_uses=1),
        Policy.paper(vertex=1, link=1),
        Policy.two_sided(epsilon=1),
    ],
    ids=repr,
)
def test_nobody_is_told_of_twice_and_uses_are_told_where_they_matter(policy: Policy) -> None:
    adversaries = [row.adversary for row in certify(policy).rows]
    assert len(set(adversaries)) == len(adversaries)
    public = [who.uses for who in adversaries if who.uses is not None and who.copies is None]
    several = policy.copies is not None and policy.copies > 1 and not policy.joint
    # The fewest, and the most that a path over so many copies can have between two vertices.
    assert public == ([1, 2 * (policy.copies or 0) - 1] if several else [])


@pytest.mark.parametrize("policy", [Policy.balanced(), Policy.frontier(walk_loss="1/2")], ids=repr)
def test_what_a_row_costs_follows_from_whom_it_names(policy: Policy) -> None:
    several = 0
    for row in certify(policy).rows:
        who = row.adversary
        if who.kind != "lacks-links":
            continue
        missing = [(True, who.walk_links), (False, who.other_links)]
        parts = [losses_of(policy, Missing(on_walk=on)).times(many) for on, many in missing if many]
        expected = sum(parts, NOTHING).times(who.releases)
        assert (row.presence, row.absence) == (expected.presence.loss(), expected.absence.loss())
        several += who.releases > 1 or len(parts) > 1
    assert several == 2


def listed(q: Fraction, doubt: Fraction, joins: int) -> tuple[Fraction, Fraction]:
    """Best guess right, and true join left alone: by listing what each join shows."""
    right = alone = Fraction(0)
    truth = 1 - doubt + doubt * q
    for shown in product((True, False), repeat=joins):
        # The join k is the link with chance 1/c; the others are pairs that are none.
        weights = []
        for link in range(joins):
            weight = Fraction(1, joins)
            for k, on in enumerate(shown):
                chance = truth if k == link else q
                weight *= chance if on else 1 - chance
            weights.append(weight)
        right += max(weights)
        if sum(shown) == 1:
            alone += weights[shown.index(True)]
    return right, alone


def above(text: str, value: Fraction) -> bool:
    """Whether a decimal of four places is the value rounded up."""
    return Fraction(text) >= value and Fraction(text) - value < Fraction(1, 10**4)


@pytest.mark.regression("what 2, 3, 4 joins are guessed right with, and left alone")
@pytest.mark.parametrize(
    ("policy", "q"),
    [
        (Policy.balanced(), Fraction(1, 2)),
        (Policy.sealed(), Fraction(1)),
        (Policy.balanced(copies=2), Fraction(1, 2) * Fraction(1, 2) ** 3),
        (Policy.balanced(copies=2, link_uses=1), Fraction(1, 5)),
        (Policy.balanced().together(3), Fraction(1, 4)),
    ],
)
@pytest.mark.parametrize("joins", [2, 3, 4])
def test_chances_are_those_of_a_listing(policy: Policy, q: Fraction, joins: int) -> None:
    law = policy.law()
    before, after, alone = join_chances(policy, law, joins)
    right, left = listed(q, Fraction(0), joins)
    assert above(before, Fraction(1, joins))
    assert above(after, right)
    assert above(alone, left)


@pytest.mark.regression("identification where the paper's ends have two copies")
def test_where_copies_are_drawn_ends_of_two_copies_tell_more() -> None:
    """A rival of the paper's must show one of its four copy pairs on the walk and three off it."""
    policy = Policy.paper(vertex=1, link=1)
    on = Fraction(str(round(1 / (1 + math.exp(0.5)), 15)))
    rows = identifications(policy, direction_public=False)
    ends = [(1, 1)] * 3 + [(2, 2)] * 3
    assert [(row.joins, row.copies) for row in rows] == list(zip((2, 3, 4) * 2, ends, strict=True))
    for row in rows:
        assert row.copies is not None
        pairs = row.copies[0] * row.copies[1]
        right, left = listed(on * (1 - on) ** (pairs - 1), Fraction(0), row.joins)
        assert above(row.after, right)
        assert above(row.certain, left)
    assert (rows[2].after, rows[5].after) == ("0.5628", "0.8716")
    assert (rows[2].certain, rows[5].certain) == ("0.2412", "0.7510")
    assert "1 x 1 copies" in str(rows[2])
    assert "2 x 2 copies" in str(rows[5])


@pytest.mark.parametrize("joins", [2, 3, 4])
def test_under_doubt_nothing_is_ever_certain(joins: int) -> None:
    policy = Policy.two_sided(epsilon="0.5")
    law = policy.law()
    _, after, alone = join_chances(policy, law, joins)
    doubt = Fraction(str(round(float(law.doubt), 12)))
    right, _ = listed(Fraction(1, 2), doubt, joins)
    assert abs(Fraction(after) - right) < Fraction(1, 10**4)
    assert Decimal(alone) == 0


@pytest.mark.parametrize("walk_loss", ["60", "1000"])
def test_a_pattern_no_other_pair_shows_is_certain(walk_loss: str) -> None:
    """With a walk loss without end chaff never shows on the walk: the limit of the formula."""
    rows = identifications(Policy.frontier(walk_loss=walk_loss), direction_public=False)
    assert [row.certain for row in rows] == ["1.0000"] * 3
    assert [row.after for row in rows] == ["1.0000"] * 3


@pytest.mark.regression("the backtracking certificate's layout is an identification row")
@pytest.mark.parametrize(
    ("given", "causes"),
    [
        ({"direction_public": False}, []),
        ({"direction_public": True}, ["direction"]),
        ({"layering": "backtracking"}, ["layout"]),
        ({"layering": "backtracking", "direction_public": False}, ["layout"]),
        ({"releases": 2}, ["releases", "direction"]),
        ({"releases": 2, "direction_public": False}, ["releases"]),
    ],
)
def test_what_nothing_is_promised_against_is_said(
    given: dict[str, object], causes: list[str]
) -> None:
    policy = Policy.remembering(prior=("1/2", "1/2")) if "releases" in given else Policy.balanced()
    rows = identifications(policy, **given)  # type: ignore[arg-type]
    usual = "series" if "releases" in given else "bits"
    worst = [row for row in rows if row.by != usual]
    assert [row.by for row in worst] == causes
    assert all((row.joins, row.before, row.after) == (4, "0.2500", "1.0000") for row in worst)
    assert [row.joins for row in rows if row.by == usual] == [2, 3, 4]


__all__ = ["scripted"]  # the fixture that takes every branch


@pytest.mark.parametrize("used", [0, 1])
def test_a_link_on_one_of_two_walks_against_two_rivals(used: int) -> None:
    """Every branch of the program: the link at place 0, two rivals that are no links."""
    policy = Policy.remembering(prior=("1/2", "1/2"))
    pattern = tuple(number == used for number in range(2))
    steps = [Step((0,), ()) if on else Step((), (0,)) for on in pattern]
    right = alone = Fraction(0)
    for shown, chance in series_law(steps, THREE, policy).items():
        bits = [PairBits(3, np.frombuffer(one, np.uint8)).flat() for one in shown]
        seen = [tuple(not release[place] for release in bits) for place in range(3)]
        assert seen[0] == pattern
        right += chance / seen.count(pattern)
        alone += chance * (seen.count(pattern) == 1)
    row = next(r for r in identifications(policy, releases=2) if (r.joins, r.by) == (3, "series"))
    assert 0 <= Fraction(row.after) - right < Fraction(1, 10_000)
    assert 0 <= Fraction(row.certain) - alone < Fraction(1, 10_000)
    assert row.before == "0.3334"


def test_copies_have_the_chance_of_their_own_pattern() -> None:
    once = Policy.remembering(prior=("1/2", "1/2"), copies=2, link_uses=1)
    urn = once.kind.urn
    assert urn is not None
    rows = [row for row in identifications(once, releases=3) if row.by == "series"]
    assert [(r.before, r.after, r.certain) for r in rows] == [
        chances(urn.chance(1, 3) / 4, joins) for joins in (2, 3, 4)
    ]


def test_one_release_of_a_series_costs_what_a_first_release_does() -> None:
    policy = Policy.remembering(usage="0.2")
    series = certify(policy, releases=10)
    asked = [series.bound(walk_links=1, releases=count) for count in (1, 2, None)]
    alone, both, whole = [float(row.presence) for row in asked if row is not None]
    assert f"= {alone:.4f}" in str(bound(certify(policy), walk_links=1).presence)
    assert alone < both == whole
