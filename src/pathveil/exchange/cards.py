"""Cards, roster and keys: who takes part in an exchange, and how the parties know each other.

A card is public: a party's name, its address, the vertices it answers for, and its certificate. The
parties hand each other their cards beforehand, by a way they trust. The roster is all cards, sorted
by name. All trust starts there: each party makes its own certificate, and a connection (TLS 1.3,
both sides show a certificate) counts only with a certificate from the roster.
"""

from __future__ import annotations

import json
import shlex
import ssl
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
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
from pathveil.files.atomic_write import read_text, shorten
from pathveil.files.strict_json import parse_json

CARD_FORMAT = "pathveil-party/1"
CARD_SUFFIX = ".card.json"
_CARD_LIMIT = 16 * 1024 * 1024
MOST_PARTIES = 250
"""A party's number travels as one byte."""

_MOST_VERTICES = 100_000


@dataclass(frozen=True)
class Card:
    """One party, as the others know it."""

    name: str
    host: str
    port: int
    vertices: tuple[str, ...]
    certificate: str

    @property
    def der(self) -> bytes:
        """The certificate's bytes."""
        return ssl.PEM_cert_to_DER_cert(self.certificate)

    @property
    def fingerprint(self) -> str:
        """What two people compare by telephone: SHA-256 of the certificate."""
        digest = sha256(self.der).hexdigest()
        return ":".join(digest[i : i + 4] for i in range(0, 32, 4))

    def to_json(self) -> str:
        """Return the card as a file holds it."""
        content = {"format": CARD_FORMAT, **asdict(self)}
        return json.dumps(content, indent=2, ensure_ascii=False, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str, *, where: str) -> Card:
        """Return the card in a file, trusting nothing in it.

        >>> Card.from_json('{"format": "pathveil-party/1", "name": 3}', where="x")
        Traceback (most recent call last):
        pathveil.errors.BadFile: x: name is 3, expected 1 to 64 bytes, no slash, no blank at an end
        """
        content = parse_json(text, where)
        if not isinstance(content, dict) or content.get("format") != CARD_FORMAT:
            raise BadFile(f"{where}: not a party's card; expected format {CARD_FORMAT!r}")
        items = [*_CHOSEN, *_GENERATED]
        _require(content, items, f"{where}: ")
        stated = {item: content[item] for item, _, _ in items}
        return cls(**{**stated, "vertices": tuple(sorted(stated["vertices"]))})

    @classmethod
    def with_key(cls, name: str, host: str, port: int, holds: Iterable[str], *, days: int) -> Made:
        """Return a new party's card and, for a file of its own, the private key that belongs to it.

        Raises
        ------
        BadFile
            If the name, the address or the vertices cannot be on a card.
        """
        vertices = tuple(sorted(holds))
        chosen = {"name": name, "host": host, "port": port, "vertices": list(vertices)}
        _require(chosen, _CHOSEN, "")
        key, certificate = make_certificate(name, days=days)
        return cls(name, host, port, vertices, certificate), key


Made = tuple[Card, str]
"""A card, and the text of the file with its private key."""


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
                f"{len(ordered)} cards, expected 3 to {MOST_PARTIES}: two parties have no honest "
                "majority, each would learn what the other puts in"
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

    @classmethod
    def read(cls, places: Iterable[Path]) -> Roster:
        """Return the roster of some card files, or of all cards in some folders."""
        files: list[Path] = []
        for place in places:
            files += sorted(place.glob(f"*{CARD_SUFFIX}")) if place.is_dir() else [place]
        read = ((read_text(file, limit=_CARD_LIMIT), str(file)) for file in files)
        return cls.of(Card.from_json(text, where=where) for text, where in read)

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def names(self) -> tuple[str, ...]:
        """The parties' names; a party's number is its place here."""
        return tuple(card.name for card in self.cards)

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 over all cards."""
        text = "".join(card.to_json() for card in self.cards)
        return sha256(text.encode(errors="surrogatepass")).digest()


def _is_name(value: Any) -> bool:
    # A certificate takes 64 bytes, and the name becomes the name of a file.
    return _is_text(value, 64) and not set("/\\") & set(value) and value == value.strip()


def _is_host(value: Any) -> bool:
    return _is_text(value, 255) and not set(" /\\@") & set(value)


def _is_text(value: Any, longest: int) -> bool:
    is_text = isinstance(value, str) and value.isprintable()
    return is_text and 0 < len(value.encode()) <= longest


def _is_count(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _are_names(value: Any) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST_VERTICES:
        return False
    return all(isinstance(name, str) and name for name in value) and len(set(value)) == len(value)


def _is_certificate(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(
            x509.load_der_x509_certificate(ssl.PEM_cert_to_DER_cert(value))
        )
    except ValueError:
        return False


Item = tuple[str, Callable[[Any], bool], str]
"""A card's item, whether a value is allowed, and which values are."""

