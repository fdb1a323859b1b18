from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pathveil.batching.worker_pool import Crew
from pathveil.errors import FileTaken
from pathveil.lab.comparison.comparison_run import Board, compare, write_comparison
from pathveil.lab.comparison.comparison_tables import read_csv
from pathveil.lab.comparison.ours import ROWS, own_systems
from pathveil.lab.maps import random_map

BOARD = Board.random(lessons=5)


@pytest.mark.regression("results that came while a comparison ran were replaced without --force")
def test_a_small_comparison_is_written_whole(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    comparison = compare(
        BOARD,
        budgets=(1, 20, 1.0),
        trials=21,
        systems=("SDD", "PriSTE presence, alpha 5"),
        journal=tmp_path / "out" / "comparison.journal",
        crew=Crew(1, progress=lambda *at: seen.append(at)),
    )
    assert seen == [(0, 2), (1, 2), (2, 2)]
    assert {r["budget"] for r in comparison.records} == {1.0, 20.0}, "given twice, counted once"
    assert any("too few" in said for said in comparison.sentences)
    files = write_comparison(comparison, tmp_path / "out", replacing=False)
    table, glance, page = files
    systems = {"SDD", "PriSTE presence, alpha 5", *ROWS}
    assert {r["system"] for r in read_csv(table)} == systems
    assert "<svg" in glance.read_text("utf-8")
    text = page.read_text(encoding="utf-8")
    assert "| SDD | one location |" in text
    assert "alpha used on average" in text
    assert write_comparison(comparison, tmp_path / "out", replacing=False) == files, "its own"
    for path in files:
        kept = path.read_bytes()
        path.write_text("precious")
        with pytest.raises(FileTaken, match=f"{path.name}: exists"):
            write_comparison(comparison, tmp_path / "out", replacing=False)
        assert path.read_text() == "precious"
        path.write_bytes(kept)


def test_a_real_map_is_played_with_its_reach() -> None:
    network, _ = random_map(30, 45, np.random.default_rng(0))
    board = Board.real(network, "town", visits=6, reach=1e6, lessons=5)
    comparison = compare(board, budgets=(1,), trials=3, systems=("SDD",))
    assert {(r["map"], r["length_unit"]) for r in comparison.records} == {("town, paths of 6", "m")}


def test_everything_that_decides_a_row_decides_the_digest() -> None:
    network, _ = random_map(12, 20, np.random.default_rng(0))
    one = own_systems([1.0])
    digests = [
        BOARD.digest(one, 40),
        BOARD.digest(one, 60),
        BOARD.digest(own_systems([2.0]), 40),
        Board.random(12, lessons=5).digest(one, 40),
        Board.random(lessons=6).digest(one, 40),
        Board.real(network, "town").digest(one, 40),
        Board.real(network, "town", reach=3.0).digest(one, 40),
        Board.real(network.without(network.links[-1]), "town").digest(one, 40),
    ]
    assert len(set(digests)) == len(digests)
    assert digests[0] == Board.random(lessons=5).digest(own_systems([1.0]), 40)
