"""Parties in one process, for laws: messages go through queues, and everything is written down."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pathveil.exchange.meeting import ExchangeFault
from pathveil.exchange.protocol import Agreement, Direction, Learnt, Statuses, read_together

Shape = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
"""What an onlooker of one party's wire sees of a round: bytes to and from each other party."""


class MemoryRounds:
    def __init__(
        self, me: int, parties: int, queues: dict[tuple[int, int], asyncio.Queue[bytes]]
    ) -> None:
        self.me = me
        self.parties = parties
        self.queues = queues
        self.shapes: list[Shape] = []

    async def swap(
        self, outgoing: Mapping[int, bytes], expected: Mapping[int, int]
    ) -> dict[int, bytes]:
        sent = tuple(sorted((party, len(data)) for party, data in outgoing.items()))
        self.shapes.append((sent, tuple(sorted(expected.items()))))
        for party, data in outgoing.items():
            self.queues[self.me, party].put_nowait(data)
        found = {}
        for party, size in expected.items():
            found[party] = await self.queues[party, self.me].get()
            assert len(found[party]) == size
        return found


def rounds_of(parties: int) -> list[MemoryRounds]:
    """Return the wires of all parties, each joined to each."""
    queues: dict[tuple[int, int], asyncio.Queue[bytes]] = {
        (i, j): asyncio.Queue() for i in range(parties) for j in range(parties)
    }
    return [MemoryRounds(i, parties, queues) for i in range(parties)]


@dataclass
class Run:
    learnt: list[Learnt]
    faults: list[ExchangeFault]
    shapes: list[list[Shape]]


def exchange(agreement: Agreement, inputs: Sequence[Statuses]) -> Run:
    """Run all parties of an exchange; a fault of one is a fault of all."""

    async def everybody() -> Run:
        rounds = rounds_of(len(inputs))
        results = await asyncio.gather(
            *(read_together(r, agreement, mine) for r, mine in zip(rounds, inputs, strict=True)),
            return_exceptions=True,
        )
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, ExchangeFault):
                raise result
        return Run(
            [r for r in results if isinstance(r, Learnt)],
            [r for r in results if isinstance(r, ExchangeFault)],
            [r.shapes for r in rounds],
        )

    return asyncio.run(everybody())


def dealt(
    size: int, path: Sequence[int], direction: Direction, *, parties: int = 3, **terms: Any
) -> tuple[Agreement, list[Statuses]]:
    """Deal the positions out in turn; each party knows its own rows of the walk's links."""
    links = np.zeros((size, size), dtype=bool)
    for here, there in pairwise(path):
        links[here, there] = links[there, here] = True
    held = tuple(tuple(range(i, size, parties)) for i in range(parties))
    agreement = Agreement(size, held, direction, **terms)
    return agreement, [Statuses(links[list(rows)]) for rows in held]
