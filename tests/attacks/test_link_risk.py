"""For the custodian's eyes: which links a release or a series gives away."""

from __future__ import annotations

from typing import Any

import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, attack, publish
from pathveil.attacks import link_risk as identifying
from pathveil.attacks.link_risk import LinkRisk, certain_together, identify_links
from pathveil.attacks.one_file.completions import Completions, read_fragments
from pathveil.checking.release_audit import LinkRelease
from pathveil.model.publication import Direction
from pathveil.publishing.terms import ReleaseTerms

NETWORK, WALK = Network.parse("ab bc cd de be ad"), Walk("abcde")


def test_each_walk_link_is_asked_about_and_the_worst_comes_first() -> None:
    released = publish(NETWORK, WALK, source=Seeded(5))
    risks = identify_links(released, NETWORK, WALK)
    assert {risk.link for risk in risks} == set(WALK.links)
    assert [risk.after for risk in risks] == sorted((r.after for r in risks), reverse=True)
    for risk in risks:
        found = attack(released, Knowledge(NETWORK.without(risk.link)))
        used = [one for one in found.candidates if not one.others]  # he knows: it is on the walk
        here = next(one for one in used if one.links == (risk.link,))
        assert risk.before == pytest.approx(here.prior / sum(one.prior for one in used))
        assert risk.after == pytest.approx(here.posterior / sum(one.posterior for one in used))
        assert risk.alone == (risk.after == pytest.approx(1, abs=1e-12))


@pytest.mark.regression("how often a walk link is left alone was not said")
@pytest.mark.parametrize(
    ("policy", "more"),
    [
        (Policy.balanced(), {"direction": "hidden"}),
        (Policy.balanced(), {}),
        (Policy.frontier(walk_loss="1.5"), {}),
        (Policy.balanced(copies=2), {"direction": "hidden"}),
        (Policy.balanced(copies=2, link_uses=1), {}),
        (Policy.remembering(usage="1/2"), {}),
    ],
    ids=str,
)
def test_how_often_a_link_is_left_alone(policy: Policy, more: dict[str, Any]) -> None:
    """Counted over fresh releases with the same hand-out; false alarm below 1e-6: five standard
    errors, and two releases for what is rare."""
    link, runs = ("b", "c"), 120
    release = LinkRelease(NETWORK, WALK, ReleaseTerms(policy, **more), link)
    release = release.with_fixed_copies(Seeded(3))
    risks = [
        {risk.link: risk for risk in identify_links(release(True, Seeded(n)), NETWORK, WALK)}
        for n in range(runs)
    ]
    assert any(0 < (risk.left_alone or 0) < 1 for risk in risks[0].values())
    for link in WALK.links:
        chance = risks[0][link].left_alone
        assert chance is not None
        assert {found[link].left_alone for found in risks} == {chance}, "no coin decides it"
        spread = (chance * (1 - chance) / runs) ** 0.5
        share = sum(found[link].alone for found in risks) / runs
        assert abs(share - chance) < 5 * spread + 2 / runs


def test_where_the_chance_to_be_left_alone_is_not_worked_out() -> None:
    first = publish(
        NETWORK, WALK, policy=Policy.remembering(prior=("1/2", "1/2")), source=Seeded(1)
    )
    second = publish(NETWORK, WALK, after=[first], source=Seeded(2))
    paper = Policy.paper(vertex=None, link=1)
    drawn = publish(NETWORK, WALK, policy=paper, layering="backtracking", source=Seeded(1))
    for release in (second, drawn):
        assert {risk.left_alone for risk in identify_links(release, NETWORK, WALK)} == {None}
    noisy = publish(NETWORK, WALK, policy=Policy.two_sided(epsilon=3), source=Seeded(1))
    assert {risk.left_alone for risk in identify_links(noisy, NETWORK, WALK)} == {0.0}


