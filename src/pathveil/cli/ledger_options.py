"""Options that speak of a ledger, and how a command opens one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathveil.cli.options import SEVERAL
from pathveil.errors import MissingExtra

if TYPE_CHECKING:
    from pathveil.ledger.entries import Delivery
    from pathveil.ledger.ledger import Ledger

KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        rich_help_panel=SEVERAL,
        help="The ledger's key, if it is not DB.key beside it.",
    ),
]
Budget = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="LOSS",
        rich_help_panel=SEVERAL,
        help="With a ledger: the largest loss that any link may run up.",
    ),
]
LedgerOption = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        metavar="DB",
        rich_help_panel=SEVERAL,
        help="Count what was released before, and record this release.",
    ),
]
Fresh = Annotated[
    bool,
    typer.Option(
        "--fresh",
        rich_help_panel=SEVERAL,
        help="With a ledger: release a known walk again with new coins; it is charged.",
    ),
]
AcceptClock = Annotated[
    bool,
    typer.Option(
        "--accept-clock",
        rich_help_panel=SEVERAL,
        help="With a ledger: this clock is right, the last entry's was not.",
    ),
]


@dataclass(frozen=True)
class LedgerUse:
    """Which ledger a release goes through, and how."""

    database: str
    key: Path | None = None
    fresh: bool = False
    budget: Fraction | None = None
    accept_clock: bool = False

    @classmethod
    def of(cls, database: str | None, *, budget: str | None, **given: Any) -> LedgerUse | None:
        """Return the use that options describe; None without a ledger."""
        if database is not None:
            return cls(database, budget=exact_budget(budget), **given)
        for name, value in {"budget": budget, **given}.items():
            if value:
                raise typer.BadParameter(f"--{name.replace('_', '-')} needs --ledger DB")
        return None

    @property
    def files(self) -> list[Path]:
        """The files the ledger is in: none of them is ever an output.

        >>> [path.name for path in LedgerUse("releases.db").files]
        ['releases.db', 'releases.db.key', 'releases.db-wal', 'releases.db-shm']
        """
        beside = [Path(f"{self.database}{end}") for end in ("", ".key", "-wal", "-shm")]
        return beside if self.key is None else [*beside, self.key]

    def delivery(self, recipients: Sequence[str], *, replacing: bool) -> Delivery:
        """Return how releases go through it, and to whom."""
        from pathveil.ledger.entries import Delivery

        return Delivery(recipients, replacing, self.fresh, self.budget, self.accept_clock)


@contextmanager
def opened_ledger(database: str, key: Path | None) -> Iterator[Ledger]:
    """Give an opened ledger, or say which extra is missing."""
    try:
        from pathveil.ledger.ledger import Ledger
    except ImportError:
        raise MissingExtra("ledger", "sqlalchemy") from None
    with Ledger.open(database, key=key) as ledger:
        yield ledger


def exact_budget(text: str | None) -> Fraction | None:
    """Return a budget as an exact number."""
    if text is None:
        return None
    try:
        from pathveil.ledger.ledger_tables import exact_limit
    except ImportError:
        raise MissingExtra("ledger", "sqlalchemy") from None
    return exact_limit(text, "--budget")
