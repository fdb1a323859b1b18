"""Publication files: canonical bytes, exact round trips, and every contradiction refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.errors import BadFile, BadPublication
from pathveil.files.publications.any_publication import read_publication, write_publication
from pathveil.files.publications.size_limits import copies_of_bits
from pathveil.files.publications.veil_json import parse_publication, publication_text
from pathveil.files.publications.veil_schema import SCHEMA_PATH, schema_text
from pathveil.model.bits import PackedBits, pair_count
from pathveil.model.certificate import (
    Adversary,
    Certificate,
    CertificateRow,
    Identification,
    Loss,
    PolicyTerms,
)
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.model.universe import Universe


def figure3() -> Publication:
    """The paper's running example: b c / a d e / f."""
    positions = Positions(tuple("abcdef"), (1,) * 6)
    arcs = [(2, 0), (2, 4), (1, 3), (1, 4), (0, 5), (3, 5)]
    graph = LayeredGraph.build(positions, range(6), [1, 0, 0, 1, 1, 2], arcs)
    row = CertificateRow(
        Adversary(walk_links=1, copies=(1, 2)), Loss("ln 2", "0.6932"), Loss("inf", "inf")
    )
    told = Identification(4, "0.2500", "0.4688", "0.1250")
    terms = PolicyTerms("paper", (("vertex", "1"), ("link", "1/2")))
    drawn = Publication.of_drawing(graph, terms)
    return replace(drawn, certificate=Certificate((row,), ("copies",), (told,)))


GOLDEN = Path(__file__).with_name("figure3.veil.json").read_text("utf-8")

words = st.text(st.characters(codec="utf-8"), max_size=6)
names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
counts = st.integers(1, 9)
adversaries = st.builds(
    Adversary,
    st.sampled_from(["lacks-links", "counts-copies", "knows-direction"]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.none() | counts,
    st.none() | st.tuples(counts, counts),
    counts,
)
losses = st.builds(Loss, words, st.sampled_from(["0", "0.6932", "inf", "12", "1e-7", "-0.5"]))


@st.composite
def universes(draw: st.DrawFn) -> Universe:
    pairs = draw(st.lists(st.tuples(names, names).filter(lambda pair: pair[0] != pair[1])))
    return Universe.of(pairs)


@st.composite
def publications(draw: st.DrawFn) -> Publication:
    """Any layered graph: random copies, pieces, layers; arcs go down."""
    vertices = tuple(sorted(draw(st.sets(names, min_size=1, max_size=6))))
    counts = tuple(draw(st.integers(1, 3)) for _ in vertices)
    positions = Positions(vertices, counts)
    pieces = [draw(st.integers(1, 2)) for _ in range(len(positions))]
    owner = np.repeat(np.arange(len(positions)), pieces)
    layer = [draw(st.integers(0, 3)) for _ in owner]
    pairs = [(a, b) for a in range(len(owner)) for b in range(len(owner)) if layer[a] < layer[b]]
    arcs = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    exact = draw(st.booleans())
    rows = st.builds(CertificateRow, adversaries, losses, losses, st.booleans())
    parameters = draw(st.dictionaries(names, words, max_size=3))
    layered = LayeredGraph.build(positions, owner, layer, arcs)
    drawn = Publication(
        PackedBits(positions, layered.bits()),
        layering="exact" if exact else "backtracking",
        direction=draw(st.none() | st.booleans()) if exact else None,
        drawing=None if exact else layered,
        policy=PolicyTerms(draw(names), tuple(parameters.items()), draw(st.booleans())),
        certificate=Certificate(
            tuple(draw(st.lists(rows, max_size=2))), tuple(draw(st.lists(words, max_size=2)))
        ),
        unsafe=draw(st.booleans()),
    )
    salt = draw(st.none() | st.binary(min_size=16, max_size=16).map(bytes.hex))
    return replace(drawn, universe=draw(st.none() | universes()), salt=salt).showing(layered)


@settings(max_examples=50, deadline=None)
@given(publications())
def test_reading_undoes_writing(publication: Publication) -> None:
    text = publication_text(publication)
    again = parse_publication(text)
    assert again == publication
    assert publication_text(again) == text
    text.encode()
    found, schema = json.loads(text), jsonschema.Draft202012Validator(json.loads(schema_text()))
    schema.validate(found)
    assert not schema.is_valid({**found, "walk": ["a"]})
    assert not schema.is_valid({key: found[key] for key in found if key != "bits"})


def test_only_the_order_of_keys_is_free() -> None:
    found = json.loads(GOLDEN)
    mixed = dict(sorted(found.items(), reverse=True))
    assert publication_text(parse_publication(json.dumps(mixed))) == GOLDEN
    for key in ("vertices", "nodes", "layers", "arcs"):
        with pytest.raises(BadPublication):
            parse_publication(json.dumps({**found, key: found[key][::-1]}))


def test_the_running_example_has_these_bytes(tmp_path: Path) -> None:
    path = tmp_path / "route.veil.json"
    write_publication(figure3(), path)
    assert path.read_bytes() == GOLDEN.encode()
    assert read_publication(path) == figure3()
    assert [p.name for p in tmp_path.iterdir()] == ["route.veil.json"]


def test_the_committed_schema_is_current() -> None:
    assert SCHEMA_PATH.read_text(encoding="utf-8") == schema_text()
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text()))


