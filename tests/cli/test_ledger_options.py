from __future__ import annotations

import inspect
from fractions import Fraction
from pathlib import Path

import pytest
import typer

from pathveil.cli import batch as batches
from pathveil.cli import publish as custodian
from pathveil.cli.ledger_options import LedgerUse, exact_budget, may_use_ledger
from pathveil.errors import BadBudget


def heard(**given: object) -> LedgerUse | None:
    """What a command is handed when the command line says so."""
    found: list[LedgerUse | None] = []

    @may_use_ledger
    def listen(*, ledger: LedgerUse | None) -> None:
        found.append(ledger)

    shown = inspect.signature(listen).parameters
    listen(**{**{name: option.default for name, option in shown.items()}, **given})
    return found[0]


def test_without_a_ledger_the_command_is_handed_none() -> None:
    assert heard() is None


def test_what_is_said_of_a_ledger_arrives_with_an_exact_budget() -> None:
    assert heard(ledger="x.db") == LedgerUse("x.db")
    said = heard(ledger="x.db", key=Path("k"), fresh=True, budget="5/2", accept_clock=True)
    assert said == LedgerUse("x.db", Path("k"), True, Fraction(5, 2), True)


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"key": Path("k")}, "--key"),
        ({"fresh": True}, "--fresh"),
        ({"budget": "5"}, "--budget"),
        ({"accept_clock": True}, "--accept-clock"),
    ],
)
def test_an_option_that_needs_a_ledger_says_so(given: dict[str, object], option: str) -> None:
    with pytest.raises(typer.BadParameter, match=f"{option} needs --ledger"):
        heard(**given)


def test_a_budget_is_a_number() -> None:
    assert exact_budget("2.5") == Fraction(5, 2)
    for text in ("much", "1/0"):
        with pytest.raises(BadBudget, match="expected a number"):
            exact_budget(text)


@pytest.mark.parametrize("command", [custodian.publish, batches.batch])
def test_both_commands_show_every_option_of_a_ledger(command: object) -> None:
    shown = inspect.signature(command).parameters  # type: ignore[arg-type]
    assert {"ledger", "key", "fresh", "budget", "accept_clock"} <= set(shown)
    assert shown["ledger"].default is None
