"""Who takes part: one card a party, exchanged beforehand by a way the parties trust.

A card is public: a name, an address, the vertices the party answers for, how many links it may put
in besides, and its certificate. The roster is all cards, in the order of the names. It is the root
of all trust here: only the very certificates on the cards are accepted, no authority signs any.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

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
