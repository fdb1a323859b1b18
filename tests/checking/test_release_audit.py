"""The audit samples what publish hands out; each way to leak that it must see has a broken twin."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk
from pathveil.checking import release_audit
from pathveil.checking.auditing import Audit
from pathveil.checking.release_audit import BOTH, LinkRelease, Writer, audit_release, claim
from pathveil.errors import BadNetwork, BadPublication
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.bits import PairBits, Relation, link_places
from pathveil.publishing import release as publishing
from pathveil.publishing.terms import ReleaseTerms

NETWORK = Network.parse("ab bc cd bd ad")
WALK = Walk("abcd")


@pytest.fixture(autouse=True)
def fewer_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer files are written out than is usual: most tests here are about the bits."""
    monkeypatch.setattr(release_audit, "FILES", 30)


@pytest.mark.parametrize(
    ("policy", "link"),
    [
        (Policy.balanced(), ("c", "d")),
        (Policy.balanced(), ("a", "d")),
        (Policy.sealed(), ("c", "d")),
        (Policy.balanced(copies=2), ("b", "c")),
        (Policy.two_sided(epsilon=1), ("c", "d")),
        (Policy.frontier(walk_loss="0.3"), ("c", "d")),
    ],
)
def test_real_releases_keep_their_certificate(policy: Policy, link: tuple[str, str]) -> None:
    """False alarm at most one in a million for each: the bounds hold with that confidence."""
    found = audited(policy, samples=300, link=link)
    assert found.verdict == "inconclusive"
    _, presence, _ = claim(policy, on_walk=link in WALK.links)
    assert found.forward.epsilon <= presence


def test_theorem_1_is_refuted_by_real_releases() -> None:
    """The broken twin is the paper's own claim: absence is not protected at all."""
    policy = Policy.paper(vertex=1, link=1)
    found = audited(policy, samples=800)
    assert found.verdict == "refuted"
    assert found.backward.refuted


def audited(
    policy: Policy,
    *,
    samples: int = 150,
    link: tuple[str, str] = ("c", "d"),
    write: Writer = publication_text,
    **terms: Any,
) -> Audit:
    release = LinkRelease(NETWORK, WALK, ReleaseTerms.of(policy=policy, **terms), link)
    confidence, source = 1 - 1e-6, Seeded(5)
    return audit_release(
        release, samples=samples, confidence=confidence, source=source, write=write
    )


