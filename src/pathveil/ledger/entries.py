"""What goes into a ledger and what comes out: plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from pathveil.model.certificate import NO_LOSS, Loss
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.cover import Cover

Link = tuple[str, str]


@dataclass(frozen=True)
class Delivery:
    """How releases go out: to whom, over what, and how a ledger takes them.

    Attributes
    ----------
    recipients
        Public keys of readers; the files are then envelopes that only they can open. Without them
        the files are public, and the gate is asked before anything is drawn.
    replacing
        Whether a file that exists and holds another release may be replaced.
    budget
        With a ledger: from now on the largest loss any link of this network may run up.
    """

    recipients: Sequence[str | Path] = ()
    replacing: bool = False
    budget: Fraction | None = None

    @property
    def public(self) -> bool:
        """Whether the files are public, and not envelopes for their readers."""
        return not self.recipients


@dataclass(frozen=True, repr=False)
class Request:
    """A walk somebody wants released.

    Parameters
    ----------
    output
        The file it is to go to.
    terms
        Everything public that decides what the release looks like, as one text. The same walk
        through the same network under the same terms is given back, not released again.
    policy
        The policy by its name, for tables.
    grouping
        Digest of the grouping, where there is one.
    public
        As for :class:`Delivery`.
    """

    network: Network
    walk: Walk
    output: Path
    terms: str
    policy: str
    grouping: str | None = None
    public: bool = True


class Charge(NamedTuple):
    """What a release costs a link: a kind of loss, and how often the walk uses the link."""

    kind: str
    uses: int = 0


@dataclass(frozen=True, repr=False)
class DrawnRelease:
    """A release as it is charged, and its bytes once it is drawn. Secret: charges tell the walk.

    Parameters
    ----------
    terms
        As requested.
    rest
        The kind of every link that is not in ``charges``.
    charges
        Links that are charged otherwise: those of the walk, mostly.
    once
        What the grouping costs any link at most, once; given with the first release over it.
    counted
        The release as cover counts it, as one text: the walk, and what links pay.
    data
        The file, byte for byte.
    """

    terms: str
    rest: str
    charges: Mapping[Link, Charge]
    once: str | None = None
    counted: str = ""
    data: bytes = b""

    @property
    def text(self) -> str:
        """Everything but the bytes, to be sealed."""
        facts = {"terms": self.terms, "rest": self.rest, "once": self.once, "counted": self.counted}
        charges = [[*link, *charge] for link, charge in self.charges.items()]
        return json.dumps(facts | {"charges": charges}, sort_keys=True)

    @classmethod
    def parse(cls, text: str | bytes) -> DrawnRelease:
        """Return what :attr:`text` says."""
        facts = json.loads(text)
        charges = {(u, v): Charge(kind, uses) for u, v, kind, uses in facts.pop("charges")}
        return cls(charges=charges, **facts)

    @property
    def kinds(self) -> set[str]:
        """The kinds of all its charges."""
        return {self.rest, *(charge.kind for charge in self.charges.values())}


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
    output, handout
        The file it goes to, and the number of the entry that says so.
    """

    counter: int
    series: int
    place: int
    digest: str
    data: bytes
    replayed: bool
    spent: Loss
    budget: Fraction | None = None
    parcel: bytes = b""
    output: Path = Path()
    handout: int = 0


@dataclass(frozen=True)
class ReleaseRow:
    """A release as a table shows it: nothing here needs to be kept from an auditor.

    ``files`` says of each file it went to whether it is public and whether it was written.
    """

    counter: int
    series: int
    place: int
    policy: str
    grouping: str | None
    time: str
    digest: str
    spent: Loss
    files: tuple[tuple[bool, bool], ...] = ()

    @property
    def is_public(self) -> bool:
        """Whether it went to a public file."""
        return any(public for public, _ in self.files)

    @property
    def handed_out(self) -> bool:
        """Whether it was written to a file."""
        return any(done for _, done in self.files)


@dataclass(frozen=True)
class Standing:
    """How one network stands: what any link has lost, uses of links, and what is left.

    ``uses`` says how many links were used how often; ``cover`` is what its public releases use,
    None if there is none; ``encrypted`` is what these and the encrypted ones use together, None if
    none is encrypted; ``more`` says about how many more walks of how many links fit.
    """

    network: int
    links: int
    budget: Fraction | None
    uses: Mapping[int, int]
    rows: tuple[ReleaseRow, ...] = ()
    cover: Cover | None = None
    encrypted: Cover | None = None
    more: tuple[int, int] = field(default=(0, 0))

    @property
    def spent(self) -> Loss:
        """The largest loss of a link."""
        return self.rows[-1].spent if self.rows else NO_LOSS

    @property
    def left(self) -> Decimal | None:
        """What any link may still lose; None without a budget."""
        if self.budget is None:
            return None
        budget = Decimal(self.budget.numerator) / Decimal(self.budget.denominator)
        return budget - Decimal(self.spent.decimal)


def exceeds(spent: Loss, budget: Fraction | None) -> bool:
    """Return whether a loss, rounded up, is over the budget.

    >>> exceeds(Loss("3 ln 2", "2.0795"), Fraction(2)), exceeds(Loss("infinite", "inf"), None)
    (True, False)
    """
    if budget is None:
        return False
    return spent.is_infinite or Fraction(spent.decimal) > budget
