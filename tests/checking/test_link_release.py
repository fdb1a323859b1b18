"""The audit samples what publish hands out; each way to leak that it must see has a broken twin."""

from __future__ import annotations

from dataclasses import replace
from math import inf, log
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.checking.auditing import VIEWS, Pile, first_part, judge_piles, rows_needed, worst
from pathveil.checking.release_audit import BOTH, DueFile, LinkRelease, Replayed
from pathveil.errors import BadNetwork
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.universe import Universe

NETWORK, WALK = Network.parse("ab bc cd bd ad"), Walk("abcdb")


def test_bytes_are_repeated_and_then_fresh() -> None:
    source = Replayed(b"abc", Seeded(1))
    fresh = Seeded(1).take(4)
    assert source.take(2) == b"ab"
    assert source.take(3) == b"c" + fresh[:2] == source.last
    assert source.take(2) == fresh[2:]


def test_the_hand_out_is_the_same_in_every_release() -> None:
    """Of a link on the walk with 2 x 2 copies the same copy pair is always the one walked."""
    policy = Policy.balanced(copies=2)
    release = LinkRelease(NETWORK, WALK, policy, ("c", "d"))
    fixed = release.with_fixed_copies(Seeded(1))
    assert len({fixed.own_bits(fixed(True, Seeded(n))) for n in range(6)}) == 1
    assert len({release.own_bits(release(True, Seeded(n))) for n in range(30)}) > 1
    assert len({fixed.own_bits(fixed(False, Seeded(n))) for n in range(30)}) > 1


def test_the_direction_is_told_or_not_in_both_worlds() -> None:
    fixed = LinkRelease(NETWORK, WALK, Policy.balanced(copies=2), ("c", "d"), direction="hidden")
    fixed = fixed.with_fixed_copies(Seeded(1))
    assert {fixed(known, Seeded(1)).direction for known in BOTH} == {None}
    told = replace(fixed, direction="public")
    assert None not in {told(known, Seeded(1)).direction for known in BOTH}


def test_who_audits_a_link_that_is_none_is_told() -> None:
    with pytest.raises(BadNetwork):
        LinkRelease(NETWORK, WALK, Policy.balanced(), ("a", "c"))


NETWORK, WALK = Network.parse("ab bc cd bd ad"), Walk("abcdb")
LINK = ("c", "d")


@pytest.mark.parametrize(
    ("policy", "terms"),
    [
        (Policy.balanced(copies=2), {}),
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
    release = LinkRelease(NETWORK, WALK, policy, LINK, **terms).with_fixed_copies(Seeded(1))
    due = DueFile(release)
    for known in BOTH:
        one = release(known, Seeded(f"{known}"))
        assert due.beyond(one, publication_text(one)) == ()
        assert not due.aside(one)[-1]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ('{"a": [1, 2], "bits": "0"}', ()),
        ('{"a": [2, 1], "bits": "0"}', (("a", "in another order"),)),
        ('{"bits": "0", "a": [1, 2]}', (("keys", "in another order"),)),
        ('{"a": [1, 2], "bits": "1"}', (("bits", "is another"),)),
        ('{"a": [1, 2]}', (("bits", "is missing"),)),
        ("[1, 2]", ()),
        ("no file", ()),
    ],
)
def test_parts_are_named(found: str, said: tuple[tuple[str, ...], ...]) -> None:
    from pathveil.checking.release_audit import _parts_apart

    assert _parts_apart(found, '{"a": [1, 2], "bits": "0"}') == said


def test_other_bytes_are_named_by_size_and_place() -> None:
    packed = LinkRelease(NETWORK, Walk("abcd"), Policy.balanced(), LINK)
    packed = packed.with_fixed_copies(Seeded(1))
    one = packed(True, Seeded(2))
    text = publication_text(one)
    assert isinstance(text, str)
    assert DueFile(packed).beyond(one, text + " ") == (("bytes", "1", str(len(text))),)


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


def test_more_columns_than_a_word_has_bits() -> None:
    """Rows of a link with many copy pairs are compared whole."""
    bits = np.zeros((ROWS, 90), dtype=np.bool_)
    other = bits.copy()
    other[:, 89] = True
    told = np.zeros(ROWS, dtype=np.int8)
    own = np.arange(90)
    given = {True: Pile(bits, told, own), False: Pile(other, told, own)}
    found = judge_piles(
        given, (1.0, 1.0), samples=SAMPLES, confidence=0.999, tests=2, source=Seeded(1)
    )
    assert all(one.forward.one_sided and one.verdict == "refuted" for one in found)


def test_parts_of_the_rows() -> None:
    assert (first_part(20_000), rows_needed(20_000)) == (5000, 35_000)
    assert (first_part(1), rows_needed(1)) == (1, 4)
