"""The first use of each command on a machine where nothing has been compiled yet, n = 50."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.reading_sections import as_installed, processor_seconds
from benchmarks.rows import Row, sized, within

COMMANDS = """\
publish net.csv walk.txt -o x.veil
reconstruct x.veil net.csv
publish net.csv walk.txt -o x.veil.json
publish net.csv walk.txt -o paper.veil.json --policy paper:vertex=1,link=1
inspect x.veil
verify x.veil net.csv walk.txt
attack x.veil net.csv --lacking v00 v01
attack x.veil x.veil.json net.csv
draw x.veil -o x.svg
draw net.csv -o net.png
plan net.csv --walks 30 --length 6
batch net.csv walks.txt --policy balanced -o out
group net.csv --classes 19 -o groups.json
publish net.csv walk.txt --groups groups.json -o grouped.veil
party rehearse x.veil net.csv
lab compare --trials 1 --budget 1 -o compared
lab audit net.csv walk.txt --lacking v00 v01
"""
SHORTEST = ("publish net.csv walk.txt -o x.veil", "reconstruct x.veil net.csv")
"""They have half the time of the others; a quick look tries these alone."""


def first_use() -> list[Row]:
    """Processor seconds of each command in a process of its own, the lesser of two rounds."""
    lines = sized(COMMANDS.splitlines(), list(SHORTEST))
    with TemporaryDirectory() as place:
        rounds = [_round(Path(place), lines, number) for number in range(sized(2, 1))]
    return [
        within(line, min(times), 1.5 if line in SHORTEST else 3.0)
        for line, *times in zip(lines, *rounds, strict=True)
    ]


def _round(place: Path, lines: list[str], number: int) -> list[float]:
    """Return what each command takes, all in one new folder, each with nothing compiled."""
    folder = place / str(number)
    folder.mkdir()
    _write(folder)
    start = f"import os; os.chdir({str(folder)!r}); from pathveil.cli.main import main; main()"
    kept = as_installed(place)
    times = []
    for line in lines:
        with TemporaryDirectory() as compiled:
            environment = {**kept, "NUMBA_CACHE_DIR": compiled}
            times.append(processor_seconds("-c", start, *line.split(), environment=environment))
    return times


def _write(folder: Path) -> None:
    """Write a ring of fifty vertices with fifteen chords, a walk, and three short walks."""
    links = [(i, (i + 1) % 50) for i in range(50)] + [(i, i + 20) for i in range(0, 30, 2)]
    walks = [[f"v{i:02}" for i in range(k, k + 3)] for k in (3, 20, 40)]
    texts = {
        "net.csv": [f"v{i:02},v{j:02}" for i, j in links],
        "walk.txt": [f"v{i:02}" for i in range(7)],
        "walks.txt": [" > ".join(walk) for walk in walks],
    }
    for name, lines in texts.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


SECTIONS = [("The first use of each command, nothing compiled yet", first_use)]
