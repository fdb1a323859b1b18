"""The certificate as data: what each adversary lacks, and the exact loss certified against him.

A row names an adversary by what he lacks and what else he knows. Its words are made only when it is
shown (:meth:`Adversary.__str__`); code finds a row by its fields. To learn what is promised against
somebody, ask :meth:`Certificate.bound`.

The loss of a walk link compares the world with a world in which the walk steps over a pair that is
not a link. Nobody publishes such a world, so the loss does not say which of several *possible*
links is the true one. :class:`Identification` answers that second question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING, Any, Literal, get_args

from pathveil.errors import BadArgument, MissingExtra
from pathveil.wording import counted, html_table, times

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 4
"""Rows of each kind that a certificate says in words."""

_WHOLE = ("walk_links", "other_links", "uses", "releases", "on_walks")
"""Columns of whole numbers in a data frame."""

AdversaryKind = Literal[
    "lacks-links",
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
        """Return an upper bound of ``count`` times this loss; exact in its closed form."""
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
    "series": "one link on {walks} walks of the series, to someone who sees all of it",
    "late-link": "one link that became a link within the {releases} releases, at worst",
    "fresh-coins": "one link, had each of the {releases} releases had fresh coins",
}


@dataclass(frozen=True)
class Adversary:
    """Whom a row speaks of.

    Parameters
    ----------
    kind
        What he goes by: links he lacks, the numbers of copies, the direction bit.
    walk_links, other_links
        How many links of the walk, and how many others, he does not know.
    uses
        How often the walk uses each missing walk link; None: as often as the policy allows.
    copies
        How many copies the two ends of a missing link have; None: the policy's public number.
    releases
        How many fresh releases of the same he sees; in a series, how many there are.
    on_walks
        In a series: on how many of its walks the missing link is.

    Examples
    --------
    >>> str(Adversary(walk_links=2, other_links=3)), str(Adversary(walk_links=1, releases=10))
    ('2 walk links and 3 other links', 'one walk link, 10 fresh releases of the same')
    >>> str(Adversary(walk_links=1, uses=2, copies=(2, 2)))
    'one walk link used twice, 2 x 2 copies'
    """

    kind: AdversaryKind = "lacks-links"
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
            return (
                "one walk link, to someone who knows which way a step goes or where the walk ends"
            )
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


@dataclass(frozen=True, repr=False)
class CertificateRow:
    """What one adversary can gain: loss with the links against without, and the other way round.

    ``bound`` says whether the loss is the largest for every such adversary (and so what is
    promised), or is there to compare with: what fresh coins would have cost in a series.

    >>> CertificateRow(Adversary(walk_links=1), Loss("ln 2", "0.6932"), ENDLESS)
    <CertificateRow: one walk link: ln 2 = 0.6932 by presence>
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

    def __str__(self) -> str:
        certain = ", a link may become certain" if self.presence.is_infinite else ""
        return f"{self.adversary}: {self.presence} by presence{certain}"

    def __repr__(self) -> str:
        return f"<CertificateRow: {self}>"


