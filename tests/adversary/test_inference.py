"""The posterior against an oracle that enumerates every world, walk and hand-out of copies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise, permutations, product
from math import comb, exp, log

import numpy as np
import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.adversary.fragments import Edge
from pathveil.adversary.inference import attack, symmetric_sums
from pathveil.errors import DoesNotFit
from pathveil.model.certificate import Certificate
from pathveil.model.publication import Publication

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")
Worlds = dict[frozenset[Edge], float]


def base_walks(network: Network, copies: int, *, spanning: bool) -> Iterator[tuple[str, ...]]:
    def extend(walk: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(walk) > 1 and (not spanning or set(walk) == set(network)):
            yield walk
        for mate in network.neighbours(walk[-1]):
            if walk.count(mate) < copies:
                yield from extend((*walk, mate))

    for start in network:
        yield from extend((start,))


def lifted(walk: tuple[str, ...], copies: int) -> Iterator[tuple[tuple[str, int], ...]]:
    names = sorted(set(walk))
    orders = [permutations(range(copies), walk.count(name)) for name in names]
    for chosen in product(*orders):
        waiting = {name: list(order) for name, order in zip(names, chosen, strict=True)}
        yield tuple((name, waiting[name].pop(0)) for name in walk)


def oracle(
    publication: Publication, known: Network, missing: int, *, rate: float, spanning: bool
) -> tuple[Worlds, Worlds]:
    """Return weights of the missing edges on the walk: by known edges alone, and by all bits."""
    copies = publication.positions.counts[0]
    size = range(copies)
    absent = [pair for pair in combinations(known.vertices, 2) if not known.has_edge(*pair)]
    shown = {
        (a, i, b, j): publication.same_branch((a, i), (b, j))
        for a, b in combinations(known.vertices, 2)
        for i in size
        for j in size
    }
    prior: Worlds = defaultdict(float)
    posterior: Worlds = defaultdict(float)
    for gone in combinations(absent, missing):
        whole = Network.from_edges([*known.edges, *gone], vertices=known, connected=False)
        for walk in base_walks(whole, copies, spanning=spanning):
            ways = list(lifted(walk, copies))
            for way in ways:
                if publication.direction is not None:
                    ends = [publication.positions.index(*way[0])]
                    ends.append(publication.positions.index(*way[-1]))
                    if (ends[0] < ends[1]) != publication.direction:
                        continue
                steps = {frozenset(step) for step in pairwise(way)}
                before, after = 1 / len(ways), 1 / len(ways)
                for (a, i, b, j), same in shown.items():
                    on = frozenset([(a, i), (b, j)]) in steps
                    if whole.has_edge(a, b):
                        after *= same != on
                        before *= same != on or (a, b) in gone
                    else:
                        after *= 1 - rate if same else rate
                used = frozenset(e for e in gone if e in Walk(walk).edges)
                prior[used] += before
                posterior[used] += after
    return prior, posterior


def compare(
    publication: Publication, known: Network, missing: int, rate: float, *, spans: bool = True
) -> None:
    for spanning in (False, True)[: 1 + spans]:
        wanted = oracle(publication, known, missing, rate=rate, spanning=spanning)
        found = attack(publication, Knowledge(known, missing), spanning=spanning)
        assert found.method == "exact"
        for which, weights in enumerate(wanted):
            total = sum(weights.values())
            shares = {frozenset(c.edges): (c.prior, c.posterior)[which] for c in found.candidates}
            assert shares.keys() >= {edges for edges, weight in weights.items() if weight}
            for edges, share in shares.items():
                assert share == pytest.approx(weights.get(edges, 0.0) / total, abs=1e-12)
        assert sum(b.posterior for b in found.beliefs) == pytest.approx(missing)
        assert sum(b.prior for b in found.beliefs) == pytest.approx(missing)


@pytest.mark.parametrize("gone", NETWORK.edges)
@pytest.mark.parametrize(
    ("policy", "rate"),
    [
        (Policy.balanced(), 0.5),
        (Policy.sealed(), 1.0),
        (Policy.frontier(walk_loss=1), exp(-1)),
        (Policy.paper(vertex=None, edge=5), 1 / (1 + exp(2.5))),
    ],
    ids=str,
)
def test_one_missing_edge_agrees_with_the_oracle(gone: Edge, policy: Policy, rate: float) -> None:
    for seed in range(3):
        release = publish(NETWORK, WALK, policy=policy, source=Seeded(seed))
        compare(release, NETWORK.without(gone), 1, rate)


def test_two_missing_edges_agree_with_the_oracle() -> None:
    for gone in (("ab", "cd"), ("bc", "bd"), ("bd", "ce"), ("bc", "cd")):
        for seed in range(2):
            release = publish(NETWORK, WALK, source=Seeded(seed))
            known = NETWORK.without(*((word[0], word[1]) for word in gone))
            compare(release, known, 2, 0.5)


@pytest.mark.parametrize("text", ["abca", "dbcb", "acbd"])
def test_copies_agree_with_the_oracle(text: str) -> None:
    network = Network.parse("ab bc ac bd")
    walk = Walk(text)
    for gone in walk.edges:
        for seed in range(2):
            release = publish(network, walk, policy=Policy.balanced(copies=2), source=Seeded(seed))
            compare(release, network.without(gone), 1, 0.5, spans=text == "acbd")


def test_beliefs_of_edges_off_the_walk_are_shared_out() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    found = attack(release, Knowledge(NETWORK.without(("b", "d"))), spanning=True)
    assert found.best.edges == ()
    assert found.best.others == 1
    silent = [b for b in found.beliefs if b.posterior > 0]
    assert {round(b.posterior, 9) for b in silent} == {round(1 / len(silent), 9)}
    assert all(release.same_branch((b.edge[0], 0), (b.edge[1], 0)) for b in silent)


def test_symmetric_sums_are_those_of_a_polynomial() -> None:
    sums = symmetric_sums([1.0, 2.0, 4.0], 3)
    assert sums == [1.0, 7.0, 14.0, 8.0]
    assert symmetric_sums([1.0] * 6, 3)[3] == comb(6, 3)


@pytest.mark.parametrize(
    "policy",
    [
        Policy.balanced(),
        Policy.sealed(),
        Policy.frontier(walk_loss=2),
        Policy.balanced(copies=2),
        Policy.balanced(copies=2, edge_uses=1),
        Policy.two_sided(epsilon=2, spanning=True),
        Policy.labelled(dict.fromkeys("abcde", "x"), {("x", "x"): "1/3"}),
    ],
    ids=lambda policy: str(policy.kind.name),
)
def test_no_posterior_odds_beat_the_certificate(policy: Policy) -> None:
    for seed in range(3):
        release = publish(NETWORK, WALK, policy=policy, source=Seeded(seed))
        for gone in NETWORK.edges:
            found = attack(release, Knowledge(NETWORK.without(gone)))
            assert found.within_certificate is True
            assert found.certified is not None
            assert found.odds <= found.certified * (1 + 1e-9)


def test_the_balanced_bound_is_reached() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    found = attack(release, Knowledge(NETWORK.without(("c", "d"))))
    assert log(found.odds) == pytest.approx(log(2))


def test_joint_coins_refuse_a_second_use() -> None:
    """With edge_uses=1 no world goes out and back over the same missing edge."""
    network = Network.parse("ab bc ca cd")
    policy = Policy.balanced(copies=2, edge_uses=1)
    release = publish(network, Walk("abca"), policy=policy, source=Seeded(4))
    found = attack(release, Knowledge(network.without(("b", "c"))))
    assert found.posterior_of(("c", "b")) > 0
    for row in found.candidates:
        assert len(row.visits) in {0, 4}


def test_joint_coins_allow_as_many_uses_as_the_policy() -> None:
    network = Network.parse("ab bc ca cd")
    policy = Policy.balanced(copies=2, edge_uses=2)
    release = publish(network, Walk("abcb"), policy=policy, source=Seeded(4))
    found = attack(release, Knowledge(network.without(("b", "c"))))
    assert found.posterior_of(("b", "c")) > 0
    assert found.within_certificate is True


def test_a_walk_of_one_missing_edge_has_no_fragment() -> None:
    network = Network.parse("ab bc cd")
    release = publish(network, Walk("bc"), policy=Policy.balanced(), source=Seeded(1))
    found = attack(release, Knowledge(network.without(("b", "c"))))
    shown = [c for c in found.candidates if c.posterior > 0]
    assert found.posterior_of(("b", "c")) == pytest.approx(1 / len(shown))
    assert all(c.others == 0 and len(c.visits) == 2 for c in shown)
    assert found.control == pytest.approx(1 / 4)


def test_an_empty_certificate_says_nothing() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    bare = replace(release, certificate=Certificate())
    found = attack(bare, Knowledge(NETWORK.without(("c", "d"))))
    assert found.certified is None
    assert found.within_certificate is None


def test_a_universe_leaves_fewer_candidates() -> None:
    universe = {*NETWORK.edges, ("a", "d")}
    release = publish(NETWORK, WALK, universe=universe, source=Seeded(1))
    found = attack(release, Knowledge(NETWORK.without(("c", "d"))), universe=universe)
    assert {c.edges for c in found.candidates} <= {(("c", "d"),), (("a", "d"),)}
    assert found.posterior_of(("c", "d")) >= 0.5


def test_rows_are_for_tables() -> None:
    release = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))
    found = attack(release, Knowledge(NETWORK.without(("c", "d"))))
    assert [label for label, _, _ in found.rows()] == ["a - d", "a - e", "c - d"]
    assert found.success == pytest.approx(1 / 3)
    assert found.control == pytest.approx(1 / 3)
    both = attack(release, Knowledge(NETWORK.without(("c", "d"), ("b", "d")), 2))
    assert "c - d and 1 off the walk" in [label for label, _, _ in both.rows()]


def test_a_foreign_network_does_not_fit() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    with pytest.raises(DoesNotFit, match="vertices"):
        attack(release, Knowledge(Network.parse("ab bc")))
    with pytest.raises(DoesNotFit, match="missing edge"):
        attack(release, Knowledge(NETWORK.without(("b", "c"), ("d", "e"))), spanning=True)


def test_sampling_agrees_with_enumeration() -> None:
    random = np.random.default_rng(5)
    names = "abcdefghijkl"
    walk = Walk(names)
    rest = [p for p in combinations(names, 2) if p not in walk.edges]
    extra = [rest[int(i)] for i in random.permutation(len(rest))[:8]]
    network = Network.from_edges([*walk.edges, *extra])
    gone = [("b", "c"), ("e", "f"), ("h", "i")]
    release = publish(network, walk, policy=Policy.frontier(walk_loss="0.3"), source=Seeded(2))
    knowledge = Knowledge(network.without(*gone), 3)
    exact = attack(release, knowledge, spanning=True)
    rough = attack(release, knowledge, spanning=True, limit=5, samples=6000, source=Seeded(1))
    assert exact.method == "exact"
    assert rough.method == "sampled"
    assert 0 < rough.error < 0.2
    truth = {belief.edge: belief for belief in exact.beliefs}
    for belief in rough.beliefs:
        assert abs(belief.posterior - truth[belief.edge].posterior) < 2 * rough.error
        assert abs(belief.prior - truth[belief.edge].prior) < 2 * rough.error
    assert rough.within_certificate is None


def test_sampling_without_a_fragment() -> None:
    network = Network.parse("ab bc cd")
    release = publish(network, Walk("bc"), policy=Policy.balanced(), source=Seeded(1))
    knowledge = Knowledge(network.without(("b", "c")))
    exact = attack(release, knowledge)
    rough = attack(release, knowledge, limit=1, samples=2000, source=Seeded(1))
    for belief in rough.beliefs:
        wanted = exact.posterior_of(belief.edge)
        assert abs(belief.posterior - wanted) <= 2 * rough.error


def test_sampling_needs_single_copies() -> None:
    release = publish(NETWORK, WALK, policy=Policy.balanced(copies=2), source=Seeded(2))
    with pytest.raises(ValueError, match="one copy"):
        attack(release, Knowledge(NETWORK.without(("c", "d"))), limit=3)
