"""``*.veil``: both forms there and back, lossless beside JSON, hostile files refused."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil import Network, Policy, Publication, Seeded, Walk, publish, reconstruct
from pathveil.errors import BadFile, TooLarge
from pathveil.files.publications import any_publication as publications
from pathveil.files.publications import compact
from pathveil.files.publications import container as containers
from pathveil.files.publications.compact import opened, publication_bytes
from pathveil.files.publications.container import Container
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.bits import PackedBits

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


def saved(folder: Path, publication: Publication) -> Path:
    publication.save(folder / "x.veil.json")
    return folder / "x.veil.json"


def test_a_sketch_has_no_name_and_no_number_in_it() -> None:
    """The same public terms give files of one size with the same facts."""
    names = Network.from_links([("Amsterdam", "Berlin"), ("Berlin", "Copenhagen")])
    other = Network.from_links([(f"x{i}", f"x{i + 1}") for i in range(19)])
    made_of = []
    for network, walk in ((names, names.vertices), (other, ["x3", "x4", "x5"])):
        file = publish(network, Walk(walk), form="sketch", capacity=20, direction="hidden")
        data = publication_bytes(file)
        made_of.append((Container(data, "x").read("facts", limit=1 << 20).tobytes(), len(data)))
        assert not any(name.encode() in data for name in ("Amsterdam", "Berlin", "x3"))
    assert made_of[0] == made_of[1]


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


def large(policy: Policy | None = None) -> tuple[Network, Publication]:
    """A ring of 2,000: two chunks of bits."""
    ring = Network.from_links([(i, (i + 1) % 2000) for i in range(2000)])
    walk = Walk(range(300))
    return ring, publish(ring, walk, policy=policy, source=Seeded(4))


def test_size_is_that_of_the_coins(tmp_path: Path) -> None:
    _, fair = large()
    packed = 2000 * 1999 / 16
    head = len(publication_bytes(made("packed"))) + 2000 * 8
    assert len(publication_bytes(fair)) < packed + head


# -- hostile files --------------------------------------------------------------------------------

SMALL = {name: publication_bytes(make()) for name, make in FORMS.items()}


def rewritten(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The same file with other facts, its checksums right."""
    facts = json.loads(Container(data, "x").read("facts", limit=1 << 20).tobytes())
    change(facts)
    return with_section(data, "facts", json.dumps(facts).encode())


def put(*path: str | int, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(header: dict[str, Any]) -> None:
        here: Any = header
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = value

    return change


EMPTY: list[Any] = [[], {}, ["a"], None]
LIES: dict[str, list[Callable[[dict[str, Any]], None]]] = {
    "packed": [
        put("form", value="packed"),
        put("format", value="pickle"),
        put("version", value=2),
        put("sketch", value={"capacity": 20, "planes": 1, "threshold": 1}),
        *(put("policy", "parameters", value=value) for value in ([["a", "b"]], {"a": 1}, "ab")),
        put("layering", value="backtracking"),
        put("bits", value=""),
        put("unsafe", value=3),
        *(put("vertices", value=each) for each in EMPTY),
        *(put("vertices", 0, "name", value=value) for value in ("", 1, "z")),
        *(put("vertices", 0, "copies", value=value) for value in (0, 2, 10**9, 1 << 60)),
    ],
    "series": [put("salt", value=value) for value in (None, "0" * 30, 7)],
    "sketch": [
        *(put("sketch", "capacity", value=value) for value in (1 << 40, 40, 0)),
        put("sketch", "planes", value=2),
        *(put("sketch", "threshold", value=value) for value in (2, True)),
        *(put("sketch", value=each) for each in EMPTY),
        put("vertices", value=[{"name": "a", "copies": 1}]),
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


def read_whole(data: bytes) -> None:
    found = opened(Container(data, "x.veil"))
    if isinstance(found.bits, PackedBits):
        found.bits.pairs.count()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(SMALL)), st.data())
def test_damage_anywhere_is_refused(name: str, data: st.DataObject) -> None:
    """Truncated, flipped, bytes swapped in: refused, or (behind no checksum) never."""
    whole = SMALL[name]
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    damaged = damaged[: data.draw(st.integers(len(whole) // 2, len(whole)))]
    if bytes(damaged) == whole:
        return
    with pytest.raises(BadFile):
        read_whole(bytes(damaged))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["packed", "sketch", "sketch, rate"]), st.data())
def test_any_value_in_the_facts_is_refused_or_read(name: str, data: st.DataObject) -> None:
    """Checksums right, one value of the facts replaced: an error of ours or a publication."""
    odd = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 1 << 70),
        st.text(max_size=4),
        st.lists(st.integers(0, 3), max_size=2),
        st.just({}),
    )

    def change(header: dict[str, Any]) -> None:
        here: Any = header
        while True:
            keys = list(here) if isinstance(here, dict) else list(range(len(here)))
            key = data.draw(st.sampled_from(keys))
            if isinstance(here[key], dict | list) and here[key] and data.draw(st.booleans()):
                here = here[key]
                continue
            here[key] = data.draw(odd)
            return

    try:
        found = opened(Container(rewritten(SMALL[name], change), "x.veil"))
    except BadFile:
        return
    assert isinstance(found, Publication)


def test_a_file_that_is_a_pipe_or_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.veil").write_bytes(b"")
    with pytest.raises(BadFile):
        Publication.load(tmp_path / "x.veil")
    with (tmp_path / "x.veil").open("rb") as handle, pytest.raises(BadFile):
        Container.open(handle, "x.veil")
    assert opened(Container.open(io.BytesIO(SMALL["sketch"]), "pipe")) == FORMS["sketch"]()
