"""What a batch reads and writes: lines, files in order, and lists for its custodian alone."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.batching import batch_output
from pathveil.batching.batch_output import MANY, SHARES, Row, lay_out, suited_chunk
from pathveil.batching.batch_run import (
    Failure,
    line_failure,
    lines_in,
    repeated_lines,
    walk_on,
    walks_on,
)
from pathveil.chance.source import Seeded
from pathveil.errors import BadFile, NotAWalk, TooLarge
from pathveil.files.publications.veil_json import parse_publication
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.publishing.release import publish
from pathveil.reading.assemble import reconstruct
from tests.batches import NETWORK, WANTED, batch, write_walks
from tests.files.test_part_files import left_by_the_dead

LINE = Network.parse("ab bc cd")
SMALL = Network.parse("ab bc cd da ac")
WALKS = ("abc", "bcd", "dcb", "abcd", "cda")


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    return write_walks(tmp_path / "walks.txt")


# -- lines --------------------------------------------------------------------------------------


def test_lines_keep_the_numbers_they_have_in_the_file() -> None:
    text = "# today\n\na,b\n   # more\n  b,c\n"
    assert lines_in(text, "walks.txt") == [(3, "a,b"), (5, "  b,c")]
    for text in ("", "\n\n", "# nothing\n"):
        with pytest.raises(BadFile):
            lines_in(text, "walks.txt")


NAMES = st.text("ab,\"'# \n[]é", min_size=1, max_size=6).filter(lambda name: name == name.strip())


@given(st.lists(NAMES, min_size=2, max_size=4, unique=True))
def test_walks_that_are_given_read_back_whatever_their_names(names: list[str]) -> None:
    """A name may hold the comma that parts names in a file."""
    network = Network.from_links(pairwise(names))
    assert walks_on([Walk(names)], network) == {1: Walk(names)}


def test_a_line_without_a_walk_says_so_with_its_line_once() -> None:
    for text, why in (("a,c", "'a' -> 'c'"), ("a,x", "'x'"), ("a", ""), ('["a", 1', "")):
        found = walk_on(7, text, LINE)
        assert isinstance(found, Failure)
        assert found.line == 7
        assert found.message.startswith("line 7")
        assert found.message.count("line 7") == 1
        assert why in found.message
    assert line_failure(4, NotAWalk("too short")) == Failure(4, "line 4: too short")
    assert line_failure(4, NotAWalk("line 4, line 1: odd")) == Failure(4, "line 4: odd")


def test_a_walk_and_its_way_back_are_two_walks_and_failures_none() -> None:
    failed = Failure(2, "line 2: no")
    parsed: dict[int, Walk | Failure] = {1: Walk("abc"), 2: failed, 3: failed, 5: Walk("cba")}
    parsed |= {8: Walk("abc"), 9: Walk("abc")}
    assert repeated_lines(parsed) == ((8, 1), (9, 1))
    assert repeated_lines({}) == ()


# -- files --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn() -> list[Publication]:
    return [publish(SMALL, Walk(walk), source=Seeded(i)) for i, walk in enumerate(WALKS)]


def rows_of(drawn: Iterable[Publication], *, chunk: int = 2, on_one_line: bool = True) -> list[Row]:
    laid = lay_out(drawn, workers=1, scheduler=None, chunk=chunk, on_one_line=on_one_line)
    return list(laid)


def backwards(
    work: Callable[[Any], Any], items: Iterable[Any], *, workers: int, scheduler: str | None
) -> Iterator[Any]:
    """A pool whose last worker is the first to be done."""
    yield from reversed([work(item) for item in items])


def test_rows_come_in_order_though_a_pool_brings_them_back_in_another(
    drawn: list[Publication], monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = rows_of(drawn)
    monkeypatch.setattr(batch_output, "run_all", backwards)
    for chunk in (1, 2, 50):
        rows = rows_of(drawn, chunk=chunk)
        assert rows == straight
        assert [number for number, _ in rows] == [1, 2, 3, 4, 5]  # no gap tells of a failure
        for (_, text), walk in zip(rows, WALKS, strict=True):
            assert "\n" not in text
            assert reconstruct(parse_publication(text), SMALL).walk == Walk(walk)
    assert rows_of([]) == []


@given(st.integers(0, 10_000), st.integers(0, 100_000))
def test_a_chunk_is_never_empty_too_heavy_or_a_workers_whole_share(copies: int, lines: int) -> None:
    size = suited_chunk(copies, lines)
    assert size >= 1
    assert size == 1 or (size * copies <= MANY and size * SHARES <= lines)


def test_the_certificate_beside_a_batch_is_that_of_its_last(walks: Path, tmp_path: Path) -> None:
    batch(NETWORK, walks, tmp_path / "out.jsonl", workers=1)
    beside = json.loads((tmp_path / "out.jsonl.certificate.json").read_text(encoding="utf-8"))
    last = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    assert beside == json.loads(last)["publication"]["certificate"]
    assert beside["identification"]


def test_a_batch_clears_what_a_killed_one_left_half_written(tmp_path: Path) -> None:
    for name in ("out.jsonl", "out"):
        dead = [left_by_the_dead(tmp_path / name), left_by_the_dead(tmp_path / f"{name}.lines.csv")]
        batch(NETWORK, ["abc"], tmp_path / name, workers=1, force=True)
        assert not any(part.exists() for part in dead)


@pytest.mark.regression("a gap in line numbers told that a walk failed")
def test_a_gap_in_the_numbers_tells_no_failure(walks: Path, tmp_path: Path) -> None:
    """Releases count from 1 whatever failed; the custodian alone can tell which line each is."""
    folder = tmp_path / "out"
    batch(NETWORK, walks, folder, workers=1)
    assert [path.name for path in sorted(folder.iterdir())] == [
        *("000001.veil.json", "000002.veil.json", "000003.veil.json")
    ]
    for path in folder.iterdir():
        assert "line" not in json.loads(path.read_text())
    lines = tmp_path / "out.lines.csv"
    assert lines.read_text() == "number,line\n1,2\n2,4\n3,8\n"
    assert stat.S_IMODE(lines.stat().st_mode) == 0o600
    whole = batch(NETWORK, [*WANTED.values()], tmp_path / "whole", workers=1)
    assert whole.failures == ()
    names = [path.name for path in sorted((tmp_path / "whole").iterdir())]
    assert names == [path.name for path in sorted(folder.iterdir())]
    assert not (tmp_path / "whole.lines.csv").exists()


def test_files_beside_the_output_are_not_replaced_unasked(walks: Path, tmp_path: Path) -> None:
    for name in ("out", "out.jsonl"):
        for ending in ("certificate.json", "lines.csv", "errors.csv"):
            other = tmp_path / f"{name}.{ending}"
            other.write_text("precious")
            with pytest.raises(BadFile, match=rf"{name}\.{ending}: exists"):
                batch(NETWORK, walks, tmp_path / name, workers=1)
            assert {path.name for path in tmp_path.iterdir()} == {walks.name, other.name}
            assert other.read_text() == "precious"
            other.unlink()


@pytest.mark.regression("lists of errors: mode 0600, no planted link")
def test_lists_for_the_custodian_follow_no_planted_link(walks: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("errors", "lines"):
        (tmp_path / f"out.{name}.csv").symlink_to(victim)
    batch(NETWORK, walks, tmp_path / "out", workers=1, force=True)
    assert victim.read_text() == "precious"
    for name in ("errors", "lines"):
        found = tmp_path / f"out.{name}.csv"
        assert not found.is_symlink()
        assert stat.S_IMODE(found.stat().st_mode) == 0o600


def test_what_cannot_be_written_is_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    for name in ("out.xlsx", "out.csv", "out.parquet"):
        with pytest.raises(BadFile, match="no form of a batch"):
            batch(NETWORK, ["abc"], tmp_path / name)
    names = [f"v{number}" for number in range(20_000)]
    with pytest.raises(TooLarge, match=r"use \*\.veil"):
        batch(Network.from_links(pairwise(names)), [names[:3]], tmp_path / "out")
    (tmp_path / "file").write_text("precious")
    with pytest.raises(BadFile, match="no such folder can be made"):
        batch_output.make_folder(tmp_path / "file" / "out")
    assert list(tmp_path.glob("out*")) == []
