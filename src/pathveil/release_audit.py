"""Auditing real releases: what ``publish`` hands out, in the two worlds a certificate compares.

The world *with* the edge is the custodian's, drawn by ``publish`` itself. In the world *without* it
the same code draws the edge's copy pairs like those of any pair that is no edge. An adversary is
granted how copies are handed to visits, so the hand-out is drawn once and then the same in every
release of both worlds. With a universe both worlds have coins on its pairs alone: the edge is one
of them, or nobody could miss it.

Looked at is the whole canonical file. It is a function of the bits and the direction (and, of a
series, of its salt), which is checked by writing it again from these alone; so what remains to be
judged are the bits: those of the edge's own copy pairs, each other bit beside them (those that
differ most in a first part of the draws are held against the claim in the rest), the direction
(:mod:`pathveil.adversary.release_views`), and whether the file is canonical. The judge is
:func:`pathveil.adversary.auditing.audit`, which knows nothing of all this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import product

import numpy as np

from pathveil.adversary.auditing import Audit, audit
from pathveil.adversary.release_views import VIEWS, Pile, judge_piles, rows_needed, worst
from pathveil.chance.certification import certify
from pathveil.chance.copies import draw_copies
from pathveil.chance.losses import Missing, losses_of
from pathveil.chance.policy import Policy
from pathveil.chance.sketch_release import draw_sketches, policy_in_sketch, require_capacity
from pathveil.chance.source import Source, System
from pathveil.errors import BadNetwork
from pathveil.formats.veil import publication_text
from pathveil.model.bits import IndexArray, pair_count, pair_places
from pathveil.model.engines import Layering
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.publishing import publish, publish_unlinked

BOTH = (True, False)
"""The two worlds: with the edge, and without it."""

FILES = 300
"""Files written and compared with their canonical form, on each side."""


class Replayed:
    """A source that repeats some bytes and then goes on with fresh ones: a fixed hand-out."""

    def __init__(self, first: bytes, rest: Source) -> None:
        self._first, self._rest = first, rest
        self.unsafe = rest.unsafe

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        now, self._first = self._first[:count], self._first[count:]
        return now if len(now) == count else now + self._rest.take(count - len(now))


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

    Examples
    --------
    >>> from pathveil.chance.source import Seeded
    >>> release = EdgeRelease(Network.parse("ab bc"), Walk("abc"), Policy.sealed(), ("a", "b"))
    >>> release(True, Seeded(1)).same_branch(("a", 0), ("b", 0))
    False
    """

    network: Network
    walk: Walk
    policy: Policy
    edge: tuple[str, str]
    layering: Layering = "exact"
    universe: Universe | None = None
    handout: bytes = field(default=b"", compare=False)

    def __post_init__(self) -> None:
        self.walk.require_in(self.network)
        if not self.network.has_edge(*self.edge):
            u, v = self.edge
            raise BadNetwork(f"{u!r} - {v!r} is no edge of the network, so nobody can miss it")
        _require_inside(self.edge, self.universe, self.network)

    def with_fixed_copies(self, source: Source) -> EdgeRelease:
        """Return the same with one hand-out of copies, drawn now, for all releases."""
        recorded = _Recorded(source)
        draw_copies(self.network, self.walk, self.policy, recorded)
        return replace(self, handout=recorded.given)

    def __call__(self, known: bool, source: Source) -> Publication:  # noqa: FBT001
        """Return one release."""
        coins = Replayed(self.handout, source)
        if known:
            return publish(
                self.network,
                self.walk,
                policy=self.policy,
                layering=self.layering,
                universe=self.universe,
                source=coins,
            )
        return publish_unlinked(
            self.network,
            self.walk,
            self.edge,
            policy=self.policy,
            layering=self.layering,
            universe=self.universe,
            source=coins,
        )

    def __repr__(self) -> str:
        return f"<EdgeRelease: {self.policy!r}>"


@dataclass(frozen=True, repr=False)
class SketchRelease:
    """Sketches of a walk as seen at one edge, with the edge (True) or without it (False).

    A sketch lists no pairs: what it shows of the edge's own copy pairs is all that is looked at.
    Its coins are the same with a universe, which it names.
    """

    network: Network
    walk: Walk
    policy: Policy
    edge: tuple[str, str]
    capacity: int
    universe: Universe | None = None

    def __post_init__(self) -> None:
        _require_inside(self.edge, self.universe, self.network)

    def __call__(self, known: bool, source: Source) -> tuple[bool, ...]:  # noqa: FBT001
        """Return the bits that a sketch shows of the edge's copy pairs."""
        lifted = draw_copies(self.network, self.walk, self.policy, source)
        hidden = None if known else self.edge
        (bits,) = draw_sketches(
            self.network, [lifted], self.policy, self.capacity, source, without=hidden
        )
        asked = bits.positions_of(self.edge)
        copies = (asked.copies_of(name) for name in self.edge)
        pairs = np.array(list(product(*copies)), dtype=np.int64)
        return tuple(bits.same_branch(asked, pairs).tolist())

    def __repr__(self) -> str:
        return f"<SketchRelease: {self.policy!r}>"


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


