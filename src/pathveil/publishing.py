"""publish(): from a network and a walk to a publication. The best first read.

The paper's Alg. 3 in four lines: draw copies, state the relation, draw a coin for each absent pair,
tell the direction. Only two of these touch chance, and only two things that leave this function
come from the secret: the bits and the direction. Layers are drawn when somebody looks at them; only
the paper's engine, whose layout depends on the walk, has to draw them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from pathveil.chance.blocks import universe_pairs
from pathveil.chance.coins import draw_release
from pathveil.chance.continuation import (
    continued_policy,
    continued_universe,
    placed,
    require_continues,
)
from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.history import History
from pathveil.chance.losses import certify
from pathveil.chance.policy import Policy
from pathveil.chance.series_loss import urn_of
from pathveil.chance.sketch_release import draw_sketches, policy_in_sketch, require_capacity
from pathveil.chance.source import Source, System
from pathveil.errors import BadBudget, BadGrouping, BadNetwork, NotAWalk, TooLarge
from pathveil.layering.walk_order import (
    draw_in_walk_order,
    order_of_insertion,
    turn_roots_first,
)
from pathveil.model.bits import (
    PACKED_LIMIT,
    Bits,
    IndexArray,
    PackedBits,
    PairBits,
    Relation,
    pair_places,
)
from pathveil.model.grouped_bits import GroupedBits
from pathveil.model.grouping import Grouping
from pathveil.model.layered import LayeredGraph
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import (
    DIRECTIONS,
    FORMS,
    LAYERINGS,
    Direction,
    Form,
    Layering,
    Publication,
)
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.understanding import as_network, as_policy, as_walk


def publish(
    network: Network,
    walk: Walk,
    *,
    policy: Policy | None = None,
    layering: Layering = "exact",
    direction: Direction = "told",
    universe: Universe | Pairs | None = None,
    grouping: Grouping | None = None,
    after: Iterable[Publication] | History = (),
    form: Form = "packed",
    capacity: int | None = None,
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
        "exact" (polynomial, canonical) or "backtracking" (the paper's).
    direction
        "told": one public bit says which end of the walk is the first. "untold": the order is a tie
        to everybody. The paper's layering tells it by its roots, or not at all.
    universe
        Public pairs that could be edges; only they get a coin. It must hold every edge and be
        chosen without looking at them. All pairs if not given. A :class:`Universe` by reference is
        named in the publication by its digest only.
    grouping
        Publish over classes of vertices (:func:`pathveil.group`): one bit for each pair of classes,
        the same grouping for every walk over this network. For many walks.
    after
        Every earlier publication of the series, in any order, for ``Policy.remembering``: rates
        follow what they show. The network may have changed; vertices and terms may not. Policy and
        universe are those of the series if not given.
    form
        "packed": one bit for each pair of vertices, which are listed. "sketch": a little over one
        bit for each *link*, and no vertex is listed; for networks too large for pairs.
    capacity
        For a sketch: a public number of links that the network does not exceed, chosen without
        counting them.
    source
        Where random bytes come from; the system source if not given. A seeded source stamps the
        publication unsafe.

    *Paper*: Alg. 3.

    *Privacy*: see the certificate. The exact layering is a function of the bits, the public names
    and the direction bit, so it costs nothing beyond them; the paper's layering depends on the
    walk's order.

    Examples
    --------
    >>> network, walk = Network.parse("ab bc cd de ef bd"), Walk("abcdef")
    >>> publication = publish(network, walk)
    >>> from pathveil import reconstruct
    >>> reconstruct(publication, network).walk == walk
    True
    """
    return publish_together(
        network,
        [walk],
        policy=policy,
        layering=layering,
        direction=direction,
        universe=universe,
        grouping=grouping,
        after=after,
        form=form,
        capacity=capacity,
        source=source,
    )[0]


