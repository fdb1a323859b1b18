"""publish(): from a network and a walk to a publication. The best first read.

The paper's Alg. 3 in four lines: draw copies, state the relation, draw a coin for each absent pair,
tell the direction. Two things that leave this function come from the secret, the bits and the
direction; under the paper's policy the numbers of copies too. Layers are drawn when somebody looks
at them; only the paper's engine, whose layout depends on the walk, has to draw them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from pathveil.chance.coins import draw_release, universe_pairs
from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.losses import urn_of
from pathveil.chance.source import Source
from pathveil.chance.urn import History
from pathveil.errors import BadBudget, NotAWalk, TooLarge
from pathveil.layering.backtracking import draw_in_walk_order
from pathveil.model.bits import PACKED_LIMIT, Form, PackedBits, Relation, link_places
from pathveil.model.grouping import Grouping
from pathveil.model.layered import LayeredGraph, Layering, follows_walk
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import SALT_BYTES, Bits, Direction, Publication, SeriesPlace
from pathveil.model.series import release_digest
from pathveil.model.sketch import SketchShape
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.policies.remembering import NEEDS_USAGE
from pathveil.publishing.terms import ReleaseTerms, as_source
from pathveil.sketching.sketch_release import draw_sketch, require_capacity


def publish(
    network: Network,
    walk: Walk,
    *,
    policy: Policy | str | None = None,
    layering: Layering = "exact",
    direction: Direction = "public",
    form: Form = "packed",
    capacity: int | None = None,
    grouping: Grouping | None = None,
    after: Iterable[Publication] | History = (),
    universe: Universe | Pairs | None = None,
    source: Source | None = None,
) -> Publication:
    """Return the published walk: those who know the network read it, others see it among chaff.

    It asks no gate: for what several files tell outsiders see :func:`pathveil.plan`, or publish
    through a ledger.

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
        follow what they show. The network may have changed; vertices and terms may not. The policy
        is that of the series if not given.
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

    Raises
    ------
    Incompatible
        If two of these do not go together: :data:`pathveil.publishing.terms.GOES_WITH` lists what
        does.

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
    history = History.of(after)
    terms = ReleaseTerms.of(
        policy=policy,
        layering=layering,
        direction=direction,
        form=form,
        capacity=capacity,
        grouping=grouping,
        universe=universe,
        after=history,
    )
    return publish_under(terms, network, walk, after=history, source=source)


def publish_series(
    network: Network,
    walks: Iterable[Walk],
    *,
    policy: Policy | str | None = None,
    source: Source | None = None,
) -> Iterator[Publication]:
    """Yield each walk published after all those before it: one series, drawn in one go.

    Parameters are those of :func:`publish`; the policy is one that remembers. The same as
    publishing one after another, but what was shown is counted once and not again for each walk.
    It asks no gate, however many walks there are: see :func:`pathveil.plan`, or publish through a
    ledger.

    Examples
    --------
    >>> network, policy = Network.parse("ab bc cd bd"), Policy.remembering(usage="0.4")
    >>> walks = [Walk("abc"), Walk("abd"), Walk("bc")]
    >>> [one.series.place for one in publish_series(network, walks, policy=policy)]
    [1, 2, 3]
    """
    if policy is None:
        raise BadBudget(NEEDS_USAGE)
    terms = ReleaseTerms.of(policy=policy)
    urn_of(terms.policy)
    return _one_after_another(terms, network, walks, source)


def _one_after_another(
    terms: ReleaseTerms, network: Network, walks: Iterable[Walk], source: Source | None
) -> Iterator[Publication]:
    history = History()
    for walk in walks:
        release = publish_under(terms, network, walk, after=history, source=source)
        history = history.then(release)
        yield release


