from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.checking.verification import BROUGHT, HELD, Finding, verdict, verify_publication
from pathveil.model.bits import PackedBits, PairBits, pair_places
from pathveil.model.layered import LAYERINGS, LayeredGraph, Layering
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
    more = LayeredGraph.build(
        layered.positions,
        layered.position_of,
        layered.layer,
        [*arcs, implied],
        piece=layered.piece,
    )
    assert failing(publication.showing(more), NETWORK, WALK) == [
        "branches are chains, covers a transitive reduction",
        "the layout is the canonical one of its bits and direction",
    ]


def test_a_foreign_network_is_found() -> None:
    publication = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(3))
    assert failing(publication, NETWORK.without(("c", "d")), WALK) == [
        "the walk links read with the network form one path"
    ]


PAIRS = [*NETWORK.links, ("a", "c"), ("a", "d")]
POSSIBLE = "the bits are possible under the policy"


def states(found: list[Finding]) -> dict[str, bool | None]:
    return {finding.claim: finding.holds for finding in found}


def forged_outside(publication: Publication) -> Publication:
    """Return the file with a pair outside the universe shown in one branch: no draw shows that."""
    flat = publication.packed.pairs.flat()
    flat[pair_places(np.array([0]), np.array([4]), 6)] = True
    bits = PackedBits(publication.positions, PairBits.from_flat(6, flat))
    return replace(publication, bits=bits)


@pytest.mark.regression("`verify` called bits possible that it had not held against their universe")
def test_bits_outside_a_universe_by_digest_are_not_called_possible() -> None:
    """Without the pairs "possible" was said of what nobody had checked."""
    named = Universe.of(PAIRS, by_digest=True)
    honest = publish(NETWORK, WALK, universe=named, source=Seeded(3))
    forged = forged_outside(honest)
    for file in (honest, forged):
        found = verify_publication(file)
        assert states(found)[POSSIBLE] is None
        assert verdict(f.holds for f in found) is None
        (said,) = (f.detail for f in found if f.holds is None)
        assert "not checked" in said
        assert "--universe" in said
    assert states(verify_publication(honest, universe=PAIRS))[POSSIBLE]
    assert verdict(f.holds for f in verify_publication(honest, universe=PAIRS))
    assert states(verify_publication(forged, universe=PAIRS))[POSSIBLE] is False
    # With the network it was said to fail, for want of a file.
    assert (
        states(verify_publication(honest, NETWORK, WALK))[f"{POSSIBLE}, given the network"] is None
    )
    whole = verify_publication(honest, NETWORK, WALK, universe=iter(PAIRS))
    assert verdict(f.holds for f in whole), whole


@pytest.mark.regression("`verify` called honest copies by digest impossible")
def test_what_fails_without_the_pairs_of_a_universe_fails() -> None:
    named = Universe.of(PAIRS, by_digest=True)
    policy = Policy.balanced(copies=2, link_uses=1)
    honest = publish(NETWORK, WALK, policy=policy, universe=named, source=Seeded(3))
    # Copies of a pair outside are all shown apart, which no walk makes: it was called impossible.
    assert states(verify_publication(honest))[POSSIBLE] is None
    flat = honest.packed.pairs.flat()
    flat[0] = True  # the two copies of one vertex in one branch
    bits = PackedBits(honest.positions, PairBits.from_flat(12, flat))
    assert states(verify_publication(replace(honest, bits=bits)))[POSSIBLE] is False


@pytest.mark.regression("`verify` did not look at a universe brought to a sketch")
def test_a_universe_that_does_not_belong_to_the_file_is_a_finding() -> None:
    """A universe brought to a file without one, or to a sketch, was not looked at."""
    plain = publish(NETWORK, WALK, source=Seeded(3))
    assert states(verify_publication(plain, universe=PAIRS))[BROUGHT] is False
    sketch = publish(NETWORK, WALK, universe=PAIRS, form="sketch", capacity=16, source=Seeded(3))
    assert states(verify_publication(sketch, universe=PAIRS[1:]))[BROUGHT] is False
    assert states(verify_publication(sketch, universe=PAIRS))[BROUGHT]


def test_a_network_outside_the_universe_is_found() -> None:
    narrow = NETWORK.without(("a", "f"))
    file = publish(narrow, WALK, universe=narrow, source=Seeded(3))
    assert states(verify_publication(file, NETWORK))[HELD] is False
    sketch = publish(narrow, WALK, universe=narrow, form="sketch", capacity=16, source=Seeded(3))
    assert states(verify_publication(sketch, NETWORK))[HELD] is None
    assert states(verify_publication(sketch, NETWORK, universe=narrow))[HELD] is False
    assert states(verify_publication(sketch, narrow, universe=narrow))[HELD]


def test_a_policy_nobody_knows_is_not_checked_rather_than_false() -> None:
    file = publish(NETWORK, WALK, source=Seeded(3))
    unknown = replace(file, policy=replace(file.policy, name="of tomorrow"))
    (found,) = verify_publication(unknown)
    assert found.holds is None
    assert "cannot be checked" in found.detail


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
    assert "but their bit says" in wrong.detail
