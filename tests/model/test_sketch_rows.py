"""The hash of a sketch: one key for a name, one row for a pair, whoever asks and how."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.model import sketch as sketch_rows
from pathveil.model.sketch import RowHash

SEED = bytes(range(16))


@settings(max_examples=40)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=12))
def test_a_key_does_not_depend_on_who_is_asked_with_it(names: list[str]) -> None:
    together = RowHash(SEED).keys(names)
    for name, key in zip(names, together, strict=True):
        assert np.array_equal(RowHash(SEED).keys([name])[0], key)


@given(st.text(max_size=40), st.text(max_size=40))
def test_other_names_have_other_keys(one: str, other: str) -> None:
    same = sketch_rows.spelled(one) == sketch_rows.spelled(other)
    keys = RowHash(SEED).keys([one, other])
    assert bool((keys[0] == keys[1]).all()) == same


@pytest.mark.parametrize(
    "names", [["a", "a\0"], ["", "\0"], ["x" * 12, "x" * 12 + "\0"], ["x" * 28, "x" * 29]]
)
def test_length_counts(names: list[str]) -> None:
    keys = RowHash(SEED).keys(names)
    assert not (keys[0] == keys[1]).all()


def test_one_spelling_one_key() -> None:
    keys = RowHash(SEED).keys(["e\u0301", "\u00e9", "\ud800"])
    assert np.array_equal(keys[0], keys[1])


def test_rows_have_no_order(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = RowHash(SEED).keys(["a", "b", "c"])
    ends = np.array([[0, 1], [1, 0], [0, 2]])
    ((_, starts, rows),) = RowHash(SEED).rows(keys, ends, 1000)
    assert np.array_equal(rows[0], rows[1])
    assert len({row.tobytes() for row in rows}) == 2
    monkeypatch.setattr(sketch_rows, "CHUNK", 2)
    parts = list(RowHash(SEED).rows(keys, ends, 1000))
    assert np.array_equal(np.concatenate([row for _, _, row in parts]), rows)
    assert np.array_equal(np.concatenate([at for _, at, _ in parts]), starts)


def test_keys_with_equal_first_words_are_ordered_by_the_second() -> None:
    keys = np.array([[5, 1], [5, 2]], dtype=np.uint64)
    assert sketch_rows.later(keys, keys[::-1]).tolist() == [False, True]
    assert sketch_rows.later(keys, keys).tolist() == [False, False], "of equals neither is higher"


def test_rows_are_the_file_format() -> None:
    """Golden: another hash would make every published sketch unreadable."""
    keys = RowHash(SEED).keys(["Amsterdam", "a name of more than twelve bytes"])
    ((_, starts, rows),) = RowHash(SEED).rows(keys, np.array([[0, 1]]), 10**6)
    assert (starts.tolist(), [hex(word) for word in rows[0].tolist()]) == GOLDEN


GOLDEN = (
    [848608],
    ["0x50c705ea56316d1d", "0x8a9106407e77cdad", "0x73347020205bf481", "0x95039e6f9e0b8781"],
)


def test_a_seed_has_sixteen_bytes() -> None:
    with pytest.raises(ValueError, match="16 bytes, found 3"):
        RowHash(b"abc")


@given(st.binary(min_size=64, max_size=64), st.integers(1, 1 << 31))
def test_a_start_is_the_high_word_of_a_product(data: bytes, bound: int) -> None:
    words = np.frombuffer(data, dtype=">u8").tolist()
    found = sketch_rows._scaled(np.array(words, dtype=np.uint64), bound)
    assert found.tolist() == [word * bound >> 64 for word in words]


def test_names_are_laid_out_at_once_unless_one_holds_the_sign_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    touched: list[str] = []
    spelled = sketch_rows.spelled

    def noted(name: str) -> bytes:
        touched.append(name)
        return spelled(name)

    monkeypatch.setattr(sketch_rows, "spelled", noted)
    RowHash(bytes(16)).keys(["a", "b\u00e9", ""])
    assert not touched
    RowHash(bytes(16)).keys(["a", "b\0c"])
    assert touched == ["a", "b\0c"]
