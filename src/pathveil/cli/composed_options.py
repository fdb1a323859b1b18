"""Several options of a command line that make one argument of the command behind it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

Command = Callable[..., None]


def option_parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    """Return an option as a command's signature shows it."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=annotation)


def compose_options(
    command: Command,
    argument: str | None,
    options: Sequence[inspect.Parameter],
    made_of: Callable[[dict[str, Any]], Any],
) -> Command:
    """Return the command with some options in place of one argument, which is made of them.

    Parameters
    ----------
    argument
        What the command takes; the command line does not show it. None if ``made_of`` does all
        there is to do.
    options
        What the command line shows instead, before the command's own options.
    made_of
        From the options' values to the argument.
    """
    own = inspect.signature(command, eval_str=True)
    names = {option.name for option in options}

    @wraps(command)
    def run(*args: Any, **given: Any) -> None:
        values = {name: given.pop(name) for name in names if name in given}
        made = made_of(values)
        command(*args, **({} if argument is None else {argument: made}), **given)

    kept = [parameter for name, parameter in own.parameters.items() if name != argument]
    place = next(
        (i for i, p in enumerate(kept) if p.kind == inspect.Parameter.KEYWORD_ONLY), len(kept)
    )
    shown = [*kept[:place], *options, *kept[place:]]
    run.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return run
