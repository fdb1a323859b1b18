"""Bits that stay in their file answer as bits in memory do, and decode only what is asked for."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil import Network, Publication, Seeded, Walk, publish
from pathveil.files.publications.compact import StoredPairBits
from pathveil.files.publications.container import CHUNK
from pathveil.model.bits import PairBits


def stored(folder: Path, size: int) -> tuple[StoredPairBits, PairBits]:
    """The same bits, in a file and in memory."""
    network = Network.from_links((i, i + 1) for i in range(size - 1))
    release = publish(network, Walk(range(size // 2)), source=Seeded(size))
    release.save(folder / "x.veil", overwrite=True)
    found = Publication.load(folder / "x.veil").packed.pairs
    assert isinstance(found, StoredPairBits)
    return found, release.packed.pairs


@settings(max_examples=20, deadline=None)
@given(size=st.integers(4, 40), data=st.data())
def test_every_bit_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, size: int, data: st.DataObject
) -> None:
    file, memory = stored(tmp_path_factory.mktemp("bits"), size)
    pairs = st.lists(st.integers(0, size * (size - 1) // 2 - 1), min_size=1)
    places = np.array(data.draw(pairs), dtype=np.int64)
    assert file.at(places).tolist() == memory.at(places).tolist()
    i, j = data.draw(st.permutations(range(size)))[:2]
    assert file.same_branch(i, j) == memory.same_branch(i, j)
    assert file == memory


def test_one_pair_decodes_one_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A participant's look-up must not cost the whole file."""
    size = 3000
    file, memory = stored(tmp_path, size)
    assert size * (size - 1) // 16 > 4 * CHUNK, "several chunks"
    asked: list[int] = []
    container = file._container  # type: ignore[attr-defined]
    chunk = type(container).chunk

    def counted(self: object, name: str, number: int) -> object:
        asked.append(number)
        return chunk(self, name, number)

    monkeypatch.setattr(type(container), "chunk", counted)
    assert file.same_branch(3, 9) == memory.same_branch(3, 9)
    assert len(set(asked)) == 1
    assert "packed" not in file.__dict__


def test_sent_elsewhere_the_bits_go_along(tmp_path: Path) -> None:
    file, memory = stored(tmp_path, 12)
    again = pickle.loads(pickle.dumps(file))  # noqa: S301 - our own
    assert type(again) is PairBits
    assert again == memory
