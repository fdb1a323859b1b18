"""The gate: asked before any coin is drawn, and its answer depends on none."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import inf, log
from pathlib import Path

import numpy as np
import pytest

import pathveil as pv
from pathveil.batching.batch_run import ask_gate_about, batch
from pathveil.chance.source import Seeded
from pathveil.errors import GateClosed
from pathveil.files.networks.network_reader import read_network
from pathveil.lab.maps import random_map
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.universe import Universe
from pathveil.model.walk import Walk
from pathveil.planning.cover import Classes, Coins, Life, Urns, cover
from pathveil.planning.gate import (
    ONLY,
    counted_release,
    expected_walks,
    fitting_walks,
    law_of,
    more_walks,
    remedies,
    require_open,
    way_of,
)
from pathveil.planning.path_counts import PathCounts
from pathveil.policies import Policy
from pathveil.publishing.terms import ReleaseTerms

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def geant() -> Network:
    return read_network(DATA / "Geant2012.graphml")


@pytest.fixture(scope="module")
def abilene() -> Network:
    return read_network(DATA / "Abilene.graphml")


def paths(network: Network, length: int, count: int, seed: int = 0) -> list[Walk]:
    """Return uniform simple paths of a network."""
    sample = PathCounts(len(network), network.pairs).sample(length)
    chosen = np.random.default_rng(seed).integers(0, len(sample), count)
    return [Walk([network.vertices[k] for k in row]) for row in sample[chosen].tolist()]


class TestLaws:
    def test_policies_cost_what_their_certificates_say(self) -> None:
        for policy, law in (
            (Policy.balanced(), Coins(log(2), log(2))),
            (Policy.frontier(walk_loss=2), Coins(-log(1 - np.exp(-2)), 2.0)),
            (Policy.sealed(), Coins(inf, 0.0)),
            (Policy.balanced(copies=2, link_uses=1), Coins(log(5), log(5), copies=2)),
            (Policy.balanced(copies=2), Coins(4 * log(2), 4 * log(2), 0.0, copies=2)),
        ):
            found = law_of(policy)
            assert isinstance(found, Coins)
            for name in ("off", "on", "more", "copies"):
                assert getattr(found, name) == pytest.approx(getattr(law, name)), policy

    def test_two_sided_costs_at_most_the_presence_loss(self) -> None:
        law = law_of(Policy.two_sided(epsilon=3))
        assert isinstance(law, Coins)
        assert law.on == pytest.approx(log(2 - np.exp(-3)))
        assert law.off == pytest.approx(law.on)
        assert law.at_most

    def test_the_paper_has_no_finite_loss(self, geant: Network) -> None:
        assert law_of(Policy.paper(vertex=1, link=1)) == ONLY
        drawn = counted_release(geant, paths(geant, 4, 1), Policy.balanced(), carried=True)
        assert drawn.law == ONLY

    def test_ways(self) -> None:
        series = Policy.remembering(usage="0.1")
        assert way_of(law_of(Policy.balanced())) == way_of(law_of(Policy.frontier(walk_loss=1)))
        assert way_of(law_of(series)) == way_of(law_of(Policy.remembering(usage="0.1")))
        assert way_of(law_of(series)) != way_of(law_of(Policy.remembering(usage="0.2")))


class TestRoundTheGate:
    """Ways that led round the searching gate, each on a real network."""

    def test_plain_files_and_then_a_grouping(self, geant: Network, tmp_path: Path) -> None:
        grouping = Grouping.of([geant.vertices[k::20] for k in range(20)])
        walks = paths(geant, 4, 2)
        plain = pv.publish(geant, walks[0], source=Seeded(1))
        with pytest.raises(GateClosed, match="one way"):
            ask_gate_about(geant, ReleaseTerms(grouping=grouping), [plain], walks[1:])

    def test_without_a_ledger_a_changed_network_is_refused(self, geant: Network) -> None:
        walk = paths(geant, 4, 1)[0]
        before = pv.publish(geant, walk, source=Seeded(2))
        u, v = walk.steps[1]
        later = geant.without((u, v))
        terms = ReleaseTerms(Policy.balanced())
        with pytest.raises(GateClosed, match="only a ledger"):
            ask_gate_about(later, terms, [before], paths(later, 4, 1))

    @pytest.mark.regression("files over two universes were counted by the newest one")
    def test_two_universes_together_are_refused(self, geant: Network) -> None:
        """Every link is in both: what they have in common was all links, and both walks read."""
        absent = [p for p in combinations(geant.vertices, 2) if p not in set(geant.links)]
        one, other = (Universe.of([*geant.links, *absent[k::3]]) for k in range(2))
        walks = paths(geant, 5, 2)
        first = pv.publish(geant, walks[0], universe=one, source=Seeded(1))
        for universe in (other, None):
            with pytest.raises(GateClosed, match="another universe"):
                ask_gate_about(geant, ReleaseTerms.of(universe=universe), [first], walks[1:])
        ask_gate_about(geant, ReleaseTerms.of(universe=one), [first], walks[1:])

    @pytest.mark.regression("unused links of a dense network were counted as cover")
    def test_in_a_dense_network_little_is_left_to_hide_among(self) -> None:
        """Four walks of six links were let out over 180 of 190 pairs, and three were read."""
        network, _ = random_map(20, 180, np.random.default_rng(3))
        releases = [counted_release(network, [w], Policy.balanced()) for w in paths(network, 6, 4)]
        assert not cover(Life(tuple(releases[:1]))).closed
        answer = cover(Life(tuple(releases[:2])))
        assert answer.closed
        assert answer.by == "rest"

    def test_releases_that_lose_little_do_not_pay_for_others(self, abilene: Network) -> None:
        """Twelve walks under heavy noise bought cover for nine balanced ones; seven were read."""
        walks = paths(abilene, 4, 4)
        noisy, fair = Policy.two_sided(epsilon="1/1000"), Policy.balanced()
        life = Life(tuple(counted_release(abilene, [walk], noisy) for walk in walks * 3))
        alone = cover(Life(tuple(counted_release(abilene, [walk], fair) for walk in walks)))
        assert alone.closed
        with pytest.raises(GateClosed):
            require_open(life, [counted_release(abilene, [walk], fair) for walk in walks])

    def test_walks_under_little_noise_do_not_pass_beside_walks_under_much(self) -> None:
        """Files at two rates: what the rarer chaff leaves open is tested on the fair files."""
        network = random_map(150, 300, np.random.default_rng(7))[0]
        rare, fair = Policy.frontier(walk_loss=4), Policy.balanced()
        walks = paths(network, 4, 8, seed=1)
        few = [counted_release(network, [walk], rare) for walk in walks[:3]]
        many = [counted_release(network, [walk], fair) for walk in walks[3:]]
        for part in (few, many):
            assert not cover(Life(tuple(part))).closed
        together = cover(Life((*few, *many)))
        assert together.closed
        assert set(together.part) == {link for walk in walks[:3] for link in walk.links}

    def test_a_larger_version_does_not_pay_for_a_smaller_one(self, abilene: Network) -> None:
        """One walk over 150 more vertices bought cover for nine over the old; all were read."""
        chain = [f"x{k:03d}" for k in range(150)]
        ends = pairwise([abilene.vertices[0], *chain])
        large = Network.from_links([*abilene.links, *ends])
        fair, walks = Policy.balanced(), paths(abilene, 4, 4)
        life = Life((counted_release(large, [Walk(chain[:5])], fair),))
        with pytest.raises(GateClosed):
            require_open(life, [counted_release(abilene, [walk], fair) for walk in walks])

    def test_vertices_that_come_and_go_do_not_pay_for_the_rest(self, abilene: Network) -> None:
        """New vertices with every release gave seven walks where four fit."""
        fair, releases = Policy.balanced(), []
        for day, walk in enumerate(paths(abilene, 4, 4)):
            passing = [f"d{day}x{k}" for k in range(7)]
            ends = pairwise([abilene.vertices[0], *passing])
            network = Network.from_links([*abilene.links, *ends])
            releases.append(counted_release(network, [walk], fair))
        with pytest.raises(GateClosed):
            require_open(Life(()), releases)

    def test_another_name_or_another_try_changes_nothing(
        self, geant: Network, tmp_path: Path
    ) -> None:
        walks, said = paths(geant, 6, 30), set()
        for name in ("a", "b", "a"):
            with pytest.raises(GateClosed) as refused:
                batch(geant, walks, tmp_path / name, ReleaseTerms())
            said.add(str(refused.value))
        assert len(said) == 1
        assert list(tmp_path.iterdir()) == []


class TestAnswers:
    def test_a_first_release_is_never_closed(self, geant: Network) -> None:
        for policy in (Policy.balanced(), Policy.sealed(), Policy.paper(vertex=1, link=1)):
            release = counted_release(geant, paths(geant, 4, 1), policy)
            assert not require_open(Life(()), [release]).closed

    def test_two_walks_by_the_paper_or_sealed_are_closed(self, geant: Network) -> None:
        for policy in (Policy.sealed(), Policy.paper(vertex=1, link=1)):
            new = [counted_release(geant, [walk], policy) for walk in paths(geant, 4, 2)]
            with pytest.raises(GateClosed):
                require_open(Life(()), new)

    def test_what_fits_instead_fits(self, geant: Network) -> None:
        policy = Policy.remembering(usage="0.15")
        new = [counted_release(geant, [walk], policy) for walk in paths(geant, 6, 30)]
        with pytest.raises(GateClosed):
            require_open(Life(()), new)
        first = remedies(Life(()), new)[0].split()
        many = int(first[2])
        assert not require_open(Life(()), new[:many]).closed
        with pytest.raises(GateClosed):
            require_open(Life(()), new[: many + 1])

    @pytest.mark.regression("six walks passed at once where the first two were refused")
    def test_many_at_once_do_not_pass_where_the_first_ones_would_not(self, geant: Network) -> None:
        policy = Policy.remembering(usage="0.1")
        new = [counted_release(geant, [walk], policy) for walk in paths(geant, 4, 7, seed=9)]
        assert cover(Life(tuple(new[:3]))).closed
        assert not cover(Life(tuple(new))).closed
        with pytest.raises(GateClosed):
            require_open(Life(()), new)
        assert remedies(Life(()), new)[0] == "the first 2 walks"

    def test_more_walks_fit_fewer_the_more_are_out(self, geant: Network) -> None:
        policy = Policy.remembering(usage="0.15")
        new = [counted_release(geant, [walk], policy) for walk in paths(geant, 6, 8)]
        left = [more_walks(Life(tuple(new[:k])))[0] for k in (1, 4, 8)]
        assert left[0] > left[1] > left[2]
        assert fitting_walks(geant, paths(geant, 6, 1)[0], policy) in range(8, 15)

    def test_one_series_and_one_grouping(self, geant: Network) -> None:
        walks = paths(geant, 4, 2)
        one, two = (
            counted_release(geant, [walk], Policy.remembering(usage=usage))
            for walk, usage in zip(walks, ("0.1", "0.2"), strict=True)
        )
        with pytest.raises(GateClosed, match="one way"):
            require_open(Life((one,)), [two])
        assert isinstance(one.law, Urns)
        grouping = Grouping.of([geant.vertices[k::20] for k in range(20)])
        over = counted_release(geant, walks[:1], Policy.balanced(), over=(grouping, 0.5))
        assert isinstance(over.law, Classes)
        with pytest.raises(GateClosed, match="one way"):
            require_open(Life((one,)), [over])


@pytest.mark.regression("two names changed before each release: thirteen walks read instead of six")
@pytest.mark.gate
def test_a_renamed_vertex_is_not_a_new_one(abilene: Network) -> None:
    walk = Walk(abilene.links[0])
    before = Life((counted_release(abilene, [walk], Policy.balanced()),))
    for gone in abilene.vertices:
        name = {vertex: vertex for vertex in abilene.vertices} | {gone: "another"}
        other = Network.from_links((name[u], name[v]) for u, v in abilene.links)
        renamed = counted_release(other, [Walk(name[v] for v in walk)], Policy.balanced())
        with pytest.raises(GateClosed):
            require_open(before, [renamed])


@pytest.mark.regression("a walk through every vertex ended its publishing: no example was found")
def test_after_a_walk_of_which_no_example_is_found_there_is_no_second() -> None:
    random, size = np.random.default_rng(1), 300
    ring = [(i, (i + 1) % size) for i in range(size)]
    chords = [(i, int(j)) for i, j in enumerate(random.permutation(size)) if abs(i - j) > 1]
    network = Network.from_links([*ring, *chords], simplify=True)
    walk = Walk(range(size))
    assert not len(expected_walks(network, walk).sample)
    assert fitting_walks(network, walk, Policy.balanced()) == 1
    assert more_walks(Life((counted_release(network, [walk], Policy.balanced()),)))[0] == 0
