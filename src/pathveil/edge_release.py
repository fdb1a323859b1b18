"""Real releases in the two worlds that a certificate compares: with an edge, and without it.

The world *with* the edge is the custodian's, drawn by ``publish`` itself, packed or as a sketch. In
the world *without* it the same code draws the edge's copy pairs like those of any pair that is no
edge. An adversary is granted how copies are handed to visits, so the hand-out is drawn once and
then the same in every release of both worlds. With a universe both worlds have coins on its pairs
alone: the edge is one of them, or nobody could miss it.

What a release of either world is due to say beside its bits is in :mod:`pathveil.release_files`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.policy import Policy
from pathveil.chance.source import Source, System
from pathveil.errors import BadNetwork, BadPublication
from pathveil.model.bits import BoolArray, IndexArray, pair_places
from pathveil.model.engines import Layering
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Direction, Publication
from pathveil.model.universe import Universe
from pathveil.model.walk import Walk
from pathveil.publishing import publish, publish_unlinked
from pathveil.terms import ReleaseTerms

BOTH = (True, False)
"""The two worlds: with the edge, and without it."""

MOST_ASKED = 40
"""Copies of vertices a sketch is asked about, each pair of them: the ends of the edge, then the
walk's, then others."""


class Replayed:
    """A source that repeats some bytes and then goes on with fresh ones: a fixed hand-out.

    ``last`` is what it gave last.
    """

    def __init__(self, first: bytes, rest: Source) -> None:
        self._first, self._rest = first, rest
        self.unsafe = rest.unsafe
        self.last = b""

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        now, self._first = self._first[:count], self._first[count:]
        self.last = now if len(now) == count else now + self._rest.take(count - len(now))
        return self.last


class _Recorded:
    """A source that keeps what it gave."""

    def __init__(self, source: Source) -> None:
        self._source, self.given = source, b""
        self.unsafe = source.unsafe

    def take(self, count: int) -> bytes:
        found = self._source.take(count)
        self.given += found
        return found


@dataclass(frozen=True, repr=False)
class EdgeRelease:
    """Releases of a walk, with an edge (True) or in the world without it (False).

    With a ``capacity`` they are sketches.

    Examples
    --------
    >>> from pathveil.chance.source import Seeded
    >>> release = EdgeRelease(Network.parse("ab bc"), Walk("abc"), Policy.sealed(), ("a", "b"))
    >>> release.own_bits(release(True, Seeded(1)))
    (False,)
    """

    network: Network
    walk: Walk
    policy: Policy
    edge: tuple[str, str]
    layering: Layering = "exact"
    universe: Universe | None = None
    direction: Direction = "told"
    capacity: int | None = None
    handout: bytes = field(default=b"", compare=False)
    unsafe: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        self.walk.require_in(self.network)
        if not self.network.has_edge(*self.edge):
            u, v = self.edge
            raise BadNetwork(f"{u!r} - {v!r} is no edge of the network, so nobody can miss it")
        _require_inside(self.edge, self.universe, self.network)

    # -- drawing --------------------------------------------------------------------------------

    @cached_property
    def terms(self) -> ReleaseTerms:
        """What is public of every release, as it is drawn and charged."""
        terms = ReleaseTerms(
            self.policy,
            layering=self.layering,
            direction=self.direction,
            universe=self.universe,
            form="packed" if self.capacity is None else "sketch",
            capacity=self.capacity,
        )
        return replace(terms, policy=terms.in_use)

    def with_fixed_copies(self, source: Source) -> EdgeRelease:
        """Return the same with one hand-out of copies, drawn now, for all releases."""
        recorded = _Recorded(source)
        draw_copies(self.network, self.walk, self.terms.policy, recorded)
        return replace(self, handout=recorded.given, unsafe=source.unsafe)

    def __call__(self, known: bool, source: Source) -> Publication:  # noqa: FBT001
        """Return one release.

        Raises
        ------
        BadPublication
            If its salt is not what the source gave last: what else it may be made from, no look at
            releases can tell.
        """
        coins, terms = Replayed(self.handout, source), self.terms
        public: dict[str, Any] = {
            "policy": self.policy,
            "layering": terms.layering,
            "direction": terms.direction,
            "universe": terms.universe,
            "form": terms.form,
            "capacity": terms.capacity,
        }
        if known:
            found = publish(self.network, self.walk, **public, source=coins)
        else:
            found = publish_unlinked(self.network, self.walk, self.edge, **public, source=coins)
        if found.salt is not None and found.salt != coins.last.hex():
            raise BadPublication(
                "the salt of a release is not what the source of coins gave last, so it may be "
                "made from the secret, which no number of releases can show or exclude; take it "
                "from the source, behind the coins"
            )
        return found

    # -- looking --------------------------------------------------------------------------------

    @cached_property
    def lifted(self) -> LiftedWalk:
        """The hand-out: the walk over its copies. Granted to the adversary."""
        coins = Replayed(self.handout, System())
        return draw_copies(self.network, self.walk, self.terms.policy, coins)

    @cached_property
    def asked(self) -> Positions:
        """The copies whose pairs are looked at: all of a packed release, some of a sketch."""
        if self.capacity is None:
            return self.lifted.positions
        each = self.terms.policy.copies or 1
        order = dict.fromkeys([*self.edge, *self.walk, *self.network.vertices])
        names = list(order)[: max(MOST_ASKED // each, 2)]
        return Positions.uniform(tuple(sorted(names)), each)

    @cached_property
    def own(self) -> IndexArray:
        """The places of the edge's copy pairs among those that are looked at."""
        return edge_places(self.asked, self.edge)

    def shown(self, one: Publication) -> BoolArray:
        """Return the bit of every pair that is looked at."""
        if self.capacity is None:
            return one.packed.pairs.flat()
        pairs = np.stack(np.triu_indices(len(self.asked), 1), axis=1)
        return one.bits.same_branch(self.asked, pairs)

    def own_bits(self, one: Publication) -> tuple[bool, ...]:
        """Return the published bits of the edge's copy pairs, in the order of the copies."""
        return tuple(self.shown(one)[self.own].tolist())

    def __repr__(self) -> str:
        return f"<EdgeRelease: {self.policy!r}>"


def edge_places(positions: Positions, edge: tuple[str, str]) -> IndexArray:
    """Return the flat places of the copy pairs of an edge."""
    pairs = np.array(list(product(*(positions.copies_of(name) for name in edge))), dtype=np.int64)
    return pair_places(pairs[:, 0], pairs[:, 1], len(positions))


def _require_inside(edge: tuple[str, str], universe: Universe | None, network: Network) -> None:
    """Raise unless an audit can be of releases with this universe."""
    if universe is None:
        return
    u, v = sorted(edge)
    whole = universe.brought(None)
    if (u, v) not in frozenset(whole.pairs or ()):
        raise BadNetwork(
            f"{u!r} - {v!r} is outside the universe of {whole.count} pairs: everybody knows that "
            "it is no edge, so nobody can miss it. Ask about an edge inside, or give the universe "
            "that holds it"
        )
    whole.require_holds(network)
