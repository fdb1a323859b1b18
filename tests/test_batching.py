"""Many walks, some bad, some interrupted: each good one is released once, each bad one named."""

from __future__ import annotations

import csv
import json
import os
import signal
import stat
import subprocess
import sys
import weakref
import zlib
from hashlib import blake2b, md5, sha1, sha256
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from pathveil import batch_output, batching
from pathveil.batch_journal import BatchJournal, DrawnLine, key_beside
from pathveil.batch_lines import read_walks
from pathveil.batching import BatchReport
from pathveil.chance.policy import Policy
from pathveil.errors import BadFile, BadKey, MissingExtra
from pathveil.formats.publications import read_publication
from pathveil.formats.veil import parse_publication
from pathveil.gate_report import Effort
from pathveil.journal import Journal
from pathveil.ledger.keys import create_key
from pathveil.model.layered import LayeredGraph
from pathveil.model.network import Network
from pathveil.model.series import order_series
from pathveil.model.walk import Walk
from pathveil.recovery.assembly import reconstruct
from tests.formats.test_part_files import left_by_the_dead

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WIDE = Network.from_edges([*NETWORK.edges, *(("a", f"x{i}") for i in range(12))])
"""The same with so many pairs that two releases never agree."""
FILE = """# walks of the day
a,b,c,d

["f", "e", "d"]
a,c
b,x
e
c,d,e,f,a
"""


def batch(*args: Any, **given: Any) -> BatchReport:
    """A batch whose walks anybody may read: the network is tiny. The gate has its own tests."""
    given = {"accept_outsider": True, "effort": Effort(restarts=0), **given}
    return batching.batch(*args, **given)


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    path = tmp_path / "walks.txt"
    path.write_text(FILE)
    return path


def read(path: Path) -> dict[int, tuple[str, ...]]:
    found = {}
    for line in path.read_text().splitlines():
        row = json.loads(line)
        publication = parse_publication(json.dumps(row["publication"]))
        assert publication.certificate.rows
        assert not publication.unsafe
        found[row["number"]] = reconstruct(publication, NETWORK).walk.vertices
    return found


WANTED = {1: tuple("abcd"), 2: tuple("fed"), 3: tuple("cdefa")}


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


def test_tables_and_folders(walks: Path, tmp_path: Path) -> None:
    batch(NETWORK, walks, tmp_path / "out.csv", workers=1)
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["number"]) for row in rows] == list(WANTED)
    assert rows[0]["walk_edge_loss"].startswith("ln 2")
    parse_publication(rows[0]["publication"])
    batch(NETWORK, walks, tmp_path / "out", workers=1)
    found = read_publication(tmp_path / "out" / "000002.veil.json")
    assert reconstruct(found, NETWORK).walk.vertices == tuple("fed")
    parquet = pytest.importorskip("pyarrow.parquet")
    batch(NETWORK, walks, tmp_path / "out.parquet", workers=1)
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == 3


