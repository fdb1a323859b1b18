"""verify_publication(): every promise a publication makes about itself, checked again.

Anyone can check certificate, shape and canonicity from the file alone (the sizes of classes with
the grouping). With the network one can check that the bits are possible under the policy. The
custodian, who has the walk too, can check that the file says that walk. What could not be checked
for want of something public is a finding of its own, neither true nor false.

verify_series(): whether files form one series, and each carries the certificate that it earns.

A file says by itself under which terms it was drawn. Whoever restates all of them consistently
(``sealed`` as ``balanced``, a universe cut or enlarged, the fifth of a series as the first) makes a
file that agrees with itself, as does one with other bits or without its direction:
:data:`UNCONFIRMED` names what the file alone does not confirm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from pathveil.checking.certificate_check import require_earned, require_possible_bits
from pathveil.errors import PathveilError, UncheckedCertificate
from pathveil.layering import rules
from pathveil.model.bits import Relation
from pathveil.model.certificate import Finding
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.series import keeps_its_digest, order_series, require_unchanged
from pathveil.model.walk import Walk
from pathveil.reading.assemble import Reading, positions_over, reconstruct
from pathveil.wording import html_table, safe_text

EARNED = "the certificate is the one that policy, copies, layering and universe earn"
SIZES = ", but for the sizes of its classes: bring the grouping to check them"
UNCHANGED = "names, bits, direction, terms and place are those of the digest it states"
SKETCH = "the sketch has the size and the values that its policy and capacity say"
ONE_PATH = "the walk links read with the network form one path"
READS_BACK = "the walk reads back exactly"
HELD = "every link of the network is among the pairs of the universe"
RULES = "rules 1 and 2: walk links in different branches, other links in the same"


NOT_SHOWN = (
    "not shown: whether terms and bits were changed together, and whether to send it (pv.judge)"
)
"""What no claim of a single file says."""


class Verification(list[Finding]):
    """What holds of a publication, claim by claim; it shows itself in words.

    >>> print(Verification([Finding("a", True), Finding("b", False, "c is not there")]))
    1 of 2 claims does not hold
    holds: a
    fails: b (c is not there)
    not shown: whether terms and bits were changed together, and whether to send it (pv.judge)
    """

    @property
    def holds(self) -> bool | None:
        """Whether all claims hold; None if none fails, but some were not checked."""
        return verdict(finding.holds for finding in self)

    def _line(self) -> str:
        return verdict_line([finding.holds for finding in self])

    def _rows(self) -> list[tuple[str, str, str]]:
        words = {True: "holds", False: "fails", None: "open"}
        return [(words[each.holds], each.claim, each.detail) for each in self]

    def __repr__(self) -> str:
        return f"<Verification: {self._line()}>"

    def __str__(self) -> str:
        lines = [
            f"{head}: {claim}" + (f" ({why})" if why else "") for head, claim, why in self._rows()
        ]
        return "\n".join([self._line(), *map(safe_text, lines), NOT_SHOWN])

    def _repr_html_(self) -> str:
        return f"<p>{self._line()}</p>{html_table((), self._rows())}<p>{NOT_SHOWN}</p>"


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
) -> Verification:
    """Return what holds of a publication, claim by claim.

    Without network and walk only what the file says of itself is checked. The findings may speak
    of the walk: they are for the custodian.

    Examples
    --------
    >>> from pathveil import publish, verify
    >>> network, secret = Network.parse("ab bc cd bd"), Walk("abcd")
    >>> all(finding.holds for finding in verify(publish(network, secret)))
    True
    """
    publication = Publication.of(publication).over(grouping)
    network = None if network is None else Network.of(network)
    walk = None if walk is None else Walk.of(walk)
    over = publication.grouped
    unread, missing = network, over is not None and over.grouping is None
    earned, network = EARNED + (SIZES if missing else ""), None if missing else network
    findings = Verification([try_claim(earned, lambda: require_earned(publication))])
    if keeps_its_digest(publication) is not None:
        findings.append(try_claim(UNCHANGED, lambda: require_unchanged(publication)))
    public = publication.universe
    if public is not None and network is not None:
        findings.append(try_claim(HELD, lambda: public.require_holds(network)))
    if not publication.lists_vertices:
        findings.append(Finding(SKETCH, holds=True))  # a file of another size is not opened
    elif findings[0].holds is None:
        return findings
    else:
        findings += _verify_drawing(publication, network)
    if network is not None:
        findings += _verify_reading(publication, network, walk)
    elif unread is not None:
        need = "bring the grouping: grouping= in Python, --groups FILE on the command line"
        findings.append(Finding(ONE_PATH, holds=None, detail=need))
    return findings


def _verify_drawing(publication: Publication, network: Network | None) -> list[Finding]:
    """Return what holds of bits and layers by themselves."""
    findings = [
        try_claim(
            "the bits are possible under the policy"
            + ("" if network is None else ", given the network"),
            lambda: _check_possible(publication, network),
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
        back = try_claim(READS_BACK, lambda: _check_walk(found, walk))
        if publication.policy.noisy and not back.holds:
            back = replace(back, holds=None, detail=f"{back.detail}; bits may be wrong by design")
        elif publication.follows_walk and found.walk == walk.reversed():
            turned = "the walk reads back turned round, which the paper's layering does not exclude"
            back = replace(back, holds=None, detail=turned)
        findings.append(back)
    if not publication.lists_vertices:  # no drawing; the links shown apart are those of the reading
        return [*findings, Finding(RULES, holds=True)]
    ground, visits = _visits(publication, network, found)
    if not publication.policy.noisy:
        relation = Relation.of(publication.positions, ground, visits)
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


def _check_possible(publication: Publication, network: Network | None) -> None:
    if network is not None:
        positions_over(publication, network)
    require_possible_bits(publication, network)


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


def require_reads_back(publication: Publication, network: Network, walk: Walk) -> None:
    """Raise unless a file says this walk; of noisy bits only the vertices are compared."""
    if publication.policy.noisy:
        positions_over(publication, network)
        return
    found = reconstruct(publication, network)
    if not (publication.follows_walk and found.walk == walk.reversed()):  # its order can be wrong
        _check_walk(found, walk)


BY_EARLIER = ("policy", "names")
"""What the earlier files of a series confirm: they state the same."""
UNCONFIRMED = (
    *("policy", "universe", "grouping", "layering", "place in a series", "source of its coins"),
    *("names", "direction", "bits", "salt"),
)
"""What no file confirms by itself: whoever changes it can make certificate and digest fit."""

WHOLE = "the files are one series: every release from the first on, each after the one before"


def verify_series(publications: Sequence[Publication]) -> list[Finding]:
    """Return what holds of a series, claim by claim; its files in any order.

    Examples
    --------
    >>> from pathveil import Network, Policy, Seeded, Walk, publish
    >>> network, policy = Network.parse("ab bc cd bd"), Policy.remembering(usage="0.2")
    >>> first = publish(network, Walk("abc"), policy=policy, source=Seeded(1))
    >>> second = publish(network, Walk("bd"), after=[first], source=Seeded(2))
    >>> all(finding.holds for finding in verify_series([second, first]))
    True
    """
    findings = [try_claim(WHOLE, lambda: order_series(publications))]
    for publication in publications:
        place = 0 if publication.series is None else publication.series.place
        claim = f"release {place}: {EARNED}"
        findings.append(try_claim(claim, partial(require_earned, publication)))
    return findings


def verdict_line(each: Sequence[bool | None]) -> str:
    """Return in one line whether all claims hold.

    >>> verdict_line([True, True]), verdict_line([True, None, False])
    ('all 2 claims hold', '1 of 3 claims does not hold')
    """
    failing, unchecked = each.count(False), each.count(None)
    if failing:
        return f"{failing} of {len(each)} claims {'does' if failing == 1 else 'do'} not hold"
    if unchecked:
        return f"{unchecked} of {len(each)} claims could not be checked"
    return f"all {len(each)} claims hold"
