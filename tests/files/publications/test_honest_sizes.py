"""Lists longer than the bits of a publication can need are refused while they are plain lists."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.errors import BadPublication
from pathveil.files.publications.size_limits import copies_of_bits, require_honest_sizes
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.bits import pair_count


@pytest.mark.parametrize("copies", range(1, 400))
def test_no_copies_are_fewer_than_those_of_their_bits(copies: int) -> None:
    signs = 2 * ((pair_count(copies) + 7) // 8)
    assert copies <= copies_of_bits(signs) <= copies + 8


def test_sound_publications_pass() -> None:
    network, walk = Network.parse("ab bc cd bd"), Walk("abcd")
    for policy in (Policy.balanced(), Policy.sealed(copies=2)):
        made = publish(network, walk, policy=policy, source=Seeded(1))
        require_honest_sizes(json.loads(publication_text(made)), "x")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"vertices": [0] * 10_001}, "vertices: has 10,001 items, expected at most 10,000"),
        ({"nodes": [0] * 20_001}, "nodes: has 20,001 items"),
        ({"nodes": [0], "layers": [[]] * 10_001}, "layers: has 10,001 items"),
        ({"nodes": [0], "arcs": [[]] * 10_001}, "arcs: has 10,001 items"),
        ({"layers": [[0] * 20_001]}, "layers: have 20,001 members"),
        ({"universe": {"pairs": [0] * 10_001}}, r"universe\.pairs: has 10,001 items"),
        ({"certificate": {"rows": [0] * 20_001}}, r"certificate\.rows: has 20,001 items"),
        ({"policy": {"name": "a" * 20_001}}, r"policy\.name: is a text of 20,001 signs"),
        ({"policy": {"parameters": {"a" * 20_001: ""}}}, r"policy\.parameters: is a text"),
        ({"policy": {"parameters": {"k": "a" * 20_001}}}, r"policy\.parameters\.k: is a text"),
        ({"certificate": {"not_protected": ["a" * 20_001]}}, r"not_protected\[0\]: is a text"),
        ({"certificate": {"rows": [{"a": {"b": "a" * 20_001}}]}}, r"rows\[0\]: is a text"),
    ],
)
def test_what_no_publication_needs_is_refused(found: dict[str, Any], said: str) -> None:
    with pytest.raises(BadPublication, match=f"^x: .*{said}"):
        require_honest_sizes(found, "x")


@pytest.mark.parametrize("wrong", [None, 0, "", [], {}, [[0]], {"a": 0}])
def test_other_shapes_are_left_to_the_shape(wrong: Any) -> None:
    for key in ("bits", "vertices", "nodes", "layers", "universe", "certificate", "policy"):
        require_honest_sizes({key: wrong}, "x")
    require_honest_sizes({"policy": {"parameters": wrong}, "certificate": {"rows": wrong}}, "x")


def test_more_bits_allow_longer_lists() -> None:
    bits = "0" * 40_000_000
    require_honest_sizes({"bits": bits, "vertices": [0] * 15_000}, "x")
    require_honest_sizes({"policy": {"parameters": {"k": "a" * 60_000}}}, "x", copies=50)
