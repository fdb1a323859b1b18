"""Options of a command line that make one argument of the command behind it."""

from __future__ import annotations

import inspect
from typing import Any

from pathveil.cli.composed_options import compose_options, option_parameter

OPTIONS = [option_parameter("low", int, 1), option_parameter("high", int, 9)]


def test_the_command_line_shows_the_options_and_the_command_gets_what_they_make() -> None:
    calls: list[tuple[Any, ...]] = []

    def command(file: str, *, span: range, loud: bool = False) -> None:
        """Says it."""
        calls.append((file, span, loud))

    run = compose_options(
        command, "span", OPTIONS, lambda given: range(given["low"], given["high"])
    )
    assert list(inspect.signature(run).parameters) == ["file", "low", "high", "loud"]
    assert run.__doc__ == "Says it."
    run("x", low=2, high=5, loud=True)
    assert calls == [("x", range(2, 5), True)]


def test_options_may_do_all_there_is_to_do() -> None:
    seen: list[dict[str, Any]] = []

    def command(*, loud: bool = False) -> None:
        seen.append({"loud": loud})

    run = compose_options(command, None, OPTIONS[:1], seen.append)
    run(low=3, loud=True)
    assert seen == [{"low": 3}, {"loud": True}], "before the command runs"
    run()
    assert seen[2:] == [{}, {"loud": False}], "what is not given is not made up"
