"""Parties meet over loopback, in one process: who is let in, what ends it, who is dropped."""

from __future__ import annotations

import asyncio
import gc
import socket
import struct
import weakref
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from pathveil.exchange import meeting
from pathveil.exchange.cards import Card, Credentials, Roster, make_certificate, read_credentials
from pathveil.exchange.meeting import ExchangeFault, Fault, Greeting, Wire, connected

SAME = Greeting(b"p" * 32, b"r" * 32, b"t" * 32)
KEYS = {name: make_certificate(name, days=2) for name in ("ann", "bob", "cem", "dan")}
LONG = 300.0


def free_ports(count: int) -> list[int]:
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in taken]
    for one in taken:
        one.close()
    return ports


@pytest.fixture
def roster() -> Roster:
    names = zip(("ann", "bob", "cem"), free_ports(3), strict=True)
    return Roster.of(Card(name, "127.0.0.1", port, (), 0, KEYS[name][1]) for name, port in names)


def secured(roster: Roster, folder: Path, me: int, *, key: str | None = None) -> Credentials:
    file = folder / f"{me}.key"
    file.write_text(KEYS[key or roster.names[me]][0], encoding="ascii")
    return read_credentials(roster, me, file)


async def hello(wire: Wire) -> dict[int, bytes]:
    others = [party for party in range(wire.parties) if party != wire.me]
    return await wire.swap({k: bytes([wire.me]) for k in others}, dict.fromkeys(others, 1))


async def attend(
    roster: Roster,
    me: int,
    *,
    greeting: Greeting = SAME,
    credentials: Credentials | None = None,
    time_limit: float = LONG,
    work: Callable[[Wire], Awaitable[Any]] = hello,
) -> Any:
    async with connected(
        roster, me, greeting=greeting, credentials=credentials, largest=100, time_limit=time_limit
    ) as wire:
        return await work(wire)


def everybody(*parts: Awaitable[Any]) -> list[Any]:
    async def run() -> list[Any]:
        return await asyncio.gather(*parts, return_exceptions=True)

    return asyncio.run(run())


def reason(outcome: object) -> tuple[Fault, int | None]:
    assert isinstance(outcome, ExchangeFault), outcome
    return outcome.fault, outcome.party


HEARD = [{1: b"\1", 2: b"\2"}, {0: b"\0", 2: b"\2"}, {0: b"\0", 1: b"\1"}]


def test_three_parties_find_each_other(roster: Roster) -> None:
    assert everybody(*(attend(roster, k) for k in range(3))) == HEARD


def test_over_tls_they_know_each_other_by_the_very_certificates(
    roster: Roster, tmp_path: Path
) -> None:
    made = [secured(roster, tmp_path, k) for k in range(3)]
    assert everybody(*(attend(roster, k, credentials=made[k]) for k in range(3))) == HEARD


@pytest.mark.parametrize(
    ("greeting", "fault"),
    [
        (Greeting(b"q" * 32, b"r" * 32, b"t" * 32), Fault.OTHER_FILE),
        (Greeting(b"p" * 32, b"q" * 32, b"t" * 32), Fault.OTHER_ROSTER),
        (Greeting(b"p" * 32, b"r" * 32, b"q" * 32), Fault.OTHER_TERMS),
        (Greeting(b"q" * 32, b"q" * 32, b"q" * 32), Fault.OTHER_FILE),
    ],
)
def test_who_came_to_another_exchange_is_told_apart(
    roster: Roster, greeting: Greeting, fault: Fault
) -> None:
    """The two that agree name the third; it names one of them."""
    one, two, three = everybody(
        attend(roster, 0), attend(roster, 1), attend(roster, 2, greeting=greeting)
    )
    assert reason(one) == reason(two) == (fault, 2)
    assert reason(three)[0] == fault
    assert reason(three)[1] in {0, 1}


def test_who_does_not_come_is_named_when_the_time_is_up(roster: Roster) -> None:
    """However slow the machine is: nobody else is ever there."""
    (alone,) = everybody(attend(roster, 0, time_limit=0.2))
    assert reason(alone) == (Fault.ABSENT, 1)
    (last,) = everybody(attend(roster, 2, time_limit=0.2))
    assert reason(last) == (Fault.ABSENT, 0)


def test_a_fault_inside_reaches_all_others(roster: Roster) -> None:
    async def misread(_wire: Wire) -> None:
        raise ExchangeFault(Fault.INCONSISTENT)

    found = everybody(attend(roster, 0, work=misread), attend(roster, 1), attend(roster, 2))
    assert [reason(one) for one in found] == [(Fault.INCONSISTENT, None)] * 3


def test_whatever_else_stops_a_party_tells_the_others_its_number_only(roster: Roster) -> None:
    async def crash(_wire: Wire) -> None:
        raise RuntimeError("a secret")

    one, two, three = everybody(attend(roster, 0), attend(roster, 1, work=crash), attend(roster, 2))
    assert reason(one) == reason(three) == (Fault.STOPPED, 1)
    assert isinstance(two, RuntimeError)


