"""Many walks, some bad, some interrupted: each good one is released once, each bad one named."""

from __future__ import annotations

import signal
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

from pathveil.batching import batch_run as batching
from pathveil.errors import BadFile, BrokenSeries
from pathveil.files.publications.any_publication import read_publication
from pathveil.model.layered import LayeredGraph
from pathveil.model.walk import Walk
from tests.batches import FILE, NETWORK, WANTED, WIDE, batch, interrupted, read, write_walks


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    return write_walks(tmp_path / "walks.txt")


@pytest.mark.parametrize("workers", [1, 2])
def test_good_walks_are_published_and_bad_ones_named(
    walks: Path, tmp_path: Path, workers: int
) -> None:
    out, seen = tmp_path / "out.jsonl", []
    report = batch(
        NETWORK, walks, out, workers=workers, chunk=2, progress=lambda *at: seen.append(at)
    )
    assert (report.published, report.resumed) == (3, 0)
    assert read(out) == WANTED
    assert [failure.line for failure in report.failures] == [5, 6, 7]
    assert all(failure.message.startswith(f"line {failure.line}") for failure in report.failures)
    errors = (tmp_path / "out.jsonl.errors.csv").read_text()
    assert "'x'" in errors
    assert "error" not in out.read_text()
    assert seen == [(k, 12) for k in (*range(7), *range(9, 13))]  # drawn, then laid out
    assert not (tmp_path / "out.jsonl.journal").exists()


