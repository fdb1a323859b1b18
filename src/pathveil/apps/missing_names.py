"""Names after ``--missing``, whatever they begin with: some networks have a vertex -1."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from typer.core import TyperCommand

FLAG = "--missing"


class NamesAfterMissing(TyperCommand):
    """A command in which the words after ``--missing`` are names up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return what is left over; names that look like options have been set apart."""
        known = {word for option in self.params for word in (*option.opts, *option.secondary_opts)}
        return super().parse_args(ctx, names_apart(args, known | {"-h", "--help"}))


def names_apart(words: Sequence[str], options: Collection[str]) -> list[str]:
    """Return the words with the names after ``--missing`` last, where nothing is an option.

    Parameters
    ----------
    options
        Words that are options of the command; everything with two dashes is taken for one.

    Examples
    --------
    >>> names_apart(["f", "n", "--missing", "-1", "2", "--json"], {"--json", "-h"})
    ['f', 'n', '--missing', '--json', '--', '-1', '2']
    """
    if FLAG not in words or "--" in words:
        return list(words)
    start = words.index(FLAG) + 1
    end = start
    while end < len(words) and not (words[end].startswith("--") or words[end] in options):
        end += 1
    names = words[start:end]
    if not any(name.startswith("-") for name in names):
        return list(words)
    return [*words[:start], *words[end:], "--", *names]
