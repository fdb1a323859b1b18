"""The terms of a release, and every cell of the table of what goes with what."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

from pathveil import (
    Grouping,
    Network,
    Policy,
    Publication,
    Seeded,
    Walk,
    publish,
    publish_series,
    publish_together,
    reconstruct,
)
from pathveil.chance.certify import certify
from pathveil.chance.urn import History
from pathveil.errors import BadBudget, BrokenSeries, Incompatible
from pathveil.model.universe import Universe
from pathveil.publishing.terms import FEATURES, GOES_WITH, MEET, ReleaseTerms

NETWORK, WALK = Network.parse("ab bc cd"), Walk("abcd")
GROUPING = Grouping.of(["ad", "be", "cf"])
USAGE = Policy.remembering(usage="0.4")
KINDS: dict[str, str] = {
    "balanced": "balanced",
    "frontier": "frontier:walk_loss=2",
    "sealed": "sealed",
    "remembering": "remembering:usage=0.4",
    "two_sided": "two_sided:epsilon=40",
    "paper": "paper:vertex=1,link=1",
}
ASKED = tuple(feature for feature in FEATURES if feature not in ("together", "ledger"))
"""Features that a caller of publish() asks for."""


def released(name: str, form: str, features: tuple[str, ...]) -> Publication:
    """Publish with a policy and form and some features, as a user would ask for it."""
    policy = KINDS[name]
    if "copies" in features:
        policy += ("," if ":" in policy else ":") + "copies=2"
    more: dict[str, Any] = {"form": form, "capacity": 9 if form == "sketch" else None}
    if "universe" in features:
        more["universe"] = [*NETWORK.links, ("a", "c")]
    if "grouping" in features:
        more["grouping"] = GROUPING
    if "engine" in features:
        more["layering"] = "backtracking"
    if "series" in features:
        more["after"] = publish_series(NETWORK, [WALK], policy=begun(policy), source=Seeded(1))
    return publish(NETWORK, WALK, policy=policy, source=Seeded(2), **more)


def begun(policy: str) -> str:
    return policy if policy.startswith("remembering") else KINDS["remembering"]


@pytest.mark.parametrize(("name", "form"), list(product(KINDS, ("packed", "sketch"))))
def test_every_cell_of_the_table(name: str, form: Any) -> None:
    """What goes together publishes and reads back; everything else is one error."""
    allowed = GOES_WITH.get((name, form))
    for features in ((), *((one,) for one in ASKED), *combinations(ASKED, 2)):
        own = {"series"} if name == "remembering" else set[str]()  # it is always of a series
        fits = (
            allowed is not None
            and set(features) <= allowed
            and all(frozenset(pair) in MEET for pair in combinations(sorted({*features, *own}), 2))
        )
        if fits:
            publication = released(name, form, features)
            assert reconstruct(publication, NETWORK).walk in (WALK, WALK.reversed())
        else:
            with pytest.raises(Incompatible, match=r" does not go with .*: .*; ") as refused:
                released(name, form, features)
            assert "--" not in str(refused.value)


def test_the_table_is_the_one_of_the_design() -> None:
    packed = {name: GOES_WITH[name, "packed"] - {"ledger"} for name in KINDS}
    assert packed == {
        "balanced": {"copies", "universe", "grouping", "engine", "together"},
        "frontier": {"copies", "universe", "grouping", "engine"},
        "sealed": {"copies", "universe", "engine"},
        "remembering": {"copies", "series"},
        "two_sided": set(),
        "paper": {"engine"},
    }
    assert {name for name, form in GOES_WITH if form == "sketch"} == {"balanced", "frontier"}
    assert all("ledger" in row for row in GOES_WITH.values())
    with pytest.raises(Incompatible, match="a universe does not go with a ledger"):
        ReleaseTerms.of(universe=NETWORK).require_goes_with("ledger")
    ReleaseTerms.of(grouping=GROUPING).require_goes_with("ledger")


def test_several_walks_go_with_nothing_else() -> None:
    several = Policy.balanced().together(2)
    ReleaseTerms(several, direction="hidden")
    for more in ({"universe": Universe.of(NETWORK)}, {"grouping": GROUPING}, {"form": "sketch"}):
        with pytest.raises(Incompatible):
            ReleaseTerms(several, **more)
    with pytest.raises(Incompatible):
        ReleaseTerms(several, layering="backtracking")
    hidden = publish_together(NETWORK, [Walk("ab"), Walk("bc")], direction="hidden")
    assert [one.direction for one in hidden] == [None, None]


def test_what_is_left_out_is_that_of_the_series() -> None:
    history = History.of([publish(NETWORK, WALK, policy=USAGE, source=Seeded(1))])
    assert ReleaseTerms.of().policy == Policy.balanced()
    terms = ReleaseTerms.of(after=history)
    assert terms.policy == USAGE
    terms.require_continues(history, NETWORK.vertices)
    with pytest.raises(BrokenSeries, match="keeps its terms"):
        ReleaseTerms.of(policy="remembering:usage=0.1").require_continues(history, NETWORK.vertices)
    assert ReleaseTerms.of(universe=[("b", "a")]).universe == Universe.of([("a", "b")])


def test_a_series_needs_a_policy_that_remembers_and_says_so_at_once() -> None:
    with pytest.raises(BadBudget, match=r"usage=0\.15"):
        publish_series(NETWORK, [WALK])
    with pytest.raises(BadBudget, match="throws fresh coins in every release"):
        publish_series(NETWORK, [WALK], policy="balanced")


def test_the_certificate_is_that_of_the_terms() -> None:
    hidden = ReleaseTerms(Policy.sealed(), direction="hidden")
    assert hidden.certificate() == certify(Policy.sealed(), direction_public=False)
    assert hidden.certificate(7) == hidden.certificate(), "fresh coins are promised one by one"
    assert ReleaseTerms(USAGE).certificate(3) == certify(USAGE, releases=3)
    assert not ReleaseTerms(layering="backtracking").tells, "it has no direction bit"


def test_the_same_terms_have_the_same_text_and_no_others() -> None:
    listed = [
        ReleaseTerms(),
        ReleaseTerms(Policy.sealed()),
        ReleaseTerms(direction="hidden"),
        ReleaseTerms(layering="backtracking"),
        ReleaseTerms(universe=Universe.of([("a", "b")])),
        ReleaseTerms(grouping=GROUPING),
        ReleaseTerms(form="sketch", capacity=9),
        ReleaseTerms(form="sketch", capacity=8),
    ]
    assert len({terms.text for terms in listed}) == len(listed)
    assert ReleaseTerms().text == ReleaseTerms(Policy.balanced()).text
