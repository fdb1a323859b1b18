"""The lines of a batch: numbered as in the file, each a walk or a reason that names its line."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.batching.batch_run import (
    Failure,
    line_failure,
    lines_of,
    read_walks,
    repeated_lines,
    walk_on,
)
from pathveil.errors import BadFile, NotAWalk
from pathveil.model.network import Network
from pathveil.model.walk import Walk

NETWORK = Network.parse("ab bc cd")


def test_lines_keep_the_numbers_they_have_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "walks.txt"
    path.write_text("# today\n\na,b\n   # more\n  b,c\n")
    assert read_walks(path) == [(3, "a,b"), (5, "  b,c")]
    assert list(lines_of(path)) == list(lines_of(str(path))) == read_walks(path)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_a_file_without_walks_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "walks.txt"
    path.write_text(text)
    with pytest.raises(BadFile, match=r"walks.txt: holds no walk; write one walk a line"):
        read_walks(path)


NAMES = st.text("ab,\"'# \n[]é", min_size=1, max_size=6).filter(lambda name: name == name.strip())


@given(st.lists(NAMES, min_size=2, max_size=4, unique=True))
def test_walks_that_are_given_read_back_whatever_their_names(names: list[str]) -> None:
    """A name may hold the comma that parts names in a file."""
    network = Network.from_links(pairwise(names))
    ((line, text),) = lines_of([Walk(names)])
    assert (line, "\n" in text) == (1, False)
    assert walk_on(line, text, network) == Walk(names)


@pytest.mark.parametrize(
    ("text", "why"),
    [("a,c", "'a' -> 'c'"), ("a,x", "'x'"), ("a", ""), ('["a", 1', ""), ('{"a": 1}', "")],
)
def test_what_is_no_walk_says_so_with_its_line_once(text: str, why: str) -> None:
    found = walk_on(7, text, NETWORK)
    assert isinstance(found, Failure)
    assert found.line == 7
    assert found.message.startswith("line 7")
    assert found.message.count("line 7") == 1
    assert "line 1" not in found.message
    assert why in found.message


def test_a_reason_without_a_line_gets_one() -> None:
    assert line_failure(4, NotAWalk("too short")) == Failure(4, "line 4: too short")
    assert line_failure(4, NotAWalk("line 4, line 1: odd")) == Failure(4, "line 4: odd")


def test_a_walk_and_its_way_back_are_two_walks_and_failures_none() -> None:
    failed = Failure(2, "line 2: no")
    parsed: dict[int, Walk | Failure] = {1: Walk("abc"), 2: failed, 3: failed, 5: Walk("cba")}
    parsed |= {8: Walk("abc"), 9: Walk("abc")}
    assert repeated_lines(parsed) == ((8, 1), (9, 1))
    assert repeated_lines({}) == ()
