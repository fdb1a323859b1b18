"""Many walks over one network: what outsiders read, by uses per link.

    python studies/many_walks.py --part small -o studies/results

Series of walks are published over random maps and real topologies, with fresh fair coins, with
chaff that remembers (prior 1/2, 1/2) and with chaff that remembers and is centred at the share of
walks a link lies on. Outsiders then get every release, the number of links, the longest walk, and
some of the links. Each cell is drawn from its own name, and finished runs are kept in a journal: a
killed study goes on where it was, and the table is the same bytes whenever it is made.

Real topologies are read from the folder given by ``--topologies`` (GraphML files of the Internet
Topology Zoo); without it they are left out.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from pathveil.attacks.series.observed_pairs import ChaffLaw, Sightings
from pathveil.attacks.series.outsider import (
    Judgement,
    counting_outsider,
    judge,
    structural_outsider,
)
from pathveil.chance.source import Seeded, Source
from pathveil.chance.urn import Urn
from pathveil.files.journal import Journal
from pathveil.files.networks.network_reader import read_network
from pathveil.lab.maps import random_map
from pathveil.model.bits import IndexArray, PairBits, pair_count, pair_places
from pathveil.model.network import Network
from pathveil.model.positions import Positions

VISITS = 8
"""Walks are simple and have up to so many visits."""

FAIR, REMEMBERING, CENTRED = "fair coins", "remembering", "remembering, centred"
OFF = {
    f"{CENTRED}, usage {words}": factor
    for words, factor in (
        ("a fifth", Fraction(1, 5)),
        ("a half", Fraction(1, 2)),
        ("twice", Fraction(2)),
        ("five times", Fraction(5)),
    )
}
"""Chaff centred at a share that is not the true one, and how far it is off."""

RANDOM = "random"


@dataclass(frozen=True)
class Cell:
    """One line of the table: what is published, and what the outsiders know."""

    topology: str
    vertices: int
    links: int
    chaff: str
    uses: str
    known: str
    steps: int
    restarts: int
    runs: int


def sizes(*given: tuple[int, int, Sequence[str], int, int, int]) -> Iterator[Cell]:
    """Yield the bare cells of random maps."""
    for vertices, links, uses, steps, restarts, runs in given:
        for many in uses:
            yield Cell(RANDOM, vertices, links, CENTRED, many, "0", steps, restarts, runs)


def small_cells() -> Iterator[Cell]:
    """Yield the cells of 20 vertices: every kind of chaff, every kind of knowledge."""
    uses = ("0.5", "1", "1.5", "2", "3", "4", "6", "8", "11", "12")
    for cell in sizes((20, 32, uses, 2_000_000, 2, 3)):
        for chaff in (CENTRED, REMEMBERING, FAIR):
            for known in ("0", "one", "tenth", "half"):
                yield replace(cell, chaff=chaff, known=known)


def large_cells() -> Iterator[Cell]:
    """Yield the cells of 60 and 120 vertices."""
    middle = (60, 120, ("0.5", "0.75", "1", "1.25", "1.5", "2", "3"), 30_000_000, 1, 1)
    upper = (120, 240, ("0.5", "0.75", "1", "1.25", "1.5", "2"), 30_000_000, 1, 1)
    for cell in sizes(middle, upper):
        few = cell.vertices > 60
        for known in ("0", "tenth", "half") if few else ("0", "one", "tenth", "half"):
            yield replace(cell, known=known)
        for chaff, most in ((REMEMBERING, "1" if few else "3/2"), (FAIR, "3/4" if few else "3/2")):
            if Fraction(cell.uses) <= Fraction(most):
                yield replace(cell, chaff=chaff, known="0")


def real_cells() -> Iterator[Cell]:
    """Yield the cells of real topologies; their sizes are filled in when they are read."""
    for name, steps in (
        ("Abilene", 1_000_000),
        ("Geant2012", 5_000_000),
        ("Cogentco", 10_000_000),
    ):
        for uses in ("0.5", "1", "2", "4"):
            for known in ("0", "tenth"):
                yield Cell(name, 0, 0, CENTRED, uses, known, steps, 1, 1)


def huge_cells() -> Iterator[Cell]:
    """Yield the cells of 1,000 vertices: one series each, bounded effort."""
    for cell in sizes((1000, 2000, ("1", "2", "3", "0.5"), 20_000_000, 1, 1)):
        for known in ("half", "0"):
            yield replace(cell, known=known)


def distant_cells() -> Iterator[Cell]:
    """Yield more cells of 1,000 vertices: an outsider who knows a tenth, and a long series."""
    for cell in sizes((1000, 2000, ("1", "2", "12"), 20_000_000, 1, 1)):
        yield replace(cell, known="tenth")


def usage_cells() -> Iterator[Cell]:
    """Yield the cells in which the custodian's guess of the usage is off."""
    for cell in sizes((60, 120, ("0.5", "0.75", "1", "1.5", "2"), 30_000_000, 1, 1)):
        for chaff in (*OFF, CENTRED):
            yield replace(cell, chaff=chaff)


