"""Reading the walk together: each party puts in its own statuses, nobody shows its hand.

Theory of operation. Let S be the symmetric matrix of the walk's links over all published positions
(copies of vertices), secret and shared. Degrees d are its row sums, ends e = d (2 - d), visited
positions (d + e) / 2. In name order the running sums of e are 0, 1, 2, so the lower end is
e (2 - running sum) and the upper one e (running sum - 1); the public direction (or a joint coin)
chooses between them. Then x(1) is the first end and

    x(k+1) = S x(k) - alive(k) x(k-1),        alive(k) = sum of x(k),

walks along the path one visit at a time: S x(k) is both neighbours, the one before is taken away,
and once the walk has ended x stays zero. One round a step. The place of each position on the walk
is the sum of k x(k).

*What the rounds tell.* Nothing: there are always as many as there are positions, or as the agreed
longest walk has visits; sizes and order of messages follow from public numbers alone.

*What is opened.* ``challenge``: random numbers, drawn together after all inputs are fixed;
``consistency``: one number, zero if all is well and uniformly random if anything at all is wrong;
then the agreed outputs, and nothing else (:data:`OUTPUTS`).

*Consistency.* Both ends of a link say the same; statuses are 0 or 1; nothing is linked to itself;
no degree above two; two ends; the path from one end visits every visited position (so there is no
ring besides). Each is a sum that must vanish; all are put into one random linear combination,
multiplied by a secret random number, and opened before any output.

*The model.* Semi-honest parties, honest majority: everybody follows the protocol, and fewer than
half pool what they see. What others can do is told in ``docs/participants.md``.

Which end is the first? Decided on shares, without a comparison of secret numbers.

The statuses give the walk up to reversal. What tells its direction is public and differs with the
publication:

- :class:`ByName`: one bit says whether the first end sorts before the last;
- :class:`Untold`: nothing does; a coin that all parties throw together, and nobody sees, chooses;
- :class:`ByRoot`: the paper's layering; the end that is closer along the walk to a root. The walk
  is read from both ends; the first root seen decides, two at once are a tie;
- :class:`ByClass`: publications over classes; one bit says whether the sequence of classes sorts
  before its reverse. Read from both ends, the first difference decides; none is a tie.

The last two share one rule. Let ``less`` and ``greater`` say, step by step, which reading is ahead,
and ``stop`` that the matter is settled. Then sum over k of (less - greater)(k) times the product of
1 - stop over the steps before k is 1, -1 or, on a tie, 0. Being ahead is an inner product of
one-hot vectors, so no secret number is ever compared.

What the parties agree on, what one puts in, what one learns: plain values.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from pathveil.exchange.field import (
    PRIME,
    Computation,
    Matrix,
    Numbers,
    Opening,
    Rounds,
    challenge_numbers,
    numbers,
    running_products,
)
from pathveil.exchange.meeting import ExchangeFault, Fault


@dataclass(frozen=True)
class ByName:
    """Told by one public bit: whether the first end sorts before the last."""

    first_sorts_first: bool


@dataclass(frozen=True)
class Untold:
    """Not told: the walk is read up to reversal."""


@dataclass(frozen=True)
class ByRoot:
    """Told by the paper's layering: which positions are roots."""

    roots: tuple[bool, ...]


@dataclass(frozen=True)
class ByClass:
    """Told by one public bit on the sequence of classes: whether it sorts before its reverse.

    ``classes`` is the class of each position, numbered from 0 in sorted order.
    """

    classes: tuple[int, ...]
    sorts_before_reverse: bool


Direction = ByName | Untold | ByRoot | ByClass


def needs_coin(direction: Direction) -> bool:
    """Whether the parties must throw a coin: whenever a tie is possible."""
    return not isinstance(direction, ByName)


def reads_both_ways(direction: Direction) -> bool:
    """Whether the walk must be read from both ends before its direction is known."""
    return isinstance(direction, ByRoot | ByClass)


