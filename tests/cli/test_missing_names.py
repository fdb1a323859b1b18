"""Names after --lacking, also those that look like options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.cli.command_line import names_apart
from pathveil.cli.main import run

OPTIONS = {"--json", "--lacking", "--spanning", "-h"}


@given(
    st.lists(st.sampled_from(["-1", "-2", "a", "-x"]), max_size=4),
    st.sampled_from([[], ["--json"]]),
)
def test_names_keep_their_order_and_options_stay_options(names: list[str], tail: list[str]) -> None:
    apart = names_apart(["f", "n", "--lacking", *names, *tail], OPTIONS)
    flat = [word for word in apart if word != "--"]
    assert [w for w in flat if w not in OPTIONS] == ["f", "n", *names]
    assert ("--json" in apart) == bool(tail)
    if any(name.startswith("-") for name in names):
        assert apart[apart.index("--") + 1 :] == names
        assert "--json" not in apart[apart.index("--") :]


def test_words_that_were_set_apart_already_are_left_alone() -> None:
    words = ["f", "n", "--lacking", "--", "-1", "--json"]
    assert names_apart(words, OPTIONS) == words
    assert names_apart(["f", "-h"], OPTIONS) == ["f", "-h"]


@pytest.mark.parametrize("tail", [["-1", "2"], ["2", "-1"], ["-1", "2", "--json"]])
def test_a_vertex_may_be_called_minus_one(
    tmp_path: Path, tail: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    network, walk, file = (str(tmp_path / name) for name in ("n.csv", "w.txt", "f.veil.json"))
    Path(network).write_text("source,target\n-1,2\n2,3\n3,4\n-1,4\n2,4\n", encoding="utf-8")
    Path(walk).write_text("-1\n2\n3\n4\n", encoding="utf-8")
    seeded = ["--seed", "1", "--unsafe"]
    assert run(["publish", network, walk, "-o", file, *seeded]) == 0
    capsys.readouterr()
    assert run(["attack", file, network, "--json", "--lacking", *tail]) == 0
    found = json.loads(capsys.readouterr().out)
    assert any("-1 - 2" in row["candidate"] for row in found["candidates"])
    assert run(["attack", file, network, "--spaning", "--lacking", "-1", "2"]) == 2
    assert "--spaning: no such option" in capsys.readouterr().err
