"""Law: the enumerated loss of the mechanism equals its certificate, in both directions.

None of this uses the cost module:

* The *program itself* is run with a scripted source of chance that takes every branch once and
  multiplies the branch probabilities (exact fractions where they are rational). All connected
  networks of up to 4 vertices, all simple paths, every link; two copies on up to 3 vertices with
  all walks of up to 4 visits, the copies handed out in one fixed way (the certificate grants the
  adversary the hand-out), and in all ways (the loss may then only be smaller).
* Broken twins of each mechanism must be told from the certificate by the same enumeration.

Sampled, not complete: two-sided runs of the program on 4 vertices (4096 branches each), and walks
that need copies on networks of more than one link.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise, permutations
from math import inf, log
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
from flint import arb, ctx
from networkx.generators.atlas import graph_atlas_g

from pathveil.chance import coins, copies
from pathveil.chance import coins as throws
from pathveil.chance.certify import certify
from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.chance.source import Seeded, Source
from pathveil.model.bits import BoolArray, IndexArray, Relation, pattern_table
from pathveil.model.certificate import CertificateRow, Loss
from pathveil.model.network import Network
from pathveil.model.universe import Universe
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from tests.chance.choices import Chance, Script, every_run
from tests.strategies import bound, link_losses

Outputs = dict[Any, Chance]


@cache
def certified(policy: Policy, *, on_walk: bool) -> CertificateRow:
    """Return what the certificate promises of one missing link, one copy where they are drawn."""
    copies = (1, 1) if policy.kind.draws_copies else None
    row = certify(policy).bound(
        walk_links=int(on_walk), other_links=int(not on_walk), copies=copies
    )
    assert row is not None
    return row


# -- a source of chance that takes every branch ---------------------------------------------------


def outputs(run: Callable[[Script], Any]) -> Outputs:
    """Return the law of what ``run`` returns, by taking every branch once."""
    law: Outputs = {}
    for found, weight in every_run(run):
        law[found] = law.get(found, Fraction(0)) + weight
    return law


def number(p: ExactProbability) -> Chance:
    exact = p.as_fraction
    return float(p) if exact is None else exact


def coin(source: Source, p: ExactProbability, count: int) -> BoolArray:
    assert isinstance(source, Script)
    on = number(p)
    if on in (0, 1):
        return np.full(count, on == 1)
    return np.array([source.choose([1 - on, on]) == 1 for _ in range(count)], dtype=bool)


def packed_coin(source: Source, p: ExactProbability, count: int) -> npt.NDArray[np.uint8]:
    """All coins in one choice: the packed path has up to ten and no branch between them."""
    assert isinstance(source, Script)
    on = number(p)
    if on in (0, 1):
        return np.packbits(np.full(count, on == 1))
    chosen: npt.NDArray[np.uint8] = _PACKED(count)[source.choose(_weights(on, count))]
    return chosen


@lru_cache(maxsize=64)
def _weights(on: Chance, count: int) -> tuple[Chance, ...]:
    ones = (o.bit_count() for o in range(1 << count))
    return tuple(on**k * (1 - on) ** (count - k) for k in ones)


@lru_cache(maxsize=16)
def _PACKED(count: int) -> npt.NDArray[np.uint8]:
    rows = np.arange(1 << count)[:, None] >> np.arange(count - 1, -1, -1)[None, :] & 1
    return np.packbits(rows.astype(bool), axis=1)


def uniform(source: Source, bound: int, count: int) -> IndexArray:
    assert isinstance(source, Script)
    return np.array([source.below(bound) for _ in range(count)], dtype=int)


def any_pattern(source: Source, count: int, width: int) -> BoolArray:
    chosen = uniform(source, (1 << width) - 1, count) + 1
    return (chosen[:, None] >> np.arange(width)[None, :] & 1).astype(bool)


def any_order(source: Source, count: int) -> list[int]:
    assert isinstance(source, Script)
    orders = list(permutations(range(count)))
    return list(orders[source.choose([Fraction(1, len(orders))] * len(orders))])


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coins, "bernoulli_packed", packed_coin)
    monkeypatch.setattr(throws, "bernoulli", coin)
    monkeypatch.setattr(throws, "below_many", uniform)
    monkeypatch.setattr(throws, "_any_pattern", any_pattern)
    monkeypatch.setattr(copies, "shuffled", lambda source, count: list(range(count)))


# -- worlds ---------------------------------------------------------------------------------------


class World:
    """A network and the steps of a walk that are known to it: D, or D' without some links."""

    def __init__(
        self, network: Network, walk: Walk, missing: tuple[str, str] | None = None
    ) -> None:
        self.whole, self.walk, self.missing = network, walk, missing
        self.network = network if missing is None else network.without(missing)

    def relation(self, lifted: LiftedWalk) -> Relation:
        """In D' the missing link's copy pairs are absent and the visits the same."""
        whole = Relation.of(lifted.positions, self.whole, lifted.visits)
        known = Relation.of(lifted.positions, self.network, [])
        have = np.concatenate([known.on_walk, known.off_walk])
        return Relation(
            whole.size, np.intersect1d(whole.on_walk, have), np.intersect1d(whole.off_walk, have)
        )

    def law(
        self, policy: Policy, *, any_hand_out: bool = False, universe: IndexArray | None = None
    ) -> Outputs:
        """Run the program on every branch."""

        def run(script: Script) -> bytes:
            lifted = fixed or draw_copies(self.whole, self.walk, policy, script)
            relation = known or self.relation(lifted)
            release = coins.draw_release(
                [relation], lifted.positions, policy, script, universe=universe
            )
            return release[0].packed.tobytes()

        fixed, known = None, None
        if not any_hand_out:
            fixed = draw_copies(self.whole, self.walk, policy, Script())
            known = self.relation(fixed)
        return outputs(run)


