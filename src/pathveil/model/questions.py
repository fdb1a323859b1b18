"""What a certificate is asked: who, missing what, seeing how much; answered from its rows alone.

A row *covers* a question if everybody the question speaks of is one of those the row speaks of: it
says the same of him, or leaves it open (labels, uses). Every such row is a bound. The other way
round a question *spans* the rows of all whom it speaks of, and its answer is never below theirs. So
the answer is the least loss that covers the question, or the largest that it spans if that is more;
who asks by all that a row says gets that row's loss.

What is missed adds up: pairs are independent, so losses of several links are at most their sum, and
so are those of fresh releases of the same walk. Releases of a series are not fresh, their chaff
remembers: there the rows count all of them together, and no row is multiplied by releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathveil.model.certificate import Adversary, AdversaryKind, CertificateRow, Loss

    Both = tuple[Loss, Loss]
    """Presence and absence."""

BESIDES: frozenset[AdversaryKind] = frozenset({"counts-copies", "knows-direction"})
"""Who goes by something else than bits: how many links he misses does not matter."""


@dataclass(frozen=True)
class Question:
    """Whom a certificate is asked about; :meth:`Certificate.bound` has the parameters."""

    kind: AdversaryKind
    walk_links: int
    other_links: int
    uses: int | None
    copies: tuple[int, int] | None
    labels: tuple[str, str] | None
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

    def losses(self, rows: Sequence[CertificateRow]) -> Both | None:
        """Return the losses that are certified against him; None where the rows are silent."""
        length = series_length(rows)
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
    ) -> Both | None:
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

    def _of_fresh(self, rows: Sequence[CertificateRow], releases: int) -> Both | None:
        """Return the losses of all links he misses, by so many fresh releases of the same."""
        for row in rows:
            who = row.adversary
            missed = (who.walk_links, who.other_links, who.releases)
            known = (who.uses, who.copies, who.labels)
            if (*missed, *known) == (
                *(self.walk_links, self.other_links, releases),
                *(self.uses, self.copies, self.labels),
            ) and max(missed) > 1:
                return _both(row)  # a sum that was not rounded up link by link
        total: Both | None = None
        for count, on_walk in ((self.walk_links, True), (self.other_links, False)):
            if not count:
                continue
            part = _times(self._of_one(rows, on_walk=on_walk), count)
            if part is None:
                return None
            total = part if total is None else (total[0].plus(part[0]), total[1].plus(part[1]))
        return _times(total, releases)

    def _of_one(self, rows: Sequence[CertificateRow], *, on_walk: bool) -> Both | None:
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
        return (
            _either_way(who.copies) == _either_way(self.copies)
            and who.uses in (None, self.uses if on_walk else None)
            and _either_way(who.labels) in (None, _either_way(self.labels))
        )

    def _spans(self, who: Adversary, *, on_walk: bool) -> bool:
        """Return whether he is one of those asked about."""
        return (self.copies is None or _either_way(self.copies) == _either_way(who.copies)) and (
            (self.uses is None or not on_walk or self.uses == who.uses)
            and (self.labels is None or _either_way(self.labels) == _either_way(who.labels))
        )


def series_length(rows: Iterable[CertificateRow]) -> int | None:
    """Return how many releases the rows of a series count together; None if there are none."""
    counted = [row.adversary.releases for row in rows if row.adversary.kind == "series"]
    return max(counted, default=None)


def _both(row: CertificateRow) -> Both:
    return row.presence, row.absence


def _worst(found: Iterable[Both]) -> Both | None:
    """Return the largest of each loss, None if there is none."""
    listed = list(found)
    if not listed:
        return None
    presence, absence = zip(*listed, strict=True)
    return max(presence, key=float), max(absence, key=float)


def _times(losses: Both | None, count: int) -> Both | None:
    return None if losses is None else (losses[0].times(count), losses[1].times(count))


def _either_way(ends: tuple[object, object] | None) -> tuple[object, ...] | None:
    """Return what is said of the two ends of a link, whichever is named first."""
    return None if ends is None else tuple(sorted(ends, key=str))
