"""Commands of auditors and researchers: attack, audit, compare, reproduce, batch."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the auditor's commands to the application."""
