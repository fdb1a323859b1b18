"""How far the used links of a series hide from one who knows all others."""

from __future__ import annotations

from pathveil import Network, Seeded, Walk
from pathveil.attacks.series.series_link_risk import joins_of_used_links
from pathveil.publishing.release import publish_series


def test_a_link_on_two_walks_is_usually_the_only_one_that_joins_both() -> None:
    """Counted over all releases that use it; the custodian sees how many, no file does."""
    names = [f"v{i}" for i in range(8)]
    ring = [(names[i], names[(i + 1) % 8]) for i in range(8)]
    network = Network.from_links([*ring, ("v0", "v4"), ("v2", "v6")])
    walks = [Walk(["v0", "v1", "v2", "v3", "v4"]), Walk(["v6", "v2", "v1", "v0", "v7"])]
    releases = list(
        publish_series(network, walks, source=Seeded(5), policy="remembering:on=1/2,off=1/2")
    )
    found = {link.link: link for link in joins_of_used_links(releases, network)}
    twice, once = found["v1", "v2"], found["v2", "v3"]
    assert (twice.uses, once.uses) == (2, 1)
    assert twice.without_coins < once.without_coins <= 4
    assert 1 <= twice.left <= twice.without_coins
    assert repr(twice) == "<MissedLink: for the custodian>"
