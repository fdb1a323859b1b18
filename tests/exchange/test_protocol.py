from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.exchange import protocol
from pathveil.exchange.field import PRIME, Computation, Numbers, Opening, numbers, split
from pathveil.exchange.meeting import Fault
from pathveil.exchange.protocol import (
    Agreement,
    ByClass,
    ByName,
    ByRoot,
    Direction,
    Statuses,
    Untold,
)
from tests.exchange.memory import dealt, exchange


@st.composite
def paths(draw: st.DrawFn, *, largest: int = 9) -> tuple[int, list[int]]:
    size = draw(st.integers(3, largest))
    return size, draw(st.permutations(range(size)))[: draw(st.integers(2, size))]


@st.composite
def directions(draw: st.DrawFn, size: int) -> Direction:
    roots = st.lists(st.booleans(), min_size=size, max_size=size)
    classes = st.lists(st.integers(0, 2), min_size=size, max_size=size)
    return draw(
        st.one_of(
            st.builds(ByName, st.booleans()),
            st.just(Untold()),
            st.builds(ByRoot, roots.map(tuple)),
            st.builds(ByClass, classes.map(tuple), st.booleans()),
        )
    )


def expected(path: list[int], direction: Direction) -> tuple[list[int], str]:
    """The walk read in the plain: from the end that sorts first, then turned if it must be."""
    onward = path if path[0] < path[-1] else path[::-1]
    told = 0
    if isinstance(direction, ByName):
        told = 1 if direction.first_sorts_first else -1
    elif isinstance(direction, ByRoot):
        at = [k for k, p in enumerate(onward) if direction.roots[p]]
        if at:
            told = int(np.sign(len(path) - 1 - at[-1] - at[0]))
    elif isinstance(direction, ByClass):
        classes = [direction.classes[p] for p in onward]
        less, greater = classes < classes[::-1], classes > classes[::-1]
        told = (int(less) - int(greater)) * (1 if direction.sorts_before_reverse else -1)
    return (onward[::-1] if told < 0 else onward), "known" if told else "either_way"


def in_order(places: dict[int, int]) -> list[int]:
    return [p for _, p in sorted((place, p) for p, place in places.items() if place)]


@settings(max_examples=60, deadline=None)
@given(paths(), st.data())
def test_together_they_read_what_is_read_in_the_plain(
    case: tuple[int, list[int]], data: st.DataObject
) -> None:
    size, path = case
    direction = data.draw(directions(size))
    parties = data.draw(st.integers(3, 5))
    learn = data.draw(st.sampled_from(["walk", "own"]))
    agreement, inputs = dealt(
        size, path, direction, parties=parties, learn=learn, length=data.draw(st.booleans())
    )
    run = exchange(agreement, inputs)
    assert not run.faults
    walk, order = expected(path, direction)
    merged: dict[int, int] = {}
    for party, learnt in enumerate(run.learnt):
        assert learnt.order == order
        assert learnt.length == (len(path) if agreement.length else None)
        assert set(learnt.places) == set(range(size) if learn == "walk" else agreement.held[party])
        assert merged.items() & learnt.places.items() or not merged or learn == "own"
        merged |= learnt.places
    assert in_order(merged) in ([walk] if order == "known" else [walk, walk[::-1]])
    assert all((merged[p] > 0) == (p in path) for p in range(size))


@settings(max_examples=25, deadline=None)
@given(paths(largest=7), st.booleans(), st.data())
def test_holders_of_links_learn_their_own_steps(
    case: tuple[int, list[int]],
    told: bool,  # noqa: FBT001
    data: st.DataObject,
) -> None:
    size, path = case
    steps = list(pairwise(path))
    spare = [(a, b) for a in range(size) for b in range(a) if {a, b} not in map(set, steps)]
    links = [(a, b, True) for a, b in steps] + [(a, b, False) for a, b in spare[:3]]
    dealt_out = [tuple(links[i::3]) for i in range(3)]
    bounds = tuple(len(mine) + data.draw(st.integers(0, 1)) for mine in dealt_out)
    direction = ByName(path[0] < path[-1]) if told else Untold()
    agreement = Agreement(size, ((), (), ()), bounds, direction)
    run = exchange(agreement, [Statuses(np.zeros((0, size), bool), mine) for mine in dealt_out])
    assert not run.faults
    places: dict[int, set[int]] = {}
    for mine, learnt in zip(dealt_out, run.learnt, strict=True):
        assert learnt.places == {}
        on_walk = [link for link in mine if link[2]]
        assert len(learnt.steps) == len(on_walk)
        for (head, tail, _), (i, j) in zip(on_walk, learnt.steps, strict=True):
            places.setdefault(head, set()).add(i)
            places.setdefault(tail, set()).add(j)
    found = in_order({p: min(where) for p, where in places.items()})
    assert all(len(where) == 1 for where in places.values())
    assert found in ([path] if told else [path, path[::-1]])


