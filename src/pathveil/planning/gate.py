"""The gate: what would somebody read who has nothing but the files? Asked before they go out.

A custodian sees one release at a time; an outsider collects them all. So the gate puts itself in
his place. It counts how often each link is used, adds up the losses, and runs two outsiders on
everything released so far together with what is about to be, as far as the effort allows: one
counts how often each pair was shown, the other looks for the one network in which every release is
a path (:mod:`pathveil.attacks.series.outsider`). Both are told the number of links. What they
read is compared with the truth, which the custodian has.

The effort is bounded and said: what these two do not read in that time, somebody with more time
may. An open gate is no promise; a walk that was read is a proof.

*Privacy*: the gate refuses, and never has the coins thrown again: that would make the law of what
is published depend on the secret. Its report looks at the network and is for the custodian alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

import numpy as np

from pathveil.attacks.series.observed_pairs import Sightings
from pathveil.attacks.series.outsider import (
    Judgement,
    bare_among,
    bare_walks_among,
    counting_outsider,
    judge,
    structural_outsider,
)
from pathveil.attacks.series.release_pile import between_vertices, collect
from pathveil.chance.certify import certify
from pathveil.chance.losses import pattern_loss
from pathveil.errors import TooLarge
from pathveil.model.bits import IndexArray
from pathveil.model.certificate import Loss, PolicyTerms
from pathveil.model.grouping import GroupedBits, Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.planning.chaff_fit import ChaffFit
from pathveil.planning.gate_report import Effort, GateReport, Limits
from pathveil.policies import Policy
from pathveil.wording import counted


def examine(
    network: Network,
    walks: Sequence[Walk],
    publications: Sequence[Publication],
    policy: Policy,
    *,
    grouping: Grouping | None = None,
    universes: Iterable[Universe | Pairs] = (),
    limits: Limits | None = None,
    effort: Effort | None = None,
    unread: int = 0,
) -> GateReport:
    """Return what outsiders would read in these publications of these walks.

    Parameters
    ----------
    walks, publications
        Everything released over this network and to be released, in order, under whatever terms.
    policy
        That of the last.
    grouping
        Over which they are published. Between its classes walks are not hidden in a long series,
        so what they read there does not close the gate, but for walks that it leaves bare: all of
        them, or two links in a row, between classes of one member. Where no class has two members
        it is as if there were no grouping.
    universes
        The public pairs of files that name them by digest only. Whoever has such a file has them;
        if they are not brought the outsiders are not run, and the gate is closed.
    unread
        Earlier releases that are out too and are not among these; said in the report.

    *Cost*: bounded by the effort, and compiling once on a machine.
    """
    limits, effort = limits or Limits(), effort or Effort()
    needless = grouping is not None and not grouping.hides
    files = [_listed(publication, network, grouping) for publication in publications]
    grouping = None if needless else grouping
    uses = Counter(link for walk in walks for link in walk.links)
    mean = Fraction(sum(uses.values()), len(network.pairs))
    del universes  # every file has its pairs
    unbrought: tuple[Universe, ...] = ()
    counting, structural, looked_at = (
        (None, None, 0)
        if unbrought
        else _outsiders(network, walks, files, grouping=grouping, effort=effort)
    )
    fit = None
    if len(walks) > 1 and grouping is None:
        fit = ChaffFit.of(policy, mean / len(walks), len(network))
    return GateReport(
        walks=len(walks),
        looked_at=looked_at,
        links=len(network.pairs),
        uses_per_link=mean,
        most_uses=max(uses.values(), default=0),
        dearest=_dearest(network, walks, publications),
        counting=counting,
        structural=structural,
        effort=effort,
        grouping=grouping,
        reasons=(
            *map(_unbrought_words, unbrought),
            *_reasons(mean, counting, structural, _resolved(limits, fit)),
        )
        if grouping is None
        else _bare_reasons(counting, structural, limits),
        unread=unread,
        unbrought=unbrought,
        fit=fit,
        but=_left_out(publications),
        needless=needless,
        bare=(0, 0) if grouping is None else _bare(network, walks, grouping),
    )


def composed_loss(policy: Policy, uses: int, releases: int) -> Loss:
    """Return what a link on so many of so many walks loses by all of them together.

    That it is there; under a policy that protects both, the larger of the two.

    >>> str(composed_loss(Policy.balanced(), 3, 60))
    '3 (ln 2) + 57 (ln 2) = 41.5920'
    """
    if policy.kind.urn is not None:
        return pattern_loss(policy.kind.urn, uses, releases, states=policy.states)
    copies = (1, 1) if policy.kind.draws_copies else None
    promise = certify(policy)
    on = promise.bound(walk_links=1, copies=copies)
    off = promise.bound(other_links=1, copies=copies)
    assert on is not None, "every certificate has a row for one walk link"
    assert off is not None, "and for one other link"
    counted = ((on, uses), (off, releases - uses))
    parts = [
        (max(row.presence, row.absence, key=float) if policy.noisy else row.presence).times(k)
        for row, k in counted
        if k
    ]
    total = parts[0]
    for part in parts[1:]:
        total = total.plus(part)
    return total


def _left_out(publications: Sequence[Publication]) -> str:
    """Return what a composed loss of these releases does not count, in words."""
    kinds = {Policy.from_terms(publication.policy).kind for publication in publications}
    left = ["had it been a link all along"] if any(kind.urn for kind in kinds) else []
    left += ["had its ends one copy each"] if any(kind.draws_copies for kind in kinds) else []
    sketched = any(not publication.lists_vertices for publication in publications)
    left += ["seeds and rounding of sketches apart"] if sketched else []
    return "".join(f", {part}" for part in left)


def _dearest(
    network: Network, walks: Sequence[Walk], publications: Sequence[Publication]
) -> tuple[int, Loss]:
    """Return what the dearest link has lost by all releases, and on how many walks it lies."""
    stretches: dict[PolicyTerms, list[Walk]] = {}
    for walk, publication in zip(walks, publications, strict=True):
        stretches.setdefault(publication.policy, []).append(walk)
    uses = [Counter(link for walk in part for link in walk.links) for part in stretches.values()]
    policies = [Policy.from_terms(terms) for terms in stretches]
    lengths = [len(part) for part in stretches.values()]
    found: dict[tuple[int, ...], Loss] = {}
    for pattern in sorted({tuple(part[link] for part in uses) for link in network.links}):
        parts = map(composed_loss, policies, pattern, lengths)
        found[pattern] = reduce(Loss.plus, parts)
    worst = max(found, key=lambda pattern: float(found[pattern]))
    return sum(worst), found[worst]


def _outsiders(
    network: Network,
    walks: Sequence[Walk],
    files: Sequence[Publication],
    *,
    grouping: Grouping | None,
    effort: Effort,
) -> tuple[Judgement | None, Judgement | None, int]:
    """Run both outsiders on as many releases as the effort allows, and judge them."""
    size = len(network) if grouping is None else grouping.classes
    most = max(1, 2 * effort.bits // (size * (size - 1)))
    collected = collect(files, most=most, today=network)
    if collected is None:
        return None, None, 0  # copies that differ from file to file, or a sketch of too many names
    sightings, law = collected.sightings, collected.law
    truth, numbered = _truth(network, [walks[k] for k in collected.kept], sightings, grouping)
    links = len(truth)
    found = counting_outsider(sightings, law, links)
    counted = judge(found, sightings, truth, numbered, grouping=grouping)
    looked_at = len(collected.kept)
    # Between classes a walk need not be a path, but through classes of one member it is one.
    if not effort.restarts or (sightings.grouped and not counted.bare_walks):
        return counted, None, looked_at
    as_paths = replace(sightings, grouped=False)
    found = structural_outsider(as_paths, law, links, steps=effort.steps, restarts=effort.restarts)
    return counted, judge(found, sightings, truth, numbered, grouping=grouping), looked_at


def _listed(publication: Publication, network: Network, grouping: Grouping | None) -> Publication:
    """Return a file as who knows all names sees it; a sketch of too many names as it is.

    Over a grouping that hides nothing it is a file between vertices.
    """
    bits = publication.grouped
    try:
        if grouping is not None and bits is not None:
            return _listed_classes(publication.over(grouping), bits, grouping)
        return publication if publication.lists_vertices else publication.among(network.vertices)
    except TooLarge:
        return publication


def _listed_classes(publication: Publication, bits: GroupedBits, grouping: Grouping) -> Publication:
    """Return a file over a grouping with its classes listed, or its vertices if it hides none."""
    del bits, grouping  # over a grouping releases are packed
    return between_vertices(publication)


def _bare(network: Network, walks: Sequence[Walk], grouping: Grouping) -> tuple[int, int]:
    """Return how many links, and how many walks, the grouping leaves bare."""
    passed = [grouping.classes_of(walk.vertices).tolist() for walk in walks]
    blocks = grouping.blocks_of(network).tolist()
    return len(bare_among(blocks, grouping)), len(bare_walks_among(passed, grouping))


def _truth(
    network: Network, walks: Sequence[Walk], sightings: Sightings, grouping: Grouping | None
) -> tuple[IndexArray, list[list[int]]]:
    """Return links and walks as the outsider numbers things."""
    if grouping is not None:
        blocks: IndexArray = grouping.blocks_of(network)
        return blocks, [grouping.classes_of(walk.vertices).tolist() for walk in walks]
    place = {name: number for number, name in enumerate(sightings.positions.vertices)}
    links = [[place[u], place[v]] for u, v in network.links]
    return np.array(links, dtype=np.int64), [[place[name] for name in walk] for walk in walks]


def _resolved(limits: Limits, fit: ChaffFit | None) -> Limits:
    if limits.uses_per_link is not None:
        return limits
    return replace(limits, uses_per_link=Fraction(1) if fit is None else fit.most_uses)


def _reasons(
    mean: Fraction, counting: Judgement | None, structural: Judgement | None, limits: Limits
) -> tuple[str, ...]:
    found = []
    for who, judged in (("counts", counting), ("looks for paths", structural)):
        if judged is not None and judged.walks_read > limits.walks_read:
            walks = counted(judged.walks, "walk")
            found.append(f"an outsider who only {who} reads {judged.walks_read} of {walks}")
    assert limits.uses_per_link is not None, "resolved"
    if mean > limits.uses_per_link:
        found.append(
            f"each link is used {float(mean):.1f} times on average, more than "
            f"{float(limits.uses_per_link):g}"
        )
    return tuple(found)


def _unbrought_words(universe: Universe) -> str:
    return (
        f"what an outsider reads was not worked out: releases name the {universe.count} public "
        f"pairs that may be links by digest only ({universe.digest[:12]}), and these were not "
        "brought"
    )


def _bare_reasons(
    counting: Judgement | None, structural: Judgement | None, limits: Limits
) -> tuple[str, ...]:
    """Return why the gate is closed over a grouping: walks it does not hide are read."""
    return tuple(
        f"an outsider who only {who} reads {judged.bare_walks_read} of "
        f"{counted(judged.bare_walks, 'walk')} of which the grouping leaves two links in a row "
        "bare, or all"
        for who, judged in (("counts", counting), ("looks for paths", structural))
        if judged is not None and judged.bare_walks_read > limits.walks_read
    )
