"""Names: labels become distinct texts, and a wrong one meets a helpful question."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil import Network, Walk, wording
from pathveil.errors import BadNetwork, NameClash, UnknownVertex
from pathveil.model.graph_index import VertexNames, sorted_names
from pathveil.wording import did_you_mean


def test_labels_are_numbered_as_they_come_and_remembered() -> None:
    met = VertexNames()
    assert [met.add(label) for label in ("b", 3, (0, 1), 3, "b")] == [0, 1, 2, 1, 0]
    assert met.labels == {"3": 3, "(0, 1)": (0, 1)}
    assert met.add(tuple(range(2))) == 2, "equal, though not the same object"
    nan = float("nan")
    assert met.add(nan) == met.add(nan) == 3, "the same object, though not equal"
    with pytest.raises(NameClash, match=r"labels 3 and Decimal\('3'\)"):
        met.add(Decimal(3))
    with pytest.raises(NameClash, match="labels 3 and '3' are both called '3'"):
        met.add("3")
    with pytest.raises(BadNetwork, match="empty name"):
        met.add("")


@given(st.lists(st.text(max_size=3), unique=True, min_size=1))
def test_ranks_sort_names(given_names: list[str]) -> None:
    ordered, rank = sorted_names(given_names)
    assert list(ordered) == sorted(given_names)
    assert [ordered[i] for i in rank.tolist()] == given_names
    assert sorted_names(["c", "a\0b"])[0] == ("a\0b", "c"), "whatever the names hold"


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("Colonge", "Cologne"),
        ("cologne", "Cologne"),
        ("new york", "New York"),
        ("NewYork", "New York"),
        ("depot7", "depot-7"),
    ],
)
def test_did_you_mean(wrong: str, meant: str) -> None:
    known = ["Aachen", "Cologne", "New York", "depot-7"]
    assert did_you_mean(wrong, known) == f"; did you mean {meant!r}?"


def test_nothing_alike_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    assert did_you_mean("Oslo", ["Aachen", "Cologne"]) == ""
    assert did_you_mean("x", []) == ""
    monkeypatch.setattr(wording, "MOST_COMPARED", 2)
    assert "Cologne" in did_you_mean("Colonge", ["Aachen", "Cologne"])
    monkeypatch.setattr(wording, "MOST_COMPARED", 1)
    assert did_you_mean("Colonge", ["Aachen", "Cologne"]) == ""
    assert "Cologne" in did_you_mean("cologne", ["Aachen", "Cologne"])


def test_unknown_vertices_are_asked_about_wherever_they_are_met() -> None:
    network = Network.from_links([("Aachen", "Cologne"), ("Cologne", "Trier")])
    with pytest.raises(UnknownVertex, match=r"did you mean 'Trier'\?"):
        network.index("Treir")
    with pytest.raises(UnknownVertex, match=r"visit 2 of the walk .*did you mean 'Cologne'\?"):
        Walk(["Aachen", "Colonge"]).require_in(network)


def test_a_name_of_a_thousand_signs_is_compared_and_no_longer_one() -> None:
    """One of ten million, in place of a vertex of a walk, took 600 MB to be compared."""
    assert did_you_mean("a" * 999, ["a" * 998]) != ""
    assert did_you_mean("a" * 1001, ["a" * 1000]) == ""
