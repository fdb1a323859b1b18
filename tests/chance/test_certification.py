from __future__ import annotations

from math import inf
from types import ModuleType
from typing import Any

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.chance import certify as certification
from pathveil.chance import series_loss
from pathveil.chance.certify import certify
from pathveil.chance.losses import Missing, losses_of, seed_loss
from pathveil.chance.series_loss import LATE, SERIES
from pathveil.errors import BadBudget
from pathveil.model import forms
from pathveil.model.grouping import ClassSizes
from pathveil.policies import Number, paper, remembering
from pathveil.policies import base as kind
from pathveil.policies import simple as sealed
from pathveil.policies.base import ABSENCE
from pathveil.policies.simple import OFF_WALK_ABSENCE
from pathveil.publishing.release import publish_together
from pathveil.sketching import sketched_series
from pathveil.sketching.sketch_release import policy_in_sketch
from pathveil.sketching.sketched_series import sketched_rows
from tests.chance.written import CASES, FOLDER, require_as_written

NETWORK, WALK = Network.parse("ab bc cd de ef bd"), Walk("abcdef")
LABELS = {name: "hub" if name in "bd" else "leaf" for name in "abcdef"}
RATES: dict[tuple[str, str], Number] = {
    ("hub", "hub"): "1/2",
    ("leaf", "hub"): "1/4",
    ("leaf", "leaf"): 1,
}


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


def test_labels_have_rows_of_their_own() -> None:
    policy = Policy.labelled(LABELS, RATES)
    assert losses(policy, walk_links=1, labels=("hub", "leaf"))[0] == "ln 4 = 1.3863"
    assert losses(policy, other_links=1, labels=("hub", "leaf"))[0] == "ln(4/3) = 0.2877"
    assert losses(policy, walk_links=1, labels=("hub", "hub"))[0] == "ln 2 = 0.6932"
    assert losses(policy, walk_links=1)[0] == "ln 4 = 1.3863"  # the worst of them
    assert losses(policy, other_links=1)[2] == "none"
    assert any("leaf and leaf are bare" in line for line in certify(policy).not_protected)


def test_the_certificate_is_the_same_for_every_walk() -> None:
    one, two = (publish(NETWORK, w, source=Seeded(1)) for w in (WALK, Walk("cb")))
    assert one.certificate == two.certificate == certify(Policy.balanced())


def test_a_universe_and_the_papers_layout_are_told() -> None:
    lines = certify(Policy.balanced(), universe=7).not_protected
    assert any("7 pairs of the public universe" in line for line in lines)
    kept = policy_in_sketch(Policy.balanced())
    sketched = certify(kept, universe=7, capacity=9).not_protected
    others = (
        "every other pair is published as if on the walk and known to be no link.",
        "every other pair is known to be no link.",
    )
    for found, other in zip((lines, sketched), others, strict=True):
        assert sum(line.endswith(other) for line in found) == 1
    paper = certify(Policy.paper(vertex=1, link=1), layering="backtracking")
    kinds = {row.adversary.kind: row for row in paper.rows}
    assert kinds["counts-copies"].notion == "none"
    assert [row.after for row in paper.identification if row.by == "layout"] == ["1.0000"]
    assert "layout" not in {row.by for row in certify(Policy.balanced()).identification}
    assert certification.LAYOUT in paper.not_protected
    assert certification.UNTOLD not in paper.not_protected
    assert certification.LAYOUT not in lines


def test_a_told_direction_has_a_row_of_its_own() -> None:
    told, untold = (certify(Policy.sealed(), told=told) for told in (True, False))
    kinds = {row.adversary.kind: row for row in told.rows}
    assert kinds["knows-direction"].presence.is_infinite
    assert "knows-direction" not in {row.adversary.kind for row in untold.rows}
    grouped = certify(Policy.balanced(), sizes=ClassSizes.of([2, 1]))
    for said, line in (
        (told, certification.DIRECTION),
        (untold, certification.UNTOLD),
        (grouped, certification.CLASS_DIRECTION),
    ):
        lines = {certification.DIRECTION, certification.UNTOLD, certification.CLASS_DIRECTION}
        assert lines & set(said.not_protected) == {line}
    assert "direction" in {row.by for row in told.identification}
    assert "direction" not in {row.by for row in untold.identification}


def test_walks_together() -> None:
    both = publish_together(NETWORK, [Walk("abc"), Walk("cdb")], source=Seeded(1))
    row = both[1].certificate.bound(other_links=1)
    assert row is not None
    assert str(row.presence) == "ln 3 = 1.0987"
    # Packed, each walk is a file of its own; as a sketch they share one.
    for walks, capacity in ((1, 9), (2, None), (2, 9)):
        said = certify(policy_in_sketch(Policy.balanced().together(walks)), capacity=capacity)
        shared = walks > 1 and capacity is not None
        assert (certification.TOGETHER in said.not_protected) == shared
    policy = Policy.sealed().together(4)
    assert losses(policy, walk_links=1)[0] == "ln 4 = 1.3863"
    with pytest.raises(BadBudget, match="at least ln 4"):
        Policy.frontier(walk_loss=1).together(4)


