"""Numbering by array work is what a dictionary does; what it cannot do it says."""

from __future__ import annotations

from itertools import count, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.files.networks import name_index
from pathveil.files.networks.name_index import LONGEST, NameIndex
from pathveil.files.networks.network_reader import parse_network
from pathveil.model.graph_index import IndexArray
from pathveil.model.sketch import words_of

NAME = st.one_of(
    st.text("ab", min_size=1, max_size=3),
    st.text("abcdefgh", min_size=7, max_size=17),
    st.text("aé日", min_size=1, max_size=10),
)


def numbered(index: NameIndex, names: list[str]) -> IndexArray | None:
    raw = [name.encode() for name in names]
    lengths = np.array([len(name) for name in raw], dtype=np.int64)
    return index.numbers(words_of(b",".join(raw)), np.cumsum(lengths + 1) - lengths - 1, lengths)


@given(st.lists(st.lists(NAME, max_size=30), max_size=8))
def test_it_numbers_as_a_dictionary_does(chunks: list[list[str]]) -> None:
    index, known, numbers = NameIndex(), dict[str, int](), count()
    for chunk in chunks:
        expected = [
            known[name] if name in known else known.setdefault(name, next(numbers))
            for name in chunk
        ]
        found = numbered(index, chunk)
        assert found is not None
        assert found.tolist() == expected
    assert index.names() == list(known)


def test_runs_stay_few() -> None:
    index = NameIndex()
    for first in range(0, 3000, 10):
        numbered(index, [f"v{i}" for i in range(first, first + 10)])
    assert len(index.names()) == 3000
    assert len(index._runs) <= 12


@pytest.mark.parametrize("long", [False, True])
def test_what_it_cannot_number_goes_to_a_dictionary(
    *, long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"vertex number {i}" + "." * (LONGEST if long and i == 7 else 0) for i in range(9)]
    if not long:
        # Two names with one key, in the same chunk or in another.
        monkeypatch.setattr(name_index, "_mixed", lambda parts: parts[0] & np.uint64(0xFF))
        assert numbered(NameIndex(), ["va", "vb"]) is None
        index = NameIndex()
        assert numbered(index, ["va"]) is not None
        assert numbered(index, ["vb"]) is None
    else:
        assert numbered(NameIndex(), names) is None
    edges = list(pairwise(names))
    text = "".join(f"{u},{v}\n" for u, v in edges)
    for chunk in (64, 1 << 22):
        monkeypatch.setattr("pathveil.files.networks.plain_lists.CHUNK", chunk)
        assert set(parse_network(text).links) == {tuple(sorted(edge)) for edge in edges}
