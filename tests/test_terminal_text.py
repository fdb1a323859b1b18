"""Text for terminals: nothing in it is obeyed, and nothing readable is lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.wording import safe_text

ANY = st.text(st.characters())


@given(ANY)
def test_no_sign_that_is_obeyed_is_left(text: str) -> None:
    for sign in safe_text(text):
        assert sign in "\n\t\u200c\u200d" or unicodedata.category(sign) not in {
            *("Cc", "Cf", "Cs", "Zl", "Zp")
        }


@given(ANY)
def test_it_is_settled_after_one_pass(text: str) -> None:
    assert safe_text(safe_text(text)) == safe_text(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_what_is_readable_stays(text: str) -> None:
    assert safe_text(text) == text


@pytest.mark.parametrize(
    ("sign", "written"),
    [("\x1b", r"\x1b"), ("\x9b", r"\x9b"), ("\u202e", r"\u202e"), ("\U000e0041", r"\U000e0041")],
)
def test_signs_are_written_out(sign: str, written: str) -> None:
    assert safe_text(f"a{sign}b") == f"a{written}b"