@pytest.mark.regression("`audit` never called `publish`")
def test_an_audit_calls_publish(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its verdict was unchanged when publish was replaced by a crash."""

    def crash(*_: Any, **__: Any) -> Publication:
        raise RuntimeError("not published")

    monkeypatch.setattr(release_audit, "publish_under", crash)
    with pytest.raises(RuntimeError, match="not published"):
        audited(Policy.balanced())


@pytest.mark.regression("a leak in another bit")
@pytest.mark.parametrize("policy", [Policy.balanced(), Policy.balanced(copies=2, link_uses=1)])
def test_a_leak_in_another_bit_is_seen(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin tells in the bit of another pair whether the link is on the walk."""
    honest = publishing.draw_release  # type: ignore[attr-defined]

    def leaking(relations: Sequence[Relation], *rest: Any, **more: Any) -> tuple[PairBits, ...]:
        (bits,) = honest(relations, *rest, **more)
        flat = bits.flat().copy()
        flat[0] = len(relations[0].on_walk) == len(WALK) - 1
        return (PairBits.from_flat(bits.size, flat),)

    monkeypatch.setattr(publishing, "draw_release", leaking)
    assert audited(policy).verdict == "refuted"


@pytest.fixture
def worlds(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The worlds releases were drawn in, so that a twin knows whether the link is there.

    As many files as show what a file says outright.
    """
    monkeypatch.setattr(release_audit, "FILES", 120)
    drawn: list[bool] = []
    real = publishing.publish_under

    def noted(*given: Any, **more: Any) -> Publication:
        drawn.append(not more["unlinked"])
        return real(*given, **more)

    monkeypatch.setattr(release_audit, "publish_under", noted)
    return drawn


def reversed_covers(found: dict[str, Any]) -> None:
    found["arcs"].reverse()
    found["layers"] = [layer[::-1] for layer in found["layers"]]


def one_key_more(found: dict[str, Any]) -> None:
    found["seen"] = True


def spaces(found: dict[str, Any]) -> None:
    """What is said stays; that it is not written in canonical bytes tells the link."""


@pytest.mark.regression("a leak in the order of a list")
@pytest.mark.parametrize("leak", [reversed_covers, one_key_more, spaces])
def test_a_leak_in_the_order_of_a_list_is_seen(
    leak: Callable[[dict[str, Any]], None], worlds: list[bool]
) -> None:
    """The twin writes another file of the same bits where the link is there."""

    def write(publication: Publication) -> str:
        text = publication_text(publication)
        if not worlds[-1]:
            return text
        found = json.loads(text)
        leak(found)
        return json.dumps(found)

    assert audited(Policy.balanced(), samples=100, write=write).verdict == "refuted"


@pytest.mark.regression("a leak beside what is odd in both worlds")
def test_a_habit_of_both_worlds_hides_no_leak(worlds: list[bool]) -> None:
    """Files that are never canonical give nothing away; a leak beside the habit does."""

    def never_canonical(publication: Publication) -> str:
        return json.dumps(json.loads(publication_text(publication)) | {"made_by": "us"})

    def leaking(publication: Publication) -> str:
        found = json.loads(never_canonical(publication))
        return json.dumps(found | {"unsafe": worlds[-1]})

    habit = audited(Policy.balanced(), samples=100, write=never_canonical)
    assert habit.verdict == "inconclusive"
    assert audited(Policy.balanced(), samples=100, write=leaking).verdict == "refuted"


def caveats_turned(one: Publication) -> Publication:
    turned = one.certificate.not_protected[::-1]
    return replace(one, certificate=replace(one.certificate, not_protected=turned))


def flag_turned(one: Publication) -> Publication:
    return replace(one, unsafe=not one.unsafe)


def layout_turned(one: Publication) -> Publication:
    return one.showing(one.layered.upside_down())


@pytest.mark.regression("caveats in another order, or a flag, told the link and were not looked at")
@pytest.mark.regression("a leak in the layout")
@pytest.mark.parametrize(
    ("leak", "files"), [(caveats_turned, 8), (flag_turned, 8), (layout_turned, 120)]
)
def test_a_leak_in_what_a_file_states_or_draws_is_seen(
    leak: Callable[[Publication], Publication], files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hangs on the link; the file was compared with one made from the same publication."""
    monkeypatch.setattr(release_audit, "FILES", files)
    real = publishing.publish_under

    def leaking(*given: Any, **more: Any) -> Publication:
        released = real(*given, **more)
        return released if more["unlinked"] else leak(released)

    monkeypatch.setattr(release_audit, "publish_under", leaking)
    assert audited(Policy.balanced(), samples=150).verdict == "refuted"


@pytest.mark.regression("a salt chosen by the link")
def test_a_salt_chosen_by_the_secret_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The salt of a file is random by design: it is judged like the bits."""
    policy = Policy.remembering(prior=("1/2", "1/2"))
    assert audited(policy, samples=100).verdict == "inconclusive"
    real = publishing.publish_under

    def chosen(*given: Any, **more: Any) -> Publication:
        while True:
            released = real(*given, **more)
            if int(released.salt or "", 16) % 2 == bool(more["unlinked"]):
                return released

    monkeypatch.setattr(release_audit, "publish_under", chosen)
    assert audited(policy, samples=100).verdict == "refuted"


@pytest.mark.regression("a salt made from the network")
def test_a_salt_made_from_the_secret_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A digest of network and bits looks random in both worlds; who guesses the network tries it.
    So the salt has to be what the source gave last."""
    real = publishing.publish_under

    def made(*given: Any, **more: Any) -> Publication:
        released = real(*given, **more)
        secret = repr((NETWORK.links, more["unlinked"])).encode()
        digest = sha256(secret + released.packed.pairs.packed.tobytes()).hexdigest()
        return replace(released, salt=digest[:32])

    monkeypatch.setattr(release_audit, "publish_under", made)
    with pytest.raises(BadPublication):
        audited(Policy.remembering(prior=("1/2", "1/2")), samples=1)


def test_an_audit_of_releases_that_do_not_tell_the_direction() -> None:
    assert audited(Policy.balanced(), samples=100, direction="hidden").verdict == "inconclusive"


@pytest.mark.regression("with copies 50 % over the certificate was caught in 0 of 60 audits")
def test_an_excess_is_caught_with_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Joint coins of 2 x 2 copies that show the true state too rarely by chance: 50 % over the
    certificate was caught in 0 of 60 audits while copies were handed out afresh each time."""
    policy = Policy.balanced(copies=2, link_uses=1)
    random = np.random.default_rng(1)
    honest = publishing.draw_release  # type: ignore[attr-defined]
    places = link_places(publishing.publish(NETWORK, WALK, policy=policy).positions, ("c", "d"))
    _, presence, _ = claim(policy, on_walk=True)
    kept = np.exp(-presence / 2)

    def stingy(relations: Sequence[Relation], *rest: Any, **more: Any) -> tuple[PairBits, ...]:
        (bits,) = honest(relations, *rest, **more)
        if len(relations[0].on_walk) < len(WALK) - 1 and random.random() > kept:
            flat = bits.flat().copy()
            flat[places] = True
            return (PairBits.from_flat(bits.size, flat),)
        return (bits,)

    monkeypatch.setattr(publishing, "draw_release", stingy)
    assert audited(policy, samples=800).verdict == "refuted"


@pytest.mark.regression("'Claimed (Theorem 1)' only where the paper claims it")
def test_the_paper_is_held_only_to_what_it_claims() -> None:
    assert claim(Policy.paper(vertex=1, link=1), on_walk=True)[0] == "Theorem 1"
    assert claim(Policy.paper(vertex=None, link=1), on_walk=True)[0] == "Lemma 2"
    whose, presence, _ = claim(Policy.paper(vertex=1, link=None), on_walk=True, copies=(2, 2))
    assert whose == "loss for these copies"
    assert presence == float("inf")


NEAR = [*NETWORK.links, ("a", "c")]


@pytest.mark.regression("`audit` had no universe")
def test_an_audit_draws_over_the_universe() -> None:
    """It had none, so releases with a universe were never audited."""
    release = LinkRelease(NETWORK, WALK, ReleaseTerms.of(universe=NEAR), ("c", "d"))
    for known in (True, False):
        for _ in range(4):
            one = release(known, Seeded(f"{known}"))
            assert one.universe is not None
            assert one.universe.count == 6
    more = Network.parse("ab bc cd bd ad ae")
    near = [*more.links, ("a", "c")]
    wide = LinkRelease(more, WALK, ReleaseTerms.of(universe=near), ("c", "d"))
    outside = link_places(wide(True, Seeded(1)).positions, ("c", "e"))
    shown = {bool(wide(k, Seeded(n)).packed.pairs.at(outside)[0]) for k in BOTH for n in range(20)}
    assert shown == {False}, "a pair outside has no coin in either world"


def test_an_audit_with_a_universe_refutes_and_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """False alarm at most one in a million; the broken twin claims too little loss."""
    honest = audited(Policy.balanced(), samples=100, universe=NEAR)
    assert honest.verdict == "inconclusive"
    monkeypatch.setattr(release_audit, "claim", lambda *_, **__: ("nobody", 0.1, 0.1))
    broken = audited(Policy.balanced(), samples=300, universe=NEAR)
    assert broken.verdict == "refuted"


@pytest.mark.regression("an audit of a pair outside the universe")
def test_an_audit_asks_about_a_pair_of_the_universe() -> None:
    for absent in (("c", "d"), ("a", "b")):
        pairs = [pair for pair in NEAR if pair != absent]
        with pytest.raises(BadNetwork):
            audited(Policy.balanced(), universe=pairs)
