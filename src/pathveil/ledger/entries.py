"""What goes into a ledger and what comes out: plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from pathveil.model.certificate import Loss
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.cover import Cover

Link = tuple[str, str]

Compose = Callable[[Sequence[Mapping[str, int]]], Sequence[Loss]]
"""From how many releases were of which kind for a link, to the exact loss of that link; for many
links at once. The ledger counts; whoever knows what coins cost does the composing."""

LATE = "late "
"""Before the name of a kind: a release that was of this kind for the rest, made when the link was
not yet one of the network."""


ONCE = "once "
"""Before a decimal: what a grouping cost every link, once for all releases over it."""


@dataclass(frozen=True, repr=False)
class Request:
    """A walk somebody wants released.

    Parameters
    ----------
    terms
        Everything public that decides what the release looks like, as one text. The same walk
        through the same network under the same terms is given back, not released again.
    policy
        The policy by its name, for tables.
    grouping, voids
        Digest of the grouping, where there is one, and of the one it replaces.
    fresh
        Release again, with other coins, though it was released before; it is charged.
    output
        The file it is to go to.
    public
        Whether that file is public, and not an envelope for its readers.
    """

    network: Network
    walk: Walk
    terms: str
    policy: str
    grouping: str | None = None
    voids: str | None = None
    fresh: bool = False
    output: Path | None = None
    public: bool = True


Wrap = Callable[[bytes, Request], bytes]
"""From a publication to what is written to the file: the same, another form, an envelope."""


def bare(data: bytes, request: Request) -> bytes:  # noqa: ARG001 - a Wrap that changes nothing
    """Return a publication as it is."""
    return data


@dataclass(frozen=True)
class Charge:
    """What a release costs a link: a kind of loss, and how often the walk uses the link."""

    kind: str
    uses: int = 0


@dataclass(frozen=True, repr=False)
class DrawnRelease:
    """A release that was drawn and is not yet recorded. Secret: its charges tell the walk.

    Parameters
    ----------
    data
        The file, byte for byte.
    rest
        The kind of every link that is not in ``charges``.
    charges
        Links that are charged otherwise: those of the walk, mostly.
    losses
        What each kind costs in one release, where that says something by itself.
    once
        What the grouping costs any link at most, once; wanted with the first release over it.
    counted
        The release as cover counts it, as one text: the walk, and what links pay.
    """

    data: bytes
    rest: str
    charges: Mapping[Link, Charge]
    losses: Mapping[str, Loss] = field(default_factory=dict)
    once: str | None = None
    counted: str = ""


@dataclass(frozen=True, repr=False)
class ChargedRelease:
    """What one release was charged for.

    Attributes
    ----------
    terms, kinds
        As they are sealed: the terms, and the kinds of all its charges.
    policy, grouping
        As they stand in clear beside its series, for tables.
    """

    counter: int
    place: int
    terms: str
    kinds: frozenset[str]
    policy: str
    grouping: str | None


@dataclass(frozen=True, repr=False)
class Recorded:
    """A release the ledger knows.

    Attributes
    ----------
    counter
        Its number in the ledger.
    series, place
        The series it belongs to and its place there, from 1.
    digest
        SHA-256 of ``data``.
    data, parcel
        The publication, and what is written to the file: the same, or an envelope around it.
    replayed
        Whether it had been recorded before and cost nothing now.
    spent, budget
        The largest loss any link of this network had run up after this release, and the limit.
    """

    counter: int
    series: int
    place: int
    digest: str
    data: bytes
    replayed: bool
    spent: Loss
    budget: Fraction | None
    parcel: bytes = b""
    output: Path | None = None
    handout: int | None = None


@dataclass(frozen=True)
class Earlier:
    """A release of the past, opened when asked."""

    counter: int
    series: int
    place: int
    terms: str
    digest: str
    read: Callable[[], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True)
class ReleaseRow:
    """A release as a table shows it: nothing here needs to be kept from an auditor."""

    counter: int
    network: int
    series: int
    place: int
    policy: str
    grouping: str | None
    time: str
    digest: str
    spent: Loss
    handed_out: bool


@dataclass(frozen=True)
class Standing:
    """How one network stands: the largest loss of a link, uses per link, what is left.

    ``cover`` is what its public releases use, None if there is none; ``more`` says about how many
    more walks of how many links fit.
    """

    network: int
    links: int
    spent: Loss
    budget: Fraction | None
    uses: Mapping[int, int]
    rows: tuple[ReleaseRow, ...]
    cover: Cover | None = None
    more: tuple[int, int] = (0, 0)

    @property
    def left(self) -> Decimal | None:
        """What any link may still lose; None without a budget."""
        if self.budget is None:
            return None
        budget = Decimal(self.budget.numerator) / Decimal(self.budget.denominator)
        return budget - Decimal(self.spent.decimal)

    @property
    def uses_per_link(self) -> Fraction:
        """Uses of all walks over the number of links."""
        total = sum(uses * links for uses, links in self.uses.items())
        return Fraction(total, max(self.links, 1))


def exceeds(spent: Loss, budget: Fraction | None) -> bool:
    """Return whether a loss, rounded up, is over the budget.

    >>> exceeds(Loss("3 ln 2", "2.0795"), Fraction(2)), exceeds(Loss("infinite", "inf"), None)
    (True, False)
    """
    if budget is None:
        return False
    return spent.is_infinite or Fraction(spent.decimal) > budget


@dataclass(frozen=True)
class LedgerFinding:
    """One claim about a ledger, whether it holds, and if not, why."""

    claim: str
    holds: bool
    detail: str = ""
