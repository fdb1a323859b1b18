"""What is wrong, in one style: where or what, a colon, the fact, what to do; one line.

The parser of command lines has a style of its own ("Invalid value for '--x': Input should be...");
its messages are put into ours here.
"""

from __future__ import annotations

import re
from typing import Any

from pathveil.wording import did_you_mean

_REWORDED = tuple(
    (re.compile(theirs), ours)
    for theirs, ours in (
        (r"^Invalid value: ", ""),
        (r"^Invalid value for '([^']*)'( / '[^']*')*: ", r"\1: "),
        (r"(^|: )Value error, ", r"\1"),
        (r": Input should be ", ": should be "),
        (r"^Missing argument '([^']*)'$", r"\1: is missing"),
        (r"^Missing option '([^']*)' / '([^']*)'$", r"\1, \2: is missing"),
        (r"^Missing option '([^']*)'$", r"\1: is missing"),
        (r"^No such option: (\S+)", r"\1: no such option"),
        (r" \(Possible options?: (.*)\)$", r"; did you mean \1?"),
        (r" Did you mean (\S+)\?$", r"; did you mean \1?"),
        (r"^No such command '([^']*)'", r"\1: no such command"),
        (r"^Got unexpected extra argument\S* \((.*)\)$", r"\1: more words than are expected"),
        (r"^Option '([^']*)' requires (an argument|\d+ arguments)$", r"\1: needs \2"),
    )
)


_CHOICE = re.compile(r"'([^']*)' is not one of (.*)$")


def explained(error: Any) -> str:
    """Return what is wrong with the words of a command line, and where its help is."""
    said = reworded(error.format_message())
    choice = _CHOICE.search(said)
    if choice is not None:
        said += did_you_mean(choice[1], [word.strip("' ") for word in choice[2].split(",")])
    if error.ctx is None:
        return said
    return f"{said}{' See' if said.endswith('?') else '; see'} {error.ctx.command_path} --help"


def reworded(message: str) -> str:
    """Return a message of the parser in our style.

    >>> reworded("Invalid value for '--workers': Input should be greater than or equal to 1.")
    '--workers: should be greater than or equal to 1'
    >>> reworded("Missing option '-o' / '--output'.")
    '-o, --output: is missing'
    """
    said = " ".join(message.split())
    said = said.removesuffix(".") if not said.endswith("...") else said
    for pattern, ours in _REWORDED:
        said = pattern.sub(ours, said)
    return said
