"""At the edge of the gate: what annealing reads of as many walks as cover lets out.

    python -m studies.cover_edge --zoo FOLDER --series 400 -o studies/results

Each series draws a network (random, or of the Internet Topology Zoo; half of them below 25
vertices), a kind of walks and a public law, and adds walks as long as the gate is open. What was
let out is then drawn and attacked from nothing: annealing is told the number of *used* links and
the longest walk. Where releases differ in rate or in vertices, the dearest ones, or those between
the oldest vertices, are attacked alone as well, and the better reading counts. Beside it, not
judged: sampling that starts at the truth. A series is drawn from its number alone. Finished ones
are in the table already, so a study that was stopped goes on.

Over a grouping a walk between classes counts as read, and what is left is a guess among the members
of its classes; there the column ``luck`` is the mean number of walks that such guesses name.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import log, prod
from pathlib import Path

import networkx as nx
import numpy as np

from pathveil.attacks.series.annealing_kernels import SCALE, Cooling, anneal_network
from pathveil.attacks.series.observed_pairs import ChaffLaw, FloatArray, Sightings
from pathveil.attacks.series.outsider import (
    DECLINES,
    Effort,
    SeriesReading,
    pattern_evidence,
    structural_outsider,
    walks_right,
)
from pathveil.chance.source import Seeded
from pathveil.chance.urn import Urn
from pathveil.errors import PathveilError
from pathveil.files.networks.network_reader import read_network
from pathveil.grouping.draw_grouping import group, recommend
from pathveil.grouping.grouping_loss import one_time_loss
from pathveil.lab.maps import random_map
from pathveil.layering.kernels.running import run as kernel
from pathveil.model.bits import IndexArray, PairBits, pair_count, pair_places
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.walk import Walk
from pathveil.planning.cover import Classes, Coins, CountedRelease, Cover, Law, Life, Urns, cover
from pathveil.planning.path_counts import PathCounts
from pathveil.policies.remembering import Remembering

MOST = 120
"""Walks after which a series ends, though the gate may be open."""
KINDS = (
    *("random", "shortest", "corner", "corner and elsewhere", "repeated", "copies"),
    *("changing", "growing", "two rates", "grouped"),
)
LAWS = ("fitted", "fitted", "fitted", "one half", "rate", "fair")
Route = tuple[int, ...]


@dataclass(frozen=True)
class Series:
    """What was let out: for each release the network, the walk and the law; the cover they use.

    A walk is numbers of ``names``, the vertices of the largest version.
    """

    names: tuple[str, ...]
    networks: list[Network]
    walks: list[Route]
    laws: list[tuple[Law, ChaffLaw]]
    copies: int
    answer: Cover

    @property
    def used(self) -> list[tuple[int, int]]:
        """The links that some walk uses."""
        return sorted({link for walk in self.walks for link in _links(walk)})

    def plainest(self) -> Series:
        """Return the releases that an outsider may look at alone: the dearest, or the smallest."""
        dearest = max(_price(law) for law, _ in self.laws)
        size = min(len(network) for network in self.networks)
        small = next(network for network in self.networks if len(network) == size)
        place = {self.names.index(name): k for k, name in enumerate(small.vertices)}
        kept = [
            k
            for k, walk in enumerate(self.walks)
            if _price(self.laws[k][0]) == dearest and place.keys() >= set(walk)
        ]
        walks = [tuple(place[k] for k in self.walks[at]) for at in kept]
        laws = [self.laws[at] for at in kept]
        return Series(small.vertices, [small] * len(kept), walks, laws, self.copies, self.answer)


@dataclass(frozen=True, eq=False, repr=False)
class UnlikeSightings(Sightings):
    """Sightings in releases that differ in rate or vertices: the chance of each pair's pattern."""

    chances: FloatArray = field(default_factory=lambda: np.zeros(0))

    def chaff(self, law: ChaffLaw) -> FloatArray:
        """Return ln of the chance that a pair that is not a link shows what it shows."""
        return self.chances if len(self.chances) else super().chaff(law)


def usage_of(length: float, links: int) -> Fraction:
    """Return 1.4 l/m, rounded up to 1, 1.5, 2, 3, 5 or 7 of its decade."""
    wanted, decade = 1.4 * length / links, Fraction(1)
    while wanted < decade:
        decade /= 10
    steps = [Fraction(step, 10) * decade for step in (10, 15, 20, 30, 50, 70, 100)]
    return min(next(step for step in steps if step >= wanted), Fraction(1, 2))


