"""Reading the walk together: each party puts in its own links, and nobody shows them.

In the paper, participants read their own statuses and then exchange them, "possibly by secure
multi-party computing". This is that exchange. :func:`agree` says what all parties must have alike,
:func:`own_statuses` reads one party's input from the publication, :func:`take_part` is what each
party runs. It needs the extra ``mpc``.

*The model.* Semi-honest parties, honest majority: everybody follows the protocol, and of m parties
at most (m - 1) // 2 pool what they see. These learn the agreed outputs and nothing else; more of
them can read everything. ``docs/explanation/reading-together.md`` says what a party that cheats
can do.

*The computation.* Let S be the symmetric matrix of the walk's links over all published positions
(copies of vertices), secret and shared. Degrees d are its row sums, ends e = d (2 - d), visited
positions (d + e) / 2. In name order the running sums of e are 0, 1, 2, so the lower end is
e (2 - running sum) and the upper one e (running sum - 1). Then x(1) is the first end and

    x(k+1) = S x(k) - alive(k) x(k-1),        alive(k) = sum of x(k),

walks along the path one visit at a time: S x(k) is both neighbours, the one before is taken away,
and once the walk has ended x stays zero. One round a step. The place of each position on the walk
is the sum of k x(k).

*The first end.* The statuses give the walk up to reversal. A public bit says whether the first end
sorts before the last. Where there is none (the direction is hidden, or the paper's layering was
used) a coin that all parties toss together, and nobody sees, chooses.

*What the rounds reveal.* Nothing: there are always as many as there are positions, or as the agreed
longest walk has visits; sizes and order of messages follow from public numbers alone.

*What is opened.* ``challenge``: random numbers, drawn together after all inputs are fixed;
``consistency``: one number, zero if all is well and uniformly random if anything is wrong; then the
agreed outputs, and nothing else (:data:`OUTPUTS`).

*Consistency.* Both ends of a link say the same; statuses are 0 or 1; no position is linked to
itself; no degree is above two; there are two ends; the path from one end visits every visited
position (so there is no ring elsewhere). Each is a sum that must vanish; all are put into one
random linear combination, multiplied by a secret random number, and opened before any output.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

import numpy as np
import numpy.typing as npt

from pathveil.errors import DoesNotFit, ExchangeFailed
from pathveil.exchange.cards import Credentials, Roster
from pathveil.exchange.field import (
    PRIME,
    WIDTH,
    Computation,
    Matrix,
    Numbers,
    Opening,
    Rounds,
    challenge_numbers,
    numbers,
)
from pathveil.exchange.meeting import ExchangeFault, Fault, Greeting, Wire, connected
from pathveil.files.publications.compact import publication_bytes
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.reading.participant import read_vertex

Learn = Literal["walk", "own"]
"""Everybody learns the walk, or each party the places of its own vertices."""

Order = Literal["known", "either_way"]
Direction = bool | None
"""Whether the first end sorts before the last; None if that is not public."""

CHALLENGES = 2
"""Numbers of the challenge: 122 bits."""

OUTPUTS = ("walk", "own places")
"""The names of all agreed outputs; ``challenge`` and ``consistency`` are opened before them."""

TIME_LIMIT = 120.0
"""Seconds after which a party gives up: until all have come, and again until all is read."""

MOST_POSITIONS = 2000
"""The matrix of links is dense and secret: at 2,000 positions a party takes about 1.5 GB."""

Progress = Callable[[int, int], None]
"""Called with (rounds done, rounds in all, approximately): public numbers only."""

_HALF = (PRIME + 1) // 2


# -- what the parties agree on, put in and learn --------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """What is public before the exchange, and the same for all parties.

    Attributes
    ----------
    size
        The number of published positions.
    held
        The positions of the vertices each party answers for; each position is in one of them.
    direction
        What is public about which end is the first.
    learn
        Whether everybody learns the walk, or each party its own places only.
    longest
        Visits of the longest walk that can be read: the number of rounds. All positions if None.
    """

    size: int
    held: tuple[tuple[int, ...], ...]
    direction: Direction
    learn: Learn = "own"
    longest: int | None = None

    @property
    def steps(self) -> int:
        """The number of visits that are computed, whether the walk has them or not."""
        return self.size if self.longest is None else min(self.longest, self.size)

    @property
    def largest_message(self) -> int:
        """Bytes of the longest message: a party's input."""
        return WIDTH * max(self.numbers_of(party) for party in range(len(self.held)))

    def numbers_of(self, party: int) -> int:
        """Return the number of numbers a party puts in: rows, coin, blind, challenge."""
        return len(self.held[party]) * self.size + 2 + CHALLENGES


