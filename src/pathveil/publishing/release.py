"""publish(): from a network and a walk to a publication. The best first read.

The paper's Alg. 3 in four lines: draw copies, state the relation, draw a coin for each absent pair,
tell the direction. Two things that leave this function come from the secret, the bits and the
direction; under the paper's policy the numbers of copies too. Layers are drawn when somebody looks
at them; only the paper's engine, whose layout depends on the walk, has to draw them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from pathveil.chance.coins import draw_release, universe_pairs
from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.history import History
from pathveil.chance.series_loss import urn_of
from pathveil.chance.series_rules import placed, salted
from pathveil.chance.source import Source
from pathveil.errors import BadBudget, BadNetwork, NotAWalk, TooLarge
from pathveil.model.bits import (
    PACKED_LIMIT,
    IndexArray,
    PackedBits,
    PairBits,
    Relation,
    pair_places,
)
from pathveil.model.engines import Layering, engine_named
from pathveil.model.forms import Form
from pathveil.model.grouping import Grouping
from pathveil.model.layered import LayeredGraph
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Direction, Publication
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.publishing.terms import ReleaseTerms, as_network, as_source, as_walk


def publish(
    network: Network,
    walk: Walk,
    *,
    policy: Policy | None = None,
    layering: Layering = "exact",
    direction: Direction = "public",
    universe: Universe | Pairs | None = None,
    grouping: Grouping | None = None,
    after: Iterable[Publication] | History = (),
    form: Form = "packed",
    capacity: int | None = None,
    source: Source | None = None,
) -> Publication:
    """Return the walk, published: who knows the network reads it back, others see it among chaff.

    Parameters
    ----------
    network, walk
        The walk's steps must be links of the network.
    policy
        How copies and coins are drawn; ``Policy.balanced()`` if not given.
    layering
        "exact" (polynomial, canonical) or "backtracking" (the paper's).
    direction
        "public": one public bit says which end of the walk is the first. "hidden": nothing says it,
        and the order is read as a tie. The paper's layering tells it by its roots, or not at all.
    universe
        Public pairs that could be links; packed, only they get a coin. It must hold every link and
        be chosen without looking at them. All pairs if not given. A :class:`Universe` by reference
        is named in the publication by its digest only.
    grouping
        Publish over classes of vertices (:func:`pathveil.group`): one bit for each pair of classes,
        the same grouping for every walk over this network. For many walks.
    after
        Every earlier publication of the series, in any order, for ``Policy.remembering``: rates
        follow what they show. The network may have changed; vertices and terms may not. Policy and
        universe are those of the series if not given.
    form
        "packed": one bit for each pair of copies of vertices, which are listed. "sketch": with fair
        coins a little over one bit for each *link* of the capacity, with other rates some more, and
        no vertex is listed; for networks too large for pairs.
    capacity
        For a sketch: a public number of links that the network does not exceed, chosen without
        counting them.
    source
        Where random bytes come from; the system source if not given. A seeded source stamps the
        publication unsafe.

    *Paper*: Alg. 3.

    *Privacy*: see the certificate. The exact layering is a function of the bits, the public names
    and the direction bit, so it tells nothing beyond them; the paper's layering depends on the
    walk's order.

    Examples
    --------
    >>> network, walk = Network.parse("ab bc cd de ef bd"), Walk("abcdef")
    >>> publication = publish(network, walk)
    >>> from pathveil import reconstruct
    >>> reconstruct(publication, network).walk == walk
    True
    """
    history = _history(after)
    terms = ReleaseTerms.understood(
        history,
        policy=policy,
        layering=layering,
        direction=direction,
        universe=universe,
        grouping=grouping,
        form=form,
        capacity=capacity,
    )
    return publish_under(terms, network, [walk], after=history, source=source)[0]


def publish_together(
    network: Network,
    walks: Sequence[Walk],
    *,
    policy: Policy | None = None,
    layering: Layering = "exact",
    direction: Direction = "public",
    universe: Universe | Pairs | None = None,
    grouping: Grouping | None = None,
    after: Iterable[Publication] | History = (),
    form: Form = "packed",
    capacity: int | None = None,
    source: Source | None = None,
) -> tuple[Publication, ...]:
    """Return several link-disjoint walks, published in one release with coins thrown together.

    Each publication is read back by itself. Parameters are those of :func:`publish`.

    *Privacy*: an absent pair must be mistakable for a link of any one of the T walks
    or of none, and no more: with one copy and fair states every link costs ln(T + 1), where T
    separate releases would cost T ln 2. That the walks share no link is public.

    Raises
    ------
    NotAWalk
        If there is no walk, or two walks share a link.

    Examples
    --------
    >>> network = Network.parse("ab bc cd bd")
    >>> both = publish_together(network, [Walk("abc"), Walk("bdc")])
    >>> str(both[0].certificate.bound(walk_links=1).presence)
    'ln 3 = 1.0987'
    """
    history = _history(after)
    terms = ReleaseTerms.understood(
        history,
        policy=policy,
        layering=layering,
        direction=direction,
        universe=universe,
        grouping=grouping,
        form=form,
        capacity=capacity,
    )
    return publish_under(terms, network, walks, after=history, source=source)


def publish_unlinked(
    network: Network,
    walk: Walk,
    link: tuple[str, str],
    *,
    policy: Policy,
    layering: Layering = "exact",
    direction: Direction = "public",
    universe: Universe | Pairs | None = None,
    form: Form = "packed",
    capacity: int | None = None,
    source: Source | None = None,
) -> Publication:
    """Return the walk published as if one link were none: the world a loss compares with.

    For audits. The visiting order stays; the link's copy pairs are drawn like those of any pair
    that is no link. Everything else is :func:`publish`, to the letter.
    """
    history = History()
    terms = ReleaseTerms.understood(
        history,
        policy=policy,
        layering=layering,
        direction=direction,
        universe=universe,
        form=form,
        capacity=capacity,
    )
    return publish_under(terms, network, [walk], after=history, source=source, unlinked=(link,))[0]


def publish_under(
    terms: ReleaseTerms,
    network: Network,
    walks: Sequence[Walk],
    *,
    after: History,
    source: Source | None = None,
    unlinked: Sequence[tuple[str, str]] = (),
    named: bool = False,
) -> tuple[Publication, ...]:
    """Return walks published together under given terms: what every way to publish comes down to.

    Links that are ``unlinked`` are drawn as if they were none. Releases whose digests are going to
    be ``named`` somewhere, as a ledger does, are salted; those of a series always are.
    """
    network, source = as_network(network), as_source(source)
    walks = _walks_through(network, walks)
    terms = terms.together(len(walks)).continuing(after, network.vertices)
    draw = terms.form_of_bits.publisher
    found = draw(network, walks, terms, source, after=after, unlinked=unlinked)
    if terms.remembers:
        return placed(found, after, source)
    return salted(found, source) if named else found


def publish_packed(
    network: Network,
    walks: Sequence[Walk],
    terms: ReleaseTerms,
    source: Source,
    *,
    after: History,
    unlinked: Sequence[tuple[str, str]] = (),
) -> tuple[Publication, ...]:
    """Return the walks with one bit for each pair of copies."""
    policy, grouping = terms.policy, terms.grouping
    _require_packable(len(network) if grouping is None else grouping.classes, terms)
    pairs = _coin_pairs(network, terms.universe)
    # Over a grouping everything from here on happens between classes.
    ground = terms.ground(network)
    lifted = [draw_copies(network, walk, policy, source, grouping=grouping) for walk in walks]
    positions = lifted[0].positions
    relations = [positions.relation(ground, path.visits) for path in lifted]
    relations = [_without(relation, positions, unlinked) for relation in relations]
    release = draw_release(relations, positions, policy, source, universe=pairs, history=after)
    promise = terms.certificate(len(after) + 1)
    return tuple(
        Publication(
            bits=terms.over(PackedBits(path.positions, bits)),
            policy=policy.terms(),
            layering=terms.layering,
            direction=path.direction if terms.tells else None,
            drawing=_carried(terms, bits, path),
            universe=None if terms.universe is None else terms.universe.as_published,
            certificate=promise,
            unsafe=source.unsafe or terms.unsafe,
        )
        for bits, path in zip(release, lifted, strict=True)
    )


def _carried(terms: ReleaseTerms, bits: PairBits, path: LiftedWalk) -> LayeredGraph | None:
    """Return the drawing that a publication must carry; None where it follows from the bits."""
    engine = engine_named(terms.layering)
    if not engine.carried:
        return None
    upright = path.direction or not terms.tells
    return engine.draw(bits, path.positions, upright=upright, visits=path.visits)


def _walks_through(network: Network, walks: Sequence[Walk]) -> list[Walk]:
    """Return the walks, checked: each goes along links, and no two share one."""
    found = [as_walk(walk) for walk in walks]
    for walk in found:
        walk.require_in(network)
    _require_disjoint(found)
    return found


def _history(after: Iterable[Publication] | History) -> History:
    return after if isinstance(after, History) else History.of(after)


def _without(
    relation: Relation, positions: Positions, links: Sequence[tuple[str, str]]
) -> Relation:
    """Return the relation in which these links are absent."""
    for u, v in links:
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


def _require_packable(vertices: int, terms: ReleaseTerms) -> None:
    if terms.capacity is not None:
        raise BadBudget(
            f"capacity is {terms.capacity!r}, but a packed publication lists its vertices and "
            "needs none; leave it out, or publish a sketch: form='sketch' (--form sketch)"
        )
    copies = vertices * (terms.policy.copies or 1)
    if copies > PACKED_LIMIT:
        raise TooLarge(
            f"{copies:,} copies of vertices have {copies * (copies - 1) // 2:,} pairs, each with a "
            f"coin of its own; above {PACKED_LIMIT:,} publish a sketch, which costs about a bit "
            "for each link: form='sketch' and capacity=N (--form sketch --capacity N), N a public "
            "number of links that your network does not exceed"
        )


def _coin_pairs(network: Network, universe: Universe | None) -> IndexArray | None:
    """Return the pairs that have coins, by index; None for all."""
    if universe is None:
        return None
    if universe.pairs is None:
        raise BadNetwork(
            f"the universe of {universe.count} pairs comes without its pairs; the custodian needs "
            "them to draw the coins: give the pairs, and by_digest=True to name them by digest only"
        )
    return universe_pairs(network, universe)


def publish_series(
    network: Network,
    walks: Iterable[Walk],
    *,
    policy: Policy | None = None,
    after: Iterable[Publication] | History = (),
    direction: Direction = "public",
    universe: Universe | Pairs | None = None,
    grouping: Grouping | None = None,
    form: Form = "packed",
    capacity: int | None = None,
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
    history = _history(after)
    terms = ReleaseTerms.understood(
        history,
        policy=policy,
        direction=direction,
        universe=universe,
        grouping=grouping,
        form=form,
        capacity=capacity,
        unsaid=Policy.remembering(),
    )
    urn_of(terms.policy)
    for walk in walks:
        release = publish_under(terms, network, [walk], after=history, source=source)
        history = history.then(release)
        yield from release


def _require_disjoint(walks: Sequence[Walk]) -> None:
    if not walks:
        raise NotAWalk("no walk to publish; give at least one")
    if len(walks) == 1:
        return
    seen: dict[tuple[str, str], int] = {}
    for number, walk in enumerate(walks, start=1):
        for u, v in sorted(walk.links):
            if (u, v) in seen:
                raise NotAWalk(
                    f"walks {seen[u, v]} and {number} share the link {u!r} - {v!r}; walks "
                    "published together must not share a link: publish one of them by itself"
                )
            seen[u, v] = number
