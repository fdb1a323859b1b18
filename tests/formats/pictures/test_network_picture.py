"""Networks with their walk."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from defusedxml.ElementTree import fromstring

from pathveil.errors import NotAWalk
from pathveil.formats.pictures import (
    network_svg,
)
from pathveil.formats.pictures.drawing_sheet import Theme
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from tests.formats.pictures.samples import (
    SVG,
    THEMES,
)


@pytest.mark.parametrize("theme", THEMES)
def test_a_network_with_its_walk(theme: Theme) -> None:
    network = Network.parse("ab ae be bc bf ef ed cd cf")
    svg = network_svg(network, Walk("abcdebcf"), theme=theme)
    root: ET.Element = fromstring(svg)
    found = [c.attrib["class"] for c in root.iter(f"{SVG}circle")]
    assert found.count("step") == 7
    assert found.count("start") == found.count("end") == 2  # on the map and in the legend
    assert "secret" in svg
    assert svg == network_svg(network, Walk("abcdebcf"), theme=theme)


def test_a_network_alone_shows_no_walk() -> None:
    svg = network_svg(Network.parse("ab bc"))
    assert "secret" not in svg
    assert 'class="walk"' not in svg


def test_a_closed_walk_has_both_rings_on_one_vertex() -> None:
    svg = network_svg(Network.parse("ab bc ca"), Walk("abca"))
    assert svg.count('class="start"') == svg.count('class="end"') == 2


def test_a_walk_elsewhere_is_refused() -> None:
    with pytest.raises(NotAWalk):
        network_svg(Network.parse("ab bc"), Walk("ac"))