def largest_ratio(one: Outputs, other: Outputs) -> Chance:
    return max((p / other[o] if o in other else inf for o, p in one.items() if p), default=0)


@cache
def connected(size: int) -> list[Network]:
    """All connected networks of a size, up to isomorphism."""
    atlas = (g for g in graph_atlas_g() if len(g) == size and nx.is_connected(g))
    return [Network.from_links(("abcde"[u], "abcde"[v]) for u, v in g.edges) for g in atlas]


def simple_walks(network: Network) -> Iterator[Walk]:
    """All simple paths, one direction each: the bits do not depend on it."""
    for length in range(2, len(network) + 1):
        for names in permutations(network.vertices, length):
            if names[0] < names[-1] and all(network.has_edge(u, v) for u, v in pairwise(names)):
                yield Walk(names)


def all_walks(network: Network, longest: int) -> Iterator[Walk]:
    paths: list[tuple[str, ...]] = [(name,) for name in network]
    for _ in range(longest - 1):
        paths = [(*path, v) for path in paths for v in network.neighbours(path[-1])]
        for path in paths:
            if path <= path[::-1]:
                yield Walk(path)


@cache
def value(loss: Loss) -> float:
    """Evaluate a certificate's formula, to far more digits than are compared."""
    if loss.is_infinite:
        return inf
    text = loss.expression.replace("^", "**")
    text = re.sub(r"(\d) (ln|exp)", r"\1*\2", text)
    text = re.sub(r"ln (\d+)", r"ln(\1)", text)
    text = re.sub(r"\d+", r"arb(\g<0>)", text)
    before, ctx.prec = ctx.prec, 300
    try:
        names = {"arb": arb, "ln": lambda x: x.log(), "exp": lambda x: x.exp()}
        found = arb(eval(text, {"__builtins__": {}}, names))  # noqa: S307 - our own formula
        assert found <= arb(loss.decimal) if "." in loss.decimal else True
        return float(found.mid())
    finally:
        ctx.prec = before


def same(ratio: Chance, loss: Loss) -> bool:
    claimed = value(loss)
    if inf in {ratio, claimed}:
        return ratio == claimed
    return abs(log(ratio) - claimed) < 1e-12


ONE_COPY = [
    Policy.sealed(),
    Policy.balanced(),
    Policy.paper(vertex=None, link="0.5"),
    Policy.paper(vertex=None, link=1),
    Policy.paper(vertex=None, link=5),
    Policy.frontier(walk_loss="1/2"),
    Policy.two_sided(epsilon=1),
]


def names(policy: Policy) -> str:
    return repr(policy)


# -- the program, enumerated ----------------------------------------------------------------------


@pytest.mark.parametrize("policy", ONE_COPY, ids=names)
def test_the_program_costs_what_it_certifies(policy: Policy) -> None:
    laws: dict[Any, Outputs] = {}
    checked = 0
    for size in (2, 3, 4):
        for network in connected(size):
            for place, walk in enumerate(simple_walks(network)):
                if size == 4 and policy.noisy and (place or len(network.pairs) != 3):
                    continue
                for link in network.links:
                    with_link, without = World(network, walk), World(network, walk, link)
                    on_walk = link in walk.links
                    row = certified(policy, on_walk=on_walk)
                    pair = []
                    for world in (with_link, without):
                        key = (world.network, walk.links - {world.missing})
                        if key not in laws:
                            laws[key] = world.law(policy)
                            assert sum(laws[key].values()) == pytest.approx(1, abs=1e-12)
                        pair.append(laws[key])
                    assert same(largest_ratio(*pair), row.presence), (network.links, walk.vertices)
                    assert same(largest_ratio(*pair[::-1]), row.absence)
                    checked += 1
    assert checked > 20


