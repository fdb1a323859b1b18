"""The wire: one connection between every two parties, rounds of messages, and every way to fail.

A message is a header (kind, round, length) and its numbers. Everybody knows beforehand how long
each message of each round must be; anything else is rubbish and ends the exchange. At most two
messages of a peer are held, the rest waits in the system's buffers, so nobody can fill a memory.

However it ends, all connections are told why (a reason of :class:`Fault`, nothing else) and closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from pathveil.recovery.exchange.faults import ExchangeFault, Fault

_HEADER = struct.Struct("<BII")
_NUMBERS, _ABORT, _DONE = range(3)
_NOBODY = 0xFF  # in place of a party's number
GOODBYE = 2.0
"""Seconds to hand over the reason when closing."""

T = TypeVar("T")


class _Peer:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.inbox: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue(maxsize=2)


class Wire:
    """A party's connections to all others.

    Parameters
    ----------
    largest
        Bytes of the longest message the agreement allows.
    """

    def __init__(self, me: int, parties: int, *, largest: int) -> None:
        self.me = me
        self.parties = parties
        self.rounds_done = 0
        self.bytes_sent = 0
        self.on_round: Callable[[int], None] = lambda _round: None
        self.complete = asyncio.Event()
        self._largest = largest
        self._awaited: list[int] = []
        self._peers: dict[int, _Peer] = {}
        self._greeted: dict[int, asyncio.StreamWriter] = {}
        self._readers: list[asyncio.Task[None]] = []
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def greet(self, party: int, writer: asyncio.StreamWriter, hello: bytes) -> None:
        """Say hello to a party that has not answered yet.

        It may count this party among its peers before the answer is here; if the exchange ends in
        between it is told why like the others, and does not merely see the line go dead.
        """
        writer.write(hello)
        self._greeted[party] = writer

    def join(self, party: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Add the connection to one party."""
        self._greeted.pop(party, None)
        self._peers[party] = _Peer(reader, writer)
        self._readers.append(asyncio.ensure_future(self._listen_to(party)))
        if len(self._peers) == self.parties - 1:
            self.complete.set()

    def knows(self, party: int) -> bool:
        """Whether a party has joined already."""
        return party in self._peers

    # -- rounds -----------------------------------------------------------------------------------

    async def swap(
        self, outgoing: Mapping[int, bytes], expected: Mapping[int, int]
    ) -> dict[int, bytes]:
        """Send one message to some parties and return one of known size from others."""
        self.rounds_done += 1
        self.on_round(self.rounds_done)
        for party, data in outgoing.items():
            self._send(party, _NUMBERS, data)
        return await self.unless_failed(self._collect(expected))

    async def finish(self) -> None:
        """Wait until all have everything, so that closing takes nothing away from anybody."""
        self.rounds_done += 1
        for party in self._peers:
            self._send(party, _DONE, b"")
        await self.unless_failed(self._collect(dict.fromkeys(self._peers, 0)))

    def _send(self, party: int, kind: int, data: bytes) -> None:
        message = _HEADER.pack(kind, self.rounds_done, len(data)) + data
        self._peers[party].writer.write(message)
        self.bytes_sent += len(message)

    async def _collect(self, expected: Mapping[int, int]) -> dict[int, bytes]:
        found = {}
        for party, size in expected.items():
            self._awaited = [each for each in expected if each not in found]
            number, data = await self._peers[party].inbox.get()
            if number != self.rounds_done or len(data) != size:
                raise ExchangeFault(Fault.RUBBISH, party)
            found[party] = data
        return found

    async def unless_failed(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of the work, or raise the first fault any connection shows."""
        task = asyncio.ensure_future(work)
        waited: set[asyncio.Future[Any]] = {task, self._failed}
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                self._failed.result()
            return task.result()
        finally:
            task.cancel()

    def _fail(self, fault: ExchangeFault) -> None:
        if not self._failed.done():
            self._failed.set_exception(fault)
            self._failed.exception()  # read once, so that nothing is logged when nobody waits

    async def _listen_to(self, party: int) -> None:
        """Put a peer's messages into its inbox until it is done; note how it fails."""
        peer = self._peers[party]
        try:
            while True:
                kind, number, size = _HEADER.unpack(await peer.reader.readexactly(_HEADER.size))
                if kind == _ABORT and size == 2:
                    self._fail(_received(await peer.reader.readexactly(2)))
                    return
                if kind not in {_NUMBERS, _DONE} or size > self._largest:
                    self._fail(ExchangeFault(Fault.RUBBISH, party))
                    return
                await peer.inbox.put((number, await peer.reader.readexactly(size)))
                if kind == _DONE:
                    return
        except (asyncio.IncompleteReadError, OSError):
            self._fail(ExchangeFault(Fault.GONE, party))

    # -- the end ----------------------------------------------------------------------------------

    def overdue(self) -> ExchangeFault:
        """Return whom the time limit caught: who has not come, or whose message is waited for."""
        absent = set(range(self.parties)) - set(self._peers) - {self.me}
        if absent:
            return ExchangeFault(Fault.ABSENT, min(absent))
        silent = [party for party in self._awaited if self._peers[party].inbox.empty()]
        return ExchangeFault(Fault.LATE, min(silent, default=None))

    async def close(self, reason: ExchangeFault | None) -> None:
        """Tell the others why, and hang up."""
        for reader in self._readers:
            reader.cancel()
        lines = [*(peer.writer for peer in self._peers.values()), *self._greeted.values()]
        # A call that was not answered may have been hung up already.
        writers = [writer for writer in lines if not writer.is_closing()]
        for writer in writers:
            with contextlib.suppress(OSError, RuntimeError):
                if reason is not None:
                    party = _NOBODY if reason.party is None else reason.party
                    header = _HEADER.pack(_ABORT, self.rounds_done, 2)
                    writer.write(header + bytes([reason.fault, party]))
                writer.close()
        farewells = [writer.wait_closed() for writer in writers]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE):
                await asyncio.gather(*farewells, *self._readers, return_exceptions=True)


def _received(reason: bytes) -> ExchangeFault:
    try:
        fault = Fault(reason[0])
    except ValueError:
        fault = Fault.RUBBISH
    return ExchangeFault(fault, None if reason[1] == _NOBODY else reason[1])
