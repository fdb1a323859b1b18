"""Sentences that were once false or too large, each held to what the program does."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.completions import read_fragments
from pathveil.chance import certify as certification
from pathveil.chance.certify import certify
from pathveil.chance.losses import Missing, losses_of
from pathveil.errors import NotAWalk
from pathveil.lab.maps import cyclic_walk
from pathveil.layering import exact, splitting
from pathveil.layering.adjacency import Adjacency
from pathveil.layering.splitting import split_order
from pathveil.policies.base import ABSENCE
from pathveil.policies.simple import OFF_WALK_ABSENCE

ROOT = Path(__file__).parents[2]


def page(name: str) -> str:
    return re.sub(r"\s+", " ", (ROOT / name).read_text("utf-8"))


# -- copies ---------------------------------------------------------------------------------------


@pytest.mark.regression("copies do not hide who was visited twice from who misses one link")
def test_copies_do_not_hide_who_was_visited_twice_from_who_misses_one_link() -> None:
    """200 of 200 walks: the links he knows show both copies of the revisited vertex in use."""
    rng, seen = np.random.default_rng(200), 0
    for number in range(200):
        network, walk = cyclic_walk(6, 10, rng, visits=7)
        (twice,) = [name for name, visits in walk.visits.items() if visits == 2]
        others = [step for step in walk.steps if twice not in step]
        missing = others[int(rng.integers(len(others)))]
        release = publish(
            network, walk, policy=Policy.balanced(copies=2), source=Seeded(f"twice {number}")
        )
        read = read_fragments(release.packed.pairs, release.positions, network.without(missing))
        used = [release.positions.label(p)[0] for path in read.paths for p in path]
        seen += [name for name in set(used) if used.count(name) == 2] == [twice]
    assert seen == 200


def test_readme_says_of_copies_what_they_do() -> None:
    """Their numbers are alike for all; more is not claimed, and the limit is stated."""
    assert "so that the numbers of copies do not tell who was visited twice" in page("README.md")
    limit = "Who misses one link sees which copies the other links use, and so often who was"
    assert limit in page("docs/known-limits.md")
    release = publish(
        Network.parse("ab bc ca cd"),
        Walk("abcacd"),
        policy=Policy.balanced(copies=2),
        source=Seeded(1),
    )
    assert set(release.positions.counts) == {2}


def test_readme_does_not_say_that_a_missing_link_cannot_be_told() -> None:
    """One release of fair coins leaves the true link alone in an eighth of the cases (c = 4)."""
    assert "cannot tell a walk link from chaff" not in page("README.md")
    told = publish(
        Network.parse("ab bc cd de"), Walk("abcde"), policy=Policy.balanced(), source=Seeded(1)
    ).certificate.identification
    assert [row.alone for row in told if row.joins == 4 and row.by == "bits"] == ["0.1250"]


# -- pieces ---------------------------------------------------------------------------------------


@pytest.mark.regression("200 vertices renumbered give 378 or 379 pieces")
def test_a_200_vertex_graph_renumbered_gives_378_or_379_pieces() -> None:
    """So "fewest" is not said of it: nothing is proved."""
    pairs = np.argwhere(np.triu(np.random.default_rng(2).random((200, 200)) < 0.5, 1))
    splits = [
        split_order(Adjacency.from_pairs(200, np.random.default_rng(k).permutation(200)[pairs]))
        for k in (0, 1)
    ]
    assert [split.pieces for split in splits] == [378, 379]
    assert not any(split.proved for split in splits)
    for module in (exact, splitting):
        assert "378 or 379" in (module.__doc__ or "")
        assert "nothing is proved" in re.sub(r"\s+", " ", module.__doc__ or "")


# -- random bytes ---------------------------------------------------------------------------------


class Counting:
    """A seeded source that counts what is taken from it."""

    unsafe = True

    def __init__(self, seed: int) -> None:
        self.source, self.taken = Seeded(seed), 0

    def take(self, count: int) -> bytes:
        self.taken += count
        return self.source.take(count)


NETWORK = Network.parse("ab bc cd de ea ac")
WALKS = (Walk("abcde"), Walk("edcab"), Walk("abcabc"), Walk("acacac"))


def bytes_read(policy: Policy, walk: Walk, seed: int) -> int:
    source = Counting(seed)
    publish(NETWORK, walk, policy=policy, source=source)
    return source.taken


@pytest.mark.parametrize(
    "policy",
    [
        Policy.balanced(copies=3),
        Policy.frontier(walk_loss=1, copies=3),
        Policy.sealed(copies=3),
        Policy.paper(vertex=None, link=None),
    ],
    ids=str,
)
def test_random_bytes_read_do_not_depend_on_the_walk(policy: Policy) -> None:
    """Same stream, other walk: as many bytes. (Without budgets `paper` reads none at all.)"""
    walks = WALKS[:2] if policy.copies is None else WALKS
    for seed in range(5):
        assert len({bytes_read(policy, walk, seed) for walk in walks}) == 1


@pytest.mark.regression("random bytes read depend on the walk under `paper`")
def test_random_bytes_read_depend_on_the_walk_under_paper() -> None:
    """Its copies are drawn by the visits: the page on limits says so."""
    policy = Policy.paper(vertex=1, link=1)
    found = {bytes_read(policy, walk, seed=1) for walk in WALKS}
    assert len(found) > 1
    assert "under the paper's policy also on how often vertices are visited" in page(
        "docs/known-limits.md"
    )


# -- absence --------------------------------------------------------------------------------------


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
    assert "walk links under `sealed` with one copy" in page("docs/known-limits.md")


def test_sealed_with_several_patterns_does_not_protect_absence() -> None:
    for policy in (Policy.sealed(copies=2, link_uses=1), Policy.sealed().together(2)):
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


# -- the two worlds -------------------------------------------------------------------------------


def test_without_another_link_the_other_world_could_be_published_too() -> None:
    """Once: "D' is never published". Of a walk link that is so, of another link it is not."""
    promise = page("docs/privacy-promise.md")
    assert "Where a link off the walk is missing, D' could be published as well" in promise
    network, walk = Network.parse("ab bc cd ac"), Walk("abcd")
    assert publish(network.without(("a", "c")), walk, source=Seeded(1)).series is None
    with pytest.raises(NotAWalk):
        publish(network.without(("a", "b")), walk, source=Seeded(1))
    assert certification.ODDS.startswith("The loss of a walk link compares")


# -- tests' own claims ----------------------------------------------------------------------------


@pytest.mark.regression("statistical tests state their false-alarm rate")
@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests" / "statistical").glob("test_*.py")), ids=str
)
def test_statistical_tests_state_their_false_alarm_rate_and_have_a_broken_twin(path: Path) -> None:
    text = path.read_text("utf-8")
    opening = re.sub(r"\s+", " ", text.split('"""')[1]).lower()
    assert re.search(r"false[- ]alarm", opening), f"{path.name}: how often?"
    assert re.search(r"1e-6|once in (a million|\d\.?\d*e[6-9])", opening), path.name
    assert "broken twin" in opening, path.name
    assert re.search(r"def test_\w*(caught|refuted|catch\w*|seen)", text), f"{path.name}: no twin"