def test_fractions_stay_fractions() -> None:
    network, walk = Network.parse("ab bc cd bd"), Walk("abcd")
    one, other = (World(network, walk, e).law(Policy.balanced()) for e in (None, ("b", "c")))
    assert largest_ratio(one, other) == Fraction(2)
    assert isinstance(largest_ratio(one, other), Fraction)
    assert largest_ratio(other, one) == inf


# -- two copies -----------------------------------------------------------------------------------

COPIED = [
    Policy.balanced(copies=2, link_uses=1),
    Policy.balanced(copies=2, link_uses=3),
    Policy.sealed(copies=2, link_uses=1),
    Policy.sealed(copies=2),
    Policy.frontier(walk_loss=3, copies=2, link_uses=2),
    Policy.balanced(copies=2),
    Policy.frontier(walk_loss=1, copies=2),
]


def walks_for(policy: Policy) -> Iterator[tuple[Network, Walk]]:
    """Every walk of up to 4 visits over one link that fits, and a ring where that is quick."""
    network = Network.parse("ab")
    for walk in all_walks(network, 4):
        if max(walk.visits.values()) <= 2 and len(walk) - 1 <= (policy.link_uses or 3):
            yield network, walk
    if policy.joint and policy.states <= 5 and not policy.noisy:
        yield Network.parse("ab bc ca"), Walk("abca")


@pytest.mark.parametrize("policy", COPIED, ids=names)
def test_copies_cost_what_is_certified(policy: Policy) -> None:
    """The custodian's list is exact for each walk, the certificate is its largest entry."""
    bound = certified(policy, on_walk=True)
    seen: list[Chance] = []
    for network, walk in walks_for(policy):
        whole = World(network, walk).law(policy)
        positions = draw_copies(network, walk, policy, Seeded(1)).positions
        for link, uses, presence, absence in link_losses(network, walk, policy, positions):
            less = World(network, walk, link).law(policy)
            ratio = largest_ratio(whole, less)
            assert same(ratio, presence)
            assert same(largest_ratio(less, whole), absence)
            if uses:
                seen.append(ratio)
    assert same(max(seen), bound.presence)


def test_the_paper_with_drawn_copies_costs_what_the_custodian_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """2 x 2 copies at link budget 1: 2.40, where Lemma 2 says 1.69; conditional on the copies."""
    policy = Policy.paper(vertex=1, link=1)
    monkeypatch.setattr("pathveil.chance.exponential.ExponentialMechanism.sample", lambda *_: 1)
    network, walk = Network.parse("ab"), Walk("ab")
    ratio = largest_ratio(
        World(network, walk).law(policy), World(network, walk, ("a", "b")).law(policy)
    )
    assert log(ratio) == pytest.approx(2.3963, abs=1e-4)
    row = bound(certify(policy), walk_links=1, uses=1, copies=(2, 2))
    assert same(ratio, row.presence)


@pytest.mark.parametrize("policy", COPIED[:1] + COPIED[2:4], ids=names)
def test_not_knowing_who_got_which_copy_only_helps(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "shuffled", any_order)
    bound = value(certified(policy, on_walk=True).presence)
    for text in ("ab", "aba")[: policy.link_uses or 2]:
        network, walk = Network.parse("ab"), Walk(text)
        one, other = (
            World(network, walk, e).law(policy, any_hand_out=True) for e in (None, ("a", "b"))
        )
        assert log(largest_ratio(one, other)) <= bound + 1e-12


# -- several walks together -----------------------------------------------------------------------


def together(policy: Policy, missing: tuple[str, str] | None) -> Outputs:
    network = Network.parse("ab bc ca")

    def run(script: Script) -> tuple[bytes, ...]:
        walks = [Walk("abc"), Walk("ca")]
        lifted = [draw_copies(network, walk, policy, script) for walk in walks]
        relations = [
            World(network, walk, missing).relation(p) for walk, p in zip(walks, lifted, strict=True)
        ]
        release = coins.draw_release(relations, lifted[0].positions, policy, script)
        return tuple(bits.packed.tobytes() for bits in release)

    return outputs(run)


