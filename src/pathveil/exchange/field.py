"""Numbers modulo 2^61 - 1 and their shares: Shamir's scheme as MPyC computes it.

Theory of operation. A secret is the value at 0 of a random polynomial of degree t = (m - 1) // 2;
party i holds its value at i + 1. Any t shares are uniform whatever the secret; t + 1 give it away.
Shares are added and multiplied by public numbers locally. A product of two shares lies on a
polynomial of degree 2t < m, which 2t + 1 parties can still bring back to degree t.

MPyC computes the shares (`mpyc.thresha`) over its field (`mpyc.finfields`). Its runtime is *not*
used: that one unpickles what a peer sends, accepts any party number a peer claims, keeps everything
a peer sends, and reads the command line when imported. Numbers travel here as eight bytes each,
checked one by one.

Only the product of a secret matrix with a secret vector is written out below, because it is done
once for each visit of the walk: 31-bit halves times 21-bit thirds stay below 2^63 for up to
:data:`LONGEST_SUM` terms, so whole-number arithmetic is exact, and a hundred times faster than on
Python's integers.

One party's side of a computation has three moves, each one round on the wire, and each the same
for every secret:

- :meth:`Computation.share`: every party hands every other a share of its own numbers;
- :meth:`Computation.reduce`: a product, on polynomials of degree 2t, is brought back to degree t by
  sharing the shares and recombining them (Gennaro, Rabin and Rabin 1998);
- :meth:`Computation.open`: shares are put together. This is the *only* place where a secret becomes
  known to anybody. Each call has a name and is counted in :attr:`Computation.opened`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pathveil.errors import MissingExtra
from pathveil.exchange.meeting import ExchangeFault, Fault

PRIME = 2**61 - 1
"""The field. One wrong status slips through the consistency check once in 2^61 runs."""

WIDTH = 8
"""Bytes of one number on the wire."""

LONGEST_SUM = 2**11 - 1
"""Terms that a sum of products of a 31-bit and a 21-bit number may have below 2^63."""

Numbers = npt.NDArray[np.object_]
"""Numbers of the field as Python integers, 0 <= x < PRIME."""


def numbers(values: Any) -> Numbers:
    """Return values as numbers of the field.

    >>> numbers([-1, 2]).tolist() == [PRIME - 1, 2]
    True
    """
    found: Numbers = np.asarray(values).astype(object) % PRIME
    return found


def threshold(parties: int) -> int:
    """Return how many parties together still learn nothing: the largest t with 2t < parties.

    >>> [threshold(m) for m in (3, 4, 5, 10)]
    [1, 1, 2, 4]
    """
    return (parties - 1) // 2


def split(secrets: Numbers, parties: int) -> list[Numbers]:
    """Return the share of each party, drawn afresh from the system's random numbers.

    *Privacy*: any :func:`threshold` of them are uniform and independent of the secrets.
    """
    if not secrets.size:
        return [secrets.reshape(-1)] * parties
    sharing, field = mpyc()
    shares = sharing.np_random_split(field, secrets.reshape(-1), threshold(parties), parties)
    return list(shares)


def combine(shares: Mapping[int, Numbers], *, at: int = 0) -> Numbers:
    """Return the value at a point of the polynomials through the shares, by party number.

    >>> parts = split(numbers([7, 0, 1]), 3)
    >>> combine({0: parts[0], 2: parts[2]}).tolist()
    [7, 0, 1]
    """
    if not next(iter(shares.values())).size:
        return next(iter(shares.values()))
    sharing, field = mpyc()
    points = [(party + 1, share) for party, share in shares.items()]
    # MPyC takes a list of points for several values at once; one point gives one row.
    found: Numbers = sharing.np_recombine(field, points, at).value
    return found


def lie_on_one_polynomial(shares: Sequence[Numbers]) -> bool:
    """Return whether the shares of all parties lie on polynomials of the agreed degree.

    One changed share out of m > t + 1 does not.

    >>> parts = split(numbers([7]), 3)
    >>> lie_on_one_polynomial(parts), lie_on_one_polynomial([parts[0], parts[0], parts[0] + 1])
    (True, False)
    """
    enough = threshold(len(shares)) + 1
    known = {party: shares[party] for party in range(enough)}
    return all(
        np.array_equal(combine(known, at=party + 1), shares[party])
        for party in range(enough, len(shares))
    )


def to_bytes(values: Numbers) -> bytes:
    """Return numbers as they travel: eight bytes each, little-endian."""
    return values.astype("<u8").tobytes()


def from_bytes(data: bytes) -> Numbers:
    """Return numbers that travelled; a number outside the field is an error.

    >>> from_bytes(to_bytes(numbers([1, -1]))).tolist() == [1, PRIME - 1]
    True
    """
    raw = np.frombuffer(data, dtype="<u8")
    if (raw >= PRIME).any():
        raise ValueError("a number outside the field")
    found: Numbers = raw.astype(object)
    return found


class Matrix:
    """A matrix of the field, prepared for many products with vectors.

    >>> Matrix(numbers([[1, 2], [3, 4]])).times(numbers([5, -1])).tolist()
    [3, 11]
    """

    def __init__(self, values: Numbers) -> None:
        low = values & (2**31 - 1)
        self.size = values.shape
        self._halves = np.concatenate([low, values >> 31]).astype(np.int64)

    def times(self, right: Numbers) -> Numbers:
        """Return the product with a vector. *Cost*: six products of int64."""
        rows, inner = self.size
        total: Numbers = numbers(np.zeros(rows, dtype=np.int64))
        for start in range(0, inner, LONGEST_SUM):
            part = slice(start, start + LONGEST_SUM)
            for third in range(3):
                piece = ((right[part] >> (21 * third)) & (2**21 - 1)).astype(np.int64)
                product = (self._halves[:, part] @ piece).astype(object)
                total += (product[:rows] + (product[rows:] << 31)) << (21 * third)
        total %= PRIME
        return total


def challenge_numbers(seed: Iterable[int], count: int) -> Numbers:
    """Return public random numbers that everybody derives from the same opened numbers."""
    from hashlib import shake_256

    text = "pathveil challenge " + " ".join(str(int(word)) for word in seed)
    stream = shake_256(text.encode()).digest(16 * count)
    # 128 bits reduced modulo the prime: off uniform by 2^-67.
    halves = np.frombuffer(stream, dtype="<u8").astype(object).reshape(count, 2)
    found: Numbers = (halves[:, 0] + (halves[:, 1] << 64)) % PRIME
    return found


@cache
def mpyc() -> tuple[Any, Any]:
    """Return what shares secrets and the field it does so in; without the extra, say so."""
    try:
        with _left_as_it_is():
            from mpyc import finfields, thresha
    except ImportError:
        raise MissingExtra("mpc", "MPyC, which shares secrets between the parties") from None
    return thresha, finfields.GF(PRIME)


@contextmanager
def _left_as_it_is() -> Iterator[None]:
    """Import what reads the command line and sends its log to standard output, without either."""
    root, words = logging.getLogger(), sys.argv
    handlers, level, disabled = root.handlers[:], root.level, logging.root.manager.disable
    sys.argv = words[:1]
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        sys.argv = words
        logging.disable(disabled)
        root.handlers[:] = handlers
        root.setLevel(level)


class Rounds(Protocol):
    """What carries messages: every party's wire to the others."""

    me: int
    parties: int

    async def swap(
        self, outgoing: Mapping[int, bytes], expected: Mapping[int, int]
    ) -> dict[int, bytes]:
        """Send one message to some parties and return one of known size from others."""


