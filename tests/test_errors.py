"""The tree in the docstring is the tree of the classes."""

from __future__ import annotations

import inspect
import re

from pathveil import errors


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
    missing = errors.MissingExtra("mpc", "MPyC")
    assert missing.extra == "mpc"
    assert "pip install 'pathveil[mpc]'" in str(missing)


def test_one_missing_package_and_two_are_said_alike() -> None:
    said = [str(errors.MissingExtra("x", needs)) for needs in ("pyarrow", "pandas and numpy")]
    assert said[0].startswith("this needs pyarrow, not installed here; run: ")
    assert said[1].startswith("this needs pandas and numpy, not installed here; run: ")
