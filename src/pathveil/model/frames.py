"""Edges from data frames, pandas' or any with the same few methods. pandas is not imported."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from pathveil.errors import BadNetwork


def ends_of_frame(
    frame: Any, source: Hashable, target: Hashable
) -> Iterator[tuple[Hashable, Hashable]]:
    """Yield the two ends in each row; numbers as Python's own, so that 7 is called "7".

    Raises
    ------
    BadNetwork
        If a column is not there, or a row has nothing in it.
    """
    if not hasattr(frame, "columns"):
        raise TypeError(
            f"the frame is a {type(frame).__name__}; write pv.Network.from_edges(...) for edges, "
            "or pv.Network.from_networkx(...) for a graph"
        )
    ends = [_column(frame, column) for column in (source, target)]
    return zip(*ends, strict=True)


def _column(frame: Any, column: Hashable) -> list[Hashable]:
    if column not in list(frame.columns):
        raise BadNetwork(
            f"the frame has no column {column!r}, its columns are "
            f"{', '.join(map(repr, list(frame.columns)[:12]))}; name the two ends: "
            "Network.from_pandas(frame, source=..., target=...)"
        )
    values: list[Hashable] = frame[column].to_list()
    for row, value in enumerate(values, start=1):
        if _is_missing(value):
            raise BadNetwork(
                f"row {row} of the frame has nothing in column {column!r}; an edge has two ends: "
                "drop such rows with frame.dropna(), or complete them"
            )
    return values


def _is_missing(value: Any) -> bool:
    """Whether a cell is empty: None, a NaN (which is not itself), or pandas' NA (no answer)."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124
    except TypeError:
        return True
