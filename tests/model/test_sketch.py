"""Reading a sketch: inner products, states, and the question of a publication."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.model import sketch as sketch_rows
from pathveil.model.positions import Positions
from pathveil.model.sketch import RowHash, SketchedBits, SketchShape, read_values


def sketch(capacity: int = 5, **facts: object) -> SketchedBits:
    planes = int(str(facts.pop("planes", 1)))
    shape = SketchShape.holding(capacity, planes=planes)
    words = np.random.default_rng(7).integers(0, 1 << 63, (planes, shape.words)).astype(np.uint64)
    words[:, -1] &= np.uint64((1 << 64 - shape.spare) - 1)
    return SketchedBits(bytes(16), shape, words, **facts)  # type: ignore[arg-type]


@given(st.data())
def test_reading_is_the_inner_product(data: st.DataObject) -> None:
    columns = data.draw(st.integers(256, 700))
    # As bytes: of whole numbers this large small ones are preferred, and words stay empty.
    z, row = (int.from_bytes(data.draw(st.binary(min_size=n, max_size=n))) for n in (88, 32))
    z &= (1 << columns) - 1
    start = data.draw(st.integers(0, columns - 256))
    low = 0xFFFFFFFFFFFFFFFF
    words = np.array([[z >> 64 * k & low for k in range((columns + 63) // 64)]], dtype=np.uint64)
    rows = np.array([[row >> 64 * k & low for k in range(4)]], dtype=np.uint64)
    expected = (z >> start & row).bit_count() & 1
    assert read_values(words, np.array([start]), rows).tolist() == [expected]


def test_it_answers_the_question_of_a_publication() -> None:
    bits = sketch()
    asked = bits.positions_of(["b", "a", "c", "a"])
    assert asked == Positions.uniform(("a", "b", "c"), 1)
    pairs = np.array([[0, 1], [1, 0], [1, 2], [0, 2]])
    shown = bits.same_branch(asked, pairs)
    assert shown[0] == shown[1]
    # One participant asks with its own names and reads the same.
    for (i, j), whole in zip(pairs.tolist(), shown.tolist(), strict=True):
        own = bits.positions_of([asked.vertices[i], asked.vertices[j]])
        assert bits.same_branch(own, np.array([[0, 1]])).tolist() == [whole]


def test_a_threshold_shows_values_below_it_on_the_walk() -> None:
    low, high = sketch(planes=3, threshold=2), sketch(planes=3, threshold=5)
    asked = low.positions_of([f"v{i}" for i in range(40)])
    pairs = np.stack(np.triu_indices(40, 1), axis=1)
    values = low.pair_values(asked.vertices, pairs)
    assert set(values.tolist()) == set(range(8))
    assert np.array_equal(low.same_branch(asked, pairs), values >= 2)
    assert np.array_equal(high.same_branch(asked, pairs), values >= 5)


def test_equal_by_value() -> None:
    assert sketch() == sketch()
    assert hash(sketch()) == hash(sketch())
    assert sketch() != sketch(threshold=0)
    assert sketch().__eq__(3) is NotImplemented
    assert repr(sketch()) == "<SketchedBits: 33 bytes>"


@pytest.mark.parametrize(
    ("seed", "words", "message"),
    [
        (bytes(3), np.zeros((1, 5), dtype=np.uint64), "16 bytes"),
        (bytes(16), np.zeros((1, 4), dtype=np.uint64), r"\(1, 5\) words"),
        (bytes(16), np.full((1, 5), 1 << 63, dtype=np.uint64), "spare bits"),
    ],
)
def test_a_sketch_that_is_none_is_refused(seed: bytes, words: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SketchedBits(seed, SketchShape.holding(5), words)


def test_every_bit_of_a_column_may_be_set_and_no_other() -> None:
    shape = SketchShape.holding(5)
    words = np.full((1, shape.words), (1 << 64) - 1, dtype=np.uint64)
    words[0, -1] >>= np.uint64(shape.spare)
    assert SketchedBits(bytes(16), shape, words.copy()).words.any()
    words[0, -1] += np.uint64(1)  # the lowest of the spare bits
    with pytest.raises(ValueError, match="spare bits"):
        SketchedBits(bytes(16), shape, words)


@pytest.mark.parametrize(
    "make",
    [
        lambda: SketchShape(0),
        lambda: SketchShape.holding(0),
        lambda: SketchShape(4, planes=33),  # a value is a word of 32 bits
        lambda: SketchShape(4, width=257),
    ],
)
def test_a_shape_that_is_none_is_refused(make: Callable[[], SketchShape]) -> None:
    with pytest.raises(ValueError, match="sketch"):
        make()


@pytest.mark.parametrize("width", [1, 63, 64, 100, 255, 256])
def test_a_narrow_row_has_no_coefficient_beyond_its_width(width: int) -> None:
    full = np.full((1, 4), 0xFFFFFFFFFFFFFFFF, dtype=np.uint64)
    (kept,) = SketchShape(9, width=width).masked(full).tolist()
    assert sum(word << 64 * place for place, word in enumerate(kept)) == (1 << width) - 1


def test_what_is_read_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        sketch().words[0, 0] = 1


def test_a_plane_takes_as_many_words_as_its_columns_fill() -> None:
    for columns in (1, 63, 64, 65, 128, 129, 64 * 64, 64 * 64 + 1):
        shape = SketchShape(columns, width=1)
        assert shape.columns == columns
        assert 64 * (shape.words - 1) < columns <= 64 * shape.words
        assert shape.spare == 64 * shape.words - columns
        assert 8 * (shape.bytes - 1) < columns <= 8 * shape.bytes


def test_all_it_says_is_in_its_bytes() -> None:
    """Nobody swaps a number of the shape, or the threshold, under the same digest."""
    bits = sketch(planes=8, capacity=5, threshold=28)
    head, shape = bits.content()[6:46], bits.shape
    numbers = [int.from_bytes(head[k : k + 8], "big") for k in range(0, 40, 8)]
    assert numbers == [shape.starts, 8, 256, 0, 28]
    assert bits.content()[:6] == b"sketch"
    assert bits.content()[46:] == bytes(16) + bits.words.astype("<u8").tobytes()


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


@given(st.binary(min_size=64, max_size=64), st.integers(1, 1 << 31))
def test_a_start_is_the_high_word_of_a_product(data: bytes, bound: int) -> None:
    words = np.frombuffer(data, dtype=">u8").tolist()
    found = sketch_rows._scaled(np.array(words, dtype=np.uint64), bound)
    assert found.tolist() == [word * bound >> 64 for word in words]