def claim(
    policy: Policy,
    *,
    on_walk: bool,
    copies: tuple[int, int] = (1, 1),
    uses: int = 1,
    capacity: int | None = None,
) -> tuple[str, float, float]:
    """Return whose claim is audited, and the claimed loss with the edge and without it.

    Our policies are held to their certificate. The paper's are held to its Theorem 1 (Lemma 2
    where the vertex budget is off), which claims one number both ways round; where it claims
    nothing, as without an edge budget, to the exact loss for the copies that were drawn.
    """
    theorem = policy.kind.claimed()
    if theorem is not None:
        whose, loss = theorem
        return whose, float(loss), float(loss)
    row = certify(policy, capacity=capacity).bound(
        walk_edges=int(on_walk), other_edges=int(not on_walk)
    )
    if row is None:
        exact = losses_of(policy, Missing(on_walk=on_walk, uses=uses, copies=copies))
        presence, absence = exact.presence.loss(), exact.absence.loss()
        return "loss for these copies", float(presence), float(absence)
    return "certificate", float(row.presence), float(row.absence)


def _claimed_of(release: EdgeRelease, source: Source) -> tuple[float, float]:
    """Return the losses claimed at the edge, given how many copies its ends have and its uses."""
    u, v = release.edge
    positions = release(True, source).positions
    copies = (len(positions.copies_of(u)), len(positions.copies_of(v)))
    uses = release.walk.uses[u, v]
    _, presence, absence = claim(release.policy, on_walk=uses > 0, copies=copies, uses=max(uses, 1))
    return presence, absence


def _audit_sketches(
    release: SketchRelease, *, samples: int, confidence: float, source: Source
) -> Audit:
    require_capacity(release.network, release.policy, release.capacity)
    on_walk = release.edge in release.walk.edges
    _, presence, absence = claim(release.policy, on_walk=on_walk, capacity=release.capacity)
    return audit(
        release,
        (True, False),
        claimed=(presence, absence),
        samples=samples,
        confidence=confidence,
        source=source,
    )


def audit_release(
    network: Network,
    walk: Walk,
    *,
    policy: Policy,
    edge: tuple[str, str],
    layering: Layering = "exact",
    samples: int = 20_000,
    confidence: float = 0.999,
    capacity: int | None = None,
    universe: Universe | Pairs | None = None,
    source: Source | None = None,
    write: Callable[[Publication], str] = publication_text,
) -> Audit:
    """Return the loss of real releases at one edge, measured, against what is claimed of it.

    The loss found is the largest over all views of the file; the confidence is for all of them
    together. With a ``capacity`` the releases are sketches, which list no pairs: there the edge's
    own bits alone are judged, and the sketch is drawn without the rest of ``publish``. With a
    ``universe`` releases have coins on its pairs alone; the edge and every other must be in it.

    *Cost*: three and a half releases for each sample, three of sketches, and a few files.
    """
    source = source or System()
    u, v = sorted(edge)
    if universe is not None and not isinstance(universe, Universe):
        universe = Universe.of(universe)
    if capacity is not None:
        policy = policy_in_sketch(policy)
        sketches = SketchRelease(network, walk, policy, (u, v), capacity, universe)
        return _audit_sketches(sketches, samples=samples, confidence=confidence, source=source)
    release = EdgeRelease(network, walk, policy, (u, v), layering, universe)
    release = release.with_fixed_copies(source)
    piles = {known: draw_pile(release, rows_needed(samples), source, known=known) for known in BOTH}
    files = {known: _files(release, known, write, source) for known in BOTH}
    claimed = _claimed_of(release, source)
    found = judge_piles(
        piles, claimed, samples=samples, confidence=confidence, tests=VIEWS + 1, source=source
    )
    found.append(
        audit(
            _Counted(files),
            (True, False),
            claimed=claimed,
            samples=FILES * 2 // 3,
            confidence=confidence,
            tests=VIEWS + 1,
            source=source,
        )
    )
    return worst(found, samples, confidence)


def draw_pile(release: EdgeRelease, rows: int, source: Source, *, known: bool) -> Pile:
    """Return so many releases of one world, as bits."""
    packed, told = [], []
    for _ in range(rows):
        one = release(known, source)
        packed.append(one.packed.pairs.packed)
        told.append(-1 if one.direction is None else int(one.direction))
    bits = np.unpackbits(np.stack(packed), axis=1, count=pair_count(len(one.positions)))
    own = edge_places(one.positions, release.edge)
    return Pile(bits.astype(bool), np.array(told, dtype=np.int8), own)


class _Counted:
    """What files said, counted elsewhere, handed out in a fixed mixture."""

    def __init__(self, files: Mapping[bool, Counter[Hashable]]) -> None:
        self._keys = {known: _mixed(counts) for known, counts in files.items()}

    def __call__(self, known: bool, _source: Source) -> Hashable:  # noqa: FBT001
        return self._keys[known].pop()


def _mixed(counts: Counter[Hashable]) -> list[Hashable]:
    listed = sorted(counts.elements(), key=repr)
    return [listed[i] for i in np.random.default_rng(0).permutation(len(listed)).tolist()]


def _files(
    release: EdgeRelease,
    known: bool,  # noqa: FBT001
    write: Callable[[Publication], str],
    source: Source,
) -> Counter[Hashable]:
    """Return of some files what they say beyond bits and direction: nothing, or a digest of it.

    The paper's layout is drawn again in the walk's order, which both worlds share.
    """
    seen: Counter[Hashable] = Counter()
    for _ in range(FILES):
        one = release(known, source)
        text = write(one)
        fresh = replace(one) if one.drawing is None else one
        plain = text == publication_text(fresh)
        seen[None if plain else sha256(text.encode()).hexdigest()[:1]] += 1
    return seen


def edge_places(positions: Positions, edge: tuple[str, str]) -> IndexArray:
    """Return the flat places of the copy pairs of an edge."""
    pairs = np.array(list(product(*(positions.copies_of(name) for name in edge))), dtype=np.int64)
    return pair_places(pairs[:, 0], pairs[:, 1], len(positions))
