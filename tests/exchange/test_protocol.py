"""The computation itself, by parties in one process: what is read, opened, refused, revealed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.exchange import protocol
from pathveil.exchange.field import PRIME, Computation, Numbers, Opening
from pathveil.exchange.meeting import Fault
from pathveil.exchange.protocol import CHALLENGES, Direction, Statuses
from tests.exchange.memory import dealt, exchange


@st.composite
def paths(draw: st.DrawFn, *, largest: int = 9) -> tuple[int, list[int]]:
    size = draw(st.integers(3, largest))
    return size, draw(st.permutations(range(size)))[: draw(st.integers(2, size))]


DIRECTIONS = (True, False, None)


def expected(path: list[int], direction: Direction) -> tuple[list[int], str]:
    """The walk read in the plain: from the end that sorts first, then turned if it must be."""
    onward = path if path[0] < path[-1] else path[::-1]
    return (onward[::-1] if direction is False else onward), (
        "either_way" if direction is None else "known"
    )


def in_order(places: dict[int, int]) -> list[int]:
    return [p for _, p in sorted((place, p) for p, place in places.items() if place)]


@settings(max_examples=60, deadline=None)
@given(paths(), st.data())
def test_together_they_read_what_is_read_in_the_plain(
    case: tuple[int, list[int]], data: st.DataObject
) -> None:
    size, path = case
    direction = data.draw(st.sampled_from(DIRECTIONS))
    parties = data.draw(st.integers(3, min(5, size)))
    learn = data.draw(st.sampled_from(["walk", "own"]))
    agreement, inputs = dealt(size, path, direction, parties=parties, learn=learn)
    run = exchange(agreement, inputs)
    assert not run.faults
    walk, order = expected(path, direction)
    merged: dict[int, int] = {}
    for party, learnt in enumerate(run.learnt):
        assert learnt.order == order
        assert set(learnt.places) == set(range(size) if learn == "walk" else agreement.held[party])
        assert learn == "own" or not merged or merged == learnt.places
        merged |= learnt.places
    assert in_order(merged) in ([walk] if order == "known" else [walk, walk[::-1]])
    assert all((merged[p] > 0) == (p in path) for p in range(size))


def test_the_joint_coin_is_nobodys() -> None:
    """A fair coin shows one side 40 times in a row once in 10^12."""
    agreement, inputs = dealt(4, [2, 0, 3], None, learn="walk")
    seen = {tuple(in_order(exchange(agreement, inputs).learnt[0].places)) for _ in range(40)}
    assert seen == {(2, 0, 3), (3, 0, 2)}


# -- what is opened and revealed ------------------------------------------------------------------

OWN = [Opening("own places", 3, 0), Opening("own places", 2, 1), Opening("own places", 2, 2)]


def test_nothing_else_is_ever_opened() -> None:
    checks = [Opening("challenge", 2), Opening("consistency", 1)]
    for direction in DIRECTIONS:
        for learn, outputs in (("walk", [Opening("walk", 7)]), ("own", OWN)):
            agreement, inputs = dealt(7, [3, 1, 4, 0], direction, learn=learn)
            for learnt in exchange(agreement, inputs).learnt:
                assert list(learnt.opened) == [*checks, *outputs]
                assert {opening.name for opening in learnt.opened[2:]} <= set(protocol.OUTPUTS)


@settings(max_examples=20, deadline=None)
@given(paths(largest=7), paths(largest=7), st.sampled_from(["own", "walk"]))
def test_rounds_and_sizes_reveal_nothing(
    one: tuple[int, list[int]], other: tuple[int, list[int]], learn: str
) -> None:
    """Two walks over the same positions, short or long: the same rounds, the same bytes."""
    for direction in DIRECTIONS:
        shapes = []
        for path in (one[1], other[1]):
            agreement, inputs = dealt(7, path, direction, learn=learn)
            shapes.append(exchange(agreement, inputs).shapes)
        assert shapes[0] == shapes[1]


def test_the_longest_message_of_all_is_what_is_allowed() -> None:
    agreement, inputs = dealt(7, [0, 1, 2], True)
    run = exchange(agreement, inputs)
    assert not run.faults
    sent = [n for rounds in run.shapes for outgoing, _ in rounds for _, n in outgoing]
    assert max(sent) == agreement.largest_message


def test_what_a_party_puts_in_is_a_public_number_and_silent() -> None:
    assert CHALLENGES * 61 == 122
    agreement, inputs = dealt(7, [0, 1, 2], True)
    assert [agreement.numbers_of(party) for party in range(3)] == [3 * 7 + 4, 2 * 7 + 4, 2 * 7 + 4]
    assert repr(inputs[0]) == "<Statuses: 3 rows>"


# -- consistency ----------------------------------------------------------------------------------


def lies(size: int, path: list[int]) -> dict[str, list[tuple[int, int]]]:
    """Entries of the matrix to turn round: one for each thing that must hold."""
    off = [p for p in range(size) if p not in path]
    ring = [(off[0], off[1]), (off[1], off[2]), (off[2], off[0])]
    return {
        "one end keeps silent": [(path[0], path[1])],
        "one end makes a link up": [(off[0], off[1])],
        "a link to itself": [(off[0], off[0])],
        "degree three": [(path[1], off[0]), (off[0], path[1])],
        "a ring elsewhere": [*ring, *((b, a) for a, b in ring)],
        "two paths": [(off[0], off[1]), (off[1], off[0])],
        "no path at all": [(a, b) for pair in pairwise(path) for a, b in (pair, pair[::-1])],
        "a ring instead": [(path[0], path[-1]), (path[-1], path[0])],
    }


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_whatever_is_wrong_all_stop_alike(direction: Direction) -> None:
    for lie, entries in lies(8, [4, 1, 6, 3]).items():
        agreement, inputs = dealt(8, [4, 1, 6, 3], direction)
        for row, column in entries:
            inputs[row % 3].rows[row // 3, column] ^= True
        run = exchange(agreement, inputs)
        assert not run.learnt, lie
        faults = [(fault.fault, fault.party) for fault in run.faults]
        assert faults == [(Fault.INCONSISTENT, None)] * 3, lie


def test_statuses_and_coins_must_be_zero_or_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ends agree on the status 2 or 1/2, or a party tosses a coin of three sides: refused."""
    honest = protocol._flat_input
    agreement, inputs = dealt(5, [0, 1, 2, 3], None)
    for row_value, coin in ((2, 0), ((PRIME + 1) // 2, 1), (1, 2), (1, 1)):

        def bent(mine: Statuses, row_value: int = row_value, coin: int = coin) -> Numbers:
            flat = honest(mine)
            me = next(party for party, one in enumerate(inputs) if one is mine)
            for i, position in enumerate(agreement.held[me]):
                if position in (1, 2):
                    flat[i * agreement.size + 3 - position] = row_value
            if me == 0:
                flat[len(agreement.held[me]) * agreement.size] = coin
            return flat

        monkeypatch.setattr(protocol, "_flat_input", bent)
        is_fine = (row_value, coin) == (1, 1)
        assert len(exchange(agreement, inputs).faults) == (0 if is_fine else 3)


def test_the_number_opened_on_a_lie_is_random() -> None:
    """Whatever the lie, it is a fresh uniform number: the same one twice in 40 runs is 2^-51."""
    seen: list[int] = []
    original = Computation.open

    async def noting(self: Computation, name: str, share: Numbers) -> Numbers:
        opened = await original(self, name, share)
        if name == "consistency" and self.me == 0:
            seen.append(int(opened[0]))
        return opened

    agreement, inputs = dealt(6, [4, 1, 3], True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Computation, "open", noting)
        assert exchange(agreement, inputs).learnt
        inputs[0].rows[0, 5] ^= True
        for _ in range(40):
            assert len(exchange(agreement, inputs).faults) == 3
    assert seen[0] == 0
    assert len(set(seen)) == 41


def test_a_walk_longer_than_agreed_is_refused() -> None:
    for longest, steps, is_fine in ((3, 3, False), (4, 4, True), (9, 8, True), (None, 8, True)):
        agreement, inputs = dealt(8, [4, 1, 6, 3], True, longest=longest)
        assert agreement.steps == steps
        assert bool(exchange(agreement, inputs).learnt) == is_fine
