"""verify_publication(): every promise a publication makes about itself, checked again.

Anyone can check certificate, shape and canonicity from the file alone (the sizes of classes with
the grouping). Who has the network can check that the bits are possible under the policy. The
custodian, who has the walk too, can check that the file says that walk. What could not be checked
for want of something public is a finding of its own, neither true nor false.

verify_series(): whether files form one series, and each keeps its promises.

Everything is computed again from the files alone: places, digests, terms, and the certificate,
which is a function of public terms and the place. What a file's bits show is checked file by file
(:mod:`pathveil.checking.verification`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pathveil.checking.certificate_check import (
    needs_grouping,
    require_earned,
    require_possible,
)
from pathveil.errors import (
    BrokenSeries,
    FalseCertificate,
    PathveilError,
    UncheckedCertificate,
)
from pathveil.layering import rules
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.series import keeps_its_digest, order_series, require_unchanged
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.reading.assemble import Reading, positions_over, reconstruct

EARNED = "the certificate is the one that policy, copies, layering and universe earn"
SIZES = ", but for the sizes of its classes: bring the grouping to check them"
UNCHANGED = "names, bits, direction, terms and place are those of the digest it states"
ONE_PATH = "the walk links read with the network form one path"
READS_BACK = "the walk reads back exactly"
BROUGHT = "the universe that was brought is the one it was made with"
HELD = "every link of the network is among the pairs of the universe"
RULES = "rules 1 and 2: walk links in different branches, other links in the same"


@dataclass(frozen=True)
class Finding:
    """One claim, whether it holds, and if not, why.

    ``holds`` is None where it was not checked; ``detail`` then says what to bring.
    """

    claim: str
    holds: bool | None
    detail: str = ""


def verdict(each: Iterable[bool | None]) -> bool | None:
    """Return whether all claims hold; None if none fails, but some were not checked.

    >>> verdict([True, None]), verdict([True, None, False])
    (None, False)
    """
    found = set(each)
    return False if False in found else None if None in found else True


def verify_publication(
    publication: Publication,
    network: Network | None = None,
    walk: Walk | None = None,
    *,
    grouping: Grouping | None = None,
    universe: Pairs | None = None,
) -> list[Finding]:
    """Return what holds of a publication, claim by claim.

    Without network and walk only what the file says of itself is checked. The findings may speak
    of the walk: they are for the custodian.

    Parameters
    ----------
    universe
        The public pairs, where the publication names them by digest only. If they are not brought,
        what they decide is not checked, and a finding says so.

    Examples
    --------
    >>> from pathveil import publish
    >>> network, secret = Network.parse("ab bc cd bd"), Walk("abcd")
    >>> all(finding.holds for finding in verify_publication(publish(network, secret)))
    True
    """
    network = None if network is None else Network.of(network)
    walk = None if walk is None else Walk.of(walk)
    universe = None if universe is None else Universe.of(universe).pairs
    publication = publication.over(grouping)
    earned = EARNED + (SIZES if needs_grouping(publication) else "")
    findings = [try_claim(earned, lambda: require_earned(publication))]
    if keeps_its_digest(publication) is not None:
        findings.append(try_claim(UNCHANGED, lambda: require_unchanged(publication)))
    findings += _verify_universe(publication, network, universe)
    if not publication.lists_vertices:
        return [*findings, *_verify_sketch(publication, network, walk)]
    if findings[0].holds is None:
        return findings
    findings += _verify_drawing(publication, network, universe)
    return (
        findings if network is None else [*findings, *_verify_reading(publication, network, walk)]
    )


def _verify_universe(
    publication: Publication, network: Network | None, universe: Pairs | None
) -> list[Finding]:
    """Return whether the universe is the one that was brought, and holds the network."""
    public, findings = publication.universe, []
    if universe is not None:
        findings.append(try_claim(BROUGHT, lambda: _check_brought(public, universe)))
    if public is not None and network is not None:
        findings.append(try_claim(HELD, lambda: _check_held(public, network, universe)))
    return findings


def _verify_drawing(
    publication: Publication, network: Network | None, universe: Pairs | None
) -> list[Finding]:
    """Return what holds of bits and layers by themselves."""
    findings = [
        try_claim(
            "the bits are possible under the policy"
            + ("" if network is None else ", given the network"),
            lambda: _check_possible(publication, network, universe),
        ),
        try_claim(
            "branches are chains, arcs a transitive reduction",
            lambda: rules.check_shape(publication.layered),
        ),
    ]
    if not publication.follows_walk:
        canonical = "the layout is the canonical one of its bits and direction"
        findings.append(try_claim(canonical, lambda: _check_canonical(publication)))
    return findings


def _verify_reading(publication: Publication, network: Network, walk: Walk | None) -> list[Finding]:
    """Return what holds of the walk that the network reads, against the true one if it is given."""
    reading: list[Reading] = []
    findings = [try_claim(ONE_PATH, lambda: reading.append(reconstruct(publication, network)))]
    if not reading:
        return findings
    found = reading[0]
    if walk is not None:
        findings.append(try_claim(READS_BACK, lambda: _check_walk(found, walk)))
    ground, visits = _visits(publication, network, found)
    if not publication.policy.noisy:
        relation = publication.positions.relation(ground, visits)
        findings.append(
            try_claim(RULES, lambda: rules.check_relation(publication.layered, relation))
        )
    if publication.follows_walk and walk is not None:
        ordered = visits if found.walk == walk else visits[::-1]
        roots = "rule 5: the roots are the group closest to the first vertex"
        findings.append(try_claim(roots, lambda: rules.check_roots(publication.layered, ordered)))
    return findings


def _visits(
    publication: Publication, network: Network, found: Reading
) -> tuple[Network, list[int]]:
    """Return what was published over, and the positions the walk visits there."""
    ground, names = network, found.walk.vertices
    if publication.grouped is not None:
        known = publication.grouped.known
        ground = known.between_classes(network)
        names = tuple(known.names[number] for number in known.classes_of(names).tolist())
    labels = zip(names, found.copies, strict=True)
    return ground, [publication.positions.index(name, copy) for name, copy in labels]


def _verify_sketch(
    publication: Publication, network: Network | None, walk: Walk | None
) -> list[Finding]:
    """Return what holds of a sketch: it has no drawing, and every pair reads something."""
    size = "the sketch has the size and the values that its policy and capacity say"
    findings = [Finding(size, holds=True)]  # a file of another size is not opened
    if network is None:
        return findings
    reading: list[Reading] = []
    findings.append(try_claim(ONE_PATH, lambda: reading.append(reconstruct(publication, network))))
    if reading:
        found = reading[0]
        if walk is not None:
            findings.append(try_claim(READS_BACK, lambda: _check_walk(found, walk)))
        findings.append(try_claim(RULES, lambda: _check_bits(publication, network, found)))
    return findings


def _check_bits(publication: Publication, network: Network, found: Reading) -> None:
    """Raise unless exactly the steps of the reading are shown apart among the network's links."""
    asked = publication.bits.positions_of(network.vertices)
    pairs = asked.lifted_links(network)
    apart = pairs[~publication.bits.same_branch(asked, pairs)]
    labels = zip(found.walk, found.copies, strict=True)
    visits = [asked.index(name, copy) for name, copy in labels]
    steps = {(min(step), max(step)) for step in pairwise(visits)}
    shown = {(min(pair), max(pair)) for pair in apart.tolist()}
    if steps != shown:
        raise _NotSo(f"{len(steps ^ shown)} copy pairs of links show what they should not")