def test_the_joint_coin_is_nobodys() -> None:
    """A fair coin shows one side 40 times in a row once in 10^12."""
    agreement, inputs = dealt(4, [2, 0, 3], Untold())
    seen = {tuple(in_order(dict(_walk(agreement, inputs)))) for _ in range(40)}
    assert seen == {(2, 0, 3), (3, 0, 2)}


def _walk(agreement: Agreement, inputs: list[Statuses]) -> dict[int, int]:
    merged: dict[int, int] = {}
    for learnt in exchange(agreement, inputs).learnt:
        merged |= learnt.places
    return merged


# -- what is opened -------------------------------------------------------------------------------

CHECKS = [Opening("challenge", 2), Opening("consistency", 1)]


@pytest.mark.parametrize(
    ("direction", "terms", "outputs"),
    [
        (ByName(True), {"learn": "walk"}, [Opening("walk", 7)]),
        (
            ByName(True),
            {"learn": "own"},
            [Opening("own places", 3, 0), Opening("own places", 2, 1), Opening("own places", 2, 2)],
        ),
        (
            Untold(),
            {"learn": "own", "length": True},
            [
                Opening("own places", 3, 0),
                Opening("own places", 2, 1),
                Opening("own places", 2, 2),
                Opening("length", 1),
            ],
        ),
        (
            ByRoot((True, False) * 3 + (True,)),
            {"learn": "walk", "length": True},
            [Opening("walk", 7), Opening("length", 1), Opening("tie", 1)],
        ),
        (
            ByClass((0, 1, 2) * 2 + (0,), True),
            {"learn": "walk"},
            [Opening("walk", 7), Opening("tie", 1)],
        ),
    ],
)
def test_nothing_else_is_ever_opened(
    direction: Direction, terms: dict[str, Any], outputs: list[Opening]
) -> None:
    agreement, inputs = dealt(7, [3, 1, 4, 0], direction, **terms)
    for learnt in exchange(agreement, inputs).learnt:
        assert list(learnt.opened) == [*CHECKS, *outputs]
        assert {opening.name for opening in learnt.opened[2:]} <= set(protocol.OUTPUTS)


def test_link_holders_openings_are_listed_too() -> None:
    links = [((0, 1, True),), ((1, 2, True),), ((2, 3, False),)]
    agreement = Agreement(4, ((), (), ()), (1, 1, 1), ByName(True))
    run = exchange(agreement, [Statuses(np.zeros((0, 4), bool), mine) for mine in links])
    steps = [Opening("own steps", 2, party) for party in range(3)]
    assert all(list(learnt.opened) == [*CHECKS, *steps] for learnt in run.learnt)


def test_opening_happens_in_one_place_only() -> None:
    """Shares become secrets by `combine`; only `_open` and the re-sharing of products call it."""
    from pathlib import Path

    folder = Path(protocol.__file__).parent
    uses = {
        path.name: len(re.findall(r"\bcombine\(", path.read_text("utf-8")))
        for path in folder.glob("*.py")
    }
    # its definition, its doctest, the check of the opened polynomials, and the two callers
    assert {name: count for name, count in uses.items() if count} == {"field.py": 5}


@settings(max_examples=20, deadline=None)
@given(paths(largest=7), paths(largest=7), st.booleans())
def test_rounds_and_sizes_tell_nothing(
    one: tuple[int, list[int]],
    other: tuple[int, list[int]],
    own: bool,  # noqa: FBT001
) -> None:
    """Two walks over the same positions, short or long: the same rounds, the same bytes."""
    for direction in (ByName(True), Untold(), ByRoot((True,) + (False,) * 6)):
        shapes = []
        for path in (one[1], other[1]):
            agreement, inputs = dealt(7, path, direction, learn="own" if own else "walk")
            shapes.append([t.shapes for t in exchange(agreement, inputs).transcripts])
        assert shapes[0] == shapes[1]


