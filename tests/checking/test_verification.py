from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, group, publish, verify
from pathveil.checking.certificate_check import earned_certificate
from pathveil.checking.verification import HELD, verdict_line, verify_publication, verify_series
from pathveil.files.publications.veil_json import parse_publication, publication_text
from pathveil.model.layered import LAYERINGS, Layering
from pathveil.model.publication import SeriesPlace
from pathveil.model.series import release_digest
from pathveil.model.universe import Universe

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WALK = Walk("abcdef")


@pytest.mark.parametrize("layering", LAYERINGS)
def test_an_honest_publication_holds(layering: Layering) -> None:
    publication = publish(NETWORK, WALK, layering=layering, source=Seeded(3))
    assert all(f.holds for f in verify_publication(publication))
    findings = verify_publication(publication, NETWORK, WALK)
    assert all(f.holds for f in findings), findings
    assert len(findings) == 7


def failing(publication: Publication, network: Network, walk: Walk) -> list[str]:
    return [f.claim for f in verify_publication(publication, network, walk) if not f.holds]


def test_a_turned_direction_bit_is_found() -> None:
    publication = publish(NETWORK, WALK, source=Seeded(3))
    lying = replace(publication, direction=not publication.direction).showing(publication.layered)
    assert failing(lying, NETWORK, WALK) == [
        "the layout is the canonical one of its bits and direction",
        "the walk reads back exactly",
    ]


def test_an_extra_cover_link_is_found() -> None:
    publication = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(3))
    layered = publication.layered
    arcs = [(a, b) for a, b in layered.arcs.tolist()]
    implied = next((a, d) for a, b in arcs for c, d in arcs if b == c)
    more = replace(layered, arcs=np.array(sorted([*arcs, implied]), dtype=np.int32))
    assert failing(publication.showing(more), NETWORK, WALK) == [
        "branches are chains, arcs a transitive reduction",
        "the layout is the canonical one of its bits and direction",
    ]


def test_a_foreign_network_is_found() -> None:
    publication = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(3))
    assert failing(publication, NETWORK.without(("c", "d")), WALK) == [
        "the walk links read with the network form one path"
    ]


PAIRS = [*NETWORK.links, ("a", "c"), ("a", "d")]


def test_a_network_outside_the_universe_is_found() -> None:
    narrow = NETWORK.without(("a", "f"))
    file = publish(narrow, WALK, universe=narrow.links, source=Seeded(3))
    states = {finding.claim: finding.holds for finding in verify_publication(file, NETWORK)}
    assert states[HELD] is False


def test_a_policy_nobody_knows_is_not_checked_rather_than_false() -> None:
    file = publish(NETWORK, WALK, source=Seeded(3))
    unknown = replace(file, policy=replace(file.policy, name="of tomorrow"))
    (found,) = verify_publication(unknown)
    assert found.holds is None
    assert verdict_line([found.holds]) == "1 of 1 claims could not be checked"


def test_an_engine_that_draws_other_bits_is_found_though_it_agrees_with_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = Network.parse("ab bc cd bd")
    released = publish(network, Walk("abcd"), policy=Policy.sealed())
    other = publish(network, Walk("abdc"), policy=Policy.sealed())
    assert released.packed.pairs != other.packed.pairs
    drawn = other.layered
    monkeypatch.setattr(Publication, "drawn_again", lambda _: drawn)
    (wrong,) = [f for f in verify_publication(released) if not f.holds]
    assert "canonical" in wrong.claim


# -- terms that were restated ---------------------------------------------------------------------


def restated(publication: Publication, **terms: Any) -> Publication:
    """Return the file as if it had been drawn under other terms, consistently."""
    other = replace(publication, **terms)
    if other.series is not None:
        digest = release_digest(1, None, other)
        other = replace(other, series=SeriesPlace(1, None, digest))
    return replace(other, certificate=earned_certificate(other))


def test_what_is_restated_consistently_is_consistent() -> None:
    """Nothing in the file can tell; the command says so, and what can."""
    sealed = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(3))
    over = publish(NETWORK, WALK, universe=PAIRS, source=Seeded(3))
    wider = Universe.of([*PAIRS, ("a", "e")])
    fifth = series()[-1]
    for file in (
        restated(sealed, policy=publish(NETWORK, WALK, source=Seeded(3)).policy),
        restated(over, universe=wider),
        restated(over, universe=None),
        restated(fifth),
    ):
        assert failing(file, NETWORK, WALK if file.series is None else WALKS[-1]) == []


# -- series ---------------------------------------------------------------------------------------

WALKS = [Walk("abc"), Walk("bde"), Walk("fcd")]


def series() -> list[Publication]:
    files: list[Publication] = []
    for number, walk in enumerate(WALKS):
        policy = Policy.remembering(usage="0.2")
        files.append(publish(NETWORK, walk, policy=policy, after=files, source=Seeded(number)))
    return files


def broken(publications: list[Publication]) -> int:
    return sum(finding.holds is False for finding in verify_series(publications))


def test_a_series_holds_in_any_order_and_without_a_gap() -> None:
    one, two, three = series()
    assert broken([three, one, two]) == 0
    assert broken([two, three]) == 1
    assert broken([one, replace(two, certificate=one.certificate), three]) == 1
    assert broken([one, two, restated(three)]) == 1, "a fifth that says it is the first"


def test_a_place_without_memory_fails() -> None:
    one = series()[0]
    fresh = publish(NETWORK, WALKS[0], source=Seeded(1))
    assert broken([replace(fresh, series=one.series, salt=one.salt)]) >= 1


@pytest.mark.regression("honest files failed: one with wrong bits by design, one without grouping")
def test_what_an_honest_file_does_not_show_is_open_and_does_not_fail() -> None:
    names = [f"v{i:02}" for i in range(99)]
    ring = Network.from_links([*pairwise(names), (names[-1], names[0])])
    walk = Walk(names[3:7])
    policy = Policy.two_sided(epsilon=1)
    files = [publish(ring, walk, policy=policy, source=Seeded(seed)) for seed in range(4)]
    noisy = [verify(file, ring, walk) for file in files]
    assert {found.holds for found in noisy} <= {None, True}
    assert None in {found.holds for found in noisy}
    grouped = publish(ring, walk, grouping=group(ring, classes=23, source=Seeded(1)))
    stored = parse_publication(publication_text(grouped))
    assert verify(stored, ring).holds is None
    assert verify(grouped, ring, walk).holds is True


@pytest.mark.regression(
    "an honest file with the paper's layering failed, for it reads back turned round"
)
def test_the_papers_layering_may_turn_the_walk_round() -> None:
    network, walk = Network.parse("ab bc cd de ef fg gh ae cg"), Walk("efgh")
    said = set()
    for seed in range(40):
        file = publish(network, walk, layering="backtracking", source=Seeded(seed))
        said |= {
            one.holds
            for one in verify_publication(file, network, walk)
            if "reads back" in one.claim
        }
    assert said <= {True, None}
    assert None in said
