"""Which file a publication becomes follows from the name; what comes back is the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil import Network, Publication, Seeded, Walk, publish
from pathveil.batching.batch_journal import BatchJournal
from pathveil.batching.batch_output import write_rows
from pathveil.errors import BadFile, TooLarge
from pathveil.files.publications.any_publication import (
    is_compact,
    publication_content,
    publication_from,
    read_publication,
    require_publication_name,
)

NETWORK, WALK = Network.parse("ab bc cd bd de"), Walk("abcd")


def released(**terms: object) -> Publication:
    return publish(NETWORK, WALK, source=Seeded(5), **terms)  # type: ignore[arg-type]


def test_the_name_decides_the_form(tmp_path: Path) -> None:
    publication = released()
    for name in ("x.veil", "x.VEIL", "x.veil.age", "x.veil.json", "x.veil.json.age", "-"):
        data = publication_content(publication, name)
        assert is_compact(data) == (".veil" in name.lower() and ".json" not in name)
        assert publication_from(data) == publication
    for name in ("x.txt", "x", "veil", "x.json", "x.veil.age"):
        with pytest.raises(BadFile):
            publication.save(tmp_path / name)
    require_publication_name("x.AGE", sealed=True)
    with pytest.raises(BadFile):
        require_publication_name("x.veil", sealed=True)
    require_publication_name("/dev/null")
    assert not list(tmp_path.iterdir())


def test_an_envelope_is_called_so() -> None:
    with pytest.raises(BadFile, match="encrypted"):
        publication_from(b"age-encryption.org/v1\n-> X25519")


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
    journal = BatchJournal(tmp_path / "out.journal", "terms")
    write_rows(tmp_path / "out.jsonl", [(1, text)], None, journal, replacing=False)
    journal.close()
    with pytest.raises(BadFile, match="holds the releases of a batch"):
        read_publication(tmp_path / "out.jsonl")
