"""How results look in a terminal: tables, the layered picture, the certificate."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.table import Table

from pathveil.model.publication import Certificate, Publication

console = Console(highlight=False)


def print_json(value: Any) -> None:
    """Print a result for a program: sorted keys, one document, nothing else."""
    print(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False))  # noqa: T201


def facts(rows: list[tuple[str, str]], *, title: str | None = None) -> Table:
    """Return a two-column table of named facts."""
    table = Table(title=title, show_header=False, box=None, padding=(0, 2), title_justify="left")
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for name, value in rows:
        table.add_row(name, value)
    return table


def certificate_table(certificate: Certificate) -> Table:
    """Return the certificate as a person reads it: who gains how much, in which direction."""
    table = Table(title="Certificate: what each adversary can gain at most", title_justify="left")
    table.add_column("who misses", ratio=3)
    table.add_column("edge is there", ratio=2)
    table.add_column("edge is not", ratio=2)
    table.add_column("notion", ratio=2)
    if any(row.claim for row in certificate.rows):
        table.add_column("the paper claims", ratio=2)
    for row in certificate.rows:
        cells = [row.adversary, str(row.presence), str(row.absence), row.notion]
        table.add_row(*cells, *([row.claim] if len(table.columns) == 5 else []))
    return table


def certificate_json(certificate: Certificate) -> dict[str, Any]:
    """Return the certificate as plain data."""
    return {
        "rows": [
            {
                "adversary": row.adversary,
                "presence": {"expression": row.presence.expression, "at_most": row.presence.decimal},
                "absence": {"expression": row.absence.expression, "at_most": row.absence.decimal},
                "notion": row.notion,
                "claim": row.claim,
            }
            for row in certificate.rows
        ],
        "not_protected": list(certificate.not_protected),
    }


def print_picture(publication: Publication) -> None:
    """Print the layered graph as text."""
    from pathveil.formats.pictures.text import publication_text_picture

    console.print(publication_text_picture(publication, width=console.width), markup=False)


def warn_unsafe(publication: Publication) -> None:
    """Say aloud that a seeded publication protects nothing."""
    if publication.unsafe:
        console.print(
            "[bold red]unsafe[/]: the coins came from a seed; whoever has it reads everything. "
            "For tests and experiments only."
        )
