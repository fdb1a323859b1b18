"""Cover: what links lost against what hides them. Numbers by hand, laws by enumeration."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from math import comb, exp, inf, log
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from pathveil.files.networks.network_reader import read_network
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.cover import (
    Classes,
    Coins,
    CountedRelease,
    Cover,
    Law,
    Life,
    Urns,
    changing_urn_loss,
    cover,
    descriptions,
    is_open,
)
from pathveil.planning.path_counts import PathCounts

DATA = Path(__file__).parent.parent / "data"
FAIR = Coins(log(2), log(2))
KT = Urns(0.5, 0.5)


def life_of(network: Network, walks: list[str], law: Law) -> Life:
    return Life(tuple(CountedRelease(network, (Walk(walk.split("-")),), law) for walk in walks))


ABILENE = Network.parse("ab ad bc bd cf de ef eh fi gh gk hi ij jk")
WALKS = ["a-d-e-h-g", "b-c-f-i-j", "k-g-h-e-d", "a-b-d-e-f"]


@pytest.mark.parametrize("law", [FAIR, KT, Urns(4, 6), Coins(0.1, 2.0), Coins(inf, inf)])
def test_whether_it_is_open_is_the_same_found_briefly(law: Law) -> None:
    lives = [life_of(ABILENE, WALKS[:count], law) for count in range(5)]
    two = Life((*lives[2].releases, *life_of(ABILENE, WALKS[2:], Coins(0.05, 3.0)).releases))
    for life in [*lives, two]:
        assert is_open(life) != cover(life).closed


class TestAbilene:
    """The numbers at the end of section 8 of the theory."""

    @pytest.mark.parametrize(
        ("walks", "lengths"),
        [
            (2, {"prior": 20.776, "set": 22.306, "pairs": 25.924, "degrees": 22.562}),
            (3, {"prior": 26.767, "set": 25.869, "pairs": 30.365, "degrees": 24.642}),
            (4, {"prior": 38.024, "set": 40.276, "pairs": 37.196, "degrees": 43.306}),
        ],
    )
    def test_descriptions(self, walks: int, lengths: dict[str, float]) -> None:
        found = descriptions(life_of(ABILENE, WALKS[:walks], FAIR))
        assert {name: round(found[name], 3) for name in lengths} == lengths

    @pytest.mark.parametrize(
        ("law", "losses"),
        [
            (FAIR, (11.090, 18.715, 33.271)),
            (Urns(4, 6), (12.179, 19.562, 32.127)),
            (KT, (16.636, 24.953, 39.933)),
        ],
    )
    def test_losses(self, law: Law, losses: tuple[float, ...]) -> None:
        found = [round(cover(life_of(ABILENE, WALKS[:k], law)).loss, 3) for k in (2, 3, 4)]
        assert tuple(found) == losses

    def test_share_left_and_rule_follow_from_loss_and_description(self) -> None:
        found = cover(life_of(ABILENE, WALKS[:2], FAIR))
        assert found.share == pytest.approx(11.090 / 19.954, abs=1e-4)
        assert found.left == pytest.approx(19.954 - 11.090, abs=1e-3)
        assert found.closed  # one of the two walks would keep less than four nats
        assert not cover(life_of(ABILENE, WALKS[:1], FAIR)).closed  # a first release never is


class TestRule:
    def test_spare_cover_is_four_nats_or_a_tenth(self) -> None:
        assert not Cover(2, 2, 16.0, 20.0, "prior", 0.0).closed
        assert Cover(2, 2, 16.1, 20.0, "prior", 0.0).closed
        assert not Cover(2, 2, 180.0, 200.0, "prior", 0.0).closed
        assert Cover(2, 2, 180.1, 200.0, "prior", 0.0).closed

    def test_a_part_that_stands_out_closes_it(self) -> None:
        part = Cover(2, 2, 1.0, 200.0, "prior", 0.1, (("a", "b"),))
        assert part.closed
        assert part.sentence.startswith("1 link of these 2 walks has no cover of its own left")
        assert "%" not in part.sentence

    def test_a_corner_of_geant_stands_out_while_the_average_is_harmless(self) -> None:
        network = read_network(DATA / "Geant2012.graphml")
        near = _nearest(network, network.vertices[0], 10)
        inside = _part(network, near)
        paths = PathCounts(len(inside), inside.pairs).sample(3)
        chosen = paths[np.random.default_rng(5).integers(0, len(paths), 18)]
        walks = [Walk([inside.vertices[k] for k in row]) for row in chosen.tolist()]
        usage = 0.07
        law = Urns(4, 4 * (1 - usage) / usage)
        found = cover(Life(tuple(CountedRelease(network, (walk,), law) for walk in walks)))
        assert sum(len(walk.links) for walk in walks) / len(network.links) < 1
        assert found.closed
        assert len(found.part) <= len(inside.links)


class TestHubs:
    @pytest.mark.parametrize(
        ("links", "walks"),
        [
            ([(0, k) for k in range(1, 30)], [(1, 0, 2), (3, 0, 4)]),
            ([(h, k) for h in range(3) for k in range(3, 30)], [(3, 0, 4, 1, 5), (6, 1, 7, 2, 8)]),
            ([(u, v) for u in range(10) for v in range(10, 20)], [(0, 10, 1, 11), (5, 15, 6, 16)]),
        ],
    )
    def test_a_star_hubs_and_two_sides_hide_one_walk_at_most(
        self, links: list[tuple[int, int]], walks: list[tuple[int, ...]]
    ) -> None:
        """Unused links of a star were not counted: four walks went out and all were read."""
        network = Network.from_links(links)
        releases = [CountedRelease(network, (Walk(map(str, one)),), FAIR) for one in walks]
        first, both = (cover(Life(tuple(releases[:count]))) for count in (1, 2))
        assert first.by == both.by == "shape"
        assert first.share > 0.9
        assert both.closed

    @pytest.mark.parametrize(
        "graph",
        [
            nx.connected_caveman_graph(6, 10),
            nx.complete_multipartite_graph(10, 10, 10),
            nx.Graph([*nx.complete_bipartite_graph(10, 10).edges, (0, 1)]),
        ],
    )
    def test_cliques_and_sides_hide_few_walks(self, graph: Any) -> None:
        """Of five walks that went out over cliques, all were read from the unused links."""
        network = Network.from_networkx(graph)
        paths = PathCounts(len(network), network.pairs).sample(5)[::97][:3]
        walks = [Walk([network.vertices[k] for k in row]) for row in paths.tolist()]
        answer = cover(Life(tuple(CountedRelease(network, (one,), FAIR) for one in walks)))
        assert answer.by == "shape"
        assert answer.closed

    def test_the_links_used_at_a_hub_are_a_part_of_their_own(self) -> None:
        """Walks elsewhere do not pay for those through a hub with many unused links."""
        ring = [(1000 + k, 1000 + (k + 1) % 60) for k in range(60)]
        network = Network.from_links([*((0, k) for k in range(1, 121)), (1, 1000), *ring])
        through = [Walk(map(str, (2 * k + 1, 0, 2 * k + 2))) for k in range(6)]
        elsewhere = [Walk(map(str, range(1000 + 9 * k, 1009 + 9 * k))) for k in range(2)]
        walks = [*through, *elsewhere]
        answer = cover(Life(tuple(CountedRelease(network, (one,), FAIR) for one in walks)))
        assert answer.left > answer.spare
        assert answer.excess > 0
        assert {link for one in through for link in one.links}.issuperset(answer.part)


class TestWalks:
    """Each walk keeps what someone needs who has learnt from unused links what links are like."""

    def life(self, graph: Any, law: Law, count: int) -> Life:
        network = Network.from_networkx(graph)
        paths = PathCounts(len(network), network.pairs).sample(5)
        rows = paths[np.random.default_rng(4).integers(0, len(paths), count)].tolist()
        walks = [Walk([network.vertices[k] for k in row]) for row in rows]
        return Life(tuple(CountedRelease(network, (walk,), law) for walk in walks))

    @pytest.mark.regression("one guess for each file named 11 of 32 walks over small worlds")
    def test_all_together_may_hide_while_one_walk_does_not(self) -> None:
        life = self.life(nx.connected_watts_strogatz_graph(60, 6, 0.1, seed=0), FAIR, 5)
        answer = cover(life)
        assert answer.closed
        assert answer.left > answer.spare
        walks = [set(walk.links) for release in life.releases for walk in release.walks]
        assert set(answer.part) in walks

    def test_unused_links_that_lost_little_tell_little(self) -> None:
        """At a low usage nobody knows them yet; with fair coins the same walks stand out."""
        streets = nx.convert_node_labels_to_integers(nx.grid_2d_graph(8, 8))
        assert not cover(self.life(streets, Urns(4, 76), 8)).closed
        assert cover(self.life(streets, FAIR, 8)).closed


class TestLaws:
    def test_sealed_costs_nothing_once_and_everything_when_a_used_link_is_shown_off(self) -> None:
        sealed = Coins(inf, 0.0)
        assert cover(life_of(ABILENE, WALKS[:1], sealed)).loss == 0
        again = cover(life_of(ABILENE, [WALKS[0]] * 2, sealed))
        assert again.loss == 0
        other = cover(life_of(ABILENE, WALKS[:2], sealed))
        assert other.loss == inf
        assert other.closed
        assert len(other.part) == 8

    def test_stretches_of_coins_add_up(self) -> None:
        first = life_of(ABILENE, WALKS[:1], FAIR)
        both = first.and_then(*life_of(ABILENE, WALKS[1:2], Coins(0.1, log(2))).releases)
        # Four links on the first walk only, four on the second only.
        assert cover(both).loss == pytest.approx(12 * log(2) + 4 * 0.1)

    def test_a_seed_is_paid_once_a_file(self) -> None:
        plain = cover(life_of(ABILENE, WALKS[:3], FAIR)).loss
        seeded = cover(life_of(ABILENE, WALKS[:3], Coins(log(2), log(2), once=0.25))).loss
        assert seeded == pytest.approx(plain + 0.75)

    def test_copies_cost_their_state_and_lengthen_the_description(self) -> None:
        copied = life_of(ABILENE, WALKS[:1], Coins(log(5), log(5), copies=2))
        plain = life_of(ABILENE, WALKS[:1], FAIR)
        assert cover(copied).loss == pytest.approx(4 * log(5))
        for name, length in descriptions(copied).items():
            assert length == pytest.approx(descriptions(plain)[name] + 5 * log(2))

    @pytest.mark.regression("a walk that needs more copies than there are ended in a fault")
    def test_a_walk_that_needs_more_copies_is_counted_like_others(self) -> None:
        life = life_of(ABILENE, ["a-b-a-b-a-b"], Coins(log(5), log(5), copies=2))
        assert cover(life).description > 0

    def test_a_universe_shortens_the_description(self) -> None:
        life = life_of(ABILENE, WALKS[:2], FAIR)
        among = Life(life.releases, pairs=30)
        assert cover(among).description < cover(life).description

    def test_a_link_that_came_late_pays_by_its_history(self) -> None:
        # T7: on 20 times as chaff, then off 10 times as a link.
        assert (
            round(changing_urn_loss(KT, [False] * 20 + [True] * 10, [True] * 20 + [False] * 10), 2)
            == 18.95
        )
        # What chaff showed is unknown: the dearest history counts.
        unknown = changing_urn_loss(KT, [False] * 20 + [True] * 10, [None] * 20 + [False] * 10)
        assert round(unknown, 2) == 18.95
        # A link all along pays the formula.
        shown = [True, False, True, False]
        assert changing_urn_loss(KT, [True] * 4, shown) == pytest.approx(KT.loss(2, 4))

    def test_each_version_of_a_network_counts_with_its_own_links(self) -> None:
        before = Network.from_links(link for link in ABILENE.links if link != ("d", "e"))
        first = CountedRelease(before, (Walk(WALKS[1].split("-")),), FAIR)
        second = CountedRelease(ABILENE, (Walk(WALKS[0].split("-")),), FAIR)
        found = cover(Life((first, second)))
        # Seven links pay twice, the link d-e only in the release in which it was one.
        assert found.loss == pytest.approx(15 * log(2))

    def test_a_closed_tour_is_one_of_the_cycles(self) -> None:
        ring = Network.parse("ab bc cd ad de ef")
        life = life_of(ring, ["a-b-c-d-a"], FAIR)
        assert descriptions(life)["prior"] == pytest.approx(
            sum(log((15 - k) / (6 - k)) for k in range(4))
        )

    def test_over_a_grouping_cover_does_not_shrink_with_walks(self) -> None:
        names = [f"{k:02}" for k in range(24)]
        ring = Network.from_links(pairwise([*names, names[0]]))
        grouping = Grouping.of([names[k::8] for k in range(8)])
        walks = ["-".join(names[:8])] * 3
        law = Classes.of(grouping, [Walk(names[:8])], 0.5)
        found = [cover(life_of(ring, walks[:k], law)) for k in (2, 3)]
        assert found[0].description == pytest.approx(7 * log(9))
        assert found[0].loss == found[1].loss == pytest.approx(3.5)
        assert found[0].description == found[1].description
        mixed = life_of(ring, walks[:1], FAIR).and_then(*life_of(ring, walks[1:], law).releases)
        assert cover(mixed).closed


class TestPathCounts:
    @pytest.mark.parametrize("length", range(1, 11))
    def test_counts_are_those_of_enumeration(self, length: int) -> None:
        places = {frozenset(pair) for pair in ABILENE.pairs.tolist()}
        count = 0
        stack: list[tuple[int, ...]] = [(k,) for k in range(11)]
        while stack:
            path = stack.pop()
            if len(path) == length + 1:
                count += 1
                continue
            stack += [(*path, k) for k in range(11) if k not in path and {path[-1], k} in places]
        assert round(exp(PathCounts(11, ABILENE.pairs).log_paths(length))) == count // 2

    def test_beyond_the_limit_the_sample_is_close(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from pathveil.planning import path_counts

        network = read_network(DATA / "Geant2012.graphml")
        exact = PathCounts(len(network), network.pairs).log_paths(8)
        monkeypatch.setattr(path_counts, "EXACT", 2000)
        monkeypatch.setattr(path_counts, "SAMPLED", 1000)
        assert PathCounts(len(network), network.pairs).log_paths(8) == pytest.approx(exact, abs=0.3)


# -- the theorems, on every world of five vertices ------------------------------------------------

PAIRS = list(combinations(range(5), 2))


def worlds(links: int, length: int) -> list[tuple[int, int]]:
    """Return every network with this many links and walk of this length, as two sets of pairs."""
    place = {frozenset(pair): 1 << k for k, pair in enumerate(PAIRS)}
    walks = {
        sum(place[frozenset(step)] for step in pairwise(order))
        for order in permutations(range(5), length + 1)
    }
    networks = [sum(1 << k for k in chosen) for chosen in combinations(range(10), links)]
    return [(network, walk) for network in networks for walk in walks if walk & ~network == 0]


class TestTheorems:
    """T11 on exact posteriors: every network of five vertices with six links, walks of three."""

    @pytest.fixture(scope="class")
    @classmethod
    def world(cls) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        found = worlds(6, 3)
        networks, walks = np.array(found).T
        sizes = {network: int((networks == network).sum()) for network in set(networks.tolist())}
        prior = np.array([1 / (len(sizes) * sizes[network]) for network in networks.tolist()])
        return networks, walks, prior

    @pytest.mark.parametrize("rate", [0.5, 0.3, 0.1])
    def test_posterior_odds_against_the_truth_are_the_sum_over_worlds_that_agree(
        self, world: tuple[np.ndarray, np.ndarray, np.ndarray], rate: float
    ) -> None:
        networks, walks, prior = world
        on, off = -log(rate), -log(1 - rate)
        for truth in (0, len(networks) // 2, len(networks) - 1):
            network, walk = int(networks[truth]), int(walks[truth])
            free = [k for k in range(10) if not network >> k & 1]
            mean = 0.0
            for shown in range(1 << len(free)):
                file = walk | sum(1 << k for i, k in enumerate(free) if shown >> i & 1)
                chance = _chance(file, network, rate)
                agree = (file & networks) == walks
                others = np.array([_chance(file, int(other), rate) for other in networks[agree]])
                odds = (prior[agree] * others).sum() / (prior[truth] * chance) - 1
                mean += chance * odds
            shared = networks & network
            agree = ((walk ^ walks) & shared) == 0
            lone_on = [int(walk & ~other).bit_count() for other in networks]
            lone = [int(network & ~other).bit_count() for other in networks]
            lost = np.array(lone_on) * on + (np.array(lone) - np.array(lone_on)) * off
            sums = (prior / prior[truth] * np.exp(-lost))[agree].sum() - 1
            assert mean == pytest.approx(sums)

    @pytest.mark.parametrize("rate", [0.5, 0.3, 0.1])
    def test_files_multiply_luck_by_at_most_e_to_the_loss(
        self, world: tuple[np.ndarray, np.ndarray, np.ndarray], rate: float
    ) -> None:
        networks, walks, prior = world
        right = 0.0
        for file in range(1 << 10):
            agree = (file & networks) == walks
            if agree.any():
                chances = np.array([_chance(file, int(other), rate) for other in networks[agree]])
                right += float((prior[agree] * chances).max())
        loss = -3 * log(rate) - 3 * log(1 - rate)
        headroom = -np.log(prior) - loss
        for eta in (0.0, 0.5, 1.0, 2.0, 4.0):
            assert right <= float(prior[headroom < eta].sum()) + exp(-eta) + 1e-12
        assert right > float(np.exp(-headroom).min()) / 50  # and it is no empty bound

    def test_an_outsider_who_knows_better_than_the_descriptions_beats_them(self) -> None:
        """The network is one path, and the walk goes all along it: he knows that, D does not."""
        paths = np.array([network for network, walk in worlds(4, 4) if network == walk])
        shown = [any(network & ~file == 0 for network in paths) for file in range(1 << 10)]
        right = sum(shown) / 2**6 / len(paths)  # each file comes from a path with chance 2^-6
        hidden = cover(life_of(Network.parse("ab bc cd de"), ["a-b-c-d-e"], FAIR))
        assert 2 < right / exp(hidden.loss - hidden.description) < 2.2

    def test_without_the_number_of_parts_chaff_stands_out_too_often(self) -> None:
        # One pair of the part, shown on the walk; its prior chance is l/P. The naive code sums to
        # l over all pairs, not to one.
        rate, length, pairs = 0.02, 3, 10
        chance = 1 - (1 - rate) ** pairs  # that some pair of pure chaff is shown
        naive = -log(rate) - log(pairs / length)  # LOSS - D
        assert chance > exp(-naive)
        assert chance <= exp(-(naive - log(comb(length, 1))))


def _chance(file: int, network: int, rate: float) -> float:
    """Return the chance of what a file shows of the pairs that are no links."""
    shown = (file & ~network).bit_count()
    return rate**shown * (1 - rate) ** (10 - (network).bit_count() - shown)


def _nearest(network: Network, start: str, count: int) -> set[str]:
    near = [start]
    for name in near:
        near += [other for other in network.neighbours(name) if other not in near]
        if len(near) >= count:
            break
    return set(near[:count])


def _part(network: Network, names: set[str]) -> Network:
    return Network.from_links(link for link in network.links if names.issuperset(link))