def test_walks_may_be_given_as_they_are(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    report = batch(NETWORK, [Walk("abc"), "fed"], out, workers=1)
    assert read(out) == {1: tuple("abc"), 2: tuple("fed")}
    assert report.failures == ()
    assert not Path(f"{out}.errors.csv").exists()


@pytest.mark.regression("a batch told the direction unasked")
def test_a_batch_tells_the_direction_only_if_asked_to(tmp_path: Path) -> None:
    out, given = tmp_path / "out", ["abc", "fed"]
    batch(NETWORK, given, out, workers=1, direction="hidden")
    made = [read_publication(file) for file in sorted(out.glob("*.veil.json"))]
    assert [one.direction for one in made] == [None, None]
    with pytest.raises(BrokenSeries, match="do not tell the direction"):
        batch(NETWORK, ["cba"], tmp_path / "more", workers=1, after=made)
    assert not (tmp_path / "more").exists()
    batch(NETWORK, ["cba"], tmp_path / "more", workers=1, after=made, direction="hidden")
    assert read_publication(tmp_path / "more" / "000001.veil.json").direction is None


def test_a_batch_goes_on_with_the_direction_it_was_begun_with(tmp_path: Path) -> None:
    out, given = tmp_path / "out", ["abc", "fed"]
    interrupted(given, out, stop=1)
    with pytest.raises(BadFile, match=r"a batch with another .*direction"):
        batch(NETWORK, given, out, workers=1, direction="hidden")
    assert batch(NETWORK, given, out, workers=1).published == 2


def test_another_walk_on_a_released_line_is_refused(walks: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        batch(NETWORK, walks, out, workers=1, progress=_stop_at_the_end)
    walks.write_text(FILE.replace("a,b,c,d", "a,b,d,c"))
    with pytest.raises(BadFile, match="line 2 of the walks"):
        batch(NETWORK, walks, out, workers=1)


def _stop_at_the_end(done: int, total: int) -> None:
    if done == total:
        raise KeyboardInterrupt


SCRIPT = """
import sys
from pathveil import Network
from pathveil.batching.batch_run import batch
from pathveil.planning.gate_report import Effort

def wait_to_be_killed(done, total):
    if done >= 40:
        print("ready", flush=True)
        sys.stdin.read()

network = Network.parse(sys.argv[1])
walks = ["abc", "fed"] * 50
open_gate = {"accept_outsider": True, "effort": Effort(restarts=0)}
batch(network, walks, sys.argv[2], workers=1, seed=1, progress=wait_to_be_killed, **open_gate)
"""


def test_killed_in_the_middle_it_goes_on(tmp_path: Path) -> None:
    links = "ab af bc bd be bf cd ce cf de df ef"
    out, whole = tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    worker = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, links, str(out)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert worker.stdout is not None
    # It waits for us, however fast it is.
    assert worker.stdout.readline() == b"ready\n"
    worker.send_signal(signal.SIGKILL)
    worker.communicate()
    assert not out.exists()
    report = batch(NETWORK, ["abc", "fed"] * 50, out, workers=1, seed=1)
    assert 40 <= report.resumed < 100  # recorded some at a time, before anybody sees them
    batch(NETWORK, ["abc", "fed"] * 50, whole, workers=1, seed=1)
    assert out.read_bytes() == whole.read_bytes()


def test_lost_rows_are_told_and_replace_no_release(tmp_path: Path) -> None:
    out, given, said = tmp_path / "out", ["abc", "fed", "cde"], list[str]()
    journal = interrupted(given, out)
    rows = journal.read_bytes().splitlines(keepends=True)
    rows[2] = b"0" * 8 + rows[2][8:]
    journal.write_bytes(b"".join(rows))
    assert len(list(out.iterdir())) == 3, "stopped when all was written"
    kept = journal.read_bytes()
    with pytest.raises(BadFile, match="holds releases"):
        batch(NETWORK, given, out, workers=1, tell=said.append)
    assert journal.read_bytes() == kept
    assert batch(NETWORK, given, out, workers=1, force=True, tell=said.append).resumed == 1
    assert len(said) == 1
    assert "is damaged behind row 1" in said[0]
    assert "thrown again" in said[0]
    assert "\n" not in said[0]


@pytest.mark.parametrize("name", ["out", "out.jsonl"])
def test_rows_taken_from_the_end_replace_no_release(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looked like an earlier kill, and two releases were out for one walk, with other coins."""
    out, given = tmp_path / name, ["abc", "ax", "fed", "cde"]
    with monkeypatch.context() as patched:
        patched.setattr(batching, "write_certificate", stopped)  # the releases are there by then
        with pytest.raises(KeyboardInterrupt):
            batch(NETWORK, given, out, workers=1, accept_outsider=True)
    journal = out.with_name(f"{out.name}.journal")
    whole = journal.read_bytes()
    rows = whole.splitlines(keepends=True)
    assert len(rows) == 5
    files = [out] if out.is_file() else sorted(out.iterdir())
    kept = {path: path.read_bytes() for path in files}
    for left in range(1, 5):
        journal.write_bytes(b"".join(rows[:left]))
        with pytest.raises(BadFile, match=rf"has {left - 1} of 4 lines drawn, .* rows are gone"):
            batch(NETWORK, given, out, workers=1)
        assert journal.read_bytes() == b"".join(rows[:left])
        assert {path: path.read_bytes() for path in kept} == kept
    journal.write_bytes(whole)
    assert batch(NETWORK, given, out, workers=1, accept_outsider=True).resumed == 4
    assert {path: path.read_bytes() for path in kept} == kept


def stopped(*_: object) -> None:
    raise KeyboardInterrupt


def test_releases_of_another_batch_are_not_replaced_by_one_cut_short(tmp_path: Path) -> None:
    """With ``force`` it was begun over them, and killed while drawing."""
    out, given = tmp_path / "out", ["abc", "fed"]
    batch(NETWORK, given, out, workers=1, accept_outsider=True)
    first = (out / "000001.veil.json").read_bytes()
    other = tmp_path / "other"
    journal = interrupted(given, other, stop=1)
    for path in (journal, journal.with_name(f"{journal.name}.key")):
        path.rename(tmp_path / path.name.replace("other", "out"))
    with pytest.raises(BadFile, match="or the releases are of another batch"):
        batch(NETWORK, given, out, workers=1)
    assert (out / "000001.veil.json").read_bytes() == first
    assert batch(NETWORK, given, out, workers=1, force=True, accept_outsider=True).published == 2


@pytest.mark.regression("a finished batch was released again with fresh coins")
@pytest.mark.parametrize("name", ["out.jsonl", "out"])
def test_a_finished_batch_is_not_silently_released_again(
    name: str, walks: Path, tmp_path: Path
) -> None:
    out = tmp_path / name
    batch(WIDE, walks, out, workers=1)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(BadFile, match=r"holds releases.*force"):
        batch(WIDE, walks, out, workers=1)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert batch(WIDE, walks, out, workers=1, force=True).published == 3
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after.keys() == before.keys()
    assert after != before  # fresh coins, as was asked for


def test_a_batch_cut_short_while_writing_a_folder_goes_on_unasked(tmp_path: Path) -> None:
    out, given = tmp_path / "out", ["abc", "fed"]
    interrupted(given, out, stop=1)
    out.mkdir()
    (out / "000001.veil.json").write_text("cut short")
    assert batch(NETWORK, given, out, workers=1).published == 2
    assert read_publication(out / "000001.veil.json").vertices == NETWORK.vertices


@pytest.mark.regression("duplicate lines")
def test_a_walk_on_two_lines_is_noticed(tmp_path: Path) -> None:
    report = batch(NETWORK, ["abc", "fed", "cba", "abc"], tmp_path / "out.jsonl", workers=1)
    assert report.published == 4
    assert report.repeated == ((4, 1),)  # the same walk backwards is another one


@pytest.mark.parametrize("count", [30, 90])
def test_drawings_do_not_add_up_with_the_walks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """What a batch keeps of a walk are its bits: layers are let go with the row they are in.

    Counted, not timed: how many layered graphs are alive, however many walks there are.
    """
    drawn: list[weakref.ref[LayeredGraph]] = []
    alive: list[int] = []
    begin = LayeredGraph.__init__

    def noted(self: LayeredGraph, *args: Any, **given: Any) -> None:
        begin(self, *args, **given)
        drawn.append(weakref.ref(self))

    def look(_: int, __: int) -> None:
        alive.append(sum(one() is not None for one in drawn))

    monkeypatch.setattr(LayeredGraph, "__init__", noted)
    batch(NETWORK, ["abcd"] * count, tmp_path / "out.jsonl", workers=1, chunk=5, progress=look)
    assert len(drawn) >= count
    assert max(alive) <= 6
