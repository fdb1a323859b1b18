from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from pathveil.errors import BadFile
from pathveil.exchange.cards import Card, Roster, make_certificate, read_credentials

MADE = {name: make_certificate(name, days=2) for name in ("ann", "bob", "cem")}
ROSTER = Roster.of(
    Card(name, "127.0.0.1", 7001 + k, (), 0, public)
    for k, (name, (_, public)) in enumerate(MADE.items())
)


def test_a_certificate_says_the_name_and_serves_both_sides() -> None:
    private, public = make_certificate("ann", days=30)
    assert private.endswith(public)
    assert "PRIVATE KEY" in private
    assert "PRIVATE KEY" not in public
    found = x509.load_pem_x509_certificate(public.encode())
    (name,) = found.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    assert name.value == "ann"
    assert found.issuer == found.subject
    # Clocks differ: it counts from yesterday, and for so many days from now.
    now = datetime.now(UTC)
    assert timedelta(hours=23) < now - found.not_valid_before_utc < timedelta(hours=25)
    assert timedelta(days=29) < found.not_valid_after_utc - now <= timedelta(days=30)
    usage = found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert set(usage) == {ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH}
    basic = found.extensions.get_extension_for_class(x509.BasicConstraints)
    # The rest may be passed over by who does not know it.
    assert [part.value for part in found.extensions if part.critical] == [basic.value]
    assert (basic.value.ca, basic.value.path_length) == (True, 0)
    assert make_certificate("ann", days=2)[1] != make_certificate("ann", days=2)[1]


def test_both_sides_must_show_a_certificate_over_the_newest_protocol(tmp_path: Path) -> None:
    key = tmp_path / "bob.key"
    key.write_text(MADE["bob"][0], encoding="ascii")
    mine = read_credentials(ROSTER, 1, key)
    for context in (mine.called, mine.calling(MADE["ann"][1])):
        assert context.verify_mode == ssl.CERT_REQUIRED
        assert context.minimum_version == ssl.TLSVersion.TLSv1_3
        assert not context.check_hostname
    trusted = {bytes(der) for der in mine.called.get_ca_certs(binary_form=True)}
    assert trusted == {ROSTER.cards[0].der, ROSTER.cards[2].der}, "all others, and not itself"
    called = mine.calling(MADE["ann"][1]).get_ca_certs(binary_form=True)
    assert [bytes(der) for der in called] == [ROSTER.cards[0].der]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (MADE["ann"][0], "not the key that belongs to the card of 'bob'"),
        ("nothing", "not the key that belongs to the card of 'bob'"),
        ("\u00e9", "not the key that belongs to the card of 'bob'"),
        (MADE["bob"][1], "holds no private key of its certificate"),
        (MADE["ann"][0].partition("-----BEGIN CERT")[0] + MADE["bob"][1], "holds no private key"),
    ],
    ids=["another's", "none", "no text", "certificate alone", "two halves"],
)
def test_a_key_that_does_not_belong_to_the_card_is_refused(
    tmp_path: Path, content: str, said: str
) -> None:
    key = tmp_path / "bob.key"
    key.write_text(content, encoding="utf-8")
    with pytest.raises(BadFile, match=said):
        read_credentials(ROSTER, 1, key)