async def compare_readings(
    computation: Computation, direction: ByRoot | ByClass, onward: Numbers, backward: Numbers
) -> Numbers:
    """Return, shared, 1 if ``onward`` is the walk, -1 if ``backward`` is, 0 on a tie.

    Parameters
    ----------
    onward, backward
        Shares of the two readings, one row a step, one column a position: one-hot, or zero once
        the walk has ended.
    """
    if isinstance(direction, ByRoot):
        less, greater, stop = await _first_root(computation, direction, onward, backward)
    else:
        less, greater, stop = await _class_order(computation, direction, onward, backward)
    unsettled = await running_products(computation, (1 - stop) % PRIME)
    before = np.concatenate([numbers([1]), unsettled[:-1]])
    return await computation.reduce(((less - greater) * before).sum(keepdims=True))


async def _first_root(
    computation: Computation, direction: ByRoot, onward: Numbers, backward: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    roots = numbers(np.asarray(direction.roots, dtype=np.int64))
    here, there = onward @ roots % PRIME, backward @ roots % PRIME
    both = await computation.reduce(here * there)
    return here, there, (here + there - both) % PRIME


async def _class_order(
    computation: Computation, direction: ByClass, onward: Numbers, backward: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    classes = np.asarray(direction.classes)
    indicator = numbers((classes[:, None] == np.arange(classes.max() + 1)).astype(np.int64))
    here, there = onward @ indicator % PRIME, backward @ indicator % PRIME
    # Share of "class g or a higher one" of the other reading, less that of g itself.
    above = (np.cumsum(there[:, ::-1], axis=1)[:, ::-1] - there) % PRIME
    below = (np.cumsum(there, axis=1) - there) % PRIME
    ahead = await computation.reduce(
        np.stack([(here * above).sum(axis=1), (here * below).sum(axis=1)])
    )
    less, greater = ahead if direction.sorts_before_reverse else ahead[::-1]
    return less, greater, (less + greater) % PRIME


Learn = Literal["walk", "own"]

CHALLENGES = 2
"""Numbers of the challenge: 122 bits."""


@dataclass(frozen=True)
class Agreement:
    """What is public before the exchange, and the same for all parties.

    Attributes
    ----------
    size
        How many positions are published.
    held
        The positions of the vertices each party answers for.
    link_places
        How many pairs of positions each party may put in as the holder of links rather than of
        vertices. Places not used are filled up, so this is a public bound, not a count.
    direction
        What tells the first end.
    learn
        Whether everybody learns the walk, or each party its own places only.
    length
        Whether the number of visits is opened besides.
    longest
        Visits of the longest walk that can be read: the number of rounds. All positions if None.
    """

    size: int
    held: tuple[tuple[int, ...], ...]
    link_places: tuple[int, ...]
    direction: Direction
    learn: Learn = "own"
    length: bool = False
    longest: int | None = None

    @property
    def steps(self) -> int:
        """How many visits are computed, needed or not."""
        return self.size if self.longest is None else min(self.longest, self.size)

    def numbers_of(self, party: int) -> int:
        """How many numbers a party puts in."""
        places = self.link_places[party]
        return (len(self.held[party]) + 2 * places) * self.size + places + 2 + CHALLENGES


@dataclass(frozen=True, repr=False)
class Statuses:
    """One party's secret input. The repr is silent.

    Attributes
    ----------
    rows
        For each position it holds, in the agreement's order, the positions linked to it on the
        walk: zeros and ones.
    links
        As the holder of links: (position, position, on the walk?).
    """

    rows: npt.NDArray[np.bool_]
    links: tuple[tuple[int, int, bool], ...] = ()

    def __repr__(self) -> str:
        return f"<Statuses: {len(self.rows)} rows, {len(self.links)} link places>"


@dataclass(frozen=True)
class Learnt:
    """What one party knows after the exchange, beyond what it put in.

    Attributes
    ----------
    places
        Place on the walk, from 1, of each position whose place was opened to this party; 0 means
        off the walk. All positions if everybody learns the walk.
    steps
        For each of its links that is on the walk, the two places.
    length
        Visits of the walk, if opened.
    order
        "either_way" if the direction is not told, else "public".
    opened
        Everything that became known to anybody, by name.
    """

    places: dict[int, int]
    steps: tuple[tuple[int, int], ...] = ()
    length: int | None = None
    order: Literal["known", "either_way"] = "known"
    opened: tuple[Opening, ...] = field(default=(), compare=False)


FEWEST_PARTIES = 3
"""Two parties have no honest majority: each would learn the other's input from the output."""

OUTPUTS = ("walk", "own places", "own steps", "length", "tie")
"""The names of all agreed outputs; ``challenge`` and ``consistency`` come besides."""

_HALF = (PRIME + 1) // 2


async def read_together(rounds: Rounds, agreement: Agreement, mine: Statuses) -> Learnt:
    """Return what this party learns from the exchange; all parties run this at the same time.

    *Privacy*: semi-honest parties, honest majority. See the module's text for what is opened.

    *Cost*: for n positions and m parties n + O(1) rounds, 8 n (m - 1)^2 bytes a round in all, and
    n^2 multiplications a step at each party.

    Raises
    ------
    ExchangeFault
        If the statuses are not those of one walk, or if the wire fails.
    """
    if rounds.parties < FEWEST_PARTIES:
        raise ValueError(f"{rounds.parties} parties; at least {FEWEST_PARTIES} are needed")
    exchange = _Exchange(Computation(rounds), agreement)
    await exchange.put_in(mine)
    await exchange.walk()
    await exchange.check()
    return await exchange.tell(mine)


class _Exchange:
    """The state of one exchange: shares only, until :meth:`tell`."""

    def __init__(self, computation: Computation, agreement: Agreement) -> None:
        self.computation = computation
        self.agreement = agreement
        self.wrongs: list[Numbers] = []  # sums that must vanish, each on degree t
        self.products: list[tuple[Numbers, Numbers]] = []  # likewise entry by entry, as products

    # -- inputs -----------------------------------------------------------------------------------

    async def put_in(self, mine: Statuses) -> None:
        """Share all inputs in one round, then draw the challenge: nobody can adapt to it."""
        agreement, me = self.agreement, self.computation.me
        sizes = [agreement.numbers_of(party) for party in range(self.computation.parties)]
        shares = await self.computation.share(_flat_input(agreement, me, mine), sizes)
        rows, heads, tails, on, coins = [], [], [], [], []
        blind = challenge = numbers(0)
        for party, share in enumerate(shares):
            n, places = agreement.size, agreement.link_places[party]
            parts = np.split(
                share,
                np.cumsum([len(agreement.held[party]) * n, places * n, places * n, places, 1, 1]),
            )
            rows.append(parts[0].reshape(-1, n))
            heads.append(parts[1].reshape(-1, n))
            tails.append(parts[2].reshape(-1, n))
            on.append(parts[3])
            coins.append(parts[4])
            blind, challenge = blind + parts[5], challenge + parts[6]
        self.blind = blind % PRIME
        await self._toss(np.concatenate(coins))
        await self._link(np.concatenate(rows), map(np.concatenate, (heads, tails, on)))
        opened = await self.computation.open("challenge", challenge % PRIME)
        self.seed = opened.tolist()

    async def _toss(self, coins: Numbers) -> None:
        """Throw the joint coin: the parity of everybody's bit. Never opened."""
        self.coin = numbers([0])
        if not needs_coin(self.agreement.direction):
            return
        self.products.append((coins, coins - 1))
        while len(coins) > 1:
            half = len(coins) // 2
            left, right, rest = coins[:half], coins[half : 2 * half], coins[2 * half :]
            both = await self.computation.reduce(left * right)
            coins = np.concatenate([(left + right - 2 * both) % PRIME, rest])
        self.coin = coins

    async def _link(self, rows: Numbers, links: map[Numbers]) -> None:
        """Put the matrix of the walk's links together, and note what must hold of it."""
        n = self.agreement.size
        heads, tails, on = links
        told = [p for positions in self.agreement.held for p in positions]
        matrix = numbers(np.zeros((n, n), dtype=np.int64))
        matrix[told] = rows
        untold = np.setdiff1d(np.arange(n), told)
        matrix[untold] = matrix[:, untold].T  # who has no party is told by the other end alone
        self.heads = self.tails = heads
        if len(on):
            self.products += [(heads.reshape(-1), heads.reshape(-1) - 1)]
            self.products += [(tails.reshape(-1), tails.reshape(-1) - 1), (on, on - 1)]
            self.wrongs += [heads.sum(axis=1) - 1, tails.sum(axis=1) - 1]
            used = np.concatenate([heads * on[:, None], tails * on[:, None]])
            self.heads, self.tails = np.split(await self.computation.reduce(used), 2)
            one_way = await self.computation.reduce(Matrix(self.heads.T).times(tails))
            matrix = (matrix + one_way + one_way.T) % PRIME
        above = np.triu_indices(n, 1)
        self.wrongs += [np.diag(matrix), matrix[above] - matrix.T[above]]
        self.products.append((matrix[above], matrix[above] - 1))
        self.links = matrix

    # -- the walk ---------------------------------------------------------------------------------

    async def walk(self) -> None:
        """Find the ends, then go along the path, one round a visit."""
        degrees = self.links.sum(axis=1) % PRIME
        ends = await self.computation.reduce(degrees * (2 - degrees))
        running = np.cumsum(ends) % PRIME
        lower = await self.computation.reduce(ends * (2 - running))
        upper = (ends - lower) % PRIME
        self.visited = (degrees + ends) * _HALF % PRIME
        starts = await self._starts(lower, upper)
        readings = await self._follow(starts)
        onward = readings[:, :, 0]
        steps = numbers(np.arange(1, self.agreement.steps + 1))
        self.places = steps @ onward % PRIME
        self.length = onward.sum(keepdims=True)[0] % PRIME
        self.wrongs += [ends.sum(keepdims=True) - 2, self.length - self.visited.sum()]
        self.products.append((ends, degrees - 1))  # d (2 - d) (d - 1): degree 0, 1 or 2
        if reads_both_ways(self.agreement.direction):
            await self._turn(onward, readings[:, :, 1])

    async def _starts(self, lower: Numbers, upper: Numbers) -> Numbers:
        direction = self.agreement.direction
        if isinstance(direction, ByName):
            told = lower if direction.first_sorts_first else upper
            return told[:, None]
        if isinstance(direction, Untold):
            chosen = await self.computation.reduce(self.coin * (upper - lower))
            start: Numbers = (lower + chosen) % PRIME
            return start[:, None]
        return np.stack([lower, upper], axis=1)

    async def _follow(self, starts: Numbers) -> Numbers:
        """Return x(1), x(2), ... for each start: steps, positions, starts."""
        matrix = Matrix(self.links)
        before, here = numbers(np.zeros(starts.shape, dtype=np.int64)), starts
        found = [here]
        for _ in range(1, self.agreement.steps):
            alive = here.sum(axis=0) % PRIME
            onward = await self.computation.reduce(matrix.times(here) - alive * before)
            before, here = here, onward
            found.append(here)
        return np.stack(found)

    async def _turn(self, onward: Numbers, backward: Numbers) -> None:
        """Turn the walk round if the reading from the upper end is the right one."""
        direction = self.agreement.direction
        assert isinstance(direction, ByRoot | ByClass)
        told = await compare_readings(self.computation, direction, onward, backward)
        # told is 1, 0 or -1: its square, whether it is told at all; then turn if it is -1, or if
        # it is 0 and the coin says so.
        square = await self.computation.reduce(told * told)
        tossed = await self.computation.reduce((1 - square) * self.coin)
        turned = ((square - told) * _HALF + tossed) % PRIME
        self.is_tie = (1 - square) % PRIME
        last = await self.computation.reduce((self.length + 1) * self.visited)
        moved = await self.computation.reduce(turned * (last - 2 * self.places))
        self.places = (self.places + moved) % PRIME

    # -- the end ----------------------------------------------------------------------------------

    async def check(self) -> None:
        """Open one number that is zero if and only if all is consistent; else stop.

        The number is uniformly random if anything is wrong, whatever it is: it is multiplied by a
        random number nobody knows.
        """
        wrongs = np.concatenate([wrong.reshape(-1) for wrong in self.wrongs])
        left = np.concatenate([product[0] for product in self.products])
        right = np.concatenate([product[1] for product in self.products])
        weights = challenge_numbers(self.seed, len(wrongs) + len(left))
        linear = (weights[: len(wrongs)] * wrongs).sum()
        crossed = (weights[len(wrongs) :] * left % PRIME * right).sum()
        # On degree 2t; adding the linear part, on degree t, keeps it there.
        total = await self.computation.reduce(numbers([crossed + linear]))
        hidden = await self.computation.reduce(total * self.blind)
        if (await self.computation.open("consistency", hidden)).any():
            raise ExchangeFault(Fault.INCONSISTENT)

    async def tell(self, mine: Statuses) -> Learnt:
        """Open the agreed outputs."""
        agreement, me = self.agreement, self.computation.me
        steps: tuple[tuple[int, int], ...] = ()
        if agreement.learn == "walk":
            opened = await self.computation.open("walk", self.places)
            places = dict(enumerate(opened.tolist()))
        else:
            own = {p: self.places[list(h)] for p, h in enumerate(agreement.held)}
            opened = await self.computation.open_to("own places", own)
            places = dict(zip(agreement.held[me], opened.tolist(), strict=True))
            steps = await self._tell_steps(mine)
        length = None
        if agreement.length:
            length = int((await self.computation.open("length", self.length))[0])
        tie = isinstance(agreement.direction, Untold)
        if reads_both_ways(agreement.direction):
            tie = bool((await self.computation.open("tie", self.is_tie))[0])
        return Learnt(
            places,
            steps,
            length,
            "either_way" if tie else "known",
            tuple(self.computation.opened),
        )

    async def _tell_steps(self, mine: Statuses) -> tuple[tuple[int, int], ...]:
        """Open to each holder of links the two places of each of them that is on the walk."""
        agreement = self.agreement
        if not any(agreement.link_places):
            return ()
        both = np.concatenate([self.heads, self.tails]) * self.places
        heads, tails = np.split(await self.computation.reduce(both.sum(axis=1)), 2)
        cuts = np.cumsum(agreement.link_places)[:-1]
        own = {
            party: np.stack([head, tail], axis=1)
            for party, (head, tail) in enumerate(
                zip(np.split(heads, cuts), np.split(tails, cuts), strict=True)
            )
        }
        opened = await self.computation.open_to("own steps", own)
        used = range(len(mine.links))
        return tuple((int(opened[i, 0]), int(opened[i, 1])) for i in used if mine.links[i][2])


def _flat_input(agreement: Agreement, me: int, mine: Statuses) -> Numbers:
    """Return everything this party puts in, as one vector of a public length."""
    n, places = agreement.size, agreement.link_places[me]
    if mine.rows.shape != (len(agreement.held[me]), n) or len(mine.links) > places:
        raise ValueError(f"{mine!r} does not fit the agreement")
    # Places not used are filled with a link that is off the walk; which one does not matter.
    filled = [*mine.links, *[(0, 0, False)] * (places - len(mine.links))]
    ends = np.zeros((2, places, n), dtype=np.int64)
    for i, (head, tail, _) in enumerate(filled):
        ends[0, i, head] = ends[1, i, tail] = 1
    on = [int(status) for _, _, status in filled]
    chance = [secrets.randbelow(2), *(secrets.randbelow(PRIME) for _ in range(1 + CHALLENGES))]
    parts = [mine.rows.astype(np.int64).reshape(-1), ends.reshape(-1), on, chance]
    return np.concatenate([np.asarray(part, dtype=object) for part in parts])
