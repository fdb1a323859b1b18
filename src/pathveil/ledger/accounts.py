"""What each link has run up: counts of releases by kind, link by link, and the largest loss.

A release costs nearly all links the same: they are off the walk, the *rest*. Only links that are
charged otherwise get a row, and the row says by how much they differ from the rest: its *profile*
is a list of ``rest>kind:count``, "on so many releases this link was of that kind, where the rest
were of this one". Many links have the same profile, so the dearest is found by looking at profiles
and not at links. A link that came to the network later was of the kind "late" before.

An account is worked on in memory, inside the transaction that reads and writes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from pathveil.errors import LedgerBroken
from pathveil.ledger.entries import ONCE, Compose
from pathveil.model.certificate import Loss

NOTHING = Loss("0", "0.0000")


@dataclass
class Account:
    """The links of one network through its life.

    Attributes
    ----------
    links
        How many there are or have been.
    rests
        On how many releases the rest were of each kind (by number).
    profiles
        How many links have each profile.
    touched
        Uses and profile of links that this transaction looks at or changes.
    names
        Kinds by number.
    once
        What groupings cost every link once, as decimals.
    """

    links: int
    rests: Counter[int] = field(default_factory=Counter)
    profiles: Counter[str] = field(default_factory=Counter)
    touched: dict[str, tuple[int, str]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    once: list[str] = field(default_factory=list)

    def charge(self, rest: int, charges: Mapping[str, tuple[int, int]]) -> None:
        """Add one release: ``charges`` gives kind and uses of links that are not like the rest."""
        self.rests[rest] += 1
        for link, (kind, uses) in charges.items():
            before, old = self.touched.get(link, (0, ""))
            new = differing(old, {(rest, kind): 1} if kind != rest else {})
            self._move(link, old, new, before + uses)

    def begin_late(self, links: Collection[str], late: Mapping[int, int]) -> None:
        """Enter links that were none before; ``late`` gives the late kind for each rest."""
        self.links += len(links)
        gone = {(rest, late[rest]): count for rest, count in self.rests.items()}
        if gone:
            for link in links:
                self._move(link, "", differing("", gone), 0)

    def _move(self, link: str, old: str, new: str, uses: int) -> None:
        if link in self.touched:
            self.profiles[old] -= 1
            if not self.profiles[old]:
                del self.profiles[old]
        self.profiles[new] += 1
        self.touched[link] = (uses, new)

    def spent(self, compose: Compose) -> Loss:
        """Return the largest loss any link has run up."""
        profiles = set(self.profiles)
        if sum(self.profiles.values()) < self.links:
            profiles.add("")  # some link was always like the rest
        found = compose([self.kinds_of(profile) for profile in sorted(profiles)])
        return max(found, key=lambda loss: Decimal(loss.decimal), default=NOTHING)

    def kinds_of(self, profile: str) -> dict[str, int]:
        """Return on how many releases a link with this profile was of which kind."""
        counts = Counter(self.rests)
        for (rest, kind), count in parsed(profile).items():
            counts[rest] -= count
            counts[kind] += count
        found: Counter[str] = Counter(ONCE + decimal for decimal in self.once)
        for kind, count in counts.items():
            if count and kind not in self.names:
                raise LedgerBroken(
                    f"links were charged for kind {kind}, which is not there: the ledger was "
                    "changed; restore it from a backup and run 'pathveil ledger verify'"
                )
            if count:
                found[self.names[kind]] += count
        return dict(found)


def parsed(profile: str) -> dict[tuple[int, int], int]:
    """Return a profile as counts by (rest, kind).

    >>> parsed("1>2:3,1>4:1")
    {(1, 2): 3, (1, 4): 1}
    """
    found = {}
    for item in filter(None, profile.split(",")):
        pair, _, count = item.partition(":")
        rest, _, kind = pair.partition(">")
        found[int(rest), int(kind)] = int(count)
    return found


def differing(profile: str, more: Mapping[tuple[int, int], int]) -> str:
    """Return a profile with more differences from the rest.

    >>> differing("1>2:3", {(1, 2): 1, (1, 4): 1})
    '1>2:4,1>4:1'
    """
    counts = Counter(parsed(profile))
    counts.update(more)
    return ",".join(f"{r}>{k}:{n}" for (r, k), n in sorted(counts.items()) if n)
