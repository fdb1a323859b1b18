"""The rows of a batch: layers drawn by a pool or a Dask cluster, and written as they come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pathveil.batch_journal import DrawnLine
from pathveil.batch_output import Row
from pathveil.formats.veil import publication_text
from pathveil.model.grouped_bits import GroupedBits
from pathveil.model.publication import Publication
from pathveil.runners import run_all


def lay_out(
    made: Sequence[DrawnLine], *, workers: int, scheduler: str | None, chunk: int
) -> Iterator[Row]:
    """Yield a row for each publication, in order, as pools bring them back in any."""
    chunks = [made[k : k + chunk] for k in range(0, len(made), chunk)]
    numbered = [
        (place, [(one.line, _bare(one.publication)) for one in part])
        for place, part in enumerate(chunks)
    ]
    waiting: dict[int, list[Row]] = {}
    turn = 0
    for place, rows in run_all(_rows, numbered, workers=workers, scheduler=scheduler):
        waiting[place] = rows
        while turn in waiting:
            yield from waiting.pop(turn)
            turn += 1


def _bare(publication: Publication | None) -> Publication:
    """Return the publication without what no layer needs: the names of a grouping."""
    assert publication is not None, "only what was drawn is laid out"
    bits = publication.bits
    if isinstance(bits, GroupedBits):
        return replace(publication, bits=replace(bits, grouping=None))
    return publication


def _rows(item: tuple[int, list[tuple[int, Publication]]]) -> tuple[int, list[Row]]:
    """Draw the layers of some publications, in whatever process this is."""
    place, listed = item
    return place, [{"line": line, **_facts(publication)} for line, publication in listed]


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
