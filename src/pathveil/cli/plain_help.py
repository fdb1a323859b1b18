"""Help that fits a screen: options in groups, one column of names, one of words, examples last.

Typer's own panels spend half of eighty columns on frames and types, and cut what is left. Here the
groups are the ``rich_help_panel`` of each option, in the order in which the command names them.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

WIDTH = 80
_NAMES = 26
"""Columns for names of options; a longer name gets a line of its own."""


class PlainCommand(TyperCommand):
    """A command whose help is plain text of at most eighty columns."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write usage, purpose, options by group and examples."""
        formatter.width = min(formatter.width, WIDTH)
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        write_groups(self, ctx, formatter)
        self.format_epilog(ctx, formatter)


class PlainGroup(TyperGroup):
    """A group of commands whose help is plain text of at most eighty columns."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write usage, purpose and the commands by group."""
        formatter.width = min(formatter.width, WIDTH)
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                panel = getattr(command, "rich_help_panel", None)
                title = panel if isinstance(panel, str) else "Commands"
                groups.setdefault(title, []).append((name, command.get_short_help_str(WIDTH)))
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)
        write_groups(self, ctx, formatter)
        self.format_epilog(ctx, formatter)


def write_groups(command: Any, ctx: Any, formatter: Any) -> None:
    """Write arguments and options, group by group."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(ctx):
        row = _row(parameter)
        if row is not None:
            groups.setdefault(_title(parameter), []).append(row)
    for title, rows in groups.items():
        with formatter.section(title):
            formatter.write_dl(rows, col_max=_NAMES)


def _title(parameter: Any) -> str:
    panel = getattr(parameter, "rich_help_panel", None)
    if isinstance(panel, str):
        return panel
    return "Arguments" if parameter.param_type_name == "argument" else "Options"


def _row(parameter: Any) -> tuple[str, str] | None:
    """Return names and words of one parameter; None if it is not shown."""
    if getattr(parameter, "hidden", False):
        return None
    words = " ".join((getattr(parameter, "help", None) or "").split())
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
        return (f"{name}..." if parameter.nargs == -1 and "..." not in name else name), words
    names = ", ".join(sorted([*parameter.opts, *parameter.secondary_opts], key=len))
    if not getattr(parameter, "is_flag", False):
        names += f" {parameter.metavar or 'N'}"
    if parameter.required:
        words += " Required."
    return names, words
