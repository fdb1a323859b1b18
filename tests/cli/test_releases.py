"""Releases as data: they say what the objects say."""

from __future__ import annotations

import json
from pathlib import Path

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.cli.results import certificate_data, grouping_data, publication_data
from pathveil.files.publications.veil_json import publication_text

NETWORK, WALK = Network.parse("ab bc cd bd"), Walk("abcd")
PUBLICATION = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))


def test_a_certificate_is_its_rows_with_their_words() -> None:
    found = certificate_data(PUBLICATION.certificate)
    first = found["rows"][0]
    assert first["adversary"]["walk_links"] == 1
    assert first["words"] == "one walk link"
    assert first["presence"] == {"expression": "0", "decimal": "0.0000"}
    assert first["notion"] == "symmetric DP"
    assert found["not_protected"] == list(PUBLICATION.certificate.not_protected)


def test_a_publication_says_everything_but_its_bits() -> None:
    found = publication_data(PUBLICATION)
    assert found["policy"] == "sealed(copies=1)"
    assert (found["layering"], found["direction"], found["unsafe"]) == ("exact", True, True)
    assert found["universe"] is None
    with_universe = publish(NETWORK, WALK, universe=NETWORK)
    assert publication_data(with_universe)["universe"]["count"] == 4


def test_a_certificate_says_all_that_its_file_says() -> None:
    stated = json.loads(publication_text(PUBLICATION))["certificate"]
    found = certificate_data(PUBLICATION.certificate)
    assert set(found) == set(stated)
    for key in ("rows", "identification"):
        assert len(found[key]) == len(stated[key]) > 0
        for told, row in zip(found[key], stated[key], strict=True):
            assert row.items() <= told.items()
            assert set(told) - set(row) <= {"words", "notion"}


def test_without_a_grouping_every_key_is_there_and_null() -> None:
    assert set(grouping_data(None, None).values()) == {None}
    assert grouping_data(None, Path("groups.json"))["file"] == "groups.json"