def test_who_has_been_greeted_and_not_answered_yet_is_told_why_it_ends(roster: Roster) -> None:
    """Bob counts Cem among his peers from Cem's hello on, whether or not Cem has his answer."""
    abort = struct.pack("<BII2B", 1, 0, 2, Fault.OTHER_TERMS, 1)

    async def ended() -> tuple[bytes, Any]:
        greeted, over = asyncio.Event(), asyncio.Event()
        heard = b""

        async def ann(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readexactly(meeting._HELLO.size)
            await greeted.wait()
            writer.write(says(0) + abort)
            await reader.read()
            writer.close()

        async def bob(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal heard
            await reader.readexactly(meeting._HELLO.size)
            greeted.set()
            heard = await reader.read()
            writer.close()
            over.set()

        ports = [card.port for card in roster.cards]
        async with (
            await asyncio.start_server(ann, "127.0.0.1", ports[0]),
            await asyncio.start_server(bob, "127.0.0.1", ports[1]),
        ):
            outcomes = await asyncio.gather(attend(roster, 2), return_exceptions=True)
            await over.wait()
        return heard, outcomes[0]

    heard, outcome = asyncio.run(ended())
    assert reason(outcome) == (Fault.OTHER_TERMS, 1)
    assert heard == abort


async def call(roster: Roster, said: bytes, **tls: Any) -> bytes:
    """Call the first party as soon as it listens, say something, return what it answers."""
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", roster.cards[0].port, **tls)
            break
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)
    writer.write(said)
    heard = b""
    with suppress(ConnectionResetError):  # hung up on before all was read
        heard = await reader.read()
    writer.close()
    with suppress(ConnectionResetError):
        await writer.wait_closed()
    return heard


def says(number: int, *, magic: bytes = meeting._MAGIC) -> bytes:
    return meeting._HELLO.pack(magic, number, SAME.publication, SAME.roster, SAME.terms)


STRANGERS = [
    b"GET / HTTP/1.1\r\n\r\n" * 10,
    says(0),
    says(3),
    says(0xFFFF),
    says(1, magic=b"another-protocol"),
]


def test_strangers_are_hung_up_on_without_a_word_and_stop_nothing(roster: Roster) -> None:
    async def besieged() -> tuple[list[bytes], list[Any]]:
        first = asyncio.ensure_future(attend(roster, 0))
        answers = [await call(roster, said) for said in STRANGERS]
        # These hold the line and say nothing while the parties meet.
        silent = [asyncio.ensure_future(call(roster, b"")) for _ in range(8)]
        found = await asyncio.gather(first, attend(roster, 1), attend(roster, 2))
        answers += await asyncio.gather(*silent)
        return answers, list(found)

    answers, found = asyncio.run(besieged())
    assert answers == [b""] * 13
    assert found == HEARD


def test_a_party_that_has_come_cannot_come_again(roster: Roster) -> None:
    async def doubled() -> tuple[bytes, list[Any]]:
        first = asyncio.ensure_future(attend(roster, 0))
        reader, writer = await asyncio.open_connection(*(await _listening(roster)), limit=1 << 16)
        writer.write(says(1))
        answer = await reader.readexactly(meeting._HELLO.size)
        again = await call(roster, says(1))
        writer.close()
        outcome = await asyncio.gather(first, return_exceptions=True)
        return answer, [again, *outcome]

    answer, (again, outcome) = asyncio.run(doubled())
    assert answer == says(0), "the first is answered"
    assert again == b""
    assert reason(outcome) == (Fault.GONE, 1)


async def _listening(roster: Roster) -> tuple[str, int]:
    """Return the first party's address once it listens; the call that finds out is dropped."""
    await call(roster, says(0))
    return "127.0.0.1", roster.cards[0].port


def test_a_certificate_of_another_party_does_not_let_in(roster: Roster, tmp_path: Path) -> None:
    """Bob shows his own certificate and says he is Cem: trusted, but not Cem."""
    ann, bob = secured(roster, tmp_path, 0), secured(roster, tmp_path, 1)
    tls = {"ssl": bob.calling(roster.cards[0].certificate), "server_hostname": "ann"}

    async def masked() -> bytes:
        first = asyncio.ensure_future(attend(roster, 0, credentials=ann))
        heard = await call(roster, says(2), **tls)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return heard

    assert asyncio.run(masked()) == b""


def test_the_listener_is_where_the_card_says(roster: Roster) -> None:
    with closing(meeting._listener(roster, 1)) as found:
        assert found.getsockname() == ("127.0.0.1", roster.cards[1].port)
        assert not found.getblocking()


def test_who_was_hung_up_on_is_forgotten(roster: Roster, monkeypatch: pytest.MonkeyPatch) -> None:
    """A meeting may last for hours: strangers who come and go must not pile up in it."""
    came: list[weakref.ref[Any]] = []
    welcome = asyncio.ensure_future

    def noted(work: Any) -> Any:
        task = welcome(work)
        if getattr(work, "__name__", "") == "_welcome":
            came.append(weakref.ref(task))
        return task

    async def besieged() -> int:
        first = welcome(attend(roster, 0))
        monkeypatch.setattr(asyncio, "ensure_future", noted)
        for _ in range(6):
            await call(roster, says(3))
        monkeypatch.undo()
        await asyncio.sleep(0)
        gc.collect()
        kept = sum(task() is not None for task in came)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return kept

    assert asyncio.run(besieged()) <= 1, "the last may still be on its way out"
    assert len(came) == 6


def test_who_could_not_accept_for_a_while_lets_parties_in_afterwards(
    roster: Roster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Out of files more often than there are places for callers: no place is lost by it."""
    monkeypatch.setattr(meeting, "PENDING", 1)
    failures = [OSError(24, "too many open files")] * 2

    async def gathered() -> list[Any]:
        loop = asyncio.get_running_loop()
        accept = loop.sock_accept

        async def refused(listener: socket.socket) -> Any:
            if failures and listener.getsockname()[1] == roster.cards[0].port:
                raise failures.pop()
            return await accept(listener)

        monkeypatch.setattr(loop, "sock_accept", refused)
        return await asyncio.gather(*(attend(roster, k) for k in range(3)))

    assert asyncio.run(gathered()) == HEARD
    assert failures == []