Change = Callable[[dict[str, Any]], object]


def put(path: list[str | int], value: Any) -> Change:
    def change(found: dict[str, Any]) -> None:
        part: Any = found
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = value

    return change


LONG = "a" * 20_001
FIRST = {"place": 1, "before": None, "release": "0" * 64}
BAD: list[tuple[str, type[BadFile], Change]] = [
    ("is no publication", BadFile, put(["format"], "other")),
    *(("is no publication", BadFile, put(["version"], value)) for value in (2, "1", True)),
    ("arcs: is missing", BadFile, lambda f: f.pop("arcs")),
    ("policy.name: is missing", BadFile, lambda f: f["policy"].pop("name")),
    ("walk: is no key", BadFile, put(["walk"], ["a"])),
    ("vertices[0].x: is no key", BadFile, put(["vertices", 0, "x"], 1)),
    *(("arcs[0][0]", BadFile, put(["arcs", 0], [value])) for value in (5.0, True)),
    ("layers[2][0]", BadFile, put(["layers", 2, 0], -1)),
    ("nodes[2][1]", BadFile, put(["nodes", 2], ["c", -1, 0])),
    ("vertices[1].copies", BadFile, put(["vertices", 1, "copies"], 0)),
    ("nodes[1][2]: is missing", BadFile, put(["nodes", 1], ["b", 0])),
    ("vertices[0].name", BadFile, put(["vertices", 0, "name"], "")),
    *(
        (f"certificate.{part}[0]", BadFile, put(["certificate", part, 0, *path], value))
        for part, path in (
            ("rows", ["presence", "decimal"]),
            ("identification", ["after"]),
            ("rows", ["adversary", "walk_links"]),
        )
        for value in ("1e999999999", "1/0", "nan", "9" * 4000, -1, 10**20)
    ),
    ("layering", BadFile, put(["layering"], "magic")),
    ("layers[3]", BadFile, lambda f: f["layers"].append([])),
    ("layering", BadPublication, put(["direction"], True)),
    ("vertices", BadPublication, put(["vertices"], [])),
    ("vertices", BadPublication, put(["vertices", 1, "name"], "a")),
    ("vertices[0].copies", BadFile, put(["vertices", 0, "copies"], 10**30)),
    *(("vertices", BadPublication, put(["vertices", 0, "copies"], n)) for n in (2, 10**15)),
    *(("nodes[3]", BadPublication, put(["nodes", 3, k], v)) for k, v in ((0, "z"), (1, 4))),
    *(("nodes", BadPublication, put(["nodes", 3, 2], piece)) for piece in (1, 1 << 32)),
    ("nodes", BadPublication, put(["nodes", 3], ["c", 0, 0])),
    ("layers", BadPublication, lambda f: f["layers"].pop()),
    *(("layers", BadPublication, lambda f, n=n: f["layers"][2].append(n)) for n in (1, 6)),
    ("arcs", BadPublication, lambda f: f["arcs"].pop()),
    ("arcs", BadPublication, put(["arcs"], [])),
    ("arcs", BadPublication, put(["arcs", 1, 1], 17)),
    ("arcs[1][1]", BadFile, put(["arcs", 1, 1], 10**30)),
    ("nodes, layers and arcs", BadPublication, put(["arcs", 0], [5, 5])),
    *(("nodes, layers and arcs", BadPublication, put(["arcs", 5], [n])) for n in (2, 5)),
    ("nodes, layers and arcs", BadPublication, put(["arcs", 4], [0])),
    ("nodes, layers and arcs", BadPublication, lambda f: f["layers"].reverse()),
    *(("bits", BadPublication, put(["bits"], text)) for text in ("4b", "4bb5", "cbb4", "0bb4")),
    *(("the salt", BadPublication, put(["salt"], text)) for text in ("0" * 31, "F" * 32)),
    ("salt", BadFile, put(["salt"], 7)),
    ("the salt", BadPublication, put(["series"], FIRST)),
    ("bits", BadFile, put(["bits"], "4BB4")),
    ("universe", BadPublication, put(["universe"], {"pairs": [["b", "a"]]})),
    ("vertices", BadPublication, put(["vertices"], [0] * 10_001)),
    ("nodes", BadPublication, put(["nodes"], [0] * 20_001)),
    ("layers", BadPublication, put(["layers"], [[]] * 10_001)),
    ("arcs", BadPublication, put(["arcs"], [[]] * 10_001)),
    ("members of layers", BadPublication, put(["layers"], [[0] * 20_001])),
    ("universe.pairs", BadPublication, put(["universe"], {"pairs": [0] * 10_001})),
    ("certificate.rows[0]", BadFile, put(["certificate", "rows"], [0] * 20_001)),
    ("policy.name", BadFile, put(["policy", "name"], LONG)),
    ("policy.parameters.k", BadFile, put(["policy", "parameters"], {"k": LONG})),
    ("policy.parameters", BadFile, put(["policy", "parameters"], {LONG: ""})),
    ("certificate.not_protected[0]", BadFile, put(["certificate", "not_protected"], [LONG])),
    (
        "policy.parameters",
        BadFile,
        put(["policy", "parameters"], dict.fromkeys(map(str, range(65)), "")),
    ),
]


