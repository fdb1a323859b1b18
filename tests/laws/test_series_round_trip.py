"""Laws of a series: read back exactly whatever happened before, listed in any order."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil import Network, Policy, Publication, Seeded, Walk, publish, reconstruct
from pathveil.errors import BrokenSeries, Incompatible
from pathveil.publishing.release import publish_series
from tests.strategies import networks, walks


@st.composite
def changing_series(draw: st.DrawFn) -> list[tuple[Network, Walk]]:
    """A network whose links come and go, and a walk over each of its states."""
    network = draw(networks(largest=6))
    found: list[tuple[Network, Walk]] = []
    changes = st.booleans()
    for _ in range(draw(st.integers(1, 5))):
        found.append((network, draw(walks(network, longest=6))))
        absent = [p for p in combinations(network.vertices, 2) if p not in set(network.links)]
        grows = draw(changes)
        if absent and grows:
            network = Network.from_links([*network.links, draw(st.sampled_from(absent))])
        tree = Network.from_links(found[0][0].links)  # keep the first state's links: connected
        if draw(changes):
            network = tree
    return found


@settings(max_examples=40, deadline=None)
@given(changing_series(), st.randoms(use_true_random=False))
def test_every_series_reads_back_exactly(
    series: list[tuple[Network, Walk]], random: object
) -> None:
    copies = max(max(walk.visits.values()) for _, walk in series)
    policy = Policy.remembering(prior=("1/2", "1/2"), copies=copies)
    published: list[Publication] = []
    for number, (network, walk) in enumerate(series):
        listed = list(published)
        random.shuffle(listed)  # type: ignore[attr-defined]
        published.append(publish(network, walk, policy=policy, after=listed, source=Seeded(number)))
    for (network, walk), publication in zip(series, published, strict=True):
        assert reconstruct(publication, network).walk == walk


NETWORK = Network.parse("ab bc cd de bd ae")
WALKS = [Walk("abc"), Walk("bde"), Walk("eab"), Walk("cde")]


def series(count: int = 3, *, seed: int = 1) -> list[Publication]:
    return list(
        publish_series(
            NETWORK, WALKS[:count], source=Seeded(seed), policy="remembering:on=1/2,off=1/2"
        )
    )


def test_one_by_one_is_the_same_as_in_one_go() -> None:
    source = Seeded(1)
    found: list[Publication] = []
    for walk in WALKS[:3]:
        policy = Policy.remembering(prior=("1/2", "1/2"))
        found.append(publish(NETWORK, walk, policy=policy, after=found, source=source))
    assert found == series()


def test_other_vertices_terms_and_universe_are_refused() -> None:
    after = series()
    with pytest.raises(BrokenSeries, match="keeps its terms"):
        publish(NETWORK, WALKS[3], policy=Policy.remembering(usage="0.2"), after=after)
    with pytest.raises(Incompatible, match="balanced does not go with a series"):
        publish(NETWORK, WALKS[3], policy=Policy.balanced(), after=after)
    with pytest.raises(BrokenSeries, match="vertices may not"):
        publish(Network.parse("ab bc"), Walk("abc"), after=after)
    with pytest.raises(Incompatible, match="remembering does not go with a universe"):
        publish(NETWORK, WALKS[3], universe=NETWORK, after=after)
    silent = publish(
        NETWORK, WALKS[0], policy="remembering:usage=0.2", direction="hidden", source=Seeded(1)
    )
    with pytest.raises(BrokenSeries, match="a series that kept silent stays so"):
        publish(NETWORK, WALKS[3], after=[silent])
    assert publish(NETWORK, WALKS[3], direction="hidden", after=after).direction is None
