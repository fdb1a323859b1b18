from __future__ import annotations

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadFile
from pathveil.files.publications.groups import grouping_text, parse_grouping
from pathveil.files.publications.veil_schema import GROUPS_SCHEMA_PATH, groups_schema_text
from pathveil.model.grouping import Grouping, GroupingTerms

GROUPING = Grouping.of(["ad", "be", "cf"], terms=GroupingTerms(4, 3), unsafe=True)


def test_schema_is_committed_and_holds() -> None:
    assert GROUPS_SCHEMA_PATH.read_text(encoding="utf-8") == groups_schema_text()
    whole, schema = json.loads(grouping_text(GROUPING)), json.loads(groups_schema_text())
    jsonschema.validate(whole, schema)
    wrong: list[dict[str, object]] = [
        {"version": 2},
        {"digest": "xyz"},
        {"classes": [[]]},
        {"extra": 1},
    ]
    for broken in wrong:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**whole, **broken}, schema)


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)


@given(st.lists(names, min_size=2, max_size=12, unique=True))
def test_round_trip_is_exact_and_canonical(found: list[str]) -> None:
    pairs = len(found) // 2
    grouping = Grouping.of(found[place::pairs] for place in range(pairs))
    text = grouping_text(grouping)
    again = parse_grouping(text)
    assert again == grouping
    assert grouping_text(again) == text


def test_what_a_hand_may_change_is_refused_with_its_path() -> None:
    terms = json.loads(grouping_text(GROUPING))["terms"]
    changes: list[tuple[dict[str, Any], str]] = [
        ({"classes": []}, "classes"),
        ({"classes": [["a", "a"]]}, "classes"),
        ({"classes": [["a"], []]}, "classes[1]"),
        ({"classes": [["a", 3]]}, "classes[0][1]"),
        ({"classes": [["a", "b"], ["c", "d"]]}, "digest"),
        ({"terms": {**terms, "classes": 1}}, "classes"),
        ({"terms": {**terms, "cap": 1 << 60}}, "terms.cap"),
        ({"terms": {**terms, "at_least": 0}}, "terms.at_least"),
        ({"unsafe": False}, "digest"),
        ({"unsafe": "no"}, "unsafe"),
        ({"digest": "0" * 64}, "digest"),
        ({"seed": 7}, "seed"),
    ]
    for change, path in changes:
        file = json.loads(grouping_text(GROUPING)) | change
        with pytest.raises(BadFile) as caught:
            parse_grouping(json.dumps(file), "groups.json")
        assert str(caught.value).startswith(f"groups.json: {path}: "), caught.value
    for text in ("", "[]", "{", '{"format": "x"}', '{"format": "pathveil/grouping", "version": 1}'):
        with pytest.raises(BadFile):
            parse_grouping(text)
