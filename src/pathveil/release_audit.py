"""Auditing real releases: the two worlds that a certificate compares, drawn with the real coins.

The world *with* the edge is the custodian's. In the world *without* it the same walk is drawn as
if the edge were none: its copy pairs get coins like any absent pair. What an audit looks at is the
bits of those copy pairs; the rest of the release is the same in both worlds, and layers are
computed from the bits. The judge is :func:`pathveil.adversary.auditing.audit`, which knows nothing
of all this.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from pathveil.adversary.auditing import Audit, audit
from pathveil.chance.coins import draw_release
from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.losses import certify
from pathveil.chance.policy import Policy
from pathveil.chance.sketch_release import draw_sketches, policy_in_sketch, require_capacity
from pathveil.chance.source import Source
from pathveil.errors import BadNetwork
from pathveil.model.bits import Relation, pair_places
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.walk import Walk


@dataclass(frozen=True, repr=False)
class EdgeRelease:
    """The release of a walk as seen at one edge, with the edge (True) or without it (False).

    With a ``capacity`` it is a sketch, drawn for a policy that has been rounded for one.

    Examples
    --------
    >>> from pathveil.chance.source import Seeded
    >>> release = EdgeRelease(Network.parse("ab bc"), Walk("abc"), Policy.sealed(), ("a", "b"))
    >>> release(True, Seeded(1)), release(False, Seeded(1))
    ((False,), (False,))
    """

    network: Network
    walk: Walk
    policy: Policy
    edge: tuple[str, str]
    capacity: int | None = None

    def __post_init__(self) -> None:
        self.walk.require_in(self.network)
        if not self.network.has_edge(*self.edge):
            u, v = self.edge
            raise BadNetwork(f"{u!r} - {v!r} is no edge of the network, so nobody can miss it")

    def __call__(self, known: bool, source: Source) -> tuple[bool, ...]:  # noqa: FBT001
        """Return the published bits of the edge's copy pairs, in the order of the copies."""
        lifted = draw_copies(self.network, self.walk, self.policy, source)
        if self.capacity is not None:
            return self._sketched(lifted, source, known=known)
        relation = lifted.positions.relation(self.network, lifted.visits)
        places = _places(lifted.positions, self.edge)
        if not known:
            relation = Relation(
                relation.size,
                np.setdiff1d(relation.on_walk, places),
                np.setdiff1d(relation.off_walk, places),
            )
        (bits,) = draw_release([relation], lifted.positions, self.policy, source)
        return tuple(bits.at(places).tolist())

    def _sketched(self, lifted: LiftedWalk, source: Source, *, known: bool) -> tuple[bool, ...]:
        """Return the bits that a sketch shows of the edge's copy pairs."""
        assert self.capacity is not None
        hidden = None if known else self.edge
        (bits,) = draw_sketches(
            self.network, [lifted], self.policy, self.capacity, source, without=hidden
        )
        asked = bits.positions_of(self.edge)
        copies = (asked.copies_of(name) for name in self.edge)
        pairs = np.array(list(product(*copies)), dtype=np.int64)
        return tuple(bits.same_branch(asked, pairs).tolist())

    def __repr__(self) -> str:
        return f"<EdgeRelease: {self.policy!r}>"


def claim(
    policy: Policy, *, on_walk: bool, capacity: int | None = None
) -> tuple[str, float, float]:
    """Return whose claim is audited, and the claimed loss with the edge and without it.

    Our policies are held to their certificate; the paper's to its Theorem 1 (Lemma 2 where the
    vertex budget is off), which claims one number both ways round.
    """
    theorem = policy.kind.claimed()
    if theorem is not None:
        whose, loss = theorem
        return whose, float(loss), float(loss)
    row = certify(policy, capacity=capacity).bound(
        walk_edges=int(on_walk), other_edges=int(not on_walk)
    )
    assert row is not None, "a policy with public copies bounds the loss of every edge"
    return "certificate", float(row.presence), float(row.absence)


def audit_release(
    network: Network,
    walk: Walk,
    *,
    policy: Policy,
    edge: tuple[str, str],
    samples: int = 20_000,
    confidence: float = 0.999,
    capacity: int | None = None,
    source: Source | None = None,
) -> Audit:
    """Return the loss of a real release at one edge, measured, against what is claimed of it.

    With a ``capacity`` the releases are sketches.

    *Cost*: three draws of the whole release for each sample.
    """
    u, v = sorted(edge)
    if capacity is not None:
        policy = policy_in_sketch(policy)
        require_capacity(network, policy, capacity)
    _, presence, absence = claim(policy, on_walk=(u, v) in walk.edges, capacity=capacity)
    return audit(
        EdgeRelease(network, walk, policy, (u, v), capacity),
        (True, False),
        claimed=(presence, absence),
        samples=samples,
        confidence=confidence,
        source=source,
    )


def _places(
    positions: Positions, edge: tuple[str, str]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    pairs = np.array(list(product(*(positions.copies_of(name) for name in edge))), dtype=np.int64)
    return pair_places(pairs[:, 0], pairs[:, 1], len(positions))
