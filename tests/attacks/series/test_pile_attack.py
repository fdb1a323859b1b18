"""Attacks on piles of files, as `pathveil attack` runs them; the insider over all releases."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from pathveil import Grouping, Network, Policy, Publication, Seeded, Walk, publish
from pathveil.attacks.series.insider import joining_insider
from pathveil.attacks.series.observed_pairs import trace_path
from pathveil.attacks.series.outsider import Effort
from pathveil.attacks.series.pile_attack import attack_as_insider, attack_as_outsider, read_releases
from pathveil.chance.urn import Urn
from pathveil.errors import BrokenSeries, DoesNotFit
from pathveil.lab.maps import random_map, random_route
from pathveil.publishing.release import publish_series

PATH = Network.parse("ab bc cd de ef fg gh hi ij")
GROUPS = Grouping.of([["a", "f"], ["b", "i"], ["c", "g"], ["d", "j"], ["e", "h"]])


def routes(network: Network, count: int, random: np.random.Generator) -> list[Walk]:
    return [random_route(network, 5, random)[1] for _ in range(count)]


def example(releases: int = 6) -> tuple[Network, list[Walk], list[Publication]]:
    random = np.random.default_rng(5)
    network, _ = random_map(10, 15, random)
    walks = routes(network, releases, random)
    policy = Policy.remembering(usage="0.25")
    return network, walks, list(publish_series(network, walks, policy=policy, source=Seeded(5)))


def test_candidates_are_shown_by_name() -> None:
    """A place in an array is no vertex, even where vertices are numbers."""
    network = Network.from_links([(10, 20), (20, 30), (30, 40)])
    release = publish(network, Walk([10, 20, 30, 40]), policy=Policy.sealed())
    found = attack_as_insider([release], network.without((20, 30)))
    assert ("20", "30") in found.links
    assert "{} - {} 25.0%".format(*found.links[0]) in str(found)
    assert "1 more" in str(found)


def test_the_insider_keeps_exactly_what_fits_every_release() -> None:
    """Against the plain definition: add the pair, and every release must be one path."""
    network, walks, releases = example()
    seen, law, _ = read_releases(releases)
    for missing in network.links:
        known = network.without(missing)
        found = joining_insider(seen, law, known.pairs)
        held = {(int(i), int(j)) for i, j in known.pairs}
        expected = set()
        for pair in combinations(range(10), 2):
            if pair in held:
                continue
            fits = all(
                trace_path([p for p in [*held, pair] if not release.packed.pairs.same_branch(*p)])
                for release in releases
            )
            if fits:
                expected.add(pair)
        assert set(found.pairs) == expected
        truth = (network.index(missing[0]), network.index(missing[1]))
        assert truth in found.pairs
        assert sum(found.posterior) == pytest.approx(1)
        assert len(found.pairs) <= found.control
        uses = sum(missing in [tuple(sorted(s)) for s in pairwise(walk.vertices)] for walk in walks)
        assert seen.shown[seen.index[min(truth), max(truth)]] == uses


def test_the_insider_weighs_candidates_by_their_patterns() -> None:
    network, _, releases = example(2)
    seen, _, _ = read_releases(releases)
    known = network.without(network.links[0])
    rare = joining_insider(seen, Urn(Fraction(1, 10), Fraction(10)), known.pairs)
    plain = joining_insider(seen, Fraction(1, 2), known.pairs)
    assert set(rare.pairs) == set(plain.pairs)
    assert rare.posterior != plain.posterior


def test_the_insider_finds_nothing_in_a_placebo() -> None:
    """With releases of another network no pair explains what the known links show."""
    network, _, releases = example()
    seen, law, _ = read_releases(releases)
    other, _ = random_map(10, 15, np.random.default_rng(99))
    found = joining_insider(seen, law, other.without(other.links[0]).pairs)
    assert found.pairs == ()
    assert network.links != other.links


@pytest.mark.regression("what outsiders read was shown as places in an array, like labels")
def test_an_outsider_reads_a_pile_of_fresh_coins() -> None:
    random = np.random.default_rng(5)
    network, _ = random_map(8, 10, random)
    walks = [random_route(network, 4, random)[1] for _ in range(20)]
    pile = [publish(network, walk, source=Seeded(i)) for i, walk in enumerate(walks)]
    found = attack_as_outsider(pile, 10, effort=Effort(20_000, 2))
    assert set(found.structure.links) == set(network.links)
    both = zip(found.structure.walks, walks, strict=True)
    assert sum(w in (v.vertices, v.vertices[::-1]) for w, v in both) == 20
    for shown in (repr(found), repr(found.structure)):
        assert "20 of 20 files" in shown
        assert len(shown) < 200
    assert found.files == tuple(pile)


def test_what_does_not_belong_together_is_refused() -> None:
    """One set of terms, no universe, no grouping, no drawn copies; each by the same error."""
    network, walks, releases = example()
    with pytest.raises(BrokenSeries):
        read_releases(releases[1:])
    walk, plain = walks[0], publish(network, walks[0], source=Seeded(1))
    small = publish(Network.parse("ab"), Walk("ab"))
    over = publish(PATH, Walk("abcd"), grouping=GROUPS)
    refused = [
        [],
        [plain, publish(network, walk, policy=Policy.sealed())],
        [plain, publish(network, walk, policy=Policy.balanced(copies=2))],
        [publish(network, walk, universe=network.links)] * 2,
        [publish(network, walk, policy=Policy.paper(vertex=1, link=1), source=Seeded(2))],
        [over, over],
        [plain, small],
    ]
    for files in refused:
        with pytest.raises(DoesNotFit):
            read_releases(files)
    with pytest.raises(DoesNotFit):
        attack_as_insider([plain], PATH)


def test_sketches_are_looked_at_by_the_names_of_the_network() -> None:
    network = Network.parse("ab bc cd bd")
    files = [publish(network, Walk(w), form="sketch", capacity=9) for w in ("abc", "abd")]
    with pytest.raises(DoesNotFit):
        read_releases(files)
    found = attack_as_insider(files, network.without(("a", "b")))
    assert (0, 1) in found.pairs


def test_chaff_with_copies_is_shown_where_any_copy_pair_is() -> None:
    """A pair is sighted if one of its four copy pairs is: 15 times of 16, not every second time."""
    network, policy = Network.parse("ab bc cd bd"), Policy.balanced(copies=2)
    files = [publish(network, Walk("abc"), policy=policy, source=Seeded(k)) for k in range(3)]
    assert read_releases(files)[1] == Fraction(15, 16)
