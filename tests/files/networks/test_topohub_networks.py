from __future__ import annotations

import sys

import pytest

from pathveil import read_network
from pathveil.errors import BadFile, MissingExtra


def test_a_network_by_name() -> None:
    pytest.importorskip("topohub")
    network = read_network("topohub:sndlib/germany50")
    assert (len(network), len(network.links)) == (50, 88)
    assert "Aachen" in network
    assert network.coordinates is not None
    with pytest.raises(BadFile, match="no such network"):
        read_network("topohub:sndlib/nowhere")


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "topohub", None)
    with pytest.raises(MissingExtra, match=r"pathveil\[topohub\]"):
        read_network("topohub:sndlib/germany50")
