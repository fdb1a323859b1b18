"""Auditing real releases: what ``publish`` hands out, in the two worlds a certificate compares.

The world *with* the edge is the custodian's, drawn by ``publish`` itself. In the world *without* it
the same code draws the edge's copy pairs like those of any pair that is no edge. An adversary is
granted how copies are handed to visits, so the hand-out is drawn once and then the same in every
release of both worlds.

Looked at is the whole canonical file. It is a function of the bits and the direction, which is
checked by writing it again from these alone; so what remains to be judged are the bits: those of
the edge's own copy pairs, each other bit beside them (those that differ most in a first part of the
draws are held against the claim in the rest), the direction, and whether the file is canonical. The
judge is :func:`pathveil.adversary.auditing.audit`, which knows nothing of all this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import product

import numpy as np
import numpy.typing as npt

from pathveil.adversary.auditing import Audit, audit
from pathveil.chance.copies import draw_copies
from pathveil.chance.losses import Missing, certify, losses_of
from pathveil.chance.policy import Policy
from pathveil.chance.sketch_release import draw_sketches, policy_in_sketch, require_capacity
from pathveil.chance.source import Source, System
from pathveil.errors import BadNetwork
from pathveil.formats.veil import publication_text
from pathveil.model.bits import IndexArray, pair_count, pair_places
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Layering, Publication
from pathveil.model.walk import Walk
from pathveil.publishing import publish, publish_unlinked

OTHERS = 5
"""Other bits that are judged: those that differed most in a first part of the draws."""

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
    >>> release.own_bits(release(True, Seeded(1)))
    (False,)
    """

    network: Network
    walk: Walk
    policy: Policy
    edge: tuple[str, str]
    layering: Layering = "exact"
    handout: bytes = field(default=b"", compare=False)

    def __post_init__(self) -> None:
        self.walk.require_in(self.network)
        if not self.network.has_edge(*self.edge):
            u, v = self.edge
            raise BadNetwork(f"{u!r} - {v!r} is no edge of the network, so nobody can miss it")

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
                self.network, self.walk, policy=self.policy, layering=self.layering, source=coins
            )
        return publish_unlinked(
            self.network,
            self.walk,
            self.edge,
            policy=self.policy,
            layering=self.layering,
            source=coins,
        )

    def own_bits(self, publication: Publication) -> tuple[bool, ...]:
        """Return the published bits of the edge's copy pairs, in the order of the copies."""
        places = edge_places(publication.positions, self.edge)
        return tuple(publication.packed.pairs.at(places).tolist())

    def __repr__(self) -> str:
        return f"<EdgeRelease: {self.policy!r}>"


@dataclass(frozen=True, repr=False)
class SketchRelease:
    """Sketches of a walk as seen at one edge, with the edge (True) or without it (False).

    A sketch lists no pairs: what it shows of the edge's own copy pairs is all that is looked at.
    """

    network: Network
    walk: Walk
    policy: Policy
    edge: tuple[str, str]
    capacity: int

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
    source: Source | None = None,
    write: Callable[[Publication], str] = publication_text,
) -> Audit:
    """Return the loss of real releases at one edge, measured, against what is claimed of it.

    The loss found is the largest over all views of the file; the confidence is for all of them
    together. With a ``capacity`` the releases are sketches, which list no pairs: there the edge's
    own bits alone are judged, and the sketch is drawn without the rest of ``publish``.

    *Cost*: three releases for each sample.
    """
    source = source or System()
    u, v = sorted(edge)
    if capacity is not None:
        policy = policy_in_sketch(policy)
        require_capacity(network, policy, capacity)
        _, presence, absence = claim(policy, on_walk=(u, v) in walk.edges, capacity=capacity)
        return audit(
            SketchRelease(network, walk, policy, (u, v), capacity),
            (True, False),
            claimed=(presence, absence),
            samples=samples,
            confidence=confidence,
            source=source,
        )
    release = EdgeRelease(network, walk, policy, (u, v), layering).with_fixed_copies(source)
    drawn = {known: _Draws(release, known, samples, source) for known in (True, False)}
    copies = (len(drawn[True].positions.copies_of(u)), len(drawn[True].positions.copies_of(v)))
    uses = walk.uses[u, v]
    _, presence, absence = claim(policy, on_walk=uses > 0, copies=copies, uses=max(uses, 1))
    views: list[_Own | _Beside | _Direction] = [
        _Own(),
        *map(_Beside, _most_different(drawn)),
        _Direction(),
    ]
    tests = len(views) + 1
    found = [
        audit(
            _Views(drawn, view),
            (True, False),
            claimed=(presence, absence),
            samples=samples,
            confidence=confidence,
            tests=tests,
            source=source,
        )
        for view in views
    ]
    files = {known: _files(release, known, write, source) for known in (True, False)}
    found.append(
        audit(
            _Counted(files),
            (True, False),
            claimed=(presence, absence),
            samples=FILES * 2 // 3,
            confidence=confidence,
            tests=tests,
            source=source,
        )
    )
    forward = max((one.forward for one in found), key=lambda loss: loss.epsilon)
    backward = max((one.backward for one in found), key=lambda loss: loss.epsilon)
    return Audit(forward, backward, "sampling", samples, confidence)