def draw_network(random: np.random.Generator, zoo: Sequence[Path]) -> tuple[str, Network]:
    """Return a network of 6 to 200 vertices, every second one below 25."""
    while True:
        if random.random() < 0.5 or not zoo:
            size = int(
                random.integers(6, 25) if random.random() < 0.5 else random.integers(25, 201)
            )
            links = min(int(size * random.uniform(1.1, 2.2)), size * (size - 1) // 2)
            return f"random {size} {links}", random_map(size, links, random)[0]
        path = zoo[int(random.integers(len(zoo)))]
        try:
            network = read_network(path, simplify=True, largest_component=True)
        except PathveilError:
            continue
        if 6 <= len(network) <= 200 and (len(network) < 25 or random.random() < 0.6):
            return path.stem, network


def walk_source(
    network: Network, kind: str, length: int, random: np.random.Generator
) -> Callable[[int], Route]:
    """Return what draws the walk of a given number."""
    paths = PathCounts(len(network), network.pairs)
    while not len(everywhere := paths.sample(length)):
        length -= 1  # a network that changed may have no path as long any more
    if kind == "shortest":
        graph: nx.Graph[int] = nx.Graph(network.pairs.tolist())

        def shortest(_: int) -> Route:
            while True:
                u, v = random.choice(len(network), 2, replace=False).tolist()
                path = nx.shortest_path(graph, u, v)
                if len(path) > 2:
                    return tuple(path)

        return shortest
    inside = everywhere
    if "corner" in kind:
        graph = nx.Graph(network.pairs.tolist())
        near = list(nx.bfs_tree(graph, int(random.integers(len(network)))))
        corner = set(near[: max(6, len(near) // 4)])
        pairs = np.array([p for p in network.pairs.tolist() if corner.issuperset(p)])
        inside = PathCounts(len(network), pairs).sample(min(length, 3))
        if not len(inside):
            inside = everywhere
    if kind == "repeated":
        inside = inside[random.integers(0, len(inside), 3)]

    def drawn(number: int) -> Route:
        rows = everywhere if kind == "corner and elsewhere" and number % 2 else inside
        return tuple(rows[int(random.integers(len(rows)))].tolist())

    return drawn


def changed(network: Network, random: np.random.Generator) -> Network:
    """Return the network with a new link, and without one whose going does not part it."""
    links = list(network.links)
    while True:
        u, v = random.choice(len(network), 2, replace=False).tolist()
        if not network.has_edge(network.vertices[u], network.vertices[v]):
            break
    links.append((network.vertices[u], network.vertices[v]))
    for place in random.permutation(len(links) - 1).tolist():
        rest = links[:place] + links[place + 1 :]
        if nx.is_connected(nx.Graph(rest)) and len(nx.Graph(rest)) == len(network):
            return Network.from_links(rest, vertices=network.vertices)
    return Network.from_links(links, vertices=network.vertices)


def public_law(name: str, usage: Fraction, copies: int) -> tuple[Law, ChaffLaw]:
    """Return a law as cover counts it, and as coins are drawn by it."""
    states = copies**2
    if name in ("fitted", "one half"):
        urn = Remembering.of(usage=usage).urn if name == "fitted" else Urn()
        return Urns(float(urn.on), float(urn.off), states, copies), urn
    rate = usage if name == "rate" else Fraction(states, states + 1)
    return Coins(-log(1 - rate), log(states / rate), copies=copies), rate


def grown(network: Network, random: np.random.Generator) -> Network:
    """Return the network with half as many vertices more, joined to it and to each other."""
    links, names = list(network.links), list(network.vertices)
    for number in range(max(2, len(network) // 2)):
        ends = random.choice(len(names), min(2, len(names)), replace=False).tolist()
        links += [(names[end], f"new {number}") for end in ends]
        names.append(f"new {number}")
    return Network.from_links(links)


def let_out(
    network: Network,
    kind: str,
    laws: Sequence[tuple[Law, ChaffLaw]],
    length: int,
    random: np.random.Generator,
) -> Series:
    """Add walks as long as the gate is open; return what was let out."""
    large = grown(network, random) if kind == "growing" else network
    names = large.vertices
    place = {name: k for k, name in enumerate(names)}
    draw = walk_source(network, kind, length, random)
    further = walk_source(large, kind, length, random)
    life, answer = Life(()), cover(Life(()))
    networks: list[Network] = []
    walks: list[Route] = []
    used: list[tuple[Law, ChaffLaw]] = []
    while len(walks) < MOST:
        if kind == "changing" and walks:
            network = changed(network, random)
            draw = walk_source(network, kind, length, random)
        at_large = kind == "growing" and len(walks) % 3 == 2
        version = large if at_large else network
        row = (further if at_large else draw)(len(walks))
        named = Walk([version.vertices[k] for k in row])
        law = laws[int(random.integers(len(laws)))]
        longer = life.and_then(CountedRelease(version, (named,), law[0]))
        asked = cover(longer)
        if asked.closed:
            break
        life, answer = longer, asked
        networks.append(version)
        walks.append(tuple(place[name] for name in named.vertices))
        used.append(law)
    first = laws[0][0]
    copies = 1 if isinstance(first, Classes) else first.copies
    return Series(names, networks, walks, used, copies, answer)


def draw_bits(
    series: Series, source: Seeded, random: np.random.Generator
) -> tuple[list[PairBits], FloatArray]:
    """Return the bits of each release, and ln of the chance of each pair's pattern as chaff.

    A pair shows an on/off coin, times a uniform copy pattern.
    """
    copies, size = series.copies, len(series.names)
    place = {name: k for k, name in enumerate(series.names)}
    shown = np.zeros(pair_count(size), dtype=np.int64)
    chances = np.zeros(len(shown))
    first, second = np.triu_indices(size, 1)
    rows: list[PairBits] = []
    for number, (network, walk) in enumerate(zip(series.networks, series.walks, strict=True)):
        law = series.laws[number][1]
        urn = law if isinstance(law, Urn) else Urn(law, 1 - law)
        before = (shown, number) if isinstance(law, Urn) else (np.zeros_like(shown), 0)
        on = urn.coins(source, *before)
        numbers = np.array([place[name] for name in network.vertices])
        there = np.isin(first, numbers) & np.isin(second, numbers)
        on &= there
        ends = np.sort(numbers[network.pairs], axis=1)
        on[pair_places(ends[:, 0], ends[:, 1], size)] = False
        steps = np.asarray(walk)
        used = pair_places(steps[:-1], steps[1:], size)
        on[used] = True
        if not isinstance(law, Urn):
            chances += np.where(there, np.where(on, log(law), log(1 - law)), 0.0)
        shown += on
        # Each pair shows one of the copy pairs; a walk keeps to one copy of each vertex.
        one, other = random.integers(0, copies, (2, len(on)))
        served = random.integers(0, copies, size)
        swapped = steps[:-1] > steps[1:]
        low, high = (
            np.where(swapped, steps[1:], steps[:-1]),
            np.where(swapped, steps[:-1], steps[1:]),
        )
        one[used], other[used] = served[low], served[high]
        flat = pair_places(first * copies + one, second * copies + other, size * copies)
        bits = np.ones(pair_count(size * copies), dtype=bool)
        bits[flat[on]] = False
        rows.append(PairBits.from_flat(size * copies, bits))
    return rows, chances


def sightings(series: Series, source: Seeded, random: np.random.Generator) -> Sightings:
    """Return what an outsider sees of a series, drawn afresh."""
    releases, chances = draw_bits(series, source, random)
    seen = UnlikeSightings.of(Positions.uniform(series.names, series.copies), releases)
    assert isinstance(seen, UnlikeSightings)
    alike = len({law for law, _ in series.laws}) == len({len(n) for n in series.networks}) == 1
    return seen if alike else replace(seen, chances=chances)


def attack(series: Series, seen: Sightings, source: Seeded) -> SeriesReading:
    """Return what annealing from nothing makes of a series."""
    longest = max(len(walk) - 1 for walk in series.walks)
    steps = 3_000_000 if len(series.names) < 25 else 6_000_000
    coins = max(series.laws, key=lambda law: _price(law[0]))[1]
    return structural_outsider(
        seen, coins, len(series.used), longest=longest, effort=Effort(steps, 2, source)
    )


def from_truth(
    seen: Sightings, law: ChaffLaw, truth: IndexArray, longest: int, seed: int
) -> IndexArray:
    """Return the links of a posterior sample: a million moves from the truth, at no heat."""
    chosen = seen.numbers_of(truth).astype(np.int32)
    evidence = np.round(pattern_evidence(seen, law, len(truth)) * SCALE).astype(np.int64)
    declines = np.round(DECLINES * SCALE).astype(np.int64)
    heats, weight = np.full(64, SCALE, dtype=np.int64), int(2.5 * SCALE)
    cooling = Cooling(declines, heats, weight, longest, 1_000_000, seed)
    kernel(anneal_network, 4_000_000, chosen, 0, seen.arrays, evidence, cooling)
    return chosen.astype(np.int64)


def run(number: int, zoo: Sequence[Path]) -> dict[str, object]:
    """Return the row of one series."""
    random = np.random.default_rng([23, 13, number])
    kind = KINDS[number % len(KINDS)]
    name, network = draw_network(random, zoo)
    row: dict[str, object] = {"number": number, "network": name, "kind": kind}
    length = int(random.integers(3, 9))
    while length > 2 and not len(PathCounts(len(network), network.pairs).sample(length)):
        length -= 1
    chaff = LAWS[int(random.integers(len(LAWS)))]
    if kind == "repeated" and chaff == "fitted":
        chaff = "one half"
    mean = float(length)
    if kind == "shortest":
        lengths = dict(nx.all_pairs_shortest_path_length(nx.Graph(network.pairs.tolist())))
        mean = float(np.mean([k for row in lengths.values() for k in row.values() if k > 1] or [1]))
    usage = usage_of(mean, len(network.pairs))
    copies = 2 if kind == "copies" else 1
    if kind == "grouped":
        return row | grouped(network, length, number, random)
    if kind in ("growing", "two rates"):
        chaff = "rate" if chaff == "fitted" else "fair" if chaff == "one half" else chaff
    laws = [public_law(chaff, usage, copies)]
    if kind == "two rates":
        chaff = "rate and fair"
        laws = [public_law(one, usage, copies) for one in ("rate", "fair")]
    series = let_out(network, kind, laws, length, random)
    used = series.used
    row |= {
        "vertices": len(series.names), "links": len(network.pairs), "length": length, "law": chaff,
        "walks": len(series.walks), "used": len(used), "loss": round(series.answer.loss, 3),
        "cover": round(series.answer.description, 3), "by": series.answer.by,
        "excess": round(series.answer.excess, 3), "read": 0, "links_named": 0, "from_truth": 0,
    }  # fmt: skip
    if len(series.walks) < 2:
        return row
    source = Seeded(f"cover edge, fifth {number}")
    seen = sightings(series, source, random)
    reading = attack(series, seen, source)
    row["read"] = walks_right(reading, series.walks)
    row["links_named"] = len(set(used) & {(min(i, j), max(i, j)) for i, j in reading.pairs})
    longest = max(len(walk) - 1 for walk in series.walks)
    coins = max(series.laws, key=lambda law: _price(law[0]))[1]
    kept = from_truth(seen, coins, np.array(used), longest, number)
    row["from_truth"] = walks_right(SeriesReading((), seen.walks(kept)), series.walks)
    alone = series.plainest()
    if 1 < len(alone.walks) < len(series.walks):
        reading = attack(alone, sightings(alone, source, random), source)
        row["read"] = max(int(str(row["read"])), walks_right(reading, alone.walks))
    return row


def _price(law: Law) -> float:
    """Return what a link of the walk loses by one release."""
    return law.on if isinstance(law, Coins) else 0.0


def grouped(
    network: Network, length: int, number: int, random: np.random.Generator
) -> dict[str, object]:
    """Return the row of a series over a grouping: what guessing within classes names."""
    row: dict[str, object] = {
        "vertices": len(network), "links": len(network.pairs), "length": length, "law": "grouping"
    }  # fmt: skip
    advice = recommend(network)
    if not advice.useful:
        return row | {"walks": 0, "read": 0}
    source = Seeded(f"cover edge, fifth {number}")
    grouping = group(network, classes=advice.classes, source=source)
    law = Classes.of(grouping, [Walk(network.vertices)], one_time_loss(network, grouping))
    series = let_out(network, "random", [(law, Fraction(1, 2))], length, random)
    members = grouping.classes_of(network.vertices)
    sizes = np.bincount(members)
    chances = [prod(1 / sizes[members[k]] for k in walk) for walk in set(series.walks)]
    right = sum(random.random() < chance for chance in chances)
    return row | {
        "walks": len(series.walks), "loss": round(series.answer.loss, 3),
        "cover": round(series.answer.description, 3), "by": series.answer.by,
        "excess": round(series.answer.excess, 3),
        "read": right if len(series.walks) > 1 else 0, "luck": round(sum(chances), 4),
    }  # fmt: skip


def _links(walk: Route) -> Iterator[tuple[int, int]]:
    for i, j in pairwise(walk):
        yield (min(i, j), max(i, j))


NAMES = (
    *("number", "network", "kind", "vertices", "links", "length", "law", "walks", "used", "loss"),
    *("cover", "by", "excess", "read", "links_named", "from_truth", "luck"),
)


def main() -> None:
    """Run what is not yet in the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zoo", type=Path, help="folder of GraphML files")
    parser.add_argument("--series", type=int, default=400)
    parser.add_argument("-o", "--output", type=Path, default=Path("studies/results"))
    given = parser.parse_args()
    zoo = sorted(given.zoo.glob("*.graphml")) if given.zoo else []
    table = given.output / "cover_edge.csv"
    done: set[int] = set()
    if table.exists():
        with table.open(encoding="utf-8", newline="") as file:
            done = {int(row["number"]) for row in csv.DictReader(file)}
    with table.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, NAMES, lineterminator="\n", restval="")
        if not done:
            writer.writeheader()
        for number in range(given.series):
            if number not in done:
                writer.writerow(run(number, zoo))
                file.flush()


if __name__ == "__main__":
    main()
