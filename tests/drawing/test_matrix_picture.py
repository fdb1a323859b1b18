"""The matrix shows every bit where it belongs, named, in any size."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

from pathveil.drawing.publication_picture import matrix_svg
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.certificate import PolicyTerms
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from tests.drawing.samples import NASTY, SVG, scattered


def _noise(size: int) -> Publication:
    same = np.random.default_rng(size).random((size, size)) < 0.5
    same = np.triu(same, 1)
    positions = Positions(tuple(f"v{i:04}" for i in range(size)), (1,) * size)
    bits = PackedBits(positions, PairBits.from_matrix(same | same.T))
    return Publication(bits=bits, policy=PolicyTerms("balanced"), direction=True)


def _lit(svg: str) -> set[tuple[int, int]]:
    """The cells that the picture shows in different branches, read off its coordinates."""
    root: ET.Element = fromstring(svg)
    tile = next(r for r in root.iter(f"{SVG}rect") if r.attrib["class"] == "tile")
    left, top = float(tile.attrib["x"]), float(tile.attrib["y"])
    rows = [p for p in root.iter(f"{SVG}path") if p.attrib["class"] == "shown"]
    cell = float(tile.attrib["width"]) / len(rows)
    found = set()
    for path in rows:
        for x, y, wide in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)", path.attrib["d"]):
            row = int((float(y) - top) / cell)
            first, last = (float(x) - left) / cell, (float(x) + float(wide) - left) / cell
            found |= {(row, column) for column in range(round(first), round(last))}
    return found


@pytest.mark.parametrize("size", [2, 7, 31, 130])
def test_each_cell_is_its_bit(size: int) -> None:
    publication = _noise(size)
    apart = ~publication.packed.pairs.matrix()
    np.fill_diagonal(apart, val=False)
    assert _lit(matrix_svg(publication)) == set(zip(*map(list, np.nonzero(apart)), strict=True))


def test_the_picture_is_the_same_every_time_and_needs_no_layers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: Publication) -> LayeredGraph:
        raise AssertionError("layers were drawn")

    monkeypatch.setattr(Publication, "layered", property(refuse))
    assert matrix_svg(_noise(30)) == matrix_svg(_noise(30))


def test_rows_and_columns_are_named_in_order_whatever_the_names() -> None:
    publication = scattered(7, 1, 2, 0.3, names=NASTY)
    root: ET.Element = fromstring(matrix_svg(publication))
    upright = [t for t in root.iter(f"{SVG}text") if "rotate" in t.attrib.get("transform", "")]
    level = [t for t in root.iter(f"{SVG}text") if t.attrib.get("text-anchor") == "end"]
    assert [t.text for t in upright] == [t.text for t in level]
    assert len(level) == 7
    assert all(float(a.attrib["y"]) < float(b.attrib["y"]) for a, b in pairwise(level))


def test_noisy_bits_promise_nothing_of_a_cell() -> None:
    positions = Positions(("a", "b"), (1, 1))
    bits = PackedBits(positions, PairBits.from_pairs(2, [(0, 1)]))
    noisy = Publication(bits=bits, policy=PolicyTerms("two_sided", noisy=True), direction=True)
    svg = matrix_svg(noisy)
    assert "steps" not in svg
    assert ">same branch<" in svg


@pytest.mark.regression("the caption counted the pairs that are not marked")
def test_the_caption_counts_what_is_marked_and_the_legend_stands_above() -> None:
    svg = matrix_svg(_noise(31))
    root: ET.Element = fromstring(svg)
    texts = {t.text: float(t.attrib["y"]) for t in root.iter(f"{SVG}text")}
    tile = next(r for r in root.iter(f"{SVG}rect") if r.attrib["class"] == "tile")
    said = f"{len(_lit(svg)) // 2} of 465 pairs are marked; the walk's steps are among them"
    assert any(words.startswith(said) for words in texts if words)
    assert texts["marked: different branches"] < float(tile.attrib["y"])
