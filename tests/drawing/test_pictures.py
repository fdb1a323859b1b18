"""A PNG shows what the SVG shows; maps keep their shape; names are where there is room for them."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Hashable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from matplotlib.image import imread

import pathveil as pv
from pathveil.drawing.network_picture import network_svg, placed
from pathveil.drawing.pictures import draw, png_of, publication_dot, publication_tikz
from pathveil.drawing.publication_picture import publication_svg
from pathveil.drawing.sheet import circle, sheet, square, words
from pathveil.errors import BadArgument, MissingExtra
from tests.drawing.samples import NASTY, figure3, scattered, with_copies_and_pieces


def dots_of(png: bytes) -> npt.NDArray[np.int64]:
    return np.round(255 * imread(io.BytesIO(png), format="png")[:, :, :3]).astype(np.int64)


def colour(png: bytes, x: float, y: float) -> str:
    return "#{:02x}{:02x}{:02x}".format(*dots_of(png)[int(2 * y), int(2 * x)].tolist())


def small_sheet(*body: str) -> bytes:
    return png_of(sheet(list(body), width=40, height=20, title="t", about="a"))


def test_marks_have_their_places_and_colours() -> None:
    drawn = ((10, square("lit")), (30, circle("tip", radius=6)))
    marks = [f'<g transform="translate({x} 10)">{mark}</g>' for x, mark in drawn]
    spots = ((10, 10), (30, 10), (20, 10))
    png = small_sheet(*marks)
    assert [colour(png, *spot) for spot in spots] == ["#2563eb", "#c2410c", "#ffffff"]


def test_words_are_written_whatever_they_hold() -> None:
    for name in ("$\\frac$", "b₀″", "<&>"):
        assert np.ptp(dots_of(small_sheet(words(2, 14, name)))) > 120


def test_without_resvg_the_line_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pathveil\[plot\]'"):
        png_of(draw(figure3()))


def test_a_png_is_only_written() -> None:
    with pytest.raises(BadArgument, match="give its path"):
        draw(figure3(), kind="png")


def test_a_network_has_two_kinds_and_its_walk_stays_private(tmp_path: Path) -> None:
    network = pv.Network.parse("ab bc")
    path = tmp_path / "net.png"
    draw(network, path, walk=pv.Walk("abc"))
    assert path.read_bytes()[:4] == b"\x89PNG"
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(ValueError, match="'dot', expected svg, png"):
        draw(network, kind="dot")


def test_a_map_is_as_wide_as_its_latitude_makes_it() -> None:
    """Half a degree each way, at sixty degrees north: twice as high as wide."""
    places: dict[Hashable, tuple[float, float]] = {
        "a": (10.0, 59.75),
        "b": (10.5, 59.75),
        "c": (10.5, 60.25),
    }
    points = placed(pv.Network.from_links([("a", "b"), ("b", "c")], coordinates=places))
    wide, high = np.ptp(points, axis=0)
    assert math.isclose(wide / high, 0.503, abs_tol=0.005)


def test_a_vertex_without_coordinates_is_among_its_neighbours() -> None:
    places: dict[Hashable, tuple[float, float]] = {
        "a": (0.0, 0.0),
        "b": (400.0, 0.0),
        "c": (400.0, 400.0),
    }
    links = [("a", "x"), ("b", "x"), ("x", "y"), ("b", "c")]
    points = placed(pv.Network.from_links(links, coordinates=places))
    where = dict(zip("abcxy", points.tolist(), strict=True))
    assert where["x"] == [0.5, 0.0]
    assert where["y"] == pytest.approx([2 / 3, 1 / 3]), "no neighbour known: the middle of all"
    few = pv.Network.from_links(links, coordinates={"a": (0.0, 0.0)})
    assert len(np.unique(placed(few).round(6), axis=0)) == 5, "hardly any known: all are computed"


def test_long_names_are_whole_where_there_is_room() -> None:
    names = "Frankfurt am Main Airport", "Berlin Brandenburg Airport"
    assert all(name in network_svg(pv.Network.from_links([names])) for name in names)


def test_of_a_large_map_the_stops_alone_are_named() -> None:
    ring = [(f"n{i:03}", f"n{(i + 1) % 80:03}") for i in range(80)]
    svg = network_svg(pv.Network.from_links(ring), pv.Walk(["n000", "n001", "n002"]))
    assert svg.count(">n001</text>") == 2  # its rim and its ink
    assert ">n050</text>" not in svg


def test_dot_of_the_running_example() -> None:
    golden = Path(__file__).with_name("figure3.dot").read_text("utf-8")
    assert publication_dot(figure3()) == golden


def test_tikz_of_the_running_example() -> None:
    lines = publication_tikz(figure3()).splitlines()
    assert lines[0] == r"\begin{tikzpicture}["
    assert lines[-1] == r"\end{tikzpicture}"
    assert r"  \node (n1) at (0.65,0.00) {b};" in lines
    assert r"  \node (n5) at (1.30,-3.00) {f};" in lines
    assert r"  \draw (n2) -- (n0);" in lines
    assert sum(line.startswith(r"  \draw") for line in lines) == 6


def test_marks_in_dot_and_tikz() -> None:
    publication = with_copies_and_pieces()
    tikz, dot = publication_tikz(publication), publication_dot(publication)
    assert r"{b$_{1}$}" in tikz
    assert r"\node [piece] (n4)" in tikz
    assert "{c$''$}" in tikz
    assert r"\draw [together] (n3) to" in tikz
    assert "n3 -- n4 [style=dotted" in dot


def test_names_are_escaped() -> None:
    publication = scattered(7, 1, 2, 0.5, names=NASTY)
    dot, tikz = publication_dot(publication), publication_tikz(publication)
    assert r'label="<b>&\""' in dot
    assert r'label="\\{}$%_^~#"' in dot
    assert r"\textbackslash{}\{\}\$\%\_\textasciicircum{}\textasciitilde{}\#" in tikz
    assert "\x00" not in dot + tikz
    assert "\u202e" not in dot + tikz
    svg = publication_svg(publication)
    assert "&lt;b&gt;&amp;" in svg
    assert "Llanfairpwllgwyngyll-7" in svg  # the full name, on demand
    assert "Llanfai…ll-7" in svg
