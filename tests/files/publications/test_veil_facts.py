"""The parts of a file must agree; a drawing must have the bits that stand beside it."""

from __future__ import annotations

import json

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.errors import BadPublication
from pathveil.files.publications.veil_json import parse_publication, publication_text

NETWORK, WALK = Network.parse("ab bc cd bd de"), Walk("abcde")
TEXT = publication_text(publish(NETWORK, WALK, policy=Policy.balanced(), source=Seeded(4)))


def test_every_single_bit_that_is_turned_is_noticed() -> None:
    """Nobody can change a bit without changing the drawing, or the drawing without the bits."""
    good = json.loads(TEXT)
    data = bytes.fromhex(good["bits"])
    for place in range(10):
        turned = bytearray(data)
        turned[place >> 3] ^= 0x80 >> (place & 7)
        with pytest.raises(BadPublication, match="by the bits and not by the drawing"):
            parse_publication(json.dumps({**good, "bits": turned.hex()}))


def test_every_cover_link_that_is_taken_away_is_noticed() -> None:
    good = json.loads(TEXT)
    for upper, row in enumerate(good["arcs"]):
        for place in range(len(row)):
            arcs = [list(r) for r in good["arcs"]]
            del arcs[upper][place]
            with pytest.raises(BadPublication, match="by the bits and not by the drawing"):
                parse_publication(json.dumps({**good, "arcs": arcs}))


def test_the_order_of_lists_carries_no_message() -> None:
    """Nodes and covers listed otherwise are the same publication, and are written alike."""
    good = json.loads(TEXT)
    size = len(good["nodes"])
    turned = {
        **good,
        "vertices": good["vertices"][::-1],
        "nodes": good["nodes"][::-1],
        "layers": [[size - 1 - n for n in row] for row in good["layers"]],
        "arcs": [[size - 1 - n for n in row] for row in good["arcs"]][::-1],
    }
    assert publication_text(parse_publication(json.dumps(turned))) == TEXT