class _Draws:
    """Releases of one world, kept as bits: first a part to choose views by, then the rest."""

    def __init__(self, release: EdgeRelease, known: bool, samples: int, source: Source) -> None:  # noqa: FBT001
        self.rows: list[npt.NDArray[np.uint8]] = []
        self.direction: list[bool | None] = []
        part = max(samples // 4, 1)
        self.chosen_by = part
        for _ in range(samples + 3 * part):
            one = release(known, source)
            self.rows.append(one.packed.pairs.packed)
            self.direction.append(one.direction)
        self.positions = one.positions
        self.own = edge_places(self.positions, release.edge)

    @cached_property
    def bits(self) -> npt.NDArray[np.bool_]:
        """One row a release, one column a pair."""
        count = pair_count(len(self.positions))
        return np.unpackbits(np.stack(self.rows), axis=1, count=count).astype(bool)


def _most_different(drawn: Mapping[bool, _Draws]) -> list[int]:
    """Return the other bits that differ most between the worlds, given the edge's own."""
    part = drawn[True].chosen_by
    here, there = (drawn[known].bits[:part] for known in (True, False))
    gap = np.abs(here.mean(axis=0) - there.mean(axis=0))
    gap[drawn[True].own] = -1
    order = np.argsort(-gap, kind="stable")
    return [int(place) for place in order[:OTHERS] if gap[place] >= 0]


class _Own:
    def keys(self, draws: _Draws) -> list[Hashable]:
        return [row.tobytes() for row in draws.bits[:, draws.own]]


@dataclass(frozen=True)
class _Beside:
    place: int

    def keys(self, draws: _Draws) -> list[Hashable]:
        columns = [*draws.own.tolist(), self.place]
        return [row.tobytes() for row in draws.bits[:, columns]]


class _Direction:
    def keys(self, draws: _Draws) -> list[Hashable]:
        own = draws.bits[:, draws.own]
        return [(row.tobytes(), d) for row, d in zip(own, draws.direction, strict=True)]


class _Views:
    """Draws behind the first part, seen by one view, handed out in order."""

    def __init__(self, drawn: Mapping[bool, _Draws], view: _Own | _Beside | _Direction) -> None:
        self._keys = {known: view.keys(draws)[draws.chosen_by :] for known, draws in drawn.items()}

    def __call__(self, known: bool, _source: Source) -> Hashable:  # noqa: FBT001
        return self._keys[known].pop(0)

    def counts(self, known: bool, number: int, _source: Source) -> Mapping[Hashable, int]:  # noqa: FBT001
        """Return the next so many keys, counted."""
        now, self._keys[known] = self._keys[known][:number], self._keys[known][number:]
        return Counter(now)


class _Counted(_Views):
    """Keys that were counted elsewhere, handed out in a fixed mixture."""

    def __init__(self, files: Mapping[bool, Counter[Hashable]]) -> None:
        self._keys = {known: _mixed(counts) for known, counts in files.items()}


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
