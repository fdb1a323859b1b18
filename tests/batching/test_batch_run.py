"""Many walks, some bad, some interrupted: each good one is released once, each bad one named."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import Any

import pyrage
import pytest

from pathveil.batching import batch_run
from pathveil.batching.batch_journal import BatchJournal
from pathveil.batching.batch_run import Failure, batch_policy, walks_on
from pathveil.errors import BadBudget, BadFile, BrokenSeries
from pathveil.files.publications.any_publication import read_publication
from pathveil.model.layered import LayeredGraph
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from tests.batches import (
    FILE,
    NETWORK,
    WANTED,
    WIDE,
    batch,
    interrupted,
    kill_when_ready,
    read,
    write_walks,
)

READER = str(pyrage.x25519.Identity.generate().to_public())


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
    assert seen == [(k, 6) for k in range(4)]  # as they are written
    assert not (tmp_path / "out.jsonl.journal").exists()


@pytest.mark.regression("a batch told the direction unasked")
def test_a_batch_tells_the_direction_only_if_asked_to(tmp_path: Path) -> None:
    out, given = tmp_path / "out", ["abc", "fed"]
    batch(NETWORK, given, out, workers=1, direction="hidden")
    made = [read_publication(file) for file in sorted(out.glob("*.veil.json"))]
    assert [one.direction for one in made] == [None, None]
    with pytest.raises(BrokenSeries, match="do not publish the direction"):
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


def test_other_walks_are_another_batch(walks: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    interrupted(walks, out, stop=1)
    walks.write_text(FILE.replace("a,b,c,d", "a,b,d,c"))
    with pytest.raises(BadFile, match="another"):
        batch(NETWORK, walks, out, workers=1)


@pytest.mark.parametrize("name", ["out", "out.jsonl"])
def test_stopped_anywhere_it_goes_on_with_the_same_coins(name: str, tmp_path: Path) -> None:
    given, texts = ["abc", "ax", "fed", "cde"], set()
    out = tmp_path / name
    key = b""
    for stop in (0, 1, 2, 3):
        journal = interrupted(given, out, stop=stop)
        key = key or journal.read_bytes()
        assert journal.read_bytes() == key
        texts |= {(path.name, path.read_bytes()) for path in out.glob("*.veil.json")}
    resumed = batch(NETWORK, given, out, workers=1).resumed
    assert resumed == (3 if name == "out" else 0)
    if name == "out":
        assert texts == {(path.name, path.read_bytes()) for path in out.iterdir()}
    assert not journal.exists()


@pytest.mark.regression("a batch that went on replaced files that it had not written")
@pytest.mark.regression("a batch of envelopes that went on replaced files of others")
@pytest.mark.parametrize(("name", "to"), [("out", []), ("out.jsonl", []), ("out", [READER])])
def test_what_goes_on_replaces_no_file_of_others(name: str, to: list[str], tmp_path: Path) -> None:
    out, given = tmp_path / name, ["abc", "fed", "cde"]
    interrupted(given, out, stop=2, to=to)
    other = out if out.suffix else out / f"000003.veil.json{'.age' if to else ''}"
    other.parent.mkdir(exist_ok=True)
    other.write_text("precious")
    with pytest.raises(BadFile, match=rf"{other.name}: exists"):
        batch(NETWORK, given, out, workers=1, to=to)
    assert other.read_text() == "precious"
    other.unlink()
    report = batch(NETWORK, given, out, workers=1, to=to)
    assert (report.published, report.resumed) == (3, 0 if out.suffix else 2)


BESIDE = ("certificate.json", "errors.csv", "lines.csv")


@pytest.mark.regression("lists and a certificate that came while a batch ran were removed")
@pytest.mark.parametrize("given", [["abc", "fed"], ["ax", "abc", "fed"]])
def test_what_comes_meanwhile_is_kept(given: list[str], tmp_path: Path) -> None:
    """Whether it is there before the batch goes on, or comes while it writes."""
    beside = [tmp_path / f"out.{ending}" for ending in BESIDE]

    def plant(done: int, _: int) -> None:
        for path in beside if done else ():
            path.write_text("precious")

    for stop in (0, 1):
        if stop:
            interrupted(given, tmp_path / "out", stop=stop)
        with pytest.raises(BadFile, match=r"certificate\.json: exists, .* batch keeps its coins"):
            batch(NETWORK, given, tmp_path / "out", workers=1, progress=plant)
        with pytest.raises(BadFile, match="exists"):
            batch(NETWORK, given, tmp_path / "out", workers=1)
        for path in beside:
            assert path.read_text() == "precious"
            path.unlink()
    assert batch(NETWORK, given, tmp_path / "out", workers=1).published == 2


@pytest.mark.regression("a batch that replaced a longer one left the rest of that one there")
def test_no_file_of_another_batch_stays_among_those_that_replace_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch(NETWORK, ["abc", "ax", "fed", "cde"], out, workers=1)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(BadFile, match=r"000003.veil.json: exists"):
        batch(NETWORK, ["abc", "fed"], out, workers=1, force=True)
    assert {path: path.read_bytes() for path in before} == before
    assert not (tmp_path / "out.journal").exists()
    (out / "000003.veil.json").unlink()
    assert batch(NETWORK, ["abc", "fed"], out, workers=1, force=True).published == 2
    assert not any((tmp_path / f"out.{name}.csv").exists() for name in ("errors", "lines"))
    with pytest.raises(BadFile, match="would pass for a file of this batch"):  # a public one
        batch(
            NETWORK, ["abc", "fed"], out, workers=1, force=True, to=[READER]
        )  # beside public ones


def test_a_journal_under_another_name_is_refused(tmp_path: Path) -> None:
    journal = interrupted(["abc", "fed"], tmp_path / "other", stop=1)
    journal.rename(tmp_path / "out.journal")
    with pytest.raises(BadFile, match="belongs to a batch"):
        batch(NETWORK, ["abc", "fed"], tmp_path / "out", workers=1)


SCRIPT = """
import sys
from unittest.mock import patch
from pathveil import Network, Policy
from pathveil.batching import batch_run
from pathveil.batching.worker_pool import Crew
from pathveil.publishing.terms import ReleaseTerms

