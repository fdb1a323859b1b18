"""The exact posterior of attack() against a listing of all worlds, for every policy and case.

Rows are the kinds of policy, besides publications over a grouping and as a sketch; columns are what
the adversary misses or knows. A row or column that is not here is a failing test, not a gap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import exp
from typing import Any

import pytest

from pathveil import Grouping, Knowledge, Network, Policy, Publication, Seeded, Walk, publish
from pathveil.attacks.one_file.completions import Pair
from pathveil.attacks.one_file.enumerated import _unions
from pathveil.attacks.one_file.inference import attack
from pathveil.attacks.one_file.posterior import Inference
from pathveil.errors import BadGrouping, DoesNotFit
from pathveil.model.bits import pattern_table
from pathveil.policies import KINDS
from tests.attacks.worlds_listed import (
    ONE_OF_FOUR,
    Case,
    Law,
    Link,
    alone,
    by_label,
    list_everything,
    together,
)

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")
UNIVERSE = frozenset([*NETWORK.links, ("a", "d"), ("a", "e")])
SMALL = Network.parse("ab bc ac bd")
REVISITING = Walk("abca")
LABELS = dict(zip("abcde", "xxyyx", strict=True))
RATES = {("x", "x"): "1/3", ("x", "y"): "1/2", ("y", "y"): "1/4"}
CHANCES = {frozenset("x"): 1 / 3, frozenset("xy"): 1 / 2, frozenset("y"): 1 / 4}
ANY_OF_FOUR = set(product((False, True), repeat=4)) - {(False,) * 4}


@dataclass(frozen=True)
class Coins:
    """A policy, and its law as it is written in the documentation."""

    policy: Policy
    law: Law
    doubt: float = 0.0
    uses: int | None = None
    in_order: float | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def release(self, network: Network, walk: Walk, seed: int, **more: Any) -> Publication:
        return publish(network, walk, policy=self.policy, source=Seeded(seed), **(self.more | more))

    def agrees(self, release: Publication, known: Network, missing: int = 1, **more: Any) -> None:
        """Compare attack() with the listing."""
        course = {name: more[name] for name in ("steps", "first", "last") if name in more}
        found = attack(release, Knowledge(known, missing, **course), universe=more.get("brought"))
        more.pop("brought", None)
        case = Case(
            release,
            known,
            missing,
            self.law,
            self.doubt,
            self.uses,
            in_order=self.in_order,
            **more,
        )
        compare(case, found)


@dataclass(frozen=True)
class Row:
    """One kind: with one copy of each vertex, and with several."""

    single: Coins
    copied: tuple[Coins, ...]


PAPER_5, PAPER_1 = 1 / (1 + exp(2.5)), 1 / (1 + exp(0.5))
ROWS = {
    "balanced": Row(
        Coins(Policy.balanced(), alone(0.5)),
        (
            Coins(Policy.balanced(copies=2), alone(0.5)),
            Coins(Policy.balanced(copies=2, link_uses=1), together(0.8, ONE_OF_FOUR), uses=1),
        ),
    ),
    "sealed": Row(
        Coins(Policy.sealed(), alone(1.0)),
        (
            Coins(Policy.sealed(copies=2), together(1.0, ANY_OF_FOUR)),
            Coins(Policy.sealed(copies=2, link_uses=1), together(1.0, ONE_OF_FOUR), uses=1),
        ),
    ),
    "frontier": Row(
        Coins(Policy.frontier(walk_loss=1), alone(exp(-1))),
        (
            Coins(Policy.frontier(walk_loss=1, copies=2), alone(exp(-1))),
            Coins(
                Policy.frontier(walk_loss=2, copies=2, link_uses=1),
                together(4 * exp(-2), ONE_OF_FOUR),
                uses=1,
            ),
        ),
    ),
    "labelled": Row(
        Coins(Policy.labelled(LABELS, RATES), by_label(LABELS, CHANCES)),
        (Coins(Policy.labelled(LABELS, RATES, copies=2), by_label(LABELS, CHANCES)),),
    ),
    "two-sided": Row(
        Coins(Policy.two_sided(epsilon=1), alone(0.5), exp(-1)),
        (
            Coins(
                Policy.two_sided(epsilon=2, copies=2),
                together(0.8, ONE_OF_FOUR),
                doubt=exp(-2),
                uses=1,
            ),
        ),
    ),
    "remembering": Row(
        Coins(Policy.remembering(prior=("1/2", "1/2")), alone(0.5)),
        (Coins(Policy.remembering(prior=("1/2", "1/2"), copies=2), together(0.5, ANY_OF_FOUR)),),
    ),
    "paper": Row(
        Coins(Policy.paper(vertex=None, link=5), alone(PAPER_5)),
        (Coins(Policy.paper(vertex=1, link=1), alone(PAPER_1), in_order=1.0),),
    ),
    "as a sketch": Row(
        Coins(Policy.balanced(), alone(0.5), more={"form": "sketch", "capacity": 20}),
        (Coins(Policy.balanced(copies=2), alone(0.5), more={"form": "sketch", "capacity": 40}),),
    ),
}


def missing(*sets: tuple[Link, ...]) -> Callable[[Row], Iterator[None]]:
    def column(row: Row) -> Iterator[None]:
        for seed, gone in product(range(2), sets):
            release = row.single.release(NETWORK, WALK, seed)
            row.single.agrees(release, NETWORK.without(*gone), len(gone))
            yield

    return column


def over_a_universe(row: Row) -> Iterator[None]:
    for seed in range(2):
        release = row.single.release(NETWORK, WALK, seed, universe=UNIVERSE)
        for gone in (("c", "d"), ("b", "d")):
            row.single.agrees(release, NETWORK.without(gone), universe=UNIVERSE, brought=UNIVERSE)
            yield


def with_copies(row: Row) -> Iterator[None]:
    for coins in row.copied:
        # Walks of noisy releases are listed one by one: a smaller network.
        network = SMALL if not coins.doubt else Network.parse("ab bc ac")
        release = coins.release(network, REVISITING, 4)
        for gone in (("b", "c"), network.links[-1]):
            coins.agrees(release, network.without(gone))
            yield


def told_or_not(row: Row) -> Iterator[None]:
    """The bit turns with the walk, tells nothing where nothing is known, and can be left out."""
    for direction, walk in product(("public", "hidden"), (WALK, WALK.reversed())):
        release = row.single.release(NETWORK, walk, 3, direction=direction)
        assert (release.direction is None) == (direction == "hidden")
        courses: list[dict[str, Any]] = [
            {},
            {"first": walk.vertices[0]},
            {"last": walk.vertices[-1]},
        ]
        for course in courses:
            row.single.agrees(release, NETWORK.without(("c", "d")), **course)
            yield


def with_a_known_step(row: Row) -> Iterator[None]:
    walk = Walk("edcba")
    for direction in ("public", "hidden"):
        release = row.single.release(NETWORK, walk, 3, direction=direction)
        for course in ({"steps": (("e", "d"),)}, {"steps": (("b", "a"),), "first": "e"}):
            row.single.agrees(release, NETWORK.without(("c", "d")), **course)
            yield
    for coins in row.copied:
        release = coins.release(Network.parse("ab bc ac"), REVISITING, 4)
        coins.agrees(release, Network.parse("ab ac"), steps=(("c", "a"),))
        yield


COLUMNS: dict[str, Callable[[Row], Iterator[None]]] = {
    "one walk link": missing((("c", "d"),), (("a", "b"),)),  # the second holds it together
    "other link": missing((("b", "d"),)),
    "several": missing((("a", "b"), ("c", "d")), (("b", "c"), ("c", "e"))),
    "universe": over_a_universe,
    "copies": with_copies,
    "direction": told_or_not,
    "known step": with_a_known_step,
}


def test_the_matrix_has_every_policy() -> None:
    assert {kind.name for kind in KINDS} == ROWS.keys() - {"as a sketch"}
    assert all(row.single.policy.kind.name in (name, "balanced") for name, row in ROWS.items())
    assert all(row.copied for row in ROWS.values())


@pytest.mark.regression("every policy and case against a listing of all worlds")
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("row", ROWS)
def test_the_posterior_is_that_of_a_listing(row: str, column: str) -> None:
    compared = sum(1 for _ in COLUMNS[column](ROWS[row]))
    assert compared >= 2


# -- over a grouping ------------------------------------------------------------------------------

# The class of e comes first, so that the order of classes is not the order of names.
GROUPS = Grouping.of(["ae", "bx", "cy", "dz"])
THINNER = Network.parse("ab bc cd de")
GROUPED = [name for name in ROWS if name not in ("paper", "labelled", "as a sketch")]


def grouped(coins: Coins, walk: Walk, seed: int, **more: Any) -> Publication:
    return coins.release(THINNER, walk, seed, grouping=GROUPS, **more)


@pytest.mark.regression("over a grouping a known step was read by names, not by classes")
@pytest.mark.parametrize("name", GROUPED)
def test_over_a_grouping(name: str) -> None:
    """One link, on the walk or not; the direction bit compares classes, not names."""
    coins, groups = ROWS[name].single, tuple(GROUPS)
    for seed, walk in product(range(2), (Walk("abcde"), Walk("edcba"), Walk("edcb"))):
        for direction in ("public", "hidden"):
            release = grouped(coins, walk, seed, direction=direction)
            start = walk.vertices[:2]
            for course in ({}, {"steps": (start,)}, {"first": start[0]}):
                for gone in (("c", "d"), ("a", "b")):
                    known = THINNER.without(gone)
                    if course and set(gone) & set(start):
                        continue
                    found = attack(release, Knowledge(known, **course))
                    assert any("groupings" in what for what in found.left_out)
                    case = Case(
                        release,
                        known,
                        1,
                        coins.law,
                        coins.doubt,
                        groups=groups,
                        **course,
                    )
                    compare(case, found, left_out=1)


@pytest.mark.parametrize("name", ["balanced", "sealed", "remembering"])
def test_copies_over_a_grouping(name: str) -> None:
    network, groups = Network.parse("ab bc ca ad"), Grouping.of([["a"], ["b", "d"], ["c"]])
    assert not groups.has_room_for(network, "a", "d")
    network = Network.parse("ab bc ca")
    for coins in ROWS[name].copied[:1]:
        release = coins.release(network, REVISITING, 2, grouping=Grouping.of([["a"], ["b"], ["c"]]))
        known = network.without(("b", "c"))
        case = Case(
            release, known, 1, coins.law, groups=(("a",), ("b",), ("c",)), steps=(("c", "a"),)
        )
        compare(case, attack(release, Knowledge(known, steps=[("c", "a")])), left_out=1)


def test_what_a_grouping_refuses() -> None:
    """The empty cells: several missing links, a universe, and policies that tell members apart."""
    coins = ROWS["balanced"].single
    with pytest.raises(DoesNotFit, match="2 missing links over a grouping"):
        attack(grouped(coins, WALK, 1), Knowledge(THINNER.without(("a", "b"), ("c", "d")), 2))
    with pytest.raises(BadGrouping, match="without a universe"):
        grouped(coins, WALK, 1, universe=THINNER)
    for name in ("paper", "labelled"):
        with pytest.raises(BadGrouping):
            grouped(ROWS[name].single, WALK, 1)


# -- what else there is ---------------------------------------------------------------------------


def test_several_uses_of_joint_coins() -> None:
    patterns = {tuple(row) for row in pattern_table(2, 2).tolist()}
    law = together(len(patterns) / (len(patterns) + 1), patterns)
    coins = Coins(Policy.balanced(copies=2, link_uses=2), law, uses=2)
    coins.agrees(coins.release(SMALL, Walk("abcb"), 4), SMALL.without(("b", "c")))


@pytest.mark.regression("other files of a series or of a release")
def test_other_files_of_a_release_or_series_are_said_to_be_left_out() -> None:
    from pathveil import publish_together

    policy = Policy.remembering(prior=("1/2", "1/2"))
    first = publish(NETWORK, WALK, policy=policy, source=Seeded(1))
    second = publish(NETWORK, Walk("edb"), policy=policy, after=[first], source=Seeded(2))
    known = Knowledge(NETWORK.without(("c", "d")))
    assert attack(first, known).left_out == ()
    assert any("series" in what for what in attack(second, known).left_out)
    both = publish_together(NETWORK, [Walk("abc"), Walk("cde")], source=Seeded(1))
    assert any("other walks" in what for what in attack(both[0], known).left_out)


def compare(case: Case, found: Inference, *, left_out: int = 0) -> None:
    """Compare candidates, beliefs of single pairs and the chances of the best guess."""
    wanted = list_everything(case)
    assert found.method == "exact"
    assert len(found.left_out) == left_out
    assert found.without == pytest.approx(1 / wanted.sets)
    for which, weights in enumerate((wanted.before, wanted.after)):
        total = sum(weights.values())
        named: dict[frozenset[Link], float] = defaultdict(float)
        single: dict[Link, float] = defaultdict(float)
        guess: dict[frozenset[Link], float] = defaultdict(float)
        for (gone, used), weight in weights.items():
            key = gone if case.doubt else used
            named[key] += weight / total
            guess[gone] += weight / total
            for link in gone:
                single[link] += weight / total
        shares = {frozenset(c.links): (c.prior, c.posterior)[which] for c in found.candidates}
        assert shares.keys() >= {links for links, share in named.items() if share}
        for links, share in shares.items():
            assert share == pytest.approx(named.get(links, 0.0), abs=1e-9)
        beliefs = {b.link: (b.prior, b.posterior)[which] for b in found.beliefs}
        for link in {*single, *beliefs}:
            assert beliefs.get(link, 0.0) == pytest.approx(single.get(link, 0.0), abs=1e-9)
        best = (found.control, found.success)[which]
        assert best == pytest.approx(max(guess.values()), abs=1e-9)


def test_a_guess_by_the_known_links_alone_is_right_on_the_walk_and_off_it() -> None:
    """Six links are possible, so no best guess is below one in six; 12.5 % was once said."""
    network = Network.parse("ab bc cd de bd af fg")
    release = publish(network, Walk("abcd"), source=Seeded(1))
    found = attack(release, Knowledge(network.without(("d", "e"))))
    assert found.without == pytest.approx(1 / 6)
    assert found.control == pytest.approx(1 / 4)
    assert found.control == max(belief.prior for belief in found.beliefs)


def test_sets_are_united_likeliest_first_and_each_once() -> None:
    """No more than so many links together, and what is listed first needs no union."""
    one, two, three = (frozenset([pair]) for pair in ((0, 1), (0, 2), (1, 2)))
    ways = {one: 0.1, two: 0.5, three: 0.2, frozenset[Pair](): 0.2}
    found = list(_unions(ways, 2))
    assert found[:4] == [two, frozenset(), three, one]
    assert sorted(map(len, found)) == [0, 1, 1, 1, 2, 2, 2]
    assert len(set(found)) == len(found)
