"""Figures are drawn from the tables alone: every point is there, and drawn again the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pathveil.lab.reproduction.evaluation import read_results
from pathveil.lab.reproduction.figures import FIGURES, Figure
from pathveil.lab.reproduction.plots import draw_figure

RESULTS = Path(__file__).parents[3] / "studies" / "results"
TABLES = read_results(RESULTS)
DRAWN = [figure for figure in FIGURES if figure.drawn]


def svg(figure: Figure, folder: Path) -> str:
    return draw_figure(figure, TABLES[figure.name], folder).read_text("utf-8")


@pytest.mark.parametrize("name", ["quality", "budgets", "cyclic"])
def test_every_point_of_the_committed_table_is_in_the_committed_figure(
    name: str, tmp_path: Path
) -> None:
    """If this fails: python studies/redraw.py. Points of each curve, not where fonts put them."""
    (figure,) = [figure for figure in DRAWN if figure.name == name]
    committed = RESULTS / "figures" / f"figure{figure.number:02d}-{figure.name}.svg"
    curves = [
        [path.count("L") for path in re.findall(r'<path d="(M [^"]+)" clip-path', text)]
        for text in (svg(figure, tmp_path), committed.read_text("utf-8"))
    ]
    assert curves[0] == curves[1]
    assert len(curves[0]) > 6


def test_no_date_and_no_machine_in_a_picture(tmp_path: Path) -> None:
    text = svg(DRAWN[-1], tmp_path)
    assert "<dc:date>" not in text
    assert str(tmp_path) not in text
