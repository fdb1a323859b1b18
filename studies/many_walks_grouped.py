"""Many walks over one network: what an outsider names who has read a whole grouped series.

    python studies/many_walks_grouped.py --topologies FOLDER -o studies/results

The worst that any number of files can give: the outsider is told every walk as a sequence of
classes, twelve uses per link, sorts the link ends at each class into bundles, and names bundles
blindly. Links named right, beside what chance gives: one over the members of a class not yet named,
at each end. A walk is read only if each of its vertices is named right.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from pathveil import Seeded, group
from pathveil.files.networks.network_reader import read_network
from pathveil.grouping.grouping_loss import recommended_classes
from pathveil.lab.attacks.grouped_outsider import in_random_order, name_links
from pathveil.lab.maps import random_map
from pathveil.model.network import Network
from studies.many_walks import draw_walks, write_rows

USES = Fraction(12)
DIALS = (Fraction(4, 5), Fraction(1), Fraction(3, 2))
"""Classes, as multiples of what the dial recommends for the number of links and largest degree."""


def networks(topologies: Path | None) -> Iterator[tuple[str, Network]]:
    """Yield random maps and, where they are, real topologies."""
    for vertices, links in ((60, 120), (120, 240), (1000, 2000)):
        random = np.random.default_rng([vertices, links])
        yield "random", random_map(vertices, links, random)[0]
    for name in ("Geant2012", "Cogentco", "Kdl") if topologies is not None else ():
        assert topologies is not None
        yield (
            name,
            read_network(
                topologies / f"{name}.graphml", names="id", simplify=True, largest_component=True
            ),
        )


def rows(topologies: Path | None) -> Iterator[dict[str, object]]:
    """Yield the table."""
    for name, network in networks(topologies):
        degree = max(network.degree(vertex) for vertex in network)
        least = recommended_classes(len(network.links), degree)
        for dial in DIALS:
            classes = min(int(least * dial), len(network))
            label = f"grouped {name} {len(network)} {classes}"
            grouping = group(network, classes=classes, source=Seeded(label))
            walks = draw_walks(network, USES, np.random.default_rng(list(label.encode())))
            members = grouping.classes_of(network.vertices).tolist()
            told = [[members[vertex] for vertex in walk] for walk in walks]
            named = name_links(grouping, told, rule=in_random_order(Seeded(f"{label} names")))
            links = set(network.links)
            right = sum((min(link.ends), max(link.ends)) in links for link in named)
            sizes = np.bincount(members)
            yield {
                "topology": name,
                "vertices": len(network),
                "links": len(network.links),
                "classes": classes,
                "class_sizes": f"{sizes.min()}-{sizes.max()}",
                "releases": len(walks),
                "links_named": len(named),
                "right": right,
                "right_by_chance": f"{float(sum(link.chance for link in named)):.2f}",
            }


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--topologies", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    found = list(rows(given.topologies))
    write_rows(given.output / "many_walks_grouped.csv", found)


if __name__ == "__main__":
    main()
