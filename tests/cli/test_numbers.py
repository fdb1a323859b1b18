"""Every number a person can give has bounds: whatever is beyond is one line and exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from pathveil.cli.main import run

WRONG = ("1e999999999", "nan", "inf", "1/0", str(10**20), "-1", "9" * 5000, "", "0x10", "1_000.5.1")

PLACES = (
    "publish {}/n.csv {}/w.txt -o {}/x.veil --policy frontier:walk_loss=%",
    "publish {}/n.csv {}/w.txt -o {}/x.veil --policy remembering:usage=%",
    "publish {}/n.csv {}/w.txt -o {}/x.veil --policy paper:vertex=%,link=1",
    "publish {}/n.csv {}/w.txt -o {}/x.veil --policy two_sided:epsilon=%",
    "publish {}/n.csv {}/w.txt -o {}/x.veil --policy balanced:copies=%",
    "publish {}/n.csv {}/w.txt -o {}/x.veil --form sketch --capacity %",
    "plan {}/n.csv --walks % --length 3",
    "plan {}/n.csv --walks 3 --length %",
    "plan --vertices % --links 50 --walks 3 --length 3",
    "group {}/n.csv --classes %",
    "ledger init {}/l.db --budget %",
    "lab audit {}/n.csv {}/w.txt --lacking b c --samples %",
    "lab compare -o {}/c --trials %",
    "lab reproduce -o {}/c --runs %",
)


@pytest.mark.parametrize("place", PLACES)
def test_a_number_out_of_bounds_is_one_line(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "n.csv").write_text("a,b\nb,c\nc,d\nb,d\n", encoding="utf-8")
    (tmp_path / "w.txt").write_text("a\nb\nc\nd\n", encoding="utf-8")
    network, walk, file = (str(tmp_path / name) for name in ("n.csv", "w.txt", "a.veil"))
    assert run(["publish", network, walk, "-o", file, "-q"]) == 0
    before = sorted(tmp_path.iterdir())
    for wrong in WRONG:
        words = [word.replace("{}", str(tmp_path)).replace("%", wrong) for word in place.split()]
        capsys.readouterr()
        assert run(words) == 2, (place, wrong[:20])
        said = capsys.readouterr().err
        assert said.strip(), (place, wrong[:20])
        assert "Traceback" not in said
        assert len(said) < 3000, (place, wrong[:20])
        assert sorted(tmp_path.iterdir()) == before, (place, wrong[:20])