def test_contradictions_are_refused_with_the_path(tmp_path: Path) -> None:
    path = tmp_path / "x.veil.json"
    for place, error, change in BAD:
        found = json.loads(GOLDEN)
        change(found)
        path.write_text(json.dumps(found))
        with pytest.raises(BadFile) as caught:
            read_publication(path)
        message = str(caught.value)
        assert type(caught.value) is error, message
        assert message.startswith(f"{path}: {place}"), message
        assert len(message) < 600, place


def test_nothing_of_bits_and_drawing_changes_alone() -> None:
    good = json.loads(GOLDEN)
    data = bytes.fromhex(good["bits"])
    for place in range(15):
        turned = bytearray(data)
        turned[place >> 3] ^= 0x80 >> (place & 7)
        with pytest.raises(BadPublication, match="by the bits and not by the drawing"):
            parse_publication(json.dumps({**good, "bits": turned.hex()}))
    for upper, row in enumerate(good["arcs"]):
        for place in range(len(row)):
            arcs = [list(r) for r in good["arcs"]]
            del arcs[upper][place]
            with pytest.raises(BadPublication, match="by the bits and not by the drawing"):
                parse_publication(json.dumps({**good, "arcs": arcs}))


def test_copies_follow_from_the_length_of_their_bits() -> None:
    for copies in range(1, 400):
        digits = 2 * ((pair_count(copies) + 7) // 8)
        assert copies <= copies_of_bits(digits) <= copies + 8


def test_values_that_cannot_be_canonical_are_not_written() -> None:
    good = figure3()
    graph = good.layered
    for layered, terms, said in [
        (graph, PolicyTerms("\ud800"), "surrogate"),
        (
            LayeredGraph.build(Positions(("b", "a"), (1, 1)), [0, 1], [0, 1], []),
            good.policy,
            "sorted by name",
        ),
    ]:
        with pytest.raises(BadPublication, match=said):
            publication_text(Publication.of_drawing(layered, terms))
