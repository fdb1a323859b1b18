"""Pages of the reference that are made from the program: commands, policies, errors.

``python -m docs.generated`` writes them before the site is built; they are not kept.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "reference"


def pages() -> dict[str, str]:
    """Return the text of each page, by file name."""
    return {
        "commands.md": commands_page(),
        "policies.md": policies_page(),
        "errors.md": errors_page(),
    }


def commands_page() -> str:
    """Return the help of every command."""
    from typer.main import get_command

    from pathveil.cli.main import app

    head = "# Commands\n\nYou see what `--help` says of every command.\n"
    names = leaves(get_command(app), "")
    return "\n".join([head, *(f"## {name}\n\n```text\n{help_of(name)}\n```\n" for name in names)])


def leaves(command: Any, name: str) -> Iterator[str]:
    """Yield the full name of every command that does something."""
    if not hasattr(command, "commands"):
        yield name
        return
    for word, part in command.commands.items():
        if not part.hidden:
            yield from leaves(part, f"{name} {word}".strip())


def help_of(name: str) -> str:
    """Return what a command's help prints at eighty columns."""
    from pathveil.cli.main import run

    out, before = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        with contextlib.redirect_stdout(out):
            run([*name.split(), "--help"])
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())


def policies_page() -> str:
    """Return every kind of policy, and the table of what goes with what."""
    from pathveil.policies import KINDS
    from pathveil.publishing.terms import FEATURES, GOES_WITH, MEET

    head = (
        "# Policies\n\nYou choose one by a text, the same in Python (`pv.Policy.parse`) and on the "
        "command line (`--policy`). [Choose a policy](../how-to/choose-a-policy.md) says when to "
        "use which.\n"
    )
    parts = [head]
    for kind in KINDS:
        text = f"{kind.name}:{kind.example}" if kind.example else kind.name
        parts.append(f"## {kind.name}\n\n`{text}`\n\n{inspect.getdoc(kind)}\n")
    parts.append(
        "## What goes with what\n\nEverything else is refused with an error that says what to do "
        "instead. An envelope goes with everything; to go on with a series in envelopes you need a "
        "ledger.\n"
    )
    parts.append(f"| | {' | '.join(FEATURES.values())} |\n|{'---|' * (len(FEATURES) + 1)}")
    for (name, form), able in GOES_WITH.items():
        marks = " | ".join("yes" if feature in able else "" for feature in FEATURES)
        parts.append(f"| {name}, {form} | {marks} |")
    meet = (" with ".join(FEATURES[one] for one in FEATURES if one in two) for two in MEET)
    parts.append(f"\nTwo of these columns go together only so: {'; '.join(sorted(meet))}.")
    return "\n".join(parts) + "\n"


def errors_page() -> str:
    """Return every class of error with the fact it stands for."""
    from pathveil import errors

    base = errors.PathveilError
    classes = [
        (name, kind)
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and issubclass(kind, base) and kind is not base
    ]
    rows = [
        f"| `{name}` | {(inspect.getdoc(kind) or '').splitlines()[0]} |"
        for name, kind in sorted(classes)
    ]
    head = (
        "# Errors\n\nCatch `pathveil.errors.PathveilError` for all of them. On the command line "
        "each is one message and exit code 2. The exit code is 1 if `verify`, `attack` or "
        "`lab audit` finds a claim that does not hold, and if `party run` finds that the parties' "
        "links contradict each other.\n\n"
        "| class | what is wrong |\n|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for title, text in pages().items():
        (FOLDER / title).write_text(text, encoding="utf-8")
