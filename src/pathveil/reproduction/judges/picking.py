"""What every judge works with: rows picked out of a result table, and what a judge says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pathveil.intervals import Interval, average
from pathveil.reproduction.measures import Tally
from pathveil.reproduction.store import Row
from pathveil.reproduction.sweep import Cell

Verdict = Literal["agrees", "in part", "disagrees", "cannot be compared", "not run"]
VERDICTS: tuple[Verdict, ...] = ("agrees", "in part", "disagrees", "cannot be compared", "not run")


@dataclass(frozen=True)
class Opinion:
    """What a judge found in the rows of one engine.

    Attributes
    ----------
    found
        The numbers, in words.
    verdict
        Whether they bear the claim out; None where there is nothing to judge by.
    note
        What a reader must know to take the verdict rightly.
    """

    found: str
    verdict: Verdict | None
    note: str = ""

    @classmethod
    def plain(cls, found: str, holds: bool, note: str = "") -> Opinion:  # noqa: FBT001
        """Return the opinion on a claim that holds or does not, with nothing between."""
        return cls(found, "agrees" if holds else "disagrees", note)


Judge = Callable[[Sequence[Row]], Opinion]


def sum_tallies(rows: Iterable[Row]) -> Tally:
    """Return the sum of the rows' tallies."""
    return sum((row.tally for row in rows), Tally())


def rows_at(rows: Sequence[Row], **wanted: object) -> list[Row]:
    """Return the rows whose cell has these values."""
    return [row for row in rows if all(getattr(row.cell, k) == v for k, v in wanted.items())]


def pooled(rows: Sequence[Row], measure: Callable[[Tally], Interval]) -> Interval:
    """Return the mean of a measure over cells of equal weight."""
    return average([measure(row.tally) for row in rows])


def by_knob(rows: Sequence[Row], knob: str) -> dict[Cell, list[Row]]:
    """Return the rows of each curve over a knob: cells that differ in nothing else, in its order.

    A cell that has the knob switched off is on no curve.
    """
    curves: dict[Cell, list[Row]] = {}
    for row in rows:
        if getattr(row.cell, knob) is not None:
            key = replace(row.cell, **{knob: None})  # type: ignore[arg-type]
            curves.setdefault(key, []).append(row)
    for part in curves.values():
        part.sort(key=lambda row: float(getattr(row.cell, knob)))
    return curves
