"""The journal of a batch: one random key and the terms it belongs to, until the batch is done.

Coins are thrown once. A batch that was stopped must go on with the same coins: others would make
the walks that are out already lose once more. So the coins of each walk come from a stream that is
keyed by HMAC of the journal's key over everything that decides the release: the network, the terms,
the release before it, the number of the line and the walk. The same input gives the same coins; any
change gives independent ones. Nothing else has to be kept, but of envelopes, which are never made
twice the same: the digest of each is noted before its file takes its name. A digest that was cut
is no file's, and a file that is not noted is not replaced.

One process at a time may hold a journal: a second one would end with files that are not its own.
The key is its owner's alone (mode 0600) and goes when the batch is done. Whoever has it and guesses
a walk can check the guess against the files, so it is as secret as the walks.
"""

from __future__ import annotations

import hmac
import json
import os
from hashlib import sha256
from io import FileIO
from pathlib import Path

from pathveil.chance.source import Keyed
from pathveil.errors import BadFile, FileTaken
from pathveil.files.atomic_write import hold_alone, write_aside
from pathveil.files.safe_open import open_plain

FORMAT = "pathveil batch journal 6"
KEY_BYTES = 32


class BatchJournal:
    """The key of a batch, made if there is none yet.

    Parameters
    ----------
    path
        Where it is.
    terms
        What all walks of the batch have in common, as one text.

    Attributes
    ----------
    resumed
        Whether the batch was begun before.

    Raises
    ------
    BadFile
        If the file is no such journal, is damaged, belongs to another batch, or another process
        holds it.
    """

    def __init__(self, path: Path, terms: str) -> None:
        self.path = path
        self.resumed = path.is_symlink() or path.exists()
        if not self.resumed:
            self.resumed = not self._create(os.urandom(KEY_BYTES), terms)
        try:
            self._file = FileIO(open_plain(path, os.O_RDWR | os.O_APPEND), "r+")
        except OSError as error:
            raise BadFile(
                f"{path}: {error.strerror}, expected the journal of a batch that nobody else is "
                "at work on; choose another output, or run again"
            ) from None
        try:
            hold_alone(self._file.fileno(), path)
            self._key = self._load(terms)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let another process go on with it."""
        self._file.close()

    def source(self, *parts: bytes) -> Keyed:
        """Return the coins for what these parts say; the same parts give the same coins."""
        return Keyed(_mac(self._key, b"coins", *parts))

    def note(self, content: bytes) -> None:
        """Note an envelope that is about to be written."""
        self._file.write(f"\n{sha256(content).hexdigest()}".encode())

    def noted(self, path: Path) -> bool:
        """Return whether a file holds an envelope that this batch wrote before it was stopped."""
        return path.is_file() and sha256(path.read_bytes()).hexdigest() in self._notes

    def remove(self) -> None:
        """Take the journal away: everything was handed out."""
        self.path.unlink(missing_ok=True)
        self.close()

    def _create(self, key: bytes, terms: str) -> bool:
        """Write a new journal; return False if another process was first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        facts = {"journal": FORMAT, "key": key.hex(), "terms": _terms_mark(key, terms).hex()}
        try:
            write_aside(self.path, json.dumps(facts) + "\n", private=True, replacing=False)
        except FileTaken:
            return False
        return True

    def _load(self, terms: str) -> bytes:
        try:
            first, *notes = self._file.read().decode().splitlines()
            self._notes, facts = frozenset(notes), json.loads(first)
            key, mark = bytes.fromhex(facts["key"]), bytes.fromhex(facts["terms"])
            whole = facts["journal"] == FORMAT and len(key) == KEY_BYTES
        except (ValueError, KeyError, TypeError, RecursionError):
            whole = False
        if not whole:
            raise BadFile(
                f"{self.path}: is no journal of this version, or was changed or cut; restore it, "
                "or remove it and the releases beside it, and begin the batch anew"
            )
        if not hmac.compare_digest(mark, _terms_mark(key, terms)):
            raise BadFile(
                f"{self.path}: was changed, or belongs to a batch with another network, policy, "
                "grouping, direction, layering or earlier files; finish that one, choose another "
                "output, or remove the file if nothing of it was handed out"
            )
        return key


def _terms_mark(key: bytes, terms: str) -> bytes:
    return _mac(key, b"terms", terms.encode("utf-8", "surrogatepass"))


def _mac(key: bytes, *parts: bytes) -> bytes:
    """Return HMAC-SHA-256 over parts, each with its length before it."""
    mac = hmac.new(key, digestmod=sha256)
    for part in parts:
        mac.update(len(part).to_bytes(8, "big") + part)
    return mac.digest()
