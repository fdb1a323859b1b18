"""The audit samples what publish hands out; each way to leak that it must see has a broken twin."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publishing, release_audit
from pathveil.adversary.auditing import Audit
from pathveil.errors import BadNetwork, DoesNotFit
from pathveil.formats.veil import publication_text
from pathveil.model.bits import PairBits, Relation
from pathveil.model.universe import Universe
from pathveil.release_audit import BOTH, EdgeRelease, audit_release, claim, edge_places

NETWORK = Network.parse("ab bc cd bd ad")
WALK = Walk("abcd")


@pytest.mark.parametrize(
    ("policy", "edge"),
    [
        (Policy.balanced(), ("c", "d")),
        (Policy.balanced(), ("a", "d")),
        (Policy.sealed(), ("c", "d")),
        (Policy.balanced(copies=2), ("b", "c")),
        (Policy.two_sided(epsilon=1), ("c", "d")),
        (Policy.frontier(walk_loss="0.3"), ("c", "d")),
    ],
)
def test_real_releases_keep_their_certificate(policy: Policy, edge: tuple[str, str]) -> None:
    """False alarm at most one in a million for each: the bounds hold with that confidence."""
    found = audit_release(
        NETWORK, WALK, policy=policy, edge=edge, samples=300, confidence=1 - 1e-6, source=Seeded(5)
    )
    assert found.verdict == "inconclusive"
    _, presence, _ = claim(policy, on_walk=edge in WALK.edges)
    assert found.forward.epsilon <= presence


def test_theorem_1_is_refuted_by_real_releases() -> None:
    """The broken twin is the paper's own claim: absence is not protected at all."""
    policy = Policy.paper(vertex=1, edge=1)
    found = audit_release(
        NETWORK,
        WALK,
        policy=policy,
        edge=("c", "d"),
        samples=800,
        confidence=1 - 1e-6,
        source=Seeded(5),
    )
    assert found.verdict == "refuted"
    assert found.backward.refuted


def audited(policy: Policy, *, samples: int = 400, **more: Any) -> Audit:
    return audit_release(
        NETWORK,
        WALK,
        policy=policy,
        edge=("c", "d"),
        samples=samples,
        confidence=1 - 1e-6,
        source=Seeded(5),
        **more,
    )