def publish_together(
    network: Network,
    walks: Sequence[Walk],
    *,
    policy: Policy | None = None,
    layering: Layering = "exact",
    direction: Direction = "told",
    universe: Universe | Pairs | None = None,
    grouping: Grouping | None = None,
    after: Iterable[Publication] | History = (),
    form: Form = "packed",
    capacity: int | None = None,
    source: Source | None = None,
) -> tuple[Publication, ...]:
    """Return several edge-disjoint walks, published in one release with coins thrown together.

    Each publication is read back by itself. Parameters are those of :func:`publish`.

    *Privacy*: an absent pair must be mistakable for an edge of any one of the T walks
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
    >>> str(both[0].certificate.bound(walk_edges=1).presence)
    'ln 3 = 1.0987'
    """
    return _published(
        network,
        walks,
        policy=policy,
        layering=layering,
        direction=direction,
        universe=universe,
        grouping=grouping,
        after=after,
        form=form,
        capacity=capacity,
        source=source,
        unlinked=(),
    )


def publish_unlinked(
    network: Network,
    walk: Walk,
    edge: tuple[str, str],
    *,
    policy: Policy,
    layering: Layering = "exact",
    direction: Direction = "told",
    universe: Universe | Pairs | None = None,
    source: Source | None = None,
) -> Publication:
    """Return the walk published as if one edge were none: the world a loss compares with.

    For audits. The visiting order stays; the edge's copy pairs are drawn like those of any pair
    that is no edge. Everything else is :func:`publish`, to the letter.
    """
    return _published(
        network,
        [walk],
        policy=policy,
        layering=layering,
        direction=direction,
        universe=universe,
        grouping=None,
        after=(),
        form="packed",
        capacity=None,
        source=source,
        unlinked=(edge,),
    )[0]


def _published(
    network: Network,
    walks: Sequence[Walk],
    *,
    policy: Policy | None,
    layering: Layering,
    direction: Direction,
    universe: Universe | Pairs | None,
    grouping: Grouping | None,
    after: Iterable[Publication] | History,
    form: Form,
    capacity: int | None,
    source: Source | None,
    unlinked: Sequence[tuple[str, str]],
) -> tuple[Publication, ...]:
    if layering not in LAYERINGS:
        raise ValueError(f"layering is {layering!r}, expected one of {', '.join(LAYERINGS)}")
    if direction not in DIRECTIONS:
        raise ValueError(f"direction is {direction!r}, expected one of {', '.join(DIRECTIONS)}")
    if grouping is not None and (layering != "exact" or universe is not None):
        raise BadGrouping(
            "a grouping goes with the exact layering and without a universe: the paper's layout "
            "and a list of plausible pairs both tell the members of a class apart"
        )
    if form not in FORMS:
        raise ValueError(f"form is {form!r}, expected one of {', '.join(FORMS)}")
    network, policy = as_network(network), as_policy(policy)
    walks = [as_walk(walk) for walk in walks]
    for walk in walks:
        walk.require_in(network)
    _require_disjoint(walks)
    history = after if isinstance(after, History) else History.of(after)
    policy = policy or continued_policy(history) or Policy.balanced()
    policy = policy if len(walks) == 1 else policy.together(len(walks))
    universe = continued_universe(history, universe)
    require_continues(history, network.vertices, policy, grouping)
    if form == "sketch":
        return _sketched(
            network,
            walks,
            policy=policy,
            layering=layering,
            told=direction == "told",
            universe=universe,
            grouping=grouping,
            capacity=capacity,
            source=source or System(),
        )
    _require_packable(len(network) if grouping is None else grouping.classes, policy, capacity)
    public, pairs = _public_pairs(network, universe)
    source = source or System()
    # Over a grouping everything from here on happens between classes.
    ground = network if grouping is None else _between_classes(network, grouping, policy)
    lifted = [draw_copies(network, walk, policy, source, grouping=grouping) for walk in walks]
    positions = lifted[0].positions
    relations = [positions.relation(ground, path.visits) for path in lifted]
    relations = [_without(relation, positions, unlinked) for relation in relations]
    release = draw_release(relations, positions, policy, source, universe=pairs, history=history)
    told = direction == "told" and layering == "exact"
    promise = certify(
        policy,
        layering=layering,
        told=told,
        universe=None if public is None else public.count,
        grouping=grouping,
        releases=len(history) + 1,
    )
    found = tuple(
        Publication(
            bits=_over(PackedBits(path.positions, bits), grouping),
            policy=policy.terms(),
            layering=layering,
            direction=path.direction if told else None,
            drawing=draw_as_paper(bits, path) if layering == "backtracking" else None,
            universe=public,
            certificate=promise,
            unsafe=source.unsafe or (grouping is not None and grouping.unsafe),
        )
        for bits, path in zip(release, lifted, strict=True)
    )
    return found if policy.kind.urn is None else placed(found, history)


