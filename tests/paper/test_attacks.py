"""What the paper's release leaks, and what ours does not, figure by figure."""

from __future__ import annotations

from itertools import product
from math import exp
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.completions import read_fragments
from pathveil.attacks.one_file.inference import attack
from pathveil.chance.copies import LiftedWalk
from pathveil.layering.exact import layer_exactly
from pathveil.model.bits import PackedBits, PairBits, Relation
from pathveil.model.layered import Layering
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from tests.attacks.known_answers import possible_joins, possible_walks
from tests.attacks.maps import bits_of, cases, random_map

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "the-paper-reviewed.md"
REVIEW = PAGE.read_text("utf-8")
WALK = Walk("abcdefgh")
TRUTH = ("d", "e")
JOINS = (("d", "e"), ("a", "e"), ("a", "h"), ("d", "h"))
RATES = {
    Policy.sealed(): 1.0,
    Policy.balanced(): 0.5,
    Policy.paper(vertex=None, link=1): 1 / (1 + exp(0.5)),
    Policy.paper(vertex=None, link=5): 1 / (1 + exp(2.5)),
}


def network_with(candidates: int) -> Network:
    """The walk, and known edges at all but so many of the four joins of its halves."""
    blocked = JOINS[candidates:]
    return Network.from_links([*WALK.steps, *blocked, ("b", "f")])


def expected(candidates: int, rate: float) -> float:
    return (1 - (1 - rate) ** candidates) / (candidates * rate)


@pytest.mark.parametrize("candidates", [1, 2, 3, 4])
@pytest.mark.parametrize("policy", RATES, ids=str)
def test_posterior_of_the_true_edge_exactly(candidates: int, policy: Policy) -> None:
    """Averaged over all coins of the joins it is (1-(1-p)^c)/(c p); without the release 1/c."""
    network, rate = network_with(candidates), RATES[policy]
    knowledge = Knowledge(network.without(TRUTH))
    positions = Positions.uniform(network.vertices, 1)
    relation = Relation.of(positions, network, range(8))
    total = 0.0
    for coins in product([False, True], repeat=candidates - 1):
        chance = float(np.prod([1 - rate if same else rate for same in coins]))
        if not chance:
            continue
        matrix = np.zeros((8, 8), dtype=bool)
        for (u, v), same in zip(JOINS[1:candidates], coins, strict=True):
            i, j = network.index(u), network.index(v)
            matrix[i, j] = matrix[j, i] = same
        flat = PairBits.from_matrix(matrix).flat()
        flat[relation.off_walk] = True
        shown = PackedBits(positions, PairBits.from_flat(8, flat))
        release = Publication(shown, policy.terms(), direction=True)
        found = attack(release, knowledge)
        assert found.control == pytest.approx(1 / candidates)
        total += chance * found.posterior_of(TRUTH)
    assert total == pytest.approx(expected(candidates, rate), abs=1e-12)


@pytest.mark.parametrize("candidates", [2, 3, 4])
def test_fakes_off_the_walk_hide_nothing(candidates: int) -> None:
    """The paper wants more fake edges (r = 2) to hide a missing one; they single it out.

    A missing walk edge is in different branches. Where nearly all absent pairs are faked as edges
    off the walk it is the only join left; where all are faked as on the walk it is one of c.
    """
    network = network_with(candidates)
    knowledge = Knowledge(network.without(TRUTH))
    for seed in range(5):
        faked_off = publish(
            network, WALK, policy=Policy.paper(vertex=None, link=60), source=Seeded(seed)
        )
        faked_on = publish(network, WALK, policy=Policy.sealed(), source=Seeded(seed))
        assert attack(faked_off, knowledge).posterior_of(TRUTH) == pytest.approx(1)
        assert attack(faked_on, knowledge).posterior_of(TRUTH) == pytest.approx(1 / candidates)


def test_fake_copies_hide_a_ring_only_if_all_its_edges_miss() -> None:
    """The walk comes back to a. One known walk edge of the second copy shows that it is no fake."""
    network = Network.parse("ab bc ac ad de")
    for seed in range(10):
        release = publish(
            network, Walk("abcade"), policy=Policy.paper(vertex=1, link=1), source=Seeded(seed)
        )
        again = release.positions.index("a", 1)
        for missing, hidden in (
            ([("a", "c")], False),
            ([("a", "d")], False),
            ([("a", "c"), ("a", "d")], True),
        ):
            known = network.without(*missing)
            read = read_fragments(release.packed.pairs, release.positions, known)
            assert (again in read.loose) == hidden


@pytest.mark.regression("what running the publisher again finds")
def test_rerunning_the_papers_publisher_names_the_missing_edge() -> None:
    """Re-running the paper's publisher finds nearly every missing edge; the bits alone do not."""
    low = Policy.paper(vertex=None, link=1)
    layerings: tuple[Layering, ...] = ("backtracking", "exact")
    drawn, exact = (
        np.mean(
            [
                attack(case.publication, case.knowledge, spanning=True).posterior_of(case.answer)
                for case in cases(120, low, layering)
            ]
        )
        for layering in layerings
    )
    assert drawn > 0.9
    assert exact < 0.75


def test_the_canonical_layout_costs_nothing() -> None:
    """On the same maps the exact layout is that of every walk the bits and the direction leave."""
    told = 0
    for case in cases(60, Policy.paper(vertex=None, link=1), "exact"):
        release = case.publication
        joins = possible_joins(case)
        for world in joins.values():
            up = LiftedWalk(release.positions, world.visits).direction
            drawn = layer_exactly(release.packed.pairs, release.positions, upright=up)
            assert (drawn == release.layered) == (up == release.direction)
        told += len(joins) > 1
    assert told > 30


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (Policy.sealed(), "{median:,} under `sealed`"),
        (
            Policy.paper(vertex=None, link=1),
            "{median:,} at eps_e = 1 (half of the maps between {low:,} and {high:,})",
        ),
        (Policy.paper(vertex=None, link=5), "{median:,} at eps_e = 5"),
    ],
    ids=str,
)
def test_walks_an_outsider_must_choose_from(policy: Policy, said: str) -> None:
    """Median number of spanning paths of H, n = 10 and |E| = 13: what the review says."""
    random = np.random.default_rng(11)
    counts = []
    for number in range(301):
        network, walk = random_map(random, 10, 13)
        bits = bits_of(network, walk, policy, Seeded(f"outsider {number}"))
        counts.append(possible_walks(bits))
    low, high = np.percentile(counts, [25, 75])
    numbers = {"median": int(median(counts)), "low": int(low), "high": int(high)}
    assert said.format(**numbers) in " ".join(REVIEW.split())


@pytest.mark.parametrize(
    "policy",
    [
        Policy.sealed(),
        Policy.balanced(),
        Policy.frontier(walk_loss=1),
        Policy.two_sided(epsilon=1),
        Policy.balanced(copies=2),
        Policy.balanced(copies=2, link_uses=1),
    ],
    ids=str,
)
def test_no_default_policy_is_beaten(policy: Policy) -> None:
    """Whatever edge misses, its odds move by no more than the certificate says."""
    random = np.random.default_rng(13)
    for number in range(4):
        network, walk = random_map(random, 7, 11)
        release = publish(network, walk, policy=policy, source=Seeded(f"default {number}"))
        for edge in network.links:
            assert attack(release, Knowledge(network.without(edge))).within_certificate
