"""The certificate as data: who misses what, and the exact loss that is certified against him.

A row names an adversary by what he lacks and what else he knows; the words are made when a row is
shown (:meth:`Adversary.__str__`), and nobody finds a row by them. Whoever wants to know what is
promised asks :meth:`Certificate.bound`.

The loss of a walk link compares the world with a world in which the walk steps over a pair that is
no link. Nobody publishes such a world, so the loss does not say which of several *possible* links
is the missing one. That is a second question, and :class:`Identification` answers it.

*Asking.* A row *covers* a question if everybody the question speaks of is one of those the row
speaks of: it says the same of him, or leaves it open (uses). Every such row is a bound. The other
way round a question *spans* the rows of all whom it speaks of, and its answer is never below
theirs. So the answer is the least loss that covers the question, or the largest that it spans if
that is more. What is lacking adds up: pairs are independent, so losses of several links are at most
their sum, and so are those of fresh releases of the same walk. Releases of a series are not fresh:
there the rows count all of them together, and no row is multiplied by releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING, Literal

from pathveil.wording import counted, html_table

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 4
"""Rows of each kind that a certificate says in words."""

AdversaryKind = Literal[
    "misses-links",
    "counts-copies",
    "knows-direction",
    "series",
    "late-link",
    "fresh-coins",
]
Clue = Literal["bits", "layout", "direction", "series", "releases"]


@dataclass(frozen=True)
class Loss:
    """An exact privacy loss: a closed form, and a decimal rounded against us.

    >>> str(Loss("ln 2", "0.6932"))
    'ln 2 = 0.6932'
    """

    expression: str
    decimal: str

    @property
    def is_infinite(self) -> bool:
        """Whether some output proves one side."""
        return self.decimal == "inf"

    def __float__(self) -> float:
        return float(self.decimal)

    def __str__(self) -> str:
        return "infinite" if self.is_infinite else f"{self.expression} = {self.decimal}"

    def times(self, count: int) -> Loss:
        """Return an upper bound of so many times this loss; exact in its closed form."""
        if count == 1 or (self.is_infinite and count):
            return self
        if not count:
            return NO_LOSS
        return Loss(f"{count} ({self.expression})", str(count * Decimal(self.decimal)))

    def plus(self, other: Loss) -> Loss:
        """Return the sum: losses of different links and of fresh releases add up."""
        if self.is_infinite or other.is_infinite:
            return ENDLESS
        if NO_LOSS in (self, other):
            return other if self == NO_LOSS else self
        total = Decimal(self.decimal) + Decimal(other.decimal)
        return Loss(f"{self.expression} + {other.expression}", str(total))

    @classmethod
    def at_most(cls, value: Decimal, expression: str) -> Loss:
        """Return a loss from a number, its decimal rounded up to four places."""
        return cls(expression, str(value.quantize(Decimal("0.0001"), ROUND_CEILING)))


NO_LOSS = Loss("0", "0.0000")
ENDLESS = Loss("infinite", "inf")


SERIES_WORDS: dict[AdversaryKind, str] = {
    "series": "one link on {walks} walks of the series, by who sees all of it",
    "late-link": "one link that became a link within the {releases} releases, at worst",
    "fresh-coins": "one link, had each of the {releases} releases had fresh coins",
}


@dataclass(frozen=True)
class Adversary:
    """Whom a row speaks of.

    Parameters
    ----------
    kind
        What he goes by: links he misses, the numbers of copies, the direction bit.
    walk_links, other_links
        How many links of the walk, and how many others, he does not know.
    uses
        How often the walk uses each missing walk link; None: as often as the policy allows.
    copies
        How many copies the two ends of a missing link have; None: the policy's public number.
    releases
        How many fresh releases of the same he sees; in a series, how many there are.
    on_walks
        In a series: on how many of its walks the missing link lies.

    Examples
    --------
    >>> str(Adversary(walk_links=2, other_links=3)), str(Adversary(walk_links=1, releases=10))
    ('2 walk links and 3 other links', 'one walk link, 10 fresh releases of the same')
    >>> str(Adversary(walk_links=1, uses=2, copies=(2, 2)))
    'one walk link used twice, 2 x 2 copies'
    """

    kind: AdversaryKind = "misses-links"
    walk_links: int = 0
    other_links: int = 0
    uses: int | None = None
    copies: tuple[int, int] | None = None
    releases: int = 1
    on_walks: int | None = None

    def __str__(self) -> str:
        if self.kind in SERIES_WORDS:
            walks = f"{'any' if self.on_walks is None else self.on_walks} of the {self.releases}"
            return SERIES_WORDS[self.kind].format(walks=walks, releases=self.releases)
        if self.kind == "counts-copies":
            return "one visit, from the copies"
        if self.kind == "knows-direction":
            return "one walk link, by who knows which way a step goes or where an end is"
        parts = [
            f"{'one' if count == 1 else count} {what} link{'' if count == 1 else 's'}"
            for count, what in ((self.walk_links, "walk"), (self.other_links, "other"))
            if count
        ]
        words = " and ".join(parts)
        if self.uses is not None:
            words += f" used {times(self.uses)}"
        if self.copies is not None:
            words += f", {self.copies[0]} x {self.copies[1]} copies"
        if self.releases > 1:
            words += f", {self.releases} fresh releases of the same"
        return words


def times(count: int) -> str:
    """Return how often in words.

    >>> times(1), times(2), times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


