"""The gate: what would somebody read who has nothing but the files? Asked before they go out.

A custodian sees one release at a time; an outsider collects them all. So the gate puts itself in
his place. It counts how often each link is used, adds up the losses, and runs two outsiders on
everything released so far together with what is about to be, as far as the effort allows: one
counts how often each pair was shown, the other looks for the one network in which every release is
a path (:mod:`pathveil.adversary.series_outsider`). Both are told the number of links. What they
read is compared with the truth, which the custodian has.

The effort is bounded and said: what these two do not read in that time, somebody with more time
may. An open gate is no promise; a walk that was read is a proof.

*Privacy*: the gate refuses, and never has the coins thrown again: that would make the law of what
is published depend on the secret. Its report looks at the network and is for the custodian alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

import numpy as np

from pathveil.adversary.collection import between_vertices, collect
from pathveil.adversary.series_judgement import Judgement, bare_among, judge
from pathveil.adversary.series_outsider import counting_outsider, structural_outsider
from pathveil.adversary.sightings import Sightings
from pathveil.chaff_fit import ChaffFit
from pathveil.chance.certification import certify
from pathveil.chance.grouping_dial import recommend
from pathveil.chance.policy import Policy
from pathveil.chance.series_loss import pattern_loss
from pathveil.errors import TooLarge
from pathveil.model.bits import IndexArray
from pathveil.model.certificate import Loss
from pathveil.model.grouped_bits import GroupedBits
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import PolicyTerms, Publication
from pathveil.model.walk import Walk


@dataclass(frozen=True)
class Limits:
    """Above which the gate is closed: walks read, and uses per link.

    Uses per link of None are one, and less where chaff does not fit the walks
    (:attr:`~pathveil.chaff_fit.ChaffFit.most_uses`).
    """

    walks_read: int = 0
    uses_per_link: Fraction | None = None


@dataclass(frozen=True)
class Effort:
    """How hard the outsiders try: bits they look at, moves and restarts of the structural one."""

    bits: int = 4_000_000
    steps: int = 2_000_000
    restarts: int = 2


@dataclass(frozen=True, repr=False)
class GateReport:
    """What an outsider would read. It looks at the network: for the custodian's screen alone.

    Attributes
    ----------
    walks, looked_at
        Releases there are, and how many of them the outsiders looked at: the first ones and the
        last, those that can be laid side by side.
    links, uses_per_link, most_uses
        Links of the network, on how many walks each lies on average, and at most.
    dearest
        The largest composed loss of any link: (walks it lies on, loss).
    counting, structural
        What each outsider found, against the truth; None if he could not be run. The structural one
        looks for paths, and over a grouping a walk need not be one: there he is run only if a walk
        passes classes of one member alone.
    grouping
        The grouping, if there is one and it hides something: then all this is between classes.
    reasons
        Why the gate is closed; empty if it is open.
    unread
        Earlier releases that were not looked at, nor counted in anything here.
    fit
        How the chaff fits the links; None for one walk, or over a grouping.
    but
        What the loss of the dearest link leaves out, in words; empty if nothing.
    needless
        Whether there is a grouping in which every class has one member: it hides nothing, and all
        this is as if there were none.
    bare
        Over a grouping: how many links lie between classes of one member, and how many walks pass
        such classes alone. These it does not hide.
    """

    walks: int
    looked_at: int
    links: int
    uses_per_link: Fraction
    most_uses: int
    dearest: tuple[int, Loss]
    counting: Judgement | None
    structural: Judgement | None
    effort: Effort
    grouping: Grouping | None
    reasons: tuple[str, ...]
    unread: int = 0
    fit: ChaffFit | None = None
    but: str = ""
    needless: bool = False
    bare: tuple[int, int] = (0, 0)

    @property
    def open(self) -> bool:
        """Whether nothing speaks against handing the files out."""
        return not self.reasons

    def __repr__(self) -> str:
        return f"<GateReport: {self.walks} walks, for the custodian>"


def examine(
    network: Network,
    walks: Sequence[Walk],
    publications: Sequence[Publication],
    policy: Policy,
    *,
    grouping: Grouping | None = None,
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
        so what they read there does not close the gate, but for walks through classes of one member
        alone. Where no class has two members it is as if there were no grouping.
    unread
        Earlier releases that are out too and are not among these; said in the report.

    *Cost*: bounded by the effort, and compiling once on a machine.
    """
    limits, effort = limits or Limits(), effort or Effort()
    needless = grouping is not None and not grouping.hides
    files = [_listed(publication, network, grouping) for publication in publications]
    grouping = None if needless else grouping
    uses = Counter(edge for walk in walks for edge in walk.edges)
    mean = Fraction(sum(uses.values()), len(network.pairs))
    counting, structural, looked_at = _outsiders(
        network, walks, files, grouping=grouping, effort=effort
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
        reasons=_reasons(mean, counting, structural, _resolved(limits, fit))
        if grouping is None
        else _bare_reasons(counting, structural, limits),
        unread=unread,
        fit=fit,
        but=_left_out(publications),
        needless=needless,
        bare=(0, 0) if grouping is None else _bare(network, walks, grouping),
    )


