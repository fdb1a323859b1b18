"""Sentences that were false, and choices that replaced them."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.files.publications.veil_json import parse_publication, publication_text
from pathveil.policies import KINDS

ROOT = Path(__file__).parents[2]
FALSE = (
    "ln 2 doubles the odds at most",
    "bounds how far this release moves the odds",
    "never a wrong walk",
)


@pytest.mark.regression("two false sentences about losses and odds")
def test_no_page_says_that_a_loss_bounds_the_odds() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py")]
    assert len(pages) > 50
    for page in pages:
        text = " ".join(page.read_text("utf-8").split())
        for sentence in FALSE:
            assert sentence not in text, page
    release = publish(Network.parse("ab bc cd"), Walk("abcd"), source=Seeded(1))
    assert all(sentence not in publication_text(release) for sentence in FALSE)


@pytest.mark.regression("direction told or untold: in file, certificate and reading")
@pytest.mark.parametrize("kind", [Policy.balanced(), Policy.sealed()], ids=str)
def test_direction_is_a_choice(kind: Policy) -> None:
    """In the file, the certificate and the reading; told has a row that promises nothing."""
    network, walk = Network.parse("ab bc cd bd"), Walk("dcba")
    told = publish(network, walk, policy=kind, source=Seeded(1))
    untold = publish(network, walk, policy=kind, direction="hidden", source=Seeded(1))
    for release, order in ((told, "known"), (untold, "either_way")):
        back = parse_publication(publication_text(release))
        assert back == release
        found = reconstruct(back, network)
        assert found.order == order
        assert found.walk in (walk, walk.reversed())
    assert reconstruct(told, network).walk == walk
    assert json.loads(publication_text(untold))["direction"] is None
    bare = [row for row in told.certificate.rows if row.adversary.kind == "knows-direction"]
    assert bare
    assert all(float(row.presence) == inf for row in bare)
    assert not [row for row in untold.certificate.rows if row.adversary.kind == "knows-direction"]


def test_every_policy_names_what_it_does_not_protect() -> None:
    network, walk = Network.parse("ab bc cd"), Walk("abcd")
    labels = dict.fromkeys("abcd", "x")
    given = {
        "balanced": Policy.balanced(),
        "sealed": Policy.sealed(),
        "frontier": Policy.frontier(walk_loss=1),
        "labelled": Policy.labelled(labels, {("x", "x"): "1/2"}),
        "two-sided": Policy.two_sided(epsilon=1),
        "remembering": Policy.remembering(prior=("1/2", "1/2")),
        "paper": Policy.paper(vertex=1, link=1),
    }
    assert given.keys() <= {kind.name for kind in KINDS}
    for policy in given.values():
        said = " ".join(publish(network, walk, policy=policy).certificate.not_protected)
        assert "network" in said
