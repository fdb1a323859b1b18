"""PNG and PDF show what the SVG shows."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

import pathveil as pv
from pathveil.drawing.pictures import draw
from pathveil.drawing.printing import print_sheet
from pathveil.drawing.sheet import circle, sheet, square, words
from pathveil.errors import MissingExtra
from tests.drawing.samples import figure3, scattered


def _sheet(*body: str) -> str:
    return sheet(list(body), width=40, height=20, title="t", about="a", theme="auto")


def _colour(png: bytes, x: float, y: float) -> str:
    dots = imread(io.BytesIO(png), format="png")
    red, green, blue = (round(255 * float(part)) for part in dots[int(2 * y), int(2 * x)][:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def test_marks_have_their_places_and_colours() -> None:
    svg = _sheet(square("lit")(10, 10), circle("tip", radius=6)(30, 10))
    png = print_sheet(svg, "png")
    assert _colour(png, 10, 10) == "#2563eb"
    assert _colour(png, 30, 10) == "#c2410c"
    assert _colour(png, 20, 10) == "#ffffff"
    assert _colour(png, 25, 5) == "#ffffff"  # the corner of the circle's box
    dark = print_sheet(svg, "png", theme="dark")
    assert _colour(dark, 20, 10) == "#0f141b"
    assert _colour(dark, 10, 10) == "#6ea8fe"


def test_curves_and_lines_go_where_the_path_says() -> None:
    path = '<path class="walk" stroke-width="4" d="M2 10h10v5M20 5Q30 5 30 15C30 18 38 18 38 15"/>'
    png = print_sheet(_sheet(path), "png")
    for x, y in ((7, 10), (12, 13), (27.5, 7.5), (34, 17.2)):
        assert _colour(png, x, y) == "#c2410c"
    assert _colour(png, 16, 10) == "#ffffff"


def test_words_are_written_whatever_they_hold() -> None:
    for name in ("$\\frac$", "東京", "b₀″", "<&>"):
        png = print_sheet(_sheet(words(2, 14, name)), "png")
        assert np.ptp(imread(io.BytesIO(png), format="png")[:, :, 0]) > 0.5


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_the_same_picture_is_the_same_bytes(kind: str) -> None:
    made = draw(figure3(), kind=kind)
    assert isinstance(made, bytes)
    assert made == draw(figure3(), kind=kind)
    assert made[:4] == {"png": b"\x89PNG", "pdf": b"%PDF"}[kind]
    assert b"CreationDate" not in made


def test_an_image_of_dots_is_printed() -> None:
    from pathveil.drawing.matrix import matrix_svg

    apart = scattered(410, 1, 1, 0.0)  # nothing in the same branch: all dots full
    png = print_sheet(matrix_svg(apart), "png")
    dots = imread(io.BytesIO(png), format="png")
    blue = (np.abs(dots[:, :, :3] - np.array([37, 99, 235]) / 255) < 0.02).all(axis=2)
    assert blue.mean() > 0.4


def test_without_matplotlib_the_line_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pathveil\[plot\]'"):
        draw(figure3(), kind="png")


def test_a_network_has_three_kinds_and_its_walk_stays_private(tmp_path: Path) -> None:
    network = pv.Network.parse("ab bc")
    path = tmp_path / "net.pdf"
    draw(network, path, walk=pv.Walk("abc"))
    assert path.read_bytes()[:4] == b"%PDF"
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(ValueError, match="'dot', expected svg, png, pdf"):
        draw(network, kind="dot")
