"""Which file a publication becomes follows from the name; what comes back is the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil import Network, Publication, Seeded, Walk, publish
from pathveil.batching.batch_output import write_rows
from pathveil.errors import BadFile, TooLarge
from pathveil.files.publications.any_publication import (
    is_compact,
    publication_content,
    publication_from,
    read_publication,
)

NETWORK, WALK = Network.parse("ab bc cd bd de"), Walk("abcd")


def released(**terms: object) -> Publication:
    return publish(NETWORK, WALK, source=Seeded(5), **terms)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["x.veil", "x.VEIL", "x.veil.json", "x", "-"])
def test_the_name_decides_the_form(name: str) -> None:
    publication = released()
    data = publication_content(publication, name)
    assert is_compact(data) == name.lower().endswith(".veil")
    assert publication_from(data) == publication


def test_a_sketch_is_compact_whatever_it_is_called() -> None:
    sketch = released(form="sketch", capacity=20)
    assert is_compact(publication_content(sketch, "-"))
    with pytest.raises(TooLarge, match=r"ends with \.veil"):
        publication_content(sketch, "x.veil.json")


def test_the_content_tells_what_a_file_is_not_its_name(tmp_path: Path) -> None:
    publication = released()
    (tmp_path / "x.veil.json").write_bytes(publication_content(publication, "x.veil"))
    (tmp_path / "x.veil").write_bytes(publication_content(publication, "x.veil.json"))
    for path in tmp_path.iterdir():
        assert read_publication(path) == publication
    (tmp_path / "y.veil").write_text("")
    with pytest.raises(BadFile):
        read_publication(tmp_path / "y.veil")


def test_the_lines_of_a_batch_are_called_so(tmp_path: Path) -> None:
    """They were called broken JSON, and a sound file was to be corrected."""
    text = json.dumps(json.loads(publication_content(released(), "x.veil.json")))
    write_rows(tmp_path / "out.jsonl", [(1, text)], None, replacing=False)
    with pytest.raises(BadFile, match="holds the releases of a batch"):
        read_publication(tmp_path / "out.jsonl")