def composed_loss(policy: Policy, uses: int, releases: int) -> Loss:
    """Return what a link on so many of so many walks loses by all of them together.

    >>> str(composed_loss(Policy.balanced(), 3, 60))
    '3 (ln 2) + 57 (ln 2) = 41.5920'
    """
    if policy.kind.urn is not None:
        return pattern_loss(policy.kind.urn, uses, releases, states=policy.states)
    copies = (1, 1) if policy.kind.draws_copies else None
    promise = certify(policy)
    on = promise.bound(walk_edges=1, copies=copies)
    off = promise.bound(other_edges=1, copies=copies)
    assert on is not None, "every certificate has a row for one walk edge"
    assert off is not None, "and for one other edge"
    parts = [row.presence.times(k) for row, k in ((on, uses), (off, releases - uses)) if k]
    total = parts[0]
    for part in parts[1:]:
        total = total.plus(part)
    return total


def _left_out(publications: Sequence[Publication]) -> str:
    """Return what a composed loss of these releases does not count, in words."""
    kinds = {Policy.from_terms(publication.policy).kind for publication in publications}
    left = ["had it been a link all along"] if any(kind.urn for kind in kinds) else []
    left += ["had its ends one copy each"] if any(kind.draws_copies for kind in kinds) else []
    sketched = any(publication.is_sketched for publication in publications)
    left += ["seeds and rounding of sketches apart"] if sketched else []
    return "".join(f", {part}" for part in left)


