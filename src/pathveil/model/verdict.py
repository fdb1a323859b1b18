"""What a publication means, in words: who reads it, what others learn, what is public.

Everything here is computed from public terms, so it is the same for every walk and every draw of
the coins: it may be printed, logged and passed on. What *this* draw did to *this* walk is another
question, which only the custodian may ask (:mod:`pathveil.attacks.link_risk`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING, Protocol

from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.model.bits import Bits
    from pathveil.model.certificate import Certificate, PolicyTerms
    from pathveil.model.universe import Universe

NOT_COUNTED = "not counted against earlier releases over this network (a ledger counts them)"
COUNTED = "counted with the releases of its series or ledger"

JOINS = 4
"""A walk that lacks one link falls into two pieces, which four links at most can join again."""


@dataclass(frozen=True)
class LinkGuess:
    """How well someone who lacks one link of the walk, and knows all else, names it.

    Attributes
    ----------
    before, after
        How many times in 100 the best guess is right, without the file and with it.
    certain
        In how many of 100 releases the file leaves the true link as the only one possible.
    caveat
        What makes it worse, in words; empty if nothing does.
    """

    before: int
    after: int
    certain: int
    caveat: str = ""

    def __str__(self) -> str:
        sure = f"certain in {self.certain}" if self.certain else "never certain"
        said = (
            f"guesses it right {self.after} times in 100 ({self.before} without the file) where "
            f"four links fit, {sure}"
        )
        return f"{said}; {self.caveat}" if self.caveat else said


class Released(Protocol):
    """What the words are about: a publication, which knows this module and is not known here."""

    @property
    def policy(self) -> PolicyTerms:
        """How the coins were thrown."""
        ...

    @property
    def certificate(self) -> Certificate:
        """What the policy promises."""
        ...

    @property
    def bits(self) -> Bits:
        """What is shown of each pair."""
        ...

    @property
    def universe(self) -> Universe | None:
        """Which pairs had coins."""
        ...

    @property
    def direction(self) -> bool | None:
        """Which end is the first, if that is public."""
        ...

    @property
    def salt(self) -> str | None:
        """What every file has that a series or a ledger names."""
        ...

    @property
    def unsafe(self) -> bool:
        """Whether the coins came from a seed."""
        ...

    @property
    def lists_vertices(self) -> bool:
        """Whether it names its vertices."""
        ...

    @property
    def grouped(self) -> object | None:
        """Its bits as those of classes, if it is over a grouping."""
        ...

    @property
    def vertices(self) -> tuple[str, ...]:
        """The public names."""
        ...


@dataclass(frozen=True)
class Verdict:
    """A publication in words.

    Attributes
    ----------
    readers
        Who reads the whole walk.
    partners
        Who reads only its own places.
    lacks_one_link
        What someone who lacks one link of the walk gains; None where the file does not say it.
    public
        What everyone who has the file sees.
    outsiders
        Whether it is counted what outsiders learn from this file and earlier ones together.
    unsafe
        Whether the coins came from a seed.

    Examples
    --------
    >>> import pathveil as pv
    >>> published = pv.publish(pv.Network.parse("ab bc cd bd"), pv.Walk("abcd"))
    >>> verdict = Verdict.of(published)
    >>> print(verdict.public)
    the names of all 4 vertices, none visited twice, which end is first
    >>> verdict.lacks_one_link.before, verdict.lacks_one_link.after, verdict.lacks_one_link.certain
    (25, 47, 13)
    """

    readers: str
    partners: str
    lacks_one_link: LinkGuess | None
    public: str
    outsiders: str
    unsafe: bool = False

    @classmethod
    def of(cls, publication: Released) -> Verdict:
        """Return what a publication means."""
        readers = "everyone with the whole network"
        if publication.policy.noisy:
            readers = "everyone with the whole network, most likely (bits may be wrong),"
        return cls(
            readers=readers,
            partners="a partner with its own links",
            lacks_one_link=lacks_one_link(publication.certificate),
            public=_public(publication),
            outsiders=COUNTED if publication.salt is not None else NOT_COUNTED,
            unsafe=publication.unsafe,
        )

    def rows(self) -> list[tuple[str, str]]:
        """Return (who, what) for a few lines or a table."""
        lines = [
            ("reads the walk", self.readers),
            ("reads its own places", self.partners),
            ("lacks one link", f"someone who lacks one link {self.lacks_one_link}"),
            ("is public", self.public),
            ("outsiders", self.outsiders),
            ("is unsafe", "the coins came from a seed: for tests only, nothing is protected"),
        ]
        absent = {"lacks one link": self.lacks_one_link is None, "is unsafe": not self.unsafe}
        return [(head, words) for head, words in lines if not absent.get(head)]


def lacks_one_link(certificate: Certificate) -> LinkGuess | None:
    """Return the chances of someone who lacks one link, at the worst row for four joins."""
    rows = [row for row in certificate.identification if row.joins == JOINS]
    by_bits = [row for row in rows if row.by in {"bits", "series"}]
    if not by_bits:
        return None
    row = max(by_bits, key=lambda one: float(one.after))
    clues = {one.by for one in rows}
    return LinkGuess(
        _hundredths(row.before), _hundredths(row.after), _hundredths(row.certain), _caveat(clues)
    )


def _caveat(clues: Collection[str]) -> str:
    if "layout" in clues:
        return "the drawing, made in the walk's order, often gives it away"
    if "releases" in clues:
        return "a link on two walks of the series may be certain"
    if "direction" in clues:
        return "a known direction helps"
    return ""


def _hundredths(decimal: str) -> int:
    """Return a chance as a number of cases in 100, rounded up.

    >>> _hundredths("0.4688"), _hundredths("0.1250"), _hundredths("0.2500"), _hundredths("0.0000")
    (47, 13, 25, 0)
    """
    return int((100 * Decimal(decimal)).to_integral_value(ROUND_CEILING))


def _public(publication: Released) -> str:
    """Return what everyone who has the file sees."""
    parts: list[str] = []
    terms = dict(publication.policy.parameters)
    if not publication.lists_vertices:
        parts.append(f"a limit on the number of links ({publication.bits.capacity:,}), no names")
    elif publication.grouped is not None:
        parts.append(
            f"the names of all vertices in {counted(len(publication.vertices), 'class', 'classes')}"
        )
    else:
        parts.append(f"the names of all {counted(len(publication.vertices), 'vertex', 'vertices')}")
    if publication.policy.name == "sealed":
        parts.append("every link off the walk")
    copies = terms.get("copies")
    if copies is None:
        parts.append("roughly how often each vertex is visited")
    elif copies == "1":
        parts.append("none visited twice")
    else:
        parts.append(f"none visited more than {copies} times")
    if publication.universe is not None:
        parts.append(f"that links are among {publication.universe.count:,} pairs")
    if publication.direction is not None:
        parts.append("which end is first")
    return ", ".join(parts)
