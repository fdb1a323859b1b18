"""Every network there is to hand: opened with one command, published, read back, verified.

All Internet Topology Zoo files of a folder and all networks of the topohub package. Each is opened
with the one documented command,

    pathveil network clean NETWORK -o net.csv --names id --largest-component

and what it wrote goes through ``publish``, ``reconstruct`` and ``verify`` without any option: a
self-avoiding walk of up to 12 visits, the default policy, coins of the operating system. Commands
run in this process; every 40th network does it all in processes of its own.

    python studies/every_network.py --zoo ../data/topology-zoo/graphml \
        -o studies/results/every_network.csv
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib.resources import files
from pathlib import Path

import numpy as np

from pathveil import Network, read_network
from pathveil.cli.main import run
from pathveil.layering.kernels.running import buy_at_once

OPENING = ("--names", "id", "--largest-component")
VISITS, APART = 12, 40
COLUMNS = (
    "source",
    "network",
    "vertices",
    "links",
    "visits",
    "read",
    "verified",
)


def networks(zoo: Path | None, *, topohub: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield (source, name, what the command line is given) for every network.

    Of topohub those whose names begin so.
    """
    if zoo is not None:
        for path in sorted(zoo.glob("*.graphml")):
            yield "topology zoo", path.stem, str(path)
    data = Path(str(files("topohub") / "data"))
    for path in sorted(data.rglob("*.json")):
        name = path.relative_to(data).with_suffix("").as_posix()
        if name.startswith(topohub):
            yield "topohub", name, f"topohub:{name}"


def command(*words: str, apart: bool) -> str:
    """Return what a command prints, or raise if it fails."""
    if apart:
        whole = [sys.executable, "-m", "pathveil", *words]
        return subprocess.run(whole, check=True, capture_output=True, text=True).stdout
    said = io.StringIO()
    with redirect_stdout(said):
        code = run(words)
    if code:
        raise RuntimeError(f"pathveil {' '.join(words)}: exit code {code}")
    return said.getvalue()


def wander(network: Network, random: np.random.Generator) -> list[str]:
    """Return a self-avoiding walk from a random link on, of up to a dozen visits."""
    walk = list(network.links[int(random.integers(len(network.links)))])
    while len(walk) < VISITS:
        open_ends = [name for name in network.neighbours(walk[-1]) if name not in walk]
        if not open_ends:
            break
        walk.append(open_ends[int(random.integers(len(open_ends)))])
    return walk


def tried(given: str, number: int, folder: Path) -> tuple[object, ...]:
    """Return what became of one network."""
    apart = number % APART == 0
    clean, walk_file, release = (str(folder / name) for name in ("net.csv", "walk.txt", "x.veil"))
    command("network", "clean", given, "-o", clean, *OPENING, "--force", "-q", apart=apart)
    network = read_network(clean)
    walk = wander(network, np.random.default_rng(number))
    Path(walk_file).write_text(json.dumps(walk), encoding="utf-8")
    command("publish", clean, walk_file, "-o", release, "--force", "--json", apart=apart)
    reading = json.loads(command("reconstruct", release, clean, "--json", apart=apart))
    read = reading["walk"] == walk and reading["order"] == "known"
    findings = json.loads(command("verify", release, clean, walk_file, "--json", apart=apart))
    verified = bool(findings["findings"]) and all(one["holds"] for one in findings["findings"])
    return len(network), len(network.links), len(walk), read, verified


def main() -> None:
    """Write the table and print the counts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--zoo", type=Path, default=None)
    parser.add_argument("--topohub", default="", help="how names begin; all if not given")
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    every = networks(given.zoo, topohub=given.topohub)
    buy_at_once()  # a long run: every kernel is compiled at its first use
    rows: list[tuple[object, ...]] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        given.output.open("w", encoding="utf-8", newline="") as handle,
    ):
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(COLUMNS)
        for number, (source, name, words) in enumerate(every):
            rows.append((source, name, *tried(words, number, Path(folder))))
            writer.writerow(rows[-1])
            handle.flush()
    for kind in dict.fromkeys(row[0] for row in rows):
        mine = [row for row in rows if row[0] == kind]
        print(
            f"{kind}: {len(mine)} networks opened with one command; "
            f"{sum(bool(row[5]) for row in mine)} read back exactly, "
            f"{sum(bool(row[6]) for row in mine)} verified"
        )


if __name__ == "__main__":
    main()