@dataclass(frozen=True)
class CertificateRow:
    """What one adversary can gain: loss with the links against without, and the other way round.

    ``bound`` says whether the loss is the largest for every such adversary (and so what is
    promised), or stands there to compare with: what fresh coins would have cost in a series.
    """

    adversary: Adversary
    presence: Loss
    absence: Loss
    bound: bool = True

    @property
    def notion(self) -> str:
        """The privacy notion under which the loss is finite."""
        if self.presence.is_infinite:
            return "none"
        return "one-sided DP" if self.absence.is_infinite else "symmetric DP"


@dataclass(frozen=True)
class Identification:
    """How often the one missing walk link is told from the other links that could be it.

    The adversary knows everything else. Taking one link from a walk leaves two pieces, which could
    be joined in a few ways; one of these joins is the missing link, each as likely as the others.

    Attributes
    ----------
    joins
        How many joins are possible without the release, all of them alike.
    before, after
        The chance that the best guess is right without the release and with it, rounded up.
    alone
        The chance that the release leaves the true join as the only possible one, rounded up.
    by
        What tells the joins apart: the bits, of one release or (series) of all of them, for a link
        that lies on one of the walks; or the layout, the direction bit or several releases that use
        the link, for which nothing is promised: there the figures say what can happen at worst.
    copies
        How many copies the two ends of every join have; None: the policy's public number.

    Examples
    --------
    >>> print(Identification(4, "0.2500", "0.4688", "0.1250"))
    one of 4 possible joins, by the bits
    >>> print(Identification(4, "0.2500", "0.8714", "0.7509", copies=(2, 2)))
    one of 4 possible joins, 2 x 2 copies, by the bits
    """

    joins: int
    before: str
    after: str
    alone: str
    by: Clue = "bits"
    copies: tuple[int, int] | None = None

    def __str__(self) -> str:
        clue = {
            "bits": "by the bits",
            "layout": "by the layout, at worst",
            "series": "by the bits of all releases, on one of the walks",
            "releases": "by releases that use it, from two on: often one join alone fits them all",
            "direction": "by the direction bit, for who knows a step or an end, at worst",
        }[self.by]
        ends = "" if self.copies is None else f", {self.copies[0]} x {self.copies[1]} copies"
        return f"one of {self.joins} possible joins{ends}, {clue}"


_Both = tuple[Loss, Loss]
"""Presence and absence."""

BESIDES: frozenset[AdversaryKind] = frozenset({"counts-copies", "knows-direction"})
"""Who goes by something else than bits: how many links he misses does not matter."""


