"""High-water marks: how a ledger that was restored from an old backup is noticed.

A backup of the database, put back, has forgotten what was released since; going on from it would
spend the same budget twice and fork every series. So the number and the chain's value of the last
entry are also kept elsewhere: beside the key, and in each folder files were handed out to. They are
raised after a release is recorded and before its file is there, so a mark is never ahead of a
ledger that has not lost anything.

A mark is two slots of one size in one file; the older slot is written, so a torn write spoils
nothing. Each slot is sealed with the ledger's key: who is handed the folder learns nothing from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pathveil.errors import LedgerBroken, LedgerUnreachable
from pathveil.files.safe_open import open_plain
from pathveil.ledger.keys import Keyring

_SLOT = 256
_NOTHING = (0, "")


class Mark:
    """A number that only grows, with the chain's value at that number."""

    def __init__(self, path: Path, ring: Keyring, uid: str) -> None:
        self.path = path
        self._ring, self._about = ring, f"mark of {uid}"

    def read(self) -> tuple[int, str]:
        """Return number and chain value; (0, "") where there is no mark."""
        try:
            with os.fdopen(open_plain(self.path), "rb") as file:
                data = file.read(2 * _SLOT)
        except FileNotFoundError:
            return _NOTHING
        except OSError as error:
            raise LedgerUnreachable(
                f"{self.path}: the ledger's mark cannot be read ({error.strerror}), so nobody can "
                "tell whether the ledger is an old backup: mend that, then run the same command "
                "again"
            ) from None
        return max(self._slots(data))

    def advance(self, counter: int, head: str) -> None:
        """Raise the mark; one that stands higher already stays."""
        with self._locked() as number:
            slots = self._slots(os.pread(number, 2 * _SLOT, 0))
            if max(slots)[0] >= counter:
                return
            sealed = self._ring.seal(f"{counter} {head}".encode(), about=self._about)
            # The length in front, zeros behind: every slot has one size.
            slot = (len(sealed).to_bytes(2) + sealed).ljust(_SLOT, b"\0")
            try:
                os.pwrite(number, slot, _SLOT * slots.index(min(slots)))
                os.fsync(number)
            except OSError as error:
                raise self._unusable(error) from None

    def _slots(self, data: bytes) -> list[tuple[int, str]]:
        found, broken = [], 0
        for start in (0, _SLOT):
            slot = data[start : start + _SLOT]
            if not slot.strip(b"\0"):
                found.append(_NOTHING)
                continue
            try:
                sealed = slot[2 : 2 + int.from_bytes(slot[:2])]
                counter, _, head = (
                    self._ring.unseal(sealed, about=self._about).decode().partition(" ")
                )
                found.append((int(counter), head))
            except LedgerBroken:
                broken += 1
                found.append(_NOTHING)
        if broken and not any(counter for counter, _ in found):
            raise LedgerBroken(
                f"{self.path}: does not open with this ledger's key: it was changed, or belongs to "
                "another ledger; if you are sure that no release is missing here, remove it"
            )
        return found

    @contextmanager
    def _locked(self) -> Iterator[int]:
        try:
            number = open_plain(self.path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise self._unusable(error) from None
        try:
            _hold(number)
            yield number
        finally:
            os.close(number)

    def _unusable(self, error: OSError) -> LedgerUnreachable:
        return LedgerUnreachable(
            f"{self.path}: the ledger's mark cannot be used ({error.strerror}); the release is "
            "recorded but was not handed out: mend that, then run the same command again and it is"
        )


def _hold(number: int) -> None:
    """Wait until nobody else holds this mark."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - no such lock on this system
        return
    fcntl.flock(number, fcntl.LOCK_EX)
