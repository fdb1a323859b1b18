from __future__ import annotations

import pytest

from pathveil.errors import BadFile, BadGrouping
from pathveil.files.strict_json import json_text, parse_json


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
