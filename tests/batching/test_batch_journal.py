"""The journal of a batch tells nothing and forgets nothing: its rows are the lines, each once."""

from __future__ import annotations

import json
import os
import stat
import zlib
from hashlib import blake2b, md5, sha1, sha256
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from pathveil.batching.batch_journal import BatchJournal, key_beside
from pathveil.errors import BadFile, BadKey
from pathveil.files.journal import Journal
from pathveil.files.publications.any_publication import read_publication
from pathveil.files.publications.veil_json import parse_publication
from pathveil.ledger.keys import create_key
from pathveil.model.network import Network
from pathveil.model.series import order_series
from pathveil.policies import Policy
from pathveil.reading.assemble import reconstruct
from tests.batches import FILE, NETWORK, batch, interrupted, write_walks


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    return write_walks(tmp_path / "walks.txt")


@pytest.mark.regression("a walk found from a journal after 151 guesses")
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


@pytest.mark.parametrize("layering", ["exact", "backtracking"])
def test_a_batch_that_goes_on_has_the_salts_it_drew(layering: str, tmp_path: Path) -> None:
    """With a seed, so that the batch that was not interrupted has the same ones."""
    walks = ["abc", "bd", "fa"]
    given: dict[str, Any] = {"seed": 5, "layering": layering}
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    batch(NETWORK, walks, whole, workers=1, **given)
    interrupted(walks, out, stop=2, chunk=1, **given)
    assert batch(NETWORK, walks, out, workers=1, **given).resumed == 2
    assert out.read_text() == whole.read_text()
    rows = [json.loads(line)["publication"] for line in out.read_text().splitlines()]
    salts = {row["salt"] for row in rows}
    assert len(salts) == 3
    assert all(len(salt) == 32 for salt in salts)


RING = Network.from_links([(f"v{i:03d}", f"v{(i + 1) % 200:03d}") for i in range(200)])
"""Large enough that its bits are more than a message."""

RARE = Policy.remembering(usage="0.001")


@pytest.mark.parametrize(
    ("network", "lines", "given"),
    [
        # With hardly any chaff a length told how long the walk is.
        (RING, ["v000,v001", ",".join(RING.vertices), "v007,nowhere"], {"policy": RARE}),
        (NETWORK, ["a,b", "a,b,c,d,e,f", "b," + "x" * 5000], {}),
        (NETWORK, ["a,b", "a,b,c,d,e,f", "a,c"], {"policy": Policy.balanced()}),
        (NETWORK, ["a,b", "a,b,c,d,e,f", "a,c"], {"policy": Policy.paper(vertex=1, link=1)}),
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
    given = {"policy": Policy.paper(vertex=1, link=1), "independent": True, "seed": 1}
    interrupted(["ab"] * 8, out, network=pair, stop=12, **given)
    report = batch(pair, ["ab"] * 8, out, workers=1, **given)
    assert (report.resumed, report.published) == (8, 8)
    numbers = [json.loads(row)["publication"]["vertices"] for row in out.read_text().splitlines()]
    assert any(len({copies for _, copies in row}) == 1 for row in numbers)


@pytest.mark.regression("a journal and its key are its owner's alone")
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
