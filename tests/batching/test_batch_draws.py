"""Coins are thrown once: what was drawn before is recalled, and only for the same batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pathveil.batching import batch_run as batch_draws
from pathveil.batching.batch_journal import BatchJournal, DrawnLine
from pathveil.batching.batch_run import BatchDraws, BatchTerms, lines_of, walk_on
from pathveil.chance.history import History
from pathveil.errors import BadFile
from pathveil.planning.gate_report import Effort
from pathveil.policies import Policy
from pathveil.publishing.terms import ReleaseTerms
from tests.batches import NETWORK, WANTED, batch, read, write_walks


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    return write_walks(tmp_path / "walks.txt")


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
    with pytest.raises(BadFile, match="another network, policy, grouping, direction or"):
        batch(NETWORK, walks, out, workers=1, policy=Policy.balanced(), independent=True)
    asked: list[int] = []
    draw = batch_draws._drawn

    def watched(line: int, *rest: Any) -> DrawnLine:
        asked.append(line)
        return draw(line, *rest)

    monkeypatch.setattr(batch_draws, "_drawn", watched)
    said: list[str] = []
    report = batch(NETWORK, walks, out, workers=1, tell=said.append)
    assert report.resumed == 3
    assert asked == [6, 7, 8]
    assert len(said) == 1
    assert "is damaged behind row 3" in said[0]
    assert read(out) == WANTED


@pytest.mark.parametrize("chunk", [1, 2, 50])
def test_nobody_sees_a_draw_before_it_is_recorded(tmp_path: Path, chunk: int) -> None:
    lines = list(lines_of(["abc", "ac", "fed", "cde", "def"]))
    parsed = {line: walk_on(line, text, NETWORK) for line, text in lines}
    terms = BatchTerms(NETWORK, ReleaseTerms(policy=Policy.remembering()), seed=None)
    draws = BatchDraws(terms, parsed, History.of(()))
    assert draws.examine(limits=None, effort=None) is None, "nothing is out"
    path = tmp_path / "x.journal"
    with BatchJournal(
        path, "facts", lines, names=NETWORK.vertices, template=terms.template()
    ) as record:
        for seen, one in enumerate(draws.draw(record, chunk), start=1):
            assert one.line == seen
            assert len(path.read_bytes().splitlines()) > seen, "under a title"
            assert len(draws.lines) == seen
    assert draws.released == [1, 3, 4, 5]
    assert [failure.line for failure in draws.failures] == [2]
    report = draws.examine(limits=None, effort=Effort(restarts=0))
    assert report is not None
    assert report.walks == 4
