"""``*.veil``: both forms there and back, lossless beside JSON, hostile files refused."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish, reconstruct
from pathveil.errors import BadFile, TooLarge
from pathveil.files.publications import any_publication as publications
from pathveil.files.publications import compact
from pathveil.files.publications import container as containers
from pathveil.files.publications.any_publication import publication_content
from pathveil.files.publications.compact import opened, publication_bytes
from pathveil.files.publications.container import Container
from pathveil.files.publications.veil_json import publication_text
from tests.files.publications.test_veil import Change, put

NETWORK = Network.parse("ab bc cd de ef bd")
WALK = Walk("abcdef")


def made(form: Any, policy: Policy | None = None, **options: Any) -> Publication:
    capacity = 20 if form == "sketch" else None
    return publish(
        NETWORK, WALK, policy=policy, form=form, capacity=capacity, source=Seeded(1), **options
    )


FORMS: dict[str, Callable[[], Publication]] = {
    "packed": lambda: made("packed"),
    "rate": lambda: made("packed", Policy.frontier(walk_loss=2)),
    "copies": lambda: made("packed", Policy.balanced(copies=2)),
    "drawn copies": lambda: made("packed", Policy.paper(vertex=1, link=1)),
    "universe": lambda: made("packed", universe=[*NETWORK.links, ("a", "f")]),
    "hidden": lambda: made("packed", direction="hidden"),
    "paper": lambda: made("packed", Policy.paper(vertex=1, link=1), layering="backtracking"),
    "series": lambda: made("packed", Policy.remembering(prior=("1/2", "1/2"))),
    "sketch": lambda: made("sketch"),
    "sketch, rate": lambda: made("sketch", Policy.frontier(walk_loss=2)),
    "sketch, untold": lambda: made("sketch", direction="hidden"),
}


@pytest.mark.parametrize("name", FORMS)
def test_there_and_back(tmp_path: Path, name: str) -> None:
    publication = FORMS[name]()
    path = tmp_path / "x.veil"
    publication.save(path)
    found = Publication.load(path)
    assert found == publication
    assert (found.salt is not None) == ("series" in name)
    assert publication_bytes(found) == path.read_bytes()
    assert reconstruct(found, NETWORK) == reconstruct(publication, NETWORK)
    if not name.startswith("sketch"):
        assert publication_text(found) == publication_text(publication)
        assert publication_bytes(Publication.load(saved(tmp_path, found))) == path.read_bytes()
    else:
        assert publication_content(found, "x.age") == path.read_bytes(), "whatever its name"


def saved(folder: Path, publication: Publication) -> Path:
    publication.save(folder / "x.veil.json")
    return folder / "x.veil.json"


def sketch_files(network: Network, walk: Walk) -> np.ndarray:
    """Return the bytes of eight files with the same public terms."""
    terms: dict[str, Any] = {"form": "sketch", "capacity": 21, "direction": "hidden"}
    sources = [Seeded(f"{number} {len(network)}") for number in range(8)]
    files = [publish(network, walk, source=source, **terms) for source in sources]
    return np.array([list(publication_bytes(file)) for file in files])


def test_no_byte_of_a_sketch_depends_on_whose_it_is() -> None:
    """Bytes that are the same in every file of one network are the same in every file of another.

    A drawn hexadecimal digit is the same in eight files once in 16^7 times; sources are fixed.
    """
    tiny = Network.parse("ab")
    large = Network.from_links([(f"x{i}", f"x{j}") for i in range(7) for j in range(i)])
    drawn = [sketch_files(tiny, Walk("ab")), sketch_files(large, Walk(["x3", "x4", "x5", "x0"]))]
    fixed = [(files == files[0]).all(axis=0) for files in drawn]
    assert np.array_equal(fixed[0], fixed[1])
    assert np.array_equal(drawn[0][0][fixed[0]], drawn[1][0][fixed[1]])
    assert 20 < (~fixed[0]).sum() < 150  # seed, values, checksums


def test_nothing_is_written_that_would_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publications, "SIZE_LIMIT", 100)
    with pytest.raises(TooLarge, match="more than the 100 that are read back"):
        made("packed").save(tmp_path / "x.veil")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(compact, "PACKED_LIMIT", 5)
    with pytest.raises(TooLarge, match="6 copies are more than the 5"):
        publication_bytes(made("packed"))


# -- hostile files --------------------------------------------------------------------------------

SMALL = {name: publication_bytes(make()) for name, make in FORMS.items()}


def rewritten(data: bytes, change: Change) -> bytes:
    """The same file with other facts, its checksums right."""
    facts = json.loads(Container(data, "x").read("facts", limit=1 << 20).tobytes())
    change(facts)
    return with_section(data, "facts", json.dumps(facts).encode())


EMPTY: list[Any] = [[], {}, ["a"], None]
LIES: dict[str, list[Change]] = {
    "packed": [
        put(["form"], "packed"),
        put(["format"], "pickle"),
        put(["version"], 2),
        put(["sketch"], {"capacity": 20, "planes": 1, "threshold": 1}),
        *(put(["policy", "parameters"], value) for value in ([["a", "b"]], {"a": 1}, "ab")),
        put(["layering"], "backtracking"),
        put(["bits"], ""),
        put(["unsafe"], 3),
        *(put(["vertices"], each) for each in EMPTY),
        *(put(["vertices", 0, "name"], value) for value in ("", 1, "z")),
        *(put(["vertices", 0, "copies"], value) for value in (0, 2, 10**9, 1 << 60)),
    ],
    "series": [put(["salt"], value) for value in (None, "0" * 30, 7)],
    "sketch": [
        *(put(["sketch", "capacity"], value) for value in (1 << 40, 40, 0)),
        put(["sketch", "planes"], 2),
        *(put(["sketch", "threshold"], value) for value in (2, True)),
        *(put(["sketch"], each) for each in EMPTY),
        put(["vertices"], [{"name": "a", "copies": 1}]),
    ],
}


def test_a_lie_in_the_facts_is_refused() -> None:
    for name, changes in LIES.items():
        for number, change in enumerate(changes):
            with pytest.raises(BadFile):
                opened(Container(rewritten(SMALL[name], change), f"{name} {number}"))


def with_section(data: bytes, name: str, content: bytes) -> bytes:
    """The same file with another content of a section, its checksums right."""
    file = Container(data, "x")
    sections = [
        containers.pack(s, content if s == name else file.read(s, limit=1 << 20).tobytes())
        for s in ("facts", "drawing", "bits", "values")
        if s in file.names()
    ]
    return containers.contained(sections)


SECTIONS: dict[tuple[str, str], list[bytes]] = {
    ("packed", "facts"): [b'{"a"', b"\xff", b"{}", b"[]"],
    ("packed", "bits"): [b"\xff\xff", b"\xff"],
    ("sketch", "values"): [b"\xff" * 51, b"\xff" * 19],
    ("paper", "drawing"): [b"\xff", b"{}"],
}


def test_a_lie_in_a_section_is_refused() -> None:
    for (name, section), contents in SECTIONS.items():
        for content in contents:
            with pytest.raises(BadFile):
                opened(Container(with_section(SMALL[name], section, content), "x.veil"))


def test_a_file_that_is_a_pipe_or_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.veil").write_bytes(b"")
    with pytest.raises(BadFile):
        Publication.load(tmp_path / "x.veil")
    with (tmp_path / "x.veil").open("rb") as handle, pytest.raises(BadFile):
        Container.open(handle, "x.veil")
    assert opened(Container.open(io.BytesIO(SMALL["sketch"]), "pipe")) == FORMS["sketch"]()
