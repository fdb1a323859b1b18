"""Meeting: how parties find each other, and make sure that they are the ones on the cards.

Each party listens for those after it in the roster and calls those before it. A connection counts
only once TLS has shown the very certificate on the other's card and both have said hello: the same
publication, the same roster, the same terms. Strangers are dropped and never stop an exchange;
:data:`PENDING` of them at a time get :data:`HANDSHAKE` seconds each to say who they are.

Why an exchange stops: a short list that may be shown to anybody, and nothing besides.

A reason travels to the other parties as one byte and the number of a party. It never depends on a
status, a position or a share, except :attr:`Fault.INCONSISTENT`, which says one bit: the statuses
that were put in are not those of one walk. It does not say whose.

The wire: one connection between every two parties, rounds of messages, and every way to fail.

A message is a header (kind, round, length) and its numbers. Everybody knows beforehand how long
each message of each round must be; anything else is rubbish and ends the exchange. At most two
messages of a peer are held, the rest waits in the system's buffers, so nobody can fill a memory.

However it ends, all connections are told why (a reason of :class:`Fault`, nothing else) and closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

from pathveil.exchange.cards import Credentials, Roster


class Fault(IntEnum):
    """The reasons, as they travel."""

    INCONSISTENT = 1
    OTHER_FILE = 2
    OTHER_ROSTER = 3
    OTHER_TERMS = 4
    ABSENT = 5
    LATE = 6
    GONE = 7
    RUBBISH = 8
    SHARES = 9
    STOPPED = 10


_TEXTS = {
    Fault.INCONSISTENT: (
        "the statuses the parties put in do not form one walk: somebody misread or misstated its "
        "links, a vertex has no party, or the walk is longer than agreed; nothing else was opened. "
        "Let each party check its file and its rows, then run again"
    ),
    Fault.OTHER_FILE: "{who} holds another publication; compare the files' digests, then run again",
    Fault.OTHER_ROSTER: "{who} has other cards of the parties; exchange the cards, then run again",
    Fault.OTHER_TERMS: (
        "{who} was started with other terms (what is learnt, the length, the longest walk); agree "
        "on them, then run again"
    ),
    Fault.ABSENT: (
        "{who} did not connect within the time limit; see that it runs, and that its address is "
        "right and can be reached"
    ),
    Fault.LATE: "{who} did not answer within the time limit; nothing was learnt here; run again",
    Fault.GONE: "{who} went away before the end; nothing was learnt here; run again",
    Fault.RUBBISH: (
        "{who} sent something that is no message of this protocol; nothing was learnt here; see "
        "that all run the same version"
    ),
    Fault.SHARES: (
        "the opened shares contradict each other: a party computes wrongly or cheats; nothing was "
        "learnt here"
    ),
    Fault.STOPPED: "{who} was stopped before the end; nothing was learnt here; run again",
}


class ExchangeFault(Exception):
    """A reason to stop, inside the exchange; becomes an :class:`ExchangeFailed` for the user."""

    def __init__(self, fault: Fault, party: int | None = None) -> None:
        super().__init__(fault.name)
        self.fault = fault
        self.party = party

    def text(self, names: tuple[str, ...]) -> str:
        """Return the sentence for the user; it names a party at most.

        >>> ExchangeFault(Fault.GONE, 1).text(("ann", "bob", "cem"))
        "party 'bob' went away before the end; nothing was learnt here; run again"
        """
        known = self.party is not None and 0 <= self.party < len(names)
        who = f"party {names[self.party or 0]!r}" if known else "a party"
        return _TEXTS[self.fault].format(who=who)


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


HANDSHAKE = 10.0
"""Seconds a caller may take to say who it is."""

PAUSE = 0.2
"""Seconds before a party that did not answer is called again."""

PENDING = 32
"""Callers that have not said who they are; more of them wait in the system's queue."""

_HELLO = struct.Struct("<16sH32s32s32s")
_MAGIC = b"pathveil-parties"
_DROPPED = (asyncio.IncompleteReadError, TimeoutError, OSError)


