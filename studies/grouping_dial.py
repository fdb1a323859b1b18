"""What the number of classes costs: the dial of docs/explanation/groups.md, over four networks.

Usage: python studies/grouping_dial.py --topologies FOLDER

Each setting draws a grouping and estimates its loss with 12 orders, every link and 200 tries, all
from fixed sources. FOLDER holds ``Kdl.graphml`` and ``Cogentco.graphml`` of the Internet Topology
Zoo, which are no part of this project. The table is ``studies/results/grouping_dial.csv``;
``--show`` prints the rows of the page from it.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

import pathveil as pv
from pathveil.grouping.grouping_loss import estimate_loss, guess_right
from pathveil.lab.reproduction.sweep_store import write_csv_file

RESULTS = Path(__file__).parent / "results" / "grouping_dial.csv"
SETTINGS = {
    "Kdl": (55, 67, 84),
    "Cogentco": (35, 44),
    "random": (101, 126),
    "scale-free": (118,),
}
"""Classes asked for, by network."""
ORDERS, TRIES, JOINS = 12, 200, 4
COLUMNS = (
    *("network", "vertices", "links", "classes", "smallest", "largest", "load"),
    *("one_time_loss", "tries_succeed", "insider_before", "insider_after"),
)


def network_named(name: str, topologies: Path) -> pv.Network:
    """Return one of the four networks."""
    if name == "random":
        graph = nx.gnm_random_graph(1000, 2000, seed=1)
        whole = graph.subgraph(max(nx.connected_components(graph), key=len))
        return pv.Network.from_networkx(whole)
    if name == "scale-free":
        return pv.Network.from_networkx(nx.barabasi_albert_graph(500, 2, seed=1))
    path = topologies / f"{name}.graphml"
    return pv.read_network(path, names="id", simplify=True, largest_component=True)


def rows(topologies: Path) -> Iterator[dict[str, object]]:
    """Yield one row for each setting."""
    for name, settings in SETTINGS.items():
        network = network_named(name, topologies)
        for classes in settings:
            source = pv.Seeded(f"dial {name} {classes}")
            grouping = pv.group(network, classes=classes, source=source)
            loss = estimate_loss(
                network, grouping, source=source, effort=(ORDERS, len(network.links), TRIES)
            )
            yield {
                "network": name,
                "vertices": len(network),
                "links": len(network.links),
                "classes": grouping.classes,
                "smallest": int(grouping.sizes.min()),
                "largest": int(grouping.sizes.max()),
                "load": f"{loss.load:.4f}",
                "one_time_loss": f"{loss.one_time:.4f}",
                "tries_succeed": f"{loss.success.value:.4f}",
                "insider_before": f"{loss.insider():.4f}",
                "insider_after": f"{loss.insider(chaff=0.5):.4f}",
            }


def printed(table: list[dict[str, str]]) -> list[str]:
    """Return the rows of the page's table."""

    def share(text: str | float) -> str:
        return f"{float(text):.2f}".removeprefix("0")

    lines, before = [], ""
    for row in table:
        size = f"{int(row['vertices']):,}, {int(row['links']):,}"
        name = "" if row["network"] == before else f"{row['network']} ({size})"
        before = row["network"]
        rare, load = float(row["tries_succeed"]), float(row["load"])
        tries = f" (1 try in {1 / rare:.0f} succeeds)" if rare < 0.5 else ""
        cells = (
            name,
            row["classes"],
            f"{row['smallest']}–{row['largest']}",
            share(row["load"]),
            share(row["one_time_loss"]) + tries,
            # From the load: what is rounded already is not rounded again.
            f"{share(guess_right(JOINS, 1 - load))}, {share(guess_right(JOINS, (1 - load) / 2))}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def read() -> list[dict[str, str]]:
    """Return the committed table."""
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    """Write the table, or print its rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topologies", type=Path)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    if given.topologies is not None:
        write_csv_file(RESULTS, COLUMNS, (row.values() for row in rows(given.topologies)))
    if given.show:
        print("\n".join(printed(read())))


if __name__ == "__main__":
    main()
