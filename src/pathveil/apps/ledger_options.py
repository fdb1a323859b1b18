"""Options that speak of a ledger, and how a command opens one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.errors import BadBudget, MissingExtra

if TYPE_CHECKING:
    from pathveil.ledger.book import Ledger
    from pathveil.ledger.entries import Recorded

KeyFile = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The ledger's key; beside an SQLite file if none."),
]
Budget = Annotated[
    str | None,
    typer.Option("--budget", metavar="LOSS", help="The largest loss any link may run up."),
]
LedgerOption = Annotated[
    str | None,
    typer.Option(
        "--ledger", metavar="DB", help="Reckon with what was released before, and remember this."
    ),
]
Fresh = Annotated[
    bool,
    typer.Option("--fresh", help="With --ledger: release a known walk again; it is charged."),
]
AcceptClock = Annotated[
    bool,
    typer.Option(
        "--accept-clock", help="With --ledger: the clock is right, the last entry's was not."
    ),
]
AcceptOutsider = Annotated[
    bool,
    typer.Option(
        "--accept-outsider", help="Yes, hand files out although who collects them reads walks."
    ),
]


@contextmanager
def opened_ledger(database: str, key: Path | None) -> Iterator[Ledger]:
    """Give an opened ledger, or say which extra is missing."""
    try:
        from pathveil.ledger.book import Ledger
    except ImportError:
        raise MissingExtra("ledger", "sqlalchemy and alembic") from None
    with Ledger.open(database, key=key) as ledger:
        yield ledger


def exact_budget(text: str | None) -> Fraction | None:
    """Return a budget as an exact number."""
    if text is None:
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadBudget(f"--budget is {text!r}, expected a number such as 5, 2.5 or 7/2") from None


def require_ledger(
    ledger: str | None,
    *,
    key: Path | None,
    fresh: bool,
    budget: str | None,
    accept_clock: bool,
) -> None:
    """Raise where an option speaks of a ledger and none is given."""
    spoken = {"--key": key, "--fresh": fresh, "--budget": budget, "--accept-clock": accept_clock}
    for option, value in spoken.items():
        if ledger is None and value:
            raise typer.BadParameter(f"{option} needs --ledger")


def tell_recorded(recorded: Sequence[Recorded]) -> list[tuple[str, str]]:
    """Return what a custodian wants to know of what was just recorded."""
    new = [release for release in recorded if not release.replayed]
    last = max(recorded, key=lambda release: release.counter)
    if not new:
        said = f"entry {last.counter}, given back byte for byte; nothing was charged"
    else:
        said = f"entry {last.counter}, place {last.place} of series {last.series}"
        if len(recorded) > 1:
            said += f"; {len(new)} charged, {len(recorded) - len(new)} given back"
    rows = [("ledger", said)]
    if new:
        budget = "" if last.budget is None else f", of a budget of {float(last.budget):g}"
        rows.append(("spent by the dearest link", f"{last.spent}{budget}"))
    return rows
