"""Every number a person can give has bounds: whatever is beyond is one line and exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from pathveil.cli.main import run

WRONG = ("1e999999999", "nan", "inf", "1/0", str(10**20), "-1", "9" * 5000, "", "0x10", "1_000.5.1")

PLACES = (
    "publish net.csv walk.txt -o x.veil --policy frontier:walk_loss=%",
    "publish net.csv walk.txt -o x.veil --policy remembering:usage=%",
    "publish net.csv walk.txt -o x.veil --policy paper:vertex=%,link=1",
    "publish net.csv walk.txt -o x.veil --policy two_sided:epsilon=%",
    "publish net.csv walk.txt -o x.veil --policy balanced:copies=%",
    "publish net.csv walk.txt -o x.veil --form sketch --capacity %",
    "plan net.csv --walks % --length 3",
    "plan net.csv --walks 3 --length %",
    "plan --vertices % --links 50 --walks 3 --length 3",
    "group net.csv --classes %",
    "ledger init l.db --budget %",
    "lab audit net.csv walk.txt --lacking b c --samples %",
    "lab compare -o c --trials %",
    "lab reproduce -o c --runs %",
)


@pytest.mark.parametrize("place", PLACES)
def test_a_number_out_of_bounds_is_one_line(
    place: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.iterdir())
    for wrong in WRONG:
        words = [word.replace("%", wrong) for word in place.split()]
        capsys.readouterr()
        assert run(words) == 2, (place, wrong[:20])
        said = capsys.readouterr().err
        assert said.strip(), (place, wrong[:20])
        assert "Traceback" not in said
        assert len(said) < 3000, (place, wrong[:20])
        assert sorted(folder.iterdir()) == before, (place, wrong[:20])