_CHOSEN: list[Item] = [
    ("name", _is_name, "1 to 64 bytes, no slash, no blank at an end"),
    ("host", _is_host, "a host name or address, with no blank or slash"),
    ("port", lambda value: _is_count(value, 1, 65535), "a whole number, 1 to 65535"),
    ("vertices", _are_names, "one or more different names"),
]
_GENERATED: list[Item] = [("certificate", _is_certificate, "a certificate in PEM")]


def _require(content: Mapping[str, Any], items: list[Item], where: str) -> None:
    for item, is_allowed, expected in items:
        if not is_allowed(content.get(item)):
            value = shorten(content.get(item))
            raise BadFile(f"{where}{item} is {value}, expected {expected}")


@dataclass(frozen=True, repr=False)
class Credentials:
    """One party's side of mutual TLS.

    Attributes
    ----------
    me
        The party's number in the roster.
    called
        The context for being called.
    calling
        The context for a call to the party with a given certificate.
    """

    me: int
    called: ssl.SSLContext
    calling: Callable[[str], ssl.SSLContext]


def make_certificate(name: str, *, days: int) -> tuple[str, str]:
    """Return a new private key together with its certificate, and the certificate alone.

    The certificate holds the party's name, and nothing about vertices, links or files.
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
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = certificate.public_bytes(serialization.Encoding.PEM)
    return (private + public).decode(), public.decode()


def read_credentials(roster: Roster, key: Path) -> Credentials:
    """Return one party's side of mutual TLS; its key says which card of the roster is its own.

    Parameters
    ----------
    key
        The file with the private key and its certificate, as `pathveil party init` writes it.
    """
    try:
        held = x509.load_pem_x509_certificate(key.read_bytes())
        shown = held.public_bytes(serialization.Encoding.DER)
    except ValueError:
        shown = b""
    me = next((number for number, card in enumerate(roster.cards) if card.der == shown), None)
    if me is None:
        raise BadFile(
            f"{key}: belongs to none of the cards, which are those of {', '.join(roster.names)}; "
            "give the key that `pathveil party init` wrote together with your card"
        )

    def refuse() -> str:
        own = shlex.quote(str(key))
        raise BadFile(
            f"{key}: its private key has a passphrase, and is read only without one; make a file "
            f"without it: openssl pkey -in {own} -out plain.key && openssl x509 -in {own} >> "
            "plain.key; it is secret, keep it readable by you alone"
        )

    def context(protocol: int, trusted: str) -> ssl.SSLContext:
        made = ssl.SSLContext(protocol)
        made.minimum_version = ssl.TLSVersion.TLSv1_3
        made.check_hostname = False  # the whole certificate is compared instead
        made.verify_mode = ssl.CERT_REQUIRED
        made.load_verify_locations(cadata=trusted)
        try:
            made.load_cert_chain(key, password=refuse)  # OpenSSL itself would ask for one
        except ssl.SSLError:
            raise BadFile(
                f"{key}: has no private key for its certificate; make a new key and card"
            ) from None
        return made

    others = "".join(card.certificate for i, card in enumerate(roster.cards) if i != me)
    return Credentials(
        me,
        called=context(ssl.PROTOCOL_TLS_SERVER, others),
        calling=lambda theirs: context(ssl.PROTOCOL_TLS_CLIENT, theirs),
    )