# -- consistency ----------------------------------------------------------------------------------


def lies(size: int, path: list[int]) -> dict[str, list[tuple[int, int]]]:
    """Entries of the matrix to turn round: one for each thing that must hold."""
    off = [p for p in range(size) if p not in path]
    return {
        "one end keeps silent": [(path[0], path[1])],
        "one end makes a link up": [(off[0], off[1])],
        "a link to itself": [(off[0], off[0])],
        "degree three": [(path[1], off[0]), (off[0], path[1])],
        "a ring besides": [
            *((a, b) for a, b in [(off[0], off[1]), (off[1], off[2]), (off[2], off[0])]),
            *((b, a) for a, b in [(off[0], off[1]), (off[1], off[2]), (off[2], off[0])]),
        ],
        "two paths": [(off[0], off[1]), (off[1], off[0])],
        "no path at all": [(a, b) for pair in pairwise(path) for a, b in (pair, pair[::-1])],
        "a ring instead": [(path[0], path[-1]), (path[-1], path[0])],
    }


@pytest.mark.parametrize("lie", lies(8, [0, 1, 2, 3]))
@pytest.mark.parametrize("direction", [ByName(True), Untold(), ByRoot((True,) * 8)], ids=repr)
def test_whatever_is_wrong_all_stop_alike(lie: str, direction: Direction) -> None:
    agreement, inputs = dealt(8, [4, 1, 6, 3], direction)
    for row, column in lies(8, [4, 1, 6, 3])[lie]:
        inputs[row % 3].rows[row // 3, column] ^= True
    run = exchange(agreement, inputs)
    assert not run.learnt
    assert [(fault.fault, fault.party) for fault in run.faults] == [(Fault.INCONSISTENT, None)] * 3


def test_statuses_must_be_zero_or_one() -> None:
    """Both ends agree on the status 2 or 1/2: still refused."""
    for status in (2, (PRIME + 1) // 2):
        agreement, inputs = dealt(5, [0, 1, 2, 3], ByName(True))
        bent = []
        for party, mine in enumerate(inputs):
            rows = mine.rows.astype(object)
            for i, position in enumerate(agreement.held[party]):
                if position in (1, 2):
                    rows[i, 3 - position] = status
            bent.append(Statuses(_Bent(rows)))  # type: ignore[arg-type]
        assert len(exchange(agreement, bent).faults) == 3


class _Bent:
    """Rows that are not zeros and ones, as a party with its own program could put in."""

    def __init__(self, rows: np.ndarray[tuple[int, int], np.dtype[np.object_]]) -> None:
        self.rows = rows
        self.shape = rows.shape

    def __len__(self) -> int:
        return len(self.rows)

    def astype(self, _kind: object) -> np.ndarray[tuple[int, int], np.dtype[np.object_]]:
        return self.rows


BENT = {
    "a head that is no position": (slice(0, 4), [0, 0, 2, PRIME - 1]),
    "two heads": (slice(0, 4), [1, 0, 1, 0]),
    "no head": (slice(0, 4), [0, 0, 0, 0]),
    "a tail that is no position": (slice(4, 8), [2, PRIME - 1, 0, 0]),
    "two tails": (slice(4, 8), [0, 1, 0, 1]),
    "half on the walk": (slice(8, 9), [(PRIME + 1) // 2]),
    "a coin of three sides": (slice(9, 10), [2]),
}
"""What a holder of one link, off the walk among four positions, may put in besides statuses."""


@pytest.mark.parametrize("lie", BENT)
def test_a_link_has_one_head_one_tail_and_a_coin_two_sides(
    lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = [((0, 1, True),), ((1, 2, True),), ((2, 3, False),)]
    agreement = Agreement(4, ((), (), ()), (1, 1, 1), Untold())
    inputs = [Statuses(np.zeros((0, 4), bool), mine) for mine in links]
    assert exchange(agreement, inputs).learnt
    plain = protocol._flat_input

    def bent(agreement: Agreement, me: int, mine: Statuses) -> Numbers:
        flat = plain(agreement, me, mine)
        if me == 2:
            place, values = BENT[lie]
            flat[place] = values
        return flat

    monkeypatch.setattr(protocol, "_flat_input", bent)
    assert len(exchange(agreement, inputs).faults) == 3


def test_the_number_opened_on_a_lie_is_random() -> None:
    """Whatever the lie, it is a fresh uniform number: the same one twice in 40 runs is 2^-51."""
    seen: list[int] = []
    original = Computation.open

    async def noting(self: Computation, name: str, share: Numbers) -> Numbers:
        opened = await original(self, name, share)
        if name == "consistency" and self.me == 0:
            seen.append(int(opened[0]))
        return opened

    agreement, inputs = dealt(6, [4, 1, 3], ByName(True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Computation, "open", noting)
        assert exchange(agreement, inputs).learnt
        inputs[0].rows[0, 5] ^= True
        for _ in range(40):
            assert len(exchange(agreement, inputs).faults) == 3
    assert seen[0] == 0
    assert len(set(seen)) == 41


def test_a_walk_longer_than_agreed_is_refused() -> None:
    for longest, fine in ((3, False), (4, True), (9, True)):
        agreement, inputs = dealt(8, [4, 1, 6, 3], ByName(True), longest=longest)
        assert bool(exchange(agreement, inputs).learnt) == fine


def test_vertices_nobody_holds_are_told_by_their_neighbours() -> None:
    links = np.zeros((6, 6), bool)
    for a, b in pairwise([4, 1, 5, 3]):
        links[a, b] = links[b, a] = True
    held: tuple[tuple[int, ...], ...] = ((0, 4), (1, 2), (3,))  # nobody speaks for 5
    agreement = Agreement(6, held, (0, 0, 0), ByName(False), learn="walk")
    run = exchange(agreement, [Statuses(links[list(rows)]) for rows in held])
    assert in_order(run.learnt[0].places) == [4, 1, 5, 3]
    held = ((0, 4), (2,), (3,))  # nobody speaks for 1 - 5 either
    agreement = Agreement(6, held, (0, 0, 0), ByName(False))
    run = exchange(agreement, [Statuses(links[list(rows)]) for rows in held])
    assert run.faults[0].fault == Fault.INCONSISTENT


def test_a_link_told_twice_is_refused() -> None:
    """Nobody can learn the step of a link by claiming it beside its holder."""
    both = [((0, 1, True),), ((1, 2, True), (0, 1, True)), ()]
    agreement = Agreement(4, ((), (), ()), (1, 2, 0), ByName(True))
    run = exchange(agreement, [Statuses(np.zeros((0, 4), bool), mine) for mine in both])
    assert run.faults[0].fault == Fault.INCONSISTENT


def test_a_link_of_a_position_to_itself_is_on_no_walk() -> None:
    """How a holder puts in a link to a vertex that has no position."""
    for more, fine in (((), True), (((0, 0, False),), True), (((0, 0, True),), False)):
        mine = [((0, 1, True),), ((1, 2, True), *more), ()]
        agreement = Agreement(4, ((), (), ()), (1, 2, 0), ByName(True))
        run = exchange(agreement, [Statuses(np.zeros((0, 4), bool), one) for one in mine])
        assert [one.fault for one in run.faults] == ([] if fine else [Fault.INCONSISTENT] * 3)


def test_fewer_than_three_are_refused() -> None:
    agreement, inputs = dealt(4, [0, 1, 2], ByName(True), parties=2)
    with pytest.raises(ValueError, match="at least 3"):
        exchange(agreement, inputs)


def test_an_input_that_does_not_fit_is_refused_before_anything_is_sent() -> None:
    agreement, inputs = dealt(4, [0, 1, 2], ByName(True))
    with pytest.raises(ValueError, match="does not fit"):
        protocol._flat_input(agreement, 0, inputs[1])
    assert repr(inputs[0]) == "<Statuses: 2 rows, 0 link places>"


def test_shares_of_a_minority_are_the_same_for_every_secret() -> None:
    """One of three parties sees, of each secret, one number that is uniform whatever the secret.

    4,000 shares of 0 and of 1, in 8 classes: chi-squared with 7 degrees of freedom above 50 has
    probability 1.5e-8. The broken twin hands out the secret itself and is caught.
    """

    def statistic(shares: list[int]) -> float:
        counts = Counter(share * 8 // PRIME for share in shares)
        return sum((counts[i] - 500) ** 2 / 500 for i in range(8))

    for secret in (0, 1):
        for party in range(3):
            shares = split(numbers([secret] * 4000), 3)[party].tolist()
            assert statistic(shares) < 50
    assert statistic([1] * 4000) > 50