def _without(
    relation: Relation, positions: Positions, edges: Sequence[tuple[str, str]]
) -> Relation:
    """Return the relation in which these edges are absent."""
    for u, v in edges:
        ends = np.array(
            list(product(positions.copies_of(u), positions.copies_of(v))), dtype=np.int64
        )
        places = pair_places(ends[:, 0], ends[:, 1], relation.size)
        relation = Relation(
            relation.size,
            np.setdiff1d(relation.on_walk, places),
            np.setdiff1d(relation.off_walk, places),
        )
    return relation


def _between_classes(network: Network, grouping: Grouping, policy: Policy) -> Network:
    """Return the network of classes, or refuse a policy that tells members of a class apart."""
    if policy.kind.labels:
        raise BadGrouping(
            f"the {policy.kind.name} policy goes by labels of vertices, which tell the members of "
            "a class apart; publish over a grouping with another policy"
        )
    return grouping.between_classes(network)


def _over(bits: Bits, grouping: Grouping | None) -> Bits:
    return bits if grouping is None else GroupedBits(bits, grouping.digest, grouping)


def _require_packable(vertices: int, policy: Policy, capacity: int | None) -> None:
    if capacity is not None:
        raise BadBudget(
            f"capacity is {capacity!r}, but a packed publication lists its vertices and needs "
            "none; leave it out, or publish a sketch: form='sketch' (--form sketch)"
        )
    copies = vertices * (policy.copies or 1)
    if copies > PACKED_LIMIT:
        raise TooLarge(
            f"{copies:,} copies of vertices have {copies * (copies - 1) // 2:,} pairs, each with a "
            f"coin of its own; above {PACKED_LIMIT:,} publish a sketch, which costs about a bit "
            "for each link: form='sketch' and capacity=N (--form sketch --capacity N), N a public "
            "number of links that your network does not exceed"
        )


def _sketched(
    network: Network,
    walks: Sequence[Walk],
    *,
    policy: Policy,
    layering: Layering,
    told: bool,
    universe: Universe | Pairs | None,
    grouping: Grouping | None,
    capacity: int | None,
    source: Source,
) -> tuple[Publication, ...]:
    """Return the walks as sketches: the same law of the bits, at a bit for each link."""
    if layering != "exact":
        raise BadBudget(
            f"layering {layering!r} draws all pairs in the walk's order, and a sketch has no list "
            "of pairs; publish it packed, or with layering='exact'"
        )
    policy = policy_in_sketch(policy)
    limit = require_capacity(network, policy, capacity)
    public = _public_universe(network, universe)
    ground = network if grouping is None else _between_classes(network, grouping, policy)
    lifted = [draw_copies(network, walk, policy, source, grouping=grouping) for walk in walks]
    release = draw_sketches(ground, lifted, policy, limit, source)
    count = None if public is None else public.count
    promise = certify(policy, told=told, universe=count, grouping=grouping, capacity=limit)
    return tuple(
        Publication(
            bits=_over(bits, grouping),
            policy=policy.terms(),
            direction=path.direction if told else None,
            # The pairs of a universe are names; a sketch carries none, so it names the file.
            universe=None if public is None else replace(public, pairs=None, by_digest=True),
            certificate=promise,
            unsafe=source.unsafe or (grouping is not None and grouping.unsafe),
        )
        for bits, path in zip(release, lifted, strict=True)
    )


