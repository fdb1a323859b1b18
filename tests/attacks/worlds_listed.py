"""The posterior by listing everything: networks, walks, hand-outs. Shares no code with attack()."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise, product
from math import exp, prod

from pathveil import Network
from pathveil.layering.backtracking import draw_in_walk_order
from pathveil.model.publication import Publication

Link = tuple[str, str]
Copy = tuple[str, int]
Shown = tuple[bool, ...]
Law = Callable[[str, str, Shown], float]
"""Chance that a pair that is no link shows these copy pairs on the walk."""


def alone(rate: float) -> Law:
    """A coin of its own for each copy pair."""
    return lambda _u, _v, shown: prod(rate if on else 1 - rate for on in shown)


def together(rate: float, patterns: set[Shown]) -> Law:
    """One of the patterns, all alike, or none."""

    def law(_u: str, _v: str, shown: Shown) -> float:
        if not any(shown):
            return 1 - rate
        return rate / len(patterns) if shown in patterns else 0.0

    return law


ONE_OF_FOUR = {tuple(i == k for i in range(4)) for k in range(4)}


@dataclass(frozen=True)
class Case:
    """What an adversary has before him."""

    publication: Publication
    known: Network
    missing: int
    law: Law
    doubt: float = 0.0
    uses: int | None = None
    universe: frozenset[Link] | None = None
    steps: tuple[Link, ...] = ()
    first: str | None = None
    last: str | None = None
    spanning: bool = False
    in_order: float | None = None  # the paper's copies: the vertex budget
    groups: tuple[tuple[str, ...], ...] = ()  # the classes, in the order the direction bit uses

    @cached_property
    def apart(self) -> dict[frozenset[Copy], bool]:
        """For each pair of copies whether it is shown in different branches."""
        copies = [(name, i) for name in self.known for i in copies_of(self, name)]
        return {
            frozenset(pair): not self.publication.same_branch(*pair)
            for pair in combinations(copies, 2)
        }

    @cached_property
    def class_of(self) -> dict[str, int]:
        """The number of each vertex's class; without a grouping every vertex is alone in its."""
        groups = self.groups or tuple((name,) for name in self.known)
        return {name: number for number, group in enumerate(groups) for name in group}

    def block(self, pair: Link) -> frozenset[int]:
        return frozenset(self.class_of[name] for name in pair)

    @cached_property
    def shared(self) -> dict[str, range]:
        return {
            name: range(len(self.publication.bits.positions_of([name]).copies_of(name)))
            for name in self.known
        }


@dataclass
class Weights:
    """By (missing links, those of them on the walk): weight by known bits, and by everything."""

    before: dict[tuple[frozenset[Link], frozenset[Link]], float] = field(
        default_factory=lambda: defaultdict(float)
    )
    after: dict[tuple[frozenset[Link], frozenset[Link]], float] = field(
        default_factory=lambda: defaultdict(float)
    )
    sets: int = 0


def list_everything(case: Case) -> Weights:
    found = Weights()
    names = case.known.vertices
    taken = {case.block(link) for link in case.known.links}
    free = [
        pair
        for pair in combinations(names, 2)
        if case.block(pair) not in taken and len(case.block(pair)) == 2
        if case.universe is None or pair in case.universe
    ]
    for gone in combinations(free, case.missing):
        whole = Network.from_links([*case.known.links, *gone], vertices=names, connected=False)
        if whole.components() > 1:
            continue
        found.sets += 1
        for way in copy_walks(case, whole, frozenset(gone)):
            weigh(case, whole, frozenset(gone), way, found)
    return found


def copies_of(case: Case, name: str) -> range:
    return case.shared[name]


def copy_walks(case: Case, whole: Network, gone: frozenset[Link]) -> Iterator[tuple[Copy, ...]]:
    def extend(way: tuple[Copy, ...]) -> Iterator[tuple[Copy, ...]]:
        if len(way) > 1:
            yield way
        here = way[-1]
        for name in whole.neighbours(here[0]):
            link = (min(here[0], name), max(here[0], name))
            for copy in copies_of(case, name):
                there = (name, copy)
                if there in way:
                    continue
                if not case.doubt and link not in gone and not case.apart[frozenset((here, there))]:
                    continue  # a known link between these copies is shown off the walk
                yield from extend((*way, there))

    for name in whole:
        for copy in copies_of(case, name):
            yield from extend(((name, copy),))


def weigh(
    case: Case, whole: Network, gone: frozenset[Link], way: tuple[Copy, ...], found: Weights
) -> None:
    walk = [name for name, _ in way]
    if case.spanning and set(walk) != set(whole):
        return
    if case.first not in (None, walk[0]) or case.last not in (None, walk[-1]):
        return
    if not set(case.steps) <= set(pairwise(walk)):
        return
    links = Counter((min(s), max(s)) for s in pairwise(walk))
    if case.uses is not None and max(links.values()) > case.uses:
        return
    chance = handed(case, way)
    steps = {frozenset(step) for step in pairwise(way)}
    before = after = chance
    # Each block of pairs has bits of its own: a link's, or chaff. Any pair shows them.
    blocks = {case.block(pair): pair for pair in combinations(whole.vertices, 2)}
    blocks |= {case.block(link): link for link in whole.links}
    for u, v in (pair for block, pair in blocks.items() if len(block) == 2):
        places = [((u, i), (v, j)) for i, j in product(copies_of(case, u), copies_of(case, v))]
        shown = tuple(case.apart[frozenset(place)] for place in places)
        true = tuple(frozenset(place) in steps for place in places)
        if whole.has_edge(u, v):
            by_chance = case.doubt * case.law(u, v, shown) if case.doubt else 0.0
            here = by_chance + (1 - case.doubt if shown == true else 0.0)
        elif case.universe is not None and (u, v) not in case.universe:
            here = float(all(shown))
        else:
            here = case.law(u, v, shown)
        after *= here
        if case.known.has_edge(u, v):
            before *= here
    key = (gone, frozenset(links) & gone)
    found.before[key] += before
    after *= directed(case, way)
    if after and case.publication.drawing is not None:
        visits = [case.publication.positions.index(*copy) for copy in way]
        bits = case.publication.packed.pairs
        again = draw_in_walk_order(bits, case.publication.positions, visits)
        after *= again == case.publication.drawing
    found.after[key] += after


def directed(case: Case, way: tuple[Copy, ...]) -> float:
    """Return the chance of the direction bit: of names, or of sequences of classes."""
    told = case.publication.direction
    if told is None:
        return 1.0
    if not case.groups:
        return float(told == (way[0] < way[-1]))
    along = [case.class_of[name] for name, _ in way]
    return 0.5 if along == along[::-1] else float(told == (along < along[::-1]))


def handed(case: Case, way: tuple[Copy, ...]) -> float:
    """Return the chance that the visits get just these copies."""
    visits = Counter(name for name, _ in way)
    counts = {name: len(copies_of(case, name)) for name in case.known}
    if case.in_order is None:
        chance = 1.0
        for name, number in visits.items():
            for taken in range(number):
                chance /= counts[name] - taken
        return chance
    seen: Counter[str] = Counter()
    for name, copy in way:
        if copy != seen[name]:
            return 0.0
        seen[name] += 1
    most, chance = max(2, *visits.values()), 1.0
    for name, count in counts.items():
        fewest = max(visits[name], 1)
        if not fewest <= count <= most:
            return 0.0
        weights = {s: exp(-case.in_order * s / 2) for s in range(fewest, most + 1)}
        chance *= weights[count] / sum(weights.values())
    return chance
