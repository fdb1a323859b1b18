"""What each link has run up: the releases of one network, added up from the first.

A release costs nearly all links the same: they are off the walk, the *rest*. So an account counts
on how many releases the rest were of which kind, and keeps for each link that was ever charged
otherwise by how much its counts differ. A link that came to the network later was of the kind
"late" in the releases before it. Links that are gone are charged with what comes after, like the
rest: too much, never too little.

Nothing of this is stored: an account is computed from the sealed charges of the releases.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from pathveil.ledger.entries import DrawnRelease, Link
from pathveil.ledger.pricing import LATE, ONCE, compose_losses
from pathveil.model.certificate import NO_LOSS, Loss
from pathveil.model.network import Network


class Account:
    """The links of one network through its life.

    Attributes
    ----------
    links
        How many there are or have been.
    uses
        How often links were used by all walks together. Secret.
    """

    def __init__(self) -> None:
        self.links = 0
        self.uses: Counter[Link] = Counter()
        self._versions: list[Network] = []
        self._rests: Counter[str] = Counter()
        self._differing: dict[Link, Counter[str]] = {}

    def enter(self, network: Network) -> None:
        """Take a version of the network in: links that are new were late for what was before."""
        if network in self._versions:
            return
        if not self._versions:
            self.links = len(network.pairs)
        else:
            fresh = set(network.links).difference(*(one.links for one in self._versions))
            self.links += len(fresh)
            for link in fresh:
                for kind, count in self._fresh_rests():
                    self._differ(link, kind, LATE + kind, count)
        self._versions.append(network)

    def charge(self, release: DrawnRelease) -> None:
        """Add one release."""
        self._rests[release.rest] += 1
        if release.once is not None:
            self._rests[ONCE + release.once] += 1
        for link, charge in release.charges.items():
            self._differ(link, release.rest, charge.kind, 1)
            self.uses[link] += charge.uses

    def _fresh_rests(self) -> list[tuple[str, int]]:
        """Return the kinds that a link owes only if it was there: not what groupings cost."""
        return [(k, n) for k, n in self._rests.items() if not k.startswith(ONCE)]

    def _differ(self, link: Link, rest: str, kind: str, count: int) -> None:
        counts = self._differing.setdefault(link, Counter())
        counts[rest] -= count
        counts[kind] += count

    @property
    def spent(self) -> Loss:
        """The largest loss any link has run up."""
        distinct = {frozenset(one.items()): one for one in self._differing.values()}
        if len(self._differing) < self.links:
            distinct[frozenset()] = Counter()  # some link was always like the rest
        found = compose_losses([_sum(self._rests, one) for one in distinct.values()])
        # Of equal losses one is taken that does not depend on the order of links.
        return max(found, key=lambda loss: (Decimal(loss.decimal), str(loss)), default=NO_LOSS)


def _sum(rests: Counter[str], differing: Counter[str]) -> dict[str, int]:
    total = rests.copy()
    total.update(differing)
    return {kind: count for kind, count in total.items() if count}
