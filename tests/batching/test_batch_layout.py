"""Rows of a batch: in order and without gaps however they come back, and nothing of a grouping."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.batching import batch_output as batch_layout
from pathveil.batching.batch_journal import DrawnLine
from pathveil.batching.batch_output import MANY, SHARES, Row, lay_out, suited_chunk
from pathveil.chance.source import Seeded
from pathveil.files.publications.veil_json import parse_publication
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.publishing.release import publish
from pathveil.reading.assemble import reconstruct

NETWORK = Network.parse("ab bc cd da ac")
WALKS = ("abc", "bcd", "dcb", "abcd", "cda")


@pytest.fixture(scope="module")
def drawn() -> list[DrawnLine]:
    """Lines with gaps between their numbers: other walks failed."""
    return [
        DrawnLine(3 * i + 2, publish(NETWORK, Walk(walk), source=Seeded(i)))
        for i, walk in enumerate(WALKS)
    ]


def rows_of(drawn: Iterable[DrawnLine], *, chunk: int = 2, on_one_line: bool = True) -> list[Row]:
    laid = lay_out(drawn, workers=1, scheduler=None, chunk=chunk, on_one_line=on_one_line)
    return list(laid)


def backwards(
    work: Callable[[Any], Any], items: Iterable[Any], *, workers: int, scheduler: str | None
) -> Iterator[Any]:
    """A pool whose last worker is the first to be done."""
    yield from reversed([work(item) for item in items])


@pytest.mark.parametrize("chunk", [1, 2, 50])
def test_rows_come_in_order_though_a_pool_brings_them_back_in_another(
    drawn: list[DrawnLine], monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    straight = rows_of(drawn)
    monkeypatch.setattr(batch_layout, "run_all", backwards)
    rows = rows_of(drawn, chunk=chunk)
    assert rows == straight
    assert [row["number"] for row in rows] == [1, 2, 3, 4, 5]  # no gap tells that a walk failed
    for row, walk in zip(rows, WALKS, strict=True):
        found = reconstruct(parse_publication(row["publication"]), NETWORK)
        assert found.walk == Walk(walk)


def test_a_row_says_what_its_publication_is(drawn: list[DrawnLine]) -> None:
    for row, line in zip(rows_of(drawn), drawn, strict=True):
        assert line.publication is not None
        layered = line.publication.layered
        assert (row["copies"], row["pieces"]) == (4, len(layered.position_of))
        assert (row["layers"], row["arcs"]) == (layered.height, len(layered.arcs))
        assert row["unsafe"] is True
        assert row["walk_link_loss"].startswith("ln 2")


def test_a_publication_is_put_on_one_line_only_where_asked(drawn: list[DrawnLine]) -> None:
    one, many = rows_of(drawn)[0], rows_of(drawn, on_one_line=False)[0]
    assert "\n" not in one["publication"]
    assert "\n" in many["publication"].strip()
    assert json.loads(one["publication"]) == json.loads(many["publication"])


def test_no_layers_are_kept_with_what_was_drawn() -> None:
    """Layers of a thousand publications, held until the last is written, would fill the memory."""
    publication = publish(NETWORK, Walk("abc"), source=Seeded(1))
    assert "layered" not in vars(publication)
    rows_of([DrawnLine(1, publication)])
    assert "layered" not in vars(publication)


def test_nothing_drawn_is_no_row() -> None:
    assert rows_of([]) == []


@given(st.integers(0, 10_000), st.integers(0, 100_000))
def test_a_chunk_is_never_empty_too_heavy_or_a_workers_whole_share(copies: int, lines: int) -> None:
    size = suited_chunk(copies, lines)
    assert size >= 1
    assert size == 1 or (size * copies <= MANY and size * SHARES <= lines)
