"""One party's side of a computation on shares: share, bring back to degree t, open.

Three moves, each one round on the wire, each the same for every secret:

- :meth:`Computation.share`: every party hands every other a share of its own numbers;
- :meth:`Computation.reduce`: a product, on polynomials of degree 2t, is brought back to degree t by
  sharing the shares and recombining them (Gennaro, Rabin and Rabin 1998);
- :meth:`Computation.open`: shares are put together. This is the *only* place where a secret becomes
  known to anybody. Each call has a name and is counted in :attr:`Computation.opened`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pathveil.recovery.exchange.faults import ExchangeFault, Fault
from pathveil.recovery.exchange.field import (
    PRIME,
    WIDTH,
    Numbers,
    combine,
    from_bytes,
    lie_on_one_polynomial,
    split,
    threshold,
    to_bytes,
)


class Rounds(Protocol):
    """What carries messages: every party's wire to the others."""

    me: int
    parties: int

    async def swap(
        self, outgoing: Mapping[int, bytes], expected: Mapping[int, int]
    ) -> dict[int, bytes]:
        """Send one message to some parties and return one of known size from others."""
        ...


@dataclass(frozen=True)
class Opening:
    """A value that became known: its name, how many numbers, and to whom (None: to everybody)."""

    name: str
    numbers: int
    to: int | None = None


class Computation:
    """A party's shares and its wire."""

    def __init__(self, rounds: Rounds) -> None:
        self.rounds = rounds
        self.me = rounds.me
        self.parties = rounds.parties
        self.threshold = threshold(rounds.parties)
        self.opened: list[Opening] = []

    async def share(self, mine: Numbers, sizes: Sequence[int]) -> list[Numbers]:
        """Return my share of every party's numbers; how many each has is public."""
        assert len(mine) == sizes[self.me], "everybody must put in what the layout says"
        parts = split(mine, self.parties)
        others = [party for party in range(self.parties) if party != self.me]
        answers = await self.rounds.swap(
            {party: to_bytes(parts[party]) for party in others},
            {party: WIDTH * sizes[party] for party in others},
        )
        found = {party: _numbers(data, party) for party, data in answers.items()}
        found[self.me] = parts[self.me]
        return [found[party] for party in range(self.parties)]

    async def reduce(self, product: Numbers) -> Numbers:
        """Return the same secrets on polynomials of degree t, for a product on degree 2t."""
        shape = product.shape
        dealers = range(2 * self.threshold + 1)
        flat = (product % PRIME).reshape(-1)
        parts = split(flat, self.parties) if self.me in dealers else []
        answers = await self.rounds.swap(
            {party: to_bytes(part) for party, part in enumerate(parts) if party != self.me},
            {party: WIDTH * flat.size for party in dealers if party != self.me},
        )
        found = {party: _numbers(data, party) for party, data in answers.items()}
        if parts:
            found[self.me] = parts[self.me]
        return combine({party: found[party] for party in dealers}).reshape(shape)

    async def open(self, name: str, share: Numbers) -> Numbers:
        """Return the secrets themselves, to everybody. Named and counted."""
        return await self._open(name, {None: share})

    async def open_to(self, name: str, shares: Mapping[int, Numbers]) -> Numbers:
        """Return the secrets meant for me; each party gets its own and no other's."""
        return await self._open(name, {party: share for party, share in shares.items()})  # noqa: C416

    async def _open(self, name: str, shares: Mapping[int | None, Numbers]) -> Numbers:
        """Put shares together. Every value that is ever opened passes through here."""
        meant = {
            party: shares[None] if None in shares else shares[party]
            for party in range(self.parties)
        }
        self.opened += [
            Opening(name, int(share.size), to) for to, share in shares.items() if share.size
        ]
        others = [party for party in range(self.parties) if party != self.me]
        answers = await self.rounds.swap(
            {party: to_bytes(meant[party].reshape(-1)) for party in others},
            dict.fromkeys(others, WIDTH * meant[self.me].size),
        )
        found = {party: _numbers(data, party) for party, data in answers.items()}
        found[self.me] = meant[self.me].reshape(-1) % PRIME
        everybody = [found[party] for party in range(self.parties)]
        if not lie_on_one_polynomial(everybody):
            raise ExchangeFault(Fault.SHARES)
        enough = {party: everybody[party] for party in range(self.threshold + 1)}
        return combine(enough).reshape(meant[self.me].shape)


def _numbers(data: bytes, party: int) -> Numbers:
    try:
        return from_bytes(data)
    except ValueError:
        raise ExchangeFault(Fault.RUBBISH, party) from None


async def running_products(computation: Computation, factors: Numbers) -> Numbers:
    """Return the product of the factors up to each place, in about log2(length) rounds."""
    found, reach = factors, 1
    while reach < len(factors):
        # Each place holds the product of the ``reach`` factors up to it: double that.
        longer = await computation.reduce(found[reach:] * found[:-reach])
        found = np.concatenate([found[:reach], longer])
        reach *= 2
    return found