def publish_together(
    network: Network,
    walks: Sequence[Walk],
    *,
    direction: Direction = "public",
    source: Source | None = None,
) -> tuple[Publication, ...]:
    """Return several link-disjoint walks, published in one release with coins thrown together.

    Each publication is read back by itself. The policy is balanced, with one copy of each vertex.

    *Privacy*: an absent pair must be mistakable for a link of any one of the T walks
    or of none, and no more: every link costs ln(T + 1), where T separate releases would cost
    T ln 2. That the walks share no link is public.

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
    network, source = Network.of(network), as_source(source)
    listed = [Walk.of(walk) for walk in walks]
    if not listed:
        raise NotAWalk("no walk to publish; give at least one")
    seen: dict[tuple[str, str], int] = {}
    for number, walk in enumerate(listed, start=1):
        walk.require_in(network)
        for u, v in sorted(walk.links):
            if (u, v) in seen:
                raise NotAWalk(
                    f"walks {seen[u, v]} and {number} share the link {u!r} - {v!r}; walks "
                    "published together must not share a link: publish one of them by itself"
                )
            seen[u, v] = number
    terms = ReleaseTerms.of(direction=direction).together(len(listed))
    return _draw_packed(network, listed, terms, source, history=History())


def publish_under(
    terms: ReleaseTerms,
    network: Network,
    walk: Walk,
    *,
    after: History | None = None,
    source: Source | None = None,
    unlinked: Sequence[tuple[str, str]] = (),
    named: bool = False,
) -> Publication:
    """Return a walk published under given terms: what every way to publish comes down to.

    Links that are ``unlinked`` are drawn as if they were not there: the world a loss compares with,
    for audits. Releases whose digests are going to be ``named`` somewhere, as a ledger does, are
    salted; those of a series always are.
    """
    walk = Walk.of(walk)  # first: swapped arguments are noticed by the graph among them
    network, source, history = Network.of(network), as_source(source), after or History()
    walk.require_in(network)
    terms.require_continues(history, network.vertices)
    if terms.form == "sketch":
        release = _draw_sketched(network, walk, terms, source, unlinked=unlinked)
    else:
        (release,) = _draw_packed(
            network, [walk], terms, source, history=history, unlinked=unlinked
        )
    if terms.remembers or named:
        # Behind the coins: the salt decides none of them, and they do not decide it.
        release = replace(release, salt=source.take(SALT_BYTES).hex())
    if not terms.remembers:
        return release
    place, before = len(history.releases) + 1, history.last
    digest = release_digest(place, before, release)
    return replace(release, series=SeriesPlace(place, before, digest))


def _draw_packed(
    network: Network,
    walks: Sequence[Walk],
    terms: ReleaseTerms,
    source: Source,
    *,
    history: History,
    unlinked: Sequence[tuple[str, str]] = (),
) -> tuple[Publication, ...]:
    """Return the walks with one bit for each pair of copies."""
    policy, grouping, follows = terms.policy, terms.grouping, follows_walk(terms.layering)
    copies = (len(network) if grouping is None else grouping.classes) * (policy.copies or 1)
    if copies > PACKED_LIMIT:
        raise TooLarge(
            f"{copies:,} copies of vertices have {copies * (copies - 1) // 2:,} pairs, each with a "
            f"coin of its own; above {PACKED_LIMIT:,} publish a sketch with one copy of each "
            "vertex, which costs about a bit for each link: form='sketch' and capacity=N (--form "
            "sketch --capacity N), N a public number of links that your network does not exceed"
        )
    pairs = None if terms.universe is None else universe_pairs(network, terms.universe)
    # Over a grouping everything from here on happens between classes.
    ground = terms.ground(network)
    lifted = [draw_copies(network, walk, policy, source, grouping=grouping) for walk in walks]
    positions = lifted[0].positions
    relations = [
        _without(Relation.of(positions, ground, path.visits), positions, unlinked)
        for path in lifted
    ]
    drawn = draw_release(relations, positions, policy, source, universe=pairs, history=history)
    return tuple(
        _publication(
            terms,
            terms.over(PackedBits(path.positions, bits)),
            path,
            # It must be carried where it does not follow from the bits.
            drawing=draw_in_walk_order(bits, path.positions, path.visits) if follows else None,
            place=len(history.releases) + 1,
            unsafe=source.unsafe,
        )
        for bits, path in zip(drawn, lifted, strict=True)
    )


def _draw_sketched(
    network: Network,
    walk: Walk,
    terms: ReleaseTerms,
    source: Source,
    *,
    unlinked: Sequence[tuple[str, str]],
) -> Publication:
    """Return the walk as a sketch: the same law of the bits, at a bit or more for each link."""
    policy = terms.in_use
    assert policy.value_bits is not None, "sketches have values of bits"
    limit = require_capacity(network, terms.capacity, policy.value_bits)
    path = draw_copies(network, walk, policy, source)
    shape = SketchShape.holding(limit, planes=policy.value_bits)
    bits = draw_sketch(network, path, policy.law(), shape, source, capacity=limit, without=unlinked)
    return _publication(terms, bits, path, unsafe=source.unsafe)


def _publication(
    terms: ReleaseTerms,
    bits: Bits,
    path: LiftedWalk,
    *,
    drawing: LayeredGraph | None = None,
    place: int = 1,
    unsafe: bool,
) -> Publication:
    """Return what is handed out: the bits, the direction bit, and what is public anyway."""
    return Publication(
        bits=bits,
        policy=terms.in_use.terms(),
        layering=terms.layering,
        direction=path.direction if terms.tells else None,
        drawing=drawing,
        universe=terms.universe,
        certificate=terms.certificate(place),
        unsafe=unsafe or terms.unsafe,
    )


def _without(
    relation: Relation, positions: Positions, links: Sequence[tuple[str, str]]
) -> Relation:
    """Return the relation in which these links are absent."""
    for link in links:
        places = link_places(positions, link)
        # Few places: comparing with each is quicker than a table of them, as NumPy would make.
        on_walk, off_walk = (
            found[np.isin(found, places, invert=True, kind="sort")]
            for found in (relation.on_walk, relation.off_walk)
        )
        relation = Relation(relation.size, on_walk, off_walk)
    return relation
