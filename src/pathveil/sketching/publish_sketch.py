"""The other form of a release: walks published as sketches, for networks too large for pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pathveil.chance.copies import draw_copies
from pathveil.chance.history import History
from pathveil.chance.source import Source
from pathveil.errors import BadBudget, BadNetwork
from pathveil.model.engines import engine_named
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.publishing.terms import ReleaseTerms
from pathveil.sketching.sketch_release import draw_sketches, policy_in_sketch, require_capacity


def publish_sketched(
    network: Network,
    walks: Sequence[Walk],
    terms: ReleaseTerms,
    source: Source,
    *,
    after: History | None = None,
    unlinked: Sequence[tuple[str, str]] = (),
) -> tuple[Publication, ...]:
    """Return the walks as sketches: the same law of the bits, at a bit or more for each link.

    ``after`` is what was published before, for a policy that remembers; None: nothing. Links that
    are ``unlinked`` are drawn as if they were none.
    """
    history = after or History()
    if engine_named(terms.layering).carried:
        raise BadBudget(
            f"layering {terms.layering!r} draws all pairs in the walk's order, and a sketch has no "
            "list of pairs; publish it packed, or with layering='exact'"
        )
    terms = replace(terms, policy=policy_in_sketch(terms.policy, releases=len(history)))
    policy, public, grouping = terms.policy, terms.universe, terms.grouping
    limit = require_capacity(network, policy, terms.capacity)
    if public is not None:
        if public.pairs is None:
            raise BadNetwork(
                f"the universe of {public.count} pairs comes without its pairs; that every link is "
                "among them could not be checked: give the pairs (a sketch names them by digest)"
            )
        public.require_holds(network)
    ground = terms.ground(network)
    lifted = [draw_copies(network, walk, policy, source, grouping=grouping) for walk in walks]
    release = draw_sketches(
        ground, lifted, policy, limit, source, earlier=history.sketches, without=unlinked
    )
    promise = terms.certificate(len(history) + 1, capacity=limit)
    return tuple(
        Publication(
            bits=terms.over(bits),
            policy=policy.terms(),
            layering=terms.layering,
            direction=path.direction if terms.tells else None,
            # The pairs of a universe are names; a sketch carries none, so it names the file.
            universe=None if public is None else replace(public, pairs=None, by_digest=True),
            certificate=promise,
            unsafe=source.unsafe or terms.unsafe,
        )
        for bits, path in zip(release, lifted, strict=True)
    )