@dataclass(frozen=True)
class Opening:
    """A value that became known: its name, how many numbers, and to whom (None: to everybody)."""

    name: str
    numbers: int
    to: int | None = None


class Computation:
    """A party's shares and its wire."""

    def __init__(self, rounds: Rounds) -> None:
        self.rounds = rounds
        self.me = rounds.me
        self.parties = rounds.parties
        self.threshold = threshold(rounds.parties)
        self.opened: list[Opening] = []

    async def share(self, mine: Numbers, sizes: Sequence[int]) -> list[Numbers]:
        """Return my share of every party's numbers; how many each has is public."""
        assert len(mine) == sizes[self.me], "everybody must put in what the layout says"
        parts = split(mine, self.parties)
        others = [party for party in range(self.parties) if party != self.me]
        answers = await self.rounds.swap(
            {party: to_bytes(parts[party]) for party in others},
            {party: WIDTH * sizes[party] for party in others},
        )
        found = {party: _numbers(data, party) for party, data in answers.items()}
        found[self.me] = parts[self.me]
        return [found[party] for party in range(self.parties)]

    async def reduce(self, product: Numbers) -> Numbers:
        """Return the same secrets on polynomials of degree t, for a product on degree 2t."""
        shape = product.shape
        dealers = range(2 * self.threshold + 1)
        flat = (product % PRIME).reshape(-1)
        parts = split(flat, self.parties) if self.me in dealers else []
        answers = await self.rounds.swap(
            {party: to_bytes(part) for party, part in enumerate(parts) if party != self.me},
            {party: WIDTH * flat.size for party in dealers if party != self.me},
        )
        found = {party: _numbers(data, party) for party, data in answers.items()}
        if parts:
            found[self.me] = parts[self.me]
        return combine({party: found[party] for party in dealers}).reshape(shape)

    async def open(self, name: str, share: Numbers) -> Numbers:
        """Return the secrets themselves, to everybody. Named and counted."""
        return await self._open(name, {None: share})

    async def open_to(self, name: str, shares: Mapping[int, Numbers]) -> Numbers:
        """Return the secrets meant for me; each party gets its own and no other's."""
        return await self._open(name, {party: share for party, share in shares.items()})  # noqa: C416

    async def _open(self, name: str, shares: Mapping[int | None, Numbers]) -> Numbers:
        """Put shares together. Every value that is ever opened passes through here."""
        meant = {
            party: shares[None] if None in shares else shares[party]
            for party in range(self.parties)
        }
        self.opened += [
            Opening(name, int(share.size), to) for to, share in shares.items() if share.size
        ]
        others = [party for party in range(self.parties) if party != self.me]
        answers = await self.rounds.swap(
            {party: to_bytes(meant[party].reshape(-1)) for party in others},
            dict.fromkeys(others, WIDTH * meant[self.me].size),
        )
        found = {party: _numbers(data, party) for party, data in answers.items()}
        found[self.me] = meant[self.me].reshape(-1) % PRIME
        everybody = [found[party] for party in range(self.parties)]
        if not lie_on_one_polynomial(everybody):
            raise ExchangeFault(Fault.SHARES)
        enough = {party: everybody[party] for party in range(self.threshold + 1)}
        return combine(enough).reshape(meant[self.me].shape)


def _numbers(data: bytes, party: int) -> Numbers:
    try:
        return from_bytes(data)
    except ValueError:
        raise ExchangeFault(Fault.RUBBISH, party) from None