def try_claim(claim: str, check: Callable[[], object]) -> Finding:
    """Return whether a claim holds: if a check of it raises, it does not, or was not checked."""
    try:
        check()
    except UncheckedCertificate as error:
        return Finding(claim, holds=None, detail=str(error))
    except PathveilError as error:
        return Finding(claim, holds=False, detail=str(error))
    return Finding(claim, holds=True)


class _NotSo(PathveilError):
    """A claim that does not hold."""


def _check_brought(public: Universe | None, universe: Pairs) -> None:
    if public is None:
        raise _NotSo("every pair of this publication had a coin; leave the universe out")
    public.brought(universe)


def _check_held(public: Universe, network: Network, universe: Pairs | None) -> None:
    public.brought(universe).require_holds(network)


def _check_possible(
    publication: Publication, network: Network | None, universe: Pairs | None
) -> None:
    if network is not None:
        positions_over(publication, network)
    require_possible(publication, network, universe)


def _check_canonical(publication: Publication) -> None:
    # The engine draws again; that the drawing shows the bits is checked without it.
    rules.check_bits(publication.layered, publication.packed.pairs)
    again = publication.drawn_again()
    if again != publication.layered:
        raise _NotSo(
            f"drawn again from its bits the layout is {again!r}, the file has "
            f"{publication.layered!r}; another engine or a hand has changed it"
        )


def _check_walk(found: Reading, walk: Walk) -> None:
    if found.walk == walk:
        return
    if found.walk == walk.reversed():
        if found.order == "either_way":
            return
        raise _NotSo("the walk reads back in the wrong direction")
    raise _NotSo("another walk reads back")


WHOLE = "the files are one series: every release from the first on, each after the one before"
PROMISED = "release {place}: the certificate is what its terms and its place promise"


def verify_series(publications: Sequence[Publication]) -> list[Finding]:
    """Return what holds of a series, claim by claim; its files in any order.

    Examples
    --------
    >>> from pathveil import Network, Seeded, Walk
    >>> from pathveil.publishing.release import publish_series
    >>> network, walks = Network.parse("ab bc cd bd"), [Walk("abc"), Walk("bd")]
    >>> policy, source = "remembering:usage=0.4", Seeded(1)
    >>> files = list(publish_series(network, walks, policy=policy, source=source))
    >>> found = verify_series(files[::-1])
    >>> all(finding.holds for finding in found)
    True
    """
    findings = [try_claim(WHOLE, lambda: order_series(publications))]
    for publication in sorted(publications, key=_standing):
        findings += verify_promise(publication)
    return findings


def _standing(publication: Publication) -> int:
    place = publication.series
    return 0 if place is None else place.place


def verify_promise(publication: Publication) -> list[Finding]:
    """Return whether the certificate of a publication of a series is the one it has to have.

    Empty for a publication that stands alone: nothing here is said of it.
    """
    if publication.series is None:
        return []
    claim = PROMISED.format(place=publication.series.place)
    return [try_claim(claim, lambda: _check_promise(publication))]


def _check_promise(publication: Publication) -> None:
    earned = True
    try:
        require_earned(publication)
    except UncheckedCertificate:
        raise  # neither so nor not so
    except FalseCertificate:
        earned = False
    policy = Policy.from_terms(publication.policy)
    assert publication.series is not None
    if policy.kind.urn is None:
        raise BrokenSeries(
            f"it says a place in a series, but {publication.policy} throws fresh coins; the place "
            "or the policy was changed"
        )
    if not earned:
        raise BrokenSeries(
            "computed again from its terms and its place the certificate is another one; it was "
            "changed, or made by another version"
        )
