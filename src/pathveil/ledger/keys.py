"""The key of a ledger, and everything that is keyed: fingerprints, seals, the chain.

A ledger must recognise a network and a walk when they come again, and must give a release back byte
for byte; it must never hold a vertex name. So names pass through this module and nowhere
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

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pathveil.errors import BadFile, BadKey, FileTaken, LedgerBroken
from pathveil.files.atomic_write import part_of
from pathveil.files.safe_open import NotPlain, open_plain
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
    >>> ring.text("terms") == ring.text("terms"), ring.text("terms") == other.text("terms")
    (True, False)
    >>> ring.unseal(ring.seal(b"secret", about="example"), about="example")
    b'secret'
    """

    def __init__(self, master: bytes) -> None:
        if len(master) != _SIZE:
            raise BadKey(f"a ledger's key has {_SIZE} bytes, this one has {len(master)}")
        self._keys = {
            purpose: hmac.digest(master, f"pathveil ledger {purpose}".encode(), sha256)
            for purpose in ("network", "walk", "text", "seal", "chain")
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

    def text(self, text: str) -> str:
        """Return the fingerprint of terms, which may hold names."""
        return self._digest("text", text.encode())

    def written(self, handout: int) -> str:
        """Return the note that the file of this entry was written: only the key can make it."""
        return self.text(f"written {handout}")

    def seal(self, data: bytes, *, about: str, room: int = 0) -> bytes:
        """Return data packed and encrypted; it opens only as what it is about.

        What is packed is as long as what it says takes. Where that is a secret, ``room`` is the
        least number of bytes it is given, a public one; what does not go in gets twice as many,
        until it does.
        """
        packed = zlib.compress(data, 6)
        while 0 < room < len(packed):
            room *= 2
        framed = len(packed).to_bytes(8) + packed.ljust(room, b"\0")
        nonce = os.urandom(_NONCE)
        return nonce + self._aead.encrypt(nonce, framed, about.encode())

    def unseal(self, sealed: bytes, *, about: str) -> bytes:
        """Return what was sealed, or raise :class:`LedgerBroken`."""
        try:
            framed = self._aead.decrypt(sealed[:_NONCE], sealed[_NONCE:], about.encode())
        except (InvalidTag, ValueError):
            raise LedgerBroken(
                f"the sealed part of {about} does not open: it was changed, or moved from another "
                "place; restore the ledger from a backup and run 'pathveil ledger verify'"
            ) from None
        return zlib.decompress(framed[8 : 8 + int.from_bytes(framed[:8])])

    def chain(self, before: str, body: str) -> str:
        """Return the chain's value after an entry: it vouches for everything up to here."""
        message = f"{before}\n{body}".encode()
        return hmac.digest(self._keys["chain"], message, sha256).hex()

    def _digest(self, purpose: str, data: bytes) -> str:
        return blake2b(data, key=self._keys[purpose], digest_size=16).hexdigest()

    def __repr__(self) -> str:
        return "<Keyring>"


def create_key(path: str | Path) -> Keyring:
    """Return a new key, written to a file of its owner alone that was not there before."""
    master = os.urandom(_SIZE)
    try:
        with part_of(Path(path), private=True, replacing=False) as aside:
            aside.write_text(f"{TITLE} {base64.b64encode(master).decode()}\n", encoding="ascii")
    except FileTaken:
        raise BadKey(
            f"{path}: exists; a key is never written over, for everything sealed with it would be "
            "lost: give another name, or the ledger that belongs to it. If it has none, because "
            "'ledger init' was killed, remove it"
        ) from None
    except BadFile as error:
        raise BadKey(f"the ledger's key: {error}") from None
    return Keyring(master)


def load_key(path: str | Path) -> Keyring:
    """Return the key in a file; a key that others may read, or that is a link, is refused."""
    remedy = "give the key file that 'pathveil ledger init' wrote, with --key"
    try:
        number = open_plain(path)
    except NotPlain as error:
        raise BadKey(
            f"{path}: the ledger's key {error.strerror}, and a key is a plain file of its owner; "
            f"{remedy}"
        ) from None
    except OSError as error:
        raise BadKey(
            f"{path}: the ledger's key cannot be read ({error.strerror}); {remedy}"
        ) from None
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


def _framed(name: str) -> bytes:
    """Return a name with its length before it, so that no two lists of names look alike."""
    data = name.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(4) + data
