"""The rows of a batch: layers drawn by a pool or a Dask cluster, and written as they come."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from pathveil.batch_journal import DrawnLine
from pathveil.batch_output import Row
from pathveil.formats.veil import publication_text
from pathveil.model.publication import Publication
from pathveil.runners import run_all

T = TypeVar("T")
Item = tuple[int, bool, list[tuple[int, Publication]]]

MANY, SHARES = 500, 16
"""Copies in the publications of a chunk, about; chunks of a batch at least, so that no worker waits
long for the last of another."""


def suited_chunk(copies: int, lines: int) -> int:
    """Return how many publications of so many copies go to a worker at a time.

    Layers of ten copies take a millisecond, which sending should not; those of a thousand a second.

    >>> suited_chunk(10, 1000), suited_chunk(10, 60), suited_chunk(1000, 1000)
    (50, 3, 1)
    """
    return max(1, min(MANY // max(copies, 1), lines // SHARES))


def lay_out(
    made: Iterable[DrawnLine],
    *,
    workers: int,
    scheduler: str | None,
    chunk: int,
    on_one_line: bool,
) -> Iterator[Row]:
    """Yield a row for each publication, in order, as pools bring them back in any.

    All of them are taken before the first row is yielded; workers begin with the first meanwhile.

    *Privacy*: rows are numbered one after another. The number of a line would tell, by the numbers
    that are not there, that a walk failed.
    """
    counted = ((number, _bare(one.publication)) for number, one in enumerate(made, start=1))
    numbered = ((place, on_one_line, part) for place, part in enumerate(_chunks(counted, chunk)))
    waiting: dict[int, list[Row]] = {}
    turn = 0
    for place, rows in run_all(_rows, numbered, workers=workers, scheduler=scheduler):
        waiting[place] = rows
        while turn in waiting:
            yield from waiting.pop(turn)
            turn += 1


def _chunks(made: Iterable[T], size: int) -> Iterator[list[T]]:
    coming = iter(made)
    while part := list(islice(coming, size)):
        yield part


def _bare(publication: Publication | None) -> Publication:
    """Return the publication without what no layer needs: the names of a grouping.

    A copy in any case: it keeps the layers it is asked for, and is let go with them.
    """
    assert publication is not None, "only what was drawn is laid out"
    if publication.grouped is not None:
        return replace(publication, bits=replace(publication.grouped, grouping=None))
    return replace(publication)


def _rows(item: Item) -> tuple[int, list[Row]]:
    """Draw the layers of some publications, in whatever process this is."""
    place, on_one_line, listed = item
    rows = [{"number": number, **_facts(publication)} for number, publication in listed]
    for row in rows if on_one_line else ():
        # Here, for this is where the work is shared out.
        row["publication"] = json.dumps(json.loads(row["publication"]))
    return place, rows


def _facts(publication: Publication) -> dict[str, Any]:
    layered = publication.layered
    row = publication.certificate.bound(walk_edges=1)
    return {
        "copies": len(layered.positions),
        "pieces": len(layered.position_of),
        "layers": layered.height,
        "covers": len(layered.covers),
        "unsafe": publication.unsafe,
        "walk_edge_loss": "" if row is None else str(row.presence),
        "publication": publication_text(publication),
    }