@dataclass(frozen=True)
class Identification:
    """How often someone who lacks one walk link can name it.

    The adversary knows everything else. Taking one link from a walk leaves two pieces, which could
    be joined in a few ways; one of these joins is the missing link, each as likely as the others.

    Attributes
    ----------
    joins
        How many joins are possible without the release, all of them alike.
    before, after
        The chance that the best guess is right without the release and with it, rounded up.
    certain
        The chance that the true join is the only one that the release leaves possible, rounded up.
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
    certain: str
    by: Clue = "bits"
    copies: tuple[int, int] | None = None

    def __str__(self) -> str:
        clue = {
            "bits": "by the bits",
            "layout": "by the layout, at worst",
            "series": "by the bits of all releases, on one of the walks",
            "releases": "by two releases or more that use it: often one join alone fits them all",
            "direction": "by the direction bit, to someone who knows a step or an end, at worst",
        }[self.by]
        ends = "" if self.copies is None else f", {self.copies[0]} x {self.copies[1]} copies"
        return f"one of {self.joins} possible joins{ends}, {clue}"


OTHER_CLUES: frozenset[AdversaryKind] = frozenset({"counts-copies", "knows-direction"})
"""Adversaries who go by something else than the bits of links."""

Promise = Callable[[Adversary], tuple[Loss, Loss] | None]
"""Presence and absence against an adversary; None where nothing is promised."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """The a-priori promise of a policy, public, the same for every walk.

    Attributes
    ----------
    rows
        Losses by adversary.
    identification
        How often someone who lacks one walk link can name it.
    not_protected
        In plain sentences, what is not promised.
    promise
        The formula behind the rows (:mod:`pathveil.chance.certify`), for adversaries without a row
        of their own. A file does not state it: a certificate taken on trust has only its rows.
    """

    rows: tuple[CertificateRow, ...] = ()
    not_protected: tuple[str, ...] = ()
    identification: tuple[Identification, ...] = ()
    promise: Promise | None = field(default=None, compare=False)

    def bound(
        self,
        *,
        kind: AdversaryKind = "lacks-links",
        walk_links: int = 0,
        other_links: int = 0,
        uses: int | None = None,
        copies: tuple[int, int] | None = None,
        releases: int | None = None,
        on_walks: int | None = None,
    ) -> CertificateRow | None:
        """Return the certified losses of an adversary; None where nothing is promised.

        Losses of several links, and of fresh releases of the same walk, add up. Releases of a
        series do not: the formula counts them together. What you leave open (``uses``,
        ``on_walks``) is answered for the worst the policy allows.

        Parameters
        ----------
        kind, walk_links, other_links, uses, copies
            As in :class:`Adversary`. Name the ``copies`` where the policy draws them.
        releases
            How many releases he sees: fresh ones of the same walk, or releases of the series that
            the certificate counts. None: the series so far, or one release.
        on_walks
            On how many walks of the series a link is. With ``kind="series"`` it was a link from
            the first release on; otherwise it may have become one later.

        Raises
        ------
        BadArgument
            If there is no such kind, a number is negative or none, or no release is seen.

        Examples
        --------
        >>> from pathveil import Policy
        >>> str(Policy.balanced().certificate().bound(walk_links=3).presence)
        '3 ln 2 = 2.0795'
        >>> from pathveil.chance.certify import certify
        >>> series = certify(Policy.remembering(prior=("1/2", "1/2")), releases=10)
        >>> series.bound(walk_links=1, on_walks=10).presence.decimal
        '1.7362'
        >>> series.bound(walk_links=1, releases=11)  # it counts ten
        """
        _require_kind(kind)
        length = max(
            (r.adversary.releases for r in self.rows if r.adversary.kind == "series"), default=1
        )
        if releases is None:
            releases = length if kind == "lacks-links" or kind in SERIES_WORDS else 1
        who = Adversary(kind, walk_links, other_links, uses, copies, releases, on_walks)
        _require_numbers(who)
        for row in self.rows:
            # Copies and direction give away what they do, however many links he lacks.
            if row.adversary == who or row.adversary.kind == kind in OTHER_CLUES:
                return replace(row, adversary=who)
        losses = None if self.promise is None else self.promise(who)
        if losses is None:
            return None
        if kind == "lacks-links" and length > 1 and releases > 1:
            who = replace(who, kind="series")
        return CertificateRow(who, *losses, bound=kind != "fresh-coins")

    def to_pandas(self, *, identification: bool = False) -> pd.DataFrame:
        """Return the losses (``presence``, ``absence``, in nats) as a data frame, a row for each.

        Or, with ``identification``, how often a missing link is named, a row for each number of
        joins.

        >>> found = Certificate((CertificateRow(Adversary(walk_links=1), ENDLESS, NO_LOSS),))
        >>> found.to_pandas()[["walk_links", "presence", "absence"]].values.tolist()
        [[1, inf, 0.0]]
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtra("pandas", "pandas") from None
        if identification:
            chances = ("before", "after", "certain")
            return pd.DataFrame(
                {
                    "who": str(row),
                    **asdict(row),
                    **{one: float(getattr(row, one)) for one in chances},
                }
                for row in self.identification
            )
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
        return pd.DataFrame(rows).astype(dict.fromkeys(_WHOLE, "Int64"))

    def __repr__(self) -> str:
        return f"<Certificate: {counted(len(self.rows), 'row')}>"

    def __str__(self) -> str:
        endless = [row for row in self.rows[_SHOWN:] if row.presence.is_infinite]
        lines = [str(row) for row in (*self.rows[:_SHOWN], *endless)]
        lines += _more("rows", len(self.rows) - len(lines))
        lines += [
            f"one walk link, {row}: right {row.after} ({row.before} without it), "
            f"certain {row.certain}"
            for row in self.identification[:_SHOWN]
        ]
        lines += _more("identification", len(self.identification) - _SHOWN)
        return "\n".join([f"Certificate of {counted(len(self.rows), 'row')}", *lines])

    def _repr_html_(self) -> str:
        rows = [
            (row.adversary, row.presence, row.absence, "yes" if row.bound else "no")
            for row in self.rows
        ]
        heads = ("who", "loss if a link is there", "if it is not", "for everyone like this")
        guesses = [(row, row.before, row.after, row.certain) for row in self.identification]
        chances = ("the missing link", "guessed right without", "with the release", "certain")
        return (
            html_table(heads, rows)
            + html_table(chances, guesses)
            + html_table(("not protected",), [(line,) for line in self.not_protected])
        )


def _more(where: str, count: int) -> list[str]:
    return [f"{count} more in certificate.{where}"] if count > 0 else []


def _require_kind(kind: Any) -> None:
    kinds = get_args(AdversaryKind)
    if kind not in kinds:
        raise BadArgument(f"kind={kind!r}, expected one of {', '.join(map(repr, kinds))}")


def _require_numbers(who: Adversary) -> None:
    for what, count, least in (
        ("walk_links", who.walk_links, 0),
        ("other_links", who.other_links, 0),
        ("uses", who.uses, 1),
        ("releases", who.releases, 1),
        ("on_walks", who.on_walks, 0),
    ):
        if count is None and what in {"uses", "on_walks"}:
            continue
        if isinstance(count, bool) or not isinstance(count, int) or count < least:
            raise BadArgument(f"{what}={count!r}, expected a whole number, {least} or more")


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


@dataclass(frozen=True)
class Finding:
    """One claim of a file or a ledger, whether it holds, and if not, why.

    ``holds`` is None where it was not checked; ``detail`` then says what to bring.
    """

    claim: str
    holds: bool | None
    detail: str = ""
