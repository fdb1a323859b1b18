"""What all parties of a secure exchange must say alike: the same options wherever one is begun.

A command that takes part takes one argument ``terms`` and is decorated with
:func:`agrees_on_exchange`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathveil.cli.composed_options import Command, compose_options, option_parameter
from pathveil.cli.options import GroupsFile
from pathveil.cli.series import AfterFiles

if TYPE_CHECKING:
    from pathveil.exchange.cards import Roster
    from pathveil.exchange.session import Exchange
    from pathveil.model.publication import Publication


class LearnChoice(StrEnum):
    """What the parties agree to learn."""

    own = "own"
    walk = "walk"


LEARNT = {"own": "each its own places", "walk": "everybody learns the walk"}
"""The same in words."""

Learn = Annotated[
    LearnChoice,
    typer.Option(
        "--learn", help="own: each party the places of its own; walk: everybody the whole walk."
    ),
]
Length = Annotated[
    bool, typer.Option("--length", help="Open the number of visits besides. All must say so.")
]
Longest = Annotated[
    int | None,
    typer.Option(
        "--longest", metavar="K", min=2, help="No walk has more visits: fewer rounds. All must say."
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option("--time-limit", metavar="S", min=1, help="Seconds until a party gives up."),
]
Plaintext = Annotated[
    bool,
    typer.Option(
        "--plaintext-on-loopback",
        help="No TLS: anybody on this machine can read along. Refused for other addresses.",
    ),
]
_OPTIONS = (
    option_parameter("learn", Learn, LearnChoice.own),
    option_parameter("length", Length, default=False),
    option_parameter("longest", Longest, None),
    option_parameter("time_limit", TimeLimit, 120.0),
    option_parameter("plaintext", Plaintext, default=False),
    option_parameter("groups", GroupsFile, None),
    option_parameter("after", AfterFiles, None),
)


@dataclass(frozen=True)
class ExchangeTerms:
    """What is read together, and what shall be learnt."""

    learn: LearnChoice = LearnChoice.own
    length: bool = False
    longest: int | None = None
    time_limit: float = 120.0
    plaintext: bool = False
    groups: Path | None = None
    after: list[Path] | None = None

    def publication(self, file: Path) -> Publication:
        """Return the publication in a file, over its grouping and after those before it."""
        from pathveil import Grouping, Publication

        grouping = None if self.groups is None else Grouping.load(self.groups)
        return Publication.load(file).over(grouping)

    def exchange(self, publication: Publication, roster: Roster) -> Exchange:
        """Return what the parties of a roster then agree on."""
        from pathveil.exchange.session import agree

        return agree(
            publication,
            roster,
            learn=self.learn.value,
            length=self.length,
            longest=self.longest,
        )

    @property
    def words(self) -> list[str]:
        """The same as words of a command line; how the wire is kept is not among them."""
        found = [f"--learn={self.learn.value}", f"--time-limit={self.time_limit}"]
        found += ["--length"] if self.length else []
        found += [] if self.longest is None else [f"--longest={self.longest}"]
        found += [] if self.groups is None else [f"--groups={self.groups}"]
        return [*found, *(f"--after={path}" for path in self.after or ())]


def agrees_on_exchange(command: Command) -> Command:
    """Return the command with the options of an exchange in place of its argument ``terms``."""

    def made_of(values: dict[str, Any]) -> ExchangeTerms:
        return ExchangeTerms(**values)

    return compose_options(command, "terms", _OPTIONS, made_of)