def _dearest(
    network: Network, walks: Sequence[Walk], publications: Sequence[Publication]
) -> tuple[int, Loss]:
    """Return what the dearest link has lost by all releases, and on how many walks it lies."""
    stretches: dict[PolicyTerms, list[Walk]] = {}
    for walk, publication in zip(walks, publications, strict=True):
        stretches.setdefault(publication.policy, []).append(walk)
    uses = [Counter(edge for walk in part for edge in walk.edges) for part in stretches.values()]
    policies = [Policy.from_terms(terms) for terms in stretches]
    lengths = [len(part) for part in stretches.values()]
    found: dict[tuple[int, ...], Loss] = {}
    for pattern in sorted({tuple(part[edge] for part in uses) for edge in network.edges}):
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
    collected = collect(files, most=max(1, 2 * effort.bits // (size * (size - 1))))
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
    bits = publication.bits
    try:
        if grouping is not None and isinstance(bits, GroupedBits):
            return _listed_classes(publication.over(grouping), bits, grouping)
        return publication.among(network.vertices) if publication.is_sketched else publication
    except TooLarge:
        return publication


def _listed_classes(publication: Publication, bits: GroupedBits, grouping: Grouping) -> Publication:
    """Return a file over a grouping with its classes listed, or its vertices if it hides none."""
    found = between_vertices(publication)
    if not found.is_sketched or len(grouping.bare_classes) < 2:
        return found
    shown = replace(found, bits=bits.blocks).among(grouping.names)
    return replace(found, bits=GroupedBits(shown.bits, grouping.digest, grouping))


def _bare(network: Network, walks: Sequence[Walk], grouping: Grouping) -> tuple[int, int]:
    """Return how many links and walks pass classes of one member alone."""
    passed = [grouping.classes_of(walk.vertices).tolist() for walk in walks]
    blocks = grouping.blocks_of(network).tolist()
    return len(bare_among(blocks, grouping)), len(bare_among(passed, grouping))


def _truth(
    network: Network, walks: Sequence[Walk], sightings: Sightings, grouping: Grouping | None
) -> tuple[IndexArray, list[list[int]]]:
    """Return links and walks as the outsider numbers things."""
    if grouping is not None:
        blocks: IndexArray = grouping.blocks_of(network)
        return blocks, [grouping.classes_of(walk.vertices).tolist() for walk in walks]
    place = {name: number for number, name in enumerate(sightings.positions.vertices)}
    links = [[place[u], place[v]] for u, v in network.edges]
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
            walks = number_of_walks(judged.walks)
            found.append(f"an outsider who only {who} reads {judged.walks_read} of {walks}")
    assert limits.uses_per_link is not None, "resolved"
    if mean > limits.uses_per_link:
        found.append(
            f"each link is used {float(mean):.1f} times on average, more than "
            f"{float(limits.uses_per_link):g}"
        )
    return tuple(found)


def _bare_reasons(
    counting: Judgement | None, structural: Judgement | None, limits: Limits
) -> tuple[str, ...]:
    """Return why the gate is closed over a grouping: walks it does not hide are read."""
    return tuple(
        f"an outsider who only {who} reads {judged.bare_walks_read} of "
        f"{number_of_walks(judged.bare_walks)} through classes of one member alone, which the "
        "grouping does not hide"
        for who, judged in (("counts", counting), ("looks for paths", structural))
        if judged is not None and judged.bare_walks_read > limits.walks_read
    )


# -- in words ------------------------------------------------------------------------------------


def number_of_walks(count: int) -> str:
    """Return how many walks, in words.

    >>> number_of_walks(1), number_of_walks(2)
    ('1 walk', '2 walks')
    """
    return f"{count} walk" if count == 1 else f"{count} walks"


def report_sentences(report: GateReport) -> list[str]:
    """Return the report in plain words, for the custodian's screen."""
    count, loss = report.dearest
    walks = number_of_walks(report.walks)
    used = (
        f"{walks} over {report.links} links: each link is used "
        f"{float(report.uses_per_link):.2f} times on average, {report.most_uses} times at most. "
        f"The dearest link lies on {count} of {walks} and loses at most {loss} in all"
        f"{report.but}."
    )
    lines = [used]
    between = "" if report.grouping is None else " between classes"
    for who, judged in (
        ("who counts how often each pair was shown", report.counting),
        ("who looks for links that form a path in every release", report.structural),
    ):
        if judged is not None:
            lines.append(
                f"An outsider {who} names {judged.links_found} of {judged.links_hidden} links"
                f"{between} (by luck {judged.luck:.1f}) and reads {judged.walks_read} of "
                f"{number_of_walks(judged.walks)}{between}."
            )
    lines.append(_effort_words(report))
    if report.fit is not None and not report.fit.fits:
        lines.append(report.fit.sentence())
    if report.unread:
        lines.append(
            f"{report.unread} earlier releases, over a grouping or over a network that has changed "
            "since, were neither looked at nor counted."
        )
    if report.needless:
        lines.append(NEEDLESS)
    if report.grouping is not None:
        lines += _grouping_words(report, report.grouping)
    return lines


NEEDLESS = (
    "No class of the grouping has two members: it hides nothing, and all this is between vertices, "
    "as without a grouping."
)


def _grouping_words(report: GateReport, grouping: Grouping) -> list[str]:
    """Return what stays hidden over a grouping, and what does not."""
    links, walks = report.bare
    fewest, most = grouping.pairs_in_a_block
    each = "each link"
    if fewest == 1:
        each, fewest = "each other link", int(grouping.sizes[grouping.sizes > 1].min())
    hidden = (
        "Over the grouping he learns walks between classes and no more, however many he "
        f"collects: {each} stays among the {fewest} to {most} pairs of vertices between its "
        "two classes, unless he knows one of its ends or tells members of a class apart."
    )
    if len(grouping.bare_classes) < 2:
        return [hidden]
    read = [
        f"who {who} names {judged.bare_links_found} of these links and reads "
        f"{judged.bare_walks_read} of these walks"
        for who, judged in (("counts", report.counting), ("looks for paths", report.structural))
        if judged is not None and judged.bare_links
    ]
    bare = (
        f"Links between classes of one member are not hidden: these are {links} of "
        f"{report.links} links, and {walks} of {number_of_walks(report.walks)} pass such classes "
        f"alone{''.join(f'; {part}' for part in read)}."
    )
    return [bare, hidden]


def _effort_words(report: GateReport) -> str:
    if report.counting is None:
        return (
            "The outsiders were not run: copies differ from file to file, or the vertices are too "
            "many for every pair to be looked at."
        )
    moves = report.effort.steps * report.effort.restarts
    made = "" if report.structural is None else f" and made {moves:,} moves"
    return (
        f"The outsiders were told the number of links, had no other knowledge, looked at "
        f"{report.looked_at} of {report.walks} releases{made}: who knows more or tries longer may "
        "read more."
    )


def remedies(report: GateReport, network: Network) -> str:
    """Return what a custodian before a closed gate can do, and which of it fits this network."""
    advice = recommend(network)
    steps = report.uses_per_link * report.links / report.walks
    fit = report.fit
    limit = Fraction(1) if fit is None else fit.most_uses
    few = int(limit * report.links / steps) if steps else report.walks
    below = {Fraction(1): "one use", Fraction(1, 2): "half a use"}.get(limit, "a quarter of a use")
    choices = []
    if report.walks > 1:
        bound = f" (up to about {max(1, few)}: below {below} per link)"
        choices.append("release fewer walks" + (bound if few < report.walks else ""))
    if fit is not None and not fit.fits and report.uses_per_link <= 1:
        choices.insert(0, f"chaff that fits: --usage {float(fit.usage):g}, under one use per link")
    if advice.useful:
        choices.insert(
            0,
            f"publish over a grouping, which fits this network (`pathveil group`, about "
            f"{advice.classes} classes of {advice.mean:.0f}; then --groups)",
        )
    else:
        choices.append("a grouping does not fit: the network is too small, or a hub too large")
    choices.append("hand the files to readers you trust, and nobody else, with --accept-outsider")
    return "; ".join(choices)
