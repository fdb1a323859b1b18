from __future__ import annotations

from typing import Any

import pytest
from pydantic import Field

from pathveil.errors import BadFile, BadGrouping
from pathveil.files.publications.veil_schema import Listed, Mapped, StrictPart
from pathveil.files.strict_json import (
    bring_into_shape,
    dotted,
    json_text,
    parse_json,
    require_kind,
)


def test_plain_values() -> None:
    assert parse_json('{"a": [1, 2.5, null, "\\ud83d\\ude00"]}', "x") == {"a": [1, 2.5, None, "😀"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  ", "x: is empty"),
        ("[1, 2", "line 1, column 6: the file ends in the middle of a value"),
        ('{"a": "b', "the file ends in the middle"),
        ("{a: 1}", "line 1, column 2: no JSON"),
        ('{"a": 1,\n "b": }', "line 2, column 7: no JSON"),
        ('[{"a": 1, "b": 2, "a": 3}]', "key 'a' is given twice"),
        ("[NaN]", "holds NaN"),
        ("[-Infinity]", "holds -Infinity"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "a number that is too long"),
        (r'["\ud800"]', "half of a surrogate pair"),
    ],
)
def test_what_is_no_good_json_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_json(text, "x")
    assert said in str(caught.value)
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


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([], "holds no JSON object, expected a thing"),
        ({}, "format: is None, expected 'f'; this is no thing"),
        ({"format": "g", "version": 1}, "format: is 'g'"),
        ({"format": "f", "version": 2}, "version: is 2, this program reads version 1"),
        ({"format": "f", "version": True}, "version: is True"),
        ({"format": "f", "version": 1.0}, "version: is 1.0"),
    ],
)
def test_what_a_file_is_comes_first(found: Any, said: str) -> None:
    with pytest.raises(BadFile, match=said):
        require_kind(found, "x.json", form="f", what="thing")


def test_the_right_kind_passes() -> None:
    require_kind({"format": "f", "version": 1}, "x.json", form="f", what="thing")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"parts": []}, "name: is missing"),
        ({"name": "x", "parts": [], "more": 1}, "more: is no key of this format"),
        ({"name": "x", "parts": [{"number": "1"}]}, r"parts\[0\].number: .*found '1'"),
        ({"name": 1, "parts": [{}]}, "name: .*found 1$"),
        ({"name": "x", "parts": [], **dict.fromkeys("abc", 1)}, "a: is no key of this format"),
        ({"name": "x", "parts": [], "terms": dict.fromkeys(map(str, range(65)), "")}, "65 keys"),
    ],
)
def test_the_path_to_the_first_fault(found: Any, said: str) -> None:
    with pytest.raises(BadFile, match=rf"x\.json: {said}|{said}"):
        bring_into_shape(Outer, found, "x.json")


def test_what_fits_is_brought_into_shape() -> None:
    made = bring_into_shape(Outer, {"name": "x", "parts": [{"number": 3}]}, "x.json")
    assert made.parts[0].number == 3
    assert dotted(("parts", 0, "number")) == "parts[0].number"
