from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from pathveil.errors import BadFile
from pathveil.exchange.cards import CARD_FORMAT, MOST_PARTIES, Card, Roster, make_certificate

PEM = {name: make_certificate(name, days=2)[1] for name in ("ann", "bob", "cem")}


def card(name: str, port: int, *vertices: str) -> Card:
    return Card(name, "127.0.0.1", port, vertices, 0, PEM[name])


ANN, BOB, CEM = card("ann", 7001, "a", "b"), card("bob", 7002, "c"), card("cem", 7003)


def test_a_card_reads_back_from_its_file() -> None:
    assert Card.from_json(ANN.to_json(), where="x") == ANN
    shuffled = json.loads(ANN.to_json()) | {"vertices": ["b", "a"]}
    assert Card.from_json(json.dumps(shuffled), where="x") == ANN
    assert json.loads(ANN.to_json())["format"] == CARD_FORMAT
    assert ANN.to_json().endswith("}\n")


def test_a_card_is_a_file_that_people_can_read_and_compare() -> None:
    """One item to a line, by name, whoever wrote it; names in their own letters."""
    lines = replace(ANN, host="haßloch.example").to_json().splitlines()
    items = [line.partition(":")[0] for line in lines if line.startswith('  "')]
    assert items == [f'  "{item}"' for item in sorted(json.loads(ANN.to_json()))]
    assert '  "host": "haßloch.example",' in lines


@pytest.mark.parametrize(
    ("item", "value", "expected"),
    [
        ("name", "", "a text of 1 to 64 characters"),
        ("name", "a" * 65, "a text of 1 to 64 characters"),
        ("name", "a\nb", "a text of 1 to 64 characters"),
        ("host", "h" * 256, "a host name or address"),
        ("port", 0, "a whole number, 1 to 65535"),
        ("port", 65536, "a whole number, 1 to 65535"),
        ("port", True, "a whole number, 1 to 65535"),
        ("port", "80", "a whole number, 1 to 65535"),
        ("vertices", ["a", "a"], "a list of different names"),
        ("vertices", ["a", 3], "a list of different names"),
        ("vertices", "ab", "a list of different names"),
        ("links", -1, "0 to 10000"),
        ("links", 10_001, "0 to 10000"),
        ("certificate", "none", "a certificate in PEM"),
        ("certificate", None, "a certificate in PEM"),
    ],
)
def test_nothing_in_a_file_is_trusted(item: str, value: object, expected: str) -> None:
    content = json.loads(ANN.to_json()) | {item: value}
    with pytest.raises(BadFile, match=rf"x\.json: {item} is .*, expected {expected}"):
        Card.from_json(json.dumps(content), where="x.json")


@pytest.mark.parametrize(
    ("item", "value"),
    [
        ("name", "a" * 64),
        ("host", "h" * 255),
        ("port", 1),
        ("port", 65535),
        ("links", 10_000),
        ("vertices", []),
    ],
)
def test_the_limits_themselves_are_allowed(item: str, value: object) -> None:
    content = json.loads(ANN.to_json()) | {item: value}
    found = Card.from_json(json.dumps(content), where="x")
    assert getattr(found, item) == (tuple(value) if isinstance(value, list) else value)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": "pathveil-party/2"}', "[" * 100_000])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(BadFile, match=r"ask for the card again|no card of a party"):
        Card.from_json(text, where="x")


def test_a_fingerprint_can_be_read_out() -> None:
    digest = sha256(ANN.der).hexdigest()
    assert ANN.fingerprint == ":".join(digest[k : k + 4] for k in range(0, 32, 4))
    assert ANN.fingerprint.count(":") == 7


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("10.0.0.1", False),
        ("a.example", False),
    ],
)
def test_loopback_cannot_be_reached_from_elsewhere(host: str, here: object) -> None:
    assert replace(ANN, host=host).is_on_loopback == here


def test_a_roster_goes_by_names_and_its_digest_holds_every_card() -> None:
    roster = Roster.of([CEM, ANN, BOB])
    assert roster.names == ("ann", "bob", "cem")
    assert len(roster) == 3
    assert roster.number_of("cem") == 2
    assert roster.digest == Roster.of([ANN, BOB, CEM]).digest
    assert roster.digest != Roster.of([ANN, BOB, replace(CEM, links=1)]).digest
    with pytest.raises(BadFile, match="no card of 'dan'; there are cards of"):
        roster.number_of("dan")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (replace(CEM, name="bob"), "'bob' and 'bob' have the same name"),
        (replace(CEM, port=7002), "'bob' and 'cem' have the same address"),
        (replace(CEM, certificate=PEM["ann"]), "'ann' and 'cem' have the same certificate"),
        (replace(CEM, vertices=("b",)), "'ann' and 'cem' have the same vertex 'b'; each party"),
    ],
)
def test_no_name_address_certificate_or_vertex_occurs_twice(other: Card, said: str) -> None:
    with pytest.raises(BadFile, match=said):
        Roster.of([ANN, BOB, other])
    assert Roster.of([ANN, BOB, replace(CEM, host="10.0.0.1", port=7002)])


def test_two_parties_have_no_honest_majority() -> None:
    with pytest.raises(BadFile, match=f"2 cards, expected 3 to {MOST_PARTIES}"):
        Roster.of([ANN, BOB])
    many = [replace(ANN, name=str(k)) for k in range(MOST_PARTIES + 1)]
    with pytest.raises(BadFile, match="251 cards, expected 3 to 250"):
        Roster.of(many)
    assert MOST_PARTIES < 0xFF, "a party's number, and nobody's, travel as one byte"