def _public_universe(network: Network, universe: Universe | Pairs | None) -> Universe | None:
    """Return a universe that is known to hold every edge; None if there is none."""
    if universe is None:
        return None
    public = universe if isinstance(universe, Universe) else Universe.of(universe)
    if public.pairs is not None:
        public.require_holds(network)
    return public


def _public_pairs(
    network: Network, universe: Universe | Pairs | None
) -> tuple[Universe | None, IndexArray | None]:
    """Return the universe as the publication names it, and its pairs by index."""
    if universe is None:
        return None, None
    if not isinstance(universe, Universe):
        universe = Universe.of(universe)
    if universe.pairs is None:
        raise BadNetwork(
            f"the universe of {universe.count} pairs comes without its pairs; the custodian needs "
            "them to draw the coins: give the pairs, and by_digest=True to name them by digest only"
        )
    return universe.as_published, universe_pairs(network, universe)


def publish_series(
    network: Network,
    walks: Iterable[Walk],
    *,
    policy: Policy | None = None,
    after: Iterable[Publication] | History = (),
    direction: Direction = "told",
    universe: Universe | Pairs | None = None,
    grouping: Grouping | None = None,
    source: Source | None = None,
) -> Iterator[Publication]:
    """Yield each walk published after all those before it: one series, drawn in one go.

    Parameters are those of :func:`publish`; ``Policy.remembering()`` if none is given. The same as
    publishing one after another, but what was shown is counted once and not again for each walk.

    Examples
    --------
    >>> network = Network.parse("ab bc cd bd")
    >>> releases = list(publish_series(network, [Walk("abc"), Walk("abd"), Walk("bc")]))
    >>> [publication.series.place for publication in releases]
    [1, 2, 3]
    """
    history = after if isinstance(after, History) else History.of(after)
    policy = policy or continued_policy(history) or Policy.remembering()
    urn_of(policy)
    source = source or System()
    for walk in walks:
        publication = publish(
            network,
            walk,
            policy=policy,
            direction=direction,
            universe=universe,
            grouping=grouping,
            after=history,
            source=source,
        )
        history = history.then((publication,))
        yield publication


def _require_disjoint(walks: Sequence[Walk]) -> None:
    if not walks:
        raise NotAWalk("no walk to publish; give at least one")
    if len(walks) == 1:
        return
    seen: dict[tuple[str, str], int] = {}
    for number, walk in enumerate(walks, start=1):
        for u, v in sorted(walk.edges):
            if (u, v) in seen:
                raise NotAWalk(
                    f"walks {seen[u, v]} and {number} share the edge {u!r} - {v!r}; walks "
                    "published together must not share an edge: publish one of them by itself"
                )
            seen[u, v] = number


def draw_as_paper(bits: PairBits, lifted: LiftedWalk) -> LayeredGraph:
    """Return the layered graph of the bits as the paper's engine draws it, in walk order."""
    return draw_in_walk_order(bits, lifted.positions, lifted.visits)


def insertion_order(lifted: LiftedWalk) -> list[int]:
    """Return all positions: the walk in visiting order, then the copies it does not use."""
    return order_of_insertion(lifted.visits, len(lifted.positions))


def with_roots_first(layered: LayeredGraph, lifted: LiftedWalk) -> LayeredGraph:
    """Return the graph turned upside down if a leaf is closer to the first vertex. Rule 5."""
    return turn_roots_first(layered, lifted.visits)
