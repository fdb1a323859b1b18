"""Every run of a program whose draws are choices; a source that notes what is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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


Chance = Fraction | float


class Script:
    """Answers choices from a list, and notes what else could have been chosen."""

    unsafe = True

    def __init__(self, answers: Sequence[int] = ()) -> None:
        self.answers = list(answers)
        self.options: list[int] = []
        self.weight: Chance = Fraction(1)

    def take(self, count: int) -> bytes:
        raise AssertionError("a draw that is not scripted")

    def choose(self, chances: Sequence[Chance]) -> int:
        place = len(self.options)
        answer = self.answers[place] if place < len(self.answers) else 0
        self.options.append(len(chances))
        self.weight = self.weight * chances[answer]
        return answer

    def below(self, bound: int) -> int:
        return self.choose([Fraction(1, bound)] * bound) if bound > 1 else 0


def every_run(
    run: Callable[[Script], T], script_of: Callable[[Sequence[int]], Script] = Script
) -> Iterator[tuple[T, Chance]]:
    """Yield what a program returns, and with which chance, every branch taken once."""
    answers: list[int] = []
    while True:
        script = script_of(answers)
        found = run(script)
        if script.weight:
            yield found, script.weight
        taken = [*script.answers, *[0] * (len(script.options) - len(script.answers))]
        while taken and taken[-1] + 1 == script.options[len(taken) - 1]:
            taken.pop()
        if not taken:
            return
        taken[-1] += 1
        answers = taken
