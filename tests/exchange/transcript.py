"""The three couriers of ``docs/explanation/reading-together.md``, played by real processes.

``python -m tests.exchange.transcript`` writes what they print into the page; a test sees that it is
still what they print.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

from pathveil.exchange.rehearse import free_ports
from tests.exchange.stage import ROOT, Stage

PAGE = ROOT / "docs" / "explanation" / "reading-together.md"
_BLOCK = re.compile(r"```console not run\n(.*?)```", re.DOTALL)

STREETS = [
    *("depot,market", "market,station", "station,harbour", "depot,school", "school,mill"),
    *("mill,harbour", "market,school", "station,mill"),
]
PARCEL = ["depot", "market", "station", "mill"]
HOLDS = {"ann": ("depot", "harbour"), "bob": ("market", "school"), "cem": ("mill", "station")}
_RUN = "pathveil party run parcel.veil.json my-streets.csv --key {}.key.pem --cards cards"


def perform(stage: Stage, folder: Path) -> list[str]:
    """Return the blocks of the page: commands and what they print."""
    ports = free_ports(len(HOLDS))
    _lay_out(folder)
    blocks = []
    (folder / "custodian" / "streets.csv").write_text("\n".join(STREETS) + "\n")
    (folder / "custodian" / "walk.txt").write_text("\n".join(PARCEL) + "\n")
    publishing = "pathveil publish streets.csv walk.txt -o parcel.veil.json"
    _command(stage, folder / "custodian", publishing)
    for (name, holds), port in zip(HOLDS.items(), ports, strict=True):
        (folder / name / "parcel.veil.json").write_bytes(
            (folder / "custodian" / "parcel.veil.json").read_bytes()
        )
        init = f"pathveil party init {name} --at 127.0.0.1:{port} " + " ".join(
            f"--holds {vertex}" for vertex in holds
        )
        printed = _command(stage, folder / name, init)
        if name == "ann":
            blocks.append(f"$ {init}\n{printed}".replace(str(port), "7101"))
    for name in HOLDS:  # each hands its card to the others
        for other in HOLDS:
            card = f"{name}.card.json"
            (folder / other / "cards" / card).write_text((folder / name / card).read_text())
    runs = {name: _RUN.format(name) for name in HOLDS}
    blocks.append(_together(stage, folder, runs)[0])
    # A rehearsal by real processes ends well; the page does not show it.
    rehearsal = "pathveil party rehearse parcel.veil.json streets.csv --parties 3"
    _command(stage, folder / "custodian", rehearsal)
    return [_plain(block) for block in blocks]


def blocks_of_page() -> list[str]:
    """Return the blocks as the page has them."""
    return _BLOCK.findall(PAGE.read_text("utf-8"))


def _together(stage: Stage, folder: Path, runs: dict[str, str]) -> list[str]:
    parts = [
        {"folder": str(folder / name), "arguments": shlex.split(run)[1:]}
        for name, run in runs.items()
    ]
    endings = stage.play(parts)
    return [
        f"$ {run}\n{ending.out}{ending.err}"
        for run, ending in zip(runs.values(), endings, strict=True)
    ]


def _lay_out(folder: Path) -> None:
    for name in ("custodian", *HOLDS):
        (folder / name / "cards").mkdir(parents=True)
        mine = [row for row in STREETS if set(row.split(",")) & set(HOLDS.get(name, ()))]
        (folder / name / "my-streets.csv").write_text("\n".join(mine) + "\n")


def _command(stage: Stage, folder: Path, command: str) -> str:
    part = {"folder": str(folder), "arguments": shlex.split(command)[1:]}
    (ending,) = stage.play([part])
    assert ending.code == 0, ending
    return ending.out + ending.err


def _plain(block: str) -> str:
    """Leave out what differs from run to run: fingerprints of a key and of a publication."""
    block = re.sub(r"([0-9a-f]{4}:){7}[0-9a-f]{4}", "2c1f:…:90ab", block)
    block = re.sub(r"(publication +)[0-9a-f]{16}", r"\g<1>972b10ca6b2be873", block)
    return "\n".join(line.rstrip() for line in block.strip("\n").splitlines()) + "\n"


if __name__ == "__main__":
    here = Stage()
    with tempfile.TemporaryDirectory() as place:
        made = iter(perform(here, Path(place)))
    here.close()
    text = _BLOCK.sub(lambda _old: f"```console not run\n{next(made)}```", PAGE.read_text("utf-8"))
    PAGE.write_text(text, "utf-8")
