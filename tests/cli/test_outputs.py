"""Nothing is lost: inputs are never replaced, existing files only on demand, devices never."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

import pytest
import typer

from pathveil.cli.main import run
from pathveil.cli.paths import claim_folder
from pathveil.files.publications.container import MAGIC
from tests.cli.conftest import FOUR_LINKS


@pytest.mark.parametrize(
    "words",
    [
        ["publish", "net.csv", "walk.txt", "-o", "net.csv", "--force"],
        ["publish", "net.csv", "walk.txt", "-o", "./walk.txt", "--force"],
        ["publish", "net.csv", "walk.txt", "-o", "link.csv", "--force"],
        ["publish", "net.csv", "walk.txt", "-o", "x.veil.json", "--universe", "x.veil.json"],
        ["batch", "net.csv", "walks.txt", "-o", "net.csv", "--force"],
        ["draw", "net.svg", "-o", "net.svg", "--force"],
        ["network", "clean", "net.csv", "-o", "net.csv", "--force"],
    ],
)
def test_an_input_is_never_replaced(
    folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    os.link(folder / "net.csv", folder / "link.csv")  # another name of the same file
    (folder / "x.veil.json").write_text(FOUR_LINKS)
    (folder / "net.svg").write_text(FOUR_LINKS)
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    assert run(words) == 2
    said = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert "an input is never replaced" in said
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        "publish net.csv walk.txt -o keep.veil.json",
        "batch net.csv walks.txt --policy balanced -o keep.jsonl",
        "draw net.csv -o keep.svg",
        "network clean net.csv -o keep.csv",
    ],
)
def test_an_existing_file_is_kept_unless_forced(folder: Path, words: str) -> None:
    output = folder / words.rsplit(maxsplit=1)[-1]
    output.write_text("precious")
    assert run(words.split()) == 2
    assert output.read_text() == "precious"
    assert run([*words.split(), "--force"]) == 0
    assert output.read_text() != "precious"


def test_folders_of_stopped_work_go_on(tmp_path: Path) -> None:
    """The last file is written last: without it, what lies beside a journal is the work's own."""
    names = ["table.csv", "page.html"]
    (tmp_path / "table.csv").touch()
    (tmp_path / "work.journal").touch()
    claim_folder(tmp_path, names, journal="work.journal")
    (tmp_path / "page.html").touch()
    with pytest.raises(typer.BadParameter, match=r"page\.html exists"):
        claim_folder(tmp_path, names, journal="work.journal")
    claim_folder(tmp_path, names, journal="work.journal", force=True)


@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_a_batch_replaces_no_device(
    folder: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was written aside and renamed over it."""
    target = folder / "out.jsonl"
    if kind == "pipe":
        os.mkfifo(target)
    else:
        target.symlink_to(os.devnull)
    words = ["batch", "net.csv", "walks.txt", "--policy", "balanced", "--workers", "1", "-o"]
    assert run([*words, "out.jsonl"]) == 2
    assert "is no plain file" in capsys.readouterr().err
    assert not target.is_file()
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    assert run([*words, "-"]) == 2
    assert not (folder / "-").exists()


def test_every_writer_writes_to_a_device(folder: Path) -> None:
    assert run(["publish", "net.csv", "walk.txt", "-o", "x.veil.json", "-q"]) == 0
    (folder / "null.veil").symlink_to(os.devnull)
    for more in ([], ["--form", "sketch", "--capacity", "100"]):
        assert run(["publish", "net.csv", "walk.txt", "-o", "null.veil", *more]) == 0
    assert run(["inspect", "x.veil.json", "-o", os.devnull]) == 0
    assert run(["network", "clean", "net.csv", "-o", "x.csv"]) == 0
    (folder / "null.svg").symlink_to(os.devnull)
    assert run(["draw", "x.veil.json", "-o", "null.svg"]) == 0
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_dash_is_standard_output_for_every_writer(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["publish", "net.csv", "walk.txt", "-o", "x.veil.json", "-q"]) == 0
    for words, start in (
        (["publish", "net.csv", "walk.txt", "-o", "-"], b"{"),
        (
            ["publish", "net.csv", "walk.txt", "-o", "-", "--form", "sketch", "--capacity", "9"],
            MAGIC,
        ),
        (["inspect", "x.veil.json", "-o", "-"], b"{"),
        (["draw", "x.veil.json", "-o", "-"], b"<svg"),
        (["draw", "net.csv", "-o", "-"], b"<svg"),
        (["network", "clean", "net.csv", "-o", "-"], b"source,target\n"),
    ):
        capfdbinary.readouterr()
        assert run(words) == 0, words
        out, err = capfdbinary.readouterr()
        assert out.startswith(start), words
        assert b"written" in err, words
        assert b"written" not in out, words
    assert not (folder / "-").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["publish", "-", "walk.txt", "-o", "y.veil.json"],
        ["network", "digest", "-"],
        ["reconstruct", "x.veil.json", "-"],
        ["reconstruct", "x.veil.json", "-", "--as", "b"],
        ["verify", "x.veil.json", "-"],
        ["publish", "net.csv", "walk.txt", "-o", "y.veil.json", "--universe", "-"],
        ["attack", "x.veil.json", "-", "--lacking", "b", "c"],
    ],
)
def test_dash_is_standard_input_where_a_network_is_read(
    folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["publish", "net.csv", "walk.txt", "-o", "x.veil.json", "-q"]) == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(FOUR_LINKS.encode())))
    assert run([*words, "-q"]) == 0


@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "-"],
        ["verify", "-", "net.csv"],
        ["inspect", "-", "-o", "y.veil"],
        ["draw", "-", "-o", "y.svg"],
        ["reconstruct", "-", "net.csv"],
        ["attack", "-", "net.csv", "--lacking", "b", "c"],
    ],
)
@pytest.mark.parametrize("name", ["x.veil.json", "x.veil"])
def test_dash_is_standard_input_where_a_publication_is_read(
    folder: Path, words: list[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["publish", "net.csv", "walk.txt", "-o", name, "-q"]) == 0
    data = (folder / name).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run([*words, "-q"]) == 0


def test_walks_come_from_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a,b,c\n")))
    assert run(["publish", "net.csv", "-", "-o", "both.veil", "-q"]) == 0
    # Two inputs cannot both come from there; the second finds it empty and says so.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(FOUR_LINKS.encode())))
    assert run(["publish", "-", "-", "-o", "y.veil.json"]) == 2
    assert not (folder / "y.veil.json").exists()


@pytest.mark.parametrize("kind", ["certificate.json", "errors.csv", "journal"])
def test_what_a_batch_writes_beside_its_output_is_no_input(folder: Path, kind: str) -> None:
    name = f"out.jsonl.{kind}"
    (folder / name).write_text(FOUR_LINKS)
    assert run(["batch", name, "walks.txt", "-o", "out.jsonl"]) == 2
    assert (folder / name).read_text() == FOUR_LINKS
