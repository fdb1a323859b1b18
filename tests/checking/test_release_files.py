"""What a file is due to say follows from bits, direction, salt and terms; all else is named."""

from __future__ import annotations

from typing import Any

import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.checking.release_audit import BOTH, DueFile, LinkRelease, canonical
from pathveil.model.universe import Universe

NETWORK, WALK = Network.parse("ab bc cd bd ad"), Walk("abcdb")
LINK = ("c", "d")


@pytest.mark.parametrize(
    ("policy", "terms"),
    [
        (Policy.balanced(copies=2), {}),
        (Policy.balanced(copies=2), {"capacity": 9}),
        (Policy.balanced(copies=2, link_uses=1), {"capacity": 9, "direction": "hidden"}),
        (Policy.remembering(prior=("1/2", "1/2"), copies=2), {}),
        (Policy.remembering(prior=("1/2", "1/2"), copies=2), {"capacity": 9}),
        (Policy.two_sided(epsilon=2, copies=2), {"direction": "hidden"}),
        (Policy.paper(vertex=1, link=1), {"layering": "backtracking"}),
        (Policy.paper(vertex=1, link=1), {"layering": "backtracking", "direction": "hidden"}),
        (Policy.balanced(copies=2), {"universe": Universe.of(NETWORK.links)}),
        (Policy.balanced(copies=2), {"universe": Universe.of(NETWORK.links, by_digest=True)}),
        (Policy.balanced(copies=2), {"universe": Universe.of(NETWORK.links), "capacity": 9}),
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
        assert due.beyond(one, canonical(one)) == ()
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
    release = LinkRelease(NETWORK, Walk("abcd"), Policy.balanced(), LINK, capacity=9)
    release = release.with_fixed_copies(Seeded(1))
    one, due = release(True, Seeded(2)), DueFile(release)
    content = canonical(one)
    assert isinstance(content, bytes)
    assert due.beyond(one, content + b"!") == (("bytes", "1", str(len(content))),)
    assert due.beyond(one, b"?" + content[1:]) == (("bytes", "0", "0"),)
    packed = LinkRelease(NETWORK, Walk("abcd"), Policy.balanced(), LINK)
    packed = packed.with_fixed_copies(Seeded(1))
    other = packed(True, Seeded(2))
    text = canonical(other)
    assert isinstance(text, str)
    assert DueFile(packed).beyond(other, text + " ") == (("bytes", "1", str(len(text))),)
