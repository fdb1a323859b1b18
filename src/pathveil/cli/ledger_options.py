"""Options that speak of a ledger, and how a command opens one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathveil.cli.composed_options import Command, compose_options, option_parameter
from pathveil.errors import MissingExtra

if TYPE_CHECKING:
    from pathveil.ledger.entries import Recorded
    from pathveil.ledger.ledger import Ledger

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


@dataclass(frozen=True)
class LedgerUse:
    """Which ledger a release goes through, and how."""

    database: str
    key: Path | None = None
    fresh: bool = False
    budget: Fraction | None = None
    accept_clock: bool = False

    def opened(self) -> AbstractContextManager[Ledger]:
        """Give the ledger, opened."""
        return opened_ledger(self.database, self.key)


_OPTIONS = (
    option_parameter("ledger", LedgerOption, None),
    option_parameter("key", KeyFile, None),
    option_parameter("fresh", Fresh, default=False),
    option_parameter("budget", Budget, None),
    option_parameter("accept_clock", AcceptClock, default=False),
)


def may_use_ledger(command: Command) -> Command:
    """Return the command with the options of a ledger in place of its argument ``ledger``.

    Where none is named the command is handed None.
    """
    return compose_options(command, "ledger", _OPTIONS, _ledger_use)


def _ledger_use(values: dict[str, Any]) -> LedgerUse | None:
    database = values.pop("ledger")
    if database is None:
        for name, value in values.items():
            if value:
                raise typer.BadParameter(f"--{name.replace('_', '-')} needs --ledger")
        return None
    return LedgerUse(database, **{**values, "budget": exact_budget(values["budget"])})


def tell_recorded(recorded: Sequence[Recorded]) -> list[tuple[str, str]]:
    """Return what a custodian wants to know of what was just recorded."""
    new = [release for release in recorded if not release.replayed]
    last = max(recorded, key=lambda release: release.counter)
    if not new:
        said = f"entry {last.counter}, the same release given back; nothing was charged"
    else:
        said = f"entry {last.counter}, place {last.place} of series {last.series}"
        if len(recorded) > 1:
            said += f"; {len(new)} charged, {len(recorded) - len(new)} given back"
    rows = [("ledger", said)]
    if new:
        budget = "" if last.budget is None else f", of a budget of {float(last.budget):g}"
        rows.append(("spent by the dearest link", f"{last.spent}{budget}"))
    return rows


def ledger_files(ledger: LedgerUse | None) -> list[Path]:
    """Return the files a ledger lives in: none of them is ever an output.

    >>> [path.name for path in ledger_files(LedgerUse("releases.db"))]
    ['releases.db', 'releases.db.key', 'releases.db-wal', 'releases.db-shm']
    """
    if ledger is None:
        return []
    beside = [Path(f"{ledger.database}{end}") for end in ("", ".key", "-wal", "-shm")]
    return beside if ledger.key is None else [*beside, ledger.key]
