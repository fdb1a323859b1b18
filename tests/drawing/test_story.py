"""The story picture: its figures are those of the publication, and it fits or is refused."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from defusedxml.ElementTree import fromstring

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.drawing.story import MOST_VERTICES, story_svg
from pathveil.errors import DoesNotFit, NotAWalk
from pathveil.model.publication import Publication
from tests.drawing.samples import NASTY, SVG

NETWORK = Network.parse("ab ae be bc bf ef ed cd cf")
WALK = Walk("abcdef")


def published(seed: int = 3) -> Publication:
    return publish(NETWORK, WALK, source=Seeded(seed))


def words_of(svg: str) -> str:
    root: ET.Element = fromstring(svg)
    return " ".join(part.text or "" for part in root.iter(f"{SVG}text"))


def test_the_figures_are_those_of_the_file() -> None:
    file = published()
    apart = [p for p in combinations("abcdef", 2) if not file.same_branch((p[0], 0), (p[1], 0))]
    said = words_of(story_svg(NETWORK, WALK, file))
    assert f"Here {len(apart)} pairs are marked" in said
    assert f"sees {len(apart)} marked pairs" in " ".join(said.split())
    assert "the walk uses 2 of them" in said
    paths = re.findall(
        r'<path class="shown" stroke-width="1.5" d="([^"]*)"', story_svg(NETWORK, WALK, file)
    )
    assert [path.count("M") for path in paths] == [len(apart)] * 2


def test_any_names_and_a_walk_that_comes_back_are_drawn() -> None:
    network = Network.from_links([*pairwise(NASTY), (NASTY[0], NASTY[2])])
    walk = Walk([NASTY[0], NASTY[1], NASTY[2], NASTY[0]])
    file = publish(network, walk, policy=Policy.balanced(copies=2), source=Seeded(1))
    fromstring(story_svg(network, walk, file))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(NotAWalk):
        story_svg(NETWORK, Walk("ac"), published())
    with pytest.raises(DoesNotFit, match="another walk"):
        story_svg(NETWORK, Walk("abe"), published())
    with pytest.raises(DoesNotFit, match="in the publication only"):
        story_svg(Network.parse("ab bc"), Walk("abc"), published())
    noisy = publish(NETWORK, WALK, policy=Policy.two_sided(epsilon=3), source=Seeded(1))
    sketch = publish(NETWORK, WALK, form="sketch", capacity=20, source=Seeded(1))
    for file in (noisy, sketch):
        with pytest.raises(DoesNotFit, match="packed publication without noise"):
            story_svg(NETWORK, WALK, file)
    ring = [(f"{v:02}", f"{(v + 1) % 50:02}") for v in range(50)]
    large, walk = Network.from_links(ring), Walk(["00", "01"])
    with pytest.raises(DoesNotFit, match=f"at most {MOST_VERTICES}"):
        story_svg(large, walk, publish(large, walk, source=Seeded(1)))
