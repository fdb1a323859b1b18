"""The exact posterior of attack() against a listing of all worlds, for every policy and case.

Rows are the kinds of policy and a sketch; columns are what the adversary lacks or knows. A cell is
absent only where the table of what goes with what has none.
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
from pathveil.errors import DoesNotFit
from pathveil.model.bits import pattern_table
from pathveil.policies import KINDS
from tests.attacks.worlds_listed import (
    ONE_OF_FOUR,
    Case,
    Law,
    Link,
    alone,
    list_everything,
    together,
)

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")
UNIVERSE = frozenset([*NETWORK.links, ("a", "d"), ("a", "e")])
SMALL = Network.parse("ab bc ac bd")
REVISITING = Walk("abca")
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
        found = attack(release, Knowledge(known, missing, **course))
        case = Case(
            release, known, missing, self.law, self.doubt, self.uses, in_order=self.in_order, **more
        )
        compare(case, found)


@dataclass(frozen=True)
class Row:
    """One kind: with one copy of each vertex, with several, and whether a universe goes with it."""

    single: Coins
    copied: tuple[Coins, ...] = ()
    universe: bool = False


PAPER_5, PAPER_1 = 1 / (1 + exp(2.5)), 1 / (1 + exp(0.5))
ROWS = {
    "balanced": Row(
        Coins(Policy.balanced(), alone(0.5)),
        (
            Coins(Policy.balanced(copies=2), alone(0.5)),
            Coins(Policy.balanced(copies=2, link_uses=1), together(0.8, ONE_OF_FOUR), uses=1),
        ),
        universe=True,
    ),
    "sealed": Row(
        Coins(Policy.sealed(), alone(1.0)),
        (
            Coins(Policy.sealed(copies=2), together(1.0, ANY_OF_FOUR)),
            Coins(Policy.sealed(copies=2, link_uses=1), together(1.0, ONE_OF_FOUR), uses=1),
        ),
        universe=True,
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
        universe=True,
    ),
    "two_sided": Row(Coins(Policy.two_sided(epsilon=1), alone(0.5), exp(-1))),
    "remembering": Row(
        Coins(Policy.remembering(prior=("1/2", "1/2")), alone(0.5)),
        (Coins(Policy.remembering(prior=("1/2", "1/2"), copies=2), together(0.5, ANY_OF_FOUR)),),
    ),
    "paper": Row(
        Coins(Policy.paper(vertex=None, link=5), alone(PAPER_5)),
        (Coins(Policy.paper(vertex=1, link=1), alone(PAPER_1), in_order=1.0),),
    ),
    "as a sketch": Row(
        Coins(Policy.balanced(), alone(0.5), more={"form": "sketch", "capacity": 20})
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
            row.single.agrees(release, NETWORK.without(gone), universe=UNIVERSE)
            yield


def with_copies(row: Row) -> Iterator[None]:
    for coins in row.copied:
        release = coins.release(SMALL, REVISITING, 4)
        for gone in (("b", "c"), SMALL.links[-1]):
            coins.agrees(release, SMALL.without(gone))
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
        for course in courses[:1] if release.policy.noisy else courses:  # refused there
            row.single.agrees(release, NETWORK.without(("c", "d")), **course)
            yield


def with_a_known_step(row: Row) -> Iterator[None]:
    if row.single.release(NETWORK, WALK, 3).policy.noisy:
        yield from (None, None)  # refused: see the tests of two-sided inference
        return
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
    assert {name for name, row in ROWS.items() if row.copied} == ROWS.keys() - {
        "two_sided",
        "as a sketch",
    }


@pytest.mark.regression("every policy and case against a listing of all worlds")
@pytest.mark.parametrize("row", ROWS)
def test_the_posterior_is_that_of_a_listing(row: str) -> None:
    for name, column in COLUMNS.items():
        goes = {"universe": ROWS[row].universe, "copies": bool(ROWS[row].copied)}.get(name, True)
        compared = sum(1 for _ in column(ROWS[row])) if goes else 2
        assert compared >= 2, name


# -- over a grouping ------------------------------------------------------------------------------

# A path along a trail through five classes: each has two members, no block two links.
PATH = Network.parse("ab bc cd de ef fg gh hi ij")
GROUPS = Grouping.of([["a", "f"], ["b", "i"], ["c", "g"], ["d", "j"], ["e", "h"]])


@pytest.mark.regression("over a grouping a known step was read by names, not by classes")
@pytest.mark.parametrize("name", ["balanced", "frontier"])
def test_over_a_grouping(name: str) -> None:
    """One link, on the walk or not; the direction bit compares classes, not names."""
    coins = ROWS[name].single
    for walk, direction in product((Walk("abcdef"), Walk("gfedc")), ("public", "hidden")):
        release = coins.release(PATH, walk, 1, grouping=GROUPS, direction=direction)
        start = walk.vertices[:2]
        for course in ({}, {"steps": (start,)}, {"first": start[0]}):
            for gone in (("c", "d"), ("d", "e"), ("h", "i")):
                known = PATH.without(gone)
                case = Case(release, known, 1, coins.law, groups=tuple(GROUPS), **course)
                compare(case, attack(release, Knowledge(known, **course)), left_out=1)


def test_over_a_grouping_one_link_is_missing() -> None:
    release = ROWS["balanced"].single.release(PATH, Walk("abcdef"), 1, grouping=GROUPS)
    with pytest.raises(DoesNotFit):
        attack(release, PATH, lacking=[("a", "b"), ("c", "d")])


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
