"""GroupingTerms: what is said before a grouping is drawn. Public, and covered by its digest."""

from __future__ import annotations

from dataclasses import dataclass

from pathveil.errors import BadGrouping


@dataclass(frozen=True)
class GroupingTerms:
    """The public numbers a grouping was drawn with.

    Attributes
    ----------
    classes
        Colours the draw could choose from; classes nobody drew do not appear in the grouping.
    cap
        Members a class may have at most.
    at_least
        Members every class has at least.
    voids
        Digest of the grouping of the same network that this one replaces, and whose protection is
        void from then on; empty if this is the first.
    """

    classes: int
    cap: int
    at_least: int = 1
    voids: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.at_least <= self.cap:
            raise BadGrouping(
                f"classes of at least {self.at_least} and at most {self.cap} members; expected "
                "1 <= at least <= at most"
            )
        if self.classes < 1:
            raise BadGrouping(f"{self.classes} classes; expected one or more")
        if self.voids and not _is_digest(self.voids):
            raise BadGrouping("voids: expected the 64 hexadecimal digits of a grouping's digest")


def _is_digest(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)
