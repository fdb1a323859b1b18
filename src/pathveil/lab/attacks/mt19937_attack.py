"""Weak randomness: coins of a Mersenne Twister, broken from the published bits alone.

Theory of operation. MT19937 puts out 32-bit words; a word is an invertible linear image (the
*tempering*) of a state word, and state words obey a linear recurrence over GF(2):

    x[k+624] = x[k+397] ^ twist(top bit of x[k], other bits of x[k+1]).

With p_on = 1/2 one published bit is one raw output bit wherever the pair is no edge. The adversary
knows most of the network, so in a window of consecutive words the only unknown bits are those under
the known edges. Each recurrence in the window is 32 linear equations in these few unknowns; that
is a small system, solved by elimination, although the state has 19,937 bits. An edge he does *not*
know has overwritten its coin with its status: when the two differ, the equations contradict each
other, and only one pair's flip repairs them. Then the state is known, every coin is predicted, and
each pair that does not show its coin is an edge.

*Privacy*: 19,937 bits are C(201, 2) pairs less 163: from 201 vertices on the state is there to be
had but for the bits under edges. From 257 vertices on the recurrences reach those as well, from 283
on twice over, and the attack below is complete. Cryptographic streams obey no such recurrence: the
system stays contradictory and nothing is found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pathveil.attacks.one_file.completions import Link, known_places
from pathveil.attacks.success_rates import AttackOutcome, Rate, generator
from pathveil.chance.source import Source
from pathveil.model.bits import IndexArray, PairBits, pair_count, unflatten
from pathveil.model.network import Network
from pathveil.model.positions import Positions

_LAG, _MIDDLE = 624, 397
_MATRIX = 0x9908B0DF
_SURPLUS = 64
"""Equations beyond the unknowns: a chance repair passes with probability 2^-64 per pair tried."""

Words = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class BrokenTwister:
    """The coins, predicted, and what they give away.

    Attributes
    ----------
    coins
        The predicted coin of every pair by flat place, True for on the walk.
    revealed
        Pairs of vertices that are no known edge and do not show their coin: missing edges, for
        certain. A missing edge shows its coin by accident half of the time.
    """

    coins: npt.NDArray[np.bool_]
    revealed: tuple[Link, ...]


def break_twister(bits: PairBits, known: Network) -> BrokenTwister | None:
    """Return the coins of a release whose generator was a Mersenne Twister, or None if it was not.

    Parameters
    ----------
    bits
        The published bits at p_on = 1/2, one copy of each vertex, coins drawn eight to a byte.
    known
        The network but for the missing edges; at most one of them among the first 39,936 pairs or
        so, which are the window, and any number after it.

    *Cost*: elimination of as many unknowns as the window has known edges; about a second.
    """
    size = bits.size
    words = pair_count(size) // 32
    taken = known_places(Positions.uniform(known.vertices, 1), known)
    window = _window(words, taken)
    if window is None:
        return None
    coins = ~bits.flat()
    stream = _pack(coins[: window * 32])
    unknown = taken[taken < window * 32]
    repair = _solve(stream, unknown)
    if repair is None:
        return None
    for place in repair:
        stream[place >> 5] ^= np.uint32(1 << _shift(place))
    predicted = np.concatenate([stream, _continue(stream, words - window)])
    told = _unpack(predicted)
    # Bits after the last whole word are not predicted; they count as showing their coin.
    full = np.concatenate([told, coins[len(told) :]])
    odd = np.setdiff1d(np.flatnonzero(full != coins), taken, assume_unique=True)
    names = known.vertices
    pairs = unflatten(odd, size).tolist()
    return BrokenTwister(full, tuple((names[i], names[j]) for i, j in pairs))


def weak_randomness(
    cases: Iterable[tuple[PairBits, Network, Link]], *, source: Source
) -> AttackOutcome:
    """Return how often a missing edge is proven by the coins it does not show.

    Each case is a release, the known network and the missing edge. The control names a pair in
    different branches at random. The placebo throws the open pairs' coins again, by a generator
    that is no Twister.
    """
    random = generator(source)
    found, control, placebo = [], [], []
    for bits, known, (first, second) in cases:
        answer = (first, second) if first < second else (second, first)
        found.append(_names(break_twister(bits, known)) == (answer,))
        taken = known_places(Positions.uniform(known.vertices, 1), known)
        clear = np.setdiff1d(np.flatnonzero(~bits.flat()), taken, assume_unique=True)
        i, j = unflatten(clear[random.integers(len(clear))][None], bits.size)[0].tolist()
        control.append((known.vertices[i], known.vertices[j]) == answer)
        flat = random.random(pair_count(bits.size)) < 0.5
        flat[taken] = bits.at(taken)
        placebo.append(_names(break_twister(PairBits.from_flat(bits.size, flat), known)) != ())
    return AttackOutcome("weak randomness", Rate.of(found), Rate.of(control), Rate.of(placebo))


def _names(broken: BrokenTwister | None) -> tuple[Link, ...]:
    return broken.revealed if broken else ()


def _window(words: int, taken: IndexArray) -> int | None:
    """Return how many words to use, or None if there are not so many.

    A word under which a bit is unknown must take part in a recurrence, else nothing determines it:
    recurrences over 624 + 397 words touch them all, over 2 x 624 words they touch each twice.
    """
    for window in range(min(words, 2 * _LAG), words + 1):
        unknowns = int(np.searchsorted(taken, window * 32))
        enough = (window - _LAG) * 32 >= unknowns + _SURPLUS
        if enough and window >= _LAG + _MIDDLE:
            return window
    return None


def _solve(stream: Words, unknown: IndexArray) -> list[int] | None:
    """Return the places to flip so that every recurrence holds: unknown ones, and at most one more.

    Equations are the bits of one large integer; a column is what flipping one place changes.
    """
    syndrome = _syndrome(stream)
    columns = _Columns(len(stream))
    basis: dict[int, tuple[int, int]] = {}
    for number, place in enumerate(unknown.tolist()):
        flipped = columns.of(place)
        if not flipped:
            continue  # most bits of the oldest word are no part of the state, and decide nothing
        column, mark = _reduce(flipped, 1 << number, basis)
        if not column:
            return None  # two solutions would fit, and predict other coins: nothing is certain
        basis[column.bit_length()] = column, mark
    rest, mark = _reduce(syndrome, 0, basis)
    if not rest:
        return _marked(mark, unknown)
    taken = set(unknown.tolist())
    repairs = []
    for place in range(32 * len(stream)):
        if place in taken:
            continue
        column, more = _reduce(columns.of(place), 0, basis)
        if column == rest:
            repairs.append([*_marked(mark ^ more, unknown), place])
    # Two repairs would blame two pairs, one of them wrongly.
    return repairs[0] if len(repairs) == 1 else None


def _reduce(column: int, mark: int, basis: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Return a column less the basis, highest bit first, and the marks of what was used."""
    left, done = column, 0
    while left:
        high = left.bit_length()
        pivot = basis.get(high)
        if pivot is None:
            done |= 1 << high - 1
            left ^= 1 << high - 1
        else:
            left ^= pivot[0]
            mark ^= pivot[1]
    return done, mark


