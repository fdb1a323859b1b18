"""publish(): from a network and a walk to a publication. The best first read.

The paper's Alg. 3 in five lines: draw copies, state the relation, draw a coin for each absent pair,
draw the layers, tell the direction. Only two of these touch chance, and only two things that leave
this function come from the secret: the bits and the direction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from pathveil.chance.blocks import universe_pairs
from pathveil.chance.coins import draw_release
from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.losses import certificate
from pathveil.chance.policy import Policy
from pathveil.chance.source import Source, System
from pathveil.errors import NotAWalk
from pathveil.layering.backtracking import insert_vertices
from pathveil.layering.exact import layer_exactly
from pathveil.layering.rules import walk_distances
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.network import Network
from pathveil.model.publication import LAYERINGS, Layering, Publication
from pathveil.model.walk import Walk

Universe = Network | Iterable[tuple[Hashable, Hashable]]
"""A public list of pairs, or a network whose edges are those pairs."""


def publish(
    network: Network,
    walk: Walk,
    *,
    policy: Policy | None = None,
    layering: Layering = "exact",
    source: Source | None = None,
    universe: Universe | None = None,
) -> Publication:
    """Return the walk, published: who knows the network reads it back, others see chaff.

    Parameters
    ----------
    network, walk
        The walk's steps must be edges of the network.
    policy
        How copies and coins are drawn; ``Policy.balanced()`` if not given.
    layering
        "exact" (polynomial, canonical, order always told) or "backtracking" (the paper's).
    source
        Where random bytes come from; the system source if not given. A seeded source stamps the
        publication unsafe.
    universe
        Public pairs that could be edges; only they get a coin. It must hold every edge and be
        chosen without looking at them. All pairs if not given.

    *Paper*: Alg. 3.

    *Privacy*: see the certificate. The exact layering is a function of the bits, the public names
    and the direction bit, so it costs nothing beyond them; the paper's layering depends on the
    walk's order (THEORY L6).

    Examples
    --------
    >>> network, walk = Network.parse("ab bc cd de ef bd"), Walk("abcdef")
    >>> publication = publish(network, walk)
    >>> from pathveil import reconstruct
    >>> reconstruct(publication, network).walk == walk
    True
    """
    return publish_together(
        network, [walk], policy=policy, layering=layering, source=source, universe=universe
    )[0]


def publish_together(
    network: Network,
    walks: Sequence[Walk],
    *,
    policy: Policy | None = None,
    layering: Layering = "exact",
    source: Source | None = None,
    universe: Universe | None = None,
) -> tuple[Publication, ...]:
    """Return several edge-disjoint walks, published in one release with coins thrown together.

    Each publication is read back by itself. Parameters are those of :func:`publish`.

    *Privacy*: THEORY T4. An absent pair must be mistakable for an edge of any one of the T walks
    or of none, and no more: with one copy and fair states every edge costs ln(T + 1), where T
    separate releases would cost T ln 2. That the walks share no edge is public.

    Raises
    ------
    NotAWalk
        If there is no walk, or two walks share an edge.

    Examples
    --------
    >>> network = Network.parse("ab bc cd bd")
    >>> both = publish_together(network, [Walk("abc"), Walk("bdc")])
    >>> str(both[0].certificate.row("one walk edge").presence)
    'ln 3 = 1.0987'
    """
    if layering not in LAYERINGS:
        raise ValueError(f"layering is {layering!r}, expected one of {', '.join(LAYERINGS)}")
    for walk in walks:
        walk.require_in(network)
    _require_disjoint(walks)
    policy = policy or Policy.balanced()
    policy = policy if len(walks) == 1 else policy.together(len(walks))
    pairs = None if universe is None else universe_pairs(network, universe)
    source = source or System()
    lifted = [draw_copies(network, walk, policy, source) for walk in walks]
    positions = lifted[0].positions
    relations = [positions.relation(network, path.visits) for path in lifted]
    release = draw_release(relations, positions, policy, source, universe=pairs)
    promise = certificate(policy, layering=layering, universe=None if pairs is None else len(pairs))
    return tuple(
        Publication(
            layered=draw_layers(bits, path, layering),
            layering=layering,
            direction=path.direction if layering == "exact" else None,
            policy=policy.terms(),
            certificate=promise,
            unsafe=source.unsafe,
        )
        for bits, path in zip(release, lifted, strict=True)
    )


def _require_disjoint(walks: Sequence[Walk]) -> None:
    if not walks:
        raise NotAWalk("no walk to publish; give at least one")
    seen: dict[tuple[str, str], int] = {}
    for number, walk in enumerate(walks, start=1):
        for u, v in sorted(walk.edges):
            if (u, v) in seen:
                raise NotAWalk(
                    f"walks {seen[u, v]} and {number} share the edge {u!r} - {v!r}; walks "
                    "published together must not share an edge: publish one of them by itself"
                )
            seen[u, v] = number


def draw_layers(bits: PairBits, lifted: LiftedWalk, layering: Layering) -> LayeredGraph:
    """Return the layered graph of the bits, drawn by one of the engines."""
    if layering == "exact":
        return layer_exactly(bits, lifted.positions, upright=lifted.direction)
    inserted = insert_vertices(bits, lifted.positions, insertion_order(lifted))
    assert inserted.layered is not None, "splitting always succeeds (Theorem 3)"
    return with_roots_first(inserted.layered, lifted)


def insertion_order(lifted: LiftedWalk) -> list[int]:
    """Return all positions: the walk in visiting order, then the copies it does not use."""
    used = set(lifted.visits)
    return [*lifted.visits, *(p for p in range(len(lifted.positions)) if p not in used)]


def with_roots_first(layered: LayeredGraph, lifted: LiftedWalk) -> LayeredGraph:
    """Return the graph turned upside down if a leaf is closer to the first vertex. Rule 5."""
    to_root, to_leaf = walk_distances(layered, lifted.visits)
    return layered.upside_down() if to_leaf < to_root else layered