def test_an_audit_calls_publish(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its verdict was unchanged when publish was replaced by a crash."""

    def crash(*_: Any, **__: Any) -> Publication:
        raise RuntimeError("not published")

    monkeypatch.setattr(release_audit, "publish", crash)
    with pytest.raises(RuntimeError, match="not published"):
        audited(Policy.balanced())


@pytest.mark.parametrize("policy", [Policy.balanced(), Policy.balanced(copies=2, edge_uses=1)])
def test_a_leak_in_another_bit_is_seen(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin tells in the bit of another pair whether the edge is on the walk."""
    honest = publishing.draw_release  # type: ignore[attr-defined]

    def leaking(relations: Sequence[Relation], *rest: Any, **more: Any) -> tuple[PairBits, ...]:
        (bits,) = honest(relations, *rest, **more)
        flat = bits.flat().copy()
        flat[0] = len(relations[0].on_walk) == len(WALK) - 1
        return (PairBits.from_flat(bits.size, flat),)

    monkeypatch.setattr(publishing, "draw_release", leaking)
    assert audited(policy).verdict == "refuted"


def test_a_leak_in_the_order_of_a_list_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin lists its cover edges the other way round where the edge is there."""
    worlds: list[bool] = []
    real, unlinked = publishing.publish, publishing.publish_unlinked

    def with_edge(*given: Any, **more: Any) -> Publication:
        worlds.append(True)
        return real(*given, **more)

    def without_edge(*given: Any, **more: Any) -> Publication:
        worlds.append(False)
        return unlinked(*given, **more)

    monkeypatch.setattr(release_audit, "publish", with_edge)
    monkeypatch.setattr(release_audit, "publish_unlinked", without_edge)

    def write(publication: Publication) -> str:
        text = publication_text(publication)
        if not worlds[-1]:
            return text
        found = json.loads(text)
        found["covers"].reverse()
        found["layers"] = [layer[::-1] for layer in found["layers"]]
        return json.dumps(found)

    assert audited(Policy.balanced(), samples=400).verdict == "inconclusive"
    assert audited(Policy.balanced(), samples=400, write=write).verdict == "refuted"


def test_a_leak_in_the_layout_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin turns its picture upside down by the edge, and not by the direction bit."""
    real = publishing.publish

    def turned(*given: Any, **more: Any) -> Publication:
        found = real(*given, **more)
        return found.showing(found.layered.upside_down())

    monkeypatch.setattr(release_audit, "publish", turned)
    assert audited(Policy.balanced(), samples=400).verdict == "refuted"


@pytest.mark.parametrize(("excess", "samples"), [(0.5, 800)])
def test_an_excess_is_caught_with_copies(
    excess: float, samples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joint coins of 2 x 2 copies that show the true state too rarely by chance: 50 % over the
    certificate was caught in 0 of 60 audits while copies were handed out afresh each time."""
    policy = Policy.balanced(copies=2, edge_uses=1)
    random = np.random.default_rng(1)
    honest = publishing.draw_release  # type: ignore[attr-defined]
    _, presence, _ = claim(policy, on_walk=True)
    kept = np.exp(-presence * excess)

    def stingy(relations: Sequence[Relation], *rest: Any, **more: Any) -> tuple[PairBits, ...]:
        (bits,) = honest(relations, *rest, **more)
        if len(relations[0].on_walk) < len(WALK) - 1 and random.random() > kept:
            flat = bits.flat().copy()
            places = release.places
            flat[places] = True
            return (PairBits.from_flat(bits.size, flat),)
        return (bits,)

    release = _Places(policy)
    monkeypatch.setattr(publishing, "draw_release", stingy)
    assert audited(policy, samples=samples).verdict == "refuted"


class _Places:
    def __init__(self, policy: Policy) -> None:
        from pathveil.release_audit import edge_places

        self.places = edge_places(
            publishing.publish(NETWORK, WALK, policy=policy).positions, ("c", "d")
        )


def test_the_paper_is_held_only_to_what_it_claims() -> None:
    assert claim(Policy.paper(vertex=1, edge=1), on_walk=True)[0] == "Theorem 1"
    assert claim(Policy.paper(vertex=None, edge=1), on_walk=True)[0] == "Lemma 2"
    whose, presence, _ = claim(Policy.paper(vertex=1, edge=None), on_walk=True, copies=(2, 2))
    assert whose == "loss for these copies"
    assert presence == float("inf")


def test_who_audits_an_edge_that_is_none_is_told() -> None:
    with pytest.raises(BadNetwork, match="is no edge"):
        EdgeRelease(NETWORK, WALK, Policy.balanced(), ("a", "c"))


NEAR = [*NETWORK.edges, ("a", "c")]


def test_an_audit_draws_over_the_universe() -> None:
    """It had none, so releases with a universe were never audited."""
    release = EdgeRelease(NETWORK, WALK, Policy.balanced(), ("c", "d"), universe=Universe.of(NEAR))
    for known in (True, False):
        for _ in range(4):
            one = release(known, Seeded(f"{known}"))
            assert one.universe is not None
            assert one.universe.count == 6
    more = Network.parse("ab bc cd bd ad ae")
    near = [*more.edges, ("a", "c")]
    wide = EdgeRelease(more, WALK, Policy.balanced(), ("c", "d"), universe=Universe.of(near))
    outside = edge_places(wide(True, Seeded(1)).positions, ("c", "e"))
    shown = {bool(wide(k, Seeded(n)).packed.pairs.at(outside)[0]) for k in BOTH for n in range(20)}
    assert shown == {False}, "a pair outside has no coin in either world"


def test_an_audit_with_a_universe_refutes_and_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """False alarm at most one in a million; the broken twin is the paper's claim of absence."""
    monkeypatch.setattr(release_audit, "FILES", 30)
    told: dict[str, Any] = {"edge": ("c", "d"), "universe": NEAR, "confidence": 1 - 1e-6}
    honest = audit_release(
        NETWORK, WALK, policy=Policy.balanced(), samples=100, source=Seeded(5), **told
    )
    assert honest.verdict == "inconclusive"
    theirs = Policy.paper(vertex=None, edge=1)
    broken = audit_release(NETWORK, WALK, policy=theirs, samples=300, source=Seeded(5), **told)
    assert broken.verdict == "refuted"


@pytest.mark.parametrize("capacity", [None, 8])
def test_an_audit_asks_about_a_pair_of_the_universe(capacity: int | None) -> None:
    told: dict[str, Any] = {"policy": Policy.balanced(), "samples": 100, "source": Seeded(5)}
    told |= {"capacity": capacity, "edge": ("c", "d")}
    without = [pair for pair in NEAR if pair != ("c", "d")]
    with pytest.raises(BadNetwork, match="'c' - 'd' is outside the universe of 5 pairs"):
        audit_release(NETWORK, WALK, universe=without, **told)
    another = [pair for pair in NEAR if pair != ("a", "b")]
    with pytest.raises(BadNetwork, match="the universe must hold every edge"):
        audit_release(NETWORK, WALK, universe=another, **told)
    named = Universe.of(NEAR, by_digest=True).as_published
    with pytest.raises(DoesNotFit, match="bring the public file"):
        audit_release(NETWORK, WALK, universe=named, **told)
