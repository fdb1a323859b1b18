"""Whether the certificate on a publication is the one that its policy earns.

A certificate is a function of public facts: the policy, the layering, whether the direction is
told, the size of the universe, the sizes of the classes of a grouping, the place in a series and
the capacity of a sketch. Whoever has the file can compute it again, so a file whose losses were
lowered, whose caveats were cut or whose policy was renamed need not be believed. The sizes of
classes are what the file says they are until the grouping is at hand; how many classes there are it
shows itself, unless it is a sketch. What the *bits* can show under a policy is checked as well, as
far as the file alone decides it:

- every vertex has the policy's public number of copies, and the policy is as noisy as it says;
- with joint coins every pair shows a pattern that the policy draws;
- pairs outside the universe, and copies of one vertex under joint coins, show nothing.

With the network (:func:`impossible_pairs`) an unlinked pair must show what chance can show:
under ``sealed`` never *same branch*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice
from pathlib import Path

import numpy as np

from pathveil.chance.certify import certify
from pathveil.errors import BadBudget, DoesNotFit, FalseCertificate, UncheckedCertificate
from pathveil.files.publications.any_publication import read_publication
from pathveil.model.bits import (
    Form,
    PackedBits,
    link_places,
    pair_count,
    pair_places,
    pattern_table,
    unflatten,
)
from pathveil.model.certificate import Certificate
from pathveil.model.layered import follows_walk
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.series import require_unchanged
from pathveil.model.sketch import SketchedBits, SketchShape
from pathveil.policies import Policy
from pathveil.publishing.terms import GOES_WITH, MEET, Feature
from pathveil.sketching.sketch_release import seed_loss

Link = tuple[str, str]
Inside = frozenset[Link] | None
OUTSIDE = "is outside the universe and shown in one branch"
UNLIKE_CHANCE = "is not a link of the network and shows what chance never shows"


_ADVICE = (
    "do not rely on it: get the file from its publisher; 'pathveil inspect --trust' "
    "shows it all the same"
)


def earned_certificate(publication: Publication) -> Certificate:
    """Return the certificate that the terms of a publication earn, whatever it carries.

    Raises
    ------
    BadBudget
        If the policy is none this version knows.

    Examples
    --------
    >>> from pathveil import Network, Walk, publish
    >>> publication = publish(Network.parse("ab bc"), Walk("abc"))
    >>> earned_certificate(publication) == publication.certificate
    True
    """
    policy = Policy.from_terms(publication.policy)
    universe, series, sketch = publication.universe, publication.series, publication.sketch
    grouped, sizes = publication.grouped, None
    if grouped is not None:
        sizes = grouped.sizes if grouped.grouping is None else grouped.grouping.class_sizes
    return certify(
        policy,
        layering=publication.layering,
        direction_public=publication.direction is not None,
        universe=None if universe is None else universe.count,
        sizes=sizes,
        releases=1 if series is None else series.place,
        seed=None if sketch is None else seed_loss(sketch.capacity, sketch.shape.planes),
    )


def read_believable(path: str | Path, *, trust: bool = False) -> Publication:
    """Return the publication in a file, believable unless it is taken on trust."""
    publication = read_publication(path)
    return publication if trust else require_believable(publication, str(path))


def require_believable(publication: Publication, where: str = "publication") -> Publication:
    """Return the publication with the certificate that its terms earn, ready to be asked.

    Raises
    ------
    BadPublication
        If the file does not agree with itself: its certificate or its digest is wrong.
    """
    require_earned(publication, where)
    require_unchanged(publication, where)
    return replace(publication, certificate=earned_certificate(publication))


def require_earned(publication: Publication, where: str = "publication") -> None:
    """Raise :class:`FalseCertificate` unless terms, copies and certificate belong together.

    Where that cannot be told it is an :class:`UncheckedCertificate`.
    """
    try:
        said = _false_terms(publication) or _false_numbers(publication)
    except UncheckedCertificate as error:
        raise UncheckedCertificate(f"{where}: certificate: {error}; {_ADVICE}") from None
    if said is None:
        carried, earned = publication.certificate, earned_certificate(publication)
        said = None if carried == earned else _difference(carried, earned)
    if said is not None:
        raise FalseCertificate(f"{where}: certificate: {said}; {_ADVICE}")


def is_earned(publication: Publication) -> bool:
    """Return whether the certificate is the one that the policy earns."""
    try:
        require_earned(publication)
    except FalseCertificate:
        return False
    return True


def _false_terms(publication: Publication) -> str | None:
    """Return what is wrong with the policy as stated, or None."""
    terms = publication.policy
    try:
        policy = Policy.from_terms(terms)
    except BadBudget as error:
        raise UncheckedCertificate(f"cannot be checked: {error}") from None
    stated = (terms.name, dict(terms.parameters), terms.noisy)
    meant = policy.terms()
    if stated != (meant.name, dict(meant.parameters), meant.noisy):
        return f"the policy is stated as {terms}, the policy of these numbers is {meant}"
    if (policy.kind.urn is None) != (publication.series is None):
        place = "none" if publication.series is None else "one"
        return f"the file states {place} for a place in a series, which does not go with {terms}"
    if (unmet := _unmet(publication, policy)) is not None:
        return f"it states {unmet[0]} with {unmet[1]}, which no release has"
    if publication.sketch is not None:
        return _false_values(publication, publication.sketch, policy)
    if policy.copies is not None and publication.lists_vertices:
        positions = publication.positions
        odd = next((c for c in positions.counts if c != policy.copies), None)
        if odd is not None:
            vertex = positions.vertices[positions.counts.index(odd)]
            return f"the policy gives every vertex {policy.copies} copies, {vertex!r} has {odd}"
    return None


def _unmet(publication: Publication, policy: Policy) -> tuple[str, str] | None:
    """Return two things a file states that do not go together, or None."""
    form: Form = "packed" if publication.sketch is None else "sketch"
    has: dict[Feature, bool] = {
        "copies": (policy.copies or 1) > 1,
        "universe": publication.universe is not None,
        "series": publication.series is not None,
        "grouping": publication.grouped is not None,
        "engine": follows_walk(publication.layering),
    }
    given = [feature for feature, stated in has.items() if stated]
    allowed = GOES_WITH.get((policy.name, form), frozenset())
    pairs = [(policy.name, feature) for feature in given if feature not in allowed]
    pairs += [two for two in combinations(given, 2) if frozenset(two) not in MEET]
    return next(iter(pairs), None)


def _false_numbers(publication: Publication) -> str | None:
    """Return what is wrong with the sizes of classes or the number of pairs with coins, or None."""
    bits, universe = publication.grouped, publication.universe
    listed = len(publication.vertices) if publication.lists_vertices else None
    if bits is not None and listed is not None and bits.sizes.classes != listed:
        return f"states sizes of {bits.sizes.classes} classes, it has {listed}"
    if bits is not None and bits.grouping is not None and bits.grouping.class_sizes != bits.sizes:
        return "states other sizes of classes than those of its grouping"
    if universe is None or listed is None or universe.count <= pair_count(listed):
        return None
    most = pair_count(listed)
    return f"it speaks of {universe.count} pairs with coins, its vertices have {most} pairs"


def _false_values(publication: Publication, sketch: SketchedBits, policy: Policy) -> str | None:
    """Return what is wrong with the values of a sketch, or None: they follow from the terms."""
    try:
        meant = policy.in_sketch()
        assert meant.value_bits is not None
        shape = SketchShape.holding(sketch.capacity, planes=meant.value_bits)
    except (BadBudget, ValueError) as error:
        raise UncheckedCertificate(f"cannot be checked: {error}") from None
    if meant != policy or shape != sketch.shape:
        return f"a sketch of {publication.policy} has values of {meant.value_bits} bits here"
    if sketch.threshold != meant.law().dyadic_size(meant.value_bits):
        return "the sketch has another threshold than its policy"
    return None


def _difference(carried: Certificate, earned: Certificate) -> str:
    """Return the first thing in which two certificates differ, in words."""
    for have, owe in zip(carried.rows, earned.rows, strict=False):
        if have != owe:
            return (
                f"says {have.presence} and {have.absence} for {have.adversary}, the policy earns "
                f"{owe.presence} and {owe.absence} for {owe.adversary}"
            )
    lost = next((s for s in earned.not_protected if s not in carried.not_protected), None)
    if lost is not None:
        return f"leaves out what is not protected: {lost!r}"
    return "has other rows, chances of identifying a missing link, or caveats than the policy earns"


# -- what the bits can show -----------------------------------------------------------------------


def require_possible_bits(publication: Publication, network: Network | None = None) -> None:
    """Raise :class:`DoesNotFit` if the policy never shows these bits.

    Parameters
    ----------
    network
        If given, pairs that are not links of it are held against the law of chance.
    """
    for (u, v), why in islice(impossible_pairs(publication, network), 1):
        raise DoesNotFit(f"{u!r} - {v!r}: {why}; the file was not made under {publication.policy}")


def impossible_pairs(
    publication: Publication, network: Network | None = None
) -> Iterator[tuple[Link, str]]:
    """Yield pairs of vertices whose bits the policy never shows, each with the reason."""
    policy = Policy.from_terms(publication.policy)
    if not publication.lists_vertices:
        return  # a sketch lists no pairs; whatever one asks about, any answer is possible
    packed, positions = publication.packed, publication.positions
    if publication.grouped is not None and network is not None:
        network = publication.grouped.known.between_classes(network)
    allowed: Inside = None
    if publication.universe is not None:
        allowed = frozenset(publication.universe.pairs)
        known = set(positions.vertices)
        for u, v in allowed:
            if u not in known or v not in known:
                raise DoesNotFit(
                    f"the universe pairs {u!r} and {v!r}, which are not both published"
                )
    if len(positions) == len(positions.vertices) and policy.walks == 1:
        rate = policy.law().on.as_fraction
        yield from _impossible_single(packed, rate, network, allowed)
        return
    if policy.joint or publication.universe is not None:
        yield from _twins(packed)
    patterns: set[tuple[bool, ...]] | None = None  # those a pair may show besides none, if listed
    if policy.link_uses is not None:
        assert policy.copies is not None, "uses are limited where copies are public"
        patterns = {*map(tuple, pattern_table(policy.copies, policy.link_uses).tolist())}
    clear = ~packed.pairs.flat()
    for u, v in combinations(positions.vertices, 2):
        shown = tuple(clear[link_places(positions, (u, v))].tolist())
        if allowed is not None and (u, v) not in allowed:
            if not all(shown):
                yield (u, v), OUTSIDE
            continue
        if patterns is not None and any(shown) and shown not in patterns:
            yield (u, v), "shows a pattern of copies that no walk makes"
        elif network is not None and not network.has_edge(u, v) and not _by_chance(policy, shown):
            yield (u, v), UNLIKE_CHANCE


def _twins(packed: PackedBits) -> Iterator[tuple[Link, str]]:
    """Yield vertices whose own copies are shown in one branch, where they never are."""
    for name in packed.positions.vertices:
        own = packed.positions.copies_of(name)
        rows = np.array([(i, j) for i in own for j in own if i < j], dtype=np.int64).reshape(-1, 2)
        if packed.same_branch(packed.positions, rows).any():
            yield (name, name), "has copies shown in one branch"


def _impossible_single(
    packed: PackedBits, rate: Fraction | None, network: Network | None, inside: Inside
) -> Iterator[tuple[Link, str]]:
    """Yield the same for one copy of each vertex and one law, all pairs at a time."""
    names, size = packed.positions.vertices, len(packed.positions)
    same = packed.pairs.flat()
    drawn = np.ones(len(same), dtype=bool)
    if inside is not None:
        index = {name: i for i, name in enumerate(names)}
        rows = np.array([(index[u], index[v]) for u, v in inside], dtype=np.int64).reshape(-1, 2)
        drawn[:] = False
        drawn[pair_places(rows[:, 0], rows[:, 1], size)] = True
    outside = np.flatnonzero(same & ~drawn)
    if network is not None:
        drawn[pair_places(network.pairs[:, 0], network.pairs[:, 1], size)] = False
    for i, j in unflatten(outside[:1], size).tolist():
        yield (names[i], names[j]), OUTSIDE
    if network is not None and rate in (0, 1):
        wrong = np.flatnonzero(drawn & (same if rate == 1 else ~same))
        for i, j in unflatten(wrong[:1], size).tolist():
            yield (names[i], names[j]), UNLIKE_CHANCE


def _by_chance(policy: Policy, shown: tuple[bool, ...]) -> bool:
    """Return whether an unlinked pair ever shows this."""
    rate = policy.law().on.as_fraction
    if rate == 1 and policy.walks == 1:
        # Alone, every copy pair looks on the walk; jointly, at least one of them does.
        return any(shown) if policy.joint else all(shown)
    if rate == 0:
        return not any(shown)
    return True