@dataclass(frozen=True)
class Greeting:
    """What two parties compare before anything else: digests of 32 bytes each."""

    publication: bytes
    roster: bytes
    terms: bytes


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
    wire = Wire(me, len(roster), largest=largest)
    meeting = _Meeting(wire, roster, greeting, credentials)
    reason: ExchangeFault | None = ExchangeFault(Fault.STOPPED, me)
    try:
        async with asyncio.timeout(time_limit):
            await meeting.gather()
            yield wire
            await wire.finish()
        reason = None
    except ExchangeFault as fault:
        reason = fault
        raise
    except TimeoutError:
        reason = meeting.mismatch or wire.overdue()
        raise reason from None
    finally:
        await wire.close(reason)


class _Meeting:
    def __init__(
        self, wire: Wire, roster: Roster, greeting: Greeting, credentials: Credentials | None
    ) -> None:
        self.mismatch: ExchangeFault | None = None
        self._wire = wire
        self._roster = roster
        self._greeting = greeting
        self._credentials = credentials

    async def gather(self) -> None:
        """Connect to all others."""
        listener = _listener(self._roster, self._wire.me)
        tasks = [asyncio.ensure_future(self._accept(listener))]
        tasks += [asyncio.ensure_future(self._call(party)) for party in range(self._wire.me)]
        try:
            await self._wire.unless_failed(self._wire.complete.wait())
        except ExchangeFault as told:
            # What one has seen goes before what one is told: who came with another file finds that
            # all the others have another one, and may be the first to say so.
            raise self.mismatch or told from None
        else:
            # Not before all have come: a party that stops early leaves others waiting for it.
            if self.mismatch is not None:
                raise self.mismatch
        finally:
            listener.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _call(self, party: int) -> None:
        """Call a party until it answers."""
        card = self._roster.cards[party]
        context = self._credentials.calling(card.certificate) if self._credentials else None
        while True:
            writer = None
            try:
                reader, writer = await asyncio.open_connection(
                    card.host, card.port, **_tls_options(context, called=card.name)
                )
                if context is None or _shown(writer) == card.der:
                    self._wire.greet(party, writer, self._hello())
                    async with asyncio.timeout(HANDSHAKE):
                        hello = await reader.readexactly(_HELLO.size)
                    if self._meets(hello, expected=party):
                        self._wire.join(party, reader, writer)
                        return
            except _DROPPED:
                pass
            if writer is not None:
                writer.close()
            await asyncio.sleep(PAUSE)

    async def _accept(self, listener: socket.socket) -> None:
        room = asyncio.Semaphore(PENDING)
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
                task = asyncio.ensure_future(self._welcome(guest))
                guests.add(task)
                task.add_done_callback(guests.discard)
                task.add_done_callback(lambda _done: room.release())
        finally:
            for task in list(guests):
                task.cancel()
            await asyncio.gather(*guests, return_exceptions=True)

    async def _welcome(self, guest: socket.socket) -> None:
        """Let one caller show who it is; drop it silently if it is no party."""
        writer, joined = None, False
        try:
            async with asyncio.timeout(HANDSHAKE):
                reader, writer = await _wrap(
                    guest, self._credentials.called if self._credentials else None
                )
                hello = await reader.readexactly(_HELLO.size)
                party = int(_HELLO.unpack(hello)[1])
                if self._is_awaited(party, writer) and self._meets(hello, expected=party):
                    writer.write(self._hello())
                    self._wire.join(party, reader, writer)
                    joined = True
        except _DROPPED:
            pass
        finally:  # also if the meeting is over before a silent caller has said anything
            if writer is None:
                guest.close()
            elif not joined:
                writer.transport.abort()  # no farewell that a stranger could draw out

    def _is_awaited(self, party: int, writer: asyncio.StreamWriter) -> bool:
        if not self._wire.me < party < self._wire.parties or self._wire.knows(party):
            return False
        return self._credentials is None or _shown(writer) == self._roster.cards[party].der

    def _hello(self) -> bytes:
        mine = self._greeting
        return _HELLO.pack(_MAGIC, self._wire.me, mine.publication, mine.roster, mine.terms)

    def _meets(self, hello: bytes, *, expected: int) -> bool:
        """Whether a caller speaks this protocol; notes if it came to another exchange."""
        magic, party, publication, roster, terms = _HELLO.unpack(hello)
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


def _listener(roster: Roster, me: int) -> socket.socket:
    card = roster.cards[me]
    family, _, _, _, address = socket.getaddrinfo(
        card.host, card.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.create_server(address, family=family)
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
        "ssl_handshake_timeout": HANDSHAKE,
        "ssl_shutdown_timeout": GOODBYE,
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