@dataclass(frozen=True)
class _Question:
    """Whom a certificate is asked about; :meth:`Certificate.bound` has the parameters."""

    kind: AdversaryKind
    walk_links: int
    other_links: int
    uses: int | None
    copies: tuple[int, int] | None
    releases: int | None
    on_walks: int | None

    def __post_init__(self) -> None:
        for what, count, least in (
            ("walk_links", self.walk_links, 0),
            ("other_links", self.other_links, 0),
            ("uses", self.uses, 1),
            ("releases", self.releases, 1),
            ("on_walks", self.on_walks, 0),
        ):
            if count is not None and count < least:
                raise ValueError(f"{what}={count}: nobody is so; expected {least} or more")

    def losses(self, rows: Sequence[CertificateRow]) -> _Both | None:
        """Return the losses that are certified against him; None where the rows are silent."""
        length = _series_length(rows)
        if self.kind in BESIDES:
            return _worst(_both(row) for row in rows if row.adversary.kind == self.kind)
        if self.kind != "misses-links":
            return self._of_series(rows, length, {self.kind})
        alone = [row for row in rows if row.bound and row.adversary.kind == "misses-links"]
        if not self.walk_links + self.other_links:
            return None
        if length is None or (length == 1 and self.releases is None) or self.releases == 1:
            return self._of_fresh(alone, self.releases or 1)
        # He sees the series, and the link may have become a link while it was published.
        whole = self._of_series(rows, length, {"series", "late-link"})
        least = self._of_fresh(alone, 1)
        return whole if whole is None or least is None else _worst([whole, least])

    def _of_series(
        self, rows: Sequence[CertificateRow], length: int | None, kinds: set[AdversaryKind]
    ) -> _Both | None:
        """Return the losses by rows that count a series together.

        Who has some of its files sees less than who has all. But on how many of *their* walks an
        link lies does not tell on how many of all, so then the dearest counts.
        """
        if length is None or self.copies is not None or (self.releases or 1) > length:
            return None
        found = [row for row in rows if row.adversary.kind in kinds]
        named = [row for row in found if row.adversary.on_walks == self.on_walks]
        if self.releases in (None, length) and "series" in {row.adversary.kind for row in named}:
            found = [row for row in found if row in named or row.adversary.kind != "series"]
        return _times(_worst(map(_both, found)), self.walk_links + self.other_links or 1)

    def _of_fresh(self, rows: Sequence[CertificateRow], releases: int) -> _Both | None:
        """Return the losses of all links he misses, by so many fresh releases of the same."""
        for row in rows:
            who = row.adversary
            missed = (who.walk_links, who.other_links, who.releases)
            asked = (self.walk_links, self.other_links, releases)
            same = (who.uses, who.copies) == (self.uses, self.copies)
            if missed == asked and same and max(missed) > 1:
                return _both(row)  # a sum that was not rounded up link by link
        total: _Both | None = None
        for count, on_walk in ((self.walk_links, True), (self.other_links, False)):
            if not count:
                continue
            part = _times(self._of_one(rows, on_walk=on_walk), count)
            if part is None:
                return None
            total = part if total is None else (total[0].plus(part[0]), total[1].plus(part[1]))
        return _times(total, releases)

    def _of_one(self, rows: Sequence[CertificateRow], *, on_walk: bool) -> _Both | None:
        """Return the losses of one link: the least bound, and no less than any row it spans."""
        alike = [
            row
            for row in rows
            if row.adversary.releases == 1
            and (row.adversary.walk_links, row.adversary.other_links) == (on_walk, not on_walk)
        ]
        covering = [row for row in alike if self._is_covered(row.adversary, on_walk=on_walk)]
        if not covering:
            return None  # drawn copies: a row for other numbers promises nothing for these
        least = (
            min((row.presence for row in covering), key=float),
            min((row.absence for row in covering), key=float),
        )
        spanned = [row for row in alike if self._spans(row.adversary, on_walk=on_walk)]
        same = [row for row in spanned if row in covering]  # first: of equals, the row asked for
        return _worst([*map(_both, same), least, *map(_both, spanned)])

    def _is_covered(self, who: Adversary, *, on_walk: bool) -> bool:
        """Return whether a row about him speaks of everybody asked about."""
        return _either_way(who.copies) == _either_way(self.copies) and who.uses in (
            None,
            self.uses if on_walk else None,
        )

    def _spans(self, who: Adversary, *, on_walk: bool) -> bool:
        """Return whether he is one of those asked about."""
        return (self.copies is None or _either_way(self.copies) == _either_way(who.copies)) and (
            self.uses is None or not on_walk or self.uses == who.uses
        )


def _series_length(rows: Iterable[CertificateRow]) -> int | None:
    """Return how many releases the rows of a series count together; None if there are none."""
    counted = [row.adversary.releases for row in rows if row.adversary.kind == "series"]
    return max(counted, default=None)


def _both(row: CertificateRow) -> _Both:
    return row.presence, row.absence


def _worst(found: Iterable[_Both]) -> _Both | None:
    """Return the largest of each loss, None if there is none."""
    listed = list(found)
    if not listed:
        return None
    presence, absence = zip(*listed, strict=True)
    return max(presence, key=float), max(absence, key=float)


def _times(losses: _Both | None, count: int) -> _Both | None:
    return None if losses is None else (losses[0].times(count), losses[1].times(count))


def _either_way(ends: tuple[object, object] | None) -> tuple[object, ...] | None:
    """Return what is said of the two ends of a link, whichever is named first."""
    return None if ends is None else tuple(sorted(ends, key=str))


