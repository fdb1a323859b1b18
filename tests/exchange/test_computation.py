"""The three moves on shares, by parties in one process: what goes in comes out, and who cheats is
seen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import numpy as np
import pytest

from pathveil.exchange.field import (
    PRIME,
    WIDTH,
    Computation,
    Numbers,
    Opening,
    numbers,
    running_products,
    split,
)
from pathveil.exchange.meeting import ExchangeFault, Fault
from tests.exchange.memory import MemoryRounds

Part = Callable[[Computation], Awaitable[Any]]


def together(
    parties: int, part: Part, *, tamper: Callable[[MemoryRounds], MemoryRounds] | None = None
) -> list[Any]:
    """Run the same part at every party; the last party's wire may be tampered with."""

    async def everybody() -> list[Any]:
        queues: dict[tuple[int, int], asyncio.Queue[bytes]] = {
            (i, j): asyncio.Queue() for i in range(parties) for j in range(parties)
        }
        rounds = [MemoryRounds(i, parties, queues) for i in range(parties)]
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


@pytest.mark.parametrize(("length", "rounds"), [(1, 0), (2, 1), (3, 2), (4, 2), (6, 3), (8, 3)])
def test_running_products_are_products_up_to_each_place(length: int, rounds: int) -> None:
    """Six factors take three rounds: reach 1, 2 and 4."""
    factors = [2, 3, 5, 7, 11, 13, 17, 19][:length]
    shares = dealt(factors, 3)

    async def part(computation: Computation) -> tuple[list[int], int]:
        found = await running_products(computation, shares[computation.me])
        assert isinstance(computation.rounds, MemoryRounds)
        spent = len(computation.rounds.transcript.shapes)
        return plain(await computation.open("products", found)), spent

    expected = np.cumprod(factors).tolist()
    assert together(3, part) == [(expected, rounds)] * 3


class Liar(MemoryRounds):
    """Sends something else than was computed."""

    def __init__(self, honest: MemoryRounds, lie: bytes) -> None:
        super().__init__(honest.me, honest.parties, honest.queues)
        self.lie = lie

    async def swap(self, outgoing: Any, expected: Any) -> dict[int, bytes]:
        return await super().swap(dict.fromkeys(outgoing, self.lie), expected)


@pytest.mark.parametrize(
    ("lie", "fault", "party"),
    [
        ((12345).to_bytes(WIDTH, "little"), Fault.SHARES, None),
        (b"\xff" * WIDTH, Fault.RUBBISH, 3),
    ],
)
def test_wrong_shares_and_rubbish_are_seen(lie: bytes, fault: Fault, party: int | None) -> None:
    shares = dealt([4], 4)

    async def part(computation: Computation) -> Numbers:
        return await computation.open("secret", shares[computation.me])

    found = together(4, part, tamper=lambda honest: Liar(honest, lie))
    for outcome in found[:3]:
        assert isinstance(outcome, ExchangeFault)
        assert (outcome.fault, outcome.party) == (fault, party)
