from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.exchange.field import (
    LONGEST_SUM,
    PRIME,
    Matrix,
    challenge_numbers,
    combine,
    from_bytes,
    lie_on_one_polynomial,
    numbers,
    split,
    threshold,
    to_bytes,
)

VALUES = st.integers(0, PRIME - 1)


@settings(deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=5), st.integers(3, 10))
def test_enough_shares_give_the_secret(secrets: list[int], parties: int) -> None:
    shares = split(numbers(secrets), parties)
    enough = range(parties - threshold(parties) - 1, parties)
    assert combine({party: shares[party] for party in enough}).tolist() == secrets
    assert lie_on_one_polynomial(shares)
    shares[parties - 1] = (shares[parties - 1] + 1) % PRIME
    assert not lie_on_one_polynomial(shares)


@settings(deadline=None)
@given(st.data(), st.integers(1, 4), st.integers(1, 6), st.integers(1, 2))
def test_products_are_exact(data: st.DataObject, rows: int, inner: int, columns: int) -> None:
    def drawn(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]]:
        values = data.draw(st.lists(VALUES, min_size=shape[0] * shape[1], max_size=10**3))
        return np.array(values[: shape[0] * shape[1]], dtype=object).reshape(shape)

    left, right = drawn(rows, inner), drawn(inner, columns)
    assert (Matrix(left).times(right) == left @ right % PRIME).all()


def test_the_largest_sums_do_not_overflow() -> None:
    inner = LONGEST_SUM + 3
    left, right = numbers(np.full((1, inner), -1)), numbers(np.full((inner, 1), -1))
    assert Matrix(left).times(right).tolist() == [[inner % PRIME]]


def test_numbers_outside_the_field_are_refused() -> None:
    assert from_bytes(to_bytes(numbers([0, -1]))).tolist() == [0, PRIME - 1]
    with pytest.raises(ValueError, match="outside"):
        from_bytes(PRIME.to_bytes(8, "little"))


def test_everybody_derives_the_same_challenge() -> None:
    assert challenge_numbers([1, 2], 3).tolist() == challenge_numbers([1, 2], 3).tolist()
    assert challenge_numbers([1, 2], 3).tolist() != challenge_numbers([12], 3).tolist()
    assert max(challenge_numbers([5], 1000)) < PRIME


def test_importing_the_sharing_says_nothing_and_changes_nothing() -> None:
    """MPyC reads the command line and sends its log to standard output when it is imported."""
    code = (
        "import logging, sys\n"
        "sys.argv = ['pathveil', '--no-numpy', '--help', '-M3']\n"
        "sys.modules['gmpy2'] = None\n"
        "from pathveil.exchange.field import numbers, split\n"
        "split(numbers([1]), 3)\n"
        "logging.getLogger().warning('to standard error')\n"
        "print(len(sys.argv), logging.getLogger().handlers)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "4 []\n"
    assert "to standard error" in done.stderr
