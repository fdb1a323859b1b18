from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pathveil.model.sketch import eight_bytes, words_of


@given(st.binary(max_size=40))
def test_a_word_begins_at_every_byte_and_zeros_follow(data: bytes) -> None:
    words = words_of(data)
    assert len(words) == len(data) + 1
    for at, word in enumerate(words.tolist()):
        assert word.to_bytes(8, "little") == (data + bytes(8))[at : at + 8]


@given(st.lists(st.binary(max_size=12), min_size=1, max_size=6), st.integers(0, 12))
def test_eight_bytes_of_each_text_or_as_many_as_there_are(texts: list[bytes], skip: int) -> None:
    """From a place within each on; what is beyond a text's end is never read as its own."""
    lengths = np.array([len(text) for text in texts])
    begins = np.cumsum(lengths) - lengths + skip
    found = eight_bytes(words_of(b"".join(texts)), begins, lengths - skip)
    for text, word in zip(texts, found.tolist(), strict=True):
        assert word.to_bytes(8, "little") == text[skip : skip + 8].ljust(8, b"\0")