@dataclass(frozen=True, repr=False)
class Statuses:
    """One party's secret input. Its repr shows none of it.

    Attributes
    ----------
    rows
        For each position it holds, in the agreement's order, the positions linked to it on the
        walk: zeros and ones.
    """

    rows: npt.NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"<Statuses: {len(self.rows)} rows>"


@dataclass(frozen=True)
class Learnt:
    """What one party knows after the exchange, beyond what it put in.

    Attributes
    ----------
    places
        Place on the walk, from 1, of each position whose place was opened to this party; 0 means
        off the walk. All positions if everybody learns the walk.
    order
        "either_way" if either end may be the first, otherwise "known".
    opened
        Everything that was opened to anybody, by name.
    """

    places: dict[int, int]
    order: Order = "known"
    opened: tuple[Opening, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Exchange:
    """What all parties must have alike: the publication, the roster, and what will be learnt.

    Attributes
    ----------
    positions
        The published copies of all vertices.
    agreement
        The same in numbers, for the computation.
    digest
        SHA-256 of the publication; never sent (see :class:`~pathveil.exchange.meeting.Greeting`).
    """

    roster: Roster
    positions: Positions
    agreement: Agreement
    digest: bytes

    def connect(
        self, credentials: Credentials, *, time_limit: float
    ) -> AbstractAsyncContextManager[Wire]:
        """Give one party its wire to all others; nothing longer than agreed passes it."""
        terms = {"learn": self.agreement.learn, "longest": self.agreement.longest}
        return connected(
            self.roster,
            credentials,
            greeting=Greeting(
                self.digest, self.roster.digest, sha256(json.dumps(terms).encode()).digest()
            ),
            largest=self.agreement.largest_message,
            time_limit=time_limit,
        )


@dataclass(frozen=True)
class Outcome:
    """What one party has after an exchange: what it learnt, and what the wire carried."""

    learnt: Learnt
    rounds: int
    bytes_sent: int


# -- before and around the computation ------------------------------------------------------------


def agree(
    publication: Publication, roster: Roster, *, learn: Learn = "own", longest: int | None = None
) -> Exchange:
    """Return what all parties must have alike.

    Parameters
    ----------
    learn
        "own": each party learns the places of its own vertices only. "walk": everybody learns the
        walk.
    longest
        Visits of the longest walk that can be read. It saves rounds; a longer walk is refused as
        inconsistent. All positions if None.

    Raises
    ------
    DoesNotFit
        If the publication is noisy, a sketch or over a grouping; or if it and the cards do not name
        the same vertices.
    """
    if publication.policy.noisy:
        raise DoesNotFit(
            "this publication is noisy, so parties cannot read it together; somebody who knows the "
            "network can, with `pathveil reconstruct`"
        )
    if publication.sketch is not None or publication.grouped is not None:
        raise DoesNotFit(
            "parties cannot read a sketch or a publication over a grouping together; publish it "
            "packed, without --groups"
        )
    held = {vertex for card in roster.cards for vertex in card.vertices}
    missing = sorted(set(publication.vertices) - held)
    if missing:
        more = f" and {len(missing) - 1} more" if missing[1:] else ""
        raise DoesNotFit(
            f"{missing[0]!r}{more} of the published vertices are on no card; every vertex needs a "
            "party that answers for it"
        )
    positions = publication.positions
    if len(positions) > MOST_POSITIONS:
        raise DoesNotFit(
            f"the publication has {len(positions)} positions, expected at most {MOST_POSITIONS}: "
            "the matrix of their links would not fit into memory"
        )
    if longest is not None and longest < 2:
        raise DoesNotFit(f"the longest walk has {longest} visits, expected at least 2")
    agreement = Agreement(
        size=len(positions),
        held=tuple(
            tuple(p for vertex in card.vertices for p in positions.copies_of(vertex))
            for card in roster.cards
        ),
        direction=publication.direction,
        learn=learn,
        longest=longest,
    )
    digest = sha256(publication_bytes(publication)).digest()
    return Exchange(roster, positions, agreement, digest)


def own_statuses(
    publication: Publication, exchange: Exchange, me: int, rows: Mapping[str, Iterable[str]]
) -> Statuses:
    """Return what a party puts in: which links of its own vertices are on the walk.

    Parameters
    ----------
    rows
        The neighbours of each vertex on its card.
    """
    card, positions = exchange.roster.cards[me], exchange.positions
    held = exchange.agreement.held[me]
    matrix = np.zeros((len(held), exchange.agreement.size), dtype=bool)
    row_of = {position: i for i, position in enumerate(held)}
    for vertex in card.vertices:
        if vertex not in rows:
            raise DoesNotFit(f"{vertex!r} is on the card of {card.name!r}, but its row is missing")
        for link in read_vertex(publication, vertex, rows[vertex]).links:
            matrix[row_of[positions.index(*link.here)], positions.index(*link.there)] = True
    return Statuses(matrix)


def take_part(
    exchange: Exchange,
    mine: Statuses,
    credentials: Credentials,
    *,
    time_limit: float = TIME_LIMIT,
    progress: Progress | None = None,
) -> Outcome:
    """Return what this party learns; all parties run this at the same time, each for itself.

    Parameters
    ----------
    credentials
        This party's key and the others' certificates.
    time_limit
        Seconds this party waits for the others to come, and again for the exchange to end.

    *Privacy*: semi-honest parties, honest majority; see ``docs/explanation/reading-together.md``.

    Raises
    ------
    ExchangeFailed
        If anything goes wrong, here or elsewhere. Then nothing is learnt but the reason.
    """
    try:
        return asyncio.run(_meet_and_read(exchange, mine, credentials, time_limit, progress))
    except ExchangeFault as fault:
        raise ExchangeFailed(
            fault.text(exchange.roster.names), inconsistent=fault.fault is Fault.INCONSISTENT
        ) from None


async def _meet_and_read(
    exchange: Exchange,
    mine: Statuses,
    credentials: Credentials,
    time_limit: float,
    progress: Progress | None,
) -> Outcome:
    # A stranger's failed handshake is not worth a message, and none may carry what a peer sent.
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
    steps = exchange.agreement.steps
    async with exchange.connect(credentials, time_limit=time_limit) as wire:
        if progress is not None:
            progress(0, steps)
            wire.on_round = lambda number: progress(min(number, steps), steps)
        learnt = await read_together(wire, exchange.agreement, mine)
    return Outcome(learnt, wire.rounds_done, wire.bytes_sent)


# -- the computation on shares --------------------------------------------------------------------


async def read_together(rounds: Rounds, agreement: Agreement, mine: Statuses) -> Learnt:
    """Return what this party learns from the exchange; all parties run this at the same time.

    *Privacy*: semi-honest parties, honest majority. The module's text says what is opened.

    *Cost*: for n positions and m parties n + O(1) rounds, 8 n (m - 1)^2 bytes a round in all, and
    n^2 multiplications a step at each party.

    Raises
    ------
    ExchangeFault
        If the statuses are not those of one walk, or if the wire fails.
    """
    reading = _JointReading(Computation(rounds), agreement)
    await reading.put_in(mine)
    await reading.walk()
    await reading.check()
    return await reading.open_outputs()


class _JointReading:
    """The state of one exchange: shares only, until :meth:`open_outputs`."""

    def __init__(self, computation: Computation, agreement: Agreement) -> None:
        self.computation = computation
        self.agreement = agreement
        self.wrongs: list[Numbers] = []  # sums that must vanish, each on degree t
        self.products: list[tuple[Numbers, Numbers]] = []  # likewise entry by entry, as products

    async def put_in(self, mine: Statuses) -> None:
        """Share all inputs in one round, then draw the challenge: nobody can adapt to it."""
        agreement, n = self.agreement, self.agreement.size
        sizes = [agreement.numbers_of(party) for party in range(self.computation.parties)]
        flat = _flat_input(mine)
        links = numbers(np.zeros((n, n), dtype=np.int64))
        coins = []
        blind = challenge = numbers(0)
        for held, share in zip(
            agreement.held, await self.computation.share(flat, sizes), strict=True
        ):
            rows, coin, one, other = np.split(share, np.cumsum([len(held) * n, 1, 1]))
            links[list(held)] = rows.reshape(-1, n)
            coins.append(coin)
            blind, challenge = blind + one, challenge + other
        self.blind = blind % PRIME
        await self._toss(np.concatenate(coins))
        above = np.triu_indices(n, 1)
        self.wrongs += [np.diag(links), links[above] - links.T[above]]
        self.products.append((links[above], links[above] - 1))
        self.links = links
        opened = await self.computation.open("challenge", challenge % PRIME)
        self.seed = opened.tolist()

    async def _toss(self, coins: Numbers) -> None:
        """Toss the joint coin, where no bit is public: the parity of all bits. Never opened."""
        self.coin = numbers([0])
        if self.agreement.direction is not None:
            return
        self.products.append((coins, coins - 1))
        while len(coins) > 1:
            half = len(coins) // 2
            left, right, rest = coins[:half], coins[half : 2 * half], coins[2 * half :]
            both = await self.computation.reduce(left * right)
            coins = np.concatenate([(left + right - 2 * both) % PRIME, rest])
        self.coin = coins

    async def walk(self) -> None:
        """Find the ends, then go along the path, one round a visit."""
        degrees = self.links.sum(axis=1) % PRIME
        ends = await self.computation.reduce(degrees * (2 - degrees))
        running = np.cumsum(ends) % PRIME
        lower = await self.computation.reduce(ends * (2 - running))
        upper = (ends - lower) % PRIME
        visited = (degrees + ends) * _HALF % PRIME
        start = lower if self.agreement.direction else upper
        if self.agreement.direction is None:
            start = lower + await self.computation.reduce(self.coin * (upper - lower))
        onward = await self._follow(start % PRIME)
        steps = numbers(np.arange(1, self.agreement.steps + 1))
        self.places = steps @ onward % PRIME
        length = onward.sum(keepdims=True)[0] % PRIME
        self.wrongs += [ends.sum(keepdims=True) - 2, length - visited.sum()]
        self.products.append((ends, degrees - 1))  # d (2 - d) (d - 1): degree 0, 1 or 2

    async def _follow(self, start: Numbers) -> Numbers:
        """Return x(1), x(2), ...: one row a step, one column a position."""
        matrix = Matrix(self.links)
        before, here = numbers(np.zeros(start.shape, dtype=np.int64)), start
        visits = [here]
        for _ in range(1, self.agreement.steps):
            alive = here.sum() % PRIME
            onward = await self.computation.reduce(matrix.times(here) - alive * before)
            before, here = here, onward
            visits.append(here)
        return np.stack(visits)

    async def check(self) -> None:
        """Open one number that is zero if and only if all is consistent; otherwise stop.

        If anything is wrong, the number is uniformly random, whatever is wrong: it is multiplied by
        a random number nobody knows.
        """
        wrongs = np.concatenate([wrong.reshape(-1) for wrong in self.wrongs])
        left = np.concatenate([product[0] for product in self.products])
        right = np.concatenate([product[1] for product in self.products])
        weights = challenge_numbers(self.seed, len(wrongs) + len(left))
        linear = (weights[: len(wrongs)] * wrongs).sum()
        crossed = (weights[len(wrongs) :] * left % PRIME * right).sum()
        # On degree 2t; adding the linear part, on degree t, keeps it there.
        total = await self.computation.reduce(numbers([crossed + linear]))
        blinded = await self.computation.reduce(total * self.blind)
        if (await self.computation.open("consistency", blinded)).any():
            raise ExchangeFault(Fault.INCONSISTENT)

    async def open_outputs(self) -> Learnt:
        """Open the agreed outputs."""
        agreement = self.agreement
        if agreement.learn == "walk":
            opened = await self.computation.open("walk", self.places)
            places = dict(enumerate(opened.tolist()))
        else:
            own = {party: self.places[list(held)] for party, held in enumerate(agreement.held)}
            opened = await self.computation.open_to("own places", own)
            mine = agreement.held[self.computation.me]
            places = dict(zip(mine, opened.tolist(), strict=True))
        order: Order = "either_way" if agreement.direction is None else "known"
        return Learnt(places, order, tuple(self.computation.opened))


def _flat_input(mine: Statuses) -> Numbers:
    """Return everything this party puts in, as one vector of a public length."""
    chance = [secrets.randbelow(2), *(secrets.randbelow(PRIME) for _ in range(1 + CHALLENGES))]
    rows = mine.rows.astype(np.int64).reshape(-1)
    return np.concatenate([np.asarray(part, dtype=object) for part in (rows, chance)])
