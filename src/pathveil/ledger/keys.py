"""The key of a ledger, and everything that is keyed: fingerprints, seals, the chain.

A ledger must recognise a network, a walk and a link when they come again, and must give a release
back byte for byte; it must never hold a vertex name. So names pass through this module and nowhere
else: what is recognised is a keyed digest (who steals the database cannot find a walk by trying),
what is given back is sealed (AES-256-GCM), and both keys come from one file of 32 random bytes that
lies apart from the database, for its owner alone, and is never reached through a symbolic link.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import os
import zlib
from hashlib import blake2b, sha256
from pathlib import Path

import numpy as np
import numpy.typing as npt
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pathveil.errors import BadKey, LedgerBroken
from pathveil.files.safe_open import NotPlain, create_private, open_plain
from pathveil.model.network import Network
from pathveil.model.walk import Walk

TITLE = "pathveil-ledger-key-1"
_SIZE = 32
_NONCE = 12
_LARGEST_KEY_FILE = 4096


class Keyring:
    """Fingerprints, seals and chain links under one master key.

    Examples
    --------
    >>> ring, other = Keyring(bytes(32)), Keyring(bytes([1]) * 32)
    >>> ring.link("b", "a") == ring.link("a", "b"), ring.link("a", "b") == other.link("a", "b")
    (True, False)
    >>> ring.unseal(ring.seal(b"secret", about="example"), about="example")
    b'secret'
    """

    def __init__(self, master: bytes) -> None:
        if len(master) != _SIZE:
            raise BadKey(f"a ledger's key has {_SIZE} bytes, this one has {len(master)}")
        self._keys = {
            purpose: hmac.digest(master, f"pathveil ledger {purpose}".encode(), sha256)
            for purpose in ("network", "walk", "link", "text", "seal", "chain")
        }
        self._aead = AESGCM(self._keys["seal"])
        self._seen: tuple[Network, str] | None = None

    def network(self, network: Network) -> str:
        """Return the fingerprint of exactly these vertices and links."""
        # One command asks several times about one large network.
        if self._seen is None or self._seen[0] is not network:
            names = (_framed(name) for name in network.vertices)
            data = b"".join([*names, network.pairs.astype("<i8").tobytes()])
            self._seen = network, self._digest("network", data)
        return self._seen[1]

    def walk(self, walk: Walk) -> str:
        """Return the fingerprint of a walk; the same walk backwards is another walk."""
        return self._digest("walk", b"".join(_framed(name) for name in walk.vertices))

    def link(self, u: str, v: str) -> str:
        """Return the fingerprint of a link, whichever end is named first."""
        first, second = sorted((u, v))
        return self._digest("link", _framed(first) + _framed(second))

    def text(self, text: str) -> str:
        """Return the fingerprint of terms, which may hold names."""
        return self._digest("text", text.encode())

    def link_numbers(self, network: Network) -> npt.NDArray[np.uint64]:
        """Return a number for each link, in the network's order: half of its fingerprint.

        *Cost*: about two microseconds a link; wanted once for each network.
        """
        return np.fromiter(
            (number_of(self.link(u, v)) for u, v in network.links),
            dtype=np.uint64,
            count=len(network.pairs),
        )

    def seal(self, data: bytes, *, about: str, room: int | None = None) -> bytes:
        """Return data packed and encrypted; it opens only as what it is about.

        What is packed is as long as what it says takes. Where that is a secret, ``room`` is the
        least number of bytes it is given, a public one; what does not go in gets twice as many,
        until it does.
        """
        packed = zlib.compress(data, 6)
        if room is None:
            return self._encrypted(packed, about)
        return self.seal_padded(packed, about=about, room=ample_room(room, len(packed)))

    def unseal(self, sealed: bytes, *, about: str) -> bytes:
        """Return what was sealed, with room or without, or raise :class:`LedgerBroken`."""
        found = self._decrypted(sealed, about)
        # Packed data never begin with a zero byte, and a length of eight bytes always does.
        return zlib.decompress(_without_room(found) if found[:1] == b"\0" else found)

    def seal_padded(self, data: bytes, *, about: str, room: int) -> bytes:
        """Return data encrypted, as long as any other that has the same room.

        >>> ring = Keyring(bytes(32))
        >>> [len(ring.seal_padded(b"x" * n, about="row", room=100)) for n in (0, 7, 100)]
        [136, 136, 136]
        """
        if len(data) > room:
            raise ValueError(f"{len(data)} bytes do not go into a room of {room}")
        return self._encrypted(len(data).to_bytes(8, "big") + data.ljust(room, b"\0"), about)

    def _encrypted(self, data: bytes, about: str) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + self._aead.encrypt(nonce, data, about.encode())

    def _decrypted(self, sealed: bytes, about: str) -> bytes:
        try:
            return self._aead.decrypt(sealed[:_NONCE], sealed[_NONCE:], about.encode())
        except (InvalidTag, ValueError, TypeError):  # SQLite keeps a number where bytes should be
            raise LedgerBroken(
                f"the sealed part of {about} does not open: it was changed, or moved from another "
                "place; restore the ledger from a backup and run 'pathveil ledger verify'"
            ) from None

    def chain(self, before: str, body: str) -> str:
        """Return the chain's value after an entry: it vouches for everything up to here."""
        message = f"{before}\n{body}".encode()
        return hmac.digest(self._keys["chain"], message, sha256).hex()

    def _digest(self, purpose: str, data: bytes) -> str:
        return blake2b(data, key=self._keys[purpose], digest_size=16).hexdigest()

    def __repr__(self) -> str:
        return "<Keyring>"