PARTS = {
    "small": small_cells,
    "large": large_cells,
    "real": real_cells,
    "huge": huge_cells,
    "distant": distant_cells,
    "usage": usage_cells,
}


# -- series -------------------------------------------------------------------------------------


def random_walk(network: Network, random: np.random.Generator) -> tuple[int, ...]:
    """Return a simple walk from a uniform vertex to uniform neighbours, up to the visits."""
    while True:
        path = [int(random.integers(len(network)))]
        while len(path) < VISITS:
            here = network.vertices[path[-1]]
            near = [network.index(name) for name in network.neighbours(here)]
            onward = [vertex for vertex in near if vertex not in path]
            if not onward:
                break
            path.append(onward[int(random.integers(len(onward)))])
        if len(path) > 1:
            return tuple(path)


def draw_walks(
    network: Network, uses: Fraction, random: np.random.Generator
) -> list[tuple[int, ...]]:
    """Return walks until a link lies on so many of them on average."""
    walks: list[tuple[int, ...]] = []
    steps = 0
    while steps < uses * len(network.links) or len(walks) < 2:
        walks.append(random_walk(network, random))
        steps += len(walks[-1]) - 1
    return walks


def chaff_law(chaff: str, network: Network, walks: Sequence[Sequence[int]]) -> ChaffLaw:
    """Return the public law of chaff; centred at the true share, rounded, or at one that is off."""
    if chaff == FAIR:
        return Fraction(1, 2)
    if chaff == REMEMBERING:
        return Urn()
    steps = sum(len(walk) - 1 for walk in walks)
    usage = Fraction(steps, len(walks) * len(network.links)).limit_denominator(1000)
    usage *= OFF.get(chaff, 1)
    return Urn.centred(usage, 4 / usage)


def draw_series(
    network: Network,
    walks: Sequence[Sequence[int]],
    law: ChaffLaw,
    source: Source,
    *,
    placebo: bool = False,
) -> list[list[PairBits]]:
    """Return the bits of each release; in a placebo the links are drawn like chaff."""
    size = len(network)
    links = pair_places(network.pairs[:, 0], network.pairs[:, 1], size)
    shown = np.zeros(pair_count(size), dtype=np.int64)
    releases: list[list[PairBits]] = []
    for walk in walks:
        if isinstance(law, Urn):
            on = law.coins(source, shown, len(releases))
        else:
            on = Urn(law, 1 - law).coins(source, np.zeros_like(shown), 0)
        if not placebo:
            on[links] = False
            steps = np.asarray(walk)
            on[pair_places(steps[:-1], steps[1:], size)] = True
        shown += on
        releases.append([PairBits.from_flat(size, ~on)])
    return releases