@pytest.mark.parametrize("name", CASES)
def test_certificates_say_what_was_written_down_and_read(name: str) -> None:
    """Whole: every sentence, row and number of each policy and form."""
    require_as_written(name)


def test_every_sentence_stands_in_a_certificate_that_was_read() -> None:
    read = "\n".join(file.read_text("utf-8") for file in FOLDER.glob("*.txt"))
    modules = (certification, series_loss, sketched_series, forms, kind, paper, sealed)
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
        rows = certify(Policy.remembering(), releases=releases).rows
        compared = [row.adversary.kind for row in rows if not row.bound]
        assert compared == ["fresh-coins"]


def test_what_a_series_costs_is_told_by_who_remembers_and_only_by_him() -> None:
    told = certify(Policy.remembering()).not_protected
    assert told[-2:] == (SERIES, LATE)
    assert certification.AGAIN not in told
    again = certify(Policy.balanced()).not_protected
    assert again[-1] == certification.AGAIN
    assert not {SERIES, LATE} & set(again)
    assert certification.TOGETHER not in again
    single = [
        row.adversary
        for row in certify(Policy.remembering()).rows
        if row.adversary.kind == "misses-links"
    ]
    assert [(who.walk_links, who.other_links) for who in single] == [(1, 0), (0, 1)]


def test_a_series_of_sketches_has_the_rates_and_the_seeds_of_its_sketches() -> None:
    policy = policy_in_sketch(Policy.remembering(), releases=2)
    seed = seed_loss(policy, 50).presence
    sketched, packed = certify(policy, releases=3, capacity=50), certify(policy, releases=3)
    assert sketched.rows[:-1] == tuple(sketched_rows(policy, 3, seed))
    assert not {row.presence for row in sketched.rows if row.bound} & {
        row.presence for row in packed.rows if row.bound and not row.presence.is_infinite
    }
    assert sketched.not_protected[-3:] == (sketched_series.SERIES, sketched_series.NEEDED, LATE)
    assert packed.not_protected[-2:] == (SERIES, LATE)


@pytest.mark.parametrize(
    "policy",
    [
        Policy.balanced(),
        Policy.balanced(copies=2),
        Policy.balanced(copies=2, link_uses=1),
        Policy.labelled(LABELS, RATES),
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
        if who.kind != "misses-links":
            continue
        missing = [(True, who.walk_links), (False, who.other_links)]
        parts = [Missing(on_walk=kind, links=links) for kind, links in missing if links]
        expected = losses_of(policy, *parts, releases=who.releases)
        assert (row.presence, row.absence) == (expected.presence.loss(), expected.absence.loss())
        several += who.releases > 1 or len(parts) > 1
    assert several == 2


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        ("a b c", "3 classes of 1 vertex each: they hide nothing. Between"),  # was: all 1 to 1
        ("ab c", "2 classes of 1 to 2 vertices: every release over them shows the same of all 2 "),
        ("ab cd", "2 classes of 2 vertices: every release over them shows the same of all 4 pairs"),
        ("ab cde", "shows the same of all 6 pairs of vertices between two classes. Between"),
        (
            "ab cde f g",
            "2 to 6 pairs of vertices between two classes, but a link between two classes of one",
        ),
    ],
)
def test_sizes_of_classes_are_said_readably(classes: str, said: str) -> None:
    sentence = certification.sizes_sentence(ClassSizes.of(map(len, classes.split())))
    assert said in sentence
    for least, most in ((1, 1), (2, 2), (4, 4), (6, 6)):
        assert f"{least} to {most} " not in sentence


@pytest.mark.regression("`sealed` protects absence of walk links")
def test_sealed_protects_absence_of_walk_links() -> None:
    """0 both ways with one copy; what it does not protect is absence off the walk."""
    walk = certify(Policy.sealed()).bound(walk_links=1)
    other = certify(Policy.sealed()).bound(other_links=1)
    assert walk is not None
    assert other is not None
    assert (float(walk.presence), float(walk.absence)) == (0, 0)
    assert float(other.absence) == inf
    assert OFF_WALK_ABSENCE in certify(Policy.sealed()).not_protected
    assert ABSENCE not in certify(Policy.sealed()).not_protected


def test_sealed_with_several_patterns_does_not_protect_absence() -> None:
    for policy in (Policy.sealed(copies=2, link_uses=1),):
        row = certify(policy).bound(walk_links=1)
        assert row is not None
        assert float(row.absence) == inf
        assert ABSENCE in certify(policy).not_protected


def test_absence_is_protected_by_two_sided_and_by_no_other_policy() -> None:
    def absence(policy: Policy) -> float:
        return float(losses_of(policy, Missing(on_walk=True)).absence.loss())

    one_sided = Policy.balanced(), Policy.frontier(walk_loss=1), Policy.paper(vertex=None, link=1)
    assert {absence(policy) for policy in one_sided} == {inf}
    assert absence(Policy.two_sided(epsilon=1)) == 1


def test_no_link_costs_more_than_epsilon_and_presence_may_cost_less() -> None:
    for epsilon in ("0.1", "1", "3"):
        row = certify(Policy.two_sided(epsilon=epsilon)).bound(walk_links=1)
        assert row is not None
        losses = float(row.presence), float(row.absence)
        assert max(losses) == float(epsilon)
        assert min(losses) < float(epsilon)
