from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from pathveil.errors import BadFile, MissingExtra
from pathveil.lab.comparison.comparison_tables import comparison_table
from pathveil.lab.comparison.games import Settings, run_trials
from pathveil.lab.comparison.ours import ROWS
from pathveil.lab.comparison.picture import GLANCE, _styles, draw_all, draw_glance
from pathveil.lab.comparison.systems import SYSTEMS, prior_systems


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


def test_no_two_systems_look_alike() -> None:
    names = [*SYSTEMS, *ROWS]
    assert set(GLANCE) <= set(names)
    assert len(GLANCE) == 5
    styles = _styles(names)
    assert len({repr(sorted(style.items(), key=str)) for style in styles.values()}) == len(names)


def test_the_pip_line_is_given(
    table: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match="pip install"):
        draw_all(table, tmp_path / "x.svg")
