"""The wire: one connection between every two parties, rounds of messages, and every way to fail.

Each party listens for those after it in the roster and calls those before it. A connection counts
only once TLS has shown the very certificate on the other's card and both have said hello: the same
roster, the same publication, the same terms. Strangers are dropped and never stop an exchange.

A message is a header (kind, round, length) and its numbers. Everybody knows beforehand how long
each message of each round must be; anything else is rubbish and ends the exchange. At most two
messages of a peer are held, the rest waits in the system's buffers, so nobody can fill a memory.

However it ends, all connections are told why (a reason of :class:`~.faults.Fault`, nothing else)
and closed; the whole is bounded by one time limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pathveil.recovery.exchange.faults import ExchangeFault, Fault
from pathveil.recovery.exchange.roster import Roster

_HEADER = struct.Struct("<BII")
_NUMBERS, _ABORT, _DONE = range(3)
_HELLO = struct.Struct("<16sH32s32s32s")
_MAGIC = b"pathveil-parties"
_HANDSHAKE = 10.0  # seconds a stranger may take to say who it is
_GOODBYE = 2.0  # seconds to hand over the reason when closing
_PENDING = 32  # connections that have not said who they are

T = TypeVar("T")


@dataclass(frozen=True)
class Greeting:
    """What two parties compare before anything else: digests of 32 bytes each."""

    publication: bytes
    roster: bytes
    terms: bytes


class _Peer:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.inbox: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue(maxsize=2)


class Wire:
    """This party's connections to all others; made by :func:`connected`."""

    def __init__(self, roster: Roster, me: int, greeting: Greeting) -> None:
        self.me = me
        self.parties = len(roster)
        self.rounds_done = 0
        self.bytes_sent = 0
        self.on_round: Callable[[int], None] = lambda _round: None
        self._roster = roster
        self._greeting = greeting
        self._peers: dict[int, _Peer] = {}
        self._readers: list[asyncio.Task[None]] = []
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._largest = 0
        self._joined = asyncio.Event()
        self.mismatch: ExchangeFault | None = None

    # -- rounds -----------------------------------------------------------------------------------

    async def swap(
        self, outgoing: Mapping[int, bytes], expected: Mapping[int, int]
    ) -> dict[int, bytes]:
        """Send one message to some parties and return one of known size from others."""
        self.rounds_done += 1
        self.on_round(self.rounds_done)
        for party, data in outgoing.items():
            self._send(party, _NUMBERS, data)
        return await self._or_fail(self._collect(expected))

    async def finish(self) -> None:
        """Wait until all have everything, so that closing takes nothing away from anybody."""
        self.rounds_done += 1
        for party in self._peers:
            self._send(party, _DONE, b"")
        await self._or_fail(self._collect(dict.fromkeys(self._peers, 0)))

    def _send(self, party: int, kind: int, data: bytes) -> None:
        message = _HEADER.pack(kind, self.rounds_done, len(data)) + data
        self._peers[party].writer.write(message)
        self.bytes_sent += len(message)

    async def _collect(self, expected: Mapping[int, int]) -> dict[int, bytes]:
        found = {}
        for party, size in expected.items():
            number, data = await self._peers[party].inbox.get()
            if number != self.rounds_done or len(data) != size:
                raise ExchangeFault(Fault.RUBBISH, party)
            found[party] = data
        return found

    async def _or_fail(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of the work, or raise the first fault any connection shows."""
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task, self._failed}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            self._failed.result()
            raise AssertionError("only a fault completes this")
        finally:
            task.cancel()

    def _fail(self, fault: ExchangeFault) -> None:
        if not self._failed.done():
            self._failed.set_exception(fault)
            self._failed.exception()  # read once, so that nothing is logged when nobody waits

    async def _listen_to(self, party: int, largest: int) -> None:
        """Put a peer's messages into its inbox until it is done; note how it fails."""
        peer = self._peers[party]
        try:
            while True:
                kind, number, size = _HEADER.unpack(await peer.reader.readexactly(_HEADER.size))
                if kind == _ABORT and size == 2:
                    reason = await peer.reader.readexactly(2)
                    self._fail(_received(reason))
                    return
                if kind not in {_NUMBERS, _DONE} or size > largest:
                    self._fail(ExchangeFault(Fault.RUBBISH, party))
                    return
                await peer.inbox.put((number, await peer.reader.readexactly(size)))
                if kind == _DONE:
                    return
        except (asyncio.IncompleteReadError, OSError):
            self._fail(ExchangeFault(Fault.GONE, party))

    # -- meeting ----------------------------------------------------------------------------------

    async def meet(self, credentials: Credentials | None, *, largest: int) -> None:
        """Connect to all others. ``largest`` is the longest message the agreement allows."""
        self._largest = largest
        listener = _listener(self._roster, self.me)
        tasks = [asyncio.ensure_future(self._accept(listener, credentials))]
        tasks += [
            asyncio.ensure_future(self._call(party, credentials)) for party in range(self.me)
        ]
        try:
            await self._or_fail(self._joined.wait())
            # Not before all have come: a party that stops early leaves others waiting for it.
            if self.mismatch is not None:
                raise self.mismatch
        finally:
            listener.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _call(self, party: int, credentials: Credentials | None) -> None:
        card = self._roster.cards[party]
        context = credentials.calling(card.certificate) if credentials else None
        pause = 0.05
        while True:
            try:
                reader, writer = await asyncio.open_connection(
                    card.host, card.port, **_tls_options(context, called=card.name)
                )
            except OSError:
                await asyncio.sleep(pause)
                pause = min(2 * pause, 0.5)
                continue
            try:
                if credentials is None or _shown(writer) == card.der:
                    writer.write(self._hello())
                    hello = await asyncio.wait_for(
                        reader.readexactly(_HELLO.size), timeout=_HANDSHAKE
                    )
                    if self._meets(hello, expected=party):
                        self._join(party, reader, writer)
                        return
            except (asyncio.IncompleteReadError, TimeoutError, OSError):
                pass
            writer.close()
            await asyncio.sleep(pause)

    async def _accept(self, listener: socket.socket, credentials: Credentials | None) -> None:
        room = asyncio.Semaphore(_PENDING)
        guests: set[asyncio.Task[None]] = set()
        try:
            while True:
                await room.acquire()
                try:
                    guest, _ = await asyncio.get_running_loop().sock_accept(listener)
                except OSError:  # out of files, or the caller has gone already
                    room.release()
                    await asyncio.sleep(0.1)
                    continue
                task = asyncio.ensure_future(self._welcome(guest, credentials))
                guests.add(task)
                task.add_done_callback(lambda done: (guests.discard(done), room.release()))
        finally:
            for task in list(guests):
                task.cancel()
            await asyncio.gather(*guests, return_exceptions=True)

    async def _welcome(self, guest: socket.socket, credentials: Credentials | None) -> None:
        """Let one caller show who it is; drop it silently if it is no party."""
        writer = None
        try:
            async with asyncio.timeout(_HANDSHAKE):
                context = credentials.called if credentials else None
                reader, writer = await _wrap(guest, context)
                hello = await reader.readexactly(_HELLO.size)
                party = _HELLO.unpack(hello)[1]
                known = self.me < party < self.parties and party not in self._peers
                shown = credentials is None or (
                    known and _shown(writer) == self._roster.cards[party].der
                )
                if known and shown and self._meets(hello, expected=party):
                    writer.write(self._hello())
                    self._join(party, reader, writer)
                    return
        except (asyncio.IncompleteReadError, TimeoutError, OSError):
            pass
        if writer is not None:
            writer.close()
        guest.close()

    def _hello(self) -> bytes:
        mine = self._greeting
        return _HELLO.pack(_MAGIC, self.me, mine.roster, mine.publication, mine.terms)

    def _meets(self, hello: bytes, *, expected: int) -> bool:
        """Whether a caller speaks this protocol; notes if it came to another exchange."""
        magic, party, roster, publication, terms = _HELLO.unpack(hello)
        if magic != _MAGIC or party != expected:
            return False
        for found, mine, fault in (
            (publication, self._greeting.publication, Fault.OTHER_FILE),
            (roster, self._greeting.roster, Fault.OTHER_ROSTER),
            (terms, self._greeting.terms, Fault.OTHER_TERMS),
        ):
            if found != mine and self.mismatch is None:
                self.mismatch = ExchangeFault(fault, party)
        return True

    def _join(
        self, party: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._peers[party] = _Peer(reader, writer)
        self._readers.append(asyncio.ensure_future(self._listen_to(party, self._largest)))
        if len(self._peers) == self.parties - 1:
            self._joined.set()

    @property
    def absent(self) -> int | None:
        """The first party that has not connected; None if all have."""
        missing = set(range(self.parties)) - set(self._peers) - {self.me}
        return min(missing, default=None)

    @property
    def silent(self) -> int | None:
        """The first party whose message is waited for; None if none is."""
        waiting = [party for party, peer in self._peers.items() if peer.inbox.empty()]
        return min(waiting, default=None)

    async def close(self, reason: ExchangeFault | None) -> None:
        """Tell the others why, and hang up."""
        for reader in self._readers:
            reader.cancel()
        for peer in self._peers.values():
            with contextlib.suppress(OSError, RuntimeError):
                if reason is not None:
                    party = 0xFF if reason.party is None else reason.party
                    header = _HEADER.pack(_ABORT, self.rounds_done, 2)
                    peer.writer.write(header + bytes([reason.fault, party]))
                peer.writer.close()
        farewells = [peer.writer.wait_closed() for peer in self._peers.values()]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE):
                await asyncio.gather(*farewells, *self._readers, return_exceptions=True)


@contextlib.asynccontextmanager
async def connected(
    roster: Roster,
    me: int,
    *,
    greeting: Greeting,
    credentials: Credentials | None,
    largest: int,
    time_limit: float,
) -> AsyncIterator[Wire]:
    """Give a wire to all parties; whatever happens, it is closed within the time limit.

    Raises
    ------
    ExchangeFault
        Whatever went wrong, inside or on the wire. Never anything that tells a secret.
    """
    wire = Wire(roster, me, greeting)
    reason: ExchangeFault | None = ExchangeFault(Fault.STOPPED, me)
    try:
        async with asyncio.timeout(time_limit):
            await wire.meet(credentials, largest=largest)
            yield wire
            await wire.finish()
        reason = None
    except ExchangeFault as fault:
        reason = fault
        raise
    except TimeoutError:
        absent = wire.absent
        fault, who = (Fault.LATE, wire.silent) if absent is None else (Fault.ABSENT, absent)
        reason = wire.mismatch or ExchangeFault(fault, who)
        raise reason from None
    finally:
        await wire.close(reason)


@dataclass(frozen=True, repr=False)
class Credentials:
    """This party's side of mutual TLS: who may call, and how to call."""

    called: ssl.SSLContext
    calling: Callable[[str], ssl.SSLContext]


def _received(reason: bytes) -> ExchangeFault:
    try:
        fault = Fault(reason[0])
    except ValueError:
        fault = Fault.RUBBISH
    return ExchangeFault(fault, None if reason[1] == 0xFF else reason[1])


def _listener(roster: Roster, me: int) -> socket.socket:
    card = roster.cards[me]
    family, _, _, _, address = socket.getaddrinfo(
        card.host, card.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.create_server(address, family=family, backlog=64)
    listener.setblocking(False)
    return listener


def _shown(writer: asyncio.StreamWriter) -> bytes | None:
    """Return the certificate the other side has shown."""
    channel = writer.get_extra_info("ssl_object")
    shown: bytes | None = channel.getpeercert(binary_form=True) if channel else None
    return shown


def _tls_options(context: ssl.SSLContext | None, *, called: str | None = None) -> dict[str, Any]:
    if context is None:
        return {}
    options: dict[str, Any] = {
        "ssl": context,
        "ssl_handshake_timeout": _HANDSHAKE,
        "ssl_shutdown_timeout": _GOODBYE,
    }
    return options | ({} if called is None else {"server_hostname": called})


async def _wrap(
    guest: socket.socket, context: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.connect_accepted_socket(
        lambda: protocol, guest, **_tls_options(context)
    )
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)
