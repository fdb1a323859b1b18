"""attack(): the exact posterior over the links somebody lacks.

Theory of operation. With a one-sided policy the bit of a link is its status, so the known links
give pieces of the walk, and the missing ones join them: each way is a *world* (``completions.py``),
weighed by ``likelihood.py``. Under the two-sided policy bits of links are noisy too, and
``two_sided_posterior.py`` sums over all walks.

Three questions are answered side by side. *Without* the release: every set of missing links that
connects the network is as likely. By the bits of the *known links* alone: what the adversary reads
of the walk as a participant of the rest. And by *everything* published: all bits, the direction
bit, the copies, and the drawing where it depends on the walk; then ``by_coins`` has the beliefs
without the drawing. All walks that are possible count alike beforehand.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np

from pathveil.attacks.one_file.completions import Completions, Link, read_fragments
from pathveil.attacks.one_file.direction_likelihood import Course
from pathveil.attacks.one_file.enumerated import SPREAD, infer_exactly
from pathveil.attacks.one_file.likelihood import Judge
from pathveil.attacks.one_file.posterior import CoinModel, Inference
from pathveil.attacks.one_file.sampled import infer_by_samples
from pathveil.attacks.one_file.two_sided_posterior import noisy_inference
from pathveil.attacks.success_rates import generator
from pathveil.chance.source import Source, System
from pathveil.errors import BadArgument, DoesNotFit, TooLarge
from pathveil.model.grouping import GroupedBits
from pathveil.model.knowledge import Knowledge
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.policies import Policy

MOST_DRAWINGS = 2_000
"""Worlds up to which each is drawn again to compare with the published drawing."""

MOST_OPEN = 60
"""Open pairs up to which sampled beliefs before the release use that the network is connected."""

_PIECES = "that the network is connected: the known part of it is in too many pieces"
_DRAWING = "the published drawing, which depends on the walk: there are too many worlds to draw"
_LAYERS = "the published drawing, which depends on the walk"
_COLOURING = "that some groupings are likelier over one network than over another"
_SERIES = "the other releases of its series: attack all of its files together"
_TOGETHER = "the other walks of this release, whose files are out too"


def attack(
    publication: Publication,
    knowledge: Knowledge | Network,
    *,
    lacking: Iterable[tuple[Hashable, Hashable]] | tuple[Hashable, Hashable] | None = None,
    spanning: bool = False,
    limit: int = 200_000,
    samples: int = 20_000,
    source: Source | None = None,
) -> Inference:
    """Return what somebody who lacks some links believes about them.

    Parameters
    ----------
    publication
        What is published; over a grouping, with that at hand (:meth:`Publication.over`). A pair can
        then be a missing link only if its block holds no known one. That some groupings are
        likelier over one network than over another is not used, and said to be left out: it would
        move the odds by the one-time loss at most.
    knowledge, lacking
        What the adversary knows: a network and the links of it that he lacks, one as ``(u, v)`` or
        a list of them; or a :class:`Knowledge`, which may also hold steps and ends of the walk.
    spanning
        Whether the adversary also knows that the walk visits every vertex (the paper's walks do).
    limit
        How many steps of enumeration before the posterior is sampled instead.
    samples, source
        How many worlds to sample then, and from which random bytes; the result states its error.
        No samples: beyond the limit nothing is answered.

    *Privacy*: two different things are measured. ``odds`` is what the certified loss bounds: how
    far the release makes "these links are there" more likely than "they are not". ``success`` is
    how often the best guess among the *possible* links is right, which no loss bounds. What an
    adversary could use and this computation does not is listed in ``left_out``.

    *Cost*: the worlds times the copy pairs of a missing link; one link joins two fragments in four
    ways at most.

    Raises
    ------
    DoesNotFit
        If no set of that many missing links explains the publication, or a known link is outside
        its universe.
    TooLarge
        If there is too much to enumerate, and no sample is allowed or fits.

    Examples
    --------
    >>> from pathveil import Network, Policy, Walk, publish
    >>> network = Network.parse("ab bc cd de ef bd")
    >>> sealed = publish(network, Walk("abcdef"), policy=Policy.sealed())
    >>> for row in attack(sealed, network, lacking=[("c", "d")]).rows():
    ...     print(row)
    ('a - d', 0.25, 0.25)
    ('a - f', 0.25, 0.25)
    ('c - d', 0.25, 0.25)
    ('c - f', 0.25, 0.25)
    """
    if isinstance(publication, list | tuple):
        raise BadArgument(
            "attack() reads one publication; several are read by attack_as_insider(publications, "
            "network.without(u, v)) for someone who lacks one link, and by attack_as_outsider("
            "publications, links=...) for an outsider, both of pathveil.attacks.series.pile_attack"
        )
    publication, knowledge = Publication.of(publication), _knowledge_of(knowledge, lacking)
    policy = Policy.from_terms(publication.policy)
    public: Collection[Link] | None = None
    if publication.universe is not None:
        publication.universe.require_among(knowledge.network.links)
        public = publication.universe.pairs
    groups = None if publication.grouped is None else publication.grouped.known
    place = publication.series
    held = {  # what an adversary may hold besides that one file
        _SERIES: place is not None and place.place > 1,
        _TOGETHER: policy.walks > 1,
        _COLOURING: groups is not None,
    }
    beyond = tuple(what for what, here in held.items() if here)
    if publication.grouped is not None:
        publication, public = over_vertices(publication, publication.grouped, knowledge)
    elif not publication.lists_vertices:
        publication = publication.among(knowledge.network.vertices)
    publication.bits.require_over(knowledge.network)
    if publication.policy.noisy:
        return noisy_inference(publication, knowledge, spanning=spanning, left_out=beyond)
    bits = publication.packed.pairs
    read = read_fragments(bits, publication.positions, knowledge.network, universe=public)
    if not comb(len(read.absent), knowledge.missing):
        raise DoesNotFit(
            f"{knowledge.missing} links are said to miss, but only {len(read.absent)} pairs may "
            "hold one; check the known network and the universe"
        )
    completions = Completions(read, knowledge.missing, spanning)
    worlds = completions.listed(limit)
    many = worlds is None or len(worlds) > MOST_DRAWINGS
    draws = publication.drawing is None or not many
    course = Course.of(publication, knowledge, policy, layout=draws, grouping=groups)
    model = CoinModel(policy)
    judge = Judge(read, bits, model, knowledge.network, knowledge.missing, course)
    pieces, drawing = (() if judge.connects else (_PIECES,)), (() if draws else (_DRAWING,))
    left_out = (*beyond, *pieces, *drawing)
    if worlds is not None:
        inferred = infer_exactly(judge, worlds, publication, left_out)
        if course.drawn is None:
            return inferred
        blind = replace(judge, course=replace(course, drawn=None))
        return replace(
            inferred, by_coins=infer_exactly(blind, worlds, publication, (*left_out, _LAYERS))
        )
    if not samples:
        raise TooLarge(f"more than {limit} steps to list the worlds, and no samples are allowed")
    if judge.connects and max(judge.parts(())) and len(read.absent) > MOST_OPEN:
        judge, left_out = replace(judge, rough=True), (*left_out, SPREAD)
    random = generator(source or System())
    return infer_by_samples(judge, completions, samples, random, publication, left_out=left_out)


def _knowledge_of(known: Any, lacking: Any) -> Knowledge:
    """Return what the adversary knows, however it was given."""
    if isinstance(known, Knowledge) != (lacking is None):
        raise BadArgument(
            f"knowledge is of type {type(known).__name__} and lacking is "
            f"{'missing' if lacking is None else 'given'}; write attack(publication, network, "
            "lacking=[(u, v)]), or attack(publication, pv.Knowledge(...)) without lacking"
        )
    if isinstance(known, Knowledge):
        return known
    network = Network.of(known)
    links = network.links_given(lacking)
    return Knowledge(network.without(links), missing=len(links))


def over_vertices(
    publication: Publication, bits: GroupedBits, knowledge: Knowledge
) -> tuple[Publication, Collection[Link]]:
    """Return a grouped publication as one over vertices, and the pairs that may be missing links.

    Raises
    ------
    DoesNotFit
        If more than one link is missing: which sets of them could share a block is not worked out.
    """
    if knowledge.missing > 1:
        raise DoesNotFit(
            f"{knowledge.missing} missing links over a grouping; the exact posterior is worked out "
            "for one: name one link that is missing"
        )
    grouping, network = bits.known, knowledge.network
    grouping.require_harmonious(network)
    first, second = np.triu_indices(len(network), 1)
    numbers = grouping.classes_of(network.vertices)
    free = ~np.eye(grouping.classes, dtype=bool)
    taken = numbers[network.pairs]
    free[taken[:, 0], taken[:, 1]] = free[taken[:, 1], taken[:, 0]] = False
    rows = np.flatnonzero(free[numbers[first], numbers[second]])
    names = network.vertices
    ends = zip(first[rows].tolist(), second[rows].tolist(), strict=True)
    return publication.among(names), [(names[i], names[j]) for i, j in ends]
