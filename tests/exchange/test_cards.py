"""Cards, rosters, keys: nothing in a file is trusted, and a key says whose it is."""

from __future__ import annotations

import json
import ssl
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from pathveil.errors import BadFile
from pathveil.exchange.cards import (
    CARD_FORMAT,
    MOST_PARTIES,
    Card,
    Roster,
    make_certificate,
    read_credentials,
)

MADE = {name: make_certificate(name, days=2) for name in ("ann", "bob", "cem")}


def card(name: str, port: int, *vertices: str) -> Card:
    return Card(name, "127.0.0.1", port, vertices, MADE[name][1])


ANN, BOB, CEM = card("ann", 7001, "a", "b"), card("bob", 7002, "c"), card("cem", 7003, "d")
ROSTER = Roster.of([CEM, ANN, BOB])


def test_a_card_is_a_file_that_reads_back_and_people_can_compare() -> None:
    """One item to a line, by name, whoever wrote it; names in their own letters."""
    assert Card.from_json(ANN.to_json(), where="x") == ANN
    shuffled = json.loads(ANN.to_json()) | {"vertices": ["b", "a"]}
    assert Card.from_json(json.dumps(shuffled), where="x") == ANN
    lines = replace(ANN, host="haßloch.example").to_json().splitlines()
    items = [line.partition(":")[0] for line in lines if line.startswith('  "')]
    assert items == [f'  "{item}"' for item in sorted(json.loads(ANN.to_json()))]
    assert '  "host": "haßloch.example",' in lines
    assert f'  "format": "{CARD_FORMAT}",' in lines


REFUSED: dict[str, list[object]] = {
    "name": ["", "a" * 65, "é" * 33, "a\nb", "a/b", "a\\b", 3, "ann ", " ann"],
    "host": ["", "h" * 256, "host name", " host", "https://host", "ann@host"],
    "port": [0, 65536, True, "80"],
    "vertices": [[], ["a", "a"], ["a", 3], "ab"],
    "certificate": ["none", None, ssl.DER_cert_to_PEM_cert(b"broken")],
}
ALLOWED: dict[str, list[object]] = {
    "name": ["a" * 64, "é" * 32, "ann of the north"],
    "host": ["h" * 255, "fe80::1%eth0", "haßloch.example"],
    "port": [1, 65535],
    "vertices": [["z"]],
}


@pytest.mark.regression("a host with a blank, and 'ann ' beside 'ann', were allowed on cards")
def test_nothing_in_a_file_is_trusted_and_the_limits_are_allowed() -> None:
    content = json.loads(ANN.to_json())
    for item, values in REFUSED.items():
        for value in values:
            with pytest.raises(BadFile, match=rf"^x\.json: {item} is .*, expected "):
                Card.from_json(json.dumps(content | {item: value}), where="x.json")
            if item in {"name", "host", "port"}:
                chosen = {k: content[k] for k in ("name", "host", "port", "vertices")}
                with pytest.raises(BadFile, match=f"^{item} is .*, expected "):
                    Card.with_key(*(chosen | {item: value}).values(), days=2)
    for item, values in ALLOWED.items():
        for value in values:
            read = Card.from_json(json.dumps(content | {item: value}), where="x")
            assert getattr(read, item) == (tuple(value) if isinstance(value, list) else value)
    for text in ["", "[]", "{", '{"format": "pathveil-party/2"}', "[" * 100_000]:
        with pytest.raises(BadFile, match=r"^x[:,] "):
            Card.from_json(text, where="x")


def test_a_fingerprint_can_be_read_out() -> None:
    digest = sha256(ANN.der).hexdigest()
    assert ANN.fingerprint == ":".join(digest[k : k + 4] for k in range(0, 32, 4))


def test_a_roster_goes_by_names_and_its_digest_holds_every_card() -> None:
    assert ROSTER.names == ("ann", "bob", "cem")
    assert len(ROSTER) == 3
    assert ROSTER.digest == Roster.of([ANN, BOB, CEM]).digest
    assert ROSTER.digest != Roster.of([ANN, BOB, replace(CEM, vertices=("e",))]).digest


