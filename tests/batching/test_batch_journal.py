"""The journal of a batch is a key: the same input gives the same coins, any change others."""

from __future__ import annotations

import json
import os
import stat
from contextlib import closing
from pathlib import Path

import pytest

from pathveil.batching.batch_journal import BatchJournal
from pathveil.errors import BadFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out.journal"


def test_the_same_parts_give_the_same_coins_and_others_give_others(path: Path) -> None:
    first = BatchJournal(path, "terms")
    first.close()
    again = BatchJournal(path, "terms")
    again.close()
    assert (first.resumed, again.resumed) == (False, True)
    taken = [
        journal.source(*parts).take(32)
        for journal in (first, again)
        for parts in ((b"ab", b"c"), (b"a", b"bc"), (b"abc",))
    ]
    assert taken[:3] == taken[3:]
    assert len(set(taken)) == 3  # where one part ends and the next begins counts
    assert not first.source(b"x").unsafe


def test_two_journals_have_two_keys(tmp_path: Path) -> None:
    one, two = (BatchJournal(tmp_path / name, "terms") for name in ("1", "2"))
    one.close()
    two.close()
    assert one.source(b"x").take(32) != two.source(b"x").take(32)


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_it_is_its_owners_alone_and_goes_when_the_batch_is_done(path: Path) -> None:
    journal = BatchJournal(path, "terms")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "terms" not in json.loads(path.read_text())["terms"]
    journal.remove()
    assert not path.exists()


def test_another_batch_is_refused(path: Path) -> None:
    BatchJournal(path, "terms").close()
    with pytest.raises(BadFile):
        BatchJournal(path, "other terms")


def test_cut_or_changed_anywhere_it_is_refused_and_kept(path: Path) -> None:
    """Cut back, cut in its tail, changed in the middle: it led to new coins for the same walks."""
    BatchJournal(path, "terms").close()
    whole = path.read_bytes()
    facts = json.loads(whole)
    changed = [whole[:end] for end in range(0, len(whole) - 1, 7)]
    changed += [whole.replace(b"6", b"7"), b"[]", b"\xff", b"{}"]
    for name in ("key", "terms"):
        digit = "0" if facts[name][10] != "0" else "1"
        changed.append(
            json.dumps({**facts, name: facts[name][:10] + digit + facts[name][11:]}).encode()
        )
    for data in changed:
        path.write_bytes(data)
        with pytest.raises(BadFile):
            BatchJournal(path, "terms")
        assert path.read_bytes() == data
    path.write_bytes(whole)
    with closing(BatchJournal(path, "terms")) as journal:
        assert journal.resumed


@pytest.mark.regression("a journal with another sign in it was a fault of the program")
@pytest.mark.parametrize("name", ["journal", "key", "terms"])
def test_whatever_its_facts_are_it_is_refused(path: Path, name: str) -> None:
    BatchJournal(path, "terms").close()
    facts = json.loads(path.read_bytes())
    wrong: tuple[object, ...] = ("é", "zz", "", 7, None, [], {})
    for value in wrong:
        path.write_text(json.dumps({**facts, name: value}))
        with pytest.raises(BadFile):
            BatchJournal(path, "terms")
    path.write_text("[" * 1000)
    with pytest.raises(BadFile):
        BatchJournal(path, "terms")


@pytest.mark.regression("parallel batches to one output all ended well, and files were replaced")
def test_one_process_at_a_time_holds_it(path: Path) -> None:
    first = BatchJournal(path, "terms")
    with pytest.raises(BadFile, match="another process"):
        BatchJournal(path, "terms")
    first.remove()
    with closing(BatchJournal(path, "terms")) as journal:
        assert not journal.resumed
