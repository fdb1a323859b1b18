from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pathveil import Grouping, Network, Policy, Publication, Seeded, Walk, publish
from pathveil.exchange.session import _digest, fingerprint

KITE = Network.parse("ab ac bc bd cd ce de ef fg eg dg")
GROUPS = Grouping.of(["af", "bt", "cu", "dv", "ew", "gx"])
WALK = Walk("abdc")

PUBLICATIONS = {
    "packed": publish(KITE, WALK, source=Seeded(1)),
    "copies": publish(KITE, WALK, policy=Policy.balanced(copies=2), source=Seeded(1)),
    "hidden": publish(KITE, WALK, direction="hidden", source=Seeded(1)),
    "the paper's": publish(KITE, WALK, layering="backtracking", source=Seeded(1)),
    "grouped": publish(KITE, WALK, grouping=GROUPS, source=Seeded(1)),
    "sketch": publish(KITE, WALK, form="sketch", capacity=30, source=Seeded(1)),
}


def test_each_publication_has_its_own() -> None:
    assert len({fingerprint(each) for each in PUBLICATIONS.values()}) == len(PUBLICATIONS)
    for each in PUBLICATIONS.values():
        if each.direction is not None:
            assert fingerprint(each) != fingerprint(replace(each, direction=not each.direction))


@pytest.mark.parametrize("what", PUBLICATIONS)
@pytest.mark.parametrize("suffix", [".veil.json", ".veil"])
def test_it_does_not_depend_on_the_file(what: str, suffix: str, tmp_path: Path) -> None:
    if what == "sketch" and suffix == ".veil.json":
        pytest.skip("a sketch has the compact form only")
    publication = PUBLICATIONS[what]
    publication.save(tmp_path / f"x{suffix}")
    loaded = Publication.load(tmp_path / f"x{suffix}")
    loaded = loaded.over(GROUPS) if what == "grouped" else loaded
    assert fingerprint(loaded) == fingerprint(publication)


def test_what_has_no_plain_content_has_no_fingerprint() -> None:
    assert _digest({"b": 1, "a": None}) == _digest({"a": None, "b": 1})
    assert _digest(True) != _digest(1)
    with pytest.raises(TypeError, match="no fingerprint"):
        _digest(object())
