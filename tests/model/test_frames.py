"""Data frames: two columns are a network, and what is missing is named with its row."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import pathveil as pv
from pathveil.errors import BadNetwork, NameClash, NotConnected, NotSimple
from pathveil.model.network import ends_of_frame


def test_numbers_come_back_as_numbers() -> None:
    frame = pd.DataFrame({"supplier": [7, 8, 9], "customer": [8, 9, 10], "tons": [1.5, 2, 3]})
    network = pv.Network.from_pandas(frame, source="supplier", target="customer")
    assert network.vertices == ("10", "7", "8", "9")
    found = pv.reconstruct(pv.publish(network, [7, 8, 9], source=pv.Seeded(1)), network)  # type: ignore[arg-type]
    assert found.walk.vertices == ("7", "8", "9")
    assert found.labels == (7, 8, 9)
    assert all(type(label) is int for label in found.labels)


def test_the_usual_columns_need_no_words() -> None:
    frame = pd.DataFrame({"weight": [1, 1], "target": ["b", "c"], "source": ["a", "b"]})
    assert pv.Network.from_pandas(frame).links == (("a", "b"), ("b", "c"))


def test_repairs_on_demand() -> None:
    frame = pd.DataFrame({"source": ["a", "b", "b", "x"], "target": ["b", "a", "b", "y"]})
    with pytest.raises(NotSimple, match="simplify=True"):
        pv.Network.from_pandas(frame)
    with pytest.raises(NotConnected):
        pv.Network.from_pandas(frame, simplify=True)
    found = pv.Network.from_pandas(frame, simplify=True, largest_component=True)
    assert found.links == (("a", "b"),)


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA, pd.NaT])
def test_a_gap_is_refused_with_its_row(gap: Any) -> None:
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", gap]}, dtype=object)
    with pytest.raises(BadNetwork, match=r"row 2 .*column 'target'.*dropna"):
        pv.Network.from_pandas(frame)


def test_what_is_no_frame_or_lacks_the_column() -> None:
    with pytest.raises(BadNetwork, match=r"no column 'source', its columns are 'u', 'v'"):
        pv.Network.from_pandas(pd.DataFrame({"u": ["a"], "v": ["b"]}))
    with pytest.raises(BadNetwork, match=r"columns are 0, 1, .*, 11; name") as wide:
        pv.Network.from_pandas(pd.DataFrame([range(5_000)]))
    assert len(str(wide.value)) < 250, "as many columns as can be read"
    with pytest.raises(TypeError, match=r"write pv\.Network\.from_links"):
        ends_of_frame([("a", "b")], "source", "target")
    with pytest.raises(NameClash):
        pv.Network.from_pandas(pd.DataFrame({"source": [1, "1"], "target": ["a", "a"]}))
