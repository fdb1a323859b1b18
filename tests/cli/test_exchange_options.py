from __future__ import annotations

import inspect
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pathveil import Network, Seeded, Walk, publish, reconstruct
from pathveil.cli import party
from pathveil.cli import rehearse as rehearsal
from pathveil.cli.exchange_options import ExchangeTerms, LearnChoice, agrees_on_exchange

NETWORK, WALK = Network.parse("ab bc cd bd"), Walk("abcd")


@pytest.mark.parametrize("command", [party.run, rehearsal.rehearse])
def test_whoever_begins_an_exchange_says_the_same(command: object) -> None:
    shown = inspect.signature(command).parameters  # type: ignore[arg-type]
    said = {"learn", "length", "longest", "time_limit", "plaintext", "groups", "after"}
    assert said <= set(shown)
    assert "terms" not in shown


@pytest.mark.parametrize(
    "terms",
    [
        ExchangeTerms(),
        ExchangeTerms(LearnChoice.walk, length=True, longest=9, time_limit=7.5),
        ExchangeTerms(groups=Path("g.json"), after=[Path("1.veil"), Path("2.veil")]),
    ],
)
def test_terms_survive_the_way_through_a_command_line(terms: ExchangeTerms) -> None:
    """A rehearsal starts its parties by words: what they understand is what was said."""
    heard: list[ExchangeTerms] = []

    @agrees_on_exchange
    def listen(*, terms: ExchangeTerms) -> None:
        heard.append(terms)

    app = typer.Typer()
    app.command()(listen)
    result = CliRunner().invoke(app, terms.words)
    assert result.exit_code == 0, result.output
    assert heard == [terms]


def test_the_publication_is_read_as_the_terms_say(tmp_path: Path) -> None:
    file = tmp_path / "x.veil"
    made = publish(NETWORK, WALK, source=Seeded(1))
    made.save(file)
    found = ExchangeTerms().publication(file)
    assert reconstruct(found, NETWORK).walk == WALK
