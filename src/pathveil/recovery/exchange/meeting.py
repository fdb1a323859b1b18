"""Meeting: how parties find each other, and make sure that they are the ones on the cards.

Each party listens for those after it in the roster and calls those before it. A connection counts
only once TLS has shown the very certificate on the other's card and both have said hello: the same
publication, the same roster, the same terms. Strangers are dropped and never stop an exchange;
:data:`PENDING` of them at a time get :data:`HANDSHAKE` seconds each to say who they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from pathveil.recovery.exchange.credentials import Credentials
from pathveil.recovery.exchange.faults import ExchangeFault, Fault
from pathveil.recovery.exchange.roster import Roster
from pathveil.recovery.exchange.wire import GOODBYE, Wire

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
