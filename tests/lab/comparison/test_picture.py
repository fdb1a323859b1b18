from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pathveil.errors import BadFile
from pathveil.lab.comparison.comparison_tables import comparison_table
from pathveil.lab.comparison.games import Settings, run_trials
from pathveil.lab.comparison.picture import draw_all, draw_glance
from pathveil.lab.comparison.systems import prior_systems


@pytest.fixture(scope="module")
def table() -> list[dict[str, Any]]:
    rows = run_trials(
        prior_systems([1.0, 20.0], ["SDD, noisy ends", "PIM", "DPT"]), range(5), Settings()
    )
    return [*comparison_table(rows, map_="one"), *comparison_table(rows, map_="two")]


def test_the_picture_is_drawn_and_is_the_same_every_time(
    table: list[dict[str, Any]], tmp_path: Path
) -> None:
    for draw in (draw_all, draw_glance):
        for name in ("x.svg", "y.svg"):
            draw(table, tmp_path / name)
        first, second = ((tmp_path / name).read_bytes() for name in ("x.svg", "y.svg"))
        assert first == second
        assert len(first) > 10_000
    with pytest.raises(BadFile, match="no rows"):
        draw_all([], tmp_path / "z.svg")