def test_no_name_address_certificate_or_vertex_occurs_twice() -> None:
    for other, said in [
        (replace(CEM, name="bob"), "'bob' and 'bob' have the same name"),
        (replace(CEM, port=7002), "'bob' and 'cem' have the same address"),
        (replace(CEM, certificate=ANN.certificate), "'ann' and 'cem' have the same certificate"),
        (replace(CEM, vertices=("b",)), "'ann' and 'cem' have the same vertex 'b'; each party"),
    ]:
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


def test_a_certificate_says_the_name_and_serves_both_sides() -> None:
    private, public = make_certificate("ann", days=30)
    assert private.endswith(public)
    assert "PRIVATE KEY" in private
    assert "PRIVATE KEY" not in public
    found = x509.load_pem_x509_certificate(public.encode())
    (name,) = found.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    assert name.value == "ann"
    assert found.issuer == found.subject
    # Clocks differ: it counts from yesterday, and for the days asked from now.
    now = datetime.now(UTC)
    assert timedelta(hours=23) < now - found.not_valid_before_utc < timedelta(hours=25)
    assert timedelta(days=29) < found.not_valid_after_utc - now <= timedelta(days=30)
    usage = found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert set(usage) == {ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH}
    basic = found.extensions.get_extension_for_class(x509.BasicConstraints)
    # Other software may ignore the rest.
    assert [part.value for part in found.extensions if part.critical] == [basic.value]
    assert (basic.value.ca, basic.value.path_length) == (True, 0)
    assert make_certificate("ann", days=2)[1] != make_certificate("ann", days=2)[1]


def test_both_sides_must_show_a_certificate_over_the_newest_protocol(tmp_path: Path) -> None:
    key = tmp_path / "bob.key"
    key.write_text(MADE["bob"][0], encoding="ascii")
    mine = read_credentials(ROSTER, key)
    assert mine.me == 1
    for context in (mine.called, mine.calling(MADE["ann"][1])):
        assert context.verify_mode == ssl.CERT_REQUIRED
        assert context.minimum_version == ssl.TLSVersion.TLSv1_3
        assert not context.check_hostname
    trusted = {bytes(der) for der in mine.called.get_ca_certs(binary_form=True)}
    assert trusted == {ROSTER.cards[0].der, ROSTER.cards[2].der}, "all others, and not itself"
    called = mine.calling(MADE["ann"][1]).get_ca_certs(binary_form=True)
    assert [bytes(der) for der in called] == [ROSTER.cards[0].der]


def test_a_key_that_belongs_to_no_card_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "bob.key"
    stranger, _ = make_certificate("bob", days=2)
    halves = MADE["ann"][0].partition("-----BEGIN CERT")[0] + MADE["bob"][1]
    for content, said in [
        (stranger, "belongs to none of the cards, which are those of ann, bob, cem"),
        ("nothing", "belongs to none of the cards"),
        ("\u00e9", "belongs to none of the cards"),
        (MADE["bob"][1], "has no private key for its certificate"),
        (halves, "has no private key for its certificate"),
    ]:
        key.write_text(content, encoding="utf-8")
        with pytest.raises(BadFile, match=said):
            read_credentials(ROSTER, key)


@pytest.mark.regression("of a key with a passphrase it was said that an argument is invalid")
def test_a_key_with_a_passphrase_is_named_and_what_to_do(tmp_path: Path) -> None:
    text = MADE["bob"][0].encode()
    plain = serialization.load_pem_private_key(text, password=None)
    locked = plain.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )
    key = tmp_path / "bob's.key"
    key.write_bytes(locked + MADE["bob"][1].encode())
    with pytest.raises(BadFile, match=r"bob's.* has a passphrase.*openssl pkey"):
        read_credentials(ROSTER, key)