def test_walks_together_cost_what_is_certified() -> None:
    policy = Policy.balanced().together(2)
    whole = together(policy, None)
    for link in ("ab", "ac"):
        ratio = largest_ratio(whole, together(policy, (link[0], link[1])))
        assert same(ratio, certified(policy, on_walk=True).presence)
    assert largest_ratio(whole, together(policy, ("a", "b"))) == 3  # ln(T + 1)


# -- a universe -----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [Policy.balanced(), Policy.frontier(walk_loss=1)], ids=names)
def test_a_universe_changes_no_loss(policy: Policy) -> None:
    network, walk = Network.parse("ab bc cd bd"), Walk("abcd")
    universe = throws.universe_pairs(network, Universe.of([*network.links, ("a", "c")]))
    whole = World(network, walk).law(policy, universe=universe)
    assert len(whole) == 2  # one pair of the universe is no link
    for link in network.links:
        row = certified(policy, on_walk=link in walk.links)
        less = World(network, walk, link).law(policy, universe=universe)
        assert same(largest_ratio(whole, less), row.presence)
        assert same(largest_ratio(less, whole), row.absence)


# -- broken twins ---------------------------------------------------------------------------------


def agrees(policy: Policy, network: Network, walk: Walk, link: tuple[str, str]) -> bool:
    """Whether the enumerated losses of one link are those certified."""
    row = certified(policy, on_walk=link in walk.links)
    one, other = World(network, walk).law(policy), World(network, walk, link).law(policy)
    return same(largest_ratio(one, other), row.presence) and same(
        largest_ratio(other, one), row.absence
    )


TRIANGLE = Network.parse("ab bc ca"), Walk("abc")


def test_a_coin_that_skips_a_pair_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def skipping(source: Source, p: ExactProbability, count: int) -> npt.NDArray[np.uint8]:
        drawn = packed_coin(source, p, count).copy()
        drawn[0] &= 0x7F
        return drawn

    for policy in (p for p in ONE_COPY if not p.noisy):
        assert agrees(policy, *TRIANGLE, ("a", "b"))
    monkeypatch.setattr(coins, "bernoulli_packed", skipping)
    for policy in (p for p in ONE_COPY if not p.noisy):
        assert not agrees(policy, *TRIANGLE, ("a", "b"))


@pytest.mark.parametrize("policy", [p for p in ONE_COPY if p.kind.name != "sealed"], ids=names)
def test_a_chaff_rate_a_little_off_is_caught(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A coin cut off after 16 digits, as a float coin compared with two random bytes would be."""

    def cut(source: Source, p: ExactProbability, count: int) -> npt.NDArray[np.uint8]:
        rounded = Fraction(p.digits(16) - 1, 1 << 16)
        return packed_coin(source, ExactProbability.rational(rounded), count)

    assert agrees(policy, *TRIANGLE, ("a", "b"))
    monkeypatch.setattr(coins, "bernoulli_packed", cut)
    assert not agrees(policy, *TRIANGLE, ("a", "b"))


def test_two_sided_with_a_wrong_beta_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy.two_sided(epsilon=1)
    promised = certified(policy, on_walk=True).absence

    def wrong(self: Policy, first: str | None = None, second: str | None = None) -> PairLaw:
        return PairLaw(PairLaw.uniform(1).on, 1, ExactProbability.exponential(Fraction(2)))

    monkeypatch.setattr(Policy, "law", wrong)
    one, other = (World(*TRIANGLE, e).law(policy) for e in (None, ("a", "b")))
    assert not same(largest_ratio(other, one), promised)
    assert log(largest_ratio(other, one)) == pytest.approx(2)


@pytest.mark.parametrize("policy", COPIED[:3], ids=names)
def test_joint_coins_with_a_missing_pattern_are_caught(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, walk = Network.parse("ab"), Walk("ab")
    table = pattern_table
    assert agrees(policy, network, walk, ("a", "b"))
    for row in range(4):
        monkeypatch.setattr(
            throws, "pattern_table", lambda c, m, row=row: np.delete(table(c, m), row, axis=0)
        )
        assert not agrees(policy, network, walk, ("a", "b"))


def test_walks_together_with_a_missing_state_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy.balanced().together(2)
    monkeypatch.setattr(
        throws, "below_many", lambda source, bound, count: np.zeros(count, dtype=int)
    )
    ratio = largest_ratio(together(policy, None), together(policy, ("a", "c")))
    assert ratio == inf
