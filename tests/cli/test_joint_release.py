"""pathveil together: one release of several walks, there whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil.cli.main import run
from pathveil.model.publication import Publication


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.csv").write_text("a,b\nb,c\nc,d\nb,d\n")
    (tmp_path / "walks.txt").write_text("a,b,c\nb,d,c\n")
    return tmp_path


def test_walks_published_together_are_read_one_by_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["together", "net.csv", "walks.txt", "-o", "both", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["walks"], told["files"]) == (2, ["000001.veil.json", "000002.veil.json"])
    for name, walk in zip(told["files"], (["a", "b", "c"], ["b", "d", "c"]), strict=True):
        file = f"both/{name}"
        assert run(["reconstruct", file, "net.csv", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["walk"] == walk
        assert run(["verify", file, "net.csv", "-q"]) == 0
        bound = Publication.load(file).certificate.bound(walk_links=1)
        assert bound is not None
        assert str(bound.presence) == "ln 3 = 1.0987"


@pytest.mark.parametrize(
    ("walks", "said"),
    [
        ("a,b,c\nc,b,d\n", "share the link 'b' - 'c'"),
        ("a,b\nb,x\n", "walks.txt, line 2: 'x' is no vertex"),
        ("# nothing\n", "holds no walk"),
    ],
)
def test_what_cannot_be_published_leaves_nothing(
    folder: Path, walks: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "walks.txt").write_text(walks)
    assert run(["together", "net.csv", "walks.txt", "-o", "both"]) == 2
    assert said in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["net.csv", "walks.txt"]


def test_a_folder_that_is_there_is_not_touched(folder: Path) -> None:
    (folder / "both").mkdir()
    assert run(["together", "net.csv", "walks.txt", "-o", "both"]) == 2
    assert run(["together", "net.csv", "walks.txt", "-o", "-"]) == 2
    assert run(["together", "net.csv", "walks.txt", "-o", "no/such/both"]) == 2
    assert list((folder / "both").iterdir()) == []
