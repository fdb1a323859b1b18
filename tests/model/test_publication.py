from __future__ import annotations

from pathlib import Path

import pytest

from pathveil import Network, Publication, Seeded, Walk, publish
from pathveil.chance.source import System
from pathveil.model.publication import Certificate, CertificateRow, Loss, PolicyTerms

NETWORK = Network.parse("ab bc cd bd")


def test_nodes_and_covers_have_names() -> None:
    publication = publish(NETWORK, Walk("abcd"), source=Seeded(1))
    named = {node.vertex for layer in publication.layers for node in layer}
    assert named == set("abcd")
    for upper, lower in publication.covers:
        assert publication.same_branch(upper[:2], lower[:2])
    assert publication.same_branch(("b", 0), ("d", 0))
    assert not publication.same_branch(("c", 0), ("d", 0))


def test_the_direction_bit_belongs_to_the_exact_layering() -> None:
    publication = publish(NETWORK, Walk("abcd"), source=Seeded(1))
    with pytest.raises(ValueError, match="always has a direction bit"):
        Publication(publication.layered, "exact", None, publication.policy)
    with pytest.raises(ValueError, match="never"):
        Publication(publication.layered, "backtracking", True, publication.policy)


def test_only_a_seed_stamps_a_release() -> None:
    assert publish(NETWORK, Walk("abcd"), source=Seeded(1)).unsafe
    assert not publish(NETWORK, Walk("abcd"), source=System()).unsafe
    assert not publish(NETWORK, Walk("abcd")).unsafe


def test_saving_and_loading(tmp_path: Path) -> None:
    publication = publish(NETWORK, Walk("abcd"), source=Seeded(2))
    publication.save(tmp_path / "x.veil.json")
    first = (tmp_path / "x.veil.json").read_bytes()
    again = Publication.load(tmp_path / "x.veil.json")
    assert again == publication
    again.save(tmp_path / "y.veil.json")
    assert (tmp_path / "y.veil.json").read_bytes() == first


def test_certificates_are_read_by_name() -> None:
    row = CertificateRow("one walk edge", Loss("ln 2", "0.6932"), Loss("inf", "inf"), "one-sided")
    certificate = Certificate((row,))
    assert certificate.row("one walk edge") is row
    assert float(row.presence) == pytest.approx(0.6932)
    assert str(row.absence) == "infinite"
    with pytest.raises(KeyError, match="it lists: one walk edge"):
        certificate.row("nobody")


def test_policy_terms_read_well() -> None:
    assert str(PolicyTerms("paper", (("edge", "1/2"),))) == "paper(edge=1/2)"
