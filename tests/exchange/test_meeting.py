"""Parties meet over loopback and TLS, in one process; rounds, and every way to fail."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pathveil.exchange import meeting
from pathveil.exchange.cards import Card, Roster, make_certificate, read_credentials
from pathveil.exchange.meeting import ExchangeFault, Fault, Greeting, Wire, _received, connected
from pathveil.exchange.rehearse import free_ports

SAME = Greeting(b"p" * 32, b"r" * 32, b"t" * 32)
KEYS = {name: make_certificate(name, days=2) for name in ("ann", "bob", "cem", "dan")}
LONG = 300.0


class Town:
    """Three parties, their roster and their keys."""

    def __init__(self, folder: Path) -> None:
        self.ports = free_ports(3)
        self.roster = Roster.of(
            Card(name, "127.0.0.1", port, (name,), KEYS[name][1])
            for name, port in zip(("ann", "bob", "cem"), self.ports, strict=True)
        )
        self.keys = []
        for name in self.roster.names:
            (folder / f"{name}.key").write_text(KEYS[name][0], encoding="ascii")
            self.keys.append(read_credentials(self.roster, folder / f"{name}.key"))

    async def attend(
        self,
        me: int,
        *,
        greeting: Greeting = SAME,
        time_limit: float = LONG,
        work: Callable[[Wire], Awaitable[Any]] | None = None,
    ) -> Any:
        async with connected(
            self.roster, self.keys[me], greeting=greeting, largest=100, time_limit=time_limit
        ) as wire:
            return await (work or swap_numbers)(wire)

    async def call(
        self, me: int, *, to: int = 0
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Call a party with the certificate of another, as soon as it listens."""
        context = self.keys[me].calling(self.roster.cards[to].certificate)
        while True:
            with suppress(ConnectionRefusedError):
                return await asyncio.open_connection(
                    "127.0.0.1", self.ports[to], ssl=context, server_hostname=""
                )
            await asyncio.sleep(0.01)


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path)


async def swap_numbers(wire: Wire) -> dict[int, bytes]:
    others = [party for party in range(wire.parties) if party != wire.me]
    return await wire.swap({k: bytes([wire.me]) for k in others}, dict.fromkeys(others, 1))


def everybody(*parts: Awaitable[Any]) -> list[Any]:
    async def run() -> list[Any]:
        return await asyncio.gather(*parts, return_exceptions=True)

    return asyncio.run(run())


def leap(seconds: float) -> None:
    """Make the clock of the loop that is running leap forward."""
    loop = asyncio.get_running_loop()
    before = loop.time
    loop.time = lambda: before() + seconds  # type: ignore[method-assign]


def reason(outcome: object) -> tuple[Fault, int | None]:
    assert isinstance(outcome, ExchangeFault), outcome
    return outcome.fault, outcome.party


HEARD = [{1: b"\1", 2: b"\2"}, {0: b"\0", 2: b"\2"}, {0: b"\0", 1: b"\1"}]


def test_three_parties_find_each_other(town: Town) -> None:
    assert everybody(*(town.attend(k) for k in range(3))) == HEARD


@pytest.mark.parametrize(
    ("greeting", "fault"),
    [
        (Greeting(b"q" * 32, b"r" * 32, b"t" * 32), Fault.OTHER_FILE),
        (Greeting(b"p" * 32, b"q" * 32, b"t" * 32), Fault.OTHER_ROSTER),
        (Greeting(b"p" * 32, b"r" * 32, b"q" * 32), Fault.OTHER_TERMS),
        (Greeting(b"q" * 32, b"q" * 32, b"q" * 32), Fault.OTHER_FILE),
    ],
)
@pytest.mark.parametrize("odd", [0, 2])
def test_a_party_that_came_to_another_exchange_is_named(
    town: Town, greeting: Greeting, fault: Fault, odd: int
) -> None:
    """The two that agree name the third; it names one of them."""
    outcomes = everybody(
        *(town.attend(k, greeting=greeting if k == odd else SAME) for k in range(3))
    )
    for me, outcome in enumerate(outcomes):
        assert reason(outcome)[0] == fault
        assert reason(outcome)[1] == odd or me == odd


# -- greetings ------------------------------------------------------------------------------------


