"""The audit samples what publish hands out; each way to leak that it must see has a broken twin."""

from __future__ import annotations

import json
from math import inf, log
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.checking.auditing import VIEWS, Pile, judge_piles, rows_needed, worst
from pathveil.checking.release_audit import BOTH, LinkRelease, Replayed
from pathveil.errors import BadNetwork
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.universe import Universe
from pathveil.publishing.terms import ReleaseTerms

NETWORK, WALK = Network.parse("ab bc cd bd ad"), Walk("abcdb")


def test_bytes_are_repeated_and_then_fresh() -> None:
    source = Replayed(b"abc", Seeded(1))
    fresh = Seeded(1).take(4)
    assert source.take(2) == b"ab"
    assert source.take(3) == b"c" + fresh[:2]
    assert source.take(2) == fresh[2:]
    assert source.given == b"abc" + fresh


def test_the_hand_out_is_the_same_in_every_release() -> None:
    """Of a link on the walk with 2 x 2 copies the same copy pair is always the one walked."""
    policy = Policy.balanced(copies=2)
    release = LinkRelease(NETWORK, WALK, ReleaseTerms(policy), ("c", "d"))
    fixed = release.with_fixed_copies(Seeded(1))
    assert len({fixed.own_bits(fixed(True, Seeded(n))) for n in range(6)}) == 1
    assert len({release.own_bits(release(True, Seeded(n))) for n in range(30)}) > 1
    assert len({fixed.own_bits(fixed(False, Seeded(n))) for n in range(30)}) > 1


def test_who_audits_a_link_that_is_none_is_told() -> None:
    with pytest.raises(BadNetwork):
        LinkRelease(NETWORK, WALK, ReleaseTerms(), ("a", "c"))


LINK = ("c", "d")


@pytest.mark.parametrize(
    ("policy", "terms"),
    [
        (Policy.balanced(copies=2), {}),
        (Policy.balanced(copies=2), {"direction": "hidden"}),
        (Policy.remembering(usage="0.2", copies=2), {}),
        (Policy.paper(vertex=1, link=1), {"layering": "backtracking"}),
        (Policy.paper(vertex=1, link=1), {"layering": "backtracking", "direction": "hidden"}),
        (Policy.balanced(copies=2), {"universe": Universe.of(NETWORK.links)}),
    ],
    ids=str,
)
def test_an_honest_file_says_nothing_beyond_what_is_due(
    policy: Policy, terms: dict[str, Any]
) -> None:
    release = LinkRelease(NETWORK, WALK, ReleaseTerms(policy, **terms), LINK)
    release = release.with_fixed_copies(Seeded(1))
    for known in BOTH:
        one = release(known, Seeded(f"{known}"))
        assert (one.direction is None) == ("layering" in terms or "direction" in terms)
        assert release.beyond(one, publication_text(one)) == ()
        assert release.is_due(one)


def test_other_parts_and_other_bytes_are_named() -> None:
    release = LinkRelease(NETWORK, Walk("abcd"), ReleaseTerms(), LINK)
    release = release.with_fixed_copies(Seeded(1))
    one = release(True, Seeded(2))
    text = publication_text(one)
    assert release.beyond(one, text + " ") == (("bytes", "1", str(len(text))),)
    turned = json.loads(text)
    turned["arcs"].reverse()
    assert release.beyond(one, json.dumps(turned)) == (("arcs",),)
    for other in ("[1, 2]", "no file", b"no text"):
        assert release.beyond(one, other)[0][0] == "bytes"


SAMPLES = 1000
ROWS = rows_needed(SAMPLES)


def piles(leak: str = "", *, width: int = 12) -> dict[bool, Pile]:
    """Fair coins; the first column is the link's own, shown on the walk where it is there."""
    random = np.random.default_rng(1)
    found = {}
    for known in (True, False):
        bits = random.random((ROWS, width)) < 0.5
        told = np.ones(ROWS, dtype=np.int8)
        if known:
            bits[:, 0] = False
        if leak == "another bit":
            bits[:, 7] = known
        elif leak == "direction":
            told[:] = known
        elif leak == "no direction" and known:
            told[:] = -1
        found[known] = Pile(bits, told, np.array([0]))
    return found


def judged(leak: str, **given: int) -> str:
    found = judge_piles(
        piles(leak, **given),
        (log(2), inf),
        samples=SAMPLES,
        confidence=1 - 1e-6,  # false alarm: one in a million
        tests=VIEWS,
        source=Seeded(1),
    )
    assert len(found) == VIEWS
    return worst(found, SAMPLES, 1 - 1e-6).verdict


def test_honest_chaff_is_not_refuted() -> None:
    assert judged("") == "inconclusive"


@pytest.mark.parametrize("leak", ["another bit", "direction", "no direction"])
def test_what_is_told_beside_the_links_own_bits_is_seen(leak: str) -> None:
    assert judged(leak) == "refuted"