def known_links(network: Network, known: str, random: np.random.Generator) -> IndexArray | None:
    """Return the links the outsider knows already."""
    total = len(network.links)
    many = {"0": 0, "one": 1, "tenth": round(total / 10), "half": total // 2}[known]
    return network.pairs[random.permutation(total)[:many]] if many else None


# -- runs ---------------------------------------------------------------------------------------


def run_cell(cell: Cell, number: int, topologies: Path | None) -> dict[str, float]:
    """Return what one series of a cell yields to both outsiders, and to them on a placebo."""
    name = f"many walks {cell.topology} {cell.vertices} {cell.uses} {number}"
    random = np.random.default_rng(list(name.encode()))
    network = _network(cell, random, topologies)
    walks = draw_walks(network, Fraction(cell.uses), random)
    law = chaff_law(cell.chaff, network, walks)
    known = known_links(network, cell.known, random)
    found: dict[str, float] = {
        "vertices": len(network),
        "links": len(network.links),
        "releases": len(walks),
        "steps": sum(len(walk) - 1 for walk in walks),
    }
    for kind, placebo in (("", False), ("placebo_", True)):
        if placebo and (number or cell.known != "0" or len(network) > 150):
            continue
        source = Seeded(f"{name} {cell.chaff} {kind}")
        releases = draw_series(network, walks, law, source, placebo=placebo)
        seen = Sightings.of(Positions.uniform(network.vertices, 1), releases)
        links = len(network.links)
        counted = counting_outsider(seen, law, links, known=known)
        _note(found, f"{kind}counting", judge(counted, seen, network.pairs, walks, known=known))
        if cell.chaff == FAIR and cell.vertices >= 1000:
            continue
        fitted = structural_outsider(
            seen,
            law,
            links,
            known=known,
            longest=VISITS - 1,
            steps=cell.steps,
            restarts=cell.restarts,
            source=Seeded(f"attack {name}"),
        )
        _note(found, f"{kind}structure", judge(fitted, seen, network.pairs, walks, known=known))
    return found


def _network(cell: Cell, random: np.random.Generator, topologies: Path | None) -> Network:
    if cell.topology == RANDOM:
        return random_map(cell.vertices, cell.links, random)[0]
    assert topologies is not None, "real cells are only run where the topologies are"
    return read_network(topologies / f"{cell.topology}.graphml", names="id", simplify=True)


def _note(found: dict[str, float], name: str, judged: Judgement) -> None:
    found[f"{name}_links"] = judged.links_found
    found[f"{name}_luck"] = round(judged.luck, 4)
    found[f"{name}_walks"] = judged.walks_read
    found["hidden"] = judged.links_hidden


def sweep(part: str, output: Path, topologies: Path | None) -> list[dict[str, object]]:
    """Run what is not yet in the journal; return a row for each cell."""
    cells = list(PARTS[part]())

    def key_of(cell: Cell, number: int) -> str:
        return json.dumps([*asdict(replace(cell, runs=0)).values(), number])

    title = f"many walks {part} 1"
    path = output / "journals" / f"many_walks_{part}.journal"
    with Journal(path, title, mismatch="is of another study; remove it", durable=False) as journal:
        done = {entry["key"]: entry["found"] for entry in map(json.loads, journal.found)}
        for number in range(max(cell.runs for cell in cells)):
            for cell in cells:
                key = key_of(cell, number)
                if number >= cell.runs or key in done:
                    continue
                done[key] = run_cell(cell, number, topologies)
                entry = json.dumps({"key": key, "found": done[key]})
                journal.append([entry.encode()])
    rows = []
    for cell in cells:
        found = [done[key_of(cell, n)] for n in range(cell.runs)]
        rows.append(_row(cell, found))
    return rows


def _row(cell: Cell, found: Sequence[dict[str, float]]) -> dict[str, object]:
    """Return the cell and sums over its runs."""
    sums = {
        name: sum(run[name] for run in found)
        for name in ("releases", "steps", "hidden", *_figures(found[0], "counting", "structure"))
    }
    first = {name: found[0][name] for name in _figures(found[0], "placebo")}
    first["placebo_releases"] = found[0]["releases"]
    head = {**asdict(cell), "vertices": found[0]["vertices"], "links": found[0]["links"]}
    head["annealing_steps"] = head.pop("steps")
    return {**head, **{name: round(value, 4) for name, value in sums.items()}, **first}


def _figures(run: dict[str, float], *starts: str) -> list[str]:
    return [name for name in run if name.startswith(starts)]


def write_rows(path: Path, rows: Sequence[dict[str, object]]) -> None:
    """Write a table; a column that a row has not is empty there."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Run one part and write its table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--part", choices=PARTS, required=True)
    parser.add_argument("--topologies", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    if given.part == "real" and given.topologies is None:
        parser.error("real topologies need --topologies FOLDER")
    rows = sweep(given.part, given.output, given.topologies)
    write_rows(given.output / f"many_walks_{given.part}.csv", rows)


if __name__ == "__main__":
    main()
