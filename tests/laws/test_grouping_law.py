"""The law of a grouping: blind to names if the order is secret, and not if it is public.

Enumerated in exact fractions: every order and every colour of small networks. The procedure that
is enumerated is the product's own; the compiled draw is its twin (``tests/chance``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import cast

import pytest

from pathveil.grouping.draw_grouping import colour_in_turn
from pathveil.model.grouping import Grouping, GroupingTerms
from pathveil.model.network import Network
from tests.chance.choices import every_run
from tests.chance.exact_orders import allowed_colours, order_ratios

Law = dict[tuple[int, ...] | None, Fraction]


def partition(colours: Iterable[int]) -> list[int]:
    """Colours numbered by their first member. Small classes too: a floor looks at sizes alone."""
    number: dict[int, int] = {}
    return [number.setdefault(colour, len(number)) for colour in colours]


@dataclass(frozen=True)
class Classes:
    """A colouring of a network, before anybody looks at how large its classes are."""

    class_of: Sequence[int]
    terms: GroupingTerms

    @property
    def classes(self) -> int:
        return len(set(self.class_of))


def law(network: Network, terms: GroupingTerms) -> Law:
    """The probability of each partition in one try, and of failure under None."""
    found: Law = defaultdict(Fraction)
    for colours, chance in every_run(lambda s: colour_in_turn(network, terms, s.below)):
        if colours is None:
            found[None] += Fraction(chance)
        else:
            found[tuple(partition(colours.tolist()))] += Fraction(chance)
    return dict(found)


def renamed(network: Network, to: tuple[int, ...]) -> Network:
    names = network.vertices
    links = {tuple(sorted((names[to[i]], names[to[j]]))) for i, j in network.pairs.tolist()}
    whole = Network.from_links(combinations(names, 2))
    return whole.without(*(link for link in whole.links if link not in links))


def within_classes(classes: tuple[int, ...]) -> list[tuple[int, ...]]:
    places = range(len(classes))
    return [
        to
        for to in permutations(places)
        if to != tuple(places) and all(classes[to[i]] == classes[i] for i in places)
    ]


def chance_in_order(network: Network, grouping: Classes, order: tuple[int, ...]) -> Fraction:
    """The probability of a grouping with named colours, for one order."""
    chance = Fraction(1)
    for count in allowed_colours(
        network.pairs.tolist(), list(grouping.class_of), cast("Grouping", grouping), order
    ):
        chance /= count
    return chance


@pytest.mark.parametrize(
    ("links", "terms"), [("ab bc cd", GroupingTerms(4, 2)), ("ab bc ad", GroupingTerms(3, 2))]
)
def test_every_partition_and_the_chance_of_failure_are_blind_to_names(
    links: str, terms: GroupingTerms
) -> None:
    """All orders, all colours: permuting members of a class leaves the probability as it is."""
    network = Network.parse(links)
    here = law(network, terms)
    assert sum(here.values()) == 1
    moved = 0
    for classes, chance in here.items():
        if classes is None:
            continue
        assert classes is not None
        for to in within_classes(classes):
            there = law(renamed(network, to), terms)
            assert chance / there[classes] == 1
            assert there.get(None, 0) == here.get(
                None, 0
            )  # so the law given success is the same as well
            moved += 1
    assert moved


def test_the_enumeration_is_the_sum_over_orders() -> None:
    """What the reference computes order by order is what the procedure does."""
    network, terms = Network.parse("ab bc cd"), GroupingTerms(4, 2)
    for classes, chance in law(network, terms).items():
        if classes is None:
            continue
        grouping = Classes(classes, terms)
        orders = list(permutations(range(len(network))))
        named = sum(chance_in_order(network, grouping, order) for order in orders) / len(orders)
        # A partition into k classes is named by colours in 4!/(4-k)! ways, all alike.
        ways = 1
        for used in range(grouping.classes):
            ways *= terms.classes - used
        assert chance == named * ways


SIX = Network.parse("ac af bd cd ce")
GROUPED = Classes([0, 1, 2, 3, 1, 3], GroupingTerms(4, 2))


def test_a_link_that_moves_alone_within_its_block_is_another_network() -> None:
    """Members trade places with all their links; one link by itself changes the chance."""
    grouping = Classes([0, 0, 1, 2, 3], GroupingTerms(5, 2))
    chances = []
    for text in ("ac ad be ce de", "ac bd be ce de", "bc bd ae ce de"):
        network = Network.parse(text)
        orders = permutations(range(5))
        chances.append(sum(chance_in_order(network, grouping, order) for order in orders))
    here, moved, traded = chances
    assert here == traded
    assert here != moved


def test_six_vertices_with_a_secret_order() -> None:
    """The ratio is exactly 1 where a public order gives itself away."""
    orders = list(permutations(range(6)))
    here = sum(chance_in_order(SIX, GROUPED, order) for order in orders)
    for to in within_classes(tuple(GROUPED.class_of)):
        there = sum(chance_in_order(renamed(SIX, to), GROUPED, order) for order in orders)
        assert here / there == 1


def test_broken_twin_with_a_public_order() -> None:
    """With the vertices in the order of their names the grouping tells members apart, by 9/2."""
    order = tuple(range(6))
    here = chance_in_order(SIX, GROUPED, order)
    there = chance_in_order(renamed(SIX, (0, 4, 2, 5, 1, 3)), GROUPED, order)
    assert here / there == Fraction(9, 2)


def test_the_loss_over_all_orders_is_at_most_the_largest_of_one() -> None:
    orders = list(permutations(range(6)))
    with_link = sum(chance_in_order(SIX, GROUPED, order) for order in orders)
    singles = [order_ratios(SIX, cast("Grouping", GROUPED), order) for order in orders]
    for number, link in enumerate(SIX.links):
        without = SIX.without(link)
        ratio = with_link / sum(chance_in_order(without, GROUPED, order) for order in orders)
        ratios = [single[number] for single in singles]
        assert min(ratios) <= ratio <= max(ratios)
        assert ratio > 1


def with_floor(found: Law, floor: int) -> Law:
    """The law of one try that fails where a class in use has fewer members than the floor."""
    kept: Law = defaultdict(Fraction)
    for classes, chance in found.items():
        large = classes is not None and min(map(classes.count, classes)) >= floor
        kept[classes if large else None] += chance
    return dict(kept)


def scattered(links: str, vertices: str) -> Network:
    """These links alone: a colouring does not ask whether a network hangs together."""
    whole = Network.from_links(combinations(vertices, 2))
    return whole.without(*(link for link in whole.links if "".join(link) not in links.split()))


def test_classes_of_two_or_more_are_drawn_alike_on_five_vertices() -> None:
    """Every order and colour: a and b are apart, and six partitions have two members or more."""
    terms = GroupingTerms(2, 3, 2)
    network = scattered("ab", "abcde")
    here = with_floor(law(network, terms), 2)
    failed = here.pop(None)
    assert 0 < failed < 1
    assert len(here) == 6
    assert set(here.values()) == {(1 - failed) / 6}
    laws: dict[object, Law] = {}
    for classes in here:
        assert classes is not None
        for to in within_classes(classes):
            other = renamed(network, to)
            if other.links not in laws:
                laws[other.links] = with_floor(law(other, terms), 2)
            there = laws[other.links]
            assert (there[classes], there[None]) == (here[classes], failed)


@pytest.mark.parametrize(
    ("links", "classes"), [("ab cd ef", (0, 1, 0, 2, 1, 2)), ("ab bc", (0, 1, 2, 0, 1, 2))]
)
def test_pairs_of_six_vertices_are_blind_to_names_and_a_public_order_is_not(
    links: str, classes: tuple[int, ...]
) -> None:
    """Three classes of two members: the chance of each is that of every network renamed within."""
    network = scattered(links, "abcdef")
    orders, ratios = list(permutations(range(6))), set()
    grouping = Classes(classes, GroupingTerms(3, 2, 2))
    here = [chance_in_order(network, grouping, order) for order in orders]
    for to in within_classes(classes):
        there = [chance_in_order(renamed(network, to), grouping, order) for order in orders]
        assert sum(here) == sum(there) > 0
        ratios.add(here[0] / there[0])
    assert ratios != {1}, "in the order of the names, members are told apart"