def number_of(link: str) -> int:
    """Return the first half of a link's fingerprint as a number."""
    return int(link[:16], 16)


def create_key(path: str | Path) -> Keyring:
    """Return a new key, written to a file of its owner alone that was not there before."""
    try:
        number = create_private(path)
    except FileExistsError:
        raise BadKey(
            f"{path}: exists; a key is never written over, for everything sealed with it would be "
            "lost: give another name, or the ledger that belongs to it"
        ) from None
    except OSError as error:
        raise BadKey(
            f"{path}: the key cannot be written ({error.strerror}); choose another place"
        ) from None
    master = os.urandom(_SIZE)
    with os.fdopen(number, "wb") as file:
        file.write(f"{TITLE} {base64.b64encode(master).decode()}\n".encode())
        file.flush()
        os.fsync(file.fileno())
    return Keyring(master)


def load_key(
    path: str | Path,
    *,
    whose: str = "the ledger's key",
    remedy: str = "give the key file that 'pathveil ledger init' wrote, with --key",
) -> Keyring:
    """Return the key in a file; a key that others may read, or that is a link, is refused.

    ``whose`` and ``remedy`` are for the message: what it is the key of, and what to do without.
    """
    try:
        number = open_plain(path)
    except NotPlain as error:
        raise BadKey(
            f"{path}: {whose} {error.strerror}, and a key is a plain file of its owner; {remedy}"
        ) from None
    except OSError as error:
        raise BadKey(f"{path}: {whose} cannot be read ({error.strerror}); {remedy}") from None
    try:
        mode = os.fstat(number).st_mode
        if os.name == "posix" and mode & 0o077:
            raise BadKey(
                f"{path}: may be read by others (mode {mode & 0o777:o}); run: chmod 600 {path}"
            )
        text = os.read(number, _LARGEST_KEY_FILE)
    finally:
        os.close(number)
    title, _, rest = text.strip().partition(b" ")
    try:
        master = base64.b64decode(rest, validate=True) if title == TITLE.encode() else b""
    except binascii.Error:
        master = b""
    if len(master) != _SIZE:
        raise BadKey(f"{path}: is no key of a ledger, expected one line '{TITLE} ...'")
    return Keyring(master)


def ample_room(least: int, needed: int) -> int:
    """Return how much room is given: the least, or twice as much, and so on, until all goes in.

    >>> ample_room(100, 7), ample_room(100, 300)
    (100, 400)
    """
    while least < needed:
        least *= 2
    return least


def power_of_two(least: int) -> int:
    """Return the smallest power of two that is no less: a room that tells little of what asks it.

    >>> power_of_two(1), power_of_two(1000), power_of_two(1024)
    (1, 1024, 1024)
    """
    return 1 << (least - 1).bit_length()


def _without_room(padded: bytes) -> bytes:
    return padded[8 : 8 + int.from_bytes(padded[:8], "big")]


def _framed(name: str) -> bytes:
    """Return a name with its length before it, so that no two lists of names look alike."""
    data = name.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(4) + data
