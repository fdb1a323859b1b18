from __future__ import annotations

from typing import Any

import pytest
from pydantic import Field

from pathveil.errors import BadFile, BadGrouping
from pathveil.files.publications.veil_schema import Listed, Mapped, StrictPart
from pathveil.files.strict_json import bring_into_shape, json_text, parse_json, require_kind


def test_what_is_no_good_json_is_refused() -> None:
    for text, place in (
        ("  ", ":"),
        ("[1, 2", ", line 1, column 6:"),
        ('{"a": "b', ", line 1"),
        ("{a: 1}", ", line 1, column 2:"),
        ('{"a": 1,\n "b": }', ", line 2, column 7:"),
        ('[{"a": 1, "b": 2, "a": 3}]', ": key 'a'"),
        ("[NaN]", ":"),
        ("[-Infinity]", ":"),
        ("[" * 100_000, ":"),
        ("9" * 5000, ":"),
        (r'["\ud800"]', ":"),
    ):
        with pytest.raises(BadFile) as caught:
            parse_json(text, "x")
        assert str(caught.value).startswith(f"x{place}"), text
        assert len(str(caught.value)) < 300


def test_what_is_written_is_text() -> None:
    assert json_text({"Å": ["😀", 1, None]}, BadFile) == '{"Å": ["😀", 1, null]}'
    with pytest.raises(BadGrouping, match="half of a surrogate pair"):
        json_text(["\ud800"], BadGrouping)


class Inner(StrictPart):
    number: int


class Outer(StrictPart):
    name: str
    parts: Listed[Inner]
    terms: Mapped[str, str] = Field(default_factory=dict)


def test_what_a_file_is_comes_first() -> None:
    require_kind({"format": "f", "version": 1}, "x.json", form="f", what="thing")
    kinds: tuple[Any, ...] = ([], {}, {"format": "g", "version": 1})
    for found in kinds:
        with pytest.raises(BadFile):
            require_kind(found, "x.json", form="f", what="thing")
    for version in (2, True, 1.0, None):
        with pytest.raises(BadFile, match="of format 'f' and version 1"):
            require_kind({"format": "f", "version": version}, "x.json", form="f", what="thing")


def test_the_path_to_the_first_fault() -> None:
    good: dict[str, Any] = {"name": "x", "parts": []}
    for found, path in (
        ({"parts": []}, "name"),
        ({**good, "more": 1}, "more"),
        ({**good, "parts": [{"number": "1"}]}, "parts[0].number"),
        ({"name": 1, "parts": [{}]}, "name"),
        ({**good, **dict.fromkeys("abc", 1)}, "a"),
        ({**good, "terms": dict.fromkeys(map(str, range(65)), "")}, "terms"),
    ):
        with pytest.raises(BadFile) as caught:
            bring_into_shape(Outer, found, "x.json")
        assert str(caught.value).startswith(f"x.json: {path}: ")
