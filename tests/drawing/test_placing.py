"""Where vertices stand."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

from pathveil.drawing.network_picture import placed
from pathveil.drawing.pictures import network_svg
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from tests.drawing.samples import (
    SVG,
)


def test_known_positions_are_used_with_y_upwards() -> None:
    network = Network.from_links(
        [("a", "b"), ("b", "c")], coordinates={"a": (0, 0), "b": (10, 0), "c": (10, 10)}
    )
    points = placed(network)
    assert points.tolist() == [[0, 0], [1, 0], [1, 1]]
    root: ET.Element = fromstring(network_svg(network))
    spots = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in root.iter(f"{SVG}circle")]
    assert spots[1][1] > spots[2][1]  # c lies above b
    assert spots[0][0] < spots[1][0]


@pytest.mark.parametrize("size", [2, 3, 6, 50, 160, 900])
def test_computed_places_are_distinct_and_steady(size: int) -> None:
    ring = [(f"{i:04}", f"{(i + 1) % size:04}") for i in range(size if size > 2 else 1)]
    network = Network.from_links(ring)
    points = placed(network)
    assert points.min() >= -1e-9
    assert points.max() <= 1 + 1e-9
    assert len(np.unique(points.round(6), axis=0)) == size
    assert np.array_equal(points, placed(network))
    fromstring(network_svg(network, Walk(network.links[0])))
