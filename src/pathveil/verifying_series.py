"""verify_series(): whether files form one series, and each keeps its promises.

Everything is computed again from the files alone: places, digests, terms, and the certificate,
which is a function of public terms and the place. What a file's bits show is checked file by file
(:mod:`pathveil.verifying`).
"""

from __future__ import annotations

from collections.abc import Sequence

from pathveil.chance.policy import Policy
from pathveil.earning import require_earned
from pathveil.errors import BrokenSeries, FalseCertificate, UncheckedCertificate
from pathveil.model.publication import Publication
from pathveil.model.series import order_series
from pathveil.verifying import Finding, try_claim

WHOLE = "the files are one series: every release from the first on, each after the one before"
PROMISED = "release {place}: the certificate is what its terms and its place promise"


def verify_series(publications: Sequence[Publication]) -> list[Finding]:
    """Return what holds of a series, claim by claim; its files in any order.

    Examples
    --------
    >>> from pathveil import Network, Seeded, Walk
    >>> from pathveil.publishing import publish_series
    >>> network, walks = Network.parse("ab bc cd bd"), [Walk("abc"), Walk("bd")]
    >>> found = verify_series(list(publish_series(network, walks, source=Seeded(1)))[::-1])
    >>> all(finding.holds for finding in found)
    True
    """
    findings = [try_claim(WHOLE, lambda: order_series(publications))]
    for publication in sorted(publications, key=_standing):
        findings += verify_promise(publication)
    return findings


def _standing(publication: Publication) -> tuple[int, int]:
    place = publication.series
    return (0, 0) if place is None else (place.place, place.walk)


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
