"""How the parties meet and talk: connections, greetings, rounds of messages, reasons to stop.

*Meeting.* Each party listens for the parties after it in the roster and calls those before it. A
connection counts once both sides have shown the certificates on their cards and have compared
publication, roster and terms (:class:`Greeting`). A caller without a certificate from the roster
gets no answer. It has :data:`HANDSHAKE` seconds; :data:`PENDING` callers may wait at a time, and
one more takes the place of the one that has waited longest. So idle callers cannot keep an exchange
from starting.

*Rounds.* A message is a header (kind, round, length) and numbers. Each party knows beforehand how
long each message of each round is; anything else ends the exchange. At most two messages of a peer
are kept, the rest waits in the system's buffers: nobody can fill a party's memory.

*Reasons to stop.* A reason travels as one byte and a party's number. It depends on no status,
position or share, with one exception: :attr:`Fault.INCONSISTENT` is one bit, that the statuses are
not those of one walk. It does not say whose.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

from pathveil.errors import ExchangeFailed
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
        "the links that the parties put in do not form one walk: a party's list of links is wrong, "
        "or the walk is longer than agreed; nothing else was opened. Let each party check its file "
        "and its links, then run again"
    ),
    Fault.OTHER_FILE: "{who} has another publication; compare the files, then run again",
    Fault.OTHER_ROSTER: "{who} has other cards; hand out the cards again, then run again",
    Fault.OTHER_TERMS: (
        "{who} was started with other terms (--learn, --longest); agree on them, then run again"
    ),
    Fault.ABSENT: (
        "{who} did not connect within the time limit; check that it is running and that the "
        "address on its card can be reached"
    ),
    Fault.LATE: "{who} did not answer within the time limit; nothing was learnt here; run again",
    Fault.GONE: "{who} went away before the end; nothing was learnt here; run again",
    Fault.RUBBISH: (
        "{who} sent something that is not a message of this protocol; nothing was learnt here; "
        "check that all run the same version"
    ),
    Fault.SHARES: (
        "the shares contradict each other: a party computes wrongly or cheats; nothing was learnt "
        "here"
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

    def greet(self, party: int, writer: asyncio.StreamWriter, proofs: bytes) -> None:
        """Send the proofs to a party that has not sent its own yet.

        It may count this party among its peers before its answer arrives. If the exchange ends in
        between, it gets the reason like the others.
        """
        writer.write(proofs)
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
        """Return the fault at the time limit: a party has not come, or has not answered."""
        absent = set(range(self.parties)) - set(self._peers) - {self.me}
        if absent:
            return ExchangeFault(Fault.ABSENT, min(absent))
        silent = [party for party in self._awaited if self._peers[party].inbox.empty()]
        return ExchangeFault(Fault.LATE, min(silent, default=None))

    async def close(self, reason: ExchangeFault | None) -> None:
        """Send the reason to the others, and close all connections."""
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


HANDSHAKE = 2.0
"""Seconds a caller may take to show who it is."""

ANSWER = 10.0
"""Seconds a called party may take to answer."""

PAUSE = 0.2
"""Seconds before a party that did not answer is called again."""

PENDING = 64
"""Callers that have not shown who they are yet."""

_MAGIC = b"pathveil-parties"
_NONCE, _PROOF = 32, 32
_HELLO = len(_MAGIC) + _NONCE
_DROPPED = (asyncio.IncompleteReadError, TimeoutError, OSError)


@dataclass(frozen=True)
class Greeting:
    """What two parties compare before anything else, as digests of 32 bytes.

    *Privacy*: no digest is sent. Each side proves that it has the same ones, by codes over the
    random numbers of this connection, keyed with the publication's digest. The caller goes first;
    a caller that has another publication gets random bytes, so it cannot test guesses on them.
    """

    publication: bytes
    roster: bytes
    terms: bytes

    def prove(self, party: int, hellos: bytes) -> list[bytes]:
        """Return a party's proofs on one connection: of publication, roster and terms."""
        key = hmac.digest(self.publication, hellos + bytes([party]), "sha256")
        digests = (self.publication, self.roster, self.terms)
        return [hmac.digest(key, digest, "sha256") for digest in digests]

    def differs(self, party: int, hellos: bytes, proofs: bytes) -> Fault | None:
        """Return the first thing a party has otherwise, by the proofs it sent."""
        faults = (Fault.OTHER_FILE, Fault.OTHER_ROSTER, Fault.OTHER_TERMS)
        for i, (fault, expected) in enumerate(zip(faults, self.prove(party, hellos), strict=True)):
            if not hmac.compare_digest(proofs[i * _PROOF : (i + 1) * _PROOF], expected):
                return fault
        return None


