"""An insider who knows every link but one, and holds several files over one grouping.

Between classes there is nothing to join: a walk may pass a class twice, through two members, and
what is a path between vertices forks between classes. So each file is read between vertices, as
one file alone is (:mod:`pathveil.attacks.one_file.inference`), and the beliefs are put together.

*Why that is right.* Let w(e, t) be the chance of file t if e is the missing link, summed over all
walks there can be. One file gives the belief w(e, t) / sum over e' of w(e', t). Fresh coins of one
file say nothing of those of another, and walks count alike beforehand, each by itself; so all files
together give a belief in proportion to the product of the w(e, t), and so to the product of the
beliefs. Chaff that remembers is drawn pair by pair with rates that depend on the earlier files: a
pattern x has the chance Q(x) instead of the product of first-release rates, which is put right.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pathveil.attacks.one_file.inference import OTHER_RELEASES, attack
from pathveil.attacks.one_file.posterior import CoinModel, Inference
from pathveil.attacks.series.insider import SeriesInference
from pathveil.attacks.series.observed_pairs import FloatArray, pattern_chances
from pathveil.errors import DoesNotFit, PathveilError, TooLarge
from pathveil.model.bits import IndexArray
from pathveil.model.knowledge import Knowledge
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.universe import Pairs
from pathveil.policies import Policy

LEAST_LIMIT, MOST_LIMIT = 200_000, 2_000_000
"""Steps to list the walks of one file: enough for a walk of one link among 1,000 vertices."""


def infer_between_vertices(
    publications: Sequence[Publication], known: Network, *, universe: Pairs | None = None
) -> SeriesInference:
    """Return what is left to someone who knows all links but one, link by link, not by class.

    Parameters
    ----------
    publications
        Files over one grouping, which is at hand, drawn alike; of a series all, in order.
    known
        The network between vertices, without the link.

    *Cost*: that of an exact inference for each file.

    Raises
    ------
    DoesNotFit
        If no link explains all files; if walks were published together, or remember with copies.
    TooLarge
        If a file has too many walks to list.

    Examples
    --------
    >>> from pathveil import Grouping, Policy, Walk, publish
    >>> network = Network.parse("ab bc cd de")
    >>> grouping = Grouping.of([["a", "d"], ["b"], ["c"], ["e"]])   # a - b - c - d: one class twice
    >>> files = [publish(network, Walk(walk), policy=Policy.sealed(), grouping=grouping)
    ...          for walk in ("abcde", "abcd")]
    >>> found = infer_between_vertices(files, network.without(("b", "c")))
    >>> [tuple(found.names[i] for i in pair) for pair in found.pairs]
    [('b', 'c')]
    """
    policies = [Policy.from_terms(publication.policy) for publication in publications]
    for policy in policies:
        _require_computed(policy)
    found = [
        _belief(publication, known, universe, number)
        for number, publication in enumerate(publications, start=1)
    ]
    before = [{b.link for b in one.beliefs if b.prior > 0} for one in found]
    after = [{b.link: b.posterior for b in one.beliefs if b.posterior > 0} for one in found]
    names = known.vertices
    place = {name: number for number, name in enumerate(names)}
    links = sorted(set.intersection(*(set(one) for one in after)))
    if not links:
        raise DoesNotFit(
            f"no link explains all {len(publications)} files together with the known ones; more "
            "links may miss, or the files are not all over this network"
        )
    pairs = np.array([[place[u], place[v]] for u, v in links], dtype=np.int64)
    logs = np.sum([[np.log(one[link]) for link in links] for one in after], axis=0)
    logs = logs + _memory(publications, policies, known, pairs)
    weights = np.exp(logs - logs.max())
    order = np.argsort(-weights, kind="stable")
    listed = {what for one in found for what in one.left_out}
    return SeriesInference(
        tuple((int(i), int(j)) for i, j in pairs[order]),
        tuple((weights[order] / weights.sum()).tolist()),
        len(set.intersection(*before)),
        names,
        tuple(sorted(listed - {OTHER_RELEASES})),
    )


def _require_computed(policy: Policy) -> None:
    """Raise for coins that are not independent from file to file in a way that is put right."""
    if policy.walks > 1:
        raise DoesNotFit(
            f"{policy.walks} walks were published together, whose coins are thrown together; over "
            "a grouping such files are attacked one at a time"
        )
    if policy.kind.urn is not None and policy.copies != 1:
        raise DoesNotFit(
            f"the {policy.kind.name} policy with {policy.copies} copies; over a grouping such "
            "files are attacked one at a time"
        )


def _belief(
    publication: Publication, known: Network, universe: Pairs | None, number: int
) -> Inference:
    limit = min(max(LEAST_LIMIT, 2 * len(known) ** 2), MOST_LIMIT)
    try:
        return attack(publication, Knowledge(known), universe=universe, limit=limit, samples=0)
    except PathveilError:
        raise
    except ValueError as error:
        raise TooLarge(f"publication {number}: {error}; leave that one out") from None


def _memory(
    publications: Sequence[Publication],
    policies: Sequence[Policy],
    known: Network,
    pairs: IndexArray,
) -> FloatArray:
    """Return ln of each pair's chance as chaff by first-release rates, over that by the urn."""
    urn = policies[0].kind.urn
    if urn is None:
        return np.zeros(len(pairs))
    first = np.zeros(len(pairs))
    shown = np.zeros(len(pairs), dtype=np.int64)
    for publication, policy in zip(publications, policies, strict=True):
        asked = publication.bits.positions_of(known.vertices)
        on = ~publication.bits.same_branch(asked, pairs)
        coins = CoinModel(policy)
        u, v = known.vertices[:2]
        off_rate, on_rate = (coins.chance(u, v, clear=clear, pairs=1) for clear in (0, 1))
        first += np.log(np.where(on, on_rate, off_rate))
        shown += on
    remembered: FloatArray = first - pattern_chances(len(publications), urn)[shown]
    return remembered