def test_no_greeting_carries_a_digest_and_no_two_are_alike(town: Town) -> None:
    """What a party sends until it has joined, on two calls: random numbers and codes over them."""
    sent: list[bytes] = []

    async def listen() -> None:
        async def ann(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            hello = await reader.readexactly(meeting._HELLO)
            writer.write(meeting._MAGIC + os.urandom(32))
            sent.append(hello + await reader.readexactly(3 * 32))
            writer.close()

        server = await asyncio.start_server(
            ann, "127.0.0.1", town.ports[0], ssl=town.keys[0].called
        )
        async with server:
            bob = asyncio.ensure_future(town.attend(1))
            while len(sent) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            bob.cancel()
            await asyncio.gather(bob, return_exceptions=True)

    asyncio.run(listen())
    parts = [{message[k : k + 32] for k in range(16, len(message), 32)} for message in sent]
    assert all(len(each) == 4 for each in parts)
    assert parts[0].isdisjoint(parts[1])
    for message in sent:
        assert not any(digest in message for digest in (SAME.publication, SAME.roster, SAME.terms))


def test_a_caller_without_the_file_gets_nothing_to_test_guesses_on(town: Town) -> None:
    """Cem calls with another file: what comes back is no code of the right one, nor of his."""

    async def answered(greeting: Greeting) -> tuple[bytes, bytes]:
        ann = asyncio.ensure_future(town.attend(0))
        reader, writer = await town.call(2)
        mine = meeting._MAGIC + os.urandom(32)
        writer.write(mine)
        hellos = mine + await reader.readexactly(meeting._HELLO)
        writer.write(b"".join(greeting.prove(2, hellos)))
        proofs = await reader.readexactly(3 * 32)
        ann.cancel()
        await asyncio.gather(ann, return_exceptions=True)
        writer.close()
        return hellos, proofs

    hellos, proofs = asyncio.run(answered(SAME))
    assert proofs == b"".join(SAME.prove(0, hellos))
    other = Greeting(b"q" * 32, SAME.roster, SAME.terms)
    hellos, proofs = asyncio.run(answered(other))
    heard = {proofs[k : k + 32] for k in range(0, 96, 32)}
    assert heard.isdisjoint([*SAME.prove(0, hellos), *other.prove(0, hellos)])


def test_proofs_hold_for_one_connection_and_one_speaker() -> None:
    proofs = SAME.prove(0, b"hellos")
    assert SAME.differs(0, b"hellos", b"".join(proofs)) is None
    for party, hellos in ((1, b"hellos"), (0, b"others")):
        assert SAME.differs(party, hellos, b"".join(proofs)) == Fault.OTHER_FILE
    other = Greeting(SAME.publication, b"q" * 32, SAME.terms)
    assert other.differs(0, b"hellos", b"".join(proofs)) == Fault.OTHER_ROSTER


# -- callers --------------------------------------------------------------------------------------


@pytest.mark.regression("322 idle connections kept an exchange from starting")
def test_hundreds_of_idle_connections_do_not_keep_an_exchange_from_starting(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come first, stay and say nothing; even if none were dropped for being slow, all meet."""
    monkeypatch.setattr(meeting, "HANDSHAKE", LONG)
    crowd: list[socket.socket] = []

    async def besieged() -> list[Any]:
        ann = asyncio.ensure_future(town.attend(0))
        bob = asyncio.ensure_future(town.attend(1))
        for k in range(400):
            while True:
                idle = socket.socket()
                idle.setblocking(False)
                try:
                    loop = asyncio.get_running_loop()
                    await loop.sock_connect(idle, ("127.0.0.1", town.ports[k % 2]))
                    break
                except ConnectionRefusedError:
                    idle.close()
                    await asyncio.sleep(0.01)
            crowd.append(idle)
        return list(await asyncio.gather(ann, bob, town.attend(2)))

    try:
        assert asyncio.run(besieged()) == HEARD
    finally:
        for idle in crowd:
            idle.close()


def test_a_silent_caller_is_dropped_after_two_seconds(town: Town) -> None:
    assert meeting.HANDSHAKE == 2.0

    async def silent() -> bytes:
        ann = asyncio.ensure_future(town.attend(0))
        (await town.call(1))[1].close()  # now she listens
        reader, writer = await asyncio.open_connection("127.0.0.1", town.ports[0])
        heard = asyncio.ensure_future(reader.read())
        while not heard.done():
            leap(meeting.HANDSHAKE)
            await asyncio.sleep(0.01)
        writer.close()
        ann.cancel()
        await asyncio.gather(ann, return_exceptions=True)
        return heard.result()

    assert asyncio.run(silent()) == b""


def test_strangers_get_no_word_and_stop_nothing(town: Town) -> None:
    """Without TLS, without a certificate of the roster, or with that of a party not awaited."""

    async def besieged() -> tuple[list[bytes], list[Any]]:
        ann = asyncio.ensure_future(town.attend(0))
        (await town.call(1))[1].close()  # now she listens
        heard = []
        for noise in (b"", b"GET / HTTP/1.1\r\n\r\n", os.urandom(4096)):
            reader, writer = await asyncio.open_connection("127.0.0.1", town.ports[0])
            writer.write(noise)
            writer.write_eof()
            with suppress(ConnectionResetError):
                heard.append(await reader.read(1))
            writer.close()
        for me, said in ((0, meeting._MAGIC + os.urandom(32)), (1, b"another-protocol" * 3)):
            reader, writer = await town.call(me)
            writer.write(said)
            with suppress(ConnectionResetError, ssl.SSLError):
                heard.append(await reader.read())
            writer.close()
        return heard, list(await asyncio.gather(ann, town.attend(1), town.attend(2)))

    heard, outcomes = asyncio.run(besieged())
    # A TLS alert may answer what is not TLS; nothing of a greeting does.
    assert all(word in {b"", b"\x15"} for word in heard)
    assert outcomes == HEARD


def test_a_party_that_has_come_cannot_come_again(town: Town) -> None:
    async def doubled() -> tuple[bytes, Any]:
        ann = asyncio.ensure_future(town.attend(0))
        reader, writer = await town.call(1)
        mine = meeting._MAGIC + os.urandom(32)
        writer.write(mine)
        hellos = mine + await reader.readexactly(meeting._HELLO)
        writer.write(b"".join(SAME.prove(1, hellos)))
        assert await reader.readexactly(96) == b"".join(SAME.prove(0, hellos))
        again, other = await town.call(1)
        other.write(meeting._MAGIC + os.urandom(32))
        heard = b""
        with suppress(ConnectionResetError, ssl.SSLError):
            heard = await again.read()
        other.close()
        writer.close()
        return heard, (await asyncio.gather(ann, return_exceptions=True))[0]

    heard, outcome = asyncio.run(doubled())
    assert heard == b""
    assert reason(outcome) == (Fault.GONE, 1)


# -- how a meeting ends ---------------------------------------------------------------------------


def test_a_party_that_does_not_come_is_named_when_the_time_is_up(town: Town) -> None:
    """However slow the machine is: nobody else is ever there."""
    (alone,) = everybody(town.attend(0, time_limit=0.2))
    assert reason(alone) == (Fault.ABSENT, 1)
    (last,) = everybody(town.attend(2, time_limit=0.2))
    assert reason(last) == (Fault.ABSENT, 0)


def test_waiting_for_the_others_takes_nothing_from_the_time_of_the_exchange(town: Town) -> None:
    """Two parties come late, and then all take long: each within the limit, together beyond it."""

    all_there = asyncio.Barrier(3)

    async def slowly(wire: Wire) -> dict[int, bytes]:
        if await all_there.wait() == 0:
            leap(0.6 * LONG)
        return await swap_numbers(wire)

    async def late() -> list[Any]:
        leap(0.6 * LONG)
        return await asyncio.gather(*(town.attend(me, work=slowly) for me in (1, 2)))

    ann, others = everybody(town.attend(0, work=slowly), late())
    assert [ann, *others] == HEARD


def test_whatever_else_stops_a_party_gives_the_others_its_number_only(town: Town) -> None:
    async def crash(_wire: Wire) -> None:
        raise RuntimeError("a secret")

    one, two, three = everybody(town.attend(0), town.attend(1, work=crash), town.attend(2))
    assert reason(one) == reason(three) == (Fault.STOPPED, 1)
    assert isinstance(two, RuntimeError)


def test_reasons_are_a_list_that_says_no_more_than_a_partys_name() -> None:
    names = ("ann", "bob", "cem")
    for fault in Fault:
        text = ExchangeFault(fault, 1).text(names)
        unnamed = fault in {Fault.INCONSISTENT, Fault.SHARES}
        assert text.startswith("the ") if unnamed else text.startswith("party 'bob' ")
        assert str(ExchangeFault(fault, 1)) == fault.name, "in a log, too"
    for party in (None, -1, 3, 254):
        assert ExchangeFault(Fault.GONE, party).text(names).startswith("a party went away")
    assert _received(bytes([Fault.SHARES, NOBODY])).party is None
    assert _received(bytes([Fault.SHARES, 0])).party == 0
    assert _received(bytes([0, 3])).fault == Fault.RUBBISH


# -- the wire, over socket pairs ------------------------------------------------------------------

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
    """One honest party, number 0, and the other end of its line to party 1."""
    wire = Wire(0, parties, largest=largest)
    here, there = socket.socketpair()
    wire.join(1, *await asyncio.open_connection(sock=here))
    return wire, *await asyncio.open_connection(sock=there)


def within_the_limit(script: Callable[[], Awaitable[Any]]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(600):
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

    within_the_limit(script)


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

    within_the_limit(script)


def test_the_largest_message_is_allowed_and_one_that_came_before_a_fault_counts() -> None:
    async def script() -> None:
        wire, _, writer = await alone(largest=8)
        writer.write(HEADER.pack(NUMBERS, 1, 8) + b"12345678" + HEADER.pack(DONE, 2, 0))
        assert await wire.swap({}, {1: 8}) == {1: b"12345678"}
        await wire.finish()
        await wire.close(None)
        writer.close()

    within_the_limit(script)


@pytest.mark.parametrize(
    ("reason", "heard"),
    [
        (ExchangeFault(Fault.GONE, 2), HEADER.pack(ABORT, 0, 2) + bytes([Fault.GONE, 2])),
        (ExchangeFault(Fault.SHARES), HEADER.pack(ABORT, 0, 2) + bytes([Fault.SHARES, NOBODY])),
        (None, b""),
    ],
)
def test_closing_sends_the_reason_and_nothing_else(
    reason: ExchangeFault | None, heard: bytes
) -> None:
    async def script() -> None:
        wire, reader, writer = await alone()
        await wire.close(reason)
        assert await reader.read() == heard
        writer.close()

    within_the_limit(script)


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

    within_the_limit(script)
