"""Keys, certificates and mutual TLS between the parties.

Each party signs its own certificate; the cards carry them; only those very certificates are
accepted, whoever may have signed others. TLS 1.3, both sides show a certificate.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from pathveil.errors import BadFile
from pathveil.recovery.exchange.roster import Roster


@dataclass(frozen=True, repr=False)
class Credentials:
    """One party's side of mutual TLS: the context for being called, and one for each call.

    ``calling`` takes the certificate of the party that is called.
    """

    called: ssl.SSLContext
    calling: Callable[[str], ssl.SSLContext]


def make_certificate(name: str, *, days: int) -> tuple[str, str]:
    """Return a fresh private key with its certificate, for one file, and the certificate alone.

    The certificate says the party's name and nothing of vertices, links or files.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    usage = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # clocks differ
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.ExtendedKeyUsage(usage), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = certificate.public_bytes(serialization.Encoding.PEM)
    return (private + public).decode(), public.decode()


def read_credentials(roster: Roster, me: int, key: Path) -> Credentials:
    """Return this party's side of mutual TLS; its key must belong to the certificate on its card.

    Parameters
    ----------
    key
        The file with the private key and its certificate, as :func:`make_certificate` gives them.
    """
    try:
        shown = ssl.PEM_cert_to_DER_cert(_certificate_part(key.read_text(encoding="ascii")))
    except ValueError:
        shown = b""
    if shown != roster.cards[me].der:
        raise BadFile(
            f"{key}: not the key that belongs to the card of {roster.names[me]!r}; give the one "
            "`pathveil party init` made with that card"
        )

    def context(protocol: int, trusted: str) -> ssl.SSLContext:
        made = ssl.SSLContext(protocol)
        made.minimum_version = ssl.TLSVersion.TLSv1_3
        made.check_hostname = False  # the very certificate is compared instead
        made.verify_mode = ssl.CERT_REQUIRED
        made.load_verify_locations(cadata=trusted)
        try:
            made.load_cert_chain(key)
        except ssl.SSLError:
            raise BadFile(
                f"{key}: holds no private key of its certificate; make both anew"
            ) from None
        return made

    others = "".join(card.certificate for i, card in enumerate(roster.cards) if i != me)
    return Credentials(
        called=context(ssl.PROTOCOL_TLS_SERVER, others),
        calling=lambda theirs: context(ssl.PROTOCOL_TLS_CLIENT, theirs),
    )


def _certificate_part(text: str) -> str:
    start = text.find("-----BEGIN CERTIFICATE-----")
    if start < 0:
        raise ValueError("no certificate")
    return text[start:]
