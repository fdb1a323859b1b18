"""The tree in the docstring is the tree of the classes, and no message is endless."""

from __future__ import annotations

import inspect
import re

import pytest

from pathveil import Network, Walk, errors, publish
from pathveil.errors import BadFile, NotAWalk
from pathveil.exchange.cards import Card


def test_the_tree_is_drawn_as_it_is() -> None:
    drawn = re.findall(r"^    [│├└─ ]*(\w+)  ?", errors.__doc__ or "", re.MULTILINE)
    classes = {
        name: kind
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.PathveilError)
    }
    assert set(drawn) | {"PathveilError"} == set(classes)
    lines = [line for line in (errors.__doc__ or "").splitlines() if "──" in line]
    above: list[str] = []
    for line in lines:
        depth = line.index("──") // 4
        name = re.findall(r"\w+", line)[0]
        above = [*above[: depth - 1], name]
        parent = above[-2] if len(above) > 1 else "PathveilError"
        assert classes[parent] in classes[name].__mro__[1:], name


def test_numbers_ride_along() -> None:
    assert errors.NeedsMoreCopies("x", needed=3).needed == 3
    assert errors.SearchExhausted("x", steps=7).steps == 7
    assert errors.RuleBroken("x", rule="2").rule == "2"
    for needs in ("MPyC", "pandas and numpy"):
        missing = errors.MissingExtra("mpc", needs)
        assert missing.extra == "mpc"
        assert str(missing).startswith(f"this needs {needs}, not installed here; run: ")
        assert "pip install 'pathveil[mpc]'" in str(missing)


@pytest.mark.regression(
    "a name of 20,000 characters filled the screen: errors, str(network), cards"
)
def test_no_name_floods_an_error_or_a_network() -> None:
    long = "x" * 20_000
    network = Network.from_links([("a", "b"), ("b", long)])
    with pytest.raises(NotAWalk) as caught:
        publish(network, Walk(["a", long]))
    said = str(caught.value)
    assert len(said) < 1_100
    assert said.startswith("step 1 of the walk")
    assert said.count("x") < 1_000
    assert max(len(str(network)), len(network._repr_html_())) < 500
    with pytest.raises(BadFile, match=r"name is 'x+…', expected 1 to 64 bytes"):
        Card.with_key(long, "localhost", 1, ["a"], days=1)
