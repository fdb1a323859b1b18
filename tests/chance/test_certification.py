from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.chance import certify as certification
from pathveil.chance import losses as exact_losses
from pathveil.chance.certify import certify
from pathveil.chance.losses import LATE, SERIES, Missing, losses_of
from pathveil.model.grouping import ClassSizes
from pathveil.policies import base as kind
from pathveil.policies import paper, remembering
from pathveil.policies import simple as sealed
from tests.chance.written import CASES, FOLDER, require_as_written

NETWORK, WALK = Network.parse("ab bc cd de ef bd"), Walk("abcdef")


def losses(policy: Policy, **who: Any) -> tuple[str, str, str]:
    row = certify(policy).bound(**who)
    assert row is not None
    return str(row.presence), str(row.absence), row.notion


def test_one_copy() -> None:
    assert losses(Policy.balanced(), walk_links=1) == (
        "ln 2 = 0.6932",
        "infinite",
        "one-sided DP",
    )
    assert losses(Policy.sealed(), walk_links=1) == ("0 = 0.0000", "0 = 0.0000", "symmetric DP")
    assert losses(Policy.sealed(), other_links=1) == ("infinite", "infinite", "none")
    policy = Policy.frontier(walk_loss="1/2")
    assert losses(policy, walk_links=1)[0] == "1/2 = 0.5000"
    assert losses(policy, other_links=1)[0] == "-ln(1 - exp(-1/2)) = 0.9328"


def test_copies_add_up_or_are_joint() -> None:
    assert losses(Policy.balanced(copies=2), walk_links=1)[0] == "4 ln 2 = 2.7726"
    assert losses(Policy.balanced(copies=2, link_uses=1), walk_links=1)[0] == "ln 5 = 1.6095"
    assert losses(Policy.sealed(copies=2, link_uses=1), walk_links=1)[0] == "ln 4 = 1.3863"
    assert losses(Policy.sealed(copies=8), walk_links=1)[0].startswith("ln(2^64 - 1)")
    rare = Policy.frontier(walk_loss=3, copies=2)
    once, often = (losses(rare, walk_links=1, uses=n)[0] for n in (1, 3))
    assert once == "3 - 3 ln(1 - exp(-3)) = 3.1533"
    assert losses(rare, walk_links=1)[0] == often == "9 - ln(1 - exp(-3)) = 9.0511"


def test_the_certificate_is_the_same_for_every_walk() -> None:
    one, two = (publish(NETWORK, w, source=Seeded(1)) for w in (WALK, Walk("cb")))
    assert one.certificate == two.certificate == certify(Policy.balanced())


def test_a_universe_and_the_papers_layout_are_told() -> None:
    lines = certify(Policy.balanced(), universe=7).not_protected
    assert any("7 pairs of the public universe" in line for line in lines)
    paper = certify(Policy.paper(vertex=1, link=1), layering="backtracking")
    kinds = {row.adversary.kind: row for row in paper.rows}
    assert kinds["counts-copies"].notion == "none"
    assert [row.after for row in paper.identification if row.by == "layout"] == ["1.0000"]
    assert "layout" not in {row.by for row in certify(Policy.balanced()).identification}
    assert certification.LAYOUT in paper.not_protected
    assert certification.HIDDEN not in paper.not_protected
    assert certification.LAYOUT not in lines


def test_a_told_direction_has_a_row_of_its_own() -> None:
    told, untold = (certify(Policy.sealed(), direction_public=told) for told in (True, False))
    kinds = {row.adversary.kind: row for row in told.rows}
    assert kinds["knows-direction"].presence.is_infinite
    assert "knows-direction" not in {row.adversary.kind for row in untold.rows}
    grouped = certify(Policy.balanced(), sizes=ClassSizes.of([2, 3]))
    for said, line in (
        (told, certification.DIRECTION),
        (untold, certification.HIDDEN),
        (grouped, certification.CLASS_DIRECTION),
    ):
        lines = {certification.DIRECTION, certification.HIDDEN, certification.CLASS_DIRECTION}
        assert lines & set(said.not_protected) == {line}
    assert "direction" in {row.by for row in told.identification}
    assert "direction" not in {row.by for row in untold.identification}


@pytest.mark.parametrize("name", CASES)
def test_certificates_say_what_was_written_down_and_read(name: str) -> None:
    """Whole: every sentence, row and number of each policy and form."""
    require_as_written(name)


def test_every_sentence_stands_in_a_certificate_that_was_read() -> None:
    read = "\n".join(file.read_text("utf-8") for file in FOLDER.glob("*.txt"))
    modules = (certification, exact_losses, kind, paper, sealed)
    said = [text for module in (*modules, remembering) for text in sentences(module)]
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


def test_what_a_series_costs_is_told_by_who_remembers_and_only_by_him() -> None:
    told = certify(Policy.remembering(prior=("1/2", "1/2"))).not_protected
    assert told[-2:] == (SERIES, LATE)
    assert certification.AGAIN not in told
    again = certify(Policy.balanced()).not_protected
    assert again[-1] == certification.AGAIN
    assert not {SERIES, LATE} & set(again)
    single = [
        row.adversary
        for row in certify(Policy.remembering(prior=("1/2", "1/2"))).rows
        if row.adversary.kind == "lacks-links"
    ]
    assert [(who.walk_links, who.other_links) for who in single] == [(1, 0), (0, 1)]


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
        parts = [Missing(on_walk=kind, links=links) for kind, links in missing if links]
        expected = losses_of(policy, *parts, releases=who.releases)
        assert (row.presence, row.absence) == (expected.presence.loss(), expected.absence.loss())
        several += who.releases > 1 or len(parts) > 1
    assert several == 2
