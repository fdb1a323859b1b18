"""Who stands at the gate: refuses what must not go out, and says what fits instead.

:mod:`pathveil.planning.gate` looks at what an outsider would read. Here that look is put before a
batch, and
before releases through a ledger, which knows all that is out already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pathveil.errors import BadBudget, GateClosed, PathveilError
from pathveil.files.publications.any_publication import publication_from
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.planning.gate import composed_loss, examine
from pathveil.planning.gate_report import Effort, GateReport, Limits, remedies
from pathveil.policies import Policy
from pathveil.reading.assemble import reconstruct
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.ledger.views import Past


class Gate(Protocol):
    """Looks at everything released so far and at what is about to be; raises to refuse it.

    What was refused is kept: the same walk on the same basis meets the gate with the same coins.
    """

    def __call__(self, past: Past, walks: Sequence[Walk], made: Sequence[Publication], /) -> None:
        """Raise unless these walks, so published, may go out after that past."""


def require_suits(policy: Policy, walks: Sequence[Walk], *, independent: bool) -> None:
    """Raise :class:`BadBudget` if several walks must not be published with this policy.

    *Privacy*: with ``sealed`` a link off the walk is bare and a link on it is not shown. Of several
    walks each file shows what the others hide: together they show every link that is not on all.
    """
    if len({walk.links for walk in walks}) < 2:
        return
    law = policy.law()
    if not policy.noisy and law.on.as_fraction == 1:
        raise BadBudget(
            f"the {policy.kind.name} policy shows every link that is off the walk: of "
            f"{len(walks)} walks each file shows what the others hide, and together they show "
            "every link of the network that is not on all of them. Publish one walk with it, or "
            "leave the policy out: a batch is a series whose chaff remembers"
        )
    if policy.kind.urn is None and not independent:
        loss = composed_loss(policy, 1, len(walks))
        raise BadBudget(
            f"the {policy.kind.name} policy throws fresh coins for each of {len(walks)} walks: a "
            f"link on one of them loses up to {loss} in all. Leave the policy out, for chaff that "
            "remembers, or say independent=True (--independent) if that is what you want"
        )


def refusal(report: GateReport, network: Network, journal: Path | None) -> GateClosed:
    """Return the refusal, with the figures, and what fits instead."""
    kept = (
        "The ledger keeps the coins: they are never thrown again until the gate opens"
        if journal is None
        else f"The coins are kept in {journal}: the same batch would be refused again, coins are "
        "never thrown again until the gate opens"
    )
    return GateClosed(
        f"not released: {'; '.join(report.reasons)} ({counted(report.walks, 'walk')} over "
        f"{report.links} links). What fits: {remedies(report, network)}. {kept}",
        report=report,
    )


def ledger_gate(
    network: Network,
    policy: Policy,
    *,
    grouping: Grouping | None = None,
    universes: Iterable[Universe | Pairs] = (),
    independent: bool = False,
    from_second: bool = False,
    limits: Limits | None = None,
    effort: Effort | None = None,
) -> Gate:
    """Return the gate for releases through a ledger: it looks at all that is out, and raises.

    With ``from_second`` the first release over a network, which is no series yet, passes unasked.
    All releases are looked at, under whatever terms they were made; walks are read back with the
    network. How many cannot be read with the network of today, or went out over another grouping
    than this one, is said in the report. ``universes`` are the public pairs of releases, earlier
    ones too, that name them by digest only: where they are not brought the gate is closed.
    """
    brought = tuple(universes)

    def look(past: Past, walks: Sequence[Walk], made: Sequence[Publication]) -> None:
        kept = [publication_from(release.read()) for release in past.earlier()]
        earlier = [_over(found, grouping) for found in kept]
        if from_second and not earlier:
            return
        read = [(found, _walk_of(found, network)) for found in earlier]
        out = [(found, walk) for found, walk in read if walk is not None]
        known = [*(walk for _, walk in out), *walks]
        for other in {found.policy for found, _ in out} - {made[0].policy}:
            require_suits(Policy.from_terms(other), known, independent=True)
        require_suits(policy, known, independent=independent)
        publications = [*(found for found, _ in out), *made]
        report = examine(
            network,
            known,
            publications,
            policy,
            grouping=grouping,
            universes=brought,
            limits=limits,
            effort=effort,
            unread=len(earlier) - len(out),
        )
        if not report.open:
            raise refusal(report, network, None)

    return look


def _over(publication: Publication, grouping: Grouping | None) -> Publication:
    """Return an earlier release with the grouping at hand, if it went out over this one."""
    over = publication.grouped
    if grouping is None or over is None or over.digest != grouping.digest:
        return publication
    return publication.over(grouping)


def _walk_of(publication: Publication, network: Network) -> Walk | None:
    """Return the walk of an earlier release, or None if the network has changed too much.

    A link outside its universe was none then.
    """
    universe = publication.universe
    known = network
    if universe is not None and universe.pairs is not None:
        inside = frozenset(universe.pairs)
        known = network.without(*(link for link in network.links if link not in inside))
    try:
        walk = reconstruct(publication, known).walk
        walk.require_in(network)
    except PathveilError:
        return None
    return walk