@dataclass(frozen=True)
class Certificate:
    """The a-priori promise of a policy, public, the same for every walk.

    Attributes
    ----------
    rows
        Losses by adversary.
    identification
        How often a missing walk link is told from its rivals.
    not_protected
        In plain sentences, what is not promised.
    """

    rows: tuple[CertificateRow, ...] = ()
    not_protected: tuple[str, ...] = ()
    identification: tuple[Identification, ...] = ()

    def bound(
        self,
        *,
        kind: AdversaryKind = "misses-links",
        walk_links: int = 0,
        other_links: int = 0,
        uses: int | None = None,
        copies: tuple[int, int] | None = None,
        releases: int | None = None,
        on_walks: int | None = None,
    ) -> CertificateRow | None:
        """Return the certified losses of an adversary, from the rows; None where they are silent.

        Links of one kind are alike here; what is left open (``uses``, ``on_walks``) is
        answered for the worst the policy allows, never with less than a row it speaks of. Who knows
        more than links, the way of a step or the numbers of copies, is asked about by his ``kind``.

        Parameters
        ----------
        kind, walk_links, other_links, uses, copies
            As in :class:`Adversary`.
        releases
            How many releases he sees: fresh ones of the same, whose losses add up; or of the series
            that the certificate counts, whose losses do not, so that it is silent about more than
            it counts. None: the series so far, or one release.
        on_walks
            On how many walks of the series a link lies; for ``kind="series"`` it was a link from
            the first release on, otherwise it may have become one later.

        Raises
        ------
        ValueError
            If a number is one that nobody has: fewer than no links, no release.

        Examples
        --------
        >>> one = Loss("ln 2", "0.6932")
        >>> found = Certificate((CertificateRow(Adversary(walk_links=1), one, ENDLESS),))
        >>> str(found.bound(walk_links=3).presence), found.bound(other_links=1)
        ('3 (ln 2) = 2.0796', None)
        >>> dear = CertificateRow(
        ...     Adversary("series", on_walks=1, releases=3), Loss("ln 16", "2.7726"), ENDLESS
        ... )
        >>> series = Certificate((*found.rows, dear))
        >>> str(series.bound(walk_links=1).presence), series.bound(walk_links=1, releases=4)
        ('ln 16 = 2.7726', None)
        """
        asked = _Question(kind, walk_links, other_links, uses, copies, releases, on_walks)
        losses = asked.losses(self.rows)
        if losses is None:
            if kind != "misses-links" or walk_links or other_links:
                return None
            losses = (NO_LOSS, NO_LOSS)  # who misses nothing learns nothing that he did not know
        together = _series_length(self.rows) or 1
        if kind == "misses-links" and releases != 1 and together > 1:
            kind = "series"
        seen = (together if kind in SERIES_WORDS else 1) if releases is None else releases
        who = Adversary(kind, walk_links, other_links, uses, copies, seen, on_walks)
        return CertificateRow(who, *losses, bound=kind != "fresh-coins")

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a data frame: whom each is about, and the losses in nats as numbers.

        >>> found = Certificate((CertificateRow(Adversary(walk_links=1), ENDLESS, NO_LOSS),))
        >>> found.to_pandas()[["walk_links", "presence", "absence"]].values.tolist()
        [[1.0, inf, 0.0]]
        """
        import pandas as pd

        rows = [
            {
                "who": str(row.adversary),
                **asdict(row.adversary),
                "presence": float(row.presence),
                "absence": float(row.absence),
                "presence_exactly": row.presence.expression,
                "absence_exactly": row.absence.expression,
                "bound": row.bound,
            }
            for row in self.rows
        ]
        return pd.DataFrame(rows)

    def __str__(self) -> str:
        lines = [f"{row.adversary}: {row.presence} by presence" for row in self.rows[:_SHOWN]]
        lines += [
            f"{row}: right {row.after} ({row.before} without it), certain {row.alone}"
            for row in self.identification[:_SHOWN]
        ]
        return "\n".join([f"Certificate of {counted(len(self.rows), 'row')}", *lines])

    def _repr_html_(self) -> str:
        rows = [
            (row.adversary, row.presence, row.absence, "yes" if row.bound else "no")
            for row in self.rows
        ]
        heads = ("who", "loss if a link is there", "if it is not", "for everyone like this")
        guesses = [(row, row.before, row.after, row.alone) for row in self.identification]
        chances = ("the missing link", "guessed right without", "with the release", "certain")
        return (
            html_table(heads, rows)
            + html_table(chances, guesses)
            + html_table(("not protected",), [(line,) for line in self.not_protected])
        )


@dataclass(frozen=True)
class PolicyTerms:
    """A policy as the file states it.

    Parameters
    ----------
    name, parameters
        Its name and its exact parameters as text.
    noisy
        Whether bits of links may be wrong too, so that the walk is read by likelihood.

    Examples
    --------
    >>> terms = PolicyTerms("frontier", (("walk_loss", "1/2"), ("copies", "1")))
    >>> str(terms)
    'frontier:walk_loss=1/2'
    """

    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    noisy: bool = False

    def __str__(self) -> str:
        """Return the text that ``Policy.parse`` reads; one copy of each vertex is not written."""
        shown = [f"{key}={value}" for key, value in self.parameters if (key, value) != _ONE_COPY]
        return f"{self.name}:{','.join(shown)}" if shown else self.name


_ONE_COPY = ("copies", "1")