def test_chaff_that_always_shows_leaves_every_join_of_the_pieces() -> None:
    """Without b - c the pieces ab and cde may be joined by b - c, a - c and a - e; b - e is known.

    Sealed coins show all of them alike.
    """
    risks = identify_links(publish(NETWORK, WALK, policy=Policy.sealed()), NETWORK, WALK)
    left = {"".join(risk.link): risk.after for risk in risks}
    assert left == pytest.approx({"ab": 1 / 2, "bc": 1 / 3, "cd": 1 / 3, "de": 1 / 2})
    assert not any(risk.alone for risk in risks)


def test_a_link_that_takes_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identifying, "LIMIT", 0)
    assert identify_links(publish(NETWORK, WALK, source=Seeded(5)), NETWORK, WALK) == ()


def test_no_log_shows_the_walk() -> None:
    risks = identify_links(publish(NETWORK, WALK, source=Seeded(5)), NETWORK, WALK)
    assert {repr(risk) for risk in risks} == {"<LinkRisk: for the custodian>"}


@pytest.mark.regression("a link that two files together make certain was called uncertain")
def test_files_together_make_a_link_certain_that_neither_does() -> None:
    network, walks = Network.parse("ab bc cd de ef bd ce af"), (Walk("abcdef"), Walk("abdce"))
    first, second = (publish(network, walk, source=Seeded(f"{len(walk)} visits")) for walk in walks)
    risks = identify_links(second, network, walks[1])
    assert not any(risk.certain for risk in risks)
    assert ("c", "d") in (
        certain_together([first, second], network, [risk.link for risk in risks]) or ()
    )
    sealed = publish(network, walks[0], policy=Policy.sealed(), source=Seeded(1))
    assert certain_together([sealed, second], network, [("c", "d")]) is None, "other terms"


@pytest.mark.parametrize(
    ("before", "after", "rarely", "certain", "alarm"),
    [
        (0.25, 1.0, 0.05, True, True),
        (0.25, 1.0, 0.2, True, False),
        (0.25, 1.0, None, True, False),
        (1.0, 1.0, 0.05, False, False),
        (0.25, 0.9, 0.05, False, False),
    ],
)
def test_only_what_should_have_been_rare_is_an_alarm(
    before: float,
    after: float,
    rarely: float | None,
    certain: bool,  # noqa: FBT001
    alarm: bool,  # noqa: FBT001
) -> None:
    risk = LinkRisk(("a", "b"), frozenset(), frozenset(), before, after, rarely)
    assert (risk.certain, risk.alarm) == (certain, alarm)


@pytest.mark.parametrize("direction", ["public", "hidden"])
def test_who_is_told_an_end_is_certain_where_no_other_walk_has_it(direction: Direction) -> None:
    network = Network.parse("ab bc cd de ef fg gh ae cg bf ch")
    walk, told = Walk("gfedcba"), 0
    for seed in range(8):
        file = publish(network, walk, direction=direction, source=Seeded(seed))
        risks = identify_links(file, network, walk)
        assert len(risks) == len(walk.links)
        for risk in risks:
            read = read_fragments(file.packed.pairs, file.positions, network.without(risk.link))
            worlds = Completions(read, 1, spanning=False).listed(10_000) or []
            for place in (0, -1):
                before, after = set(), set()
                for world in worlds:
                    ends = [file.vertices[world.visits[at]] for at in (0, -1)]
                    if ends[place] != walk[place]:
                        ends.reverse()
                    way = file.direction is None or file.direction == (ends[0] < ends[-1])
                    if not (world.links and way and ends[place] == walk[place]):
                        continue
                    before.add(world.links)
                    if not any(file.packed.pairs.same_branch(*pair) for pair in world.joins):
                        after.add(world.links)
                certain = len(after) == 1 and (len(before) > 1 or risk.certain)
                found = risk.certain_if_told(walk, walk[place], direction=file.direction)
                assert found == certain, (seed, risk.link, place)
                told += found
    assert told
