"""Auditing real releases: what ``publish`` hands out, in the two worlds a certificate compares.

The releases are those of :mod:`pathveil.edge_release`: drawn by ``publish``, packed or as sketches,
with one hand-out of copies, which an adversary is granted.

Looked at is the whole canonical file. All of it but the bits, the direction and, of a series, the
salt is due to follow from these and from the public terms (:mod:`pathveil.release_files`). So what
is judged are the bits of the edge's own copy pairs; each other bit of the file beside them (those
that differ most in a first part of the draws are held against the claim in the rest), among which
count the salt, the seed and values of a sketch, and whether a fact is not as due; the direction
(:mod:`pathveil.adversary.release_views`); and of some files, written out, in which part they are
not what is due. The judge is :func:`pathveil.adversary.auditing.audit`, which knows nothing of all
this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

import numpy as np

from pathveil.adversary.auditing import Audit, audit
from pathveil.adversary.release_views import VIEWS, Pile, judge_piles, rows_needed, worst
from pathveil.chance.certification import certify
from pathveil.chance.losses import Missing, losses_of
from pathveil.chance.policy import Policy
from pathveil.chance.sketch_release import require_capacity
from pathveil.chance.source import Source, System
from pathveil.edge_release import BOTH, EdgeRelease
from pathveil.model.engines import Layering
from pathveil.model.network import Network
from pathveil.model.publication import Direction
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.release_files import DueFile, Writer, canonical

SAMPLES, SAMPLES_SKETCHED = 20_000, 4_000
"""Releases that confirm on each side if nobody says how many: packed ones, and sketches."""

FILES = 300
"""Files written and compared with their canonical form, on each side."""


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


def _claimed_of(release: EdgeRelease) -> tuple[float, float]:
    """Return the losses claimed at the edge, given how many copies its ends have and its uses."""
    u, v = release.edge
    positions = release.lifted.positions
    copies = (len(positions.copies_of(u)), len(positions.copies_of(v)))
    uses = release.walk.uses[u, v]
    _, presence, absence = claim(
        release.terms.policy,
        on_walk=uses > 0,
        copies=copies,
        uses=max(uses, 1),
        capacity=release.capacity,
    )
    return presence, absence


def confirming(samples: int | None, *, sketched: bool) -> int:
    """Return how many releases confirm on each side: those asked for, or as many as is usual.

    >>> confirming(None, sketched=False), confirming(None, sketched=True)
    (20000, 4000)
    """
    usual = SAMPLES_SKETCHED if sketched else SAMPLES
    return usual if samples is None else samples


def releases_drawn(samples: int) -> int:
    """Return how many releases an audit draws in all, in both worlds.

    >>> releases_drawn(20_000)
    70600
    """
    return 2 * (rows_needed(samples) + FILES)


def audit_release(
    network: Network,
    walk: Walk,
    *,
    policy: Policy,
    edge: tuple[str, str],
    layering: Layering = "exact",
    direction: Direction = "told",
    samples: int | None = None,
    confidence: float = 0.999,
    capacity: int | None = None,
    universe: Universe | Pairs | None = None,
    source: Source | None = None,
    write: Writer = canonical,
) -> Audit:
    """Return the loss of real releases at one edge, measured, against what is claimed of it.

    The loss found is the largest over all views of the file; the confidence is for all of them
    together. With a ``capacity`` the releases are sketches: of a few vertices every pair is asked,
    the edge's first, and the seed and the values are looked at as they stand in the file. With a
    ``universe`` releases have coins on its pairs alone; the edge and every other must be in it.
    ``samples`` are 20,000 if not given, 4,000 of sketches, which take longer to draw.

    *Cost*: three and a half releases for each sample, and a few files.
    """
    source = source or System()
    samples = confirming(samples, sketched=capacity is not None)
    u, v = sorted(edge)
    if universe is not None and not isinstance(universe, Universe):
        universe = Universe.of(universe)
    release = EdgeRelease(network, walk, policy, (u, v), layering, universe, direction, capacity)
    if capacity is not None:
        require_capacity(network, release.terms.policy, capacity)
    release = release.with_fixed_copies(source)
    piles = {known: draw_pile(release, rows_needed(samples), source, known=known) for known in BOTH}
    files = {known: _files(release, known, write, source) for known in BOTH}
    claimed = _claimed_of(release)
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
    """Return so many releases of one world, as bits: those of pairs, then all others."""
    due, packed, told = DueFile(release), [], []
    for _ in range(rows):
        one = release(known, source)
        line = np.concatenate([release.shown(one), due.aside(one)])
        packed.append(np.packbits(line))
        told.append(-1 if one.direction is None else int(one.direction))
    bits = np.unpackbits(np.stack(packed), axis=1, count=len(line))
    return Pile(bits.astype(np.bool_), np.array(told, dtype=np.int8), release.own)


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
    write: Writer,
    source: Source,
) -> Counter[Hashable]:
    """Return of some files what they say beyond what is due, beside the edge's own bits."""
    due, seen = DueFile(release), Counter[Hashable]()
    for _ in range(FILES):
        one = release(known, source)
        seen[release.own_bits(one), due.beyond(one, write(one))] += 1
    return seen
