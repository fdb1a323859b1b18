"""The committed schema of groups.json is the one the shape makes, and refuses what is broken."""

from __future__ import annotations

import json

import jsonschema  # type: ignore[import-untyped]
import pytest

from pathveil import Network, Seeded, group
from pathveil.files.publications.groups_schema import SCHEMA_PATH, schema_text

SCHEMA = json.loads(schema_text())


def grouping(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    path = tmp_path_factory.mktemp("groups") / "groups.json"
    network = Network.from_links((i, i + 1) for i in range(60))
    group(network, classes=20, source=Seeded(3)).save(path)
    found: dict[str, object] = json.loads(path.read_text())
    return found


def test_the_committed_schema_is_up_to_date() -> None:
    assert SCHEMA_PATH.read_text(encoding="utf-8") == schema_text()


def test_what_is_written_fits_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    jsonschema.validate(grouping(tmp_path_factory), SCHEMA)


@pytest.mark.parametrize(
    "broken",
    [{"version": 2}, {"digest": "xyz"}, {"classes": []}, {"classes": [[]]}, {"extra": 1}],
)
def test_what_is_broken_does_not(
    broken: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**grouping(tmp_path_factory), **broken}, SCHEMA)