def wait_to_be_killed(done, total):
    if done >= 40:
        print("ready", flush=True)
        sys.stdin.read()

network = Network.parse(sys.argv[1])
terms = ReleaseTerms(Policy.remembering(prior=("1/2", "1/2")))
crew = Crew(workers=1, progress=wait_to_be_killed)
with patch.object(batch_run, "ask_gate_about"):
    batch_run.batch(network, ["abc", "fed"] * 50, sys.argv[2], terms, crew=crew)
"""


def test_killed_in_the_middle_it_goes_on_with_the_same_coins(tmp_path: Path) -> None:
    links = "ab af bc bd be bf cd ce cf de df ef"
    out = tmp_path / "out"
    kill_when_ready(SCRIPT, links, str(out))
    kept = {path.name: path.read_bytes() for path in out.glob("*.veil.json")}
    assert 39 <= len(kept) < 100
    assert batch(NETWORK, ["abc", "fed"] * 50, out, workers=1).published == 100
    assert all((out / name).read_bytes() == data for name, data in kept.items())


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


@pytest.mark.regression("parallel batches to one output all ended well, and files were replaced")
@pytest.mark.parametrize("name", ["out.jsonl", "out"])
def test_a_batch_that_comes_late_leaves_no_key_to_go_on_with(
    name: str, walks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / name

    def overtaken(path: Path, terms: str) -> BatchJournal:
        monkeypatch.undo()
        batch(WIDE, walks, out, workers=1)
        return BatchJournal(path, terms)

    monkeypatch.setattr(batch_run, "BatchJournal", overtaken)
    with pytest.raises(BadFile, match="holds releases"):
        batch(WIDE, walks, out, workers=1)
    assert not (tmp_path / f"{name}.journal").exists()


def test_a_batch_needs_a_policy() -> None:
    with pytest.raises(BadBudget, match="usage"):
        batch_policy(NETWORK, ["abc", "fed"])


@pytest.mark.regression("duplicate lines")
def test_a_walk_on_two_lines_is_noticed(tmp_path: Path) -> None:
    report = batch(NETWORK, ["abc", "fed", "cba", "abc"], tmp_path / "out.jsonl", workers=1)
    assert report.published == 4
    assert report.repeated == ((4, 1),)  # the same walk backwards is another one


def test_drawings_do_not_add_up_with_the_walks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    batch(NETWORK, ["abcd"] * 30, tmp_path / "out.jsonl", workers=1, chunk=5, progress=look)
    assert len(drawn) >= 30
    assert max(alive) <= 6


def test_one_walk_with_a_vertex_on_each_line_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "walk.txt").write_text("a\nb\nc\n")
    with pytest.raises(BadFile, match="holds one walk, with a vertex on each line"):
        batch(NETWORK, tmp_path / "walk.txt", tmp_path / "out", workers=1)


@pytest.mark.regression("a batch without a walk left an empty folder that stopped the next try")
def test_a_batch_without_a_walk_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadFile):
        batch(NETWORK, ["axb"], tmp_path / "out", workers=1)
    assert not list(tmp_path.iterdir())


def test_beside_envelopes_there_is_no_certificate(tmp_path: Path) -> None:
    """It would tell anybody what the readers got."""
    report = batch(NETWORK, ["abc", "fed"], tmp_path / "out", workers=1, to=[READER])
    assert (report.published, report.certificate) == (2, None)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.regression("notes in files of their own had to be written into one by hand")
def test_walks_apart_are_taken_from_a_folder_a_workbook_or_a_table(tmp_path: Path) -> None:
    from openpyxl import Workbook

    network = Network.parse("ab bc cd da ac")
    folder, book = tmp_path / "notes", Workbook()
    folder.mkdir()
    book.remove(book.active)
    table = "day,step,stop\n"
    for day, walk in (("mon", "abc"), ("tue", "bcd")):
        (folder / f"{day}.txt").write_text("stop\n" + "\n".join(walk))
        sheet = book.create_sheet(day)
        for row in (("step", "stop"), *enumerate(walk)):
            sheet.append(row)
        table += "".join(f"{day},{step},{stop}\n" for step, stop in enumerate(walk))
    (folder / ".hidden").write_text("no walk")
    book.save(tmp_path / "month.xlsx")
    (tmp_path / "month.csv").write_text(table)
    wanted = {1: Walk("abc"), 2: Walk("bcd")}
    for given in (folder, tmp_path / "month.xlsx", tmp_path / "month.csv"):
        parsed = walks_on(given, network)
        assert parsed == wanted, given
        assert [name.split(".")[0].split()[-1] for name in parsed.names.values()] == ["mon", "tue"]
    (folder / "mon.txt").write_text("stop\na\nB\nc\n")  # read as b, which is no fault
    assert walks_on(folder, network) == wanted
    (folder / "sat.txt").write_text("a\nnowhere\n")
    wrong = walks_on(folder, network)[2]
    assert isinstance(wrong, Failure)
    assert "sat.txt, line 2: visit 2 of the walk is 'nowhere'" in wrong.message
    (folder / "sat.txt").write_text("Hauptbahnhof\na\nb\n")  # a vertex that is missing, no header
    assert isinstance(walks_on(folder, network)[2], Failure)
