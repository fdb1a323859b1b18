"""publish(): from a network and a walk to a publication. The best first read.

The paper's Alg. 3 in five lines: draw copies, state the relation, draw a coin for each absent pair,
draw the layers, tell the direction. Only two of these touch chance, and only two things that leave
this function come from the secret: the bits and the direction.
"""

from __future__ import annotations

from pathveil.chance.coins import draw_bits
from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.policy import Policy
from pathveil.chance.source import Source, System
from pathveil.layering.backtracking import insert_vertices
from pathveil.layering.exact import layer_exactly
from pathveil.layering.rules import walk_distances
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.network import Network
from pathveil.model.publication import LAYERINGS, Layering, Publication
from pathveil.model.walk import Walk


def publish(
    network: Network,
    walk: Walk,
    *,
    policy: Policy | None = None,
    layering: Layering = "exact",
    source: Source | None = None,
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
    if layering not in LAYERINGS:
        raise ValueError(f"layering is {layering!r}, expected one of {', '.join(LAYERINGS)}")
    policy = policy or Policy.balanced()
    walk.require_in(network)
    source = source or System()
    lifted = draw_copies(network, walk, policy, source)
    bits = draw_bits(lifted.positions.relation(network, lifted.visits), policy, source)
    return Publication(
        layered=draw_layers(bits, lifted, layering),
        layering=layering,
        direction=lifted.direction if layering == "exact" else None,
        policy=policy.terms(),
        unsafe=source.unsafe,
    )


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
