"""Every run of a procedure that draws whole numbers; a source that notes what is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeVar

from pathveil.chance.source import Seeded

T = TypeVar("T")


class Counting(Seeded):
    """A source that notes how much is read, each time."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.read: list[int] = []

    def take(self, count: int) -> bytes:
        self.read.append(count)
        return super().take(count)


class Bytes:
    """A source that hands out these bytes and no more."""

    unsafe = True

    def __init__(self, given: bytes) -> None:
        self.left = given

    def take(self, count: int) -> bytes:
        assert len(self.left) >= count, "too many bytes asked for"
        head, self.left = self.left[:count], self.left[count:]
        return head


def every_run(
    procedure: Callable[[Callable[[int], int]], T], *, fixed: int = 0
) -> Iterator[tuple[Fraction, T]]:
    """Yield (probability, result) of each way the draws can fall.

    The first ``fixed`` draws are not drawn but take their last value: a broken twin's public order.
    """
    choice: list[int] = []
    while True:
        bounds: list[int] = []

        def below(bound: int, bounds: list[int] = bounds) -> int:
            place = len(bounds)
            bounds.append(bound if place >= fixed else 1)
            if place < fixed:
                return bound - 1
            while len(choice) <= place:
                choice.append(0)
            return choice[place]

        result = procedure(below)
        chance = Fraction(1)
        for bound in bounds:
            chance /= bound
        yield chance, result
        del choice[len(bounds) :]
        while len(choice) < len(bounds):
            choice.append(0)
        while choice and choice[-1] + 1 >= bounds[len(choice) - 1]:
            choice.pop()
        if not choice:
            return
        choice[-1] += 1
