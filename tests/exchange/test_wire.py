"""The wire between parties in one process: rounds, and every way to fail, over socket pairs."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from itertools import combinations
from typing import Any

import pytest

from pathveil.exchange.meeting import ExchangeFault, Fault, Wire, _received

HEADER = struct.Struct("<BII")
NUMBERS, ABORT, DONE = range(3)
NOBODY = 255


async def wired(parties: int, *, largest: int = 1000) -> list[Wire]:
    """Connect everybody with everybody."""
    wires = [Wire(k, parties, largest=largest) for k in range(parties)]
    for i, j in combinations(range(parties), 2):
        assert not wires[i].complete.is_set()
        here, there = socket.socketpair()
        wires[i].join(j, *await asyncio.open_connection(sock=here))
        wires[j].join(i, *await asyncio.open_connection(sock=there))
    return wires


async def alone(
    *, largest: int = 1000, parties: int = 2
) -> tuple[Wire, asyncio.StreamReader, asyncio.StreamWriter]:
    """One honest party, number 0, and the bare end of party 1."""
    wire = Wire(0, parties, largest=largest)
    here, there = socket.socketpair()
    wire.join(1, *await asyncio.open_connection(sock=here))
    return wire, *await asyncio.open_connection(sock=there)


def run(script: Callable[[], Awaitable[Any]]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(60):
            return await script()

    return asyncio.run(limited())


def test_each_round_carries_a_message_of_known_size_between_any_two() -> None:
    async def script() -> None:
        wires = await wired(3)
        assert all(wire.complete.is_set() for wire in wires)
        assert wires[0].knows(1)
        assert not wires[0].knows(0)
        told: list[int] = []
        wires[0].on_round = told.append
        for size in (1, 5):
            found = await asyncio.gather(
                *(
                    wire.swap(
                        {k: bytes([wire.me]) * size for k in range(3) if k != wire.me},
                        {k: size for k in range(3) if k != wire.me},
                    )
                    for wire in wires
                )
            )
            for me, heard in enumerate(found):
                assert heard == {k: bytes([k]) * size for k in range(3) if k != me}
        assert told == [1, 2]
        await asyncio.gather(*(wire.finish() for wire in wires))
        assert [wire.rounds_done for wire in wires] == [3, 3, 3]
        # Two messages of 1 and 5 bytes and two goodbyes, with nine bytes of header each.
        assert wires[0].bytes_sent == 2 * (9 + 1) + 2 * (9 + 5) + 2 * 9
        await asyncio.gather(*(wire.close(None) for wire in wires))

    run(script)


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        (HEADER.pack(NUMBERS, 1, 3) + b"abc", Fault.RUBBISH),
        (HEADER.pack(NUMBERS, 2, 4) + b"abcd", Fault.RUBBISH),
        (HEADER.pack(7, 1, 4) + b"abcd", Fault.RUBBISH),
        (HEADER.pack(NUMBERS, 1, 1001), Fault.RUBBISH),
        (HEADER.pack(ABORT, 1, 3) + b"abc", Fault.RUBBISH),
        (HEADER.pack(ABORT, 1, 2) + bytes([Fault.LATE, 1]), Fault.LATE),
        (HEADER.pack(ABORT, 1, 2) + bytes([99, 1]), Fault.RUBBISH),
        (HEADER.pack(NUMBERS, 1, 4) + b"ab", Fault.GONE),
        (b"", Fault.GONE),
    ],
    ids=["short", "late", "kind", "long", "odd", "abort", "unknown", "cut", "closed"],
)
def test_anything_but_the_message_expected_ends_it(sent: bytes, fault: Fault) -> None:
    async def script() -> None:
        wire, _, writer = await alone()
        writer.write(sent)
        writer.write_eof()
        with pytest.raises(ExchangeFault) as caught:
            await wire.swap({}, {1: 4})
        assert (caught.value.fault, caught.value.party) == (fault, 1)
        await wire.close(None)
        writer.close()

    run(script)


def test_the_largest_message_is_allowed_and_one_that_came_before_a_fault_counts() -> None:
    async def script() -> None:
        wire, _, writer = await alone(largest=8)
        writer.write(HEADER.pack(NUMBERS, 1, 8) + b"12345678" + HEADER.pack(DONE, 2, 0))
        assert await wire.swap({}, {1: 8}) == {1: b"12345678"}
        await wire.finish()
        await wire.close(None)
        writer.close()

    run(script)


@pytest.mark.parametrize(
    ("reason", "heard"),
    [
        (ExchangeFault(Fault.GONE, 2), bytes([Fault.GONE, 2])),
        (ExchangeFault(Fault.INCONSISTENT), bytes([Fault.INCONSISTENT, NOBODY])),
    ],
)
def test_whoever_hangs_up_says_why_and_nothing_else(reason: ExchangeFault, heard: bytes) -> None:
    async def script() -> None:
        wire, reader, writer = await alone()
        await wire.close(reason)
        assert await reader.read() == HEADER.pack(ABORT, 0, 2) + heard
        writer.close()

    run(script)


def test_who_ends_well_hangs_up_in_silence() -> None:
    async def script() -> None:
        wire, reader, writer = await alone()
        await wire.close(None)
        assert await reader.read() == b""
        writer.close()

    run(script)


def test_the_time_limit_names_who_is_missing_or_silent() -> None:
    async def script() -> None:
        wires = await wired(4)
        short = Wire(1, 4, largest=10)
        assert (short.overdue().fault, short.overdue().party) == (Fault.ABSENT, 0)
        waiting = asyncio.ensure_future(wires[0].swap({}, {1: 1, 2: 1, 3: 1}))
        wires[1].rounds_done = wires[3].rounds_done = 1
        wires[1]._send(0, NUMBERS, b"x")
        wires[3]._send(0, NUMBERS, b"x")
        while wires[0]._awaited != [2, 3] or wires[0]._peers[3].inbox.empty():  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        assert (wires[0].overdue().fault, wires[0].overdue().party) == (Fault.LATE, 2)
        waiting.cancel()
        await asyncio.gather(*(wire.close(None) for wire in wires))

    run(script)


def test_a_reason_that_travels_is_one_of_the_list() -> None:
    assert _received(bytes([Fault.SHARES, NOBODY])).party is None
    assert _received(bytes([Fault.SHARES, 0])).party == 0
    assert _received(bytes([0, 3])).fault == Fault.RUBBISH


def test_of_a_peer_that_talks_on_and_on_two_messages_are_held() -> None:
    """The rest stays in the system's buffers: nobody can fill a memory."""

    async def script() -> None:
        wire, _, writer = await alone()
        writer.write(b"".join(HEADER.pack(NUMBERS, k, 1) + b"x" for k in range(1, 8)))
        await writer.drain()
        inbox = wire._peers[1].inbox
        while not inbox.full():  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        for _ in range(20):  # it is given every chance to take more
            await asyncio.sleep(0)
        assert inbox.qsize() == 2
        assert [await wire.swap({}, {1: 1}) for _ in range(7)] == [{1: b"x"}] * 7
        await wire.close(None)
        writer.close()

    run(script)