@contextlib.asynccontextmanager
async def connected(
    roster: Roster, credentials: Credentials, *, greeting: Greeting, largest: int, time_limit: float
) -> AsyncIterator[Wire]:
    """Give one party its wire to all others; whatever happens, it is closed in the end.

    Parameters
    ----------
    largest
        Bytes of the longest message the agreement allows.
    time_limit
        Seconds until all have come, and again for everything after it.

    Raises
    ------
    ExchangeFault
        Whatever went wrong, here or elsewhere. It contains no secret.
    """
    wire = Wire(credentials.me, len(roster), largest=largest)
    meeting = _Meeting(wire, roster, greeting, credentials)
    reason: ExchangeFault | None = ExchangeFault(Fault.STOPPED, wire.me)
    try:
        async with asyncio.timeout(time_limit):
            await meeting.gather()
        async with asyncio.timeout(time_limit):
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
        self, wire: Wire, roster: Roster, greeting: Greeting, credentials: Credentials
    ) -> None:
        self.mismatch: ExchangeFault | None = None
        self._wire = wire
        self._roster = roster
        self._greeting = greeting
        self._credentials = credentials
        self._number_of = {card.der: number for number, card in enumerate(roster.cards)}

    async def gather(self) -> None:
        """Connect to all others."""
        listener = _listener(self._roster, self._wire.me)
        tasks = [asyncio.ensure_future(self._accept(listener))]
        tasks += [asyncio.ensure_future(self._call(party)) for party in range(self._wire.me)]
        try:
            await self._wire.unless_failed(self._wire.complete.wait())
        except ExchangeFault as reported:
            # What this party has seen goes before what another reports: a party with another file
            # finds that all others have another one, and may be the first to say so.
            raise self.mismatch or reported from None
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
        context = self._credentials.calling(card.certificate)
        while True:
            writer = None
            try:
                # No server name: that would travel in the clear.
                reader, writer = await asyncio.open_connection(
                    card.host,
                    card.port,
                    ssl=context,
                    server_hostname="",
                    ssl_handshake_timeout=ANSWER,
                    ssl_shutdown_timeout=GOODBYE,
                )
                if _shown(writer) == card.der and await self._greet(party, reader, writer):
                    return
            except _DROPPED:
                pass
            if writer is not None:
                writer.close()
            await asyncio.sleep(PAUSE)

    async def _greet(
        self, party: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Greet as the caller; return whether the other is a party of this version."""
        mine = _MAGIC + os.urandom(_NONCE)
        writer.write(mine)
        async with asyncio.timeout(ANSWER):
            theirs = await reader.readexactly(_HELLO)
            if not theirs.startswith(_MAGIC):
                return False
            hellos = mine + theirs
            proofs = self._greeting.prove(self._wire.me, hellos)
            self._wire.greet(party, writer, b"".join(proofs))
            self._compare(party, hellos, await reader.readexactly(3 * _PROOF))
        self._wire.join(party, reader, writer)
        return True

    async def _accept(self, listener: socket.socket) -> None:
        """Let callers in; too many that have not shown who they are push out the oldest."""
        guests: dict[asyncio.Task[None], None] = {}  # the oldest first
        try:
            while True:
                try:
                    guest, _ = await asyncio.get_running_loop().sock_accept(listener)
                except OSError:  # out of files, or the caller has gone already
                    await asyncio.sleep(0.1)
                    continue
                if len(guests) >= PENDING:
                    oldest = next(iter(guests))
                    del guests[oldest]
                    oldest.cancel()
                task = asyncio.ensure_future(self._welcome(guest))
                guests[task] = None
                task.add_done_callback(lambda done: guests.pop(done, None))
                await asyncio.sleep(0)  # a crowd must not keep the others from going on
        finally:
            for task in list(guests):
                task.cancel()
            await asyncio.gather(*guests, return_exceptions=True)

    async def _welcome(self, guest: socket.socket) -> None:
        """Let one caller show who it is; drop it silently if it is not an awaited party."""
        writer, joined = None, False
        try:
            async with asyncio.timeout(HANDSHAKE):
                reader, writer = await _wrap(guest, self._credentials.called)
                party = self._number_of.get(_shown(writer) or b"")
                if party is None or not self._is_awaited(party):
                    return
                theirs = await reader.readexactly(_HELLO)
                if not theirs.startswith(_MAGIC):
                    return
                mine = _MAGIC + os.urandom(_NONCE)
                writer.write(mine)
                proofs = await reader.readexactly(3 * _PROOF)
            if self._is_awaited(party):
                fault = self._compare(party, theirs + mine, proofs)
                own = b"".join(self._greeting.prove(self._wire.me, theirs + mine))
                writer.write(os.urandom(len(own)) if fault is Fault.OTHER_FILE else own)
                self._wire.join(party, reader, writer)
                joined = True
        except _DROPPED:
            pass
        finally:  # also if the meeting is over before a silent caller has said anything
            if writer is None:
                guest.close()
            elif not joined:
                writer.transport.abort()  # no farewell that a stranger could draw out

    def _is_awaited(self, party: int) -> bool:
        return party > self._wire.me and not self._wire.knows(party)

    def _compare(self, party: int, hellos: bytes, proofs: bytes) -> Fault | None:
        """Return what a party has otherwise; the first such fault will end the exchange."""
        fault = self._greeting.differs(party, hellos, proofs)
        if fault is not None and self.mismatch is None:
            self.mismatch = ExchangeFault(fault, party)
        return fault


def _listener(roster: Roster, me: int) -> socket.socket:
    card = roster.cards[me]
    try:
        family, _, _, _, address = socket.getaddrinfo(
            card.host, card.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.create_server(address, family=family, backlog=socket.SOMAXCONN)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ExchangeFailed(
            f"{card.host}:{card.port}: the address on your card cannot be used here ({why}); end "
            "what else uses it, or make a card with another address"
        ) from None
    listener.setblocking(False)
    return listener


def _shown(writer: asyncio.StreamWriter) -> bytes | None:
    """Return the certificate the other side has shown."""
    channel = writer.get_extra_info("ssl_object")
    shown: bytes | None = channel.getpeercert(binary_form=True) if channel else None
    return shown


async def _wrap(
    guest: socket.socket, context: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.connect_accepted_socket(
        lambda: protocol,
        guest,
        ssl=context,
        ssl_handshake_timeout=HANDSHAKE,
        ssl_shutdown_timeout=GOODBYE,
    )
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)