def _marked(mark: int, places: IndexArray) -> list[int]:
    return [int(place) for number, place in enumerate(places) if mark >> number & 1]


# -- the generator as a linear map ----------------------------------------------------------------


class _Columns:
    """What flipping one output bit changes in the recurrences of a window."""

    def __init__(self, words: int) -> None:
        self.words = words
        self.equations = words - _LAG
        bits = np.array([1 << _shift(place) for place in range(32)], dtype=np.uint32)
        state = untemper(bits)
        self.plain = [int(w) for w in state]
        self.low = [int(w) for w in _twist(np.zeros(32, dtype=np.uint32), state)]
        self.top = [int(w) for w in _twist(state, np.zeros(32, dtype=np.uint32))]

    def of(self, place: int) -> int:
        """Return the column of a place as one integer, 32 bits for each recurrence."""
        word, bit = place >> 5, place & 31
        column = 0
        for equation, change in (
            (word - _LAG, self.plain[bit]),
            (word - _MIDDLE, self.plain[bit]),
            (word - 1, self.low[bit]),
            (word, self.top[bit]),
        ):
            if 0 <= equation < self.equations:
                column ^= change << 32 * equation
        return column


def _twist(upper: Words, lower: Words) -> Words:
    joined = (upper & np.uint32(0x80000000)) | (lower & np.uint32(0x7FFFFFFF))
    odd = (joined & np.uint32(1)) * np.uint32(_MATRIX)
    twisted: Words = (joined >> np.uint32(1)) ^ odd
    return twisted


def _syndrome(stream: Words) -> int:
    """Return the recurrences' left sides plus right sides: zero for a true Twister stream."""
    state = untemper(stream)
    count = len(state) - _LAG
    wrong = (
        state[_LAG:]
        ^ state[_MIDDLE : _MIDDLE + count]
        ^ _twist(state[:count], state[1 : count + 1])
    )
    return int.from_bytes(wrong.astype("<u4").tobytes(), "little")


def _continue(stream: Words, count: int) -> Words:
    """Return the next output words of a Twister from at least 624 of its output words."""
    state = untemper(stream[-_LAG:]).tolist()
    for k in range(count):
        joined = (state[k] & 0x80000000) | (state[k + 1] & 0x7FFFFFFF)
        state.append(state[k + _MIDDLE] ^ joined >> 1 ^ (_MATRIX if joined & 1 else 0))
    return temper(np.array(state[_LAG:], dtype=np.uint32))


def temper(state: Words) -> Words:
    """Return output words of state words."""
    word = state ^ (state >> np.uint32(11))
    word = word ^ ((word << np.uint32(7)) & np.uint32(0x9D2C5680))
    word = word ^ ((word << np.uint32(15)) & np.uint32(0xEFC60000))
    tempered: Words = word ^ (word >> np.uint32(18))
    return tempered


def untemper(output: Words) -> Words:
    """Return state words of output words.

    >>> words = np.array([1, 0x12345678, 0xFFFFFFFF], dtype=np.uint32)
    >>> bool((untemper(temper(words)) == words).all())
    True
    """
    word = output ^ (output >> np.uint32(18))
    word = word ^ ((word << np.uint32(15)) & np.uint32(0xEFC60000))
    before = word
    for _ in range(4):  # each round gets seven more bits right
        before = word ^ ((before << np.uint32(7)) & np.uint32(0x9D2C5680))
    word = before
    for _ in range(2):  # eleven more bits each
        before = word ^ (before >> np.uint32(11))
    state: Words = before
    return state


# -- the stream as published --------------------------------------------------------------------


def _shift(place: int) -> int:
    """Return the bit of its word a pair's coin is: bytes low first, bits high first."""
    return 8 * (place >> 3 & 3) + 7 - (place & 7)


def _pack(coins: npt.NDArray[np.bool_]) -> Words:
    return np.packbits(coins).view("<u4").astype(np.uint32)


def _unpack(words: Words) -> npt.NDArray[np.bool_]:
    return np.unpackbits(words.astype("<u4").view(np.uint8)).astype(bool)
