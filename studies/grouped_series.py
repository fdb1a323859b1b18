"""A thousand walks over a grouped network: what an outsider names who has every file.

He is told every walk between classes, the most any number of files can give, sorts link ends into
bundles and names them by two rules. Chance is what blind naming gives; the interval is of the same
rules on networks permuted within classes, which is the law of the truth given all that is public.
Participants read every file. Run: ``python -m studies.grouped_series``; it writes the table
``studies/results/grouped_series.csv``. Kdl comes from the Internet Topology Zoo and is left out
where the file is absent (``--kdl FILE``).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import networkx as nx
import numpy as np

import pathveil as pv
from pathveil.grouping.draw_grouping import recommend
from pathveil.lab.attacks.grouped_outsider import (
    NamedLink,
    by_name,
    chance_of_naming,
    count_right,
    in_random_order,
    name_links,
)
from pathveil.lab.reproduction.sweep_store import write_csv_file

RESULTS = Path(__file__).parent / "results" / "grouped_series.csv"
COLUMNS = (
    *("network", "vertices", "links", "classes", "walks", "read_exactly", "rule", "knows"),
    *("asked", "right", "by_chance", "low", "high"),
)


def random_walks(network: pv.Network, count: int, visits: int, seed: int) -> list[pv.Walk]:
    """Return simple walks from random vertices."""
    random = np.random.default_rng(seed)
    found: list[pv.Walk] = []
    while len(found) < count:
        walk = [network.vertices[int(random.integers(len(network)))]]
        while len(walk) < visits:
            onward = [name for name in network.neighbours(walk[-1]) if name not in walk]
            if not onward:
                break
            walk.append(onward[int(random.integers(len(onward)))])
        if len(walk) > 2:
            found.append(pv.Walk(walk))
    return found


def rows_of(name: str, network: pv.Network, count: int, placebos: int) -> list[dict[str, object]]:
    """Return the rows of one network."""
    grouping = pv.group(network, classes=recommend(network).classes, source=pv.Seeded(name))
    walks = random_walks(network, count, 20, 1)
    read = 0
    for number, walk in enumerate(walks):
        source = pv.Seeded(f"{name} {number}")
        publication = pv.publish(network, walk, grouping=grouping, source=source)
        found = pv.reconstruct(publication, network)
        read += found.walk == walk and found.order == "known"
    told = [grouping.classes_of(walk.vertices).tolist() for walk in walks]
    random = np.random.default_rng(2)
    tenth = [network.links[i] for i in random.permutation(len(network.links))[::10].tolist()]
    rows = []
    for knows, known in (("nothing", []), ("a tenth of the links", tenth)):
        for rule_name, rule in (("by name", by_name), ("blind", in_random_order(pv.Seeded(3)))):
            guesses = name_links(grouping, told, rule=rule, known=known)
            fixed = {vertex for link in known for vertex in link}
            worlds = [_hits(guesses, network, grouping, fixed, random) for _ in range(placebos)]
            low, high = np.quantile(worlds, [0.025, 0.975])
            rows.append(
                {
                    "network": name,
                    "vertices": len(network),
                    "links": len(network.links),
                    "classes": grouping.classes,
                    "walks": count,
                    "read_exactly": read,
                    "rule": rule_name,
                    "knows": knows,
                    "asked": len(guesses),
                    "right": count_right(guesses, network.links),
                    "by_chance": round(chance_of_naming(guesses), 2),
                    "low": int(low),
                    "high": int(high),
                }
            )
    return rows


def _hits(
    guesses: Sequence[NamedLink],
    network: pv.Network,
    grouping: pv.Grouping,
    fixed: set[str],
    random: np.random.Generator,
) -> int:
    """Return the hits in a network whose vertices were permuted within classes, known ones not."""
    moved: dict[str, str] = {}
    for members in grouping:
        loose = [name for name in members if name not in fixed]
        moved |= dict(zip(loose, random.permutation(loose).tolist(), strict=True))
    links = [(moved.get(u, u), moved.get(v, v)) for u, v in network.links]
    return count_right(guesses, links)


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kdl", type=Path, help="Kdl.graphml of the Internet Topology Zoo")
    parser.add_argument("--walks", type=int, default=1000)
    parser.add_argument("--placebos", type=int, default=400)
    given = parser.parse_args()
    graph = nx.gnm_random_graph(1000, 2000, seed=1)
    whole = graph.subgraph(max(nx.connected_components(graph), key=len))
    networks = {"random": pv.Network.from_networkx(whole)}
    if given.kdl is not None:
        networks["Kdl"] = pv.read_network(
            given.kdl, names="id", simplify=True, largest_component=True
        )
    rows = [
        row.values()
        for name, network in networks.items()
        for row in rows_of(name, network, given.walks, given.placebos)
    ]
    write_csv_file(RESULTS, COLUMNS, rows)


if __name__ == "__main__":
    main()
