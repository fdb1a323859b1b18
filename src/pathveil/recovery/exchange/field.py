"""Numbers modulo 2^61 - 1 and their shares: Shamir's scheme as MPyC computes it.

Theory of operation. A secret is the value at 0 of a random polynomial of degree t = (m - 1) // 2;
party i holds its value at i + 1. Any t shares are uniform whatever the secret; t + 1 give it away.
Shares are added and multiplied by public numbers locally. A product of two shares lies on a
polynomial of degree 2t < m, which 2t + 1 parties can still bring back to degree t.

What is taken from MPyC is its sharing (`mpyc.thresha`) and its field (`mpyc.finfields`). What is
*not* taken is its runtime: that one unpickles what a peer sends, accepts any party number a peer
claims, keeps everything a peer sends, and reads the command line when imported. Numbers travel
here as eight bytes each, checked one by one.

Only the product of a secret matrix with a secret vector is written out below, because it is done
once for each visit of the walk: 31-bit halves times 21-bit thirds stay below 2^63 for up to
:data:`LONGEST_SUM` terms, so whole-number arithmetic is exact, and a hundred times faster than on
Python's integers.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.errors import MissingExtra

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
    sharing, field = _mpyc()
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
    sharing, field = _mpyc()
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
    """A matrix of the field, prepared for many products with thin matrices.

    >>> Matrix(numbers([[1, 2], [3, 4]])).times(numbers([[5], [-1]])).tolist()
    [[3], [11]]
    """

    def __init__(self, values: Numbers) -> None:
        low = values & (2**31 - 1)
        self.size = values.shape
        self._halves = np.concatenate([low, values >> 31]).astype(np.int64)

    def times(self, right: Numbers) -> Numbers:
        """Return the product with a matrix of few columns. *Cost*: six products of int64."""
        rows, inner = self.size
        total: Numbers = numbers(np.zeros((rows, right.shape[1]), dtype=np.int64))
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
def _mpyc() -> tuple[Any, Any]:
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
