"""Where the gate closes, beside what the plan says; what is read on either side of the edge.

    python -m studies.cover_closing --zoo FOLDER -o studies/results

``cover_closing.csv``: ten networks, 20 draws each of uniform simple paths of six links, chaff at
the advised usage; the number of walks at which the gate closes, beside ``most_walks`` of the plan
and ``any_scheme``, about what the best exact scheme that treats pairs one by one carries (T12). For
walks along shortest paths the same, with their mean length.

``cover_transition.csv``: series over random networks that go on past the gate, and what annealing
reads of them (told the number of used links and the longest walk), by headroom per used link.
``figures/cover_transition.svg`` is drawn from it.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import e, expm1, log
from pathlib import Path
from statistics import median

import networkx as nx
import numpy as np

from pathveil.attacks.series.outsider import Effort, structural_outsider, walks_right
from pathveil.chance.source import Seeded
from pathveil.files.networks.network_reader import read_network
from pathveil.lab.maps import random_map
from pathveil.lab.reproduction.sweep_store import write_csv_file
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.capacity import usage_for
from pathveil.planning.cover import CountedRelease, Law, Life, cover
from pathveil.planning.path_counts import PathCounts
from pathveil.planning.plan import plan
from studies.cover_edge import Route, Series, public_law, sightings, walk_source

REAL = ("Abilene", "Geant2012", "Surfnet", "Switch", "Cogentco")
RANDOM = ((20, 32), (40, 61), (60, 120), (120, 240), (200, 400))
LENGTH, DRAWS = 6, 20


def networks(zoo: Path | None) -> Iterator[tuple[str, Network]]:
    """Yield ten networks, or the random five without the folder of real ones."""
    for name in REAL if zoo is not None else ():
        assert zoo is not None
        path = zoo / f"{name}.graphml"
        yield name, read_network(path, simplify=True, largest_component=True)
    for vertices, links in RANDOM:
        random = np.random.default_rng([vertices, links])
        yield f"random {vertices} {links}", random_map(vertices, links, random)[0]


def any_scheme(network: Network, length: int) -> int:
    """Return T*: how many walks fit under the best fresh coins, over the links used.

    With u uses of a link, u / (1 - e^-u) = ln(e P / m) / (ln(e m / l) - ln(paths) / l).
    """
    size, links = len(network), len(network.pairs)
    paths = PathCounts(size, network.pairs).log_paths(length)
    wanted = log(e * size * (size - 1) / 2 / links) / (log(e * links / length) - paths / length)
    low, high = 1e-9, max(wanted, 1e-9)
    for _ in range(60):
        uses = (low + high) / 2
        low, high = (uses, high) if uses / -expm1(-uses) < wanted else (low, uses)
    return round(low * links / length)


def closing(network: Network, law: Law, draw: Callable[[int], Route], most: int = 400) -> int:
    """Return how many walks the gate lets out."""
    life = Life(())
    for number in range(most):
        walk = Walk([network.vertices[k] for k in draw(number)])
        life = life.and_then(CountedRelease(network, (walk,), law))
        if cover(life).closed:
            return number
    return most


def closings(zoo: Path | None) -> Iterator[dict[str, object]]:
    """Yield a row for each network and kind of walk."""
    for name, network in networks(zoo):
        for kind in ("random", "shortest"):
            length = LENGTH
            if kind == "shortest":
                lengths = dict(nx.all_pairs_shortest_path_length(nx.Graph(network.pairs.tolist())))
                steps = [k for row in lengths.values() for k in row.values() if k > 1]
                length = max(2, round(float(np.mean(steps))))
            made = plan(network, walks=10, length=length).way("series")
            law, _ = public_law("fitted", usage_for(length, len(network.pairs)), 1)
            found = []
            for number in range(DRAWS):
                random = np.random.default_rng([77, number])
                found.append(closing(network, law, walk_source(network, kind, length, random)))
            yield {
                "network": name, "vertices": len(network), "links": len(network.pairs),
                "walks": kind, "length": length, "any_scheme": any_scheme(network, length),
                "most_walks": made.most_walks,
                "median": median(found), "least": min(found), "largest": max(found),
            }  # fmt: skip


def transitions(series: int = 60) -> Iterator[dict[str, object]]:
    """Yield a row for each series, from well before the gate closes to far beyond."""
    for number in range(series):
        random = np.random.default_rng([99, number])
        vertices = int(random.choice([12, 20, 30, 40]))
        links = int(vertices * random.uniform(1.3, 2.0))
        network = random_map(vertices, links, random)[0]
        length = int(random.integers(3, 7))
        while not len(PathCounts(vertices, network.pairs).sample(length)):
            length -= 1
        law, coins = public_law(
            ("fitted", "one half", "fair")[number % 3], usage_for(length, links), 1
        )
        draw = walk_source(network, "random", length, random)
        count = max(2, round(float(random.uniform(0.1, 4)) * links / length))
        walks = [draw(k) for k in range(count)]
        named = [Walk([network.vertices[k] for k in walk]) for walk in walks]
        answer = cover(Life(tuple(CountedRelease(network, (walk,), law) for walk in named)))
        used = len({link for walk in named for link in walk.links})
        source = Seeded(f"cover transition {number}")
        laws = [(law, coins)] * count
        drawn = Series(network.vertices, [network] * count, walks, laws, 1, answer)
        seen = sightings(drawn, source, random)
        reading = structural_outsider(
            seen, coins, used, longest=length, effort=Effort(1_500_000, 2, source)
        )
        yield {
            "number": number, "vertices": vertices, "links": links, "length": length,
            "walks": count, "used": used, "loss": round(answer.loss, 3),
            "cover": round(answer.description, 3), "closed": int(answer.closed),
            "headroom": round(answer.left / used, 4), "read": walks_right(reading, walks),
        }  # fmt: skip


def draw_transition(rows: list[dict[str, str]]) -> str:
    """Return the figure: the share of walks read, by headroom per used link."""
    edges = [-np.inf, -3, -2, -1.5, -1, -0.6, -0.3, 0, 0.3, 0.6, 1, np.inf]
    bars = []
    for place, (low, high) in enumerate(pairwise(edges)):
        inside = [row for row in rows if low <= float(row["headroom"]) < high]
        walks = sum(int(row["walks"]) for row in inside)
        share = sum(int(row["read"]) for row in inside) / walks if walks else 0.0
        x, height = 60 + 46 * place, 180 * share
        said = "below -3" if low == -np.inf else f"{low:g}" if high < np.inf else "1 and more"
        bars.append(
            f'<rect x="{x}" y="{210 - height:.1f}" width="40" height="{height:.1f}" '
            f'fill="{"#c62828" if high <= 0 else "#1b6ca8"}"/>'
            f'<text x="{x + 20}" y="{202 - height:.1f}" text-anchor="middle">{share:.2f}</text>'
            f'<text x="{x + 20}" y="228" text-anchor="middle">{said.partition(" ")[0]}</text>'
        )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="620" height="270" viewBox="0 0 620 270" '
        'font-family="sans-serif" font-size="11" role="img">'
        "<title>Walks read by annealing, by headroom per used link</title>"
        '<text x="60" y="18" font-size="13">share of walks read, by headroom per used link '
        "(nats; lower end of each bin)</text>"
        '<path d="M56,210H570" stroke="#888"/>' + "".join(bars) + "</svg>\n"
    )


def main() -> None:
    """Make both tables and the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zoo", type=Path, help="folder of GraphML files")
    parser.add_argument("-o", "--output", type=Path, default=Path("studies/results"))
    parser.add_argument("--only", help="cover_closing or cover_transition")
    given = parser.parse_args()
    tables = {"cover_closing": closings(given.zoo), "cover_transition": transitions()}
    for name, rows in tables.items():
        if given.only not in (None, name):
            continue
        found = list(rows)
        cells = (row.values() for row in found)
        write_csv_file(given.output / f"{name}.csv", list(found[0]), cells)
    with (given.output / "cover_transition.csv").open(encoding="utf-8", newline="") as file:
        figure = draw_transition(list(csv.DictReader(file)))
    (given.output / "figures" / "cover_transition.svg").write_text(figure, encoding="utf-8")


if __name__ == "__main__":
    main()