def test_walks_may_be_given_as_they_are(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    report = batch(NETWORK, [Walk("abc"), "fed"], out, workers=1)
    assert read(out) == {1: tuple("abc"), 2: tuple("fed")}
    assert report.failures == ()
    assert not Path(f"{out}.errors.csv").exists()


def test_with_a_seed_it_is_reproducible_however_it_is_cut(tmp_path: Path) -> None:
    texts = set()
    for chunk in (1, 2, 50):
        out = tmp_path / f"{chunk}.jsonl"
        batch(NETWORK, ["abc", "fed", "cde"], out, workers=1, seed=7, chunk=chunk)
        texts.add(out.read_text())
    assert len(texts) == 1
    assert '"unsafe": true' in texts.pop()


def test_what_was_released_is_not_released_again(
    walks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, stop = tmp_path / "out.jsonl", 3

    def interrupted(done: int, total: int) -> None:
        if done >= stop:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch(NETWORK, walks, out, workers=1, chunk=1, progress=interrupted)
    journal = tmp_path / "out.jsonl.journal"
    kept = journal.read_bytes()
    journal.write_bytes(kept + b"12345678 {half a li")
    assert not out.exists()
    with pytest.raises(BadFile, match="another network, policy, grouping, universe or"):
        batch(NETWORK, walks, out, workers=1, policy=Policy.balanced(), independent=True)
    asked: list[int] = []
    draw = batching._drawn

    def watched(line: int, *rest: Any) -> DrawnLine:
        asked.append(line)
        return draw(line, *rest)

    monkeypatch.setattr(batching, "_drawn", watched)
    said: list[str] = []
    report = batch(NETWORK, walks, out, workers=1, tell=said.append)
    assert report.resumed == 3
    assert asked == [6, 7, 8]
    assert len(said) == 1
    assert "is damaged behind row 3" in said[0]
    assert read(out) == WANTED


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
from pathveil.batching import batch
from pathveil.gate_report import Effort

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
    edges = "ab af bc bd be bf cd ce cf de df ef"
    out, whole = tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    worker = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, edges, str(out)],
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


# -- files around a release -----------------------------------------------------------------------


def interrupted(
    walks: object, out: Path, *, network: Network = NETWORK, stop: int = 10, **given: Any
) -> Path:
    """Return the journal of a batch that was stopped after some draws."""

    def at(done: int, total: int) -> None:
        if done >= min(stop, total):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch(network, walks, out, workers=1, progress=at, **given)
    return out.with_name(f"{out.name}.journal")


def test_a_journal_holds_nothing_that_can_be_guessed(walks: Path, tmp_path: Path) -> None:
    """A walk was found after 151 guesses, from the plain digest of its line."""
    journal = interrupted(walks, tmp_path / "out.jsonl")
    held = journal.read_bytes()
    guesses = [",".join(way) for n in (2, 3, 4) for way in permutations("abcdef", n)]
    for text in [*FILE.splitlines(), *guesses]:
        for digest in (sha256, sha1, md5, blake2b):
            found = digest(text.encode(), usedforsecurity=False)
            assert found.hexdigest()[:12].encode() not in held
            assert found.digest()[:8] not in held
    assert b"'x'" not in held  # why a line failed names a vertex
    assert b"bits" not in held  # what a gate refused is not there for who finds the journal
    title, *rows = held.splitlines()
    assert len(rows) == 6
    again = interrupted(walks, tmp_path / "other.jsonl")
    assert title not in again.read_bytes()  # nor does the title tell which network it is


def test_a_batch_clears_what_a_killed_one_left_half_written(tmp_path: Path) -> None:
    for name in ("out.jsonl", "out"):
        dead = [left_by_the_dead(tmp_path / name), left_by_the_dead(tmp_path / f"{name}.lines.csv")]
        batch(NETWORK, ["abc"], tmp_path / name, workers=1, force=True)
        assert not any(part.exists() for part in dead)


RING = Network.from_edges([(f"v{i:03d}", f"v{(i + 1) % 200:03d}") for i in range(200)])
"""Large enough that its bits are more than a message."""

RARE = Policy.remembering(usage="0.001")


@pytest.mark.parametrize(
    ("network", "lines", "given"),
    [
        # With hardly any chaff a length told how long the walk is.
        (RING, ["v000,v001", ",".join(RING.vertices), "v007,nowhere"], {"policy": RARE}),
        (NETWORK, ["a,b", "a,b,c,d,e,f", "b," + "x" * 5000], {}),
        (NETWORK, ["a,b", "a,b,c,d,e,f", "a,c"], {"policy": Policy.balanced()}),
        (NETWORK, ["a,b", "a,b,c,d,e,f", "a,c"], {"policy": Policy.paper(vertex=1, edge=1)}),
        (NETWORK, ["a,b", "f,e,d,c", "a,c"], {"layering": "backtracking"}),
    ],
)
def test_rows_of_a_journal_are_as_long_whatever_was_drawn(
    network: Network, lines: list[str], given: dict[str, Any], tmp_path: Path
) -> None:
    """A failed line, and under low rates a long walk, was told by the length of its row."""
    walks, out = tmp_path / "walks.txt", tmp_path / "out.jsonl"
    walks.write_text("\n".join(lines))
    given = {"independent": "policy" in given, **given}
    journal = interrupted(walks, out, network=network, stop=len(lines), **given)
    _, *rows = journal.read_bytes().splitlines()
    assert len(rows) == len(lines)
    assert len({len(row) for row in rows}) == 1
    report = batch(network, walks, out, workers=1, **given)
    assert report.resumed == len(lines)
    assert [failure.line for failure in report.failures] == [3], "with its message, or most of it"
    assert report.failures[0].message.startswith("line 3: ")
    read_back = [
        reconstruct(parse_publication(json.dumps(json.loads(row)["publication"])), network).walk
        for row in out.read_text().splitlines()
    ]
    for walk, line in zip(read_back, lines, strict=False):
        assert line.split(",") in (list(walk.vertices), list(walk.reversed().vertices))


def test_the_papers_copies_are_recalled_even_if_all_vertices_drew_the_same(
    tmp_path: Path,
) -> None:
    """Such a row kept bits alone, where nothing said how many copies they were of."""
    pair, out = Network.parse("ab"), tmp_path / "out.jsonl"
    given = {"policy": Policy.paper(vertex=1, edge=1), "independent": True, "seed": 1}
    interrupted(["ab"] * 8, out, network=pair, stop=12, **given)
    report = batch(pair, ["ab"] * 8, out, workers=1, **given)
    assert (report.resumed, report.published) == (8, 8)
    numbers = [json.loads(row)["publication"]["vertices"] for row in out.read_text().splitlines()]
    assert any(len({copies for _, copies in row}) == 1 for row in numbers)


def test_a_journal_opens_with_its_key_alone(walks: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    journal = interrupted(walks, out)
    key = key_beside(journal)
    assert stat.S_IMODE(key.stat().st_mode) == stat.S_IMODE(journal.stat().st_mode) == 0o600
    kept = key.read_bytes()
    key.unlink()
    with pytest.raises(BadKey, match="the key of a batch's journal cannot be read"):
        batch(NETWORK, walks, out, workers=1)
    key.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadKey, match="symbolic link"):
        batch(NETWORK, walks, out, workers=1)
    key.unlink()
    create_key(key)
    with pytest.raises(BadFile, match="another network"):
        batch(NETWORK, walks, out, workers=1)
    key.write_bytes(kept)
    assert batch(NETWORK, walks, out, workers=1).resumed == 6
    assert {path.name for path in tmp_path.glob("out*.journal*")} == set()


def test_a_changed_row_does_not_open(walks: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    journal = interrupted(walks, out)
    title, first, *rest = journal.read_bytes().splitlines(keepends=True)
    payload = first.split(b" ", 1)[1].rstrip()
    changed = payload[:30] + (b"B" if payload[30:31] != b"B" else b"C") + payload[31:]
    check = f"{zlib.crc32(changed):08x} ".encode()
    journal.write_bytes(b"".join([title, check + changed + b"\n", *rest]))
    with pytest.raises(BadFile, match="row 1 does not open as that row"):
        batch(NETWORK, walks, out, workers=1)


@pytest.mark.parametrize("name", ["taken out", "first taken out", "doubled", "swapped", "torn too"])
def test_rows_are_those_of_the_first_lines_each_once(name: str, tmp_path: Path) -> None:
    """With a row taken out, release 3 followed a release that was not there."""
    out, given = tmp_path / "out.jsonl", ["abc", "fed", "cde", "def"]
    journal = interrupted(given, out)
    title, *rows = journal.read_bytes().splitlines(keepends=True)
    changed = {
        "taken out": [rows[0], *rows[2:]],
        "first taken out": rows[1:],
        "doubled": [rows[0], rows[0], *rows[1:]],
        "swapped": [rows[1], rows[0], *rows[2:]],
        "torn too": [rows[0], *rows[2:], b"12345678 half a li"],
    }[name]
    journal.write_bytes(b"".join([title, *changed]))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(BadFile, match=r"does not open as that row.*removed, doubled or moved"):
        batch(NETWORK, given, out, workers=1, force=True)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    journal.write_bytes(b"".join([title, *rows]))
    assert batch(NETWORK, given, out, workers=1).resumed == 4


def test_rows_written_in_two_runs_are_counted_on(tmp_path: Path) -> None:
    out, given = tmp_path / "out", ["abc", "fed", "cde", "def"]
    for stop in (1, 2, 3):
        journal = interrupted(given, out, stop=stop, chunk=1)
        assert len(journal.read_bytes().splitlines()) == 1 + stop
    assert batch(NETWORK, given, out, workers=1).resumed == 3
    released = [read_publication(path) for path in sorted(out.iterdir())]
    assert len(order_series(released)) == 4


def test_a_line_put_between_those_drawn_is_refused(tmp_path: Path) -> None:
    """Line 3 would have followed line 2, as line 4 does already."""
    walks, out = tmp_path / "walks.txt", tmp_path / "out.jsonl"
    walks.write_text("a,b,c\n\nf,e,d\n")
    interrupted(walks, out)
    walks.write_text("a,b,c\nc,d,e\nf,e,d\n")
    with pytest.raises(BadFile, match="line 2 of the walks is not the one drawn before"):
        batch(NETWORK, walks, out, workers=1)
    walks.write_text("a,b,c\n")
    with pytest.raises(BadFile, match="line 3 of the walks is not the one drawn before"):
        batch(NETWORK, walks, out, workers=1)
    walks.write_text("a,b,c\n\nf,e,d\nc,d,e\n")
    assert (report := batch(NETWORK, walks, out, workers=1)).resumed == 2
    assert report.published == 3


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


def test_a_pipe_is_neither_a_journal_nor_its_key(tmp_path: Path) -> None:
    """To open one waited for ever."""
    out, journal = tmp_path / "out.jsonl", tmp_path / "out.jsonl.journal"
    os.mkfifo(key_beside(journal))
    with pytest.raises(
        BadKey, match=r"the key of a batch's journal is no plain file, .*; restore it"
    ):
        batch(NETWORK, ["abc"], out, workers=1)
    key_beside(journal).unlink()
    create_key(key_beside(journal))
    os.mkfifo(journal)
    with pytest.raises(BadFile, match="is no plain file, and a journal is a plain file"):
        batch(NETWORK, ["abc"], out, workers=1)


def test_a_journal_that_is_gone_at_the_end_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All was published, yet it was an error, and the key stayed."""
    out, journal = tmp_path / "out.jsonl", tmp_path / "out.jsonl.journal"
    remove, held = BatchJournal.remove, []

    def at_the_end(self: BatchJournal) -> None:
        with pytest.raises(BadFile, match="another process"):
            Journal(journal, "", mismatch="").__enter__()
        held.append(True)
        journal.unlink()
        remove(self)

    monkeypatch.setattr(BatchJournal, "remove", at_the_end)
    assert batch(NETWORK, ["abc"], out, workers=1).published == 1
    assert held == [True]
    assert not key_beside(journal).exists()


def test_another_universe_is_another_batch(walks: Path, tmp_path: Path) -> None:
    out, pairs = tmp_path / "out.jsonl", [*NETWORK.edges, ("a", "c")]
    interrupted(walks, out, universe=pairs)
    with pytest.raises(BadFile, match="universe"):
        batch(NETWORK, walks, out, workers=1, universe=[*pairs, ("a", "d")])
    assert batch(NETWORK, walks, out, workers=1, universe=pairs).resumed == 6


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out"])
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


def test_a_walk_on_two_lines_is_noticed(tmp_path: Path) -> None:
    report = batch(NETWORK, ["abc", "fed", "cba", "abc"], tmp_path / "out.jsonl", workers=1)
    assert report.published == 4
    assert report.repeated == ((4, 1),)  # the same walk backwards is another one


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


def test_lists_for_the_custodian_follow_no_planted_link(walks: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("errors", "lines"):
        (tmp_path / f"out.{name}.csv").symlink_to(victim)
    batch(NETWORK, walks, tmp_path / "out", workers=1)
    assert victim.read_text() == "precious"
    for name in ("errors", "lines"):
        found = tmp_path / f"out.{name}.csv"
        assert not found.is_symlink()
        assert stat.S_IMODE(found.stat().st_mode) == 0o600


def test_bad_files_and_forms_are_refused_before_anything_is_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadFile, match=r"\.xlsx is no form"):
        batch(NETWORK, ["abc"], tmp_path / "out.xlsx")
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n")
    with pytest.raises(BadFile, match="holds no walk"):
        read_walks(empty)
    monkeypatch.setattr(batch_output, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pathveil\[parquet\]"):
        batch(NETWORK, ["abc"], tmp_path / "out.parquet")
    assert list(tmp_path.glob("out*")) == []


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
