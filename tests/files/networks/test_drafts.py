"""What every network file must pass, whatever its format."""

from __future__ import annotations

import pytest

from pathveil.errors import BadFile, BadNetwork, NameClash, NotConnected, NotSimple, UnknownVertex
from pathveil.files.networks.raw_network import Draft, Roll, finish, row_of
from pathveil.model.coordinates import as_point, point_of


def draft(*edges: tuple[int, int], names: str = "dcba", **more: object) -> Draft:
    return Draft(
        "x.csv",
        names=list(names),
        sources=[u for u, _ in edges],
        targets=[v for _, v in edges],
        places=list(range(10, 10 + len(edges))),
        **more,  # type: ignore[arg-type]
    )


def test_names_are_sorted_and_edges_follow_them() -> None:
    network = finish(draft((0, 1), (2, 1), (3, 0)))
    assert network.vertices == ("a", "b", "c", "d")
    assert network.links == (("a", "d"), ("b", "c"), ("c", "d"))


def test_loops_and_parallels_are_named_with_both_lines() -> None:
    with pytest.raises(
        NotSimple, match=r"x\.csv, line 11: an edge joins 'c' to itself.*--simplify"
    ):
        finish(draft((0, 1), (1, 1)))
    doubled = draft((0, 1), (1, 2), (2, 3), (1, 0), (0, 1))
    with pytest.raises(NotSimple, match=r"line 13: edge 'c' - 'd' was given before \(line 10\)"):
        finish(doubled)
    assert len(finish(doubled, simplify=True).links) == 3
    assert len(finish(draft((0, 1), (1, 1), (1, 2), (2, 3)), simplify=True).links) == 3


def test_parts_are_refused_or_the_largest_is_kept_with_its_places() -> None:
    torn = draft((0, 1), (2, 2), (3, 4), (4, 5), names="dcbxyz", points={3: (1.0, 2.0)})
    with pytest.raises(NotConnected, match=r"6 vertices falls into 3 components .* holds 'b'"):
        finish(draft((0, 1), (3, 4), (4, 5), names="dcbxyz"))
    kept = finish(torn, simplify=True, largest_component=True)
    assert kept.vertices == ("x", "y", "z")
    assert kept.coordinates is None  # half a map is no map
    assert kept.unplaced == ("y", "z")  # but who is missing is known
    even = finish(draft((0, 1), (2, 3)), largest_component=True)
    assert even.vertices == ("a", "b")  # of equals, the one with the first name


def test_coordinates_need_every_vertex() -> None:
    points = {i: (float(i), 0.0) for i in range(4)}
    found = finish(draft((0, 1), (1, 2), (2, 3), points=points)).coordinates
    assert found == {"d": (0, 0), "c": (1, 0), "b": (2, 0), "a": (3, 0)}


def test_nothing_is_no_network() -> None:
    with pytest.raises(BadFile, match="holds no vertex"):
        finish(Draft("x.csv"))
    with pytest.raises(BadNetwork, match="has no edge"):
        finish(Draft("x.csv", names=["a"]))


def test_a_row_needs_nothing_but_itself() -> None:
    messy = draft((0, 1), (2, 0), (3, 3), (3, 2), (2, 3))
    assert row_of(messy, "d") == ("b", "c")
    with pytest.raises(NotSimple, match="was given before"):
        row_of(messy, "b")
    assert row_of(messy, "b", simplify=True) == ("a", "d")
    with pytest.raises(NotSimple, match="to itself"):
        row_of(messy, "a")
    assert row_of(messy, "a", simplify=True) == ("b",)
    with pytest.raises(UnknownVertex, match="holds no vertex 'q'"):
        row_of(messy, "q")


def test_the_roll_knows_where_a_name_was_first_met() -> None:
    roll = Roll("x.json", unit="nodes[{}]")
    assert [roll.add("a", 0), roll.add(1, 1)] == [0, 1]
    assert roll.find("1", "edges[0]") == 1
    with pytest.raises(NameClash, match=r"'a' was declared before \(nodes\[0\]\)"):
        roll.add("a", 2)
    with pytest.raises(NameClash, match=r"label '1' and label 1 \(nodes\[1\]\) are both called"):
        roll.add("1", 3)
    with pytest.raises(BadFile, match="empty name"):
        roll.add("", 4)
    with pytest.raises(UnknownVertex, match=r"edges\[7\]: an edge ends at 'z', .* none of the 2"):
        roll.find("z", "edges[7]")


def test_points() -> None:
    assert point_of({"pos": "(1.5, 2)!"}) == (1.5, 2)
    assert point_of({"pos": [3, "4"], "x": 9, "y": 9}) == (3, 4)
    assert point_of({"lat": 1, "lng": 2}) == (2, 1)
    assert point_of({"lat": 1}) is None
    assert point_of({"x": "nan", "y": 1}) is None
    assert as_point("1e400", 0) is None
    assert as_point(None, 0) is None
