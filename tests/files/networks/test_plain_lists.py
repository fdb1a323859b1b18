"""Plain edge lists read in chunks give exactly what the reader of all forms gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pathveil.errors import PathveilError
from pathveil.files.networks import edge_lists, plain_lists
from pathveil.files.networks.network_reader import parse_network

NAME = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "d",
        "e f",
        "é",
        "source",
        "u",
        "#x",
        "1",
        "",
        " g",
        "h\u00a0",
        "i" * 9,
        "j" * 33,
    ]
)
SIGN = st.sampled_from([",", ";", "\t", " ", ", "])


@st.composite
def edge_list(draw: st.DrawFn) -> str:
    sign = draw(SIGN)
    end = draw(st.sampled_from(["\n", "\r\n"]))
    columns = draw(st.sampled_from([2, 2, 2, 3]))
    lines = []
    if draw(st.booleans()):
        lines.append("# a comment")
    if draw(st.booleans()):
        header = (
            ["source", "target", "weight"] if draw(st.booleans()) else ["target", "source", "w"]
        )
        lines.append(sign.join(header[:columns]))
    count = draw(st.integers(0, 6))
    lines += [sign.join(draw(NAME) for _ in range(columns)) for _ in range(count)]
    if draw(st.integers(0, 9)) == 0:
        lines.append(draw(st.sampled_from(["", "a", '"a"' + sign + "b", "# late", "x\0"])))
    return end.join(lines) + draw(st.sampled_from(["", end]))


def outcome(text: str) -> object:
    try:
        network = parse_network(text, format="edges", simplify=True, largest_component=True)
    except PathveilError as error:
        return type(error), str(error)
    return network.links


def places(text: str) -> object:
    """What is refused is refused at the same line."""
    try:
        return parse_network(text, format="edges").links
    except PathveilError as error:
        return type(error), str(error)


@settings(max_examples=200)
@given(edge_list(), st.integers(4, 40))
@example("source,target\na,b\nb,source\n", 40)
@example("a,b\nb,c\na,b\n", 40)
@example("#x\na,b\nb,c\nc,c\n", 8)
@example("to,from\na,b\nb,c", 7)
def test_both_readers_agree(text: str, chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_lists, "CHUNK", chunk)
        quick = outcome(text), places(text)
        patch.setattr(edge_lists, "plain_draft", lambda *_, **__: None)
        assert quick == (outcome(text), places(text))


def test_a_plain_file_takes_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_lists, "edges_of", None)
    assert len(parse_network("source,target\na,b\nb,c\n").links) == 2
    assert len(parse_network("a b\nb c\n").links) == 2
    assert len(parse_network("a\tb\t3\nb\tc\t4\n").links) == 2
