"""Who takes part: one card a party, exchanged beforehand by a way the parties trust.

A card is public: a name, an address, the vertices the party answers for, how many links it may put
in besides, and its certificate. The roster is all cards, in the order of the names. It is the root
of all trust here: only the very certificates on the cards are accepted, no authority signs any.

Keys, certificates and mutual TLS between the parties.

Each party signs its own certificate; the cards carry them; only those very certificates are
accepted, whoever may have signed others. TLS 1.3, both sides show a certificate.
"""

from __future__ import annotations

import ipaddress
import json
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from pathveil.errors import BadFile

CARD_FORMAT = "pathveil-party/1"
MOST_PARTIES = 250
"""A party's number travels as one byte."""

_MOST_VERTICES = 100_000
_MOST_LINKS = 10_000


@dataclass(frozen=True)
class Card:
    """One party, as the others know it."""

    name: str
    host: str
    port: int
    vertices: tuple[str, ...]
    links: int
    certificate: str

    @property
    def der(self) -> bytes:
        """The certificate's bytes."""
        import ssl

        return ssl.PEM_cert_to_DER_cert(self.certificate)

    @property
    def fingerprint(self) -> str:
        """What two people compare by telephone: SHA-256 of the certificate."""
        digest = sha256(self.der).hexdigest()
        return ":".join(digest[i : i + 4] for i in range(0, 32, 4))

    @property
    def is_on_loopback(self) -> bool:
        """Whether the address cannot be reached from another machine."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def to_json(self) -> str:
        """Return the card as a file holds it."""
        content = {
            "format": CARD_FORMAT,
            "name": self.name,
            "host": self.host,
            "port": self.port,
            "vertices": list(self.vertices),
            "links": self.links,
            "certificate": self.certificate,
        }
        return json.dumps(content, indent=2, ensure_ascii=False, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str, *, where: str) -> Card:
        """Return the card in a file, trusting nothing in it.

        >>> Card.from_json('{"format": "pathveil-party/1", "name": 3}', where="x.card.json")
        Traceback (most recent call last):
        pathveil.errors.BadFile: x.card.json: name is 3, expected a text of 1 to 64 characters
        """
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadFile(f"{where}: no JSON ({error}); ask for the card again") from None
        if not isinstance(content, dict) or content.get("format") != CARD_FORMAT:
            raise BadFile(f"{where}: no card of a party; expected format {CARD_FORMAT!r}")
        for item, is_fine, expected in _ITEMS:
            if not is_fine(content.get(item)):
                found = repr(content.get(item))
                raise BadFile(f"{where}: {item} is {found[:40]}, expected {expected}")
        vertices = tuple(sorted(content["vertices"]))
        return cls(
            content["name"],
            content["host"],
            content["port"],
            vertices,
            content["links"],
            content["certificate"],
        )


@dataclass(frozen=True)
class Roster:
    """All parties, in the order of their names."""

    cards: tuple[Card, ...]

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Roster:
        """Return the roster of some cards; no name, address or vertex may occur twice."""
        ordered = tuple(sorted(cards, key=lambda card: card.name))
        if not 3 <= len(ordered) <= MOST_PARTIES:
            raise BadFile(
                f"{len(ordered)} cards, expected 3 to {MOST_PARTIES}: with fewer than three "
                "parties there is no honest majority, and each would learn the other's input"
            )
        seen: dict[tuple[str, object], str] = {}
        for card in ordered:
            facts: list[tuple[str, object]] = [
                ("name", card.name),
                ("address", (card.host, card.port)),
                ("certificate", card.der),
                *(("vertex", vertex) for vertex in card.vertices),
            ]
            for fact in facts:
                if fact in seen:
                    what = fact[0] if fact[0] != "vertex" else f"vertex {fact[1]!r}"
                    raise BadFile(
                        f"the cards of {seen[fact]!r} and {card.name!r} have the same {what}; "
                        "each party needs its own"
                    )
                seen[fact] = card.name
        return cls(ordered)

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def names(self) -> tuple[str, ...]:
        """The parties' names; a party's number is its place here."""
        return tuple(card.name for card in self.cards)

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 over all cards."""
        return sha256("".join(card.to_json() for card in self.cards).encode()).digest()

    def number_of(self, name: str) -> int:
        """Return the number of a party."""
        if name not in self.names:
            raise BadFile(f"there is no card of {name!r}; there are cards of {self.names}")
        return self.names.index(name)


def _is_text(value: Any, longest: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= longest and value.isprintable()


def _is_count(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _are_names(value: Any) -> bool:
    if not isinstance(value, list) or len(value) > _MOST_VERTICES:
        return False
    return all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _is_certificate(value: Any) -> bool:
    import ssl

    try:
        return isinstance(value, str) and bool(ssl.PEM_cert_to_DER_cert(value))
    except ValueError:
        return False


_ITEMS: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("name", lambda value: _is_text(value, 64), "a text of 1 to 64 characters"),
    ("host", lambda value: _is_text(value, 255), "a host name or address"),
    ("port", lambda value: _is_count(value, 1, 65535), "a whole number, 1 to 65535"),
    ("vertices", _are_names, "a list of different names"),
    ("links", lambda value: _is_count(value, 0, _MOST_LINKS), f"0 to {_MOST_LINKS}"),
    ("certificate", _is_certificate, "a certificate in PEM"),
)


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
