"""Numbers, shares and the three moves on them: what goes in comes out, and a cheat is seen."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.exchange.field import (
    LONGEST_SUM,
    PRIME,
    WIDTH,
    Computation,
    Matrix,
    Numbers,
    Opening,
    challenge_numbers,
    combine,
    from_bytes,
    lie_on_one_polynomial,
    numbers,
    split,
    threshold,
    to_bytes,
)
from pathveil.exchange.meeting import ExchangeFault, Fault
from tests.exchange.memory import MemoryRounds, rounds_of

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
@given(st.data(), st.integers(1, 4), st.integers(1, 6))
def test_products_are_exact(data: st.DataObject, rows: int, inner: int) -> None:
    def drawn(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]]:
        return np.array(data.draw(st.lists(VALUES, min_size=count, max_size=count)), dtype=object)

    left, right = drawn(rows * inner).reshape(rows, inner), drawn(inner)
    assert (Matrix(left).times(right) == left @ right % PRIME).all()


def test_the_largest_sums_do_not_overflow() -> None:
    inner = LONGEST_SUM + 3
    left, right = numbers(np.full((1, inner), -1)), numbers(np.full(inner, -1))
    assert Matrix(left).times(right).tolist() == [inner % PRIME]


def test_numbers_outside_the_field_are_refused() -> None:
    assert from_bytes(to_bytes(numbers([0, -1]))).tolist() == [0, PRIME - 1]
    with pytest.raises(ValueError, match="outside"):
        from_bytes(PRIME.to_bytes(8, "little"))


def test_everybody_derives_the_same_challenge() -> None:
    assert challenge_numbers([1, 2], 3).tolist() == challenge_numbers([1, 2], 3).tolist()
    assert challenge_numbers([1, 2], 3).tolist() != challenge_numbers([12], 3).tolist()
    assert max(challenge_numbers([5], 1000)) < PRIME


def test_importing_the_sharing_changes_nothing_and_brings_no_runtime() -> None:
    """MPyC reads the command line and logs to standard output when imported; its runtime unpickles
    what peers send, so that is not imported at all.
    """
    code = (
        "import logging, sys\n"
        "sys.argv = ['pathveil', '--no-numpy', '--help', '-M3']\n"
        "sys.modules['gmpy2'] = None\n"
        "from pathveil.exchange.field import numbers, split\n"
        "split(numbers([1]), 3)\n"
        "logging.getLogger().warning('to standard error')\n"
        "runtime = [m for m in ('mpyc.runtime', 'mpyc.asyncoro') if m in sys.modules]\n"
        "print(len(sys.argv), logging.getLogger().handlers, runtime)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "4 [] []\n"
    assert "to standard error" in done.stderr


def test_shares_of_a_minority_are_the_same_for_every_secret() -> None:
    """One of three parties sees, of each secret, one number that is uniform whatever the secret.

    4,000 shares of 0 and of 1, in 8 classes: chi-squared with 7 degrees of freedom above 50 has
    probability 1.5e-8. The broken twin hands out the secret itself and is caught.
    """

    def statistic(shares: list[int]) -> float:
        counts = Counter(share * 8 // PRIME for share in shares)
        return sum((counts[i] - 500) ** 2 / 500 for i in range(8))

    for secret in (0, 1):
        for party in range(3):
            shares = split(numbers([secret] * 4000), 3)[party].tolist()
            assert statistic(shares) < 50
    assert statistic([1] * 4000) > 50


Part = Callable[[Computation], Awaitable[Any]]


def together(
    parties: int, part: Part, *, tamper: Callable[[MemoryRounds], MemoryRounds] | None = None
) -> list[Any]:
    """Run the same part at every party; the last party's wire may be tampered with."""

    async def everybody() -> list[Any]:
        rounds = rounds_of(parties)
        if tamper is not None:
            rounds[-1] = tamper(rounds[-1])
        runs = (part(Computation(one)) for one in rounds)
        return await asyncio.gather(*runs, return_exceptions=True)

    return asyncio.run(everybody())


def dealt(secret: Sequence[int], parties: int) -> list[Numbers]:
    return split(numbers(list(secret)), parties)


def plain(found: Numbers) -> list[int]:
    return [int(value) for value in found.reshape(-1)]


@pytest.mark.parametrize("parties", [3, 4, 5])
def test_everybody_s_numbers_are_shared_and_open_to_what_they_were(parties: int) -> None:
    async def part(computation: Computation) -> list[list[int]]:
        mine = numbers([10 * computation.me + k for k in range(computation.me + 1)])
        shares = await computation.share(mine, list(range(1, parties + 1)))
        assert all(plain(share) != list(range(10)) for share in shares)
        return [plain(await computation.open(f"of {k}", share)) for k, share in enumerate(shares)]

    expected = [[10 * party + k for k in range(party + 1)] for party in range(parties)]
    assert together(parties, part) == [expected] * parties


@pytest.mark.parametrize("parties", [3, 4, 5, 6])
def test_a_product_is_brought_back_to_where_it_can_be_multiplied_again(parties: int) -> None:
    one, two, three = (dealt(values, parties) for values in ([3, PRIME - 1], [5, 7], [11, 2]))

    async def part(computation: Computation) -> list[int]:
        me = computation.me
        twice = await computation.reduce((one[me] * two[me]).reshape(1, 2))
        assert twice.shape == (1, 2)
        thrice = await computation.reduce(twice * three[me])
        return plain(await computation.open("product", thrice))

    assert together(parties, part) == [[165, PRIME - 14]] * parties


def test_what_is_opened_to_one_is_known_to_no_other_and_all_is_counted() -> None:
    secret = [dealt([100 + k], 3) for k in range(3)]

    async def part(computation: Computation) -> tuple[list[int], list[Opening]]:
        mine = {party: secret[party][computation.me] for party in range(3)}
        found = await computation.open_to("place", mine)
        await computation.open("nothing", numbers([]))
        return plain(found), computation.opened

    for party, (found, opened) in enumerate(together(3, part)):
        assert found == [100 + party]
        assert opened == [Opening("place", 1, to) for to in range(3)]


class Liar(MemoryRounds):
    """Sends something else than was computed."""

    def __init__(self, honest: MemoryRounds, lie: bytes) -> None:
        super().__init__(honest.me, honest.parties, honest.queues)
        self.lie = lie

    async def swap(self, outgoing: Any, expected: Any) -> dict[int, bytes]:
        return await super().swap(dict.fromkeys(outgoing, self.lie), expected)


@pytest.mark.parametrize(
    ("lie", "fault", "party"),
    [((12345).to_bytes(WIDTH, "little"), Fault.SHARES, None), (b"\xff" * WIDTH, Fault.RUBBISH, 3)],
)
def test_wrong_shares_and_rubbish_are_seen(lie: bytes, fault: Fault, party: int | None) -> None:
    shares = dealt([4], 4)

    async def part(computation: Computation) -> Numbers:
        return await computation.open("secret", shares[computation.me])

    found = together(4, part, tamper=lambda honest: Liar(honest, lie))
    for outcome in found[:3]:
        assert isinstance(outcome, ExchangeFault)
        assert (outcome.fault, outcome.party) == (fault, party)
