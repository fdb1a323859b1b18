"""Where random bytes come from.

Every coin of a release is cut from one stream of AES-256 in counter mode. ``System`` keys it with
32 bytes of the operating system when it is made, which every release does for itself unless it is
handed a source, and again after every fork: a child does not replay its parent's coins, whatever
its process id. ``Seeded`` keys it with a seed, for tests and
experiments; whatever it touches is stamped unsafe. No other generator may decide a coin: the fair
coins of 201 vertices give away the whole state of a Mersenne Twister.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Protocol

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes


class Source(Protocol):
    """A stream of random bytes."""

    @property
    def unsafe(self) -> bool:
        """Whether the stream can be replayed by somebody else."""

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes."""


def _stream(key: bytes) -> CipherContext:
    # A zero nonce is sound: no key is ever used for two streams.
    return Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()


_process = object()
"""Another in every process. Process ids would not do: a child in a new namespace of processes can
have its parent's."""


def _forked() -> None:
    global _process  # noqa: PLW0603 - the one thing that every source of this process looks at
    _process = object()


if hasattr(os, "register_at_fork"):  # not where there are no forks
    os.register_at_fork(after_in_child=_forked)


class System:
    """The source for real releases: AES-256-CTR keyed by the operating system.

    *Privacy*: unpredictable to anyone who does not break AES or read this process's memory.

    Examples
    --------
    >>> len(System().take(5))
    5
    """

    unsafe = False

    def __init__(self) -> None:
        self._rekey()

    def _rekey(self) -> None:
        self._keyed_in = _process
        self._cipher = _stream(os.urandom(32))

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes; a forked process gets a key of its own first."""
        if self._keyed_in is not _process:
            self._rekey()
        return self._cipher.update(bytes(count))

    def __repr__(self) -> str:
        return "System()"

    def __reduce__(self) -> tuple[type[System], tuple[()]]:
        # Sent to another process it arrives with a key of its own, never with this one's.
        return System, ()


class Keyed:
    """A source with a secret key of its own: whoever has the key can draw the same coins again.

    For a batch that may be stopped. The key must be random and used for one release only.

    Examples
    --------
    >>> Keyed(bytes(32)).take(4) == Keyed(bytes(32)).take(4)
    True
    """

    unsafe = False

    def __init__(self, key: bytes) -> None:
        self._cipher = _stream(key)

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes of the key's stream."""
        return self._cipher.update(bytes(count))

    def __repr__(self) -> str:
        return "Keyed(...)"


class Seeded(Keyed):
    """A reproducible source for tests and experiments. Not private: what it publishes is stamped.

    Examples
    --------
    >>> Seeded(7).take(4) == Seeded(7).take(4)
    True
    >>> Seeded(7).unsafe
    True
    """

    unsafe = True

    def __init__(self, seed: int | str) -> None:
        super().__init__(sha256(f"pathveil seeded source {seed}".encode()).digest())
        self.seed = seed

    def __repr__(self) -> str:
        return f"Seeded({self.seed!r})"


def take_bytes(source: Source, count: int) -> npt.NDArray[np.uint8]:
    """Return the next bytes as an array."""
    return np.frombuffer(source.take(count), dtype=np.uint8)


def below(source: Source, bound: int) -> int:
    """Return a uniform whole number in ``range(bound)``, exactly, by rejection.

    >>> below(Seeded(1), 1)
    0
    """
    if bound < 1:
        raise ValueError(f"bound {bound} leaves nothing to draw from")
    width = (bound - 1).bit_length()
    size = (width + 7) // 8
    while True:
        drawn = int.from_bytes(source.take(size)) >> (8 * size - width)
        if drawn < bound:
            return drawn


def below_many(source: Source, bound: int, count: int) -> npt.NDArray[np.int64]:
    """Return many independent uniform whole numbers in ``range(bound)``, exactly, by rejection.

    How many bytes are read depends on the bytes alone.

    >>> below_many(Seeded(1), 1, 3).tolist()
    [0, 0, 0]
    """
    if not 1 <= bound <= 1 << 62:
        raise ValueError(f"bound {bound} is not in 1 .. 2^62")
    width = (bound - 1).bit_length()
    size = next(size for size in (0, 1, 2, 4, 8) if 8 * size >= width)
    drawn = np.zeros(count, dtype=np.int64)
    waiting = np.arange(count if width else 0)
    while len(waiting):
        taken = np.frombuffer(source.take(size * len(waiting)), dtype=f">u{size}")
        drawn[waiting] = (taken.astype(np.uint64) >> np.uint64(8 * size - width)).astype(np.int64)
        waiting = waiting[drawn[waiting] >= bound]
    return drawn


def shuffled(source: Source, count: int) -> list[int]:
    """Return a uniform permutation of ``range(count)``."""
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = below(source, i + 1)
        order[i], order[j] = order[j], order[i]
    return order
